//! The names of all messages: one name space for errors of the language and lints.

use crate::diag::{Levels, RuleInfo, Severity};
use crate::manifest::{LintLevel, Project};
use crate::{diag, expr, input, manifest, plan, render, resolve, select, template, workspace};

/// Names of lints, which `allow` may silence. Sorted. A name is never reused.
const LINTS: [&str; 69] = [
    "agent-without-body",
    "always-true",
    "append-lost",
    "attribution-volatile",
    "below-minimum",
    "blank-section",
    "boundary-marker-in-text",
    "boundary-moved",
    "byte-order-mark",
    "complementary-sections",
    "condition-without-effect",
    "context-window",
    "dangerous-added",
    "day-rollover",
    "dead-section",
    "determined-input",
    "duplicate-text",
    "fence-breakout",
    "invisible-characters",
    "layer-leak",
    "lifetime-order",
    "lifetime-shortened",
    "mark-not-emitted",
    "mark-on-volatile",
    "mark-order",
    "mergeable-sections",
    "mixed-newlines",
    "model-identity",
    "one-hot-inputs",
    "output-too-large",
    "over-budget",
    "private-text-leak",
    "raw-value-printed",
    "reason-changed",
    "redundant-condition",
    "redundant-constraint",
    "rendered-input",
    "required-removed",
    "scope-narrowed",
    "scope-unsupported",
    "secret-in-prompt",
    "section-demoted",
    "section-moved",
    "shadowed-layer",
    "static-after-boundary",
    "static-conditional",
    "static-in-dangerous",
    "static-interpolation",
    "static-prefix-now-runtime",
    "static-prefix-rewritten",
    "static-variants-grew",
    "suspicious-lifetime",
    "suspicious-literal",
    "three-blank-lines",
    "too-many-marks",
    "trailing-whitespace",
    "truncated-value",
    "two-readings",
    "unguarded-optional",
    "unknown-model",
    "unordered-collection",
    "unreachable-value",
    "unrendered-placeholder",
    "unsatisfiable-constraints",
    "unused-allow",
    "unused-input",
    "unused-layer",
    "value-not-sanitised",
    "variant-budget",
];

/// Every kind of message that is told, sorted by name.
pub fn rules() -> Vec<&'static RuleInfo> {
    let mut all: Vec<&RuleInfo> = Vec::new();
    all.extend(diag::RULES);
    all.extend(input::RULES);
    all.extend(expr::RULES);
    all.extend(template::RULES);
    all.extend(manifest::RULES);
    all.extend(workspace::RULES);
    all.extend(resolve::RULES);
    all.extend(select::RULES);
    all.extend(render::RULES);
    all.extend(plan::RULES);
    all.extend(super::errors::RULES);
    all.sort_by_key(|rule| rule.name);
    all
}

/// The kind of message of this name.
pub fn rule(name: &str) -> Option<&'static RuleInfo> {
    rules().into_iter().find(|rule| rule.name == name)
}

/// Names of lints, which `allow` may silence and whose levels may be set. Sorted.
pub fn lint_names() -> &'static [&'static str] {
    &LINTS
}

/// The levels that a project sets.
pub fn levels(project: &Project) -> Levels {
    let mut levels = Levels::default();
    for (name, level) in &project.lints {
        let level = match level.value {
            LintLevel::Error => Some(Severity::Error),
            LintLevel::Warn => Some(Severity::Warning),
            LintLevel::Info => Some(Severity::Info),
            LintLevel::Allow => None,
        };
        if is_allowable(&name.value) {
            levels.set(&name.value, level);
        }
    }
    levels
}

/// Whether `allow` may silence it.
pub(super) fn is_allowable(name: &str) -> bool {
    LINTS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_kebab_and_say_what_is_bad() {
        let rules = rules();
        for pair in rules.windows(2) {
            assert_ne!(pair[0].name, pair[1].name);
        }
        for rule in &rules {
            assert!(
                rule.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                "{}",
                rule.name
            );
            assert!(rule.summary.len() <= 90 && !rule.summary.ends_with('.'), "{}", rule.name);
            assert!(!rule.doc.is_empty(), "{}", rule.name);
            for prefix in ["no-use", "avoid-", "prefer-", "do-not-", "use-"] {
                assert!(!rule.name.starts_with(prefix), "{}", rule.name);
            }
        }
        assert!(LINTS.is_sorted());
        assert!(rules.iter().filter(|r| r.level != Severity::Error).all(|r| is_allowable(r.name)));
    }
}
