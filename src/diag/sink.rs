//! Collects messages, decides how bad they are, drops repetitions.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::{Bounded, Diagnostic, Levels, Place, Severity};
use crate::limits::{Limit, Limits};
use crate::source::{SourceMap, Span};

/// Proof that the user was told of an error. Only a [`Sink`] makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported(());

/// All that one run has to say so far.
#[derive(Debug)]
pub struct Sink {
    list: Bounded,
    /// Rule, place and headline of everything that was said while there was room.
    said: BTreeSet<(&'static str, Place, String)>,
    /// The same of what came later, as a number: it is only counted.
    counted: BTreeSet<u64>,
    errors: usize,
    profile: Option<String>,
    levels: Levels,
    /// Reasons that silenced something.
    used: BTreeSet<Span>,
}

impl Default for Sink {
    fn default() -> Sink {
        Sink {
            list: Bounded::new(Limits::default().messages),
            said: BTreeSet::new(),
            counted: BTreeSet::new(),
            errors: 0,
            profile: None,
            levels: Levels::default(),
            used: BTreeSet::new(),
        }
    }
}

impl Sink {
    /// A sink that knows how bad each kind of message is.
    pub fn new(levels: Levels) -> Sink {
        Sink { levels, ..Sink::default() }
    }

    /// The same sink with room for so many messages; the rest is counted.
    pub fn at_most(mut self, messages: Limit) -> Sink {
        self.list.set_most(messages);
        self
    }

    /// Says which profile is compiled from here on.
    pub fn enter(&mut self, profile: &str) {
        self.profile = Some(profile.to_owned());
    }

    /// Takes an error in; the proof lets a stage give up.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        self.push(diagnostic);
        Reported(())
    }

    /// Takes a message of any level in.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if let Some(reason) = diagnostic.allowed.filter(|_| diagnostic.is_allowed()) {
            self.used.insert(reason);
            return;
        }
        let Some(severity) = self.levels.of(&diagnostic) else { return };
        diagnostic.severity = severity;
        // Counted even when it was said before: what it concerns is wrong all the same.
        self.errors += usize::from(severity == Severity::Error);
        let key = (diagnostic.rule.name, diagnostic.place.clone(), diagnostic.message.clone());
        if self.is_new(key) {
            diagnostic.profile = diagnostic.profile.or_else(|| self.profile.clone());
            self.list.push(diagnostic);
        }
    }

    fn is_new(&mut self, key: (&'static str, Place, String)) -> bool {
        if !self.list.is_full() {
            return self.said.insert(key);
        }
        // The default hasher has no secret, so that the count is the same in every run.
        !self.said.contains(&key) && self.counted.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(&key))
    }

    /// Takes all messages of another sink in.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// An empty sink that judges as this one does.
    pub fn fork(&self) -> Sink {
        let mut fork = Sink { profile: self.profile.clone(), ..Sink::new(self.levels.clone()) };
        fork.list.set_most(self.list.most());
        fork
    }

    /// Takes everything in that a fork has, and gives its messages out.
    pub fn join(&mut self, fork: Sink) -> Vec<Diagnostic> {
        self.used.extend(&fork.used);
        let list = fork.into_unsorted();
        self.extend(list.iter().cloned());
        list
    }

    /// Whether one more error is shown, not only counted: then it may say what it costs something to find out.
    pub fn shows_errors(&self) -> bool {
        self.list.shows_errors()
    }

    /// Whether the reason at a place silenced something.
    pub fn has_used(&self, reason: Span) -> bool {
        self.used.contains(&reason)
    }

    /// Proof of an error, if there was one.
    pub fn reported(&self) -> Option<Reported> {
        (self.errors > 0).then_some(Reported(()))
    }

    /// Number of errors so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// `Ok` when nothing was reported as an error since `before` errors were counted.
    ///
    /// # Errors
    /// The proof that something was.
    pub fn since(&self, before: usize) -> Result<(), Reported> {
        if self.errors > before { Err(Reported(())) } else { Ok(()) }
    }

    /// All messages in the order in which they came, to be looked through before they are told.
    pub fn into_unsorted(self) -> Vec<Diagnostic> {
        self.list.into_list(|_| {})
    }

    /// All messages by path, place and name. The same finding of several profiles is told once.
    pub fn into_sorted(self, sources: &SourceMap) -> Vec<Diagnostic> {
        self.list.into_list(|list| {
            list.sort_by_cached_key(|d| (sort_key(d, sources), d.rule.name, d.message.clone(), d.profile.clone()));
        })
    }
}

fn sort_key(diagnostic: &Diagnostic, sources: &SourceMap) -> (String, u64) {
    match &diagnostic.place {
        super::Place::Span(span) => (sources.path(span.file).to_owned(), span.start.into()),
        super::Place::File { path, bad } => (path.clone(), bad.map_or(0, |bad| bad.offset as u64)),
    }
}
