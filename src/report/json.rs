//! Messages as JSON, format `promptc.report/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::escape;
use super::place::{self, Range};
use crate::diag::{self, Diagnostic, Place, Severity};
use crate::hunks::{Hunk, Line, Side};
use crate::json;
use crate::source::{SourceMap, Span};

/// All messages of a run.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "promptc.report/1")]
pub(super) struct Report {
    /// Always `promptc.report/1`.
    #[schemars(extend("const" = "promptc.report/1"))]
    format: &'static str,
    diagnostics: Vec<Finding>,
    summary: Summary,
}

#[derive(Serialize, JsonSchema)]
struct Finding {
    /// The rule's name.
    name: &'static str,
    #[schemars(extend("enum" = ["error", "warning", "info"]))]
    severity: &'static str,
    /// The headline.
    message: String,
    /// From the project's root.
    path: String,
    /// Null for a file that is no text.
    span: Option<Range>,
    /// Places, the finding's own first.
    labels: Vec<LabelShape>,
    notes: Vec<String>,
    help: Vec<String>,
    /// An edit that mends it.
    fix: Option<Fix>,
    /// The profile that was compiled when it was found; the first of several.
    profile: Option<String>,
    /// Tokens at stake.
    tokens: Option<u64>,
    /// Of a file that says something else than it should: what differs, in parts with equal lines around. Null for
    /// other findings.
    difference: Option<Vec<HunkShape>>,
}

#[derive(Serialize, JsonSchema)]
struct HunkShape {
    lines: Vec<LineShape>,
}

#[derive(Serialize, JsonSchema)]
struct LineShape {
    /// `before`: the file says so; `after`: it should.
    #[schemars(extend("enum" = ["both", "before", "after"]))]
    r#in: &'static str,
    /// Its number in the file, from 1, or where it would stand.
    before: usize,
    /// Its number in what the file should say, from 1, or where it would stand.
    after: usize,
    text: String,
    /// Whether a line end stands behind it.
    ended: bool,
}

#[derive(Serialize, JsonSchema)]
struct LabelShape {
    path: String,
    span: Range,
    message: String,
}

#[derive(Serialize, JsonSchema)]
struct Fix {
    edits: Vec<Edit>,
    /// Whether the meaning cannot change.
    safe: bool,
}

#[derive(Serialize, JsonSchema)]
struct Edit {
    path: String,
    /// What goes: its bytes are those on disk, and may be some that no line shows.
    span: Range,
    /// What comes in their place, byte for byte.
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Summary {
    errors: usize,
    warnings: usize,
}

/// The report of some messages.
pub fn report(list: &[Diagnostic], sources: &SourceMap) -> String {
    let count = |severity| diag::count(list, severity);
    escape::json(&json::to_text(&Report {
        format: "promptc.report/1",
        diagnostics: list.iter().map(|d| finding(d, sources)).collect(),
        summary: Summary { errors: count(Severity::Error), warnings: count(Severity::Warning) },
    }))
}

fn finding(diagnostic: &Diagnostic, sources: &SourceMap) -> Finding {
    let label = |span: Span, message: &str| LabelShape {
        path: sources.path(span.file).to_owned(),
        span: place::range(sources, span),
        message: message.to_owned(),
    };
    let (path, span, own) = match &diagnostic.place {
        Place::Span(span) => {
            let own = label(*span, &diagnostic.label);
            (own.path.clone(), Some(own.span), Some(own))
        }
        Place::File { path, bad } => (path.clone(), bad.map(place::bad_byte), None),
    };
    let others = diagnostic.labels.iter().map(|l| label(l.span, &l.text));
    Finding {
        name: diagnostic.rule.name,
        severity: match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        },
        message: diagnostic.message.clone(),
        path,
        span,
        labels: own.into_iter().chain(others).collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
        fix: diagnostic.fix.as_ref().map(|fix| fix_shape(fix, sources)),
        profile: diagnostic.profile.clone(),
        tokens: diagnostic.tokens,
        difference: diagnostic.difference.as_ref().map(|hunks| hunks.iter().map(hunk_shape).collect()),
    }
}

fn hunk_shape(hunk: &Hunk) -> HunkShape {
    let line = |line: &Line| LineShape {
        r#in: match line.side {
            Side::Both => "both",
            Side::Before => "before",
            Side::After => "after",
        },
        before: line.before,
        after: line.after,
        text: line.text.clone(),
        ended: line.ended,
    };
    HunkShape { lines: hunk.lines.iter().map(line).collect() }
}

fn fix_shape(fix: &diag::Fix, sources: &SourceMap) -> Fix {
    let edit = |edit: diag::DiskEdit| {
        let mut span = place::range(sources, edit.span);
        (span.start.byte, span.end.byte) = (edit.start, edit.end);
        Edit { path: sources.path(edit.span.file).to_owned(), span, text: edit.text }
    };
    Fix { edits: fix.on_disk(sources).into_iter().map(edit).collect(), safe: fix.safe }
}
