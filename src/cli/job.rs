//! What commands that compile have in common: the project, the profile, the route, the cell, the context.
#![expect(clippy::disallowed_methods, reason = "only `cli` knows the working folder")]

use camino::{Utf8Path, Utf8PathBuf};

use super::format::{Formats, Stream};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::compile::{Compiled, Compiler, Request};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::host::Error;
use crate::host::disk::Disk;
use crate::input::Value;
use crate::manifest::Layer;
use crate::resolve::Given;
use crate::workspace::{Context, Flags, Wanted, Workspace};
use crate::{compile, emit};

/// Which artifact of a profile.
#[derive(clap::Args, Default, Debug)]
pub(super) struct Which {
    /// Run-time values: a fixture's name, or a JSON, YAML or TOML file
    #[arg(long, value_name = "FIXTURE|FILE")]
    pub(super) context: Option<String>,
    /// Build the artifact of this layer's link, whichever holds
    #[arg(long, value_name = "LAYER", value_parser = layer)]
    pub(super) route: Option<Layer>,
    /// One cell of the matrix
    #[arg(long, value_name = "KEY=VALUE[,KEY=VALUE]")]
    pub(super) cell: Option<String>,
    /// Only the sections that the default calls simple
    #[arg(long, conflicts_with_all = ["override", "coordinator", "agent", "custom", "append", "route"])]
    pub(super) simple: bool,
    #[command(flatten)]
    pub(super) layers: Layers,
}

/// Layers from the command line. Paths are from the working folder.
#[derive(clap::Args, Default, Debug)]
#[command(next_help_heading = "Layers")]
pub(super) struct Layers {
    /// Make the override link this text
    #[arg(long, value_name = "FILE")]
    r#override: Option<String>,
    /// Make the coordinator link this prompt
    #[arg(long, value_name = "NAME")]
    coordinator: Option<String>,
    /// Make the agent link this agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Make the custom link this text
    #[arg(long, value_name = "FILE")]
    custom: Option<String>,
    /// Append this text; may be repeated
    #[arg(long, value_name = "FILE")]
    append: Vec<String>,
}

impl Layers {
    pub(super) fn flags(&self) -> Flags {
        Flags {
            r#override: self.r#override.clone(),
            coordinator: self.coordinator.clone(),
            agent: self.agent.clone(),
            custom: self.custom.clone(),
            append: self.append.clone(),
        }
    }
}

fn layer(word: &str) -> Result<Layer, String> {
    Layer::from_name(word).ok_or_else(|| {
        let names: Vec<&str> = Layer::ALL.iter().map(|l| l.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

/// The project's files.
pub(super) fn disk(global: &Global) -> Result<Disk, Error> {
    let disk = match &global.root {
        Some(root) => Disk::at(root)?,
        None => Disk::find(&absolute("")?)?,
    };
    Ok(disk.with_limits(super::limit::raised(&global.limit)?))
}

/// The files of a project whose root is known, to be read more than once.
pub(super) fn disk_again(root: &Utf8Path, global: &Global) -> Result<Disk, Error> {
    Ok(Disk::at(root)?.with_limits(super::limit::raised(&global.limit)?).watched())
}

/// Artifacts of one cell of one profile, compiled, with everything told.
pub(super) struct One {
    pub(super) workspace: Workspace,
    /// Each with the name of its context.
    pub(super) compiled: Vec<(Option<String>, Compiled)>,
    pub(super) outcome: Outcome,
}

/// Compiles the artifact that is asked for, and with `fixtures` one for each fixture too.
pub(super) fn compile_one(
    profile: &str,
    which: &Which,
    fixtures: bool,
    global: &Global,
    formats: &Formats,
    ui: &mut Ui<'_>,
) -> Result<One, Stop> {
    let disk = disk(global)?;
    let wanted = [profile.to_owned()];
    let mut workspace = Workspace::load(&disk, Wanted::Named(&wanted), &which.layers.flags())?;
    formats.check(&disk, &workspace)?;
    check_route(&workspace, profile, which.route)?;
    let mut sink = Sink::new(compile::levels(&workspace.project).without_info()).at_most(workspace.limits.messages);
    sink.extend(workspace.said_of_project().to_vec());
    let mut names: Vec<Option<String>> = vec![which.context.clone()];
    if fixtures {
        let all = workspace.profiles.get(profile).map_or(&[][..], |p| &p.fixtures);
        names.extend(all.iter().map(|f| Some(f.name.value.clone())));
    }
    let mut contexts: Vec<Option<Context>> = Vec::new();
    for name in &names {
        match name {
            None => contexts.push(None),
            Some(name) => match workspace.context(&disk, profile, name)? {
                Ok(context) => contexts.push(Some(context)),
                Err(found) => sink.extend(found),
            },
        }
    }
    let compiler = Compiler::new(&workspace);
    let cell = only_cell(cells(compile::cells(&workspace, profile), which.cell.as_deref(), profile)?, profile)?;
    let mut compiled = Vec::new();
    for context in &contexts {
        let request =
            Request { profile, cell: &cell, context: context.as_ref(), route: which.route, simple: which.simple };
        let name = context.as_ref().map(|c| c.name.clone());
        compiled.extend(compiler.compile(request, &mut sink).map(|c| (name, c)));
    }
    let list = sink.into_sorted(&workspace.sources);
    let outcome = formats.tell(&list, &workspace, &disk, Stream::Err, ui)?;
    Ok(One { outcome, workspace, compiled })
}

/// A path from the working folder.
pub(super) fn absolute(path: &str) -> Result<Utf8PathBuf, Error> {
    let here = std::env::current_dir().map_err(|e| Error::new(format!("there is no working folder: {e}")))?;
    Utf8PathBuf::from_path_buf(here.join(path))
        .map_err(|path| Error::new(format!("the working folder's name is not UTF-8: {}", path.display())))
}

/// The cells that are asked for.
pub(super) fn cells(all: Vec<Given>, asked: Option<&str>, profile: &str) -> Result<Vec<Given>, Error> {
    let Some(asked) = asked else { return Ok(all) };
    let name = |cell: &Given| {
        let plain: Vec<(String, Value)> = cell.iter().map(|(k, v)| (k.value.clone(), v.value.clone())).collect();
        emit::cell_name(&plain)
    };
    let sorted = |text: &str| {
        let mut pairs: Vec<String> = text.split(',').map(|p| p.trim().to_owned()).collect();
        pairs.sort_unstable();
        pairs
    };
    let names: Vec<String> = all.iter().map(name).collect();
    let found = names.iter().position(|n| sorted(n) == sorted(asked));
    match found {
        Some(n) => Ok(vec![all[n].clone()]),
        None if names == [String::new()] => Err(Error::new(format!("the profile `{profile}` has no matrix"))),
        None => Err(Error::new(format!("the matrix of `{profile}` has no cell `{asked}`"))
            .help(format!("cells: {}", names.join("; ")))),
    }
}

/// Refuses `--route` of a layer that a profile's chain does not have.
pub(super) fn check_route(workspace: &Workspace, profile: &str, route: Option<Layer>) -> Result<(), Error> {
    let Some((layer, profile_file)) = route.zip(workspace.profiles.get(profile)) else { return Ok(()) };
    if profile_file.chain.link(layer).is_some() {
        return Ok(());
    }
    let links: Vec<&str> = profile_file.chain.links.iter().map(|l| l.layer.name()).collect();
    let error = Error::new(format!("the chain of `{profile}` has no link `{}`", layer.name()));
    Err(error.help(format!("links: {}", links.join(", "))))
}

/// The outcome that messages make.
pub(super) fn outcome(list: &[Diagnostic]) -> Outcome {
    match list.iter().any(|d| d.severity() == Severity::Error) {
        true => Outcome::Findings,
        false => Outcome::Clean,
    }
}

/// The one cell that a command is about.
pub(super) fn only_cell(cells: Vec<Given>, profile: &str) -> Result<Given, Stop> {
    match <[Given; 1]>::try_from(cells) {
        Ok([cell]) => Ok(cell),
        Err(cells) => Err(Stop::Error(
            Error::new(format!("`{profile}` has a matrix of {} cells, and one is needed", cells.len()))
                .help("name it: `--cell KEY=VALUE`"),
        )),
    }
}
