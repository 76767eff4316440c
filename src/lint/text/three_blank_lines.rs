//! `three-blank-lines`: more empty lines than anybody needs.

use std::ops::Range;

use crate::diag::{Diagnostic, Edit, Fix, RuleInfo, Severity};
use crate::lint::text::fences::Fences;
use crate::lint::{Check, Project, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "three-blank-lines",
    level: Severity::Warning,
    summary: "three or more blank lines in a row",
    doc: include_str!("three_blank_lines.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let sources = &view.workspace.sources;
    for written in view.written().into_iter().filter(|w| !w.collapsed) {
        for (count, range) in runs(&written.text.text) {
            let edit = written.without(sources, range.clone());
            found.push(written.section.finding(message(written.text.span(range), count, edit)));
        }
    }
}

/// Runs of three or more blank lines between lines of text, outside code: how many, and all of them but the first.
fn runs(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut out = Vec::new();
    let mut fences = Fences::default();
    let (mut at, mut count, mut second) = (0, 0, 0);
    let mut has_text = false;
    for line in text.split_inclusive('\n') {
        let code = fences.enters(line);
        let is_blank = line.trim_matches([' ', '\t', '\n']).is_empty();
        if !is_blank && count >= 3 && has_text {
            out.push((count, second..at));
        }
        match is_blank && !code {
            true => count += 1,
            false => count = 0,
        }
        at += line.len();
        if count == 1 {
            second = at;
        }
        has_text |= !is_blank;
    }
    out
}

fn message(place: Span, count: usize, edit: Option<Edit>) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("{count} blank lines in a row"))
        .label("one ends a paragraph as well")
        .help("keep one of them: `promptc lint --fix`");
    match edit {
        Some(edit) => found.fix(Fix::safe(vec![edit])),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        let mut out = text.to_owned();
        for (_, range) in runs(text).into_iter().rev() {
            out.replace_range(range, "");
        }
        assert!(runs(&out).is_empty(), "{out:?}");
        out
    }

    #[test]
    fn one_line_of_many_stays() {
        assert_eq!(mended("a\n\n\n\nb\n \n\t\n\n\nc\n"), "a\n\nb\n \nc\n");
        assert_eq!(mended("a\n\n\nb"), "a\n\n\nb");
    }

    #[test]
    fn ends_and_code_stay_as_they_are() {
        for text in ["\n\n\n\na", "a\n\n\n\n\n", "```\na\n\n\n\nb\n```\n"] {
            assert_eq!(mended(text), text);
        }
        assert_eq!(mended("```\na\n```\n\n\n\nb"), "```\na\n```\n\nb");
    }
}
