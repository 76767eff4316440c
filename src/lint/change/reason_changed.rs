//! `reason-changed`: a section is recomputed every turn for another reason than before.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Change, Check, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "reason-changed",
    level: Severity::Info,
    summary: "another reason for recomputing a section every turn",
    doc: include_str!("reason_changed.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        if let (What::ReasonChanged { before, after }, Some(id)) = (&cause.what, &cause.section) {
            found.push(view.finding(cause, message(view.place(cause), id, before, after)));
        }
    }
}

fn message(place: Span, id: &str, before: &str, after: &str) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("`{id}` is recomputed every turn for another reason"))
        .label("says DANGEROUS_uncached")
        .note(format!("before: {before}"))
        .note(format!("now: {after}"))
}
