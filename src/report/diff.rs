//! What a change does: as text, as Markdown for a pull request, and as JSON, format `promptc.diff/1`.
//!
//! One set of sentences for people, made of phrases that know which of their words come from the project.

mod hunks;
mod json;
mod markdown;
mod phrase;
mod sentences;
mod text;
mod told;

pub use json::json;
pub use markdown::{MARKER, MAX_MARKDOWN, markdown};
pub use text::text;

pub(super) use json::Document;

use crate::diff::Diff;
use crate::host::git::Revision;
use crate::manifest::Zone;

/// A comparison with what it is of.
pub struct DiffReport<'a> {
    /// What changed.
    pub diff: &'a Diff,
    /// The base.
    pub base: &'a Revision,
    /// The head; `None` for the working tree.
    pub head: Option<&'a Revision>,
}

impl DiffReport<'_> {
    /// The sides for people.
    fn sides(&self) -> (String, String) {
        (self.base.to_string(), self.head.map_or_else(|| "working tree".to_owned(), Revision::to_string))
    }
}

/// The word for a zone.
fn zone(zone: Zone) -> &'static str {
    match zone {
        Zone::Static => "static",
        Zone::Dynamic => "dynamic",
    }
}
