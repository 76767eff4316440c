//! What follows from conditions and constraints, as data: others find the words.
//!
//! Everything is judged under all constraints at once, and with it stand the constraints that it needs: a smallest set of
//! them, none of which can be left out.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::counts::Counting;
use super::kernel::{Axis, AxisSet, Mdd, Node, Stop};
use super::model::{Model, Text};
use super::space::Trouble;
use super::{Count, RouteVariants};
use crate::input::{Datum, Value};
use crate::resolve::{Resolved, Route, Section, Source};
use crate::workspace::Workspace;

/// Fewest bools that exclude one another and ought to be one enum.
const ONE_HOT: usize = 3;

/// Places of constraints in [`crate::resolve::Inputs::constraints`].
pub type Because = Vec<usize>;

/// What follows of one route. Sections are named by their places in the route. All of it speaks of run-time inputs: what
/// build values decide differs from profile to profile.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// Constraints that cannot all hold, none of which can be left out for that. With some, nothing else is told.
    pub unsatisfiable: Because,
    /// Constraints that the ones ahead of and behind them imply: each could go.
    pub redundant_constraints: Vec<Redundant>,
    /// Values that the constraints rule out.
    pub unreachable: Vec<Unreachable>,
    /// Inputs that the value of another one fixes.
    pub determined: Vec<Determined>,
    /// Bools of which no two hold at once.
    pub one_hot: Vec<OneHot>,
    /// Sections whose condition never holds.
    pub dead: Vec<Decided>,
    /// Sections whose condition reads run-time inputs and always holds.
    pub always: Vec<Decided>,
    /// Shared sections that read run-time inputs which change no byte of them.
    pub without_effect: Vec<WithoutEffect>,
    /// Shared sections of several texts that make no more prefixes: what stands ahead tells already which one it is.
    pub repeated: Vec<usize>,
    /// Neighbours with the same text as written, of which always exactly one lives.
    pub complementary: Vec<(usize, usize)>,
    /// Neighbours that live under the same condition.
    pub mergeable: Vec<(usize, usize)>,
}

/// A constraint that others imply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redundant {
    /// Its place.
    pub constraint: usize,
    /// The others; none of a constraint that always holds.
    pub because: Because,
}

/// A value that cannot occur.
#[derive(Clone, PartialEq, Debug)]
pub struct Unreachable {
    /// The input.
    pub input: String,
    /// The value.
    pub value: Datum,
    /// What rules it out.
    pub because: Because,
}

/// An input that another one fixes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Determined {
    /// The input that has nothing to say of its own.
    pub input: String,
    /// The input that fixes it.
    pub by: String,
    /// What ties them.
    pub because: Because,
}

/// Bools of which no two hold at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneHot {
    /// The inputs.
    pub inputs: Vec<String>,
    /// Whether one of them always holds.
    pub always_one: bool,
    /// The constraints that speak of them.
    pub because: Because,
}

/// A section whose condition has one answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The section.
    pub section: usize,
    /// The constraints that decide it; none when the condition does it by itself.
    pub because: Because,
}

/// A section that reads what makes no difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithoutEffect {
    /// The section.
    pub section: usize,
    /// The inputs that change nothing in it.
    pub inputs: Vec<String>,
    /// Whether nothing changes it at all.
    pub is_fixed: bool,
}

/// What follows of a route; `None` when an error leaves nothing to look at, or when it takes too much.
pub fn facts(workspace: &Workspace, resolved: &Resolved, route: &RouteVariants) -> Option<Facts> {
    let sent = resolved.route(route.layer)?;
    let made;
    let model = match &route.model {
        Some(model) => model,
        None => {
            made = Model::of_conditions(workspace, sent, resolved).ok()?;
            &made
        }
    };
    let mut search = Search { m: model.m.clone(), model, constraints: Vec::new(), all: Node::TRUE };
    search.m.allow(model.cost.all);
    search.constraints = model.conditions[..resolved.inputs.constraints.len()].to_vec();
    search.run(resolved, sent, route).ok()
}

struct Search<'a> {
    m: Mdd,
    model: &'a Model,
    constraints: Vec<Node>,
    /// All of them.
    all: Node,
}

impl Search<'_> {
    fn run(&mut self, resolved: &Resolved, sent: &Route, route: &RouteVariants) -> Result<Facts, Stop> {
        let mut facts = Facts::default();
        for constraint in &self.constraints {
            self.all = self.m.and(self.all, *constraint)?;
        }
        if self.all == Node::FALSE {
            facts.unsatisfiable = self.because(Node::TRUE, None)?;
            return Ok(facts);
        }
        facts.redundant_constraints = self.redundant()?;
        let mut axes = AxisSet::default();
        self.constraints.iter().for_each(|c| axes.add(self.m.support(*c)));
        let axes: Vec<Axis> = axes.iter().collect();
        facts.unreachable = self.unreachable(&axes)?;
        facts.determined = self.determined(&axes)?;
        facts.one_hot = self.one_hot(&axes)?;
        self.sections(resolved, sent, &mut facts)?;
        self.shared(route, &mut facts)?;
        Ok(facts)
    }

    /// A smallest set of constraints that rules a condition out, itself ruled out by all together; `without` one of them.
    fn because(&mut self, condition: Node, without: Option<usize>) -> Result<Because, Stop> {
        let mut needed: Vec<usize> = (0..self.constraints.len()).filter(|n| Some(*n) != without).collect();
        let mut at = 0;
        while at < needed.len() {
            let mut rest = condition;
            for (_, n) in needed.iter().enumerate().filter(|(place, _)| *place != at) {
                rest = self.m.and(rest, self.constraints[*n])?;
            }
            if rest == Node::FALSE {
                needed.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(needed)
    }

    /// Constraints that the others imply, from the last on: of two that imply one another the later one.
    fn redundant(&mut self) -> Result<Vec<Redundant>, Stop> {
        let mut found = Vec::new();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        for constraint in (0..self.constraints.len()).rev() {
            let mut others = Node::TRUE;
            for n in (0..self.constraints.len()).filter(|n| *n != constraint && !gone.contains(n)) {
                others = self.m.and(others, self.constraints[n])?;
            }
            let not = self.m.not(self.constraints[constraint])?;
            if self.m.and(others, not)? == Node::FALSE {
                gone.insert(constraint);
                found.push(Redundant { constraint, because: self.because(not, Some(constraint))? });
            }
        }
        found.reverse();
        Ok(found)
    }

    fn unreachable(&mut self, axes: &[Axis]) -> Result<Vec<Unreachable>, Stop> {
        let mut found = Vec::new();
        for axis in axes {
            for value in 0..self.m.size(*axis) {
                if self.m.restrict(self.all, *axis, value)? == Node::FALSE {
                    let is = self.m.literal(*axis, |v| u32::from(v == value))?;
                    found.push(Unreachable {
                        input: self.model.space.name(*axis).to_owned(),
                        value: self.model.space.value(*axis, value).clone(),
                        because: self.because(is, None)?,
                    });
                }
            }
        }
        Ok(found)
    }

    /// Inputs with several values left, each value of another one leaving them one. Of two that fix one another the one
    /// that is read later.
    fn determined(&mut self, axes: &[Axis]) -> Result<Vec<Determined>, Stop> {
        let mut found: Vec<Determined> = Vec::new();
        let mut gone: BTreeSet<Axis> = BTreeSet::new();
        for input in axes.iter().rev() {
            if self.left(self.all, *input)? < 2 {
                continue;
            }
            for by in axes.iter().filter(|by| *by != input) {
                if gone.contains(by) || !self.fixes(*by, *input)? {
                    continue;
                }
                gone.insert(*input);
                let ties = |c: &Node| self.m.support(*c).has(*input);
                let because = (0..self.constraints.len()).filter(|n| ties(&self.constraints[*n])).collect();
                let name = |axis: &Axis| self.model.space.name(*axis).to_owned();
                found.push(Determined { input: name(input), by: name(by), because });
                break;
            }
        }
        found.reverse();
        Ok(found)
    }

    /// How many values of an axis a condition leaves.
    fn left(&mut self, condition: Node, axis: Axis) -> Result<u32, Stop> {
        let mut left = 0;
        for value in 0..self.m.size(axis) {
            left += u32::from(self.m.restrict(condition, axis, value)? != Node::FALSE);
        }
        Ok(left)
    }

    /// Whether each value of one axis that can occur leaves one value of another.
    fn fixes(&mut self, by: Axis, input: Axis) -> Result<bool, Stop> {
        let mut possible = 0;
        for value in 0..self.m.size(by) {
            let below = self.m.restrict(self.all, by, value)?;
            if below == Node::FALSE {
                continue;
            }
            possible += 1;
            if self.left(below, input)? != 1 {
                return Ok(false);
            }
        }
        Ok(possible > 1)
    }

    /// Bools that exclude one another, gathered in their order.
    fn one_hot(&mut self, axes: &[Axis]) -> Result<Vec<OneHot>, Stop> {
        let is_bool = |axis: &&Axis| {
            self.m.size(**axis) == 2 && *self.model.space.value(**axis, 1) == Datum::Known(Value::Bool(true))
        };
        let mut left: Vec<Axis> = axes.iter().filter(is_bool).copied().collect();
        let mut found = Vec::new();
        while let Some(first) = left.first().copied() {
            let mut group = vec![first];
            for other in &left[1..] {
                let mut excluded = true;
                for member in &group {
                    let here = self.m.restrict(self.all, *member, 1)?;
                    excluded &= here != Node::FALSE && self.m.restrict(here, *other, 1)? == Node::FALSE;
                }
                if excluded && self.m.restrict(self.all, *other, 1)? != Node::FALSE {
                    group.push(*other);
                }
            }
            left.retain(|axis| !group.contains(axis) || (group.len() < ONE_HOT && *axis != first));
            if group.len() < ONE_HOT {
                continue;
            }
            let mut none = self.all;
            for axis in &group {
                none = self.m.restrict(none, *axis, 0)?;
            }
            let members: AxisSet = group.iter().copied().collect();
            let speaks = |n: &usize| self.m.support(self.constraints[*n]).without(&members).is_empty();
            found.push(OneHot {
                inputs: group.iter().map(|axis| self.model.space.name(*axis).to_owned()).collect(),
                always_one: none == Node::FALSE,
                because: (0..self.constraints.len()).filter(speaks).collect(),
            });
        }
        Ok(found)
    }

    /// What the conditions of sections come to, shared or not.
    fn sections(&mut self, resolved: &Resolved, sent: &Route, facts: &mut Facts) -> Result<(), Stop> {
        let mut space = self.model.space.clone();
        let reads_run_time = |section: &Section| {
            section.when.as_ref().is_some_and(|w| !resolved.inputs.open_sources(w.names()).is_empty())
        };
        let mut conditions: Vec<Option<Node>> = Vec::new();
        for section in &sent.sections {
            let when = section.when.as_ref().filter(|_| reads_run_time(section));
            conditions.push(match when.map(|when| space.condition(&mut self.m, when)) {
                Some(Ok(node)) => Some(node),
                Some(Err(Trouble::Stop)) => return Err(Stop),
                None | Some(Err(Trouble::Broken)) => None,
            });
        }
        for (section, when) in conditions.iter().enumerate() {
            let Some(when) = *when else { continue };
            if self.m.and(self.all, when)? == Node::FALSE {
                facts.dead.push(Decided { section, because: self.because(when, None)? });
                continue;
            }
            let not = self.m.not(when)?;
            if self.m.and(self.all, not)? == Node::FALSE {
                facts.always.push(Decided { section, because: self.because(not, None)? });
            }
        }
        for second in 1..sent.sections.len() {
            let first = second - 1;
            let (Some(p), Some(q)) = (conditions[first], conditions[second]) else { continue };
            let (a, b) = (&sent.sections[first], &sent.sections[second]);
            let is_decided = |n: &usize| facts.dead.iter().chain(&facts.always).any(|d| d.section == *n);
            if a.channel != b.channel
                || a.role != b.role
                || a.zone != b.zone
                || is_decided(&first)
                || is_decided(&second)
            {
                continue;
            }
            let same = self.m.equal(p, q)?;
            if self.m.and(self.all, same)? == Node::FALSE && has_same_text(a, b) {
                facts.complementary.push((first, second));
            }
            let differ = self.m.not(same)?;
            if self.m.and(self.all, differ)? == Node::FALSE {
                facts.mergeable.push((first, second));
            }
        }
        Ok(())
    }

    /// What rendering says of shared sections.
    fn shared(&mut self, route: &RouteVariants, facts: &mut Facts) -> Result<(), Stop> {
        let run: Vec<usize> = (0..self.model.parts.len()).filter(|n| self.model.parts[*n].is_shared).collect();
        let mut counting = Counting::new(self.model);
        let same = counting.add_the_same(&run);
        let mut before = BigUint::from(1u32);
        for (at, part) in run.iter().enumerate() {
            let Text::Pieces(pieces) = &self.model.parts[*part].text else { break };
            let index = self.model.parts[*part].index;
            let Some(section) = route.section(index) else { continue };
            let mut axes = AxisSet::default();
            for piece in pieces {
                let cared =
                    if self.all == Node::FALSE { piece.function } else { self.m.care(piece.function, self.all)? };
                axes.add(self.m.support(cared));
            }
            let is_fixed = section.outcomes == Count::one();
            let has_effect = |name: &str| self.model.space.axis(name).is_none_or(|axis| axes.has(axis));
            let idle: Vec<String> =
                section.inputs.iter().filter(|name| is_fixed || !has_effect(name)).cloned().collect();
            if !idle.is_empty() {
                facts.without_effect.push(WithoutEffect { section: index, inputs: idle, is_fixed });
            }
            if same[at] {
                continue;
            }
            let Some(Count::Exact(after)) = counting.settled(&run[..=at]) else { break };
            if after == before && !is_fixed {
                facts.repeated.push(index);
            }
            before = after;
        }
        Ok(())
    }
}

/// Whether two sections have the same text as it is written.
fn has_same_text(a: &Section, b: &Section) -> bool {
    match (&a.source, &b.source) {
        (Source::Text(p), Source::Text(q)) => p.text == q.text && a.verbatim == b.verbatim,
        _ => false,
    }
}
