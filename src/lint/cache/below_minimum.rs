//! `below-minimum`: the prefix is too short for the model to cache it, or newly so.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Artifact, Change, Check, Rule, errors};
use crate::plan::Kind;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule =
    Rule { info: &INFO, check: Check::Several(&[Check::Artifact(check), Check::Change(changed)]) };

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
        let section = blocks[last].sections.last().map(|placed| &subject.route.sections[placed.index]);
        let message = message(place, &short);
        found.push(match section {
            Some(section) => section.finding(message),
            None => message,
        });
    }
}

/// What was cached and is not any more.
fn changed(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        let place = view.place(cause);
        match &cause.what {
            What::BelowMinimum { before, after, minimum } => {
                found.push(view.finding(cause, shortened(place, *before, *after, *minimum)));
            }
            What::MarkLost { kind } => found.push(view.finding(cause, unmarked(place, *kind, cause.tokens))),
            _ => {}
        }
    }
}

fn shortened(place: Span, before: u64, after: u64, minimum: u64) -> Diagnostic {
    Diagnostic::new(&INFO, place, "the static prefix was long enough to be cached, and is not any more")
        .label("this made it shorter")
        .level(Severity::Error)
        .note(format!("it has {after} tokens, {before} before, and the model caches from {minimum} on"))
        .note("sessions share none of it from now on")
        .help("leave fixed text ahead of the boundary")
        .help("or say why, on a static section: `allow = { below-minimum = \"..\" }`")
        .tokens(after)
}

fn unmarked(place: Span, kind: Kind, tokens: Option<u64>) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("the block `{}` was cached, and is not any more", kind.name()))
        .label("in this block")
        .level(Severity::Error)
        .note(format!(
            "no cache mark stands at its end or behind it: {} are sent anew",
            errors::counted(tokens.unwrap_or(0), "its")
        ))
        .help("or say why, on a section of the block: `allow = { below-minimum = \"..\" }`")
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
