//! A problem in its simplest form: the same count, fewer and smaller functions.

use super::axes::{Axis, AxisSet};
use super::mdd::{Mdd, Node, Stop};
use super::{Problem, allowed, literal_axes};

/// Most classes of two functions joined to one.
const JOINED_CLASSES: u32 = 256;

/// Most rounds; each state on the way has the same count, so stopping is right, only less simple.
const ROUNDS: usize = 40;

/// Most axes of a function that is tried for giving all of them away.
const INJECTIVE_AXES: usize = 8;

/// The simplest problem with the same count that is found; `None` when the conditions hold nowhere.
pub(super) fn normal(m: &mut Mdd, mut problem: Problem) -> Result<Option<Problem>, Stop> {
    for _ in 0..ROUNDS {
        m.spend((problem.functions.len() + problem.conditions.len()) as u64)?;
        if !settle_units(m, &mut problem)? {
            return Ok(None);
        }
        simplify(m, &mut problem)?;
        let Some(mut changed) = forget_unseen(m, &mut problem)? else { return Ok(None) };
        changed |= join_nested(m, &mut problem)?;
        changed |= reveal(m, &mut problem)?;
        sort(&mut problem.functions);
        if !changed {
            break;
        }
    }
    sort(&mut problem.conditions);
    Ok(Some(problem))
}

fn sort(list: &mut Vec<Node>) {
    list.sort_unstable();
    list.dedup();
}

/// Fixes axes that have one value left. Whether the conditions may still hold.
fn settle_units(m: &mut Mdd, problem: &mut Problem) -> Result<bool, Stop> {
    loop {
        if problem.conditions.contains(&Node::FALSE) {
            return Ok(false);
        }
        problem.conditions.retain(|c| *c != Node::TRUE);
        sort(&mut problem.conditions);
        let mut axes = AxisSet::default();
        problem.conditions.iter().for_each(|c| axes.add(m.support(*c)));
        let mut fixed = false;
        for axis in axes.iter() {
            let values = allowed(m, &problem.conditions, axis)?;
            match values[..] {
                [] => return Ok(false),
                [value] => {
                    *problem = problem.restrict(m, axis, value)?;
                    fixed = true;
                }
                _ => {}
            }
        }
        if !fixed {
            return Ok(true);
        }
    }
}

/// Drops what functions say where the conditions do not hold, and which class is which.
fn simplify(m: &mut Mdd, problem: &mut Problem) -> Result<(), Stop> {
    for f in &mut problem.functions {
        for condition in &problem.conditions {
            *f = m.care(*f, *condition)?;
        }
        *f = m.canonical(*f)?;
    }
    problem.functions.retain(|f| !f.is_leaf());
    sort(&mut problem.functions);
    Ok(())
}

/// Takes axes that only conditions mention out of them. Whether there were any; `None` when the conditions hold nowhere.
fn forget_unseen(m: &mut Mdd, problem: &mut Problem) -> Result<Option<bool>, Stop> {
    let mut seen = AxisSet::default();
    problem.functions.iter().for_each(|f| seen.add(m.support(*f)));
    let mut all = AxisSet::default();
    problem.conditions.iter().for_each(|c| all.add(m.support(*c)));
    let mut left: Vec<Axis> = all.without(&seen).iter().collect();
    let changed = !left.is_empty();
    while !left.is_empty() {
        // The one that ties the fewest axes together.
        let tied = |axis: Axis| {
            let mut tied = AxisSet::default();
            let supports = problem.conditions.iter().map(|c| m.support(*c));
            supports.filter(|s| s.has(axis)).for_each(|s| tied.add(s));
            tied.len()
        };
        let best = (0..left.len()).min_by_key(|n| tied(left[*n])).unwrap_or(0);
        let axis = left.swap_remove(best);
        let mut joint = Node::TRUE;
        let mut rest = Vec::new();
        for condition in std::mem::take(&mut problem.conditions) {
            if m.support(condition).has(axis) {
                joint = m.and(joint, condition)?;
            } else {
                rest.push(condition);
            }
        }
        match m.exists(joint, axis)? {
            Node::FALSE => return Ok(None),
            Node::TRUE => {}
            weaker => rest.push(weaker),
        }
        problem.conditions = rest;
    }
    Ok(Some(changed))
}

/// Joins a function to one that hangs on all of its axes. Functions of one axis stay by themselves unless the other has
/// the same axis: what they give away must be seen.
fn join_nested(m: &mut Mdd, problem: &mut Problem) -> Result<bool, Stop> {
    let mut functions = std::mem::take(&mut problem.functions);
    functions.sort_by_key(|f| std::cmp::Reverse(m.support(*f).len()));
    let mut changed = false;
    'each: for f in functions {
        for n in 0..problem.functions.len() {
            let wide = problem.functions[n];
            let (own, other) = (m.support(f), m.support(wide));
            if !own.within(other) || (own != other && own.len() == 1) {
                continue;
            }
            let pair = m.pair(f, wide)?;
            let joined = m.canonical(pair)?;
            if m.class_count(joined) <= JOINED_CLASSES {
                problem.functions[n] = joined;
                changed = true;
                continue 'each;
            }
        }
        problem.functions.push(f);
    }
    Ok(changed)
}

/// Finds axes whose values the outcomes give away, and drops every function of such axes alone: it adds nothing.
fn reveal(m: &mut Mdd, problem: &mut Problem) -> Result<bool, Stop> {
    let literal = literal_axes(m, problem)?;
    let mut known = literal.clone();
    for f in &problem.functions {
        let support = m.support(*f);
        if support.within(&known) || support.len() > INJECTIVE_AXES {
            continue;
        }
        let all = support.iter().try_fold(1u32, |n, axis| n.checked_mul(m.size(axis)));
        if all == Some(m.class_count(*f)) {
            known.add(support);
        }
    }
    close(m, problem, &mut known)?;
    let found = known.without(&literal);
    for axis in found.iter() {
        let function = value_of(m, axis)?;
        problem.functions.push(function);
    }
    let before = problem.functions.len();
    let mut kept = Vec::with_capacity(before);
    for f in std::mem::take(&mut problem.functions) {
        if !m.support(f).within(&known) {
            kept.push(f);
        } else if let Some(axis) = m.support(f).single() {
            kept.push(value_of(m, axis)?);
        }
    }
    sort(&mut kept);
    problem.functions = kept;
    Ok(!found.is_empty() || problem.functions.len() != before)
}

/// Adds axes that are told apart by functions over known axes and themselves.
fn close(m: &mut Mdd, problem: &Problem, known: &mut AxisSet) -> Result<(), Stop> {
    loop {
        let mut candidates = AxisSet::default();
        for f in &problem.functions {
            if let Some(axis) = m.support(*f).without(known).single() {
                candidates.insert(axis);
            }
        }
        let mut added = AxisSet::default();
        for axis in candidates.iter() {
            if is_told_apart(m, problem, known, axis)? {
                added.insert(axis);
            }
        }
        if added.is_empty() {
            return Ok(());
        }
        known.add(&added);
    }
}

/// Whether no two values of an axis have the same outcomes, whatever the known axes are.
fn is_told_apart(m: &mut Mdd, problem: &Problem, known: &AxisSet, axis: Axis) -> Result<bool, Stop> {
    let own = known.with(&AxisSet::of(axis));
    let relevant = |m: &Mdd, list: &[Node]| -> Vec<Node> {
        list.iter().copied().filter(|f| m.support(*f).has(axis) && m.support(*f).within(&own)).collect()
    };
    let (functions, conditions) = (relevant(m, &problem.functions), relevant(m, &problem.conditions));
    let values = allowed(m, &problem.conditions, axis)?;
    for (n, a) in values.iter().enumerate() {
        for b in &values[n + 1..] {
            let mut same = Node::TRUE;
            for c in &conditions {
                let (p, q) = (m.restrict(*c, axis, *a)?, m.restrict(*c, axis, *b)?);
                let both = m.and(p, q)?;
                same = m.and(same, both)?;
            }
            for f in &functions {
                if same == Node::FALSE {
                    break;
                }
                let (p, q) = (m.restrict(*f, axis, *a)?, m.restrict(*f, axis, *b)?);
                let equal = m.equal(p, q)?;
                same = m.and(same, equal)?;
            }
            if same != Node::FALSE {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The function that is the value of an axis.
fn value_of(m: &mut Mdd, axis: Axis) -> Result<Node, Stop> {
    let function = m.literal(axis, |value| value)?;
    m.canonical(function)
}
