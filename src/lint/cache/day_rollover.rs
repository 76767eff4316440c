//! `day-rollover`: a date in cached text, which midnight changes.

use super::looks;
use super::names::{self, Kind};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::{Lifetime, Value};
use crate::lint::{Check, Project, Route, Rule, errors};
use crate::manifest::{Channel, Role};
use crate::resolve::{How, Input, Reading, Section};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "day-rollover",
    level: Severity::Info,
    summary: "a date in cached text, which midnight changes",
    doc: include_str!("day_rollover.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for route in view.routes() {
        let cached = cached(&route);
        for (at, section) in cached.iter().enumerate() {
            for reading in section.reads.places.iter().filter(|r| matches!(r.how, How::Body(_))) {
                let inputs = &route.profile.resolved.inputs;
                let Some(input) = inputs.get(&reading.input).filter(|i| i.lifetime() != Lifetime::Build) else {
                    continue;
                };
                if is_day(view, &reading.input, input) {
                    let tokens = route.tokens(cached[at..].iter().copied());
                    found.push(section.finding(message(section, reading, tokens)));
                }
            }
        }
    }
}

/// Sections of the system prompt that are computed once and stand before everything that is recomputed.
fn cached<'a>(route: &Route<'a>) -> Vec<&'a Section> {
    let content =
        route.route.sections.iter().filter(|s| s.role != Role::Attribution && s.channel != Channel::UserContext);
    content.take_while(|s| s.dangerous.is_none()).collect()
}

/// Whether an input is the date of today, and no time of day. A name says so unless a value says otherwise.
fn is_day(view: &Project<'_>, name: &str, input: &Input) -> bool {
    let default = input.definition.plain().and_then(|p| p.default.as_ref()).map(|d| &d.value);
    let mut texts: Vec<&str> = Vec::new();
    for value in view.values(name).chain(default).chain(&input.definition.example) {
        if let Value::String(text) = value {
            texts.push(text);
        }
    }
    match names::kind(name) {
        Some(Kind::Day) => !texts.iter().any(|text| looks::is_moment(text)),
        Some(Kind::Clock) => !texts.is_empty() && texts.iter().all(|text| looks::is_day(text)),
        _ => false,
    }
}

fn message(section: &Section, reading: &Reading, tokens: u64) -> Diagnostic {
    let message = format!("`{}` changes at midnight, and `{}` is cached", reading.input, section.id);
    Diagnostic::new(&INFO, reading.span, message)
        .label("a date of today")
        .also(section.span, "in this cached section")
        .note(format!(
            "a session that starts on the next day caches {} from here on anew",
            errors::about(tokens, "the")
        ))
        .note("a session that runs past midnight keeps yesterday's date, or pays for them once more")
        .help("send the date in the first user message: `channel = \"user_context\"`")
        .help("or keep the section behind all that stays longer")
        .tokens(tokens)
}
