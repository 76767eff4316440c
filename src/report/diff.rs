//! What a change does: as text, as Markdown for a pull request, and as JSON, format `promptc.diff/1`.
//!
//! One set of sentences for people, made of phrases that know which of their words come from the project.

mod hunks;
mod json;
mod markdown;
mod phrase;
mod sentences;
mod text;

pub use json::json;
pub use markdown::{MARKER, MAX_MARKDOWN, markdown};
pub use text::text;

pub(super) use json::Document;

use crate::diff::Diff;
use crate::manifest::Zone;

/// A comparison with what it is of.
pub struct DiffReport<'a> {
    /// What changed.
    pub diff: &'a Diff,
    /// The base, for people, and its commit.
    pub base: (String, String),
    /// The head likewise; `None` for the working tree.
    pub head: Option<(String, String)>,
}

impl DiffReport<'_> {
    /// The sides for people: a name and the first digits of a commit.
    fn sides(&self) -> (String, String) {
        let shown = |(name, id): &(String, String)| {
            let short = id.get(..12).unwrap_or(id);
            if id.starts_with(name.as_str()) { short.to_owned() } else { format!("{name} ({short})") }
        };
        let head = self.head.as_ref().map_or_else(|| "working tree".to_owned(), shown);
        (shown(&self.base), head)
    }
}

/// The word for a zone.
fn zone(zone: Zone) -> &'static str {
    match zone {
        Zone::Static => "static",
        Zone::Dynamic => "dynamic",
    }
}
