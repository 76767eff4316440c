//! Counting tokens.
//!
//! Owns the encodings that are counted with, and how exact a count is. Does not know prompts. Main types:
//! [`Encoding`], [`Vocabulary`], [`Counter`].
//!
//! # In other programs
//!
//! The module stands on its own: no file, no set-up, no error. [`Encoding::count`] gives the tokens of a text, as many as
//! the encoder that was published with the vocabulary makes of it; special tokens are ordinary text.
//!
//! ```
//! use promptc::tokens::{Counter, Encoding};
//!
//! let text = "Answer in the language of the question. 用提问的语言回答。";
//! assert_eq!(Encoding::O200kBase.count(text), 15);
//!
//! // For a vocabulary that is not public: a count by one that is near, times a factor. Such a count is an estimate.
//! let estimate = Counter::new(Encoding::Cl100kBase, 1.05);
//! assert_eq!(estimate.count(text), 20);
//! ```
//!
//! Units: a count is in tokens, a text is UTF-8 in bytes. Counts of parts do not add up to the count of the whole, since
//! a token may stand across the place where they meet. Errors: none; [`Encoding::from_name`] gives `None` for a
//! name that is no encoding's, and [`FileTokenizer::parse`] says why a file cannot be counted with. Each thread that
//! counts keeps up to 640 KiB of what it has seen, which makes the next count faster and changes none.
//!
//! # How
//!
//! A text is cut into pieces (`split`), and each piece is counted by itself (`merge`), with a vocabulary that is
//! read-only data (`table`, made by `build.rs`). Nothing is built when a process starts, nothing is read from disk but the
//! parts of the vocabulary that a text needs, and the work grows with the length of the text, whatever stands in it.
//! `docs/performance.md` has the measurements.

mod class;
mod data;
mod file;
mod merge;
mod parts;
mod split;
mod table;

use std::cell::RefCell;
use std::sync::Arc;

pub use file::FileTokenizer;
pub use parts::Counted;

use merge::Counts;

/// A byte-pair encoding whose vocabulary is public, so that its counts are exact.
///
/// ```
/// use promptc::tokens::Encoding;
///
/// assert_eq!(Encoding::O200kBase.count("A prompt is source code."), 6);
/// // Special tokens are ordinary text.
/// assert_eq!(Encoding::Cl100kBase.count("<|endoftext|>"), 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Encoding {
    /// `o200k_base`.
    O200kBase,
    /// `cl100k_base`.
    Cl100kBase,
    /// `o200k_harmony`: `o200k_base` with other special tokens, so its counts are the same.
    O200kHarmony,
}

/// What tokens are counted with.
#[derive(Clone, Debug)]
pub enum Vocabulary {
    /// One of the encodings in the program.
    Encoding(Encoding),
    /// A tokenizer from a file.
    File(Arc<FileTokenizer>),
}

/// Counts for one target: the count by a vocabulary, times a factor.
#[derive(Debug)]
pub struct Counter {
    vocabulary: Vocabulary,
    factor: f64,
}

thread_local! {
    /// What each thread remembers of short pieces, for `o200k_base` and `cl100k_base`. It makes counting faster and
    /// changes no count.
    static COUNTS: RefCell<[Counts; 2]> = RefCell::default();
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 3] = [Encoding::O200kBase, Encoding::Cl100kBase, Encoding::O200kHarmony];

    /// The name by which the encoding is known.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::O200kBase => "o200k_base",
            Encoding::Cl100kBase => "cl100k_base",
            Encoding::O200kHarmony => "o200k_harmony",
        }
    }

    /// The encoding of this name.
    pub fn from_name(name: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|e| e.name() == name)
    }

    /// The tokens of a text, exactly: as many as the encoder that was published with the vocabulary makes of it when
    /// special tokens are ordinary text.
    ///
    /// Nothing is set up first, and the time grows with the length of the text, also where it is one long word, one run
    /// of blanks, or without a blank.
    ///
    /// ```
    /// use promptc::tokens::Encoding;
    ///
    /// assert_eq!(Encoding::O200kBase.count("hello world"), 2);
    /// assert_eq!(Encoding::O200kBase.count(&" ".repeat(1 << 20)), 8192);
    /// assert_eq!(Encoding::from_name("cl100k_base"), Some(Encoding::Cl100kBase));
    /// ```
    pub fn count(self, text: &str) -> u64 {
        self.count_parts(text, &[])
    }

    /// [`Encoding::count`], and what is needed to count a longer text of which this one is a part.
    pub fn measure(self, text: &str) -> Counted {
        let text = text.as_bytes();
        COUNTS.with_borrow_mut(|[o200k, cl100k]| match self {
            Encoding::O200kBase | Encoding::O200kHarmony => {
                parts::counted(text, split::o200k, |start, end| o200k.piece(&data::O200K_BASE, text, start, end))
            }
            Encoding::Cl100kBase => {
                parts::counted(text, split::cl100k, |start, end| cl100k.piece(&data::CL100K_BASE, text, start, end))
            }
        })
    }

    /// [`Encoding::count`] of a text that has parts which were measured: each with the byte where it begins, in order.
    /// Little more than what lies between them is gone through.
    ///
    /// ```
    /// use promptc::tokens::Encoding;
    ///
    /// let text = "One rule. Another rule.\n\nA third.";
    /// let part = Encoding::O200kBase.measure("One rule. Another rule.");
    /// assert_eq!(Encoding::O200kBase.count_parts(text, &[(0, &part)]), Encoding::O200kBase.count(text));
    /// ```
    pub fn count_parts(self, text: &str, parts: &[(usize, &Counted)]) -> u64 {
        let text = text.as_bytes();
        COUNTS.with_borrow_mut(|[o200k, cl100k]| match self {
            Encoding::O200kBase | Encoding::O200kHarmony => {
                parts::sum(text, parts, split::o200k, |start, end| o200k.piece(&data::O200K_BASE, text, start, end))
            }
            Encoding::Cl100kBase => {
                parts::sum(text, parts, split::cl100k, |start, end| cl100k.piece(&data::CL100K_BASE, text, start, end))
            }
        })
    }
}

impl From<Encoding> for Vocabulary {
    fn from(encoding: Encoding) -> Vocabulary {
        Vocabulary::Encoding(encoding)
    }
}

impl Counter {
    /// A counter.
    pub fn new(vocabulary: impl Into<Vocabulary>, factor: f64) -> Counter {
        Counter { vocabulary: vocabulary.into(), factor }
    }

    /// The tokens of a text. Special tokens are ordinary text.
    pub fn count(&self, text: &str) -> u64 {
        self.count_parts(text, &[])
    }

    /// What is needed to count a text, and longer ones that it is a part of.
    pub fn measure(&self, text: &str) -> Counted {
        match &self.vocabulary {
            Vocabulary::Encoding(encoding) => encoding.measure(text),
            Vocabulary::File(tokenizer) => Counted::opaque(tokenizer.count(text)),
        }
    }

    /// [`Counter::count`] of a text that has parts which were measured: each with the byte where it begins, in order.
    pub fn count_parts(&self, text: &str, parts: &[(usize, &Counted)]) -> u64 {
        self.scaled(match &self.vocabulary {
            Vocabulary::Encoding(encoding) => encoding.count_parts(text, parts),
            Vocabulary::File(tokenizer) => tokenizer.count(text),
        })
    }

    /// What the vocabulary counts, as tokens of the target.
    pub fn scaled(&self, tokens: u64) -> u64 {
        (tokens as f64 * self.factor).round() as u64
    }
}

#[cfg(test)]
mod tests;
