//! `promptc build`.

mod kept;
mod output;

use std::collections::BTreeMap;

use super::format::{Formats, Stream};
use super::job::{self, Which};
use super::print::{self, Part};
use super::ui::Ui;
use super::watch::{self, Round};
use super::{Global, Outcome, Stop};
use kept::{Kept, Settled};
use output::Made;

use crate::compile::{self, Compiler, Contexts, Request, Task, Tasks};
use crate::diag::{Diagnostic, Sink};
use crate::emit::Emitter;
use crate::host::Error;
use crate::host::disk::Disk;
use crate::report::{self, Format};
use crate::resolve::Given;
use crate::workspace::{Changes, Wanted, Workspace};

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
    /// Build again whenever a file changes, only what the change touches, until Ctrl-C
    #[arg(long)]
    watch: bool,
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
    if args.watch {
        refuse_to_watch(args)?;
        let mut kept = None;
        return watch::run(global, ui, &mut |round, disk, ui| again(args, disk, &mut kept, round, ui));
    }
    let disk = job::disk(global)?;
    let loaded = load(args, &disk)?;
    if args.is_for_stdout() {
        return print(args, &disk, loaded, ui);
    }
    let Loaded { workspace, tasks, mut sink } = loaded;
    let made = output::make(args, &disk, &workspace, &tasks, &Settled::new(), &mut sink, ui)?;
    let list = sink.into_sorted(&workspace.sources);
    tell(args, &disk, &workspace, &list, made, ui)
}

/// A project, what is to be made of it, and what there is to say so far.
struct Loaded {
    workspace: Workspace,
    tasks: Tasks,
    sink: Sink,
}

fn load(args: &Args, disk: &Disk) -> Result<Loaded, Stop> {
    let wanted = if args.profiles.is_empty() { Wanted::All } else { Wanted::Named(&args.profiles) };
    let mut workspace = Workspace::load(disk, wanted, &args.which.layers.flags())?;
    args.formats.check(disk, &workspace)?;
    if workspace.profiles.is_empty() && workspace.said_of_project().is_empty() {
        let folder = &workspace.project.paths.profiles;
        return Err(Error::new(format!("there are no profiles in `{folder}/`"))
            .help("add one: `profiles/NAME.toml`")
            .into());
    }
    let mut sink = Sink::new(compile::levels(&workspace.project).without_info()).at_most(workspace.limits.messages);
    sink.extend(workspace.said_of_project().to_vec());
    let tasks = tasks(args, disk, &mut workspace, &mut sink)?;
    Ok(Loaded { workspace, tasks, sink })
}

/// Tells what came of a run: messages, notes, sizes.
fn tell(
    args: &Args,
    disk: &Disk,
    workspace: &Workspace,
    list: &[Diagnostic],
    made: Made,
    ui: &mut Ui<'_>,
) -> Result<Outcome, Stop> {
    let is_json = args.formats.usual() == Format::Json;
    let outcome = args.formats.tell(list, workspace, disk, if is_json { Stream::Out } else { Stream::Err }, ui)?;
    made.notes.iter().for_each(|note| ui.say(note));
    if let Some(failed) = made.failed {
        return Err(failed);
    }
    if !made.rows.is_empty() && !is_json {
        ui.result(&report::tokens_table("profile", &made.rows))?;
    }
    Ok(outcome)
}

/// One run of many: what did not change since the one before is not made again.
fn again(args: &Args, disk: &Disk, kept: &mut Option<Kept>, round: Round, ui: &mut Ui<'_>) -> Result<(), Stop> {
    let Loaded { workspace, tasks, mut sink } = load(args, disk)?;
    let changes = kept.as_ref().map(|kept| Changes::between(&kept.workspace, &workspace));
    let settled = match kept.as_ref().zip(changes.as_ref()) {
        Some((kept, changes)) => kept.settled(&workspace, &tasks, changes),
        None => Settled::new(),
    };
    let mut made = output::make(args, disk, &workspace, &tasks, &settled, &mut sink, ui)?;
    let list = sink.into_sorted(&workspace.sources);
    let (profiles, compiled) = (std::mem::take(&mut made.kept), made.compiled);
    let is_same = changes.as_ref().zip(kept.as_ref()).is_some_and(|(changes, kept)| {
        // Nor is it worth a line that an editor writes what it keeps beside a file.
        let is_nothing = changes.paths.is_empty() || compiled == 0 && changes.paths.iter().all(|path| is_hidden(path));
        is_nothing && kept.list == list
    });
    let is_failed = made.failed.is_some();
    let told = match is_same && !is_failed && !round.must_tell {
        true => Ok(()),
        false => tell(args, disk, &workspace, &list, made, ui).map(|_| {
            let count = (compiled, workspace.profiles.len());
            ui.say(&watch::line(changes.as_ref().map(|c| &c.paths), count, &round));
        }),
    };
    // A folder that could not be written is made anew, whatever changes.
    *kept = (!is_failed).then_some(Kept { workspace, list, profiles });
    told
}

/// Whether a file is one that people do not see.
fn is_hidden(path: &str) -> bool {
    path.ends_with('~') || path.rsplit('/').next().is_some_and(|name| name.starts_with('.'))
}

/// Refuses what is made for one run.
fn refuse_to_watch(args: &Args) -> Result<(), Error> {
    if args.is_for_stdout() {
        return Err(Error::new("stdout takes one artifact, and `--watch` makes one after the other")
            .help("build into a folder: `-o DIR`"));
    }
    args.formats.check_for_many_runs()
}

/// One artifact, or a part of it, to stdout.
fn print(args: &Args, disk: &Disk, loaded: Loaded, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let Loaded { workspace, tasks, mut sink } = loaded;
    if tasks.list.len() > 1 {
        return Err(Error::new(format!("stdout takes one artifact, and there are {}", tasks.list.len()))
            .help("name one profile, and one cell of its matrix: `--cell KEY=VALUE`")
            .into());
    }
    let compiler = Compiler::new(&workspace);
    let task = tasks.list.first();
    let compiled = task.and_then(|task| compiler.compile(args.request(task), &mut sink));
    let list = sink.into_sorted(&workspace.sources);
    let outcome = args.formats.tell(&list, &workspace, disk, Stream::Err, ui)?;
    if let Some((task, subject)) = task.zip(compiled.as_ref().and_then(|c| c.subject(&workspace))) {
        output::note(args, task, &subject).iter().for_each(|note| ui.say(note));
        if outcome == Outcome::Clean {
            ui.result(&print::text(&args.part, &args.emit, &subject)?)?;
        }
    }
    Ok(outcome)
}

impl Args {
    fn is_for_stdout(&self) -> bool {
        self.output.as_deref() == Some("-") || self.part.is_asked_for()
    }

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
