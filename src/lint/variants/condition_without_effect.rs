//! `condition-without-effect`: an input that is asked for and changes no byte.

use super::everywhere;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Route, Rule};
use crate::resolve::Section;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "condition-without-effect",
    level: Severity::Warning,
    summary: "an input that is asked for and changes no byte",
    doc: include_str!("condition_without_effect.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let idle = everywhere(view, subjects, |route, facts| {
        let mut idle = Vec::new();
        for fact in &facts.without_effect {
            let section = &route.route.sections[fact.section];
            for input in &fact.inputs {
                idle.push(((section.span, input.clone()), section.finding(message(route, section, input))));
            }
        }
        idle
    });
    found.extend(idle);
}

/// Every shared section with each run-time input that it reads.
fn subjects(route: &Route<'_>) -> Vec<(Span, String)> {
    let inputs = &route.profile.resolved.inputs;
    let shared = route.route.sections.iter().filter(|s| s.is_shared());
    let reads = |section: &Section| -> Vec<(Span, String)> {
        let sources = inputs.open_sources(section.reads.all.iter().map(AsRef::as_ref));
        sources.into_iter().map(|name| (section.span, name.to_owned())).collect()
    };
    shared.flat_map(reads).collect()
}

fn message(route: &Route<'_>, section: &Section, input: &str) -> Diagnostic {
    let inputs = &route.profile.resolved.inputs;
    let reads = |name: &str| inputs.get(name).is_some_and(|i| i.sources.contains(input));
    let place = section.reads.places.iter().find(|p| reads(&p.input)).map_or(section.span, |p| p.span);
    Diagnostic::new(&INFO, place, format!("`{input}` changes nothing in section `{}`", section.id))
        .label("whatever it says, the same bytes come out")
        .note("who reads the manifest believes that the shared prefix depends on it")
        .help("take the condition out, or make its branches differ")
}
