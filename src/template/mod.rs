//! The template engine, strict and closed: no clock, no randomness, no network, no file outside the library.
//!
//! Owns parsing, the check of names, which inputs a body reads through every include and macro, and rendering. Does
//! not know where a text came from. minijinja is used here alone; its syntax tree is behind `unstable_machinery`, so
//! its version is pinned. Main types: [`Engine`], [`Library`], [`Facts`].

mod analyse;
#[cfg(test)]
mod bounded;
mod engine;
mod errors;
mod filters;
mod fixed;
mod guard;
mod includes;
mod known;
mod parsed;
mod scope;
mod size;
mod split;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

pub use analyse::{Analysis, analyse};
pub use engine::{Engine, RenderError, Values};
pub use errors::{LIMIT_REACHED, RAW_VALUE_PRINTED, RULES, SECRET_IN_PROMPT, render_failed};
pub use filters::neutralise;
pub use fixed::fixed;
pub use parsed::{Parsed, Templates};
pub use split::{Body, Part};

use crate::diag::Diagnostic;
use crate::input::{Datum, Type, Value};
use crate::source::{Located, Span};

/// Texts that templates may include, import or extend, by path from `prompts/`.
pub trait Library: Send + Sync {
    /// The text of a file, if it can be used.
    fn get(&self, path: &str) -> Option<Located>;

    /// Why a file that is there cannot be used at a place.
    fn problem(&self, path: &str, place: Span) -> Option<Diagnostic>;

    /// What was parsed so far.
    fn templates(&self) -> &Templates;
}

/// Values that a template asks for one by one.
pub trait Lookup: fmt::Debug + Send + Sync {
    /// The value of a name, if it has one.
    fn value(&self, name: &str) -> Option<Value>;
}

/// The engine's switches for blanks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Syntax {
    /// A newline behind a block tag goes.
    pub trim_blocks: bool,
    /// Blanks ahead of a block tag on its line go.
    pub lstrip_blocks: bool,
    /// The newline that ends a file stays.
    pub keep_trailing_newline: bool,
}

/// What a template may name, and what is known of it when compiling.
pub trait Surroundings {
    /// The type of an input, when there is such an input.
    fn kind(&self, name: &str) -> Option<&Type>;

    /// The names of all inputs.
    fn names(&self) -> Vec<&str>;

    /// Whether the value may never be rendered.
    fn is_secret(&self, name: &str) -> bool;

    /// Whether the value is known when compiling, or comes from a finite set.
    fn is_countable(&self, name: &str) -> bool;

    /// Whether the value is text that somebody else wrote, or may hold some.
    fn is_foreign(&self, name: &str) -> bool;

    /// Whether there is an input with such a value.
    fn has_foreign(&self) -> bool;

    /// For an input that may be missing when rendering, the input whose value is then not given: itself, or the one that it
    /// is derived from.
    fn may_be_missing(&self, name: &str) -> Option<&str>;

    /// All combinations that can occur of the values of some countable inputs; `None` when there are more than
    /// `most`.
    fn combinations(&self, names: &BTreeSet<&str>, most: usize) -> Option<Vec<BTreeMap<String, Datum>>>;

    /// Surroundings with the same digest answer all questions alike, but for that about combinations of some names.
    fn digest(&self) -> &str;
}

/// What a body does with its inputs.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// Every place where an input is named, in reading order.
    pub mentions: Vec<Mention>,
    /// The inputs of every `if`, `elif` and inline `if` that reads some.
    pub conditionals: Vec<BTreeSet<Arc<str>>>,
    /// Files that the body uses, besides itself.
    pub files: BTreeSet<String>,
    /// Files that the body asks for, there or not.
    pub asked: BTreeSet<String>,
    /// Places that fail when an optional input is missing, as far as the body itself goes.
    pub unguarded: Vec<Unguarded>,
    /// Places that print foreign text as it comes.
    pub prints: Vec<Print>,
}

/// A place that touches an optional input without asking for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unguarded {
    /// The input that is named.
    pub input: Arc<str>,
    /// The input that may be missing: the same, or the one behind it.
    pub missing: Arc<str>,
    /// The place.
    pub span: Span,
}

/// A place that prints foreign text without a filter that keeps it from ending what it stands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// The inputs.
    pub inputs: Vec<Arc<str>>,
    /// The place.
    pub span: Span,
    /// In what the text stands, the innermost.
    pub inside: Option<Enclosure>,
}

/// What marks off a part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Enclosure {
    /// An element with this name, its end tag included.
    Element(String),
    /// Fenced code.
    Fence,
}

/// One place where a body names an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The input.
    pub input: Arc<str>,
    /// The place.
    pub span: Span,
    /// What is done with it.
    pub role: Role,
}

/// What is done with an input at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It decides: the condition of an `if`, a test such as `is defined`.
    Tested,
    /// It is printed as it is, with no filter and no attribute.
    PrintedBare,
    /// Anything else.
    Used,
}
