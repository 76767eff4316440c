//! `over-budget`: more tokens than the project allows itself.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule};
use crate::plan::{Kind, Placed};
use crate::source::Spanned;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "over-budget",
    level: Severity::Error,
    summary: "more tokens than `[limits]` allows",
    doc: include_str!("over_budget.md"),
};

/// Sections that a message names.
const SHOWN: usize = 5;

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let limits = view.subject.resolved.limits;
    let in_static = |kind: Kind| matches!(kind, Kind::Prefix | Kind::Static);
    let budgets = [(limits.static_tokens, "before the boundary", true), (limits.total_tokens, "in all", false)];
    for (limit, what, of_static) in budgets {
        let Some(limit) = limit else { continue };
        let blocks: Vec<_> =
            view.subject.fitted.plan.blocks.iter().filter(|b| !of_static || in_static(b.kind)).collect();
        // An open block adds what nobody knows yet: too much is too much without it.
        let tokens: u64 = blocks.iter().filter_map(|b| b.text.as_ref()).map(|text| text.tokens).sum();
        if tokens > limit.value {
            let mut sections: Vec<&Placed> = blocks.iter().flat_map(|b| &b.sections).collect();
            sections.sort_by_key(|placed| std::cmp::Reverse(placed.tokens));
            found.push(message(view, limit, what, tokens, &sections));
        }
    }
}

fn message(view: &Artifact<'_>, limit: Spanned<u64>, what: &str, tokens: u64, sections: &[&Placed]) -> Diagnostic {
    let most = limit.value;
    let name = |placed: &&Placed| {
        let id = &view.subject.route.sections[placed.index].id;
        placed.tokens.map(|tokens| format!("`{id}` {tokens}"))
    };
    let shown: Vec<String> = sections.iter().filter_map(name).take(SHOWN).collect();
    let largest = sections.first().map(|placed| &view.subject.route.sections[placed.index]);
    let mut found = Diagnostic::new(&INFO, limit.span, format!("more than the {most} tokens that are allowed {what}"))
        .label("the budget")
        .note(format!("{tokens} tokens, {} too many; largest: {}", tokens - most, shown.join(", ")))
        .tokens(tokens - most);
    let tokenizer = &view.subject.target.tokenizer;
    if !tokenizer.is_exact() {
        found = found.note(format!("the count is an estimate, up to {:.0} % off", tokenizer.band * 100.0));
    }
    if let Some(section) = largest {
        found = found.also(section.span, "the largest section");
    }
    found.help("shorten the text, or raise the budget; nothing is cut to fit")
}
