//! `section-demoted`: a section left the static zone.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Change, Check, Rule, errors};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "section-demoted",
    level: Severity::Error,
    summary: "a section that was static and is dynamic",
    doc: include_str!("section_demoted.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        if let (What::Demoted, Some(id)) = (&cause.what, &cause.section) {
            found.push(view.finding(cause, message(view.place(cause), id, cause.tokens)));
        }
    }
}

fn message(place: Span, id: &str, tokens: Option<u64>) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("`{id}` was static and is dynamic"))
        .label("was shared by all sessions")
        .note(format!("{} belong to each session alone", errors::counted(tokens.unwrap_or(0), "its")))
        .help("split it: what hangs on no session stays static")
        .help("or say why: `allow = { section-demoted = \"..\" }` on this section")
}
