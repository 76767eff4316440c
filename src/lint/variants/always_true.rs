//! `always-true`: a condition that always holds.

use super::{because, everywhere, open_sections};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::resolve::{Inputs, Section};
use crate::variants::Decided;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "always-true",
    level: Severity::Warning,
    summary: "a condition that always holds",
    doc: include_str!("always_true.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let always = everywhere(
        view,
        |route| open_sections(route).map(|section| section.span).collect(),
        |route, facts| {
            // What build values decide is folded, and no finding.
            let open: Vec<_> = open_sections(route).map(|section| section.span).collect();
            let sections = facts.always.iter().map(|always| (always, &route.route.sections[always.section]));
            let message = |(always, section): (&Decided, &Section)| {
                (section.span, section.finding(message(section, always, &route.profile.resolved.inputs)))
            };
            sections.filter(|(_, section)| open.contains(&section.span)).map(message).collect()
        },
    );
    found.extend(always);
}

fn message(section: &Section, always: &Decided, inputs: &Inputs) -> Diagnostic {
    let place = section.when.as_ref().map_or(section.span, |when| when.text.outer_span());
    let found = Diagnostic::new(&INFO, place, format!("the condition of section `{}` always holds", section.id))
        .label("true for all values that can occur");
    because(found, inputs, &always.because).help("take `when` out: the section is sent in any case")
}
