//! `suspicious-lifetime`: an input that is called like something short-lived and claims to live long.

use super::looks::{self, Look};
use super::names::{self, Kind};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::{Lifetime, Plain, Type, Value};
use crate::lint::{Check, Route, Rule, errors};
use crate::manifest::Channel;
use crate::resolve::{Input, Section};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "suspicious-lifetime",
    level: Severity::Warning,
    summary: "an input that is called like something short-lived and claims `build` or `org`",
    doc: include_str!("suspicious_lifetime.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let sections = &view.route.sections;
    for (name, input) in view.profile.resolved.inputs.iter() {
        let Some(plain) = input.definition.plain() else { continue };
        let reads = |section: &Section| section.reads.text.contains(name) && section.channel == Channel::System;
        let Some(first) = sections.iter().position(reads) else { continue };
        if let Some(what) = suspect(name, input, plain) {
            let tokens = view.tokens(sections[first..].iter().filter(|s| s.channel == Channel::System));
            found.push(sections[first].finding(message(input, plain.lifetime, &what, tokens)));
        }
    }
}

/// What a value seems to be; `None` when its name and its known values fit the lifetime that it claims.
fn suspect(name: &str, input: &Input, plain: &Plain) -> Option<String> {
    let claims = matches!(plain.lifetime, Lifetime::Build | Lifetime::Org);
    // A value of a closed set is chosen, not observed.
    if !claims || matches!(plain.kind, Type::Bool | Type::Enum(_)) {
        return None;
    }
    let known: Vec<&str> = [input.fixed.as_ref().and_then(|d| d.value()), plain.default.as_ref().map(|d| &d.value)]
        .into_iter()
        .flatten()
        .chain(&input.definition.example)
        .filter_map(|value| match value {
            Value::String(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    match names::kind(name) {
        // A path inside the project is settled when it is built.
        Some(Kind::Path) if !known.is_empty() && !known.iter().any(|value| looks::is_absolute_path(value)) => None,
        Some(kind) => Some(format!("named like {}", kind.describe())),
        None => known.iter().flat_map(|value| looks::literals(value, false)).find_map(|(_, look)| match look {
            Look::Moment => Some("its value is a moment".to_owned()),
            Look::Home | Look::Temp => Some("its value is a path of one machine".to_owned()),
            Look::Uuid | Look::Commit | Look::Person | Look::Host => None,
        }),
    }
}

fn message(input: &Input, claimed: Lifetime, what: &str, tokens: u64) -> Diagnostic {
    let name = &input.definition.name;
    let (who, cost) = match claimed {
        Lifetime::Build => ("everybody who has this build", "each other value is another build"),
        _ => ("everybody in an organisation", "each other value makes another prefix"),
    };
    Diagnostic::new(&INFO, name.span, format!("`{}` claims the lifetime `{claimed}`", name.value))
        .label(what)
        .note(format!("`{claimed}` says that the value is the same for {who}; if it is not, {cost}, and {} from where it is read on are cached for each anew", errors::about(tokens, "the")))
        .help("declare the lifetime that the value has: `user`, `session` or `turn`")
        .help("or call the input what it is")
        .tokens(tokens)
}
