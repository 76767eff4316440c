//! The size of texts: each distinct one is counted once, however many artifacts have it.

use std::collections::BTreeMap;

use crate::digest;
use crate::tokens::Counter;

/// Counts for one tokenizer, kept over many artifacts.
#[derive(Debug)]
pub struct Meter {
    counter: Counter,
    /// Tokens by digest.
    counts: BTreeMap<String, u64>,
}

impl Meter {
    /// A meter that has counted nothing yet.
    pub fn new(counter: Counter) -> Meter {
        Meter { counter, counts: BTreeMap::new() }
    }

    /// The tokens and the digest of a text.
    pub(super) fn measure(&mut self, text: &str) -> (u64, String) {
        let digest = digest::text(text);
        if let Some(tokens) = self.counts.get(&digest) {
            return (*tokens, digest);
        }
        let tokens = self.counter.count(text);
        self.counts.insert(digest.clone(), tokens);
        (tokens, digest)
    }
}
