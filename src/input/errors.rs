//! Messages about data files: contexts, fixtures, front matter.

use crate::diag::{RuleInfo, Severity};

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 1] = [&CONTEXT_SYNTAX];

/// A data file that does not parse, or holds what a context may not.
pub static CONTEXT_SYNTAX: RuleInfo = RuleInfo {
    name: "context-syntax",
    level: Severity::Error,
    summary: "a context, fixture or front matter that cannot be read",
    doc: "Contexts are JSON, YAML (1.2 core schema) or TOML. Refused are duplicate keys, integers past 64 bits, infinities, dates in TOML, and in YAML tags, merge keys, `1_000` and `017`.",
};
