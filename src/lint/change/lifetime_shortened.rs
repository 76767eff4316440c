//! `lifetime-shortened`: something cached changes sooner than it did.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::input::Lifetime;
use crate::lint::{Change, Check, Rule, errors};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "lifetime-shortened",
    level: Severity::Error,
    summary: "a cached section, or its block, that changes sooner than it did",
    doc: include_str!("lifetime_shortened.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        let Some(id) = &cause.section else { continue };
        let place = view.place(cause);
        match &cause.what {
            What::LifetimeShortened { before, after } => {
                found.push(view.finding(cause, message(place, id, *before, *after)));
            }
            What::BlockShortened { before, after, .. } => {
                found.push(view.finding(cause, block(place, id, *before, *after, cause.tokens)));
            }
            _ => {}
        }
    }
}

fn message(place: Span, id: &str, before: Lifetime, after: Lifetime) -> Diagnostic {
    let (before, after) = (before.name(), after.name());
    Diagnostic::new(&INFO, place, format!("`{id}` changes with the {after} instead of the {before}"))
        .label(format!("reads a value of the {after} now"))
        .note(format!("it was cached once for the {before}, with all that stands behind it"))
        .help("take the value from one that stays longer, or put it into a section of its own at the end")
        .help("or say why: `allow = { lifetime-shortened = \"..\" }` on this section")
}

fn block(place: Span, id: &str, before: Lifetime, after: Lifetime, tokens: Option<u64>) -> Diagnostic {
    let (before, after) = (before.name(), after.name());
    let message = format!("with `{id}` in it, the dynamic block changes with the {after} instead of the {before}");
    Diagnostic::new(&INFO, place, message)
        .label(format!("of the {after}"))
        .note(format!("{} of the block were cached once for the {before}", errors::counted(tokens.unwrap_or(0), "the")))
        .help("or say why: `allow = { lifetime-shortened = \"..\" }` on this section")
}
