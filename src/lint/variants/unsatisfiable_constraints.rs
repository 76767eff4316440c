//! `unsatisfiable-constraints`: constraints that cannot all hold.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::resolve::Inputs;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "unsatisfiable-constraints",
    level: Severity::Error,
    summary: "constraints that cannot all hold",
    doc: include_str!("unsatisfiable_constraints.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for route in view.routes() {
        let Some(facts) = route.facts else { continue };
        let core = &facts.unsatisfiable;
        if let Some((last, others)) = core.split_last() {
            found.push(message(&route.profile.resolved.inputs, *last, others, &route.profile.resolved.profile));
        }
    }
}

fn message(inputs: &Inputs, last: usize, others: &[usize], profile: &str) -> Diagnostic {
    let place = |n: usize| inputs.constraints[n].text.outer_span();
    let message = match others.is_empty() {
        true => "the constraint never holds".to_owned(),
        false => format!("{} constraints can never hold together", others.len() + 1),
    };
    let found = Diagnostic::new(&INFO, place(last), message).label("contradicts what else must hold");
    let found = others.iter().fold(found, |found, n| found.also(place(*n), "together with this one"));
    found
        .note(format!("with the build values of `{profile}` there is no session that they allow"))
        .help("correct one of them: each is needed for the contradiction")
}
