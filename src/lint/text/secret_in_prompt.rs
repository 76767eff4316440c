//! `secret-in-prompt` where no input says that it is secret: keys and passwords in texts and values.

use super::secrets::{Secret, secrets};
use super::values;
use crate::diag::{Diagnostic, RuleInfo};
use crate::lint::{Artifact, Check, Project, Rule, Written};
use crate::template::SECRET_IN_PROMPT;

pub(in crate::lint) static RULE: Rule =
    Rule { info: INFO, check: Check::Several(&[Check::Project(in_texts), Check::Artifact(in_values)]) };

static INFO: &RuleInfo = &SECRET_IN_PROMPT;

fn in_texts(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for written in view.written() {
        let all = secrets(&written.text.text);
        found.extend(all.iter().map(|secret| written.section.finding(text_message(&written, secret))));
    }
}

fn in_values(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    for brought in values::brought(view, &|text| secrets(text).into_iter().next().map(|s| (s.range, s.what))) {
        let (name, what) = (&brought.input, brought.what);
        let diagnostic = Diagnostic::new(INFO, brought.place, format!("the value of `{name}` has {what} in it"))
            .label("printed here")
            .also(brought.section.span, "in this section")
            .note("what stands in a prompt is sent, logged and cached")
            .help(format!("take it out before the value is given, or do not print `{name}`"));
        found.push(brought.section.finding(diagnostic));
    }
}

fn text_message(written: &Written<'_>, secret: &Secret) -> Diagnostic {
    Diagnostic::new(INFO, written.text.span(secret.range.clone()), format!("{} in the prompt", secret.what))
        .label("whoever reads the prompt has it")
        .also(written.section.span, "in this section")
        .note("what stands in a prompt is sent, logged and cached")
        .help("take it out, and make it void: it may have been sent already")
        .help("or, for an example, write what stands for it: `$TOKEN`, `<password>`")
}
