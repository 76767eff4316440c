//! The files below `prompts/` as a library of texts.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::host::ReadError;
use crate::limits::Limits;
use crate::source::{InvalidUtf8, Located, Span};
use crate::template::{Library, Templates};

/// Files by path from `prompts/`.
#[derive(Default, Debug)]
pub struct Texts {
    files: BTreeMap<String, Result<Located, Unusable>>,
    limits: Limits,
    templates: Templates,
}

/// Why a file that is there is no text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// It is not UTF-8.
    InvalidUtf8(InvalidUtf8),
    /// It could not be read.
    Unread(ReadError),
}

impl Texts {
    pub(super) fn new(limits: Limits) -> Texts {
        Texts { limits, ..Texts::default() }
    }

    pub(super) fn insert(&mut self, path: String, text: Result<Located, Unusable>) {
        self.files.insert(path, text);
    }

    /// A file, or why it cannot be used; `None` when it is not there.
    pub fn find(&self, path: &str) -> Result<&Located, Option<&Unusable>> {
        match self.files.get(path) {
            Some(Ok(text)) => Ok(text),
            Some(Err(problem)) => Err(Some(problem)),
            None => Err(None),
        }
    }

    /// The files that cannot be used, and why.
    pub(super) fn unusable(&self) -> impl Iterator<Item = (&str, &Unusable)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_ref().err()?)))
    }

    /// All paths, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

impl Library for Texts {
    fn get(&self, path: &str) -> Option<Located> {
        self.find(path).ok().cloned()
    }

    fn problem(&self, path: &str, place: Span) -> Option<Diagnostic> {
        self.find(path).err().flatten().map(|problem| super::unusable_file(place, path, problem, &self.limits))
    }

    fn templates(&self) -> &Templates {
        &self.templates
    }
}
