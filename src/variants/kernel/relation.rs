//! The count by one relation: outcomes as axes of their own, hidden axes taken out one by one.
//!
//! Fast where functions overlap like the tiles of a roof; useless where everything hangs together. So it is tried only
//! when few axes are tied together at any time, which can be told ahead.

use num_bigint::BigUint;

use super::Problem;
use super::axes::{Axis, AxisSet};
use super::mdd::{Limits, Mdd, Node, Stop};
use super::memo::Memo;

/// Most axes tied together while one is taken out.
const WIDTH: usize = 6;

/// What one relation may cost.
const LIMITS: Limits = Limits { work: 400_000, cells: 80_000 };

/// The count; `None` when another way is better. `known` are axes whose values the outcomes give away.
pub(super) fn relation(m: &mut Mdd, part: &Problem, axes: &AxisSet, known: &AxisSet) -> Result<Option<BigUint>, Stop> {
    let hidden = axes.without(known);
    if width(m, part, &hidden) > WIDTH {
        return Ok(None);
    }
    let functions: Vec<Node> = part.functions.iter().copied().filter(|f| m.support(*f).meets(&hidden)).collect();
    let mut order: Vec<(u32, Variable)> = axes.iter().map(|a| (u32::from(a) * 2, Variable::Axis(a))).collect();
    for (n, f) in functions.iter().enumerate() {
        // An outcome comes behind all axes of its function.
        let last = m.support(*f).last().unwrap_or(0);
        order.push((u32::from(last) * 2 + 1, Variable::Outcome(n)));
    }
    order.sort_unstable();
    let mut place = Places { axes: vec![0; m.axis_count()], outcomes: vec![0; functions.len()] };
    let mut sizes = Vec::with_capacity(order.len());
    let mut counted = AxisSet::default();
    for (at, (_, variable)) in order.iter().enumerate() {
        let at = Axis::try_from(at).map_err(|_| Stop)?;
        match *variable {
            Variable::Axis(axis) => {
                place.axes[usize::from(axis)] = at;
                sizes.push(m.size(axis));
                if known.has(axis) {
                    counted.insert(at);
                }
            }
            Variable::Outcome(n) => {
                place.outcomes[n] = at;
                sizes.push(m.class_count(functions[n]));
                counted.insert(at);
            }
        }
    }
    let mut local = Mdd::new(sizes, LIMITS);
    let count = solve(m, &mut local, part, &functions, &place, &counted);
    // The work of this relation counts, also when it came to nothing.
    m.spend(local.work())?;
    Ok(count.ok())
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Axis(Axis),
    Outcome(usize),
}

/// Numbers in the diagram of the relation.
struct Places {
    axes: Vec<Axis>,
    outcomes: Vec<Axis>,
}

/// How many axes hang together at most when the hidden ones are taken out, the least tied one first.
fn width(m: &Mdd, part: &Problem, hidden: &AxisSet) -> usize {
    let supports = part.functions.iter().chain(&part.conditions).map(|f| m.support(*f));
    let mut ties: Vec<AxisSet> = supports.filter(|s| s.meets(hidden)).cloned().collect();
    let mut left: Vec<Axis> = hidden.iter().collect();
    let mut widest = 0;
    while !left.is_empty() {
        let tied = |axis: Axis| {
            let mut all = AxisSet::default();
            ties.iter().filter(|t| t.has(axis)).for_each(|t| all.add(t));
            all
        };
        let best = (0..left.len()).min_by_key(|n| tied(left[*n]).len()).unwrap_or(0);
        let axis = left.swap_remove(best);
        let mut rest = tied(axis);
        widest = widest.max(rest.len());
        if widest > WIDTH {
            break;
        }
        rest.remove(axis);
        ties.retain(|t| !t.has(axis));
        ties.push(rest);
    }
    widest
}

fn solve(
    m: &Mdd,
    local: &mut Mdd,
    part: &Problem,
    functions: &[Node],
    place: &Places,
    counted: &AxisSet,
) -> Result<BigUint, Stop> {
    let mut relations = Vec::new();
    for condition in &part.conditions {
        relations.push(copy(m, local, *condition, place, None, &mut Memo::default())?);
    }
    for (n, f) in functions.iter().enumerate() {
        relations.push(copy(m, local, *f, place, Some(place.outcomes[n]), &mut Memo::default())?);
    }
    let mut left: Vec<Axis> = (0..local.axis_count() as Axis).filter(|axis| !counted.has(*axis)).collect();
    while !left.is_empty() {
        let tied = |axis: Axis| {
            let mut all = AxisSet::default();
            relations.iter().map(|r| local.support(*r)).filter(|s| s.has(axis)).for_each(|s| all.add(s));
            all.len()
        };
        let best = (0..left.len()).min_by_key(|n| tied(left[*n])).unwrap_or(0);
        let axis = left.swap_remove(best);
        let mut joint = Node::TRUE;
        let mut rest = Vec::new();
        for relation in relations {
            if local.support(relation).has(axis) {
                joint = local.and(joint, relation)?;
            } else {
                rest.push(relation);
            }
        }
        rest.push(local.exists(joint, axis)?);
        relations = rest;
    }
    let mut all = Node::TRUE;
    for relation in relations {
        all = local.and(all, relation)?;
    }
    Ok(local.models(all, counted))
}

/// A condition as it is; a function as the condition that its outcome is its class.
fn copy(
    m: &Mdd,
    local: &mut Mdd,
    f: Node,
    place: &Places,
    outcome: Option<Axis>,
    memo: &mut Memo<Node, Node>,
) -> Result<Node, Stop> {
    if let Some(done) = memo.get(&f) {
        return Ok(*done);
    }
    let made = match (f.leaf(), m.axis(f)) {
        (Some(class), _) => match outcome {
            None => f,
            Some(outcome) => local.literal(outcome, |value| u32::from(value == class))?,
        },
        (None, Some(axis)) => {
            let mut children = Vec::with_capacity(m.size(axis) as usize);
            for child in m.children(f) {
                children.push(copy(m, local, *child, place, outcome, memo)?);
            }
            local.make(place.axes[usize::from(axis)], &children)?
        }
        (None, None) => f,
    };
    memo.insert(f, made);
    Ok(made)
}
