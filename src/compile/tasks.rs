//! Which artifacts there are: every profile, every cell of its matrix, without a context and with each fixture.

use std::collections::BTreeSet;

use super::{Compiled, Compiler, Request, cells, in_order};
use crate::diag::{Diagnostic, Sink};
use crate::host::{Error, Host};
use crate::manifest::Layer;
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

impl Task {
    /// The request for the artifact: of the link that wins, or of a layer's.
    pub fn request(&self, route: Option<Layer>) -> Request<'_> {
        Request { profile: &self.profile, cell: &self.cell, context: self.context.as_ref(), route, simple: false }
    }
}

impl Tasks {
    /// The tasks of each profile, in order.
    pub fn profiles(&self) -> Vec<&[Task]> {
        self.list.chunk_by(|a, b| a.profile == b.profile).collect()
    }
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

/// What came of one artifact.
pub struct One<'t> {
    /// What it was made of.
    pub task: &'t Task,
    /// The layer whose link was asked for, besides the link that wins.
    pub layer: Option<Layer>,
    /// The artifact; `None` when there is nothing to look at.
    pub compiled: Option<Compiled>,
    /// All messages, those of other artifacts again.
    pub said: Vec<Diagnostic>,
}

/// Compiles every task, and of those without a context every other link that can win besides the one that wins, each
/// behind that one.
pub fn each<'t>(workspace: &Workspace, tasks: &'t Tasks, sink: &mut Sink, take: &mut dyn FnMut(One<'t>)) {
    let compiler = Compiler::new(workspace);
    let empty = sink.fork();
    let one = |task: &'t Task, layer: Option<Layer>| {
        let mut fork = empty.fork();
        let compiled = compiler.compile(task.request(layer), &mut fork);
        (task, layer, compiled, fork)
    };
    let all = |task: &'t Task| {
        let first = one(task, None);
        let others = first.2.as_ref().filter(|_| task.context.is_none()).map_or_else(Vec::new, others);
        std::iter::once(first).chain(others.into_iter().map(|layer| one(task, Some(layer)))).collect::<Vec<_>>()
    };
    let profiles = tasks.profiles();
    in_order(
        &profiles,
        |tasks: &&'t [Task]| tasks.iter().flat_map(all).collect::<Vec<_>>(),
        |made| {
            for (task, layer, compiled, fork) in made {
                take(One { task, layer, compiled, said: sink.join(fork) });
            }
        },
    );
}

/// The links that can win besides the one that does.
fn others(compiled: &Compiled) -> Vec<Layer> {
    let won = compiled.winner();
    let routes = compiled.resolved.routes.iter().filter(|route| route.can_win && Some(route.layer) != won);
    routes.map(|route| route.layer).collect()
}
