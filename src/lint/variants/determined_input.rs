//! `determined-input`: an input that another one fixes.

use super::{because, everywhere};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Route, Rule};
use crate::resolve::Inputs;
use crate::source::Span;
use crate::variants::Determined;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "determined-input",
    level: Severity::Warning,
    summary: "an input that another one fixes",
    doc: include_str!("determined_input.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let fixed = everywhere(view, subjects, |route, facts| {
        let inputs = &route.profile.resolved.inputs;
        let place = |fact: &Determined| inputs.get(&fact.input).map(|input| input.definition.name.span);
        let fact = |fact: &Determined| Some((place(fact)?, message(place(fact)?, fact, inputs)));
        facts.determined.iter().filter_map(fact).collect()
    });
    found.extend(fixed);
}

/// Every input that the profile leaves open.
fn subjects(route: &Route<'_>) -> Vec<Span> {
    let inputs = route.profile.resolved.inputs.iter();
    inputs.filter(|(_, input)| input.fixed.is_none()).map(|(_, input)| input.definition.name.span).collect()
}

fn message(place: Span, fact: &Determined, inputs: &Inputs) -> Diagnostic {
    let (input, by) = (&fact.input, &fact.by);
    let found = Diagnostic::new(&INFO, place, format!("`{input}` always follows from `{by}`"))
        .label("has nothing to say of its own");
    because(found, inputs, &fact.because)
        .note("whoever fills it in can only repeat what the other says, or break a constraint")
        .help(format!("derive it: `{input} = {{ by = \"{by}\", values = {{ .. }} }}`, or `derive = ..` for a bool"))
}
