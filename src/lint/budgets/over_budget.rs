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
            let sections = largest(blocks.iter().flat_map(|b| &b.sections));
            let message = message(view, limit, what, tokens - limit.value, &sections);
            let (_, names) = named(view, &sections);
            found.push(message.note(format!("{tokens} tokens, {} too many; largest: {names}", tokens - limit.value)));
        }
    }
    if let Some(limit) = limits.section_tokens {
        let placed = view.subject.fitted.plan.blocks.iter().flat_map(|b| &b.sections);
        let sections = largest(placed.filter(|s| s.tokens.is_some_and(|tokens| tokens > limit.value)));
        if let Some(most) = sections.first().and_then(|s| s.tokens) {
            let message = message(view, limit, "for one section", most - limit.value, &sections);
            let (more, names) = named(view, &sections);
            let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
            found.push(message.note(format!("tokens: {names}{rest}")));
        }
    }
}

fn largest<'a>(sections: impl Iterator<Item = &'a Placed>) -> Vec<&'a Placed> {
    let mut sections: Vec<&Placed> = sections.collect();
    sections.sort_by_key(|placed| std::cmp::Reverse(placed.tokens));
    sections
}

/// The first few sections with their tokens, and how many there are besides.
fn named(view: &Artifact<'_>, sections: &[&Placed]) -> (usize, String) {
    let name = |placed: &&Placed| {
        let id = &view.subject.route.sections[placed.index].id;
        placed.tokens.map(|tokens| format!("`{id}` {tokens}"))
    };
    let names: Vec<String> = sections.iter().filter_map(name).collect();
    let shown = names.len().min(SHOWN);
    (names.len() - shown, names[..shown].join(", "))
}

fn message(view: &Artifact<'_>, limit: Spanned<u64>, what: &str, too_many: u64, sections: &[&Placed]) -> Diagnostic {
    let most = limit.value;
    let mut found = Diagnostic::new(&INFO, limit.span, format!("more than the {most} tokens that are allowed {what}"))
        .label("the budget")
        .tokens(too_many);
    let tokenizer = &view.subject.target.tokenizer;
    if !tokenizer.is_exact() {
        found = found.note(format!("the count is an estimate, up to {:.0} % off", tokenizer.band * 100.0));
    }
    if let Some(placed) = sections.first() {
        found = found.also(view.subject.route.sections[placed.index].span, "the largest section");
    }
    found.help("shorten the text, or raise the budget; nothing is cut to fit")
}
