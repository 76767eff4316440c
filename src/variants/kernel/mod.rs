//! Counting without going through all assignments.
//!
//! Owns decision diagrams and the count of the joint outcomes of some functions: over all values for which some
//! conditions hold, how many different vectors of classes there are. Knows no sections and no texts. Main types:
//! [`Mdd`], [`Node`], [`Problem`], [`Counter`].
//!
//! The count is the size of the range of a vector of functions under a care set. It is no plain model count (two
//! assignments with the same outcomes are one) and no product (functions share axes). Conditions simplify functions by
//! Coudert and Madre's `restrict`; axes that the outcomes give away split what is left; what shares no axis multiplies.

mod axes;
mod bounds;
mod count;
mod mdd;
mod memo;
mod normal;
mod pairs;
mod queries;
mod relation;
#[cfg(test)]
mod tests;

pub(super) use axes::{Axis, AxisSet};
pub(super) use bounds::bounds;
pub(super) use count::Counter;
pub(super) use mdd::{Limits, Mdd, Node, Stop};
pub(super) use memo::Memo;
pub(super) use pairs::Pairs;

/// Functions whose joint outcomes are counted, over all values for which the conditions hold.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Problem {
    pub(super) functions: Vec<Node>,
    pub(super) conditions: Vec<Node>,
}

impl Problem {
    /// The axes on which it hangs.
    fn support(&self, m: &Mdd) -> AxisSet {
        let mut all = AxisSet::default();
        self.functions.iter().chain(&self.conditions).for_each(|f| all.add(m.support(*f)));
        all
    }

    /// The problem with an axis fixed.
    fn restrict(&self, m: &mut Mdd, axis: Axis, value: u32) -> Result<Problem, Stop> {
        let mut fix =
            |list: &[Node]| list.iter().map(|f| m.restrict(*f, axis, value)).collect::<Result<Vec<_>, Stop>>();
        Ok(Problem { functions: fix(&self.functions)?, conditions: fix(&self.conditions)? })
    }

    /// The problem where one of its functions is this class.
    fn split(&self, m: &mut Mdd, function: usize, class: u32) -> Result<Problem, Stop> {
        let mut rest = self.clone();
        let taken = rest.functions.remove(function);
        rest.conditions.push(m.is_class(taken, class)?);
        Ok(rest)
    }

    /// Parts that share no axis, each with its axes.
    fn parts(&self, m: &Mdd) -> Vec<(AxisSet, Problem)> {
        let mut parts: Vec<(AxisSet, Problem)> = Vec::new();
        let functions = self.functions.iter().map(|f| (*f, true));
        for (node, is_function) in functions.chain(self.conditions.iter().map(|c| (*c, false))) {
            let mut axes = m.support(node).clone();
            let mut own = Problem::default();
            if is_function {
                own.functions.push(node)
            } else {
                own.conditions.push(node)
            }
            let mut n = 0;
            while n < parts.len() {
                if parts[n].0.meets(&axes) {
                    let (more, part) = parts.swap_remove(n);
                    axes.add(&more);
                    own.functions.extend(part.functions);
                    own.conditions.extend(part.conditions);
                } else {
                    n += 1;
                }
            }
            parts.push((axes, own));
        }
        for (_, part) in &mut parts {
            part.functions.sort_unstable();
            part.conditions.sort_unstable();
        }
        parts
    }

    /// The axis whose values the outcomes give away that cuts the rest best: the largest part behind it is smallest,
    /// and of equal ones the one that most functions hang on.
    fn best_cut(&self, m: &Mdd, candidates: &AxisSet) -> Option<Axis> {
        let supports: Vec<&AxisSet> = self.functions.iter().chain(&self.conditions).map(|f| m.support(*f)).collect();
        let quality = |axis: Axis| {
            let mut parts: Vec<AxisSet> = Vec::new();
            for support in &supports {
                let mut rest = (*support).clone();
                rest.remove(axis);
                if rest.is_empty() {
                    continue;
                }
                parts.retain(|part| {
                    let apart = !part.meets(&rest);
                    if !apart {
                        rest.add(part);
                    }
                    apart
                });
                parts.push(rest);
            }
            let largest = parts.iter().map(AxisSet::len).max().unwrap_or(0);
            let weight: usize = supports.iter().filter(|s| s.has(axis)).map(|s| 12 / s.len().clamp(1, 12)).sum();
            (std::cmp::Reverse(largest), weight)
        };
        candidates.iter().max_by_key(|axis| quality(*axis))
    }
}

/// The values of an axis that the conditions allow, each condition by itself.
fn allowed(m: &mut Mdd, conditions: &[Node], axis: Axis) -> Result<Vec<u32>, Stop> {
    let mut values = Vec::new();
    for value in 0..m.size(axis) {
        let mut possible = true;
        for condition in conditions {
            if possible && m.support(*condition).has(axis) {
                possible = m.restrict(*condition, axis, value)? != Node::FALSE;
            }
        }
        if possible {
            values.push(value);
        }
    }
    Ok(values)
}

/// Axes whose values a function of that axis alone gives away.
fn literal_axes(m: &mut Mdd, problem: &Problem) -> Result<AxisSet, Stop> {
    let mut found = AxisSet::default();
    for f in &problem.functions {
        if let Some(axis) = m.support(*f).single() {
            let values = allowed(m, &problem.conditions, axis)?;
            let mut classes: Vec<Node> = values.iter().map(|v| m.children(*f)[*v as usize]).collect();
            classes.sort_unstable();
            classes.dedup();
            if classes.len() == values.len() {
                found.insert(axis);
            }
        }
    }
    Ok(found)
}

/// All conditions as one.
fn conjunction(m: &mut Mdd, conditions: &[Node]) -> Result<Node, Stop> {
    conditions.iter().try_fold(Node::TRUE, |all, c| m.and(all, *c))
}
