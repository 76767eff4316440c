//! `unreachable-value`: a value that the constraints rule out.

use super::{because, everywhere};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::{Datum, Value};
use crate::lint::{Check, Project, Route, Rule};
use crate::resolve::Inputs;
use crate::source::Span;
use crate::variants::Unreachable;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "unreachable-value",
    level: Severity::Warning,
    summary: "a value that the constraints rule out",
    doc: include_str!("unreachable_value.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let ruled_out = everywhere(view, subjects, |route, facts| {
        let inputs = &route.profile.resolved.inputs;
        let place = |fact: &Unreachable| inputs.get(&fact.input).map(|input| input.definition.name.span);
        let fact = |fact: &Unreachable| Some(((place(fact)?, shown(&fact.value)), message(place(fact)?, fact, inputs)));
        facts.unreachable.iter().filter_map(fact).collect()
    });
    found.extend(ruled_out);
}

/// Every value of every input of a finite domain, in any profile: one that fixes the input speaks for its value.
fn subjects(route: &Route<'_>) -> Vec<(Span, String)> {
    let inputs = &route.profile.resolved.inputs;
    let mut out = Vec::new();
    for (name, input) in inputs.iter() {
        let values: Vec<Datum> = match &input.fixed {
            Some(fixed) => vec![fixed.clone()],
            None => inputs.domain(name).unwrap_or_default(),
        };
        out.extend(values.iter().map(|value| (input.definition.name.span, shown(value))));
    }
    out
}

fn shown(value: &Datum) -> String {
    match value {
        Datum::Known(Value::Bool(value)) => value.to_string(),
        Datum::Known(Value::String(value)) => format!("'{value}'"),
        _ => "missing".to_owned(),
    }
}

fn message(place: Span, fact: &Unreachable, inputs: &Inputs) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("`{}` can never be {}", fact.input, shown(&fact.value)))
        .label("declared with this value");
    because(found, inputs, &fact.because).help("take the value out of the domain, or correct the constraint")
}
