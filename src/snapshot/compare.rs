//! What is stored against what should be: file by file, and artifact by artifact.

use std::collections::{BTreeMap, BTreeSet};

use super::read::Stored;
use super::state::{Block, Combination, Entry, Held, HeldText, Matrix, Placement, Snapshot};
use super::write::{Files, matrix_path, text_path};
use crate::hunks::{Hunk, hunks};

/// A file that is not what it should be.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Its path, from the folder of snapshots.
    pub path: String,
    /// What is wrong with it.
    pub state: State,
    /// What it is about.
    pub about: Unit,
    /// What is stored, if it is there and is text.
    pub before: Option<String>,
    /// What should be.
    pub after: Option<String>,
    /// Of a profile's file: what happened to its artifacts, each with those that it happened to.
    pub shifts: Vec<(Shift, Vec<Combination>)>,
    /// Of a section's texts: the artifacts that have them, now or before, by profile.
    pub users: BTreeMap<String, Vec<Combination>>,
}

impl Finding {
    /// What differs line by line, each with up to `context` equal lines around it.
    pub fn hunks(&self, context: usize) -> Vec<Hunk> {
        let text = |side: &Option<String>| side.clone().unwrap_or_default();
        hunks(&text(&self.before), &text(&self.after), context)
    }

    /// Whether nothing that happened to an artifact is behind it: the file was edited, lost or left over. `behind` is
    /// what is behind the artifacts that changed.
    pub(super) fn is_loose(&self, behind: &BTreeSet<Unit>) -> bool {
        let follows = matches!(self.about, Unit::Profile(_)) && !self.shifts.is_empty();
        !behind.contains(&self.about) && !follows
    }
}

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// It says something else.
    Changed,
    /// It is not there.
    Missing,
    /// Nothing needs it.
    Orphan,
}

/// What is accepted or not as one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// The texts of a section.
    Section(String),
    /// Everything else about a profile.
    Profile(String),
    /// A file that belongs to neither.
    File(String),
}

/// What happened to an artifact.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shift {
    /// The target or how its tokens are counted, for all artifacts: what it is called, what it was, what it is.
    Head(&'static str, String, String),
    /// It is new.
    Added,
    /// It is no more.
    Gone,
    /// Another layer wins.
    Winner(String, String),
    /// The request is cut another way.
    Strategy(String, String),
    /// A block has come, gone or changed.
    Block {
        /// Its kind.
        kind: String,
        /// What it was.
        before: Option<Size>,
        /// What it is.
        after: Option<Size>,
        /// The first section in which both differ; none when they differ between sections, or in counts alone.
        from: Option<String>,
    },
    /// A block has the same text of other sections: its kind, and the first of them.
    Cut(String, Option<String>),
    /// Another group shares a block.
    Scope(String, Option<String>, Option<String>),
    /// A cache mark has come, gone or changed.
    Mark(String, Option<String>, Option<String>),
    /// The digest of everything up to the end of a block is another, and no block up to there is.
    Prefix(String),
}

/// The tokens of a block; none of an open one.
pub type Size = Option<u64>;

/// Compares files, and the snapshots that they stand for.
pub(super) fn compare(stored: &Stored, wanted: &Snapshot, files: &Files) -> Vec<Finding> {
    let old = &stored.snapshot;
    let (names, users) = (names(old, wanted), users(old, wanted));
    let paths: BTreeSet<&String> = stored.files.keys().chain(files.keys()).collect();
    let mut found = Vec::new();
    for path in paths {
        let (was, is) = (stored.files.get(path), files.get(path));
        let state = match (was, is) {
            (Some(Some(was)), Some(is)) if was == is => continue,
            (Some(_), Some(_)) => State::Changed,
            (None, _) => State::Missing,
            (Some(_), None) => State::Orphan,
        };
        let about = names.get(path).cloned().unwrap_or_else(|| Unit::File(path.clone()));
        let shifts = match &about {
            Unit::Profile(name) => shifts(old.profiles.get(name), wanted.profiles.get(name)),
            Unit::Section(_) | Unit::File(_) => Vec::new(),
        };
        let users = match &about {
            Unit::Section(name) => users.get(name.as_str()).cloned().unwrap_or_default(),
            Unit::Profile(_) | Unit::File(_) => BTreeMap::new(),
        };
        let (before, after) = (was.cloned().flatten(), is.cloned());
        found.push(Finding { path: path.clone(), state, about, before, after, shifts, users });
    }
    // Texts first: what happened to profiles follows from them most of the time.
    found.sort_by(|a, b| (&a.about, &a.path).cmp(&(&b.about, &b.path)));
    found
}

/// What files are about, by path.
fn names(old: &Snapshot, wanted: &Snapshot) -> BTreeMap<String, Unit> {
    let both = [old, wanted];
    let profiles = both.iter().flat_map(|s| s.profiles.keys());
    let profiles = profiles.map(|name| (matrix_path(name), Unit::Profile(name.clone())));
    let read = both.iter().flat_map(|s| s.texts.keys()).map(|key| key.section.as_str());
    let named = both.iter().flat_map(|s| s.used().into_keys().map(str::to_owned).collect::<Vec<_>>());
    let sections: BTreeSet<String> = read.map(str::to_owned).chain(named).collect();
    let sections = sections.into_iter().map(|name| (text_path(&name), Unit::Section(name)));
    profiles.chain(sections).collect()
}

/// The artifacts that have a section's texts, by section and profile.
fn users<'s>(old: &'s Snapshot, wanted: &'s Snapshot) -> BTreeMap<&'s str, BTreeMap<String, Vec<Combination>>> {
    let mut users: BTreeMap<&str, BTreeMap<String, Vec<Combination>>> = BTreeMap::new();
    for (name, matrix) in wanted.profiles.iter().chain(&old.profiles) {
        for entry in &matrix.entries {
            for held in entry.blocks.iter().flat_map(|p| &p.block.sections) {
                let of_section = users.entry(&held.section).or_default().entry(name.clone()).or_default();
                if !of_section.contains(&entry.combination) {
                    of_section.push(entry.combination.clone());
                }
            }
        }
    }
    users
}

fn shifts(was: Option<&Matrix>, is: Option<&Matrix>) -> Vec<(Shift, Vec<Combination>)> {
    let mut all: Vec<(Shift, Vec<Combination>)> = Vec::new();
    if let (Some(was), Some(is)) = (was, is) {
        let count =
            |matrix: &Matrix| matrix.pairwise.map_or("all".to_owned(), |(taken, of)| format!("{taken} of {of}"));
        let heads = [
            ("target", was.target.clone(), is.target.clone()),
            ("tokenizer", was.tokenizer.clone(), is.tokenizer.clone()),
            ("exact", was.exact.to_string(), is.exact.to_string()),
            ("combinations", count(was), count(is)),
        ];
        let heads = heads.into_iter().filter(|(_, was, is)| was != is);
        all.extend(heads.map(|(key, was, is)| (Shift::Head(key, was, is), Vec::new())));
    }
    for (combination, old, new) in pairs(was, is) {
        for shift in of_entry(old, new) {
            match all.iter_mut().find(|(known, _)| *known == shift) {
                Some((_, combinations)) => combinations.push(combination.clone()),
                None => all.push((shift, vec![combination.clone()])),
            }
        }
    }
    all
}

/// The artifacts of a profile, before and after, in the order of what is, then of what was.
fn pairs<'m>(
    was: Option<&'m Matrix>,
    is: Option<&'m Matrix>,
) -> Vec<(&'m Combination, Option<&'m Entry>, Option<&'m Entry>)> {
    let entries = |matrix: Option<&'m Matrix>| matrix.map_or(&[][..], |m| &m.entries);
    let find = |list: &'m [Entry], wanted: &Combination| list.iter().find(|e| e.combination == *wanted);
    let (was, is) = (entries(was), entries(is));
    let now = is.iter().map(|e| (&e.combination, find(was, &e.combination), Some(e)));
    let gone = was.iter().filter(|e| find(is, &e.combination).is_none());
    now.chain(gone.map(|e| (&e.combination, Some(e), None))).collect()
}

fn of_entry(old: Option<&Entry>, new: Option<&Entry>) -> Vec<Shift> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(_)) => return vec![Shift::Added],
        (Some(_), None) => return vec![Shift::Gone],
        (None, None) => return Vec::new(),
    };
    let mut found = Vec::new();
    if old.winner != new.winner {
        found.push(Shift::Winner(old.winner.clone(), new.winner.clone()));
    }
    if old.strategy != new.strategy {
        found.push(Shift::Strategy(old.strategy.clone(), new.strategy.clone()));
    }
    let find = |entry: &'_ Entry, kind: &str| entry.blocks.iter().find(|p| p.block.kind() == kind).cloned();
    let mut kinds: Vec<&str> = new.blocks.iter().map(|p| p.block.kind()).collect();
    kinds.extend(old.blocks.iter().map(|p| p.block.kind()).filter(|kind| find(new, kind).is_none()));
    let mut is_same_so_far = true;
    for kind in kinds {
        let (was, is) = (find(old, kind), find(new, kind));
        let block = |p: &Option<Placement>| p.as_ref().map(|p| p.block.clone());
        if block(&was) != block(&is) {
            is_same_so_far = false;
            let size = |p: &Option<Placement>| p.as_ref().map(|p| p.block.tokens);
            let from = first_difference(was.as_ref().map(|p| &*p.block), is.as_ref().map(|p| &*p.block));
            let has_same_text = match (block(&was), block(&is)) {
                (Some(was), Some(is)) => was.name == is.name && (was.tokens, was.bytes) == (is.tokens, is.bytes),
                _ => false,
            };
            found.push(match has_same_text {
                true => Shift::Cut(kind.to_owned(), from),
                false => Shift::Block { kind: kind.to_owned(), before: size(&was), after: size(&is), from },
            });
        }
        let (Some(was), Some(is)) = (was, is) else { continue };
        if was.scope != is.scope {
            found.push(Shift::Scope(kind.to_owned(), was.scope.clone(), is.scope.clone()));
        }
        if was.mark != is.mark {
            found.push(Shift::Mark(kind.to_owned(), was.mark.clone(), is.mark.clone()));
        }
        if was.prefix != is.prefix && is_same_so_far {
            found.push(Shift::Prefix(kind.to_owned()));
        }
    }
    found
}

/// The section with which two blocks begin to differ.
fn first_difference(was: Option<&Block>, is: Option<&Block>) -> Option<String> {
    let sections = |block: Option<&Block>| block.map_or_else(Vec::new, |b| b.sections.clone());
    let (was, is) = (sections(was), sections(is));
    let same = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
    is.get(same).or(was.get(same)).map(|held| held.section.clone())
}

/// What has to be accepted for an artifact to become what it is now. `texts` are the sections whose texts are found to
/// differ; everything else is the profile's.
pub(super) fn units(profile: &str, old: Option<&Entry>, new: Option<&Entry>, texts: &BTreeSet<&str>) -> BTreeSet<Unit> {
    let mut units = BTreeSet::new();
    if old == new {
        return units;
    }
    let sections = |entry: Option<&Entry>| {
        entry.map_or_else(Vec::new, |e| e.blocks.iter().flat_map(|p| p.block.sections.clone()).collect::<Vec<Held>>())
    };
    let (was, is) = (sections(old), sections(new));
    let differs = |held: &&Held, other: &[Held]| !other.contains(held);
    let changed = was.iter().filter(|h| differs(h, &is)).chain(is.iter().filter(|h| differs(h, &was)));
    for held in changed {
        units.insert(match texts.contains(held.section.as_str()) {
            true => Unit::Section(held.section.clone()),
            false => Unit::Profile(profile.to_owned()),
        });
    }
    if erased(old) != erased(new) || units.is_empty() {
        units.insert(Unit::Profile(profile.to_owned()));
    }
    units
}

/// What does not follow from the texts of sections.
fn erased(entry: Option<&Entry>) -> Option<Vec<String>> {
    let entry = entry?;
    let mut out = vec![entry.winner.clone(), entry.strategy.clone()];
    for placement in &entry.blocks {
        let words = [&placement.scope, &placement.mark];
        out.push(format!("{} {words:?} {}", placement.block.kind(), placement.block.is_open()));
        out.extend(placement.block.sections.iter().map(|held| {
            let state = matches!(held.text, HeldText::Known(_));
            format!("{} {state}", held.section)
        }));
    }
    Some(out)
}
