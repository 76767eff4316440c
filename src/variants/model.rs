//! A route's shared sections as functions of the run-time axes.
//!
//! Owns what each section can become, and how sections join to the two texts that are counted: the prefix block and the
//! leading static run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::cost::Cost;
use super::explore::{Explored, explore};
use super::kernel::{AxisSet, Mdd, Node, Stop};
use super::parts;
use super::pieces::Piece;
use super::space::{Space, Trouble};
use crate::diag::Diagnostic;
use crate::manifest::{Channel, Role, Zone};
use crate::render::Probe;
use crate::resolve::{How, Inputs, Resolved, Route, Section};
use crate::workspace::Workspace;

/// Renders that every section may have, whatever others took.
const FEW_RENDERS: u64 = 64;

/// What the shared sections of a route can become.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) cost: Cost,
    pub(super) m: Mdd,
    pub(super) space: Space,
    /// What always holds: constraints, and that every section can be rendered.
    pub(super) conditions: Vec<Node>,
    /// Sections of the prefix block, then those of the static zone as declared.
    pub(super) parts: Vec<Part>,
    /// Renders that it took.
    pub(super) renders: u64,
    /// Values for which a section cannot be rendered: then there is no prefix either.
    pub(super) failures: Vec<Failure>,
}

/// One section.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its place among the sections of the route.
    pub(super) index: usize,
    /// Whether it is of the prefix block.
    pub(super) is_prefix: bool,
    /// Whether it stands before the boundary; else it was demoted.
    pub(super) is_shared: bool,
    pub(super) separator: Arc<str>,
    /// Where it lives: its condition holds and it has a text, or is kept without one.
    pub(super) live: Node,
    pub(super) text: Text,
}

/// What a section can say.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// These pieces, one behind the other; nothing where the section does not live.
    Pieces(Vec<Piece>),
    /// Values of these inputs, of which there is no end.
    Open(Vec<String>),
    /// More than was gone through.
    Unknown {
        /// Axes that it may hang on.
        axes: AxisSet,
        /// What it says, and whether it lives, under the values of [`Model::sample`].
        sample: Option<Arc<str>>,
    },
    /// It could not be read; told elsewhere.
    Broken,
}

/// A section that cannot be rendered.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its place among the sections of the route.
    pub section: usize,
    /// For which values, an example.
    pub values: Vec<(String, crate::input::Datum)>,
    /// Why.
    pub why: Vec<Diagnostic>,
}

/// Whether a section counts: it is of the prefix block, or claims the static zone.
pub(super) fn is_of_zone(section: &Section) -> bool {
    section.channel == Channel::System
        && match section.role {
            Role::Prefix => true,
            Role::Content => section.declared == Zone::Static,
            Role::Attribution => false,
        }
}

/// Inputs of open types that a section prints, or takes its text from: nothing bounds what it says.
pub(super) fn open_inputs(section: &Section, inputs: &Inputs) -> BTreeSet<String> {
    let places = section.reads.places.iter().filter(|p| matches!(p.how, How::Body(_) | How::Choice));
    let open = |name: &&str| inputs.domain(name).is_none();
    places
        .map(|p| &*p.input)
        .filter(open)
        .filter(|name| inputs.open_sources([*name]).contains(name))
        .map(str::to_owned)
        .collect()
}

impl Model {
    /// Conditions of a route alone, without any section.
    pub(super) fn of_conditions(workspace: &Workspace, route: &Route, resolved: &Resolved) -> Result<Model, Trouble> {
        let mut space = Space::new(route, &resolved.inputs, &resolved.build);
        let cost = Cost::new(&workspace.limits);
        let mut m = Mdd::new(space.sizes(), cost.all);
        let mut conditions = Vec::new();
        for constraint in &resolved.inputs.constraints {
            conditions.push(space.condition(&mut m, constraint)?);
        }
        Ok(Model { cost, m, space, conditions, parts: Vec::new(), renders: 0, failures: Vec::new() })
    }

    /// Everything that the prefix block and the static zone can become.
    pub(super) fn new(
        workspace: &Workspace,
        route: &Route,
        resolved: &Resolved,
        probe: &Probe<'_>,
    ) -> Result<Model, Trouble> {
        let mut model = Model::of_conditions(workspace, route, resolved)?;
        let sections = || route.sections.iter().enumerate().filter(|(_, s)| is_of_zone(s));
        let prefix = sections().filter(|(_, s)| s.role == Role::Prefix);
        for (index, section) in prefix.chain(sections().filter(|(_, s)| s.role != Role::Prefix)) {
            let part = model.part(route, resolved, index, section, probe)?;
            model.parts.push(part);
        }
        Ok(model)
    }

    fn part(
        &mut self,
        route: &Route,
        resolved: &Resolved,
        index: usize,
        section: &Section,
        probe: &Probe<'_>,
    ) -> Result<Part, Trouble> {
        let mut part = Part {
            index,
            is_prefix: section.role == Role::Prefix,
            is_shared: section.is_shared(),
            separator: route.separator(section).text.as_str().into(),
            live: Node::FALSE,
            text: Text::Broken,
        };
        let open = open_inputs(section, &resolved.inputs);
        let when = match section.when.as_ref().map(|when| self.space.condition(&mut self.m, when)) {
            None => Node::TRUE,
            Some(Ok(node)) => node,
            Some(Err(Trouble::Broken)) => return Ok(part),
            Some(Err(Trouble::Stop)) => return Err(Trouble::Stop),
        };
        if section.is_broken() {
            return Ok(part);
        }
        if !open.is_empty() {
            part.live = when;
            part.text = Text::Open(open.into_iter().collect());
            return Ok(part);
        }
        let mut care = when;
        for condition in &self.conditions {
            care = self.m.and(care, *condition)?;
        }
        if care == Node::FALSE {
            part.text = Text::Pieces(vec![Piece::fixed("", self.parts.len())]);
            return Ok(part);
        }
        if parts::is_worth_cutting(section, resolved) && self.in_parts(section, when, care, probe, &mut part)? {
            return Ok(part);
        }
        self.explore(section, when, care, probe, &mut part)?;
        Ok(part)
    }

    /// Renders the section in every way that there is.
    fn explore(
        &mut self,
        section: &Section,
        when: Node,
        care: Node,
        probe: &Probe<'_>,
        part: &mut Part,
    ) -> Result<(), Trouble> {
        let mut outcomes = Outcomes::default();
        let mut left = self.renders_left();
        let before = left;
        let found = explore(&mut self.m, &self.space, care, &mut left, &mut |values| {
            outcomes.class(probe.text(section, values))
        })?;
        self.renders += before - left;
        let Explored::Whole(body) = found else {
            let mut axes = AxisSet::default();
            for source in self.space.sources(section.reads.text.iter().map(AsRef::as_ref)) {
                axes.insert(source);
            }
            axes.add(self.m.support(when));
            let sample = self.sample()?;
            let values = self.space.values(&sample);
            let lives = values.holds(section.when.as_ref()) == Some(true);
            let text = if lives { probe.text(section, &values).ok().flatten() } else { None };
            part.text = Text::Unknown { axes, sample: text.map(Into::into) };
            return Ok(());
        };
        self.exclude_failures(&outcomes, body, when, care, part.index)?;
        let has_text = self.m.map(body, &mut |class| u32::from(outcomes.text(class).is_some()))?;
        part.live = self.m.and(when, has_text)?;
        let piece = Piece::of_pair(&mut self.m, when, body, self.parts.len(), &mut |holds, class| match outcomes
            .text(class)
        {
            Some(text) if holds == 1 => text.clone(),
            _ => "".into(),
        })?;
        part.text = Text::Pieces(vec![piece]);
        Ok(())
    }

    /// Renders that the next section may have.
    pub(super) fn renders_left(&self) -> u64 {
        let left = self.cost.route_renders.saturating_sub(self.renders);
        let most = self.cost.section_renders;
        left.clamp(FEW_RENDERS.min(most), most)
    }

    /// Values for which a section cannot be rendered make no prefix.
    pub(super) fn exclude_failures(
        &mut self,
        outcomes: &Outcomes,
        body: Node,
        when: Node,
        care: Node,
        section: usize,
    ) -> Result<(), Stop> {
        for (class, why) in &outcomes.failures {
            let fails = self.m.is_class(body, *class)?;
            let here = self.m.and(care, fails)?;
            let Some(values) = self.m.model(here) else { continue };
            let named = |(axis, value)| (self.space.name(axis).to_owned(), self.space.value(axis, value).clone());
            let values = values.into_iter().map(named).collect();
            self.failures.push(Failure { section, values, why: why.clone() });
            let fails = self.m.and(when, fails)?;
            let renders = self.m.not(fails)?;
            self.conditions.push(renders);
        }
        Ok(())
    }

    /// Values of all axes for which every condition holds; zeros where that is not known.
    pub(super) fn sample(&mut self) -> Result<Vec<u32>, Stop> {
        let mut all = Node::TRUE;
        for condition in &self.conditions {
            all = self.m.and(all, *condition)?;
        }
        let mut values = vec![0; self.m.axis_count()];
        for (axis, value) in self.m.model(all).unwrap_or_default() {
            values[usize::from(axis)] = value;
        }
        Ok(values)
    }

    /// The pieces of the prefix block and of the static text, made of the parts that are kept, in order.
    ///
    /// A separator stands ahead of a section that lives when another one of its block lives before it. Where all of them
    /// are the same and no section lives without a text, it does not matter for a count whether one stands ahead of the
    /// first too; with `exact_bytes` it never does.
    pub(super) fn blocks(&self, m: &mut Mdd, keep: &[usize], exact_bytes: bool) -> Result<[Vec<Piece>; 2], Stop> {
        let mut blocks = [Vec::new(), Vec::new()];
        for (n, block) in blocks.iter_mut().enumerate() {
            let places = keep.iter().filter(|p| self.parts[**p].is_prefix == (n == 0));
            let parts: Vec<(usize, &Part)> = places.map(|p| (*p, &self.parts[*p])).collect();
            let mut alive = if !exact_bytes && leads_alike(m, &parts)? { Node::TRUE } else { Node::FALSE };
            for (place, part) in parts {
                let Text::Pieces(pieces) = &part.text else { continue };
                let separated = if part.separator.is_empty() { Node::FALSE } else { m.and(part.live, alive)? };
                alive = m.or(alive, part.live)?;
                let (first, rest) = pieces.split_first().expect("a text has a piece");
                match separated == Node::FALSE {
                    true => block.push(first.clone()),
                    false if rest.is_empty() || m.support(separated).within(m.support(first.function)) => {
                        block.push(Piece::of_pair(m, separated, first.function, place, &mut |with, class| {
                            let text = &first.texts[class as usize];
                            if with == 1 { [&*part.separator, &**text].concat().into() } else { text.clone() }
                        })?);
                    }
                    false => {
                        let texts = vec!["".into(), part.separator.clone()];
                        block.push(Piece { function: separated, texts, part: place });
                        block.push(first.clone());
                    }
                }
                block.extend_from_slice(rest);
            }
        }
        Ok(blocks)
    }
}

/// Whether up to the first section that always lives all separators are the same, and whatever lives has a text.
fn leads_alike(m: &mut Mdd, parts: &[(usize, &Part)]) -> Result<bool, Stop> {
    let mut alive = Node::FALSE;
    for (_, part) in parts {
        if part.separator != parts[0].1.separator {
            return Ok(false);
        }
        let Text::Pieces(pieces) = &part.text else { return Ok(false) };
        let mut says = Node::FALSE;
        for piece in pieces {
            let empty = m.map(piece.function, &mut |class| u32::from(!piece.texts[class as usize].is_empty()))?;
            says = m.or(says, empty)?;
        }
        let not = m.not(says)?;
        if m.and(part.live, not)? != Node::FALSE {
            return Ok(false);
        }
        alive = m.or(alive, part.live)?;
        if alive == Node::TRUE {
            return Ok(true);
        }
    }
    Ok(true)
}

/// What a section was rendered to, by class.
#[derive(Default)]
pub(super) struct Outcomes {
    texts: Vec<Option<Arc<str>>>,
    known: BTreeMap<Option<String>, u32>,
    failures: Vec<(u32, Vec<Diagnostic>)>,
}

impl Outcomes {
    pub(super) fn class(&mut self, outcome: Result<Option<String>, Vec<Diagnostic>>) -> u32 {
        let next = self.texts.len() as u32;
        match outcome {
            Ok(text) => {
                if let Some(class) = self.known.get(&text) {
                    return *class;
                }
                self.texts.push(text.as_deref().map(Into::into));
                self.known.insert(text, next);
                next
            }
            Err(why) => {
                if let Some((class, _)) = self.failures.iter().find(|(_, known)| *known == why) {
                    return *class;
                }
                self.texts.push(None);
                self.failures.push((next, why));
                next
            }
        }
    }

    pub(super) fn text(&self, class: u32) -> Option<&Arc<str>> {
        self.texts.get(class as usize)?.as_ref()
    }
}
