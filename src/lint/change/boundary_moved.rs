//! `boundary-moved`: the boundary stands earlier than it did.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Change, Check, Rule, errors};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "boundary-moved",
    level: Severity::Error,
    summary: "a dynamic section that now stands ahead of text that was shared",
    doc: include_str!("boundary_moved.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        if let (What::BoundaryMoved { behind }, Some(id)) = (&cause.what, &cause.section) {
            found.push(view.finding(cause, message(view.place(cause), id, behind, cause.tokens)));
        }
    }
}

fn message(place: Span, id: &str, behind: &[String], tokens: Option<u64>) -> Diagnostic {
    let lost = errors::and_list(behind);
    Diagnostic::new(&INFO, place, format!("`{id}` is dynamic and stands ahead of what was shared: {lost}"))
        .label("the boundary stands before this section now")
        .note(format!("{} behind it belong to each session alone", errors::counted(tokens.unwrap_or(0), "the")))
        .help(format!("put `{id}` behind {lost}"))
        .help("or say why: `allow = { boundary-moved = \"..\" }` on this section")
}
