//! How bad each kind of message is in one run.

use std::collections::BTreeMap;

use super::{Diagnostic, Severity};

/// Levels of rules where they differ from the rules' own.
#[derive(Clone, Default, Debug)]
pub struct Levels {
    /// By rule; `None` is not told at all.
    set: BTreeMap<String, Option<Severity>>,
    warnings_are_errors: bool,
    without_info: bool,
}

impl Levels {
    /// Sets the level of a rule; `None` silences it. The last word counts.
    pub fn set(&mut self, rule: &str, level: Option<Severity>) {
        self.set.insert(rule.to_owned(), level);
    }

    /// Makes an error of every warning.
    pub fn deny_warnings(&mut self) {
        self.warnings_are_errors = true;
    }

    /// Tells nothing that is only worth knowing.
    pub fn without_info(mut self) -> Levels {
        self.without_info = true;
        self
    }

    /// How bad a message is; `None` when it is not told.
    ///
    /// A level that is set counts for every message of the rule, but makes none worse that the rule itself calls
    /// better than its others.
    pub(super) fn of(&self, diagnostic: &Diagnostic) -> Option<Severity> {
        let own = diagnostic.severity;
        if diagnostic.firm {
            return Some(own);
        }
        let level = match self.set.get(diagnostic.rule.name) {
            None => own,
            Some(None) => return None,
            Some(Some(set)) if own < diagnostic.rule.level => own.min(*set),
            Some(Some(set)) => *set,
        };
        match level {
            Severity::Warning if self.warnings_are_errors => Some(Severity::Error),
            Severity::Info if self.without_info => None,
            level => Some(level),
        }
    }
}
