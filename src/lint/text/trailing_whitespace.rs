//! `trailing-whitespace`: blanks at the end of a line, which nobody sees.

use std::ops::Range;

use crate::diag::{Diagnostic, Edit, Fix, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "trailing-whitespace",
    level: Severity::Warning,
    summary: "blanks at the end of a line",
    doc: include_str!("trailing_whitespace.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let sources = &view.workspace.sources;
    for written in view.written() {
        let edits: Vec<Edit> =
            blanks(&written.text.text).into_iter().filter_map(|range| written.without(sources, range)).collect();
        if let Some(first) = edits.first().map(|edit| edit.span) {
            found.push(written.section.finding(message(first, edits)));
        }
    }
}

/// Blanks that say nothing. Two at the end of a line are a line break in Markdown where another line of text follows, and
/// stay; so do those at the very end of a text, which are trimmed, or meant.
fn blanks(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let shown = line.trim_end_matches('\n');
        let kept = shown.trim_end_matches([' ', '\t']);
        let follows = lines.peek().is_some_and(|next| !next.trim().is_empty());
        let is_break = follows && !kept.is_empty() && shown[kept.len()..].starts_with("  ");
        let from = kept.len() + if is_break { 2 } else { 0 };
        if from < shown.len() && line.ends_with('\n') {
            out.push(start + from..start + shown.len());
        }
        start += line.len();
    }
    out
}

fn message(first: Span, edits: Vec<Edit>) -> Diagnostic {
    let lines = if edits.len() == 1 { "1 line".to_owned() } else { format!("{} lines", edits.len()) };
    Diagnostic::new(&INFO, first, format!("{lines} with blanks at the end"))
        .label("nobody sees them, and the model pays for them")
        .help("strip them: `promptc lint --fix`")
        .fix(Fix::safe(edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        let mut out = text.to_owned();
        for range in blanks(text).into_iter().rev() {
            out.replace_range(range, "");
        }
        assert!(blanks(&out).is_empty(), "{out:?}");
        out
    }

    #[test]
    fn blanks_go_and_line_breaks_of_markdown_stay() {
        assert_eq!(stripped("one \ntwo\t\n \nthree"), "one\ntwo\n\nthree");
        assert_eq!(stripped("one  \ntwo    \nthree  \n\nfour  "), "one  \ntwo  \nthree\n\nfour  ");
        assert_eq!(stripped("  \nzwei\u{a0} \n"), "\nzwei\u{a0}\n");
    }
}
