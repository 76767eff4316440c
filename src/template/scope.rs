//! Names that a template itself makes.

use std::collections::BTreeSet;

/// Names at one place of a template.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Scope {
    /// Set on every way here: an input of this name is hidden.
    certain: BTreeSet<String>,
    /// Set on some way here.
    possible: BTreeSet<String>,
}

impl Scope {
    pub(super) fn assign(&mut self, name: &str) {
        self.certain.insert(name.to_owned());
        self.possible.insert(name.to_owned());
    }

    /// A name that is set somewhere in the text ahead.
    pub(super) fn expect(&mut self, name: &str) {
        self.possible.insert(name.to_owned());
    }

    /// Whether the name is certainly the template's own.
    pub(super) fn hides(&self, name: &str) -> bool {
        self.certain.contains(name)
    }

    /// Whether the name may be the template's own.
    pub(super) fn may_have(&self, name: &str) -> bool {
        self.possible.contains(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.possible.iter().map(String::as_str)
    }

    /// What holds where two ways meet.
    pub(super) fn join(self, other: Scope) -> Scope {
        Scope {
            certain: self.certain.intersection(&other.certain).cloned().collect(),
            possible: self.possible.into_iter().chain(other.possible).collect(),
        }
    }
}
