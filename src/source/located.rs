//! A text that stands inside a file, perhaps written with escapes, and the places of its bytes there.

use std::ops::Range;
use std::sync::Arc;

use super::{FileId, Span};

/// Text with a map from its own offsets to those of the file that it was written in.
#[derive(Clone, Debug)]
pub struct Located {
    /// The text as it means, escapes decoded.
    pub text: Arc<str>,
    /// `(offset in the text, offset in the file)`, ascending; between two entries both run in step. Empty when every
    /// part of the text is shown as one place.
    steps: Vec<(u32, u32)>,
    inner: Span,
    outer: Span,
}

impl Located {
    /// A file that is the text.
    pub fn whole(file: FileId, text: Arc<str>) -> Located {
        Located::verbatim(file, text, 0)
    }

    /// The part of a file from `start` that is the text, letter by letter.
    pub fn verbatim(file: FileId, text: Arc<str>, start: u32) -> Located {
        let span = Span { file, start, end: start + text.len() as u32 };
        Located { text, steps: vec![(0, start)], inner: span, outer: span }
    }

    /// A text that was made from what stands at one place: every part of it is shown as that place.
    pub fn spread(text: Arc<str>, place: Span) -> Located {
        Located { text, steps: Vec::new(), inner: place, outer: place }
    }

    /// A text written as a literal: steps `(offset in the text, offset in the file)`, ascending, the first of them for
    /// offset 0; where the text ends in the file; and the literal with its quotes.
    pub fn literal(text: Arc<str>, steps: Vec<(u32, u32)>, end: u32, outer: Span) -> Located {
        let start = steps.first().map_or(outer.start, |s| s.1);
        Located { text, steps, inner: Span { file: outer.file, start, end: end.max(start) }, outer }
    }

    /// Whether every part of it is shown as one place.
    pub fn is_spread(&self) -> bool {
        self.steps.is_empty()
    }

    /// The file.
    pub fn file(&self) -> FileId {
        self.inner.file
    }

    /// The place of a range of the text in its file.
    pub fn span(&self, range: Range<usize>) -> Span {
        if self.steps.is_empty() {
            return self.inner;
        }
        let start = self.offset(range.start);
        let end = if range.end == range.start { start } else { self.offset(range.end) };
        Span { file: self.inner.file, start, end: end.max(start) }
    }

    /// Where in the text a place of its file begins; `None` for a place outside of it.
    pub fn find(&self, place: Span) -> Option<usize> {
        let is_inside = place.file == self.inner.file && (self.inner.start..=self.inner.end).contains(&place.start);
        let before = self.steps.partition_point(|s| s.1 <= place.start).checked_sub(1).filter(|_| is_inside)?;
        let (text, file) = self.steps[before];
        Some((text + (place.start - file)) as usize)
    }

    /// The place of the whole text, without quotes.
    pub fn whole_span(&self) -> Span {
        self.inner
    }

    /// The place of the whole text with its quotes, if it has any.
    pub fn outer_span(&self) -> Span {
        self.outer
    }

    fn offset(&self, offset: usize) -> u32 {
        if offset >= self.text.len() {
            return self.inner.end;
        }
        let offset = offset as u32;
        let (text, file) = self.steps[self.steps.partition_point(|s| s.0 <= offset) - 1];
        file + (offset - text)
    }
}
