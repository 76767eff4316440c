//! `trailing-whitespace`: blanks at the end of a line, which nobody sees.

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
    let texts = &view.workspace.texts;
    for path in texts.paths() {
        let Ok(text) = texts.find(path) else { continue };
        if path.ends_with(".toml") {
            continue;
        }
        let mut start = 0;
        let mut places = Vec::new();
        for line in text.text.split_inclusive('\n') {
            let shown = line.trim_end_matches('\n');
            let kept = shown.trim_end_matches([' ', '\t']);
            if kept.len() < shown.len() {
                places.push(text.span(start + kept.len()..start + shown.len()));
            }
            start += line.len();
        }
        if !places.is_empty() {
            found.push(message(&places));
        }
    }
}

fn message(places: &[Span]) -> Diagnostic {
    let lines = if places.len() == 1 { "1 line".to_owned() } else { format!("{} lines", places.len()) };
    let edits = places.iter().map(|span| Edit { span: *span, text: String::new() }).collect();
    Diagnostic::new(&INFO, places[0], format!("{lines} with blanks at the end"))
        .label("nobody sees them, and the model pays for them")
        .help("strip them: `promptc lint --fix`")
        .fix(Fix { edits, safe: true })
}
