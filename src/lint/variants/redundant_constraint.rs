//! `redundant-constraint`: a constraint that the others imply.

use super::{because, everywhere, is_run_time};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::resolve::Inputs;
use crate::variants::Redundant;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "redundant-constraint",
    level: Severity::Warning,
    summary: "a constraint that the others imply",
    doc: include_str!("redundant_constraint.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let implied = everywhere(
        view,
        |route| route.profile.resolved.inputs.constraints.iter().map(|c| c.text.outer_span()).collect(),
        |route, facts| {
            let inputs = &route.profile.resolved.inputs;
            // One that reads build values rules something out in another profile, or in one to come.
            let run_time = |fact: &&Redundant| {
                let all = [fact.constraint].into_iter().chain(fact.because.iter().copied());
                all.map(|n| &inputs.constraints[n]).all(|c| is_run_time(c, inputs))
            };
            let implied = facts.redundant_constraints.iter().filter(run_time);
            let fact =
                |fact: &Redundant| (inputs.constraints[fact.constraint].text.outer_span(), message(inputs, fact));
            implied.map(fact).collect()
        },
    );
    found.extend(implied);
}

fn message(inputs: &Inputs, fact: &Redundant) -> Diagnostic {
    let place = inputs.constraints[fact.constraint].text.outer_span();
    let message = match fact.because.is_empty() {
        true => "the constraint rules nothing out",
        false => "the constraint follows from the others",
    };
    let found = Diagnostic::new(&INFO, place, message).label("could go, and nothing would change");
    because(found, inputs, &fact.because).help("take it out, or say what it was meant to rule out")
}
