//! `context-window`: a prompt that takes a large part of the model's window.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "context-window",
    level: Severity::Warning,
    summary: "a prompt that takes a large part of the model's window",
    doc: include_str!("context_window.md"),
};

/// The share of a window, one in so many, from which on a prompt is large.
const SHARE: u64 = 4;

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let subject = &view.subject;
    let (Some(window), Some(target)) = (subject.target.window, &subject.resolved.target) else { return };
    let texts = subject.fitted.plan.blocks.iter().filter_map(|b| b.text.as_ref());
    let tokens: u64 = texts.map(|text| text.tokens).sum();
    if tokens.saturating_mul(SHARE) >= window {
        found.push(message(target.model.span, &target.model, tokens, window));
    }
}

fn message(place: Span, model: &str, tokens: u64, window: u64) -> Diagnostic {
    let message = match tokens > window {
        true => format!("the prompt is larger than the window of `{model}`"),
        false => format!("the prompt takes a large part of the window of `{model}`"),
    };
    let share = tokens as f64 * 100.0 / window.max(1) as f64;
    Diagnostic::new(&INFO, place, message)
        .level(if tokens > window { Severity::Error } else { Severity::Warning })
        .label(format!("a window of {window} tokens"))
        .note(format!("{tokens} tokens are {share:.0} % of it, before the tools and the first message"))
        .help("shorten the text, limit the inputs (`max_chars`, `max_items`), or choose a model with a larger window")
        .tokens(tokens)
}
