//! The size of texts: each distinct one is counted once, however many artifacts have it.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::digest;
use crate::tokens::{Counted, Counter};

/// Counts for one tokenizer, kept over many artifacts.
#[derive(Debug)]
pub struct Meter {
    counter: Counter,
    /// By digest.
    known: RwLock<BTreeMap<String, Arc<Counted>>>,
}

/// A text that was measured.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) tokens: u64,
    pub(super) digest: String,
    /// How it is counted as a part of a longer text.
    pub(super) counted: Arc<Counted>,
}

impl Meter {
    /// A meter that has counted nothing yet.
    pub fn new(counter: Counter) -> Meter {
        Meter { counter, known: RwLock::default() }
    }

    /// The tokens and the digest of a text.
    pub(super) fn measure(&self, text: &str) -> Measured {
        let digest = digest::text(text);
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned();
        let counted = known.unwrap_or_else(|| {
            let counted = Arc::new(self.counter.measure(text));
            self.known.write().unwrap_or_else(PoisonError::into_inner).insert(digest.clone(), counted.clone());
            counted
        });
        Measured { tokens: self.counter.scaled(counted.tokens), digest, counted }
    }

    /// The tokens and the digest of a text that is put together from measured ones, each with the byte where it begins.
    pub(super) fn measure_parts(&self, text: &str, parts: &[(usize, &Counted)]) -> (u64, String) {
        (self.counter.count_parts(text, parts), digest::text(text))
    }
}
