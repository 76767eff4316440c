//! Counting tokens.
//!
//! Owns the encodings that are counted with, and how exact a count is. Does not know prompts. Main types:
//! [`Encoding`], [`Counter`].

use std::cell::Cell;

/// A byte-pair encoding that is counted with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Encoding {
    /// `o200k_base`.
    O200kBase,
    /// `cl100k_base`.
    Cl100kBase,
}

/// Counts for one target: the count of a base encoding, times a factor.
#[derive(Debug)]
pub struct Counter {
    base: Encoding,
    factor: f64,
    cut: Cell<bool>,
}

/// Longest run of letters of one class that is counted in one piece: the engine takes quadratic time on longer ones,
/// and fails on long runs of blanks.
const MAX_RUN: usize = 16 << 10;

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 2] = [Encoding::O200kBase, Encoding::Cl100kBase];

    /// The name by which the encoding is known.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::O200kBase => "o200k_base",
            Encoding::Cl100kBase => "cl100k_base",
        }
    }

    /// The encoding of this name.
    pub fn from_name(name: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|e| e.name() == name)
    }

    fn count(self, text: &str) -> u64 {
        let engine = match self {
            Encoding::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Encoding::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        };
        engine.encode_ordinary(text).len() as u64
    }
}

impl Counter {
    /// A counter.
    pub fn new(base: Encoding, factor: f64) -> Counter {
        Counter { base, factor, cut: Cell::new(false) }
    }

    /// The tokens of a text. Special tokens are ordinary text.
    pub fn count(&self, text: &str) -> u64 {
        let pieces = pieces(text);
        if pieces.len() > 1 {
            self.cut.set(true);
        }
        let tokens: u64 = pieces.iter().map(|piece| self.base.count(piece)).sum();
        (tokens as f64 * self.factor).round() as u64
    }

    /// Whether a text had to be cut to be counted, so that a count may be off by a token for each cut.
    pub fn was_cut(&self) -> bool {
        self.cut.get()
    }
}

/// The text, cut wherever a run of blanks or of other letters without a break grows too long.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut run) = (0, 0);
    let mut blank = false;
    for (at, c) in text.char_indices() {
        let same = c.is_whitespace() == blank;
        blank = c.is_whitespace();
        run = if same { run + 1 } else { 1 };
        if run > MAX_RUN {
            out.push(&text[start..at]);
            (start, run) = (at, 1);
        }
    }
    out.push(&text[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_counts() {
        assert_eq!(Counter::new(Encoding::O200kBase, 1.0).count("hello world"), 2);
        assert_eq!(Counter::new(Encoding::Cl100kBase, 1.0).count("<|endoftext|>"), 7);
        assert_eq!(Counter::new(Encoding::Cl100kBase, 1.05).count(""), 0);
    }

    #[test]
    fn long_runs_are_cut_and_said_to_be() {
        let counter = Counter::new(Encoding::O200kBase, 1.0);
        assert_eq!(counter.count(&" ".repeat(1000)) > 0, !counter.was_cut());
        assert!(counter.count(&" ".repeat(1 << 20)) > 0);
        assert!(counter.was_cut());
        assert!(counter.count(&"a".repeat(1 << 20)) > 0);
    }
}
