//! `static-variants-grew`: there are more static prefixes than before.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::{Count, What};
use crate::lint::{Change, Check, Rule, errors};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "static-variants-grew",
    level: Severity::Error,
    summary: "more static prefixes than before",
    doc: include_str!("static_variants_grew.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    let causes = &view.change.causes;
    // An input that is newly read is told by its own rule, with the number.
    if causes.iter().any(|cause| matches!(cause.what, What::NowRuntime { .. })) {
        return;
    }
    for cause in causes {
        if let What::VariantsGrew { before, after } = &cause.what {
            let tokens = view.change.prefix.as_ref().map_or(0, |prefix| prefix.tokens_after);
            found.push(view.finding(cause, message(view.place(cause), before, after, tokens)));
        }
    }
}

fn message(place: Span, before: &Count, after: &Count, tokens: u64) -> Diagnostic {
    Diagnostic::new(&INFO, place, errors::grew(before, after))
        .label("makes more of them")
        .note(format!("each is written to the cache by itself: {}", errors::counted(tokens, "its")))
        .help("put what differs behind the boundary")
        .help("or say why: `allow = { static-variants-grew = \"..\" }` on this section")
        .tokens(tokens)
}
