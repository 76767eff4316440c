//! One file's TOML to typed, spanned definitions: prompt, profile, project; and agents from Markdown.
//!
//! Parsing is total: it gives what it could read and all it has to say. Does not know other files. Main types:
//! [`Prompt`], [`Section`], [`Profile`], [`Project`], [`Agent`].

mod agent;
mod chain;
pub mod edits;
mod errors;
mod inputs;
mod layout;
mod names;
mod path;
mod pattern;
mod profile;
mod project;
mod prompt;
mod reader;
mod reason;
mod section;
mod strings;

pub use agent::Agent;
pub use chain::{AgentName, AppendItem, Carrier, Chain, Layer, Link, Mode, Shape};
pub use errors::{AGENT_FRONT_MATTER, PATH_OUTSIDE_ROOT, RULES, TOML_SYNTAX, UNKNOWN_KEY};
pub use inputs::TYPES;
pub use layout::{Layout, LayoutPart, Piece, Replace, Separator, Trim};
pub use names::is_file_name;
pub use path::{PathProblem, normalise};
pub use profile::{Fixture, Limits, MatrixKey, Profile, Target, Traffic, Ttl};
pub use project::{LintLevel, ModelFact, Paths, Prices, Project, ProviderFact, TokenizerFact};
pub use prompt::{Constraint, Prompt, Variant};
pub use section::{Allow, Body, Channel, Content, Role, Section, Zone};

use crate::diag::Diagnostic;

/// What one file says, and what there is to say about it.
#[derive(Debug)]
pub struct Parsed<T> {
    /// What could be read.
    pub value: T,
    /// All findings in this file.
    pub diagnostics: Vec<Diagnostic>,
}
