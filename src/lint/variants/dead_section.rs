//! `dead-section`: a section whose condition never holds.

use super::{because, everywhere, open_sections};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::resolve::{Inputs, Section};
use crate::variants::Decided;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "dead-section",
    level: Severity::Warning,
    summary: "a section whose condition never holds",
    doc: include_str!("dead_section.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let dead = everywhere(
        view,
        |route| open_sections(route).map(|section| section.span).collect(),
        |route, facts| {
            let sections = facts.dead.iter().map(|dead| (dead, &route.route.sections[dead.section]));
            let message = |(dead, section): (&Decided, &Section)| {
                (section.span, section.finding(message(section, dead, &route.profile.resolved.inputs)))
            };
            sections.map(message).collect()
        },
    );
    found.extend(dead);
}

fn message(section: &Section, dead: &Decided, inputs: &Inputs) -> Diagnostic {
    let place = section.when.as_ref().map_or(section.span, |when| when.text.outer_span());
    let found = Diagnostic::new(&INFO, place, format!("section `{}` is never sent", section.id))
        .label("no values that can occur make this true");
    let found = because(found, inputs, &dead.because);
    let found = match dead.because.is_empty() {
        true => found.note("the condition contradicts itself"),
        false => found.note("the constraints leave no case in which it holds"),
    };
    found.help("take the section out, or correct the condition")
}
