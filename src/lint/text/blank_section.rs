//! `blank-section`: a section of blanks.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Route, Rule};
use crate::manifest::Trim;

pub(in crate::lint) static RULE: Rule =
    Rule { info: &INFO, check: Check::Several(&[Check::Route(written), Check::Artifact(sent)]) };

static INFO: RuleInfo = RuleInfo {
    name: "blank-section",
    level: Severity::Warning,
    summary: "a section that is nothing but blanks",
    doc: include_str!("blank_section.md"),
};

/// Sections whose text is blank as it is written, and trimmed away. That one comes out empty for some values is what
/// conditions are for.
fn written(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let layout = &view.route.layout;
    for section in view.route.sections.iter().filter(|s| !s.is_layer() && !s.keep_empty.unwrap_or(layout.keep_empty)) {
        let has_blanks = section.bodies().iter().any(|text| !text.text.is_empty());
        let blank = section.is_blank() && !(section.trim.unwrap_or(layout.trim) == Trim::None && has_blanks);
        if blank {
            let message = format!("the section `{}` has no text", section.id);
            let diagnostic = Diagnostic::new(&INFO, section.span, message)
                .label("nothing but blanks")
                .note("it is dropped whenever it would stand in a prompt")
                .help("take the section out, or write its text")
                .help("or, if it is there for its separator, say `keep_empty = true`");
            found.push(section.finding(diagnostic));
        }
    }
}

/// Blanks that are sent: where nothing trims them.
fn sent(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let blank_block = |text: &str| text.trim().is_empty();
    for block in &view.subject.fitted.plan.blocks {
        let Some(text) = block.text.as_ref().filter(|text| blank_block(&text.text)) else { continue };
        let Some(placed) = block.sections.first() else { continue };
        let section = &view.subject.route.sections[placed.index];
        let message = format!("the {} block is nothing but blanks", block.kind.name());
        let diagnostic = Diagnostic::new(&INFO, section.span, message)
            .label("its only text is from here")
            .note("providers refuse a text block of blanks, and the whole request with it")
            .help("let blanks be trimmed: `trim = \"both\"`, or take the section out")
            .tokens(text.tokens);
        found.push(section.finding(diagnostic));
    }
}
