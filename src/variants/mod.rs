//! How many static prefixes there can be.
//!
//! Owns the count for a route: how many different pairs of texts, the prefix block and the leading static run, come out
//! over all values of the run-time inputs that can occur. Sections are rendered in every way that there is, texts are
//! compared byte by byte, and assignments are never gone through one by one. What takes too much is bounded, and said
//! to be. Limits are counted in steps, so the answer is the same on every machine. Does not know output formats. Main
//! types: [`VariantSet`], [`RouteVariants`], [`Count`].

mod cost;
mod counts;
mod details;
mod ends;
mod explore;
mod facts;
mod fleet;
mod kernel;
mod model;
mod moves;
mod parts;
mod pieces;
mod shares;
mod space;
mod walk;

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::BigUint;

use counts::Counting;
use model::{Model, Text};
use space::Trouble;

pub use details::{Details, Row, Witness, details};
pub use facts::{Because, Decided, Determined, Facts, OneHot, Redundant, Unreachable, WithoutEffect, facts};
pub use fleet::{Fleet, FleetSum};
pub use model::Failure;
pub use moves::Moves;

use crate::limits::Limit;
use crate::manifest::Layer;
use crate::render::Renderer;
use crate::resolve::{Resolved, Route};
use crate::workspace::Workspace;

/// A number of variants, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Exact(BigUint),
    /// The exact count takes too much: so many at least, and at most.
    Between {
        /// At least so many.
        at_least: BigUint,
        /// At most so many.
        at_most: BigUint,
    },
    /// As many as these inputs have values, and they have no end of them.
    Unbounded(Vec<String>),
    /// An error, told elsewhere, leaves nothing to count.
    Broken,
}

/// The static prefixes of every route that can win.
#[derive(Clone, Debug)]
pub struct VariantSet {
    /// One for each route that can win, strongest first.
    pub routes: Vec<RouteVariants>,
}

/// The static prefixes of one route.
#[derive(Clone, Debug)]
pub struct RouteVariants {
    /// The link's layer.
    pub layer: Layer,
    /// Its manifest, if it is one.
    pub prompt: Option<String>,
    /// Different pairs of prefix block and leading static run.
    pub count: Count,
    /// The same without sections that print values of open types: what conditions alone make.
    pub conditional: Count,
    /// The limit that keeps the count from being exact, where it is not.
    pub limit: Option<Limit>,
    /// The sections of both, as declared.
    pub sections: Vec<SectionVariants>,
    /// What was gone through; nothing when no section reads a run-time input.
    model: Option<Model>,
}

/// What one section adds.
#[derive(Clone, Debug)]
pub struct SectionVariants {
    /// Its place among the sections of the route.
    pub index: usize,
    /// Run-time inputs that it reads, as written.
    pub inputs: Vec<String>,
    /// Different texts that it has by itself, none at all being one of them.
    pub outcomes: Count,
}

impl Count {
    /// The count of one.
    pub fn one() -> Count {
        Count::Exact(BigUint::from(1u32))
    }

    /// The exact number.
    pub fn exact(&self) -> Option<&BigUint> {
        match self {
            Count::Exact(count) => Some(count),
            _ => None,
        }
    }

    /// Whether there are certainly no more than so many.
    pub fn is_within(&self, limit: u64) -> bool {
        match self {
            Count::Exact(count) => *count <= limit.into(),
            Count::Between { at_most, .. } => *at_most <= limit.into(),
            Count::Unbounded(_) | Count::Broken => false,
        }
    }

    /// Whether there are certainly more than so many.
    pub fn is_beyond(&self, limit: u64) -> bool {
        match self {
            Count::Exact(count) => *count > limit.into(),
            Count::Between { at_least, .. } => *at_least > limit.into(),
            Count::Unbounded(_) => true,
            Count::Broken => false,
        }
    }
}

/// In words ahead of a noun: "54", "from 3 to 12", "any number of".
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Exact(count) => count.fmt(f),
            Count::Between { at_least, at_most } => write!(f, "from {at_least} to {at_most}"),
            Count::Unbounded(_) | Count::Broken => f.write_str("any number of"),
        }
    }
}

impl RouteVariants {
    /// What a section of the route adds, if it is shared.
    pub fn section(&self, index: usize) -> Option<&SectionVariants> {
        // In order, as they were counted.
        self.sections.binary_search_by_key(&index, |s| s.index).ok().map(|at| &self.sections[at])
    }

    /// Sections that cannot be rendered for some values.
    pub fn failures(&self) -> &[Failure] {
        self.model.as_ref().map_or(&[], |model| &model.failures)
    }

    /// Renders that the count took.
    pub fn renders(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.renders)
    }
}

/// Counts the static prefixes of every route that can win. Nothing is rendered for a route whose shared sections read
/// no run-time input.
pub fn count(workspace: &Workspace, resolved: &Resolved, renderer: &Renderer) -> VariantSet {
    let routes = resolved.routes.iter().filter(|r| r.can_win);
    VariantSet { routes: routes.map(|route| count_route(workspace, resolved, route, renderer)).collect() }
}

fn count_route(workspace: &Workspace, resolved: &Resolved, route: &Route, renderer: &Renderer) -> RouteVariants {
    let shared: Vec<usize> = (0..route.sections.len()).filter(|n| route.sections[*n].is_shared()).collect();
    let inputs = |index: usize| -> Vec<String> {
        let reads = route.sections[index].reads.all.iter().map(AsRef::as_ref);
        resolved.inputs.open_sources(reads).into_iter().map(str::to_owned).collect()
    };
    let reads_run_time = shared.iter().any(|index| !inputs(*index).is_empty());
    let model = match reads_run_time {
        true => Model::new(workspace, route, resolved, &renderer.probe(workspace, &route.layout)),
        false => Model::of_conditions(workspace, route, resolved),
    };
    let mut counts = Counts { count: Count::Broken, conditional: Count::Broken, limit: None, outcomes: Vec::new() };
    match &model {
        Ok(model) => counts = Counts::of(model, &shared),
        Err(Trouble::Broken) => counts.outcomes = vec![Count::Broken; shared.len()],
        Err(Trouble::Stop) => {
            let any = Count::Between { at_least: BigUint::ZERO, at_most: everything(route, resolved) };
            let outcomes = vec![any.clone(); shared.len()];
            let limit = Some(workspace.limits.variant_steps);
            counts = Counts { count: any.clone(), conditional: any, limit, outcomes };
        }
    }
    let sections = shared.iter().zip(counts.outcomes);
    RouteVariants {
        layer: route.layer,
        prompt: route.prompt.clone(),
        count: counts.count,
        conditional: counts.conditional,
        limit: counts.limit,
        sections: sections
            .map(|(index, outcomes)| SectionVariants { index: *index, inputs: inputs(*index), outcomes })
            .collect(),
        model: model.ok().filter(|_| reads_run_time),
    }
}

struct Counts {
    count: Count,
    conditional: Count,
    limit: Option<Limit>,
    outcomes: Vec<Count>,
}

impl Counts {
    fn of(model: &Model, shared: &[usize]) -> Counts {
        let mut counting = Counting::new(model);
        let run: Vec<usize> = (0..model.parts.len()).filter(|n| model.parts[*n].is_shared).collect();
        let count = counting.count(&run);
        let conditional = match &count {
            Count::Unbounded(_) => {
                let closed: Vec<usize> =
                    run.into_iter().filter(|n| !matches!(model.parts[*n].text, Text::Open(_))).collect();
                counting.count(&closed)
            }
            count => count.clone(),
        };
        let limit = counting.lack.map(|lack| model.cost.limit(lack));
        let mut counting = Counting::new(model);
        let parts: BTreeMap<usize, usize> = model.parts.iter().enumerate().map(|(n, p)| (p.index, n)).collect();
        let mut outcome = |index: &usize| match parts.get(index) {
            Some(part) => counting.count(&[*part]),
            None => Count::one(),
        };
        Counts { count, conditional, limit, outcomes: shared.iter().map(&mut outcome).collect() }
    }
}

/// As many assignments as the axes of a route have.
fn everything(route: &Route, resolved: &Resolved) -> BigUint {
    let space = space::Space::new(route, &resolved.inputs, &resolved.build);
    space.sizes().into_iter().map(BigUint::from).product()
}

#[cfg(test)]
mod tests;
