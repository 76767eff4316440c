//! `scope-unsupported`: a scope that the request has no word for.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule, errors};
use crate::plan::{Capabilities, Scope};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "scope-unsupported",
    level: Severity::Info,
    summary: "a cache scope that the target has no word for",
    doc: include_str!("scope_unsupported.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let target = view.subject.target;
    let Some(written) = &view.subject.resolved.target else { return };
    if target.scope_field.is_some() {
        return;
    }
    let place = written.shared_scope.map_or(written.provider.span, |shared| shared.span);
    if let Some(block) = view.subject.fitted.plan.blocks.iter().find(|b| b.scope == Some(Scope::Global)) {
        let tokens = block.text.as_ref().map_or(0, |text| text.tokens);
        found.push(message(place, target, tokens));
    }
}

fn message(place: Span, target: &Capabilities, tokens: u64) -> Diagnostic {
    let provider = &target.provider;
    let becomes = match target.max_marks {
        0 => "nothing: the provider finds cached prefixes by itself",
        _ => "a mark without a scope",
    };
    Diagnostic::new(&INFO, place, format!("`{provider}` has no word for the scope `global`"))
        .label("asks for a scope that all users share")
        .note(format!("in its requests it becomes {becomes}"))
        .note(format!("all who send with one key share {}; whoever sends with another key shares nothing with them", errors::counted(tokens, "the static")))
        .help("nothing, if one key serves all users; if a gateway of yours takes a scope, name its field: `[[provider]] scope_field = \"..\"`")
        .tokens(tokens)
}
