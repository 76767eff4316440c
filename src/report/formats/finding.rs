//! What all formats for programs need of a message: where it is from the repository's top, and what it is known by.

use std::collections::BTreeMap;

use super::Messages;
use crate::diag::{Diagnostic, Place, Severity};
use crate::digest;
use crate::report::place::{self, Range};
use crate::source::{SourceMap, Span};

/// One message with its place.
pub(super) struct Finding<'a> {
    pub(super) diagnostic: &'a Diagnostic,
    pub(super) at: Location,
    /// The same for the same finding in the same line, wherever the line stands: 32 hexadecimal digits.
    pub(super) fingerprint: String,
}

/// A place in a file.
pub(super) struct Location {
    /// From the top of the repository.
    pub(super) path: String,
    /// None in a file that is no text.
    pub(super) range: Option<Range>,
}

impl Location {
    /// The line where it begins, from 1; the first one of a file that is no text, because the programs that show
    /// findings want a line.
    pub(super) fn line(&self) -> u32 {
        self.range.map_or(1, |range| range.start.line)
    }

    /// `path:line:column`, or the path of a file that is no text.
    pub(super) fn shown(&self) -> String {
        match self.range {
            Some(Range { start, .. }) => format!("{}:{}:{}", self.path, start.line, start.column),
            None => self.path.clone(),
        }
    }
}

/// All messages with their places and fingerprints.
pub(super) fn findings<'a>(messages: &Messages<'a>) -> Vec<Finding<'a>> {
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let finding = |diagnostic: &'a Diagnostic| {
        let at = match &diagnostic.place {
            Place::Span(span) => location(messages, *span),
            Place::File { path, bad } => {
                Location { path: format!("{}{path}", messages.folder), range: bad.map(place::bad_byte) }
            }
        };
        let line = first_line(diagnostic, messages.sources).split_whitespace().collect::<Vec<_>>().join(" ");
        let same = format!("{}\0{}\0{line}", diagnostic.rule.name, at.path);
        let count = known.entry(same.clone()).or_default();
        *count += 1;
        let mut fingerprint = digest::text(&format!("{same}\0{count}"));
        fingerprint.truncate(32);
        Finding { diagnostic, at, fingerprint }
    };
    messages.list.iter().map(finding).collect()
}

/// The place of a span.
pub(super) fn location(messages: &Messages<'_>, span: Span) -> Location {
    let path = format!("{}{}", messages.folder, messages.sources.path(span.file));
    Location { path, range: Some(place::range(messages.sources, span)) }
}

/// The line of the file in which a message begins.
fn first_line<'a>(diagnostic: &Diagnostic, sources: &'a SourceMap) -> &'a str {
    let Place::Span(span) = &diagnostic.place else { return "" };
    let file = sources.file(span.file);
    let start = file.lines().start(file.lines().line(span.start)).unwrap_or(0);
    file.text().get(start as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// Everything that a message says besides its headline, a line each: what the places are, notes, help.
pub(super) fn details(diagnostic: &Diagnostic) -> impl Iterator<Item = (&'static str, &str)> {
    let label = Some(("", diagnostic.label.as_str())).filter(|(_, text)| !text.is_empty());
    let notes = diagnostic.notes.iter().map(|note| ("note: ", note.as_str()));
    let help = diagnostic.help.iter().map(|help| ("help: ", help.as_str()));
    label.into_iter().chain(notes).chain(help)
}

/// The word of a severity.
pub(super) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
