//! Places as people count them: lines and columns from 1, columns in characters, bytes of the file on disk from 0.

use schemars::JsonSchema;
use serde::Serialize;

use crate::source::{InvalidUtf8, SourceMap, Span};

/// A point in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(super) struct Point {
    /// From 1.
    pub(super) line: u32,
    /// In characters, from 1.
    pub(super) column: u32,
    /// In the file on disk, from 0.
    pub(super) byte: u64,
}

/// A range of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(super) struct Range {
    pub(super) start: Point,
    pub(super) end: Point,
}

/// The place of a byte that is no text.
pub(super) fn bad_byte(bad: InvalidUtf8) -> Range {
    let point = Point { line: bad.line, column: bad.column, byte: bad.offset as u64 };
    Range { start: point, end: point }
}

/// The range of a span.
pub(super) fn range(sources: &SourceMap, span: Span) -> Range {
    let file = sources.file(span.file);
    let lines = file.lines();
    let point = |offset: u32| {
        let position = lines.position(file.text(), offset);
        Point { line: position.line, column: position.column, byte: file.disk_offset(offset) }
    };
    Range { start: point(span.start), end: point(span.end) }
}
