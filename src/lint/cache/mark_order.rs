//! `mark-order`: a mark that lives longer behind one that lives shorter.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule};
use crate::manifest::{Target, Ttl};
use crate::plan::{Capabilities, DEFAULT_TTL, Kind};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "mark-order",
    level: Severity::Error,
    summary: "a cache mark that lives longer behind one that lives shorter",
    doc: include_str!("mark_order.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let subject = &view.subject;
    let Some(written) = &subject.resolved.target else { return };
    let mut before: Option<(Kind, &str, u64)> = None;
    for (block, mark) in subject.fitted.plan.blocks.iter().zip(&subject.fitted.marks) {
        let Some(ttl) = mark.as_deref() else { continue };
        let Some(lives) = lives(ttl, subject.target) else { continue };
        if let Some((earlier, short, shortest)) = before
            && lives > shortest
        {
            found.push(message(place(written, block.kind), block.kind, ttl, earlier, short, subject.target));
        }
        if before.is_none_or(|(_, _, shortest)| lives < shortest) {
            before = Some((block.kind, ttl, lives));
        }
    }
}

/// How long an entry lives, in seconds; one that says nothing lives as long as the provider's first word.
fn lives(ttl: &str, target: &Capabilities) -> Option<u64> {
    let word = if ttl == DEFAULT_TTL { target.ttls.first()? } else { ttl };
    let unit = word.char_indices().next_back()?.0;
    let number: u64 = word[..unit].parse().ok()?;
    let seconds = match &word[unit..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return None,
    };
    number.checked_mul(seconds)
}

/// Where the lifetime of a block's marks is written.
fn place(target: &Target, kind: Kind) -> Span {
    match &target.ttl {
        Ttl::ByBlock(by_kind) => by_kind.iter().find(|(k, _)| k.value == kind.name()).map(|(_, ttl)| ttl.span),
        Ttl::All(ttl) => Some(ttl.span),
        Ttl::Default => None,
    }
    .unwrap_or(target.provider.span)
}

fn message(place: Span, kind: Kind, long: &str, earlier: Kind, short: &str, target: &Capabilities) -> Diagnostic {
    let named = |ttl: &str| match (ttl, target.ttls.first()) {
        (DEFAULT_TTL, Some(default)) => format!("{default}, the default"),
        (ttl, _) => ttl.to_owned(),
    };
    let message =
        format!("the mark of the {} block lives longer than that of the {} block", kind.name(), earlier.name());
    Diagnostic::new(&INFO, place, message)
        .label(named(long))
        .note(format!("the {} block, which comes first, lives {}", earlier.name(), named(short)))
        .note("a provider takes longer lifetimes first: such a request is refused, or the long mark is lost with the short one")
        .help(format!("give the {} block the longer lifetime too, or this one no longer one", earlier.name()))
}
