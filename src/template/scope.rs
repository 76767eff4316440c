//! Names that a template itself makes, and what is known of names at a place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is known at one place of a template.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Scope {
    /// Set on every way here: an input of this name is hidden.
    certain: BTreeSet<String>,
    /// Set on some way here.
    possible: BTreeSet<String>,
    /// Optional inputs that have a value on every way here.
    defined: BTreeSet<String>,
    /// Own names whose values may hold foreign text as it came.
    foreign: BTreeMap<String, BTreeSet<Origin>>,
    /// Own names that are macros: the file, and the name there. `module.name` for those of an imported file.
    macros: BTreeMap<String, MacroId>,
}

/// Where foreign text comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Origin {
    /// An input.
    Input(Arc<str>),
    /// The argument of the macro that is being read, by its place.
    Argument(usize),
}

/// A macro: the path of its file, empty for the section's own text, and its name there.
pub(super) type MacroId = (String, String);

impl Scope {
    pub(super) fn assign(&mut self, name: &str) {
        self.certain.insert(name.to_owned());
        self.possible.insert(name.to_owned());
        self.foreign.remove(name);
    }

    /// Says that a name holds foreign text, besides what it may hold.
    pub(super) fn taint(&mut self, name: &str, origins: BTreeSet<Origin>) {
        if !origins.is_empty() {
            self.foreign.entry(name.to_owned()).or_default().extend(origins);
        }
    }

    /// Whose text a name of the template's own may hold.
    pub(super) fn origins(&self, name: &str) -> impl Iterator<Item = &Origin> {
        self.foreign.get(name).into_iter().flatten()
    }

    /// Says which macro a name is; `MODULE.` is a whole file of them.
    pub(super) fn name_macro(&mut self, name: String, id: MacroId) {
        self.macros.insert(name, id);
    }

    /// The macro of a name, or of `module.name`.
    pub(super) fn find_macro(&self, module: Option<&str>, name: &str) -> Option<MacroId> {
        match module {
            None => self.macros.get(name).cloned(),
            Some(module) => self.macros.get(&format!("{module}.")).map(|(path, _)| (path.clone(), name.to_owned())),
        }
    }

    /// Says that optional inputs have values.
    pub(super) fn define(&mut self, names: BTreeSet<String>) {
        self.defined.extend(names);
    }

    /// Whether an optional input certainly has a value.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.defined.contains(name)
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

    /// How many names it holds: what a copy of it costs.
    pub(super) fn size(&self) -> usize {
        let origins = self.foreign.values().map(BTreeSet::len).sum::<usize>();
        self.possible.len() + self.defined.len() + origins + self.macros.len()
    }

    /// What holds where two ways meet.
    pub(super) fn join(mut self, other: Scope) -> Scope {
        for (name, origins) in other.foreign {
            self.taint(&name, origins);
        }
        Scope {
            certain: self.certain.intersection(&other.certain).cloned().collect(),
            possible: self.possible.into_iter().chain(other.possible).collect(),
            defined: self.defined.intersection(&other.defined).cloned().collect(),
            foreign: self.foreign,
            macros: self.macros.into_iter().chain(other.macros).collect(),
        }
    }
}
