//! `two-readings`: one turn value, old in one section and new in another.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Lifetime;
use crate::lint::{Check, Route, Rule};
use crate::resolve::{Reading, Section};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "two-readings",
    level: Severity::Warning,
    summary: "one turn value read frozen in one section and live in another",
    doc: include_str!("two_readings.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let inputs = &view.profile.resolved.inputs;
    let (frozen, live): (Vec<&Section>, Vec<&Section>) = view.route.sections.iter().partition(|s| s.freeze.is_some());
    for section in live {
        let mut told: Vec<&str> = Vec::new();
        for reading in &section.reads.places {
            let name = &*reading.input;
            if inputs.lifetime([name]) != Lifetime::Turn || told.contains(&name) {
                continue;
            }
            let other = frozen.iter().find_map(|s| Some((s, s.reads.places.iter().find(|r| &*r.input == name)?)));
            if let Some((other, first)) = other {
                told.push(name);
                found.push(section.finding(message(section, reading, other, first)));
            }
        }
    }
}

fn message(live: &Section, reading: &Reading, frozen: &Section, first: &Reading) -> Diagnostic {
    let name = &reading.input;
    let message = format!("`{name}` is live in `{}` and frozen in `{}`", live.id, frozen.id);
    Diagnostic::new(&INFO, reading.span, message)
        .label("has the newest value")
        .also(first.span, "has the value of the session's start")
        .note("once the value changes, the prompt says two things about it")
        .help("read it one way: frozen in both, or live in both")
}
