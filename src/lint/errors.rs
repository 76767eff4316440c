//! Messages about findings and their reasons.

use crate::compile;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::Count;
use crate::manifest::Allow;
use crate::resolve::Section;

/// Kinds of messages that this module makes by itself.
pub static RULES: [&RuleInfo; 1] = [&UNUSED_ALLOW];

/// A reason that silences nothing.
pub static UNUSED_ALLOW: RuleInfo = RuleInfo {
    name: "unused-allow",
    level: Severity::Warning,
    summary: "a reason that silences nothing",
    doc: include_str!("unused_allow.md"),
};

pub(super) fn unused_allow(allow: &Allow, section: &Section) -> Diagnostic {
    let found = Diagnostic::new(
        &UNUSED_ALLOW,
        allow.rule.span,
        format!("`{}` is not found in section `{}`", allow.rule.value, section.id),
    );
    let found = found.label("silences nothing").help("take the entry out of `allow`");
    match compile::lint_names().contains(&allow.rule.as_str()) {
        true => found,
        false => found.note("no such rule is checked"),
    }
}

/// A number of tokens of texts as they are written, in a sentence: `the ~12 tokens`; of a text that arrives later it is
/// not known: `the tokens`.
pub(super) fn about(tokens: u64, word: &str) -> String {
    number_of(tokens, word, "~")
}

/// A number of tokens of texts as they are sent, in a sentence; of blocks that are open it is not known.
pub(super) fn counted(tokens: u64, word: &str) -> String {
    number_of(tokens, word, "")
}

fn number_of(tokens: u64, word: &str, sign: &str) -> String {
    match tokens {
        0 => format!("{word} tokens"),
        1 => format!("{word} {sign}1 token"),
        n => format!("{word} {sign}{n} tokens"),
    }
}

/// Where a finding was met.
pub(super) fn artifacts(names: &[String], all: usize) -> String {
    const SHOWN: usize = 3;
    let shown = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("in {} of {all} artifacts: {shown}{rest}", names.len())
}

/// Names in a sentence: `a`, `b` and `c`.
pub(super) fn and_list<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// That there are more static prefixes than there were.
pub(super) fn grew(before: &Count, after: &Count) -> String {
    let number = |count: &Count| match &count.number {
        Some(number) if count.exact => number.clone(),
        Some(number) => format!("up to {number}"),
        None => "any number of".to_owned(),
    };
    match (&before.number, number(before)) {
        (Some(_), before) => format!("there are {} static prefixes instead of {before}", number(after)),
        (None, _) => format!("there are {} static prefixes", number(after)),
    }
}
