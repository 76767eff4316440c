//! The count: one recursion over problems in their simplest form, remembered by their nodes.

use num_bigint::BigUint;

use super::axes::AxisSet;
use super::mdd::{Mdd, Stop};
use super::memo::Memo;
use super::normal::normal;
use super::relation::relation;
use super::{Problem, conjunction, literal_axes};

/// Counts the joint outcomes of problems over one diagram, and remembers what it counted.
#[derive(Default, Debug)]
pub(in crate::variants) struct Counter {
    memo: Memo<Problem, BigUint>,
}

impl Counter {
    /// How many different vectors of classes the functions have where the conditions hold.
    ///
    /// # Errors
    /// A limit of the diagram was reached.
    pub(in crate::variants) fn count(&mut self, m: &mut Mdd, problem: Problem) -> Result<BigUint, Stop> {
        let Some(problem) = normal(m, problem)? else { return Ok(BigUint::ZERO) };
        let mut product = BigUint::from(1u32);
        for (axes, part) in problem.parts(m) {
            let count = match part.functions.is_empty() {
                true => BigUint::from(u32::from(holds_somewhere(m, part)?)),
                false => self.part(m, &axes, part)?,
            };
            product *= count;
        }
        Ok(product)
    }

    /// The count of a part that does not fall apart.
    fn part(&mut self, m: &mut Mdd, axes: &AxisSet, part: Problem) -> Result<BigUint, Stop> {
        if let ([f], []) = (&part.functions[..], &part.conditions[..]) {
            return Ok(BigUint::from(m.class_count(*f)));
        }
        if let Some(done) = self.memo.get(&part) {
            return Ok(done.clone());
        }
        m.spend(1)?;
        let known = literal_axes(m, &part)?;
        let count = if known == *axes {
            let all = conjunction(m, &part.conditions)?;
            m.models(all, axes)
        } else if part.functions.len() == 1 {
            self.reachable_classes(m, &part)?
        } else if let Some(count) = relation(m, &part, axes, &known)? {
            count
        } else if let Some(axis) = part.best_cut(m, &known) {
            let mut sum = BigUint::ZERO;
            for value in 0..m.size(axis) {
                let below = part.restrict(m, axis, value)?;
                sum += self.count(m, below)?;
            }
            sum
        } else {
            self.by_outcomes(m, &part)?
        };
        self.memo.insert(part, count.clone());
        Ok(count)
    }

    fn reachable_classes(&mut self, m: &mut Mdd, part: &Problem) -> Result<BigUint, Stop> {
        let mut count = 0u32;
        for class in m.classes(part.functions[0]) {
            let rest = part.split(m, 0, class)?;
            count += u32::from(holds_somewhere(m, rest)?);
        }
        Ok(BigUint::from(count))
    }

    /// The sum over the classes of the function that hangs on the fewest axes.
    fn by_outcomes(&mut self, m: &mut Mdd, part: &Problem) -> Result<BigUint, Stop> {
        let neighbours = |n: usize| {
            let own = m.support(part.functions[n]);
            part.functions.iter().filter(|f| m.support(**f).meets(own)).count()
        };
        let cost = |n: &usize| (m.support(part.functions[*n]).len(), std::cmp::Reverse(neighbours(*n)));
        let smallest = (0..part.functions.len()).min_by_key(cost).unwrap_or(0);
        let mut sum = BigUint::ZERO;
        for class in m.classes(part.functions[smallest]) {
            let rest = part.split(m, smallest, class)?;
            sum += self.count(m, rest)?;
        }
        Ok(sum)
    }
}

/// Whether all conditions of a problem can hold at once.
fn holds_somewhere(m: &mut Mdd, problem: Problem) -> Result<bool, Stop> {
    Ok(normal(m, Problem { functions: Vec::new(), conditions: problem.conditions })?.is_some())
}
