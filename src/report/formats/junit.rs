//! JUnit XML, which most build servers read: a suite for each file, a case for each finding.
//!
//! An error is a failure; a warning is a case that was skipped, because it fails nothing.

use super::Messages;
use super::finding::{Finding, details, findings, word};
use crate::diag::Severity;
use crate::report::escape::one_line;

/// A document.
pub(super) fn write(messages: Messages<'_>) -> String {
    let findings = findings(&messages);
    let mut suites: Vec<(&str, Vec<&Finding<'_>>)> = Vec::new();
    for finding in &findings {
        match suites.iter_mut().find(|(path, _)| *path == finding.at.path) {
            Some((_, list)) => list.push(finding),
            None => suites.push((&finding.at.path, vec![finding])),
        }
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if suites.is_empty() {
        // Readers take a report without a case for a run that did not happen.
        out.push_str(&format!("<testsuites name=\"promptc\"{}>\n", counts(1, 0, 0)));
        out.push_str(&format!("  <testsuite name=\"promptc\"{}>\n", counts(1, 0, 0)));
        out.push_str("    <testcase name=\"no findings\" classname=\"promptc\"/>\n  </testsuite>\n</testsuites>\n");
        return out;
    }
    out.push_str(&format!("<testsuites name=\"promptc\"{}>\n", counted(findings.iter())));
    for (path, list) in suites {
        out.push_str(&format!("  <testsuite name=\"{}\"{}>\n", xml(path), counted(list.iter().copied())));
        list.iter().for_each(|finding| case(&mut out, finding));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn counted<'a>(findings: impl ExactSizeIterator<Item = &'a Finding<'a>> + Clone) -> String {
    let failures = findings.clone().filter(|f| f.diagnostic.severity() == Severity::Error).count();
    counts(findings.len(), failures, findings.len() - failures)
}

fn counts(tests: usize, failures: usize, skipped: usize) -> String {
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"")
}

fn case(out: &mut String, finding: &Finding<'_>) {
    let Finding { diagnostic, at, .. } = finding;
    let rule = diagnostic.rule.name;
    let place = at.range.map_or_else(String::new, |r| format!(" at {}:{}", r.start.line, r.start.column));
    out.push_str(&format!(
        "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{}\">\n",
        xml(&format!("{rule}{place}")),
        xml(&at.path),
        xml(&at.path),
        at.line(),
    ));
    let severity = word(diagnostic.severity());
    let message = xml(&diagnostic.message);
    match diagnostic.severity() {
        Severity::Error => {
            out.push_str(&format!("      <failure message=\"{message}\" type=\"{rule}\">"));
            out.push_str(&body(finding));
            out.push_str("</failure>\n");
        }
        Severity::Warning | Severity::Info => {
            out.push_str(&format!("      <skipped message=\"{severity}: {message}\"/>\n"));
            out.push_str(&format!("      <system-out>{}</system-out>\n", body(finding)));
        }
    }
    out.push_str("    </testcase>\n");
}

/// The message as lines of text.
fn body(finding: &Finding<'_>) -> String {
    let Finding { diagnostic, at, .. } = finding;
    let severity = word(diagnostic.severity());
    let head = format!("{}: {severity}[{}]: {}", at.shown(), diagnostic.rule.name, diagnostic.message);
    let rest = details(diagnostic).map(|(what, text)| format!("{what}{text}"));
    std::iter::once(head).chain(rest).map(|line| xml(&line)).collect::<Vec<_>>().join("\n")
}

/// A text as one line of XML 1.0, in an element or an attribute. Characters that XML cannot hold are shown as escapes.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = '\0';
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            // Two of them begin an instruction of some build servers, in whatever line.
            '#' if last == '#' => out.push_str("&#35;"),
            // One at the start of a line could begin an instruction too.
            ':' if last == '\0' => out.push_str("&#58;"),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
        last = c;
    }
    out
}
