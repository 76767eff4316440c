//! `required-removed`: a section need no longer survive every layer.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Change, Check, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "required-removed",
    level: Severity::Error,
    summary: "a required section that is gone, or no longer required",
    doc: include_str!("required_removed.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        if let (What::RequiredRemoved { gone }, Some(id)) = (&cause.what, &cause.section) {
            let place = view.place(cause);
            let message = if *gone { gone_altogether(place, id) } else { no_longer(place, id) };
            found.push(view.finding(cause, message));
        }
    }
}

fn gone_altogether(place: Span, id: &str) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("the required section `{id}` is gone"))
        .label("had it")
        .note("it was marked to survive whatever layer wins")
        .help("take `required = true` off first, with a reason, if it may go: `allow = { required-removed = \"..\" }`")
}

fn no_longer(place: Span, id: &str) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("`{id}` is no longer required"))
        .label("a layer may drop it now")
        .note("it was marked to survive whatever layer wins")
        .help("put `required = true` back")
        .help("or say why: `allow = { required-removed = \"..\" }` on this section")
}
