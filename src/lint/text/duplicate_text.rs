//! `duplicate-text`: the same paragraph twice in one prompt.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::paragraphs::paragraphs;
use crate::lint::{Artifact, Check, Rule, Told};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "duplicate-text",
    level: Severity::Warning,
    summary: "the same paragraph twice in one prompt",
    doc: include_str!("duplicate_text.md"),
};

/// What two sections have in common.
struct Common<'a> {
    first: Told<'a>,
    again: Told<'a>,
    paragraphs: Vec<String>,
}

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<String, Told<'_>> = BTreeMap::new();
    let mut common: BTreeMap<(usize, usize), Common<'_>> = BTreeMap::new();
    for told in view.sections() {
        for paragraph in paragraphs(told.text) {
            let Some(first) = seen.get(&paragraph).copied() else {
                seen.insert(paragraph, told);
                continue;
            };
            let pair = common.entry((first.index, told.index));
            let pair = pair.or_insert_with(|| Common { first, again: told, paragraphs: Vec::new() });
            pair.paragraphs.push(paragraph);
        }
    }
    let counter = view.subject.target.counter();
    for pair in common.into_values() {
        let tokens = pair.paragraphs.iter().map(|text| counter.count(text)).sum();
        found.push(pair.again.section.finding(message(&pair, tokens)));
    }
}

fn message(pair: &Common<'_>, tokens: u64) -> Diagnostic {
    let (first, again) = (pair.first.section, pair.again.section);
    let message = match first.id == again.id {
        true => format!("the section `{}` says the same twice", again.id),
        false => format!("the section `{}` repeats text of `{}`", again.id, first.id),
    };
    let begins: String = pair.paragraphs.first().map_or("", String::as_str).chars().take(48).collect();
    let count = match pair.paragraphs.len() {
        1 => "one paragraph".to_owned(),
        n => format!("{n} paragraphs"),
    };
    let found = Diagnostic::new(&INFO, again.span, message).label("says it again");
    let found = if first.id == again.id { found } else { found.also(first.span, "says it first") };
    found
        .note(format!("{count} of {tokens} tokens, the first of which begins `{begins}`"))
        .help("say it once: take one of them out, or put it into a section of its own")
        .tokens(tokens)
}
