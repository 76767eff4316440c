//! What can be said when the exact count takes too much: bounds that are certain, and the same on every run.

use num_bigint::BigUint;

use super::axes::AxisSet;
use super::count::Counter;
use super::mdd::{Limits, Mdd, Node, Stop};
use super::normal::normal;
use super::{Problem, literal_axes};

/// What one attempt may cost, and how many may fail.
const ATTEMPT: Limits = Limits { work: 60_000, cells: 400_000 };
const ATTEMPTS: u64 = 12;

/// The count is at least the first and at most the second.
///
/// At least: some of the functions alone have no more outcomes than all together, and some of the assignments no more
/// than all. At most: every class of one function with every class of the others.
pub(in crate::variants) fn bounds(m: &mut Mdd, problem: &Problem) -> (BigUint, BigUint) {
    m.allow(ATTEMPT);
    let Ok(ordered) = in_order(m, problem) else { return (BigUint::ZERO, assignments(m, problem)) };
    let (some, counted) = subset(m, problem, &ordered);
    let fewer = fixed(m, problem).unwrap_or(BigUint::ZERO);
    // Whether the conditions can hold at all may itself be more than can be told.
    let mut product = some.clone().unwrap_or(BigUint::from(1u32));
    for f in ordered.iter().filter(|f| !counted.contains(f)) {
        product *= BigUint::from(m.class_count(*f));
    }
    (some.unwrap_or(BigUint::ZERO).max(fewer), product.min(assignments(m, problem)))
}

/// The functions in canonical form, those of the fewest axes first.
fn in_order(m: &mut Mdd, problem: &Problem) -> Result<Vec<Node>, Stop> {
    let mut all = Vec::new();
    for f in &problem.functions {
        let f = m.canonical(*f)?;
        if !f.is_leaf() {
            all.push(f);
        }
    }
    all.sort_by_key(|f| (m.support(*f).len(), *f));
    all.dedup();
    Ok(all)
}

/// As many values as the axes have together.
fn assignments(m: &Mdd, problem: &Problem) -> BigUint {
    let mut axes = AxisSet::default();
    problem.functions.iter().for_each(|f| axes.add(m.support(*f)));
    axes.iter().map(|axis| BigUint::from(m.size(axis))).product()
}

/// The count of as many functions as can be counted, if of any number, and which those are.
fn subset(m: &mut Mdd, problem: &Problem, ordered: &[Node]) -> (Option<BigUint>, Vec<Node>) {
    let mut counted: Vec<Node> = Vec::new();
    let mut counter = Counter::default();
    m.allow(ATTEMPT);
    let mut best = counter.count(m, Problem { functions: Vec::new(), conditions: problem.conditions.clone() }).ok();
    let mut failed = 0;
    for f in ordered {
        let functions = counted.iter().copied().chain([*f]).collect();
        m.allow(ATTEMPT);
        match counter.count(m, Problem { functions, conditions: problem.conditions.clone() }) {
            Ok(count) => {
                best = Some(count);
                counted.push(*f);
            }
            Err(Stop) => failed += 1,
        }
        if failed >= ATTEMPTS {
            break;
        }
    }
    (best, counted)
}

/// The count where entangled axes are fixed, one by one, until the outcomes give all others away.
fn fixed(m: &mut Mdd, problem: &Problem) -> Option<BigUint> {
    let mut rest = problem.clone();
    for _ in 0..m.axis_count() {
        m.allow(ATTEMPT);
        rest = normal(m, rest).ok()??;
        let known = literal_axes(m, &rest).ok()?;
        if rest.functions.iter().all(|f| m.support(*f).within(&known)) {
            return Counter::default().count(m, rest).ok();
        }
        let mut entangled = AxisSet::default();
        let wide: Vec<Node> = rest.functions.iter().copied().filter(|f| m.support(*f).len() > 1).collect();
        wide.iter().for_each(|f| entangled.add(m.support(*f)));
        let weight = |axis: &u16| wide.iter().filter(|f| m.support(**f).has(*axis)).count();
        let axis = entangled.iter().max_by_key(weight)?;
        let mut best: Option<((usize, usize), Problem)> = None;
        for value in 0..m.size(axis) {
            let below = rest.restrict(m, axis, value).ok()?;
            let Some(below) = normal(m, below).ok()? else { continue };
            let left = below.support(m).len();
            let quality = (literal_axes(m, &below).ok()?.len(), left);
            if best.as_ref().is_none_or(|(other, _)| quality > *other) {
                best = Some((quality, below));
            }
        }
        rest = best?.1;
    }
    None
}
