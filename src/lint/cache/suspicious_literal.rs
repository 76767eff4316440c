//! `suspicious-literal`: a value of one run, one machine or one person, written into shared text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::looks::{self, Look};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule, Written};
use crate::resolve::Section;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "suspicious-literal",
    level: Severity::Warning,
    summary: "a value of one run, one machine or one person, written into shared text",
    doc: include_str!("suspicious_literal.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for Written { text, section, .. } in view.written().into_iter().filter(|w| w.section.is_shared()) {
        let mut kinds: BTreeMap<Look, Vec<Range<usize>>> = BTreeMap::new();
        for (range, look) in looks::literals(&text.text, !section.verbatim) {
            kinds.entry(look).or_default().push(range);
        }
        for (look, ranges) in kinds {
            let places: Vec<Span> = ranges.iter().map(|range| text.span(range.clone())).collect();
            found.push(section.finding(message(section, &places, &text.text[ranges[0].clone()], look)));
        }
    }
}

/// Places of one kind that a message shows besides the first.
const SHOWN: usize = 3;

fn message(section: &Section, places: &[Span], written: &str, look: Look) -> Diagnostic {
    let (label, why) = match look {
        Look::Moment => ("a moment", "it is right once, and every other session is told the wrong time"),
        Look::Uuid => ("an id", "it belongs to one run, and every other one is told the wrong id"),
        Look::Commit => ("a commit id", "the next commit makes it wrong"),
        Look::Home => ("a path in somebody's home", "it is there on one machine, and everybody is told of it"),
        Look::Temp => ("a path among temporary files", "it is there on one machine, and everybody is told of it"),
        Look::Person => ("a person's address", "it is sent to everybody who has this build"),
        Look::Host => ("a host of a private network", "it is there in one network, and everybody is told of it"),
    };
    let message = format!("`{written}` is written into the shared section `{}`", section.id);
    let found = Diagnostic::new(&INFO, places[0], message).label(label);
    let found = places.iter().skip(1).take(SHOWN).fold(found, |found, place| found.also(*place, "another one"));
    let found = match places.len().saturating_sub(1 + SHOWN) {
        0 => found,
        more => found.note(format!("and {more} more of this kind in the same text")),
    };
    found
        .note(format!("{why}; who then changes the text makes everybody's prefix anew"))
        .help("declare an input with the lifetime that the value has, and print it behind the boundary")
        .help("or, when it is meant, say why on the section: `allow = { suspicious-literal = \"..\" }`")
}
