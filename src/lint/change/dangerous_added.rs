//! `dangerous-added`: something that was cached is recomputed every turn.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::{Cause, What};
use crate::lint::{Change, Check, Rule, errors};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "dangerous-added",
    level: Severity::Error,
    summary: "a section that is newly recomputed every turn, or no longer cached because of one",
    doc: include_str!("dangerous_added.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    let causes = &view.change.causes;
    let behind = |id: &str| causes.iter().filter(|c| matches!(&c.what, What::Uncached { by } if by == id)).collect();
    for cause in causes {
        let Some(id) = &cause.section else { continue };
        let place = view.place(cause);
        match &cause.what {
            What::Dangerous { .. } => {
                let behind: Vec<&Cause> = behind(id);
                found.push(view.finding(cause, message(place, id, &behind)));
            }
            What::NewDangerous { .. } => {
                let behind: Vec<&Cause> = behind(id);
                let severity = if behind.is_empty() { Severity::Info } else { Severity::Error };
                found.push(view.finding(cause, new(place, id, &behind)).level(severity));
            }
            // It was there before, and stands ahead of something else now.
            What::Uncached { by } if !is_told(causes, by) => {
                found.push(view.finding(cause, uncached(place, id, by, cause.tokens)));
            }
            _ => {}
        }
    }
}

fn is_told(causes: &[Cause], id: &str) -> bool {
    let dangerous = |c: &&Cause| matches!(c.what, What::Dangerous { .. } | What::NewDangerous { .. });
    causes.iter().filter(dangerous).any(|c| c.section.as_deref() == Some(id))
}

fn message(place: Span, id: &str, behind: &[&Cause]) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("`{id}` was cached and is recomputed every turn"));
    with_cost(found.label("says DANGEROUS_uncached now"), behind)
        .help("find a value that stays for the session, or read it once: `freeze`")
        .help("or say why: `allow = { dangerous-added = \"..\" }` on this section")
}

fn new(place: Span, id: &str, behind: &[&Cause]) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("the new section `{id}` is recomputed every turn"));
    let found = with_cost(found.label("says DANGEROUS_uncached"), behind);
    if behind.is_empty() {
        return found;
    }
    found
        .help(format!("put `{id}` at the end"))
        .help("or say why: `allow = { dangerous-added = \"..\" }` on this section")
}

fn uncached(place: Span, id: &str, by: &str, tokens: Option<u64>) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("`{id}` is no longer cached: it stands behind `{by}`"))
        .label("was cached")
        .note(format!("{} are sent anew with every request", errors::counted(tokens.unwrap_or(0), "its")))
        .help(format!("put `{by}` behind `{id}`"))
        .help("or say why: `allow = { dangerous-added = \"..\" }` on this section")
}

fn with_cost(found: Diagnostic, behind: &[&Cause]) -> Diagnostic {
    let ids: Vec<&String> = behind.iter().filter_map(|cause| cause.section.as_ref()).collect();
    let found = found.note("its text is sent anew with every request, and so is all that stands behind it");
    match ids.is_empty() {
        true => found,
        false => found.note(format!("no longer cached either: {}", errors::and_list(&ids))),
    }
}
