//! The sides of a comparison: the working tree and revisions of its git repository.

use camino::Utf8Path;

use super::{Global, Stop};
use super::{job, limit};
use crate::compile::{self, Contexts, Tasks};
use crate::diag::{Diagnostic, Sink};
use crate::host::Error;
use crate::host::Host;
use crate::host::disk::Disk;
use crate::host::git::{Repository, Revision};
use crate::workspace::{Flags, Wanted, Workspace};

/// A side with everything that there is to compile.
pub(super) struct Loaded {
    pub(super) workspace: Workspace,
    pub(super) tasks: Tasks,
    /// What loading had to say.
    pub(super) said: Vec<Diagnostic>,
}

/// Loads a side.
pub(super) fn load(host: &dyn Host, wanted: Wanted<'_>) -> Result<Loaded, Error> {
    let mut workspace = Workspace::load(host, wanted, &Flags::default())?;
    let mut sink = Sink::default();
    sink.extend(workspace.said_of_project().to_vec());
    let tasks = compile::tasks(&mut workspace, host, Contexts::All, &mut sink)?;
    Ok(Loaded { workspace, tasks, said: sink.into_unsorted() })
}

/// Loads the project at a revision.
pub(super) fn load_revision(
    repository: &Repository,
    revision: &Revision,
    global: &Global,
    wanted: Wanted<'_>,
) -> Result<Loaded, Error> {
    let limits = limit::raised(&global.limit)?;
    let named = |mut error: Error| {
        error.message = format!("at {revision}: {}", error.message);
        error
    };
    load(&repository.at(revision).map_err(named)?.with_limits(limits), wanted).map_err(named)
}

/// The project's files, and the repository that they are in.
pub(super) fn disk_and_repository(global: &Global) -> Result<(Disk, Repository), Stop> {
    let disk = job::disk(global)?;
    let repository = Repository::of(disk.root())?;
    Ok((disk, repository))
}

/// The repository alone, for two revisions: there need be no project in the working tree any more, and no working tree.
pub(super) fn repository(global: &Global) -> Result<Repository, Stop> {
    match disk_and_repository(global) {
        Ok((_, repository)) => Ok(repository),
        Err(error) => {
            let root = global.root.as_deref().unwrap_or(Utf8Path::new("."));
            Repository::of(root).or(Repository::bare(root)).map_err(|_| error)
        }
    }
}

/// The base that a person named, or where the default branch was left.
pub(super) fn base(repository: &Repository, named: Option<&str>) -> Result<Revision, Error> {
    match named {
        Some(name) => repository.revision(name),
        None => repository.default_base(),
    }
}
