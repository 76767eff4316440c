//! SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Messages;
use super::finding::{Finding, Location, details, findings, location};
use crate::diag::{self, RuleInfo, Severity};
use crate::report::escape::{self, one_line};
use crate::report::place::Range;
use crate::{json, lint};

/// What paths are relative to: the top of the repository, wherever it lies.
const BASE: &str = "%SRCROOT%";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    original_uri_base_ids: BTreeMap<&'static str, UriBase>,
    column_kind: &'static str,
    results: Vec<Outcome<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: String,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
struct UriBase {
    description: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: [Site; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Site>,
    partial_fingerprints: BTreeMap<&'static str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<[Change; 1]>,
    #[serde(skip_serializing_if = "Properties::is_empty")]
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Site {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    description: Text,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

/// A log of one run, with all rules that there are.
pub(super) fn write(messages: Messages<'_>) -> String {
    let rules = lint::rules();
    let findings = findings(&messages);
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "promptc",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules.iter().map(|rule| described(rule)).collect(),
                },
            },
            invocations: [Invocation { execution_successful: true }],
            original_uri_base_ids: BTreeMap::from([(
                BASE,
                UriBase {
                    description: sentence("the top of the repository, or the project's root where there is none"),
                },
            )]),
            column_kind: "unicodeCodePoints",
            results: findings.iter().map(|finding| outcome(finding, &messages, &rules)).collect(),
        }],
    };
    escape::json(&json::to_text(&log))
}

fn described(rule: &'static RuleInfo) -> Rule {
    let first = rule.doc.split("\n\n").next().unwrap_or_default();
    // What kind of example a fence holds is for our own tests.
    let page = rule.doc.replace("```toml fail", "```toml").replace("```toml pass", "```toml");
    Rule {
        id: rule.name,
        name: pascal(rule.name),
        short_description: sentence(rule.summary),
        full_description: sentence(&first.replace('\n', " ")),
        help: Help { text: page.clone(), markdown: page },
        default_configuration: Configuration { level: level(rule.level) },
    }
}

fn outcome<'a>(finding: &'a Finding<'a>, messages: &Messages<'_>, rules: &[&RuleInfo]) -> Outcome<'a> {
    let Finding { diagnostic, at, fingerprint } = finding;
    let labels = diagnostic.labels.iter().enumerate().map(|(n, label)| Site {
        id: Some(n + 1),
        message: (!label.text.is_empty()).then(|| sentence(&label.text)),
        physical_location: physical(&location(messages, label.span)),
    });
    let more = details(diagnostic).map(|(what, text)| format!("\n{what}{}", line(text)));
    let headline = sentence(&diagnostic.message).text;
    Outcome {
        rule_id: diagnostic.rule.name,
        rule_index: rules.iter().position(|rule| rule.name == diagnostic.rule.name),
        level: level(diagnostic.severity()),
        message: Text { text: std::iter::once(headline).chain(more).collect() },
        locations: [Site { id: None, physical_location: physical(at), message: None }],
        related_locations: labels.collect(),
        // The second name is the one that GitHub reads.
        partial_fingerprints: BTreeMap::from([
            ("promptc/v1", fingerprint.as_str()),
            ("primaryLocationLineHash", fingerprint.as_str()),
        ]),
        // What reading leaves out (a BOM, carriage returns) has no lines and columns that an edit could name.
        fixes: diagnostic
            .fix
            .as_ref()
            .filter(|fix| fix.left_out.is_none() && !fix.edits.is_empty())
            .map(|fix| [change(fix, diagnostic, messages)]),
        properties: Properties { profile: diagnostic.profile.as_deref(), tokens: diagnostic.tokens },
    }
}

fn change(fix: &diag::Fix, diagnostic: &diag::Diagnostic, messages: &Messages<'_>) -> Change {
    let mut files: Vec<(String, Vec<Replacement>)> = Vec::new();
    let mut edits: Vec<&diag::Edit> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| (messages.sources.path(edit.span.file), edit.span.start));
    for edit in edits {
        let at = location(messages, edit.span);
        let replacement =
            Replacement { deleted_region: region(at.range), inserted_content: Text { text: edit.text.clone() } };
        match files.last_mut() {
            Some((path, list)) if *path == at.path => list.push(replacement),
            _ => files.push((at.path, vec![replacement])),
        }
    }
    let artifact_changes = files
        .into_iter()
        .map(|(path, replacements)| ArtifactChange { artifact_location: artifact(&path), replacements })
        .collect();
    let description = diagnostic.help.first().map_or("mend it", String::as_str);
    Change { description: sentence(description), artifact_changes }
}

impl Properties<'_> {
    fn is_empty(&self) -> bool {
        self.profile.is_none() && self.tokens.is_none()
    }
}

fn physical(at: &Location) -> Physical {
    Physical { artifact_location: artifact(&at.path), region: region(at.range) }
}

/// Columns count characters, and the end is the first one behind.
fn region(range: Option<Range>) -> Region {
    let Some(Range { start, end }) = range else {
        // Readers want a line, and a file that is no text has none.
        return Region { start_line: 1, start_column: None, end_line: None, end_column: None };
    };
    Region {
        start_line: start.line,
        start_column: Some(start.column),
        end_line: Some(end.line),
        end_column: Some(end.column),
    }
}

fn artifact(path: &str) -> Artifact {
    Artifact { uri: uri(path), uri_base_id: BASE }
}

/// A relative URI: everything but unreserved characters and `/` as `%XX`.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A text with a full stop behind it.
fn sentence(text: &str) -> Text {
    let text = line(text);
    let end = if text.ends_with(['.', '?', '!', '…']) { "" } else { "." };
    Text { text: format!("{text}{end}") }
}

/// One line of a message, in which `[text](place)` would be a link.
fn line(text: &str) -> String {
    one_line(text).replace("](", "] (")
}

/// `static-conditional` as `StaticConditional`.
fn pascal(name: &str) -> String {
    name.split('-')
        .flat_map(|part| {
            let mut letters = part.chars();
            letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_names() {
        assert_eq!(uri("prompts/a b/系%.md"), "prompts/a%20b/%E7%B3%BB%25.md");
        assert_eq!(pascal("static-conditional"), "StaticConditional");
        assert_eq!(sentence("see [a](1)").text, "see [a] (1).");
        assert_eq!(sentence("did you mean `x`?").text, "did you mean `x`?");
    }
}
