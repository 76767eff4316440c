//! Markdown for a comment on a change or the summary of a job: a list of findings.
//!
//! Texts are written word by word: a word of letters, or a number, stands as it is; every other word stands in a code
//! span, in which neither Markdown nor the sites that show it see anything but letters: no link, no mention, no
//! reference, no HTML. A list has no cells that a value could end.

use super::Messages;
use super::finding::{Finding, details, findings, word};
use crate::report::escape::{one_line, without_commands};
use crate::report::text;

/// A heading with the count, and a list.
pub(super) fn write(messages: Messages<'_>) -> String {
    let findings = findings(&messages);
    let count = text::summary(messages.list).unwrap_or_else(|| match findings.len() {
        0 => "no findings".to_owned(),
        1 => "1 remark".to_owned(),
        n => format!("{n} remarks"),
    });
    let mut out = format!("### promptc: {count}\n");
    for finding in &findings {
        out.push_str(&item(finding));
    }
    without_commands(&out)
}

fn item(finding: &Finding<'_>) -> String {
    let Finding { diagnostic, at, .. } = finding;
    let severity = word(diagnostic.severity());
    let mut out = format!("\n- **{severity}** {} in {}: ", code(diagnostic.rule.name), code(&at.shown()));
    out.push_str(&prose(&diagnostic.message));
    out.push('\n');
    for (what, text) in details(diagnostic) {
        let what = if what.is_empty() { "here: " } else { what };
        out.push_str(&format!("  - {what}{}\n", prose(text)));
    }
    out
}

/// A text whose parts between backticks are code, as in all messages.
fn prose(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::new();
    for (n, part) in parts.iter().enumerate() {
        let opens = n % 2 == 1;
        if opens && n + 1 == parts.len() {
            // An odd number of backticks: the last one opens nothing.
            add(&mut out, &code("`"));
        }
        match opens && n + 1 < parts.len() {
            true => add(&mut out, &code(part)),
            false => add(&mut out, &part.split(' ').map(plain).collect::<Vec<_>>().join(" ")),
        }
    }
    out
}

/// Two code spans are kept apart: side by side their fences would be read as one.
fn add(out: &mut String, part: &str) {
    if out.ends_with('`') && part.starts_with('`') {
        out.push(' ');
    }
    out.push_str(part);
}

/// A word between blanks.
fn plain(word: &str) -> String {
    let signs = |c: char| matches!(c, '.' | ',' | ';' | '\'' | '?' | '(' | ')');
    let inner = word.strip_suffix(':').unwrap_or(word).trim_end_matches(signs).trim_start_matches(signs);
    let is_text = inner.split(['-', '\'']).all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic));
    // A long one could be read as the id of a commit.
    let is_number = inner.len() < 7 && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_sign = matches!(word, "%" | "=" | "+" | "-" | "/" | "·" | "→");
    let is_id = inner.len() >= 7 && inner.chars().all(|c| c.is_ascii_hexdigit());
    match word.is_empty() || is_sign || ((is_text || is_number) && !is_id) {
        true => word.to_owned(),
        false => code(word),
    }
}

/// A code span that holds exactly this text.
fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // One blank at each end is taken off when both are there and something else stands between.
    let blanks = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    match (text.is_empty(), blanks) {
        (true, _) => "` `".to_owned(),
        (false, true) => format!("{fence} {text} {fence}"),
        (false, false) => format!("{fence}{text}{fence}"),
    }
}
