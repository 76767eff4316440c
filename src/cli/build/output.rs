//! Artifacts made, profiles at once and in order, and written: each profile's folder as a whole.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::Args;
use super::kept::{self, Settled};
use crate::cli::ui::Ui;
use crate::cli::{Stop, job, print};
use crate::compile::{self, Compiled, Compiler, Task, Tasks};
use crate::diag::Sink;
use crate::emit::{self, Emitter, Subject};
use crate::host::disk::Disk;
use crate::host::publish::{Files, Own, Target, publish_all};
use crate::report;
use crate::resolve::{Asked, Given};
use crate::workspace::Workspace;

/// The folder of fixtures in a profile's output.
const FIXTURES: &str = "fixtures";

/// Folders that are written together: what they hold is in memory until then.
const TOGETHER: usize = 100;

/// What there is to tell of everything that was made.
#[derive(Default)]
pub(super) struct Made {
    /// A line for each artifact of each profile that has no error.
    pub(super) rows: Vec<report::Row>,
    pub(super) notes: Vec<String>,
    /// What the next run need not make again.
    pub(super) kept: Settled,
    /// Profiles that were compiled, and not taken from an earlier run.
    pub(super) compiled: usize,
    /// What kept the first folder from being written. Those behind it are not written either.
    pub(super) failed: Option<Stop>,
}

/// What was made of one profile.
struct One {
    profile: String,
    said: Sink,
    /// What it was made of, if it need not be made again while that stays as it is.
    asked: Option<Asked>,
    is_new: bool,
    rows: Vec<report::Row>,
    notes: Vec<String>,
    /// Files by folder; none of a profile that has an error.
    folders: Result<BTreeMap<Utf8PathBuf, Files>, Stop>,
}

/// Makes and writes the artifacts of every profile that has no error. What is wrong goes to the sink.
pub(super) fn make(
    args: &Args,
    disk: &Disk,
    workspace: &Workspace,
    tasks: &Tasks,
    settled: &Settled,
    sink: &mut Sink,
    ui: &mut Ui<'_>,
) -> Result<Made, Stop> {
    let base = match &args.output {
        Some(folder) => job::absolute(folder)?,
        None => Utf8PathBuf::from(&workspace.project.paths.dist),
    };
    let maker = Maker { args, workspace, tasks, settled, base, compiler: Compiler::new(workspace), sink: sink.fork() };
    let profiles = tasks.profiles();
    let progress = ui.progress(profiles.len());
    let mut made = Made::default();
    let mut folders = BTreeMap::new();
    // A form that needs every value may be refused by the last profile, and then none is written.
    let together = if args.emit.iter().all(|e| e.takes_open_blocks()) { TOGETHER } else { usize::MAX };
    let mut write = |folders: &mut BTreeMap<Utf8PathBuf, Files>, failed: &mut Option<Stop>| {
        let folders = std::mem::take(folders);
        if failed.is_none() {
            *failed = publish(disk, workspace, &folders, ui).err();
        }
    };
    compile::in_order(
        &profiles,
        |tasks| maker.one(tasks),
        |one| {
            progress.inc(1);
            let said = sink.join(one.said);
            made.compiled += usize::from(one.is_new);
            if let Some(asked) = one.asked {
                made.kept.insert(one.profile, kept::Profile { asked, said });
            }
            made.rows.extend(one.rows);
            made.notes.extend(one.notes);
            let is_made = one.folders.map(|more| folders.extend(more));
            if let Err(stop) = is_made {
                made.failed.get_or_insert(stop);
            }
            if folders.len() >= together {
                write(&mut folders, &mut made.failed);
            }
        },
    );
    write(&mut folders, &mut made.failed);
    progress.finish_and_clear();
    Ok(made)
}

struct Maker<'a> {
    args: &'a Args,
    workspace: &'a Workspace,
    tasks: &'a Tasks,
    /// Profiles of which nothing has changed.
    settled: &'a Settled,
    /// The folder of all artifacts.
    base: Utf8PathBuf,
    compiler: Compiler<'a>,
    /// Judges what is found; nothing is in it.
    sink: Sink,
}

impl Maker<'_> {
    /// All artifacts of one profile.
    fn one(&self, tasks: &[Task]) -> One {
        let Maker { args, workspace, .. } = self;
        let profile = tasks.first().map_or_else(String::new, |task| task.profile.clone());
        let mut said = self.sink.fork();
        let nothing = || (Vec::new(), Vec::new(), Ok(BTreeMap::new()));
        if let Some(known) = self.settled.get(&profile) {
            said.extend(known.said.iter().cloned());
            let (rows, notes, folders) = nothing();
            return One { profile, said, asked: Some(known.asked.clone()), is_new: false, rows, notes, folders };
        }
        let compiled: Vec<(&Task, Compiled)> = tasks
            .iter()
            .filter_map(|task| Some((task, self.compiler.compile(args.request(task), &mut said)?)))
            .collect();
        let subjects: Vec<(&Task, Subject<'_>)> =
            compiled.iter().filter_map(|(task, compiled)| Some((*task, compiled.subject(workspace)?))).collect();
        let notes = subjects.iter().filter_map(|(task, subject)| note(args, task, subject)).collect();
        let is_failed = self.tasks.failed.contains(&profile);
        // A profile of which one artifact failed keeps its old folder: half of a matrix is nothing to ship.
        if is_failed || subjects.len() < tasks.len() {
            let (rows, _, folders) = nothing();
            return One { profile, said, asked: None, is_new: true, rows, notes, folders };
        }
        let rows = subjects.iter().map(|(task, subject)| report::tokens_row(subject, name(task, subject))).collect();
        let asked = kept::asked(compiled.iter().map(|(_, compiled)| &compiled.resolved));
        let folders = self.folders(&subjects);
        One { profile, said, asked: Some(asked), is_new: true, rows, notes, folders }
    }

    fn folders(&self, subjects: &[(&Task, Subject<'_>)]) -> Result<BTreeMap<Utf8PathBuf, Files>, Stop> {
        let args = self.args;
        let mut folders: BTreeMap<Utf8PathBuf, Files> = BTreeMap::new();
        for (task, subject) in subjects {
            let profile = self.base.join(path_part(&task.profile));
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
        Ok(folders)
    }
}

fn name(task: &Task, subject: &Subject<'_>) -> String {
    report::artifact_name(subject, task.context.as_ref().map(|c| c.name.as_str()))
}

/// What is worth knowing of an artifact besides its size.
pub(super) fn note(args: &Args, task: &Task, subject: &Subject<'_>) -> Option<String> {
    args.emit.contains(&Emitter::OpenaiCompatible).then(|| {
        let shared = emit::shared_bytes(subject);
        let name = name(task, subject);
        format!("{name}: the first {shared} bytes of the system string are the same for everyone")
    })
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

fn publish(
    disk: &Disk,
    workspace: &Workspace,
    folders: &BTreeMap<Utf8PathBuf, Files>,
    ui: &mut Ui<'_>,
) -> Result<(), Stop> {
    let paths = &workspace.project.paths;
    let emitted = Emitter::ALL.map(Emitter::file);
    let own = Own {
        proof: Some((Emitter::Blocks.file(), emit::blocks::FORMAT)),
        names: &emitted,
        is_folder: is_artifact_folder,
    };
    let target =
        Target { root: disk.root(), folder: &Utf8PathBuf::new(), sources: &[&paths.prompts, &paths.profiles], own };
    Ok(publish_all(&target, folders, &mut |line| ui.say(line))?)
}

/// Whether a folder inside a profile's is one of ours: a cell, all fixtures, one fixture.
fn is_artifact_folder(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    name.contains('=') || name == FIXTURES || parts.next() == Some(FIXTURES)
}
