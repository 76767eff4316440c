//! From a text that is rendered to a function of the axes, by as many renders as there are ways through it.
//!
//! A render sees one value for each axis, and remembers at which it looked. The next render differs in the last of them.
//! So a chain of thirteen branches over twelve axes is rendered thirteen times, whatever the number of assignments. Ways
//! that the conditions rule out are not gone.

use super::kernel::{Axis, Mdd, Node, Stop};
use super::space::Space;
use crate::resolve::Values;

/// What came of an exploration.
#[derive(Clone, Debug)]
pub(super) enum Explored {
    /// The classes that were given, as a function of the axes.
    Whole(Node),
    /// There are more ways than renders were allowed.
    TooMany,
}

/// A choice on the way to a text.
struct Step {
    axis: Axis,
    /// Functions of the values gone through, in order; the last is being gone through.
    done: Vec<(u32, Node)>,
    value: u32,
    left: Vec<u32>,
    /// What could hold ahead of the choice.
    before: Node,
}

/// Explores `render`, which gives a class for what it makes of some values. Only where `care` holds, and it must hold
/// somewhere; elsewhere the function is anything. `renders` are those that are left.
pub(super) fn explore(
    m: &mut Mdd,
    space: &Space,
    care: Node,
    renders: &mut u64,
    render: &mut dyn FnMut(&Values) -> u32,
) -> Result<Explored, Stop> {
    let mut path: Vec<Step> = Vec::new();
    let mut possible = care;
    loop {
        if *renders == 0 {
            return Ok(Explored::TooMany);
        }
        *renders -= 1;
        let assignment = assignment(m, space, &path, possible);
        let values = space.values(&assignment);
        let class = render(&values);
        let seen = values.seen();
        for place in &seen[path.len().min(seen.len())..] {
            let axis = *place as Axis;
            let value = assignment[*place];
            let mut left = Vec::new();
            for other in 0..m.size(axis) {
                if other != value && m.restrict(possible, axis, other)? != Node::FALSE {
                    left.push(other);
                }
            }
            left.reverse();
            path.push(Step { axis, done: Vec::new(), value, left, before: possible });
            possible = m.restrict(possible, axis, value)?;
        }
        let mut function = Node::class(class);
        loop {
            let Some(step) = path.last_mut() else { return Ok(Explored::Whole(function)) };
            step.done.push((step.value, function));
            if let Some(next) = step.left.pop() {
                step.value = next;
                possible = m.restrict(step.before, step.axis, next)?;
                break;
            }
            let Some(step) = path.pop() else { return Ok(Explored::Whole(function)) };
            let any = step.done[0].1;
            let of = |value: u32| step.done.iter().find(|(v, _)| *v == value).map_or(any, |(_, f)| *f);
            let children: Vec<Node> = (0..m.size(step.axis)).map(of).collect();
            function = m.choose(step.axis, &children)?;
        }
    }
}

/// The values on the way, and for all other axes some that can hold with them.
fn assignment(m: &Mdd, space: &Space, path: &[Step], possible: Node) -> Vec<u32> {
    let mut values = vec![0; space.sizes().len()];
    for (axis, value) in m.model(possible).unwrap_or_default() {
        values[usize::from(axis)] = value;
    }
    for step in path {
        values[usize::from(step.axis)] = step.value;
    }
    values
}
