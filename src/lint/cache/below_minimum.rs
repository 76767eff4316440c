//! `below-minimum`: the prefix is too short for the model to cache it.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule};
use crate::plan::Block;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "below-minimum",
    level: Severity::Info,
    summary: "the whole prefix is too short for the model to cache it",
    doc: include_str!("below_minimum.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let subject = &view.subject;
    let (target, fitted) = (subject.target, subject.fitted);
    let blocks = &fitted.plan.blocks;
    if target.min_tokens == 0 || fitted.marks_used() > 0 || !subject.is_closed() {
        return;
    }
    let Some(last) = blocks.iter().rfind(|b| b.scope.is_some()) else { return };
    let counted =
        |b: &&Block| b.kind <= last.kind && !(b.kind == crate::plan::Kind::Attribution && target.strips_attribution);
    let tokens: u64 = blocks.iter().filter(counted).filter_map(|b| b.text.as_ref()).map(|t| t.tokens).sum();
    if tokens >= target.min_tokens {
        return;
    }
    let place = last.sections.last().map_or(subject.resolved.chain_span, |placed| placed.defined);
    let band = target.tokenizer.band;
    found.push(message(place, tokens, target.min_tokens, band));
}

fn message(place: crate::source::Span, tokens: u64, minimum: u64, band: f64) -> Diagnostic {
    let missing = minimum - tokens;
    let near = missing * 4 < minimum;
    let uncertain = (tokens as f64) * (1.0 + band) >= minimum as f64;
    let found =
        Diagnostic::new(&INFO, place, format!("the model caches from {minimum} tokens on, and this prefix is shorter"))
            .label("the cached part ends here")
            .level(if near { Severity::Warning } else { Severity::Info })
            .tokens(tokens);
    let found = match uncertain {
        true => found.note(format!(
            "uncertain: about {tokens} tokens, up to {:.0} % off; {missing} would be missing",
            band * 100.0
        )),
        false => found.note(format!("{tokens} tokens: {missing} are missing, and nothing of it is cached")),
    };
    found.help("put more of what never changes ahead of the boundary, or leave it: a short prompt costs little")
}
