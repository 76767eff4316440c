//! `output-too-large`: on the way to the size at which the build stops.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::limits::Limit;
use crate::lint::{Artifact, Check, Rule};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "output-too-large",
    level: Severity::Warning,
    summary: "a section or an artifact on the way to the size at which the build stops",
    doc: include_str!("output_too_large.md"),
};

/// The part of a limit from which it is told.
const PART: usize = 4;

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let limits = &view.workspace.limits;
    let sections = view.sections();
    for told in sections.iter().filter(|told| is_near(told.text.len(), limits.section_bytes)) {
        let message = format!("the section `{}` has more than {} of text", told.section.id, part(limits.section_bytes));
        let diagnostic = Diagnostic::new(&INFO, told.section.span, message)
            .label(format!("{} bytes", told.text.len()))
            .note(note(limits.section_bytes))
            .help("bound what it prints: `max_chars`, `max_items`, `| limit(n, note)`");
        found.push(told.section.finding(diagnostic));
    }
    let all: usize = sections.iter().map(|told| told.text.len()).sum();
    if is_near(all, limits.artifact_bytes) {
        let message = format!("the prompt has more than {} of text", part(limits.artifact_bytes));
        let diagnostic = Diagnostic::new(&INFO, view.subject.resolved.chain_span, message)
            .label(format!("{all} bytes in {} sections", sections.len()))
            .note(note(limits.artifact_bytes))
            .help("bound the values by `max_chars` and `max_items`");
        found.push(diagnostic);
    }
}

fn is_near(bytes: usize, limit: Limit) -> bool {
    bytes > limit.value / PART
}

fn part(limit: Limit) -> String {
    Limit { value: limit.value / PART, ..limit }.amount()
}

fn note(limit: Limit) -> String {
    format!("at {} the build stops, and providers refuse a request long before", limit.amount())
}
