//! `promptc build`.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::format::{Formats, Stream};
use super::job::{self, Which};
use super::print::{self, Part};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::compile::{self, Compiled, Compiler, Contexts, Request, Task, Tasks};
use crate::diag::Sink;
use crate::emit::{self, Emitter, Subject};
use crate::host::Error;
use crate::host::disk::Disk;
use crate::host::publish::{Own, Target, publish};
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

/// The folder of fixtures in a profile's output.
const FIXTURES: &str = "fixtures";

/// Whether every artifact of a profile could be made.
fn is_whole(tasks: &Tasks, profile: &str, made: &[(&Task, Subject<'_>)]) -> bool {
    let wanted = tasks.list.iter().filter(|t| t.profile == profile).count();
    !tasks.failed.contains(profile) && made.iter().filter(|(t, _)| t.profile == profile).count() == wanted
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
    let to_stdout = args.output.as_deref() == Some("-") || args.part.is_asked_for();
    if to_stdout && tasks.list.len() > 1 {
        return Err(Error::new(format!("stdout takes one artifact, and there are {}", tasks.list.len()))
            .help("name one profile, and one cell of its matrix: `--cell KEY=VALUE`")
            .into());
    }
    let mut compiler = Compiler::new(&workspace);
    let mut done: Vec<(&Task, Compiled)> = Vec::new();
    let progress = ui.progress(tasks.list.len());
    for task in &tasks.list {
        progress.inc(1);
        let request = Request {
            profile: &task.profile,
            cell: &task.cell,
            context: task.context.as_ref(),
            route: args.which.route,
            simple: args.which.simple,
        };
        if let Some(compiled) = compiler.compile(request, &mut sink) {
            done.push((task, compiled));
        }
    }
    progress.finish_and_clear();
    let list = sink.into_sorted(&workspace.sources);
    let is_json = args.formats.usual() == Format::Json;
    let stream = if is_json && !to_stdout { Stream::Out } else { Stream::Err };
    let outcome = args.formats.tell(&list, &workspace, &disk, stream, ui)?;
    let subjects: Vec<(&Task, Subject<'_>)> =
        done.iter().filter_map(|(task, compiled)| Some((*task, compiled.subject(&workspace)?))).collect();
    for (task, subject) in subjects.iter().filter(|_| args.emit.contains(&Emitter::OpenaiCompatible)) {
        let name = report::artifact_name(subject, task.context.as_ref().map(|c| c.name.as_str()));
        let shared = emit::shared_bytes(subject);
        ui.say(&format!("{name}: the first {shared} bytes of the system string are the same for everyone"));
    }
    if to_stdout {
        if let (Some((_, subject)), Outcome::Clean) = (subjects.first(), outcome) {
            let text = print::text(&args.part, &args.emit, subject)?;
            ui.result(&text)?;
        }
        return Ok(outcome);
    }
    write(args, &disk, &workspace, &tasks, &subjects, ui)?;
    let rows: Vec<report::Row> = subjects
        .iter()
        .filter(|(task, _)| is_whole(&tasks, &task.profile, &subjects))
        .map(|(task, subject)| {
            let context = task.context.as_ref().map(|c| c.name.as_str());
            report::tokens_row(subject, report::artifact_name(subject, context))
        })
        .collect();
    if !rows.is_empty() && !is_json {
        ui.result(&report::tokens_table("profile", &rows))?;
    }
    Ok(outcome)
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

/// `fixtures/NAME/` for one of all fixtures, else empty.
fn fixture_folder(args: &Args, task: &Task) -> String {
    match &task.context {
        Some(context) if args.all => format!("{FIXTURES}/{}/", context.name),
        _ => String::new(),
    }
}

/// `KEY=VALUE[,KEY=VALUE]/`.
fn cell_folder(cell: &Given) -> String {
    if cell.is_empty() {
        return String::new();
    }
    let plain: Vec<_> = cell.iter().map(|(k, v)| (k.value.clone(), v.value.clone())).collect();
    format!("{}/", path_part(&emit::cell_name(&plain)))
}

/// A name as one part of a path: letters that a path cannot have, or that would part it, are written as `%XX`.
fn path_part(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c.is_alphanumeric() || matches!(c, '-' | '_' | '=' | ',' | '.' | '+' | ' ') {
            true => out.push(c),
            false => c.to_string().bytes().for_each(|b| out.push_str(&format!("%{b:02X}"))),
        }
    }
    out
}

/// Writes the artifacts of every profile that has no error: each profile's folder as a whole.
fn write(
    args: &Args,
    disk: &Disk,
    workspace: &Workspace,
    tasks: &Tasks,
    subjects: &[(&Task, Subject<'_>)],
    ui: &mut Ui<'_>,
) -> Result<(), Stop> {
    let paths = &workspace.project.paths;
    let base = match &args.output {
        Some(folder) => job::absolute(folder)?,
        None => Utf8PathBuf::from(&paths.dist),
    };
    let mut folders: BTreeMap<Utf8PathBuf, BTreeMap<String, Vec<u8>>> = BTreeMap::new();
    for (task, subject) in subjects {
        // A profile of which one artifact failed keeps its old folder: half of a matrix is nothing to ship.
        if !is_whole(tasks, &task.profile, subjects) {
            continue;
        }
        let profile = base.join(path_part(&task.profile));
        let (folder, inner) = match args.which.cell.is_some() && !task.cell.is_empty() {
            true => (profile.join(cell_folder(&task.cell)), fixture_folder(args, task)),
            false => (profile, format!("{}{}", cell_folder(&task.cell), fixture_folder(args, task))),
        };
        let files = folders.entry(folder).or_default();
        for emitter in [Emitter::Blocks].into_iter().chain(args.emit.iter().copied()) {
            // With `--all` the fixtures are what a form that needs every value is made of.
            if args.all && task.context.is_none() && !emitter.takes_open_blocks() {
                continue;
            }
            print::require_closed(emitter, subject)?;
            files.insert(format!("{inner}{}", emitter.file()), emitter.emit(subject).into_bytes());
        }
    }
    let emitted = Emitter::ALL.map(Emitter::file);
    for (folder, files) in &folders {
        let own = Own {
            proof: Some((Emitter::Blocks.file(), emit::blocks::FORMAT)),
            names: &emitted,
            is_folder: is_artifact_folder,
        };
        let target = Target { root: disk.root(), folder, sources: &[&paths.prompts, &paths.profiles], own };
        publish(&target, files, &mut |line| ui.say(line))?;
    }
    Ok(())
}

/// Whether a folder inside a profile's is one of ours: a cell, all fixtures, one fixture.
fn is_artifact_folder(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    name.contains('=') || name == FIXTURES || parts.next() == Some(FIXTURES)
}
