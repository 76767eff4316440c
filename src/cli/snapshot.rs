//! `promptc snapshot`.

mod filter;
mod review;

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use clap::Subcommand;
use filter::Filter;

use super::format::{Formats, Stream};
use super::job;
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::compile::{self, Compiler, Contexts, Task};
use crate::diag::{Diagnostic, Sink};
use crate::host::disk::Disk;
use crate::host::publish::{Own, Target, refuse_links, steady, update};
use crate::host::{Error, Host, ReadError};
use crate::limits::Limit;
use crate::report::{self, Colors, Format};
use crate::snapshot::{self, Accepted, Finding, Names, Review, Snapshot, Stored};
use crate::workspace::{Flags, Wanted, Workspace};

/// Keep goldens of everything that is compiled, and review what changes in them
///
/// Goldens are files in snapshots/, made to be read in a pull request: one for each profile, which says what each
/// combination of matrix and fixture is made of, and one for each section with its texts.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Compare what is compiled with the snapshots; this is the default
    ///
    /// Writes nothing. Exit code 1: something differs, is missing, or is left over.
    Check(Check),
    /// Write what is compiled as the new snapshots, all of it or what the filters name
    Accept(Filter),
    /// Go through the changes one by one in a terminal, and accept or reject each
    Review(Filter),
}

#[derive(clap::Args, Default, Debug)]
struct Check {
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    formats: Formats,
}

/// A project, what is compiled of it, and what is stored.
struct Loaded {
    disk: Disk,
    workspace: Workspace,
    /// What is wrong with the project.
    said: Vec<Diagnostic>,
    compiled: Snapshot,
    stored: Stored,
    /// Profiles that could not be compiled as a whole.
    unknown: BTreeSet<String>,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    match &args.action {
        None => check(&Check::default(), global, ui),
        Some(Action::Check(args)) => check(args, global, ui),
        Some(Action::Accept(filter)) => accept(filter, global, ui),
        Some(Action::Review(filter)) => review::run(filter, global, ui),
    }
}

fn load(filter: &Filter, global: &Global, ui: &Ui<'_>) -> Result<Loaded, Stop> {
    let disk = job::disk(global)?;
    let mut workspace = Workspace::load(&disk, Wanted::All, &Flags::default())?;
    let mut sink = Sink::new(compile::levels(&workspace.project).without_info()).at_most(workspace.limits.messages);
    sink.extend(workspace.said_of_project().to_vec());
    let folder = &workspace.project.paths.snapshots;
    refuse_links(disk.root(), Utf8Path::new(folder)).map_err(of_snapshots)?;
    let tasks = compile::tasks(&mut workspace, &disk, Contexts::All, &mut sink)?;
    let (taken, reduced) = snapshot::select(&tasks);
    let mut unknown = tasks.failed.clone();
    let mut compiled = Snapshot::default();
    let compiler = Compiler::new(&workspace);
    let names = Names { paths: &workspace.project.paths, sources: &workspace.sources };
    let progress = ui.progress(taken.len());
    let empty = sink.fork();
    let make = |task: &&Task| {
        let mut fork = empty.fork();
        let made = compiler.compile(task.request(None), &mut fork);
        (made, fork)
    };
    let mut order = taken.iter();
    compile::in_order(&taken, make, |(made, fork)| {
        progress.inc(1);
        _ = sink.join(fork);
        let Some(task) = order.next() else { return };
        match made.as_ref().and_then(|m| m.subject(&workspace)) {
            Some(subject) => compiled.add(&subject, task.context.as_ref().map(|c| c.name.as_str()), names),
            None => _ = unknown.insert(task.profile.clone()),
        }
    });
    progress.finish_and_clear();
    compiled.profiles.retain(|name, _| !unknown.contains(name));
    for (name, matrix) in &mut compiled.profiles {
        matrix.pairwise = reduced.get(name).copied();
    }
    let stored = read(&disk, &workspace.project.paths.snapshots, &compiled)?;
    let said = sink.into_sorted(&workspace.sources);
    let loaded = Loaded { disk, workspace, said, compiled, stored, unknown };
    filter::check(filter, &loaded)?;
    Ok(loaded)
}

/// What is stored: all of it of one state, whatever is accepted meanwhile.
fn read(disk: &Disk, folder: &str, compiled: &Snapshot) -> Result<Stored, Error> {
    let wanted = snapshot::files(compiled);
    steady(&disk.root().join(folder), || snapshot::read(disk, folder, &wanted))
}

impl Loaded {
    fn folder(&self) -> &str {
        &self.workspace.project.paths.snapshots
    }

    fn review<'s>(&'s self, stored: &'s Stored) -> Review<'s> {
        Review { folder: self.folder(), stored, compiled: &self.compiled, unknown: &self.unknown }
    }

    fn accept(&self, filter: &Filter) -> Result<Accepted, Error> {
        filter.accept(&self.review(&self.stored))
    }

    /// Writes what is accepted of what is stored when it is written, together with the files in the folder that are not
    /// ours: another run may have accepted something since the project was loaded.
    fn write(
        &self,
        accept: &dyn Fn(&Review<'_>) -> Result<Accepted, Error>,
        ui: &mut Ui<'_>,
    ) -> Result<Accepted, Stop> {
        let mut done = None;
        let mut make = || {
            let stored = read(&self.disk, self.folder(), &self.compiled)?;
            let accepted = accept(&self.review(&stored))?;
            let mut all: BTreeMap<String, Vec<u8>> =
                accepted.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
            for path in &stored.foreign {
                let full = format!("{}/{path}", self.folder());
                let most = self.disk.limits().file_bytes;
                let bytes = self.disk.read(&full, most.value as u64).map_err(|why| not_kept(&full, &why, most))?;
                all.insert(path.clone(), bytes);
            }
            done = Some(accepted);
            let names = stored.paths().filter_map(|path| path.rsplit('/').next()).map(str::to_owned);
            Ok((all, names.collect()))
        };
        let own = Own { proof: None, names: &[], is_folder: |_| true };
        let paths = &self.workspace.project.paths;
        let target = Target {
            root: self.disk.root(),
            folder: Utf8Path::new(self.folder()),
            sources: &[&paths.prompts, &paths.profiles],
            own,
        };
        update(&target, &mut make, &mut |line| ui.say(line)).map_err(of_snapshots)?;
        Ok(done.expect("nothing is written that was not made"))
    }

    /// The outcome that the project's own messages make.
    fn outcome(&self) -> Outcome {
        job::outcome(&self.said)
    }
}

fn check(args: &Check, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let loaded = load(&args.filter, global, ui)?;
    args.formats.check(&loaded.disk, &loaded.workspace)?;
    let findings = loaded.accept(&args.filter)?.findings;
    let sources = &loaded.workspace.sources;
    let mut list = loaded.said.clone();
    list.extend(findings.iter().map(|f| snapshot::diagnostic(loaded.folder(), f)));
    match args.formats.usual() {
        Format::Text => {
            ui.diagnostics(&loaded.said, sources);
            ui.result(&report_text(&loaded, &findings, &args.filter, ui.out_colors()))?;
            args.formats.write_files(&list, &loaded.workspace, &loaded.disk)?;
        }
        _ => _ = args.formats.tell(&list, &loaded.workspace, &loaded.disk, Stream::Out, ui)?,
    }
    Ok(if findings.is_empty() { loaded.outcome() } else { Outcome::Findings })
}

fn report_text(loaded: &Loaded, findings: &[Finding], filter: &Filter, colors: Colors) -> String {
    let command = format!("promptc snapshot accept{}", filter.words());
    if findings.is_empty() {
        let count: usize = loaded.compiled.profiles.values().map(|m| m.entries.len()).sum();
        let are = match count {
            1 => "1 artifact is as its snapshot says".to_owned(),
            _ => format!("{count} artifacts are as their snapshots say"),
        };
        let unknown: Vec<String> = loaded.unknown.iter().map(|name| format!("`{}`", report::escape(name))).collect();
        return match unknown.is_empty() {
            true => format!("{are}\n"),
            false => format!("{are}; not compared, for want of an artifact: {}\n", unknown.join(", ")),
        };
    }
    if loaded.stored.paths().next().is_none() {
        return format!("there are no snapshots in `{}/` yet\nto write them: {command}\n", loaded.folder());
    }
    format!("{}to accept: {command}\n", report::snapshot_text(loaded.folder(), findings, colors))
}

fn accept(filter: &Filter, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let loaded = load(filter, global, ui)?;
    ui.diagnostics(&loaded.said, &loaded.workspace.sources);
    let accepted = loaded.write(&|review| filter.accept(review), ui)?;
    match accepted.findings.is_empty() {
        true => ui.result("nothing to accept\n")?,
        false => ui.result(&report::snapshot_accepted(loaded.folder(), &accepted.findings))?,
    }
    Ok(loaded.outcome())
}

/// The way out of a folder that cannot be written is not `-o` here.
fn of_snapshots(mut error: Error) -> Error {
    for help in &mut error.help {
        if help.contains("`-o`") {
            "name another folder in promptc.toml: `[paths] snapshots = \"..\"`".clone_into(help);
        }
    }
    error
}

fn not_kept(path: &str, why: &ReadError, most: Limit) -> Error {
    match why {
        ReadError::TooLarge { .. } => {
            Error::new(format!("`{path}` is no snapshot, and has more than {}", most.amount()))
                .help("move it elsewhere")
        }
        _ => Error::new(format!("`{path}` is no snapshot, and cannot be read to be kept")).help("move it elsewhere"),
    }
}
