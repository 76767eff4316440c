//! GitLab's Code Quality report: <https://docs.gitlab.com/ci/testing/code_quality/>.

use serde::Serialize;

use super::Messages;
use super::finding::{Finding, findings};
use crate::diag::Severity;
use crate::json;
use crate::report::escape::{self, one_line};

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: &'a str,
    severity: &'static str,
    location: Place,
}

#[derive(Serialize)]
struct Place {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// An array of issues.
pub(super) fn write(messages: Messages<'_>) -> String {
    let findings = findings(&messages);
    let issues: Vec<Issue<'_>> = findings.iter().map(issue).collect();
    escape::json(&json::to_text(&issues))
}

fn issue<'a>(finding: &'a Finding<'_>) -> Issue<'a> {
    let Finding { diagnostic, at, fingerprint } = finding;
    let severity = match diagnostic.severity() {
        Severity::Error => "critical",
        Severity::Warning => "minor",
        Severity::Info => "info",
    };
    Issue {
        description: one_line(&diagnostic.message),
        check_name: diagnostic.rule.name,
        fingerprint,
        severity,
        location: Place {
            path: at.path.clone(),
            lines: Lines { begin: at.line(), end: at.range.map_or(1, |range| range.end.line) },
        },
    }
}
