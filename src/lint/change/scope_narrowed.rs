//! `scope-narrowed`: fewer share the static prefix than before.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Change, Check, Rule, errors};
use crate::plan::Scope;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "scope-narrowed",
    level: Severity::Error,
    summary: "a static prefix that fewer share than before",
    doc: include_str!("scope_narrowed.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        if let What::ScopeNarrowed { before, after } = &cause.what {
            found.push(view.finding(cause, message(view.target(), *before, *after, cause.tokens)));
        }
    }
}

fn message(place: Span, before: Option<Scope>, after: Option<Scope>, tokens: Option<u64>) -> Diagnostic {
    let who = |scope: Option<Scope>| scope.map_or("nobody", Scope::name);
    let (before, after) = (who(before), who(after));
    Diagnostic::new(&INFO, place, format!("the static prefix has the scope `{after}` instead of `{before}`"))
        .label("decides who shares it")
        .note(format!("{} are cached once for each `{after}`", errors::counted(tokens.unwrap_or(0), "its")))
        .help("say `shared_scope = true` if one key serves all users")
        .help("or say why, on a static section: `allow = { scope-narrowed = \"..\" }`")
}
