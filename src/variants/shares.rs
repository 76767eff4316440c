//! How likely two users still share what was sent so far.

use num_bigint::BigUint;

use super::counts::Counting;
use super::kernel::{AxisSet, Problem, Stop};

/// Parts in a million.
const WHOLE: u32 = 1_000_000;

impl Counting<'_> {
    /// The share of pairs of assignments, all taken to be equally likely, whose texts of these parts are the same;
    /// rounded to a millionth, so that it is the same number everywhere. `None` when it takes too much, or when nothing
    /// can be sent at all.
    pub(super) fn share(&mut self, keep: &[usize]) -> Option<f64> {
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
