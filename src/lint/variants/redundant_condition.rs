//! `redundant-condition`: a condition that what stands ahead has answered already.

use std::collections::BTreeSet;

use super::everywhere;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Route, Rule};
use crate::resolve::Section;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "redundant-condition",
    level: Severity::Warning,
    summary: "a condition that what stands ahead has answered already",
    doc: include_str!("redundant_condition.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let repeated = everywhere(
        view,
        |route| shared(route).map(|section| section.span).collect(),
        |route, facts| {
            let at = |index: &usize| (&route.route.sections[*index], new_inputs(route, *index));
            let asks = facts.repeated.iter().map(at).filter(|(_, new)| !new.is_empty());
            asks.map(|(section, new)| (section.span, section.finding(message(section, &new)))).collect()
        },
    );
    found.extend(repeated);
}

fn shared<'a>(route: &Route<'a>) -> impl Iterator<Item = &'a Section> {
    route.route.sections.iter().filter(|s| s.is_shared())
}

/// Run-time inputs that no shared section ahead reads. A section that asks what is asked ahead of it costs nothing more
/// and says nothing wrong.
fn new_inputs<'a>(route: &Route<'a>, index: usize) -> BTreeSet<&'a str> {
    let inputs = &route.profile.resolved.inputs;
    let reads = |section: &'a Section| inputs.open_sources(section.reads.all.iter().map(AsRef::as_ref));
    let sections = &route.route.sections;
    let ahead: BTreeSet<&str> = sections[..index].iter().filter(|s| s.is_shared()).flat_map(reads).collect();
    reads(&sections[index]).into_iter().filter(|name| !ahead.contains(name)).collect()
}

fn message(section: &Section, asks: &BTreeSet<&str>) -> Diagnostic {
    let place = section.when.as_ref().map_or(section.span, |when| when.text.outer_span());
    let asks = asks.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
    Diagnostic::new(
        &INFO,
        place,
        format!("section `{}` asks for {asks}, and the answer is known ahead of it", section.id),
    )
    .label("makes no further prefix")
    .note("constraints tie what it asks to what the sections ahead have asked already")
    .help("ask for the input that the sections ahead ask for")
}
