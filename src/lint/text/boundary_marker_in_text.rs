//! `boundary-marker-in-text`: text that some program takes for a boundary.

use std::ops::Range;
use std::sync::LazyLock;

use fancy_regex::Regex;

use super::values;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Project, Rule, Written};
use crate::manifest;

pub(in crate::lint) static RULE: Rule =
    Rule { info: &INFO, check: Check::Several(&[Check::Project(in_texts), Check::Artifact(in_values)]) };

static INFO: RuleInfo = RuleInfo {
    name: "boundary-marker-in-text",
    level: Severity::Warning,
    summary: "text that some program takes for a boundary",
    doc: include_str!("boundary_marker_in_text.md"),
};

/// How boundaries are marked inside text, and by whom they are read.
static MARKERS: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    let marker = |pattern: &str, what| (Regex::new(pattern).expect("the patterns are our own"), what);
    [
        marker(
            r"\b_{0,3}(?:[A-Z]+_)*(?:CACHE|DYNAMIC|STATIC|PROMPT|PREFIX)_(?:[A-Z]+_)*(?:BOUNDARY|BREAKPOINT|SPLIT)_{0,3}\b",
            "a mark at which clients cut a prompt",
        ),
        marker(
            r"(?i)<!--\s*(?:prompt|cache|static|dynamic)[ _-]+(?:boundary|breakpoint|break|split)\s*-->",
            "a mark at which clients cut a prompt",
        ),
        marker(r"(?im)^[ \t]*x-[a-z-]*billing-[a-z-]+:", "an attribution line, which clients take out"),
        marker(
            r"<\|[a-z][a-z0-9_]{2,30}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>",
            "a control token, by which models tell messages apart",
        ),
    ]
});

/// The first marker of a text.
fn marker(text: &str) -> Option<(Range<usize>, &'static str)> {
    let all = MARKERS.iter().filter_map(|(pattern, what)| Some((pattern.find(text).ok()??.range(), *what)));
    all.min_by_key(|(range, _)| range.start)
}

fn in_texts(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for written in view.written() {
        // An attribution line in its own block is what it says.
        let declared = written.section.role == manifest::Role::Attribution;
        if let (false, Some((range, what))) = (declared, marker(&written.text.text)) {
            found.push(written.section.finding(text_message(&written, range, what)));
        }
    }
}

fn in_values(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    for brought in values::brought(view, &marker) {
        let (name, what) = (&brought.input, brought.what);
        let diagnostic = Diagnostic::new(&INFO, brought.place, format!("the value of `{name}` brings in {what}"))
            .label(format!("`{}`", brought.found.trim()))
            .also(brought.section.span, "in this section")
            .note("promptc tells blocks apart by what you declare; other programs may read the text")
            .help("take it out of the value, or make sure that nobody looks for it");
        found.push(brought.section.finding(diagnostic));
    }
}

fn text_message(written: &Written<'_>, range: Range<usize>, what: &str) -> Diagnostic {
    let found = &written.text.text[range.clone()];
    Diagnostic::new(&INFO, written.text.span(range.clone()), format!("`{}` is {what}", found.trim()))
        .label("in the text of a section")
        .also(written.section.span, "of this one")
        .note("promptc tells blocks apart by what you declare; other programs may read the text")
        .help("say it by `zone` and `role`, and take the mark out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_words_about_them() {
        for text in [
            "a\n__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__\nb",
            "CACHE_BREAKPOINT",
            "x <!-- cache-boundary --> y",
            "x-acme-billing-header: v=1",
            "say <|im_start|>system",
            "[INST] hello",
        ] {
            assert!(marker(text).is_some(), "{text}");
        }
        for text in [
            "The cache boundary stands behind this. Set BOUNDARY=3, CROSS_BOUNDARY or a DYNAMIC_PORT.",
            "<!-- split this later --> a <| b |> c, INST, see x-ray: no",
            "if a <|b|> c { static_boundary() }",
        ] {
            assert!(marker(text).is_none(), "{text}: {:?}", marker(text));
        }
    }
}
