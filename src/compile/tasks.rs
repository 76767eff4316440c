//! Which artifacts there are: every profile, every cell of its matrix, without a context and with each fixture.

use std::collections::BTreeSet;

use super::cells;
use crate::diag::Sink;
use crate::host::{Error, Host};
use crate::resolve::Given;
use crate::workspace::{Context, Workspace};

/// Which contexts artifacts are made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contexts<'a> {
    /// None: ahead of time.
    Without,
    /// A fixture of this name, else the file at this path.
    One(&'a str),
    /// None, and each fixture of the profile.
    All,
}

/// One artifact to make.
#[derive(Clone, Debug)]
pub struct Task {
    /// The profile.
    pub profile: String,
    /// Values of the matrix.
    pub cell: Given,
    /// Run-time values.
    pub context: Option<Context>,
}

/// Artifacts to make, by profile, cell and context.
#[derive(Default, Debug)]
pub struct Tasks {
    /// In order.
    pub list: Vec<Task>,
    /// Profiles of which a context could not be read; told already.
    pub failed: BTreeSet<String>,
}

/// All artifacts of the loaded profiles. What is wrong with a context goes to the sink.
///
/// # Errors
/// A context that is named and not there.
pub fn tasks(
    workspace: &mut Workspace,
    host: &dyn Host,
    contexts: Contexts<'_>,
    sink: &mut Sink,
) -> Result<Tasks, Error> {
    let profiles: Vec<String> = workspace.profiles.keys().cloned().collect();
    let mut tasks = Tasks::default();
    for profile in profiles {
        let names: Vec<String> = match contexts {
            Contexts::Without => Vec::new(),
            Contexts::One(name) => vec![name.to_owned()],
            Contexts::All => workspace.profiles[&profile].fixtures.iter().map(|f| f.name.value.clone()).collect(),
        };
        let mut read: Vec<Option<Context>> = Vec::new();
        if !matches!(contexts, Contexts::One(_)) {
            read.push(None);
        }
        for name in &names {
            match workspace.context(host, &profile, name)? {
                Ok(context) => read.push(Some(context)),
                Err(found) => {
                    sink.extend(found);
                    tasks.failed.insert(profile.clone());
                }
            }
        }
        for cell in cells(workspace, &profile) {
            let task = |context: &Option<Context>| Task {
                profile: profile.clone(),
                cell: cell.clone(),
                context: context.clone(),
            };
            tasks.list.extend(read.iter().map(task));
        }
    }
    Ok(tasks)
}
