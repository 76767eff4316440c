//! What a message, or a word of the language, means.

use super::words::{Word, words};
use crate::diag::{RuleInfo, Severity};
use crate::lint;

/// The explanation of a message's name, or of a word of the language. A word with several meanings has them all.
pub fn explain(name: &str) -> Option<String> {
    let rule = lint::rule(name).map(explain_rule);
    let meanings = words().filter(|word| word.name == name).map(explain_word);
    let all: Vec<String> = rule.into_iter().chain(meanings).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// All names that can be explained, sorted.
pub fn known_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = lint::rules().into_iter().map(|rule| rule.name).collect();
    names.extend(words().map(|word| word.name));
    names.sort_unstable();
    names.dedup();
    names
}

fn explain_rule(rule: &RuleInfo) -> String {
    let level = match rule.level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    format!("{} ({level})\n{}\n\n{}\n", rule.name, rule.summary, rule.doc)
}

fn explain_word(word: &Word) -> String {
    format!("{} ({})\n{}\n", word.name, word.kind, word.text)
}
