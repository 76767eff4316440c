//! `promptc lint`.

use std::collections::BTreeMap;

use super::base::{self, Loaded};
use super::format::{Formats, Stream};
use super::job;
use super::ui::Ui;
use super::watch::{self, Round};
use super::{Global, Outcome, Stop};
use crate::compile::{self, Contexts};
use crate::diag::{self, Diagnostic, Levels, Severity, Sink};
use crate::diff::Side;
use crate::host::disk::Disk;
use crate::host::git::Repository;
use crate::host::{Error, Host, publish};
use crate::lint::{self, Mended};
use crate::report::Format;
use crate::workspace::{Changes, Flags, Wanted, Workspace};

/// Find what wastes the cache, and what readers would stumble over
///
/// Compiles every profile, cell, link and fixture and runs all rules. Findings go to stdout. `promptc explain RULE` says
/// what a rule means and how to mend it; `allow = { RULE = "reason" }` on a section silences one there, `[lints]` in
/// promptc.toml sets levels.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Profiles to look at; all, if none is named
    profiles: Vec<String>,
    /// Make an error of a rule, or of all `warnings`; may be repeated
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
    /// Make a warning of a rule; may be repeated
    #[arg(long, value_name = "RULE")]
    warn: Vec<String>,
    /// Do not tell of a rule; may be repeated
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// Also tell what changed since this git revision: the rules about changes
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Mend what can be mended for certain in the project's files, then look again
    #[arg(long)]
    fix: bool,
    /// With --fix, make edits too that may change more than the finding
    #[arg(long, requires = "fix")]
    unsafe_fixes: bool,
    /// Look again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "fix")]
    watch: bool,
    #[command(flatten)]
    formats: Formats,
}

/// What `--deny` takes besides names of rules.
const WARNINGS: &str = "warnings";

/// Most times that files are mended: an edit may make another one possible.
const ROUNDS: usize = 10;

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    if args.watch {
        args.formats.check_for_many_runs()?;
    }
    let disk = job::disk(global)?;
    let base = args.base.as_deref().map(|name| load_base(name, &disk, global)).transpose()?;
    let base = base.as_ref().map(|loaded| Side::compile(&loaded.workspace, &loaded.tasks, loaded.said.clone()));
    if let Some(base) = base.as_ref().filter(|base| !base.said.is_empty()) {
        ui.say("in the base:");
        ui.concise(&base.said, base.sources());
    }
    if args.watch {
        let mut before = None;
        return watch::run(global, ui, &mut |round, disk, ui| again(args, disk, base.as_ref(), &mut before, round, ui));
    }
    let mut found = look(args, &disk, base.as_ref())?;
    if args.fix {
        found = mend(args, &disk, found, base.as_ref(), ui)?;
    }
    tell(args, &disk, &found, ui)
}

/// One run of many. Rules compare profiles with one another, so all of them are looked at.
fn again(
    args: &Args,
    disk: &Disk,
    base: Option<&Side<'_>>,
    before: &mut Option<Found>,
    round: Round,
    ui: &mut Ui<'_>,
) -> Result<(), Stop> {
    let found = look(args, disk, base)?;
    let changes = before.as_ref().map(|before| Changes::between(&before.workspace, &found.workspace));
    let is_same = changes.as_ref().is_some_and(|changes| changes.paths.is_empty())
        && before.as_ref().is_some_and(|before| before.list == found.list);
    if !is_same || round.must_tell {
        tell(args, disk, &found, ui)?;
        let count = found.workspace.profiles.len();
        ui.say(&watch::line(changes.as_ref().map(|c| &c.paths), (count, count), &round));
    }
    *before = Some(found);
    Ok(())
}

/// Tells what was found, and what of it can be mended.
fn tell(args: &Args, disk: &Disk, found: &Found, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let Found { workspace, list } = found;
    let outcome = args.formats.tell(list, workspace, disk, Stream::Out, ui)?;
    if args.formats.usual() == Format::Text {
        for (safe, flags) in [(true, "--fix"), (false, "--fix --unsafe-fixes")] {
            let mendable = list.iter().filter(|d| d.fix.as_ref().is_some_and(|fix| fix.safe == safe)).count();
            if mendable > 0 {
                ui.say(&format!("{mendable} can be mended by `promptc lint {flags}`"));
            }
        }
    }
    Ok(outcome)
}

/// The project at the base.
fn load_base(name: &str, disk: &Disk, global: &Global) -> Result<Loaded, Error> {
    let repository = Repository::of(disk.root())?;
    base::load_revision(&repository, &repository.revision(name)?, global, Wanted::All)
}

/// A project, and what there is to say about it.
struct Found {
    workspace: Workspace,
    list: Vec<Diagnostic>,
}

fn look(args: &Args, disk: &Disk, base: Option<&Side<'_>>) -> Result<Found, Stop> {
    let wanted = if args.profiles.is_empty() { Wanted::All } else { Wanted::Named(&args.profiles) };
    let mut workspace = Workspace::load(disk, wanted, &Flags::default())?;
    args.formats.check(disk, &workspace)?;
    let mut sink = Sink::new(levels(args, compile::levels(&workspace.project))?).at_most(workspace.limits.messages);
    sink.extend(workspace.said_of_project().to_vec());
    let tasks = compile::tasks(&mut workspace, disk, Contexts::All, &mut sink)?;
    lint::lint(&workspace, &tasks, wanted, base, &mut sink);
    let list = sink.into_sorted(&workspace.sources);
    Ok(Found { workspace, list })
}

/// Mends files until nothing is left to mend, and says what was done in each. What is found afterwards.
fn mend(args: &Args, disk: &Disk, mut found: Found, base: Option<&Side<'_>>, ui: &mut Ui<'_>) -> Result<Found, Stop> {
    let mut done: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut failed = Ok(());
    for _ in 0..ROUNDS {
        let mended = lint::mend(&found.list, &found.workspace.sources, disk, args.unsafe_fixes);
        for file in &mended {
            failed = write(disk, file);
            if failed.is_err() {
                break;
            }
            let rules = done.entry(file.path.clone()).or_default();
            file.rules.iter().for_each(|(rule, count)| *rules.entry(rule).or_default() += count);
        }
        if mended.is_empty() || failed.is_err() {
            break;
        }
        found = look(args, disk, base)?;
    }
    for (path, rules) in &done {
        let rules: Vec<String> = rules.iter().map(|(rule, count)| format!("{rule} ({count})")).collect();
        ui.say(&format!("mended {path}: {}", rules.join(", ")));
    }
    failed?;
    Ok(found)
}

/// Replaces a file of the project, if it still is what it was and lies in the project.
fn write(disk: &Disk, file: &Mended) -> Result<(), Error> {
    let path = &file.path;
    let refused = |why: &str| Error::new(format!("`{path}` was not mended: {why}"));
    if disk.read(path, disk.limits().file_bytes.value as u64) != Ok(file.before.clone()) {
        return Err(refused("it was changed by somebody else meanwhile").help("run the command again"));
    }
    let place = disk.place(path).map_err(|_| refused("it is not in the project's folder"))?;
    publish::write_file_atomically(&place, &file.after)?;
    Ok(())
}

/// The project's levels, and over them those of the command line: `--allow` over `--warn` over `--deny`.
fn levels(args: &Args, mut levels: Levels) -> Result<Levels, Error> {
    let flags = [(&args.deny, Some(Severity::Error)), (&args.warn, Some(Severity::Warning)), (&args.allow, None)];
    for (names, level) in flags {
        for name in names {
            match name.as_str() {
                WARNINGS if level == Some(Severity::Error) => levels.deny_warnings(),
                name => levels.set(known(name)?, level),
            }
        }
    }
    Ok(levels)
}

fn known(name: &str) -> Result<&str, Error> {
    if compile::lint_names().contains(&name) {
        return Ok(name);
    }
    if lint::rule(name).is_some() {
        return Err(Error::new(format!("`{name}` is always an error")).help("levels are for lints"));
    }
    let error = Error::new(format!("there is no rule `{name}`"));
    Err(match diag::nearest(name, compile::lint_names().iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("`promptc explain` lists all names"),
    })
}
