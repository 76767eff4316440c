//! A text that stands inside a file, perhaps written with escapes, and the places of its bytes there.

use std::ops::Range;
use std::sync::Arc;

use super::{FileId, Span};

/// Text with a map from its own offsets to those of the file that it was written in.
#[derive(Clone, Debug)]
pub struct Located {
    /// The text as it means, escapes decoded.
    pub text: Arc<str>,
    file: FileId,
    /// `(offset in the text, offset in the file)`, ascending; between two entries both run in step.
    steps: Vec<(u32, u32)>,
    /// Offset in the file one past the text.
    end: u32,
}

impl Located {
    /// A file that is the text.
    pub fn whole(file: FileId, text: Arc<str>) -> Located {
        let end = text.len() as u32;
        Located { text, file, steps: vec![(0, 0)], end }
    }

    /// The part of a file from `start` that is the text, letter by letter.
    pub fn verbatim(file: FileId, text: Arc<str>, start: u32) -> Located {
        let end = start + text.len() as u32;
        Located { text, file, steps: vec![(0, start)], end }
    }

    /// A text whose places are given step by step: `(offset in the text, offset in the file)`, ascending, the first
    /// of them for offset 0.
    pub fn with_steps(file: FileId, text: Arc<str>, steps: Vec<(u32, u32)>, end: u32) -> Located {
        debug_assert!(steps.first().is_some_and(|s| s.0 == 0));
        Located { text, file, steps, end }
    }

    /// The file.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The place of a range of the text in its file.
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.offset(range.start);
        let end = if range.end == range.start { start } else { self.offset(range.end) };
        Span { file: self.file, start, end: end.max(start) }
    }

    /// The place of the whole text.
    pub fn whole_span(&self) -> Span {
        Span { file: self.file, start: self.steps[0].1, end: self.end }
    }

    fn offset(&self, offset: usize) -> u32 {
        if offset >= self.text.len() {
            return self.end;
        }
        let offset = offset as u32;
        let (text, file) = self.steps[self.steps.partition_point(|s| s.0 <= offset) - 1];
        file + (offset - text)
    }
}
