//! `promptc build`.

mod output;

use std::collections::BTreeMap;

use super::format::{Formats, Stream};
use super::job::{self, Which};
use super::print::{self, Part};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::compile::{self, Compiler, Contexts, Request, Task, Tasks};
use crate::diag::Sink;
use crate::emit::Emitter;
use crate::host::Error;
use crate::host::disk::Disk;
use crate::report::{self, Format};
use crate::resolve::Given;
use crate::workspace::{Wanted, Workspace};

/// Compile profiles to scope-tagged blocks
///
/// Without a context the artifact is ahead of time: sections that need run-time values carry their template. Writes
/// dist/PROFILE/blocks.json and prints the token table.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Profiles to build; all, if none is named
    profiles: Vec<String>,
    #[command(flatten)]
    which: Which,
    /// Also write this form; with `-o -` only it. May be repeated
    #[arg(long, value_name = "NAME", value_parser = emitter)]
    emit: Vec<Emitter>,
    /// Folder for artifacts instead of dist/, or `-` for stdout
    #[arg(short, long, value_name = "DIR|-")]
    output: Option<String>,
    #[command(flatten)]
    part: Part,
    /// Build every fixture too, each into dist/PROFILE/fixtures/NAME/
    #[arg(long, conflicts_with = "context")]
    all: bool,
    #[command(flatten)]
    formats: Formats,
}

fn emitter(word: &str) -> Result<Emitter, String> {
    Emitter::from_name(word).ok_or_else(|| {
        let names: Vec<&str> = Emitter::ALL.iter().map(|e| e.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let disk = job::disk(global)?;
    let wanted = if args.profiles.is_empty() { Wanted::All } else { Wanted::Named(&args.profiles) };
    let mut workspace = Workspace::load(&disk, wanted, &args.which.layers.flags())?;
    args.formats.check(&disk, &workspace)?;
    if workspace.profiles.is_empty() && workspace.said_of_project().is_empty() {
        let folder = &workspace.project.paths.profiles;
        return Err(Error::new(format!("there are no profiles in `{folder}/`"))
            .help("add one: `profiles/NAME.toml`")
            .into());
    }
    let mut sink = Sink::new(compile::levels(&workspace.project).without_info()).at_most(workspace.limits.messages);
    sink.extend(workspace.said_of_project().to_vec());
    let tasks = tasks(args, &disk, &mut workspace, &mut sink)?;
    if args.output.as_deref() == Some("-") || args.part.is_asked_for() {
        return print(args, &disk, &workspace, &tasks, sink, ui);
    }
    let made = output::make(args, &disk, &workspace, &tasks, &mut sink, ui)?;
    let is_json = args.formats.usual() == Format::Json;
    let list = sink.into_sorted(&workspace.sources);
    let outcome = args.formats.tell(&list, &workspace, &disk, if is_json { Stream::Out } else { Stream::Err }, ui)?;
    made.notes.iter().for_each(|note| ui.say(note));
    if let Some(failed) = made.failed {
        return Err(failed);
    }
    if !made.rows.is_empty() && !is_json {
        ui.result(&report::tokens_table("profile", &made.rows))?;
    }
    Ok(outcome)
}

/// One artifact, or a part of it, to stdout.
fn print(
    args: &Args,
    disk: &Disk,
    workspace: &Workspace,
    tasks: &Tasks,
    mut sink: Sink,
    ui: &mut Ui<'_>,
) -> Result<Outcome, Stop> {
    if tasks.list.len() > 1 {
        return Err(Error::new(format!("stdout takes one artifact, and there are {}", tasks.list.len()))
            .help("name one profile, and one cell of its matrix: `--cell KEY=VALUE`")
            .into());
    }
    let compiler = Compiler::new(workspace);
    let task = tasks.list.first();
    let compiled = task.and_then(|task| compiler.compile(args.request(task), &mut sink));
    let list = sink.into_sorted(&workspace.sources);
    let outcome = args.formats.tell(&list, workspace, disk, Stream::Err, ui)?;
    if let Some((task, subject)) = task.zip(compiled.as_ref().and_then(|c| c.subject(workspace))) {
        output::note(args, task, &subject).iter().for_each(|note| ui.say(note));
        if outcome == Outcome::Clean {
            ui.result(&print::text(&args.part, &args.emit, &subject)?)?;
        }
    }
    Ok(outcome)
}

impl Args {
    fn request<'a>(&self, task: &'a Task) -> Request<'a> {
        Request { simple: self.which.simple, ..task.request(self.which.route) }
    }
}

fn tasks(args: &Args, disk: &Disk, workspace: &mut Workspace, sink: &mut Sink) -> Result<Tasks, Error> {
    let contexts = match &args.which.context {
        Some(name) => Contexts::One(name),
        None if args.all => Contexts::All,
        None => Contexts::Without,
    };
    for profile in workspace.profiles.keys() {
        job::check_route(workspace, profile, args.which.route)?;
    }
    let mut tasks = compile::tasks(workspace, disk, contexts, sink)?;
    if let Some(asked) = args.which.cell.as_deref() {
        let mut kept: BTreeMap<&str, Vec<Given>> = BTreeMap::new();
        for profile in workspace.profiles.keys() {
            kept.insert(profile, job::cells(compile::cells(workspace, profile), Some(asked), profile)?);
        }
        tasks.list.retain(|task| kept[task.profile.as_str()].contains(&task.cell));
    }
    Ok(tasks)
}
