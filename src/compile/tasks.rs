//! Which artifacts there are: every profile, every cell of its matrix, without a context and with each fixture.

use std::collections::BTreeSet;

use super::{Compiled, Compiler, Request, cells};
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
    let mut compiler = Compiler::new(workspace);
    for task in &tasks.list {
        let mut one = |layer: Option<Layer>, take: &mut dyn FnMut(One<'t>)| {
            let request = Request {
                profile: &task.profile,
                cell: &task.cell,
                context: task.context.as_ref(),
                route: layer,
                simple: false,
            };
            let mut fork = sink.fork();
            let compiled = compiler.compile(request, &mut fork);
            let others = compiled.as_ref().filter(|_| task.context.is_none()).map_or_else(Vec::new, others);
            take(One { task, layer, compiled, said: sink.join(fork) });
            others
        };
        for layer in one(None, take) {
            one(Some(layer), take);
        }
    }
}

/// The links that can win besides the one that does.
fn others(compiled: &Compiled) -> Vec<Layer> {
    let won = compiled.winner();
    let routes = compiled.resolved.routes.iter().filter(|route| route.can_win && Some(route.layer) != won);
    routes.map(|route| route.layer).collect()
}
