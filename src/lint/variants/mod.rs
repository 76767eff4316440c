//! What follows from conditions and constraints: what never happens, what always does, what makes no difference.
//!
//! Build values differ from profile to profile, so a finding must hold in every route that could speak against it.

pub(super) mod always_true;
pub(super) mod complementary_sections;
pub(super) mod condition_without_effect;
pub(super) mod dead_section;
pub(super) mod determined_input;
pub(super) mod mergeable_sections;
pub(super) mod one_hot_inputs;
pub(super) mod private_text_leak;
pub(super) mod redundant_condition;
pub(super) mod redundant_constraint;
pub(super) mod unreachable_value;
pub(super) mod unsatisfiable_constraints;

use std::collections::BTreeMap;

use super::{Project, Route};
use crate::diag::Diagnostic;
use crate::expr::Condition;
use crate::resolve::{Inputs, Section};
use crate::variants::Facts;

/// A fact of one route, with what it is about.
type Found<K> = Vec<(K, Diagnostic)>;

/// Findings that hold in every route that speaks of their subject. `subjects` names all that a route speaks of, `holds`
/// those of which the finding is true there. A route that took too much to look at speaks against everything.
fn everywhere<'a, K: Ord>(
    view: &Project<'a>,
    subjects: impl Fn(&Route<'a>) -> Vec<K>,
    holds: impl Fn(&Route<'a>, &Facts) -> Found<K>,
) -> Vec<Diagnostic> {
    let mut all: BTreeMap<K, (usize, Option<Diagnostic>)> = BTreeMap::new();
    for route in view.routes() {
        for subject in subjects(&route) {
            all.entry(subject).or_default().0 += 1;
        }
        for (subject, diagnostic) in route.facts.map_or_else(Vec::new, |facts| holds(&route, facts)) {
            let (left, first) = all.entry(subject).or_default();
            *left = left.saturating_sub(1);
            first.get_or_insert(diagnostic);
        }
    }
    all.into_values().filter(|(left, _)| *left == 0).filter_map(|(_, found)| found).collect()
}

/// The sections of a route that have a condition which build values leave open.
fn open_sections<'a>(route: &Route<'a>) -> impl Iterator<Item = &'a Section> {
    let build = &route.profile.resolved.build;
    route.route.sections.iter().filter(|s| s.when.is_some() && build.holds(s.when.as_ref()).is_none())
}

/// Whether a condition reads nothing that a profile fixes: then it means the same in every profile.
fn is_run_time(condition: &Condition, inputs: &Inputs) -> bool {
    let sources = |name: &str| inputs.get(name).map_or(0, |input| input.sources.len());
    condition.names().iter().all(|name| inputs.open_sources([*name]).len() == sources(name))
}

/// Shows the constraints that a finding needs.
fn because(found: Diagnostic, inputs: &Inputs, constraints: &[usize]) -> Diagnostic {
    constraints
        .iter()
        .fold(found, |found, n| found.also(inputs.constraints[*n].text.outer_span(), "with this constraint"))
}
