//! What a snapshot holds, whether it was read from files or taken from what was compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Digits of a digest that names carry.
const DIGITS: usize = 16;

/// Everything that is kept of a project's artifacts.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Snapshot {
    /// By profile.
    pub profiles: BTreeMap<String, Matrix>,
    /// Each distinct text of a section once.
    pub texts: BTreeMap<TextKey, Arc<str>>,
}

/// The name of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextKey {
    /// The section: the file that defines it, without folder and ending, and its id.
    pub section: String,
    /// The first digits of the text's digest.
    pub digest: String,
}

/// What is kept of one profile.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Matrix {
    /// Provider and model.
    pub target: String,
    /// The tokenizer.
    pub tokenizer: String,
    /// Whether its counts are exact.
    pub exact: bool,
    /// How many combinations are taken of how many, when they are pairwise.
    pub pairwise: Option<(u64, u64)>,
    /// One for each combination, in order.
    pub entries: Vec<Entry>,
}

/// Which artifact of a profile.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Combination {
    /// `KEY=VALUE[,KEY=VALUE]`; empty without a matrix.
    pub cell: String,
    /// The fixture; none ahead of time.
    pub fixture: Option<String>,
}

/// What is kept of one artifact.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Which one it is.
    pub combination: Combination,
    /// The layer that won.
    pub winner: String,
    /// How the request is cut.
    pub strategy: String,
    /// Its blocks.
    pub blocks: Vec<Placement>,
}

/// A block in an artifact.
#[derive(Clone, PartialEq, Debug)]
pub struct Placement {
    /// The block.
    pub block: Arc<Block>,
    /// Who shares it.
    pub scope: Option<String>,
    /// The lifetime of its cache mark.
    pub mark: Option<String>,
    /// The first digits of the digest of everything up to its end.
    pub prefix: Option<String>,
}

/// A block, whichever artifacts have it.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Its kind, and the first digits of the digest of its text; of an open one, of what it is made of.
    pub name: String,
    /// Its tokens, unless it is open.
    pub tokens: Option<u64>,
    /// Its bytes, unless it is open.
    pub bytes: Option<u64>,
    /// Its sections, in order.
    pub sections: Vec<Held>,
}

/// A section in a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// The section.
    pub section: String,
    /// What is known of its text.
    pub text: HeldText,
}

/// What is known of a section's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeldText {
    /// The first digits of its digest.
    Known(String),
    /// It waits for values, and has a template with this digest.
    Template(String),
    /// It waits for values.
    Open,
}

impl Snapshot {
    /// The texts that the artifacts have, in the order in which they are met, by section.
    pub(super) fn used(&self) -> BTreeMap<&str, Vec<TextKey>> {
        let mut used: BTreeMap<&str, Vec<TextKey>> = BTreeMap::new();
        let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
        for placement in self.profiles.values().flat_map(|m| &m.entries).flat_map(|e| &e.blocks) {
            for (section, digest) in placement.block.texts() {
                if known.insert((section, digest)) {
                    let key = TextKey { section: section.to_owned(), digest: digest.to_owned() };
                    used.entry(section).or_default().push(key);
                }
            }
        }
        used
    }
}

impl Block {
    /// Whether one of its sections waits for values.
    pub fn is_open(&self) -> bool {
        self.bytes.is_none()
    }

    /// Its kind.
    pub fn kind(&self) -> &str {
        let name = self.name.rsplit_once('-').map_or(self.name.as_str(), |(kind, _)| kind);
        name.strip_suffix("-open").unwrap_or(name)
    }

    /// The texts that it is joined of, each as its section and its digest. An open block has none: it is never sent so.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sections.iter().filter_map(|held| match &held.text {
            HeldText::Known(digest) if !self.is_open() => Some((held.section.as_str(), digest.as_str())),
            _ => None,
        })
    }
}

/// The first digits of a digest.
pub(super) fn short(digest: &str) -> String {
    digest.chars().take(DIGITS).collect()
}

/// Whether a word is the first digits of a digest.
pub(super) fn is_short(word: &str) -> bool {
    word.len() == DIGITS && word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}
