//! `complementary-sections`: one text under two conditions of which exactly one holds.

use super::{everywhere, open_sections};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Route, Rule};
use crate::resolve::Section;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "complementary-sections",
    level: Severity::Warning,
    summary: "one text under two conditions of which exactly one holds",
    doc: include_str!("complementary_sections.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let pairs = everywhere(view, subjects, |route, facts| {
        let sections = &route.route.sections;
        let pairs = facts.complementary.iter().map(|(a, b)| (&sections[*a], &sections[*b]));
        pairs.map(|(a, b)| ((a.span, b.span), b.finding(message(a, b)))).collect()
    });
    found.extend(pairs);
}

/// Neighbours that both have a condition over run-time inputs.
fn subjects(route: &Route<'_>) -> Vec<(Span, Span)> {
    let open: Vec<Span> = open_sections(route).map(|section| section.span).collect();
    let neighbours = route.route.sections.windows(2).map(|pair| (pair[0].span, pair[1].span));
    neighbours.filter(|(a, b)| open.contains(a) && open.contains(b)).collect()
}

fn message(first: &Section, second: &Section) -> Diagnostic {
    Diagnostic::new(
        &INFO,
        second.span,
        format!("`{}` and `{}` say the same, and one of them is always sent", first.id, second.id),
    )
    .label("the same text")
    .also(first.span, "under the opposite condition")
    .note("the text is always there: the conditions decide nothing")
    .help("make one section of them, without `when`")
}
