//! What one run of `build --watch` leaves for the next: the project as it was, and the profiles that are done.
//!
//! Decides which of them a change leaves alone. When in doubt a profile is made again: what has an error, since another
//! file may mend it, and everything when what is read for all of them has changed.

use std::collections::BTreeMap;

use crate::compile::{Task, Tasks};
use crate::diag::Diagnostic;
use crate::resolve::{self, Asked, Resolved};
use crate::workspace::{Changes, Workspace};

/// Profiles that are done, by name.
pub(super) type Settled = BTreeMap<String, Profile>;

/// A profile without an error, whose artifacts stand.
pub(super) struct Profile {
    /// What it was made of, besides its own file and its contexts.
    pub(super) asked: Asked,
    /// What there is to say of it.
    pub(super) said: Vec<Diagnostic>,
}

/// What a run leaves.
pub(super) struct Kept {
    /// The project as it was read.
    pub(super) workspace: Workspace,
    /// All messages.
    pub(super) list: Vec<Diagnostic>,
    pub(super) profiles: Settled,
}

impl Kept {
    /// The profiles that need not be made again, with their messages for the texts of now.
    pub(super) fn settled(&self, workspace: &Workspace, tasks: &Tasks, changes: &Changes) -> Settled {
        if changes.touch_all || resolve::doubts(&self.workspace) != resolve::doubts(workspace) {
            return Settled::new();
        }
        let again = |tasks: &&[Task]| {
            let profile = &tasks.first()?.profile;
            let known = self.profiles.get(profile)?;
            let is_touched = is_touched(known, tasks, workspace, changes);
            let said = known.said.iter().map(|message| message.clone().moved(&|then| changes.id(then)));
            let said = said.collect::<Option<_>>().filter(|_| !is_touched)?;
            Some((profile.clone(), Profile { asked: known.asked.clone(), said }))
        };
        let profiles = tasks.profiles();
        profiles
            .iter()
            .filter(|p| p.first().is_some_and(|t| !tasks.failed.contains(&t.profile)))
            .filter_map(again)
            .collect()
    }
}

fn is_touched(known: &Profile, tasks: &[Task], workspace: &Workspace, changes: &Changes) -> bool {
    let sources = &workspace.sources;
    let own = tasks.first().and_then(|task| workspace.profiles.get(&task.profile)).map(|profile| profile.file);
    let contexts = tasks.iter().filter_map(|task| Some(task.context.as_ref()?.file));
    let prompts = format!("{}/", workspace.project.paths.prompts);
    let is_asked = |path: &String| path.strip_prefix(&prompts).is_some_and(|short| known.asked.holds(short));
    own.into_iter().chain(contexts).any(|file| changes.paths.contains(sources.path(file)))
        || changes.paths.iter().any(is_asked)
}

/// What some artifacts were made of.
pub(super) fn asked<'r>(resolved: impl Iterator<Item = &'r Resolved>) -> Asked {
    let mut asked = Asked::default();
    resolved.for_each(|resolved| asked.extend(&resolved.asked));
    asked
}
