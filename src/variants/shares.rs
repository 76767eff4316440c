//! How likely two users still share what was sent so far.

use num_bigint::BigUint;

use super::Count;
use super::counts::Counting;
use super::kernel::{AxisSet, Problem, Stop};
use super::model::Model;

/// Parts in a million.
const WHOLE: u32 = 1_000_000;

/// Shares at the ends of sections, one behind the other.
pub(super) struct Shares<'a> {
    counting: Counting<'a>,
    parts: &'a [usize],
    /// Of each part, whether it changes no share.
    same: Vec<bool>,
    last: Option<f64>,
}

impl<'a> Shares<'a> {
    pub(super) fn new(model: &'a Model, parts: &'a [usize]) -> Shares<'a> {
        let counting = Counting::new(model);
        Shares { same: counting.add_the_same(parts), counting, parts, last: Some(1.0) }
    }

    /// The share at the end of the part at a place, the one behind the last that was asked for, of which there are so
    /// many. What took too much takes no less with more.
    pub(super) fn next(&mut self, at: usize, after: &Count) -> Option<f64> {
        if at == 0 || !self.same[at] {
            let own = &self.parts[..=at];
            let is_counted = self.last.is_some() && matches!(after, Count::Exact(_));
            self.last = if is_counted { self.counting.share(own) } else { None };
        }
        self.last
    }
}

impl Counting<'_> {
    /// The share of pairs of assignments, all taken to be equally likely, whose texts of these parts are the same;
    /// rounded to a millionth, so that it is the same number everywhere. `None` when it takes too much, or when nothing
    /// can be sent at all.
    fn share(&mut self, keep: &[usize]) -> Option<f64> {
        let (same, all) = self.pairs(keep).ok()??;
        if all == BigUint::ZERO {
            return None;
        }
        let millionths = (same * WHOLE * 2u32 + &all) / (all * 2u32);
        Some(f64::from(u32::try_from(millionths).ok()?) / f64::from(WHOLE))
    }

    /// Pairs of assignments with the same texts, and all pairs.
    fn pairs(&mut self, keep: &[usize]) -> Result<Option<(BigUint, BigUint)>, Stop> {
        let Some(problem) = self.problem(keep)? else { return Ok(None) };
        let mut axes = AxisSet::default();
        problem.functions.iter().chain(&problem.conditions).for_each(|f| axes.add(self.m.support(*f)));
        let nothing = Problem { functions: Vec::new(), conditions: problem.conditions.clone() };
        let all = self.pairs.count(&mut self.m, &nothing, &axes)?;
        let same = self.pairs.count(&mut self.m, &problem, &axes)?;
        Ok(Some((same, all)))
    }
}
