//! `below-minimum`: the prefix is too short for the model to cache it.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule};
use crate::plan::Kind;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "below-minimum",
    level: Severity::Info,
    summary: "the whole prefix is too short for the model to cache it",
    doc: include_str!("below_minimum.md"),
};

/// A prefix, and what the model asks of it.
struct Short {
    tokens: u64,
    minimum: u64,
    /// How far off the count may be, as a share; 0 when it is exact.
    band: f64,
    tools_first: bool,
}

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let subject = &view.subject;
    let target = subject.target;
    let blocks = &subject.fitted.plan.blocks;
    let Some(last) = blocks.iter().rposition(|b| b.scope.is_some()) else { return };
    // The attribution line is no part of what a plan counts on.
    let prefix = blocks[..=last].iter().filter(|b| b.kind != Kind::Attribution);
    let Some(tokens) = prefix.map(|b| b.text.as_ref().map(|t| t.tokens)).sum::<Option<u64>>() else { return };
    if tokens < target.min_tokens {
        let place = blocks[last].sections.last().map_or(subject.resolved.chain_span, |placed| placed.defined);
        let band = target.tokenizer.band;
        let short = Short { tokens, minimum: target.min_tokens, band, tools_first: target.tools_first };
        found.push(message(place, &short));
    }
}

fn message(place: Span, short: &Short) -> Diagnostic {
    let Short { tokens, minimum, .. } = *short;
    let missing = minimum - tokens;
    let near = missing * 4 < minimum;
    let (level, message) = match near {
        true => (
            Severity::Warning,
            format!("this prefix is just short of the {minimum} tokens from which on the model caches"),
        ),
        false => (Severity::Info, format!("the model caches from {minimum} tokens on, and this prefix is shorter")),
    };
    let found = Diagnostic::new(&INFO, place, message)
        .label("the cached part ends here")
        .level(level)
        .note(format!("it has {tokens} tokens, {missing} too few: none of them is read from the cache"))
        .tokens(tokens);
    let found = match short.band {
        0.0 => found,
        band => found.note(format!("uncertain: the count is an estimate, up to {:.0} % off", band * 100.0)),
    };
    let found = match short.tools_first {
        true => found.note("tools stand ahead of the text and count too; they are not known here"),
        false => found,
    };
    match near {
        true => found.help("move fixed text ahead of the boundary: a little more of it, and the prompt is cached"),
        false => found.help("leave it: a short prompt costs little; or move fixed text ahead of the boundary"),
    }
}
