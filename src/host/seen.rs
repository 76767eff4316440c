//! What a run looked at on a disk: what another run could find changed.
//!
//! Does not know how changes are noticed. Main type: [`Seen`].

#![expect(clippy::disallowed_methods, reason = "a place is known by its path without links")]

use std::collections::BTreeSet;
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Folders and files that were looked at. The folders on the way to each have no links in their paths, since changes are
/// told so.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Folders of which every entry counts.
    folders: BTreeSet<PathBuf>,
    /// Files and folders by themselves, there or not.
    files: BTreeSet<PathBuf>,
}

/// A list of what is looked at, if somebody wants to know.
#[derive(Default, Debug)]
pub(super) struct Notes(Option<Mutex<Seen>>);

impl Notes {
    /// An empty list.
    pub(super) fn new() -> Notes {
        Notes(Some(Mutex::default()))
    }

    pub(super) fn are_taken(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn add(&self, note: impl FnOnce(&mut Seen)) {
        if let Some(seen) = &self.0 {
            note(&mut seen.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    pub(super) fn seen(&self) -> Seen {
        let seen = self.0.as_ref().map(|seen| seen.lock().unwrap_or_else(PoisonError::into_inner).clone());
        seen.unwrap_or_default()
    }
}

impl Seen {
    /// Adds a folder that was listed, by its real path.
    pub(super) fn folder(&mut self, real: &Path) {
        self.folders.insert(real.to_owned());
    }

    /// Adds a file that was asked for, there or not. A link counts, and so does what it leads to.
    pub(super) fn file(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else { return };
        let place = without_links(&path);
        if let Ok(target) = fs::canonicalize(&path)
            && target != place
        {
            self.files.insert(target);
        }
        self.files.insert(place);
    }

    /// Adds a file to which no link leads. Most lie in a folder that was listed, and count already.
    pub(super) fn real_file(&mut self, real: &Path) {
        if !real.parent().is_some_and(|folder| self.folders.contains(folder)) {
            self.files.insert(real.to_owned());
        }
    }

    /// Adds what another run looked at.
    pub fn extend(&mut self, other: Seen) {
        self.folders.extend(other.folders);
        self.files.extend(other.files);
    }

    /// Whether what happened at a path can change what a run finds.
    pub(super) fn is_touched_by(&self, path: &Path) -> bool {
        let from = || (Bound::Included(path), Bound::Unbounded);
        let is_above = |places: &BTreeSet<PathBuf>| {
            places.range::<Path, _>(from()).next().is_some_and(|place| place.starts_with(path))
        };
        path.parent().is_some_and(|folder| self.folders.contains(folder))
            || is_above(&self.folders)
            || is_above(&self.files)
    }

    /// The folders in which changes show. Of what is not there it is the folder in which it, or what leads to it, will
    /// appear.
    pub(super) fn places(&self) -> BTreeSet<PathBuf> {
        let holds = |file: &PathBuf| file.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned);
        let listed = self.folders.iter().filter(|folder| folder.is_dir()).cloned();
        listed.chain(self.files.iter().chain(&self.folders).filter_map(holds)).collect()
    }
}

/// The path with the real folder in front, as far as there is one.
fn without_links(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => match fs::canonicalize(parent) {
            Ok(parent) => parent.join(name),
            Err(_) => without_links(parent).join(name),
        },
        _ => path.to_owned(),
    }
}
