//! Workflow commands of GitHub Actions: a line each, which the runner makes an annotation at the place.

use super::Messages;
use super::finding::{Finding, details, findings};
use crate::diag::Severity;
use crate::report::escape::one_line;

/// One line a message.
pub(super) fn write(messages: Messages<'_>) -> String {
    findings(&messages).iter().map(command).collect()
}

fn command(finding: &Finding<'_>) -> String {
    let Finding { diagnostic, at, .. } = finding;
    let word = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut out = format!("::{word} file={},line={}", property(&at.path), at.line());
    if let Some(range) = at.range {
        // The runner drops columns of a place of several lines, and says so.
        if range.start.line == range.end.line {
            out.push_str(&format!(
                ",col={},endLine={},endColumn={}",
                range.start.column, range.end.line, range.end.column
            ));
        } else {
            out.push_str(&format!(",endLine={}", range.end.line));
        }
    }
    let lines: Vec<String> = std::iter::once(one_line(&diagnostic.message))
        .chain(details(diagnostic).map(|(what, text)| format!("{what}{}", one_line(text))))
        .collect();
    out.push_str(&format!(",title={}::{}\n", property(diagnostic.rule.name), data(&lines.join("\n"))));
    out
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}
