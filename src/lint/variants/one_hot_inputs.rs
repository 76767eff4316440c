//! `one-hot-inputs`: bools of which no two hold at once.

use super::everywhere;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Route, Rule};
use crate::resolve::Inputs;
use crate::source::Span;
use crate::variants::OneHot;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "one-hot-inputs",
    level: Severity::Warning,
    summary: "bools of which no two hold at once",
    doc: include_str!("one_hot_inputs.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let groups = everywhere(
        view,
        |_| Vec::<Vec<Span>>::new(),
        |route, facts| {
            let inputs = &route.profile.resolved.inputs;
            let fact = |fact: &OneHot| {
                let declared = declared(inputs, fact);
                message(route, fact, &declared)
                    .map(|message| (declared.iter().map(|(place, _)| *place).collect(), message))
            };
            facts.one_hot.iter().filter_map(fact).collect()
        },
    );
    found.extend(groups);
}

/// The inputs as they are declared, each where it is declared.
fn declared<'a>(inputs: &Inputs, fact: &'a OneHot) -> Vec<(Span, &'a str)> {
    let place = |name: &'a String| Some((inputs.get(name)?.definition.name.span, name.as_str()));
    let mut all: Vec<_> = fact.inputs.iter().filter_map(place).collect();
    all.sort_unstable();
    all
}

fn message(route: &Route<'_>, fact: &OneHot, declared: &[(Span, &str)]) -> Option<Diagnostic> {
    let ((first, _), others) = declared.split_first()?;
    let names = declared.iter().map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let how = if fact.always_one { "exactly one" } else { "at most one" };
    let found =
        Diagnostic::new(&INFO, *first, format!("{how} of {names} holds")).label("one value, spread over several bools");
    let found = others.iter().fold(found, |found, (place, _)| found.also(*place, "excludes the others"));
    let inputs = &route.profile.resolved.inputs;
    let found = super::because(found, inputs, &fact.because);
    let values =
        declared.iter().map(|(_, name)| format!("\"{name}\"")).chain((!fact.always_one).then(|| "\"none\"".to_owned()));
    let values = values.collect::<Vec<_>>().join(", ");
    Some(
        found
            .note("a further case is a further bool, and every condition that forgets it falls to its other branch in silence")
            .help(format!("declare one enum, `type = [{values}]`, and drop the constraints")),
    )
}
