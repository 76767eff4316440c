//! How many pairs of assignments have the same outcomes: with it, how likely two users share a prefix.

use num_bigint::BigUint;

use super::axes::AxisSet;
use super::mdd::{Mdd, Stop};
use super::memo::Memo;
use super::{Problem, conjunction, literal_axes};

/// Counts pairs over one diagram, and remembers what it counted.
#[derive(Default, Debug)]
pub(in crate::variants) struct Pairs {
    memo: Memo<(Problem, AxisSet), BigUint>,
}

impl Pairs {
    /// For how many ordered pairs of values of `axes`, the conditions holding for both, all functions agree. The problem
    /// hangs on no other axes.
    ///
    /// # Errors
    /// A limit of the diagram was reached.
    pub(in crate::variants) fn count(
        &mut self,
        m: &mut Mdd,
        problem: &Problem,
        axes: &AxisSet,
    ) -> Result<BigUint, Stop> {
        let Some(problem) = simple(m, problem)? else { return Ok(BigUint::ZERO) };
        let mut free = axes.clone();
        let mut product = BigUint::from(1u32);
        for (own, part) in problem.parts(m) {
            free = free.without(&own);
            product *= self.part(m, own, part)?;
        }
        for axis in free.iter() {
            product *= BigUint::from(m.size(axis)).pow(2);
        }
        Ok(product)
    }

    fn part(&mut self, m: &mut Mdd, axes: AxisSet, part: Problem) -> Result<BigUint, Stop> {
        let key = (part, axes);
        if let Some(done) = self.memo.get(&key) {
            return Ok(done.clone());
        }
        m.spend(1 + key.0.functions.len() as u64)?;
        let (part, axes) = &key;
        let known = literal_axes(m, part)?;
        let count = if part.functions.is_empty() || known == *axes {
            let all = conjunction(m, &part.conditions)?;
            let models = m.models(all, axes);
            // Where everything is given away, each assignment agrees with itself alone.
            if part.functions.is_empty() { models.pow(2) } else { models }
        } else if let Some(axis) = part.best_cut(m, &known) {
            let mut rest = axes.clone();
            rest.remove(axis);
            let mut sum = BigUint::ZERO;
            for value in 0..m.size(axis) {
                let below = part.restrict(m, axis, value)?;
                sum += self.count(m, &below, &rest)?;
            }
            sum
        } else {
            let smallest = (0..part.functions.len()).min_by_key(|n| m.support(part.functions[*n]).len()).unwrap_or(0);
            let mut sum = BigUint::ZERO;
            for class in m.classes(part.functions[smallest]) {
                let rest = part.split(m, smallest, class)?;
                sum += self.count(m, &rest, axes)?;
            }
            sum
        };
        self.memo.insert(key, count.clone());
        Ok(count)
    }
}

/// The problem without what says nothing; no axis is taken out, since each value counts. `None` when a condition holds
/// nowhere.
fn simple(m: &mut Mdd, problem: &Problem) -> Result<Option<Problem>, Stop> {
    let mut conditions = problem.conditions.clone();
    conditions.retain(|c| *c != super::Node::TRUE);
    conditions.sort_unstable();
    conditions.dedup();
    if conditions.contains(&super::Node::FALSE) {
        return Ok(None);
    }
    let mut functions = Vec::with_capacity(problem.functions.len());
    for f in &problem.functions {
        let mut simple = *f;
        for condition in &conditions {
            simple = m.care(simple, *condition)?;
        }
        functions.push(m.canonical(simple)?);
    }
    functions.retain(|f| !f.is_leaf());
    functions.sort_unstable();
    functions.dedup();
    Ok(Some(Problem { functions, conditions }))
}
