//! What counting may cost, in steps, nodes and renders: never in time, so that the answer is the same on every machine.

use super::kernel::Limits;
use crate::limits::{self, Limit};

/// How much may be done before bounds are told in place of a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// One count, or all counts of one table together.
    pub(super) one: Limits,
    /// What goes through a whole model: to build it, or to walk its texts.
    pub(super) all: Limits,
    /// Renders of one section.
    pub(super) section_renders: u64,
    /// Renders of one route. Even past it each section has a few.
    pub(super) route_renders: u64,
    limits: limits::Limits,
}

/// What a count ran out of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lack {
    Steps,
    Nodes,
    Renders,
}

impl Cost {
    pub(super) fn new(limits: &limits::Limits) -> Cost {
        let one = Limits { work: limits.variant_steps.value as u64, cells: limits.variant_nodes.value };
        let section_renders = limits.variant_renders.value as u64;
        Cost {
            one,
            all: Limits { work: 6 * one.work, cells: 4 * one.cells },
            section_renders,
            route_renders: 4 * section_renders,
            limits: *limits,
        }
    }

    /// The limit that has to be raised.
    pub(super) fn limit(&self, lack: Lack) -> Limit {
        match lack {
            Lack::Steps => self.limits.variant_steps,
            Lack::Nodes => self.limits.variant_nodes,
            Lack::Renders => self.limits.variant_renders,
        }
    }
}
