//! Which files a profile is made of, for whoever wants to know whether a change touches it.

use std::collections::BTreeSet;

/// Files below `prompts/` that were asked for, there or not.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Asked {
    files: BTreeSet<String>,
    /// Folders of which every file counts, with a `/` at their ends; empty for all that there are.
    folders: BTreeSet<String>,
}

impl Asked {
    /// Adds what another one has.
    pub fn extend(&mut self, other: &Asked) {
        self.files.extend(other.files.iter().cloned());
        self.folders.extend(other.folders.iter().cloned());
    }

    /// Adds a file.
    pub(super) fn file(&mut self, path: &str) {
        self.files.insert(path.to_owned());
    }

    /// Adds all files of a folder.
    pub(super) fn folder(&mut self, path: &str) {
        self.folders.insert(path.to_owned());
    }

    /// Whether a file counts.
    pub fn holds(&self, path: &str) -> bool {
        self.files.contains(path) || self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_count_by_name_and_by_folder() {
        let mut asked = Asked::default();
        asked.file("a.md");
        asked.folder("agents/");
        assert!(asked.holds("a.md") && asked.holds("agents/x.md") && asked.holds("agents/deep/y.md"));
        assert!(!asked.holds("b.md") && !asked.holds("agents.md"));
        asked.folder("");
        assert!(asked.holds("b.md"));
    }
}
