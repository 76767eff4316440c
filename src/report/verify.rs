//! Output against goldens: as text, and as JSON, format `promptc.verify/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::escape::escape;
use super::text::Colors;
use super::{hunks, tokens};
use crate::hunks::Side;
use crate::json;
use crate::source::{SourceMap, Span};
use crate::verify::{Change, Check, Difference, GoldenName, Report, Touched, Trifle, Verdict};

/// Most changed lines of one artifact that are shown as text.
const SHOWN: usize = 200;

/// What a run compared.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "promptc.verify/1")]
pub(super) struct Document {
    /// Always `promptc.verify/1`.
    #[schemars(extend("const" = "promptc.verify/1"))]
    format: &'static str,
    /// The profile.
    profile: String,
    checks: Vec<CheckShape>,
    /// Goldens that belong to no artifact.
    unused: Vec<String>,
    summary: Summary,
}

#[derive(Serialize, JsonSchema)]
struct CheckShape {
    /// The fixture, or the profile of an artifact that needs no context.
    artifact: String,
    /// Null when there is none.
    golden: Option<GoldenShape>,
    /// `only`: the bytes differ, the texts do not.
    #[schemars(extend("enum" = ["same", "only", "differs", "not-text", "missing"]))]
    verdict: &'static str,
    /// What the bytes differ in when the texts do not.
    only: Vec<&'static str>,
    /// The first byte, from 0: that differs, or that is not UTF-8.
    byte: Option<usize>,
    /// Its line, from 1.
    line: Option<usize>,
    /// Its column in characters, from 1.
    column: Option<usize>,
    changes: Vec<ChangeShape>,
}

#[derive(Serialize, JsonSchema)]
struct GoldenShape {
    path: String,
    /// Its name in a file that has several.
    entry: Option<String>,
    #[schemars(extend("enum" = ["plain", "insta", "exports"]))]
    form: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct ChangeShape {
    /// Sections that it falls in.
    sections: Vec<PlaceShape>,
    lines: Vec<LineShape>,
}

#[derive(Serialize, JsonSchema)]
struct PlaceShape {
    /// Null when there is no section at all.
    id: Option<String>,
    /// Whether it is the text behind the section that differs, not its own.
    behind: bool,
    /// From the project's root.
    path: Option<String>,
    /// From 1.
    line: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct LineShape {
    #[schemars(extend("enum" = ["both", "golden", "output"]))]
    r#in: &'static str,
    /// Its number in the golden, from 1, or where it would stand.
    golden: usize,
    /// Its number in the output, from 1, or where it would stand.
    output: usize,
    text: String,
    /// Whether a line end stands behind it.
    ended: bool,
}

#[derive(Serialize, JsonSchema)]
struct Summary {
    compared: usize,
    same: usize,
    different: usize,
    missing: usize,
}

/// The comparisons as JSON.
pub fn json(profile: &str, report: &Report, sources: &SourceMap) -> String {
    json::to_text(&Document {
        format: "promptc.verify/1",
        profile: profile.to_owned(),
        checks: report.checks.iter().map(|c| check_shape(c, sources)).collect(),
        unused: report.unused.clone(),
        summary: summary(report),
    })
}

fn check_shape(check: &Check, sources: &SourceMap) -> CheckShape {
    let difference = match &check.verdict {
        Verdict::Differs(difference) => Some(difference),
        _ => None,
    };
    CheckShape {
        artifact: check.name.clone(),
        golden: check.golden.as_ref().map(|g| GoldenShape {
            path: g.path.clone(),
            entry: g.entry.clone(),
            form: g.form.name(),
        }),
        verdict: verdict_word(&check.verdict),
        only: match &check.verdict {
            Verdict::Only(trifles) => trifles.iter().map(|t| trifle_word(*t)).collect(),
            _ => Vec::new(),
        },
        byte: match &check.verdict {
            Verdict::NotText(byte) => Some(*byte),
            _ => difference.map(|d| d.byte),
        },
        line: difference.map(|d| d.line),
        column: difference.map(|d| d.column),
        changes: difference.map_or_else(Vec::new, |d| d.changes.iter().map(|c| change_shape(c, sources)).collect()),
    }
}

fn change_shape(change: &Change, sources: &SourceMap) -> ChangeShape {
    let place = |touched: &Touched| {
        let (id, behind, source) = match touched {
            Touched::Section { id, source } => (Some(id), false, Some(*source)),
            Touched::Behind { id, source } => (Some(id), true, Some(*source)),
            Touched::Nowhere => (None, false, None),
        };
        let (path, line) = source.map(|s| path_and_line(s, sources)).unzip();
        PlaceShape { id: id.cloned(), behind, path, line }
    };
    ChangeShape {
        sections: change.places.iter().map(place).collect(),
        lines: change
            .hunk
            .lines
            .iter()
            .map(|line| LineShape {
                r#in: match line.side {
                    Side::Both => "both",
                    Side::Before => "golden",
                    Side::After => "output",
                },
                golden: line.before,
                output: line.after,
                text: line.text.clone(),
                ended: line.ended,
            })
            .collect(),
    }
}

fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Only(_) => "only",
        Verdict::Differs(_) => "differs",
        Verdict::NotText(_) => "not-text",
        Verdict::Missing => "missing",
    }
}

fn trifle_word(trifle: Trifle) -> &'static str {
    match trifle {
        Trifle::ByteOrderMark => "byte-order-mark",
        Trifle::CarriageReturns => "carriage-returns",
        Trifle::GoldenEndsInNewline => "newline-at-the-end-of-the-golden",
        Trifle::OutputEndsInNewline => "newline-at-the-end-of-the-output",
    }
}

fn trifle_phrase(trifle: Trifle) -> &'static str {
    match trifle {
        Trifle::ByteOrderMark => "the golden begins with a byte order mark",
        Trifle::CarriageReturns => "the golden has carriage returns in its line ends",
        Trifle::GoldenEndsInNewline => "the golden ends in a newline that the output has not",
        Trifle::OutputEndsInNewline => "the output ends in a newline that the golden has not",
    }
}

/// The comparisons for people: a line each, then what differs.
pub fn text(report: &Report, sources: &SourceMap, colors: Colors) -> String {
    let mut lines = Vec::new();
    for check in &report.checks {
        let state = match &check.verdict {
            Verdict::Same => "same",
            Verdict::Missing => "no golden",
            Verdict::Only(_) | Verdict::Differs(_) | Verdict::NotText(_) => "differs",
        };
        let golden = check.golden.as_ref().map_or_else(|| "-".to_owned(), shown);
        lines.push([state.to_owned(), escape(&check.name), golden]);
    }
    let mut out = tokens::columns(&lines, 3);
    for check in &report.checks {
        let Some(golden) = &check.golden else { continue };
        let head = format!("{} differs from {}", escape(&check.name), shown(golden));
        match &check.verdict {
            Verdict::Same | Verdict::Missing => {}
            Verdict::NotText(byte) => {
                out.push_str(&format!("\n{head}: the golden is not UTF-8 from byte {byte} on\n"));
            }
            Verdict::Only(trifles) => {
                let phrases: Vec<&str> = trifles.iter().map(|t| trifle_phrase(*t)).collect();
                out.push_str(&format!("\n{head} in nothing but its bytes: {}\n", phrases.join(", and ")));
            }
            Verdict::Differs(difference) => {
                out.push_str(&format!(
                    "\n{head} at byte {}, line {}, column {}\n",
                    difference.byte, difference.line, difference.column
                ));
                out.push_str(&changes(difference, sources, colors));
            }
        }
    }
    let Summary { compared, same, different, missing } = summary(report);
    out.push_str(&format!("\n{compared} compared: {same} same, {different} different"));
    if missing > 0 {
        out.push_str(&format!("; {missing} without a golden"));
    }
    out.push('\n');
    out
}

fn shown(golden: &GoldenName) -> String {
    let entry = golden.entry.as_ref().map_or_else(String::new, |entry| format!(" `{entry}`"));
    escape(&format!("{}{entry}", golden.path)).replace('\n', "\\n")
}

/// The hunks of a difference, `-` for the golden and `+` for the output.
fn changes(difference: &Difference, sources: &SourceMap, colors: Colors) -> String {
    let mut out = String::new();
    let mut lines = 0;
    for (n, change) in difference.changes.iter().enumerate() {
        let own = change.hunk.changes().count();
        if lines > 0 && lines + own > SHOWN {
            let rest = &difference.changes[n..];
            let left: usize = rest.iter().map(|c| c.hunk.changes().count()).sum();
            out.push_str(&format!("\n{left} more lines differ, in {} more places: see `--format json`\n", rest.len()));
            break;
        }
        lines += own;
        out.push_str(&format!("\n{}\n", places(change, sources)));
        out.push_str(&hunks::text(&change.hunk, colors));
    }
    out
}

fn places(change: &Change, sources: &SourceMap) -> String {
    let one = |touched: &Touched| {
        let (words, source) = match touched {
            Touched::Section { id, source } => (format!("in `{id}`"), *source),
            Touched::Behind { id, source } => (format!("behind `{id}`"), *source),
            Touched::Nowhere => return "in no section".to_owned(),
        };
        let (path, line) = path_and_line(source, sources);
        format!("{words} ({}:{line})", escape(&path))
    };
    let all: Vec<String> = change.places.iter().map(one).collect();
    all.join(", ")
}

fn path_and_line(source: Span, sources: &SourceMap) -> (String, u32) {
    let file = sources.file(source.file);
    (file.path().to_owned(), file.lines().line(source.start))
}

fn summary(report: &Report) -> Summary {
    let count = |word: &str| report.checks.iter().filter(|c| verdict_word(&c.verdict) == word).count();
    let (same, missing) = (count("same"), count("missing"));
    let compared = report.checks.len() - missing;
    Summary { compared, same, different: compared - same, missing }
}
