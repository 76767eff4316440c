//! Goldens of everything that is compiled, made to be reviewed.
//!
//! Owns what is kept of an artifact, the files that it is kept in, and how stored files and compiled artifacts are
//! compared and merged. Does not know how findings are shown, nor how files are written. Main types: [`Snapshot`],
//! [`Stored`], [`Finding`], [`Accepted`].
//!
//! One file a profile says which artifacts there are and what they are made of. The texts stand apart, one file a
//! section, each text once under its digest: one changed wording changes one of these files, whatever blocks, fixtures
//! and profiles it is in.

mod compare;
mod errors;
mod merge;
mod pairwise;
mod read;
mod state;
mod take;
mod write;

use std::collections::{BTreeMap, BTreeSet};

pub use compare::{Finding, Shift, Size, State, Unit};
pub use errors::{RULES, diagnostic};
pub use read::{Stored, read};
pub use state::{Block, Combination, Entry, Held, HeldText, Matrix, Placement, Snapshot, TextKey};
pub use take::{MAX_COMBINATIONS, Names, select};
pub use write::Files;

use crate::host::Error;

/// What is compiled against what is stored.
pub struct Review<'s> {
    /// The folder of snapshots, for messages.
    pub folder: &'s str,
    /// What is stored.
    pub stored: &'s Stored,
    /// What is compiled.
    pub compiled: &'s Snapshot,
    /// Profiles that could not be compiled: they stay as they are.
    pub unknown: &'s BTreeSet<String>,
}

/// Files after accepting, and what is different in them.
#[derive(Debug)]
pub struct Accepted {
    /// All files of ours.
    pub files: Files,
    /// Files that change.
    pub findings: Vec<Finding>,
}

/// The files of a snapshot.
pub fn files(snapshot: &Snapshot) -> Files {
    write::files(snapshot).0
}

impl Review<'_> {
    /// What accepting gives, where `pick` says for each artifact of a profile whether it is accepted.
    ///
    /// # Errors
    /// Something that is not accepted would stay as it is stored, and cannot be read.
    pub fn accept(&self, pick: &dyn Fn(&str, &Combination) -> bool) -> Result<Accepted, Error> {
        let merged = merge::merge(&self.stored.snapshot, self.compiled, self.unknown, pick);
        let (files, lost) = write::files(&merged);
        if !lost.is_empty() {
            return Err(errors::lost(self.folder, &lost));
        }
        if let Some(path) = self.stored.broken.iter().find(|path| self.keeps_part_of(path, pick)) {
            return Err(errors::broken(self.folder, path));
        }
        let findings = compare::compare(self.stored, &merged, &files);
        Ok(Accepted { files, findings })
    }

    /// Whether a profile's file that cannot be read would have to be kept in part.
    fn keeps_part_of(&self, path: &str, pick: &dyn Fn(&str, &Combination) -> bool) -> bool {
        let of_unknown = self.unknown.iter().any(|name| write::matrix_path(name) == path);
        let compiled = self.compiled.profiles.iter().find(|(name, _)| write::matrix_path(name) == path);
        let in_part = compiled.is_some_and(|(name, m)| m.entries.iter().any(|e| !pick(name, &e.combination)));
        of_unknown || in_part
    }

    /// What accepting gives when of `all` findings only these are accepted. An artifact is accepted when `takes` takes it
    /// and all that changed in it is accepted.
    ///
    /// # Errors
    /// As with [`Review::accept`].
    pub fn accept_units(
        &self,
        all: &[Finding],
        accepted: &BTreeSet<Unit>,
        takes: &dyn Fn(&str, &Combination) -> bool,
    ) -> Result<Accepted, Error> {
        let wanted = self.units(all);
        let pick = |profile: &str, combination: &Combination| {
            let units = wanted.get(&(profile.to_owned(), combination.clone()));
            takes(profile, combination) && units.is_none_or(|units| units.is_subset(accepted))
        };
        let mut result = self.accept(&pick)?;
        // A file that no artifact is behind (an edited one, one that is left over) is accepted or not by itself.
        let behind: BTreeSet<Unit> = wanted.into_values().flatten().collect();
        for finding in all.iter().filter(|f| f.is_loose(&behind) && !accepted.contains(&f.about)) {
            match self.stored.files.get(&finding.path) {
                Some(Some(text)) => _ = result.files.insert(finding.path.clone(), text.clone()),
                Some(None) => return Err(errors::broken(self.folder, &finding.path)),
                None => _ = result.files.remove(&finding.path),
            }
            result.findings.retain(|f| f.path != finding.path);
        }
        Ok(result)
    }

    /// For each artifact that changed: what has to be accepted.
    fn units(&self, all: &[Finding]) -> BTreeMap<(String, Combination), BTreeSet<Unit>> {
        let texts: BTreeSet<&str> = all
            .iter()
            .filter_map(|f| match &f.about {
                Unit::Section(name) => Some(name.as_str()),
                Unit::Profile(_) | Unit::File(_) => None,
            })
            .collect();
        let (old, new) = (&self.stored.snapshot.profiles, &self.compiled.profiles);
        let entries = |profiles: &BTreeMap<String, Matrix>, name: &str| -> BTreeMap<Combination, Entry> {
            let entries = profiles.get(name).map_or(&[][..], |m| &m.entries);
            entries.iter().map(|e| (e.combination.clone(), e.clone())).collect()
        };
        let mut wanted = BTreeMap::new();
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names.into_iter().filter(|name| !self.unknown.contains(*name)) {
            let (was, is) = (entries(old, name), entries(new, name));
            let combinations: BTreeSet<&Combination> = was.keys().chain(is.keys()).collect();
            for combination in combinations {
                let units = compare::units(name, was.get(combination), is.get(combination), &texts);
                if !units.is_empty() {
                    wanted.insert((name.clone(), combination.clone()), units);
                }
            }
        }
        wanted
    }

    /// What is to be decided, one after the other: the findings without those that follow from others.
    pub fn steps(&self, all: &[Finding]) -> Vec<Finding> {
        let behind: BTreeSet<Unit> = self.units(all).into_values().flatten().collect();
        all.iter().filter(|f| behind.contains(&f.about) || f.is_loose(&behind)).cloned().collect()
    }
}

#[cfg(test)]
mod tests;
