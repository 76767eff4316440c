//! What a message means.

use crate::compile;
use crate::diag::Severity;

/// The explanation of a message's name.
pub fn explain(name: &str) -> Option<String> {
    let rule = compile::rule(name)?;
    let level = match rule.level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    Some(format!("{} ({level})\n{}\n\n{}\n", rule.name, rule.summary, rule.doc))
}

/// All names that can be explained, sorted.
pub fn known_names() -> Vec<&'static str> {
    compile::rules().into_iter().map(|rule| rule.name).collect()
}
