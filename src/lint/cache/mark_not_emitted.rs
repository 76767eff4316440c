//! `mark-not-emitted`: a mark of the plan that the request does not carry.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::emit::Emitter;
use crate::lint::{Artifact, Check, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "mark-not-emitted",
    level: Severity::Error,
    summary: "a cache mark of the plan that the request does not carry",
    doc: include_str!("mark_not_emitted.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let subject = &view.subject;
    let Some(written) = &subject.resolved.target else { return };
    // A provider of the project's own has no form of its own: which one is used is not known.
    let Some(emitter) = Emitter::from_name(&subject.target.provider) else { return };
    let planned = subject.fitted.marks_used();
    if planned == 0 || !subject.is_closed() {
        return;
    }
    let carried = emitter.marks_in(&emitter.emit(subject));
    if carried < planned {
        found.push(message(written.provider.span, emitter, planned, carried));
    }
}

fn message(place: Span, emitter: Emitter, planned: usize, carried: usize) -> Diagnostic {
    let name = emitter.name();
    let message = match carried {
        0 => format!("a request of the form `{name}` carries no cache marks, and the plan has some"),
        _ => format!("a request of the form `{name}` does not carry every cache mark of the plan"),
    };
    Diagnostic::new(&INFO, place, message)
        .label("planned for this provider")
        .note(format!("planned: {planned}, carried: {carried}; what the table of `build` calls cached may not be"))
        .help("take `max_marks` out of the provider's entry in promptc.toml, or name the provider whose form is sent")
}
