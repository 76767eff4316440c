//! What is not as it was in an earlier run, file by file.
//!
//! Compares what was read, so that nothing hangs on what a system tells of its files. Main type: [`Changes`].

use std::collections::{BTreeMap, BTreeSet};

use super::{Unusable, Workspace};
use crate::source::{FileId, SourceFile};

/// The project file.
pub(super) const PROJECT: &str = "promptc.toml";

/// Begins the path of a text that a flag of the command line gives.
pub(super) const FLAG: &str = "flag:";

/// The differences between what two runs read.
#[derive(Debug)]
pub struct Changes {
    /// Paths from the root of files that are new, gone, or say something else.
    pub paths: BTreeSet<String>,
    /// Whether something has changed that is read for every profile.
    pub touch_all: bool,
    /// The ids of now of the files of then.
    ids: BTreeMap<FileId, FileId>,
}

/// What was read of one file.
#[derive(PartialEq)]
enum State<'w> {
    Text(&'w SourceFile),
    Bytes(&'w [u8]),
    Unusable(&'w Unusable),
}

impl Changes {
    /// What is not as it was.
    pub fn between(before: &Workspace, after: &Workspace) -> Changes {
        let (old, new) = (states(before), states(after));
        let differs = |path: &&String| old.get(*path) != new.get(*path);
        let paths: BTreeSet<String> = old.keys().chain(new.keys()).filter(differs).cloned().collect();
        let is_tokenizer = |path: &String| before.tokenizers.contains_key(path) || after.tokenizers.contains_key(path);
        let is_for_all = |path: &String| *path == PROJECT || path.starts_with(FLAG) || is_tokenizer(path);
        let touch_all = paths.iter().any(is_for_all);
        let after = by_path(after);
        let pairs = by_path(before).into_iter().filter_map(|(path, ids)| Some((ids, after.get(path)?)));
        let ids = pairs.flat_map(|(old, new)| old.into_iter().zip(new.iter().copied())).collect();
        Changes { paths, touch_all, ids }
    }

    /// The id of now of a file of then; `None` when it is gone.
    pub fn id(&self, then: FileId) -> Option<FileId> {
        self.ids.get(&then).copied()
    }
}

fn states(workspace: &Workspace) -> BTreeMap<String, Vec<State<'_>>> {
    let mut states: BTreeMap<String, Vec<State<'_>>> = BTreeMap::new();
    for id in workspace.sources.ids() {
        let file = workspace.sources.file(id);
        states.entry(file.path().to_owned()).or_default().push(State::Text(file));
    }
    for (path, problem) in workspace.texts.unusable() {
        let path = format!("{}/{path}", workspace.project.paths.prompts);
        states.entry(path).or_default().push(State::Unusable(problem));
    }
    for (path, bytes) in &workspace.tokenizers {
        states.entry(path.clone()).or_default().push(State::Bytes(bytes));
    }
    states
}

fn by_path(workspace: &Workspace) -> BTreeMap<&str, Vec<FileId>> {
    let mut ids: BTreeMap<&str, Vec<FileId>> = BTreeMap::new();
    for id in workspace.sources.ids() {
        ids.entry(workspace.sources.path(id)).or_default().push(id);
    }
    ids
}
