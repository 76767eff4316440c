//! Ids of files and ranges of bytes in their cleaned text.

use std::fmt;
use std::ops::{Deref, Range};

/// A file of a [`SourceMap`](super::SourceMap).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(u32);

/// A half-open range of bytes, from 0, in the cleaned text of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A value and where it stands. Compares by the value alone.
#[derive(Clone, Copy)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

impl FileId {
    pub(super) fn new(index: usize) -> FileId {
        FileId(u32::try_from(index).expect("the number of files is limited far below 2^32"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Span {
    /// A span from byte offsets. Offsets fit in 32 bits because files are limited to far less.
    pub fn new(file: FileId, range: Range<usize>) -> Span {
        let offset = |n: usize| u32::try_from(n).expect("files are limited far below 4 GiB");
        Span { file, start: offset(range.start), end: offset(range.end) }
    }

    /// The empty span at the start of a file.
    pub fn start_of(file: FileId) -> Span {
        Span { file, start: 0, end: 0 }
    }

    /// The bytes as a range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }

    /// The same place, another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), span: self.span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: fmt::Debug> fmt::Debug for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{}..{}", self.value, self.span.start, self.span.end)
    }
}
