//! `promptc diff`.

use clap::ValueEnum;

use super::base::{self, Loaded};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::diff::{self, Class, Diff, Side, State};
use crate::report::{self, DiffReport};
use crate::workspace::Wanted;

/// Show what a change does to prefixes, tokens and cost, by class
///
/// Compiles every profile, cell, link and fixture of both sides and compares what comes out. The base is read from the
/// git repository, nothing is checked out; without one it is where HEAD left the default branch. The head is the working
/// tree, or a second revision. `promptc explain fragment` says what a class means.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A revision to compare with; else the merge base with origin/HEAD, main or master
    base: Option<String>,
    /// A revision to compare; else the working tree
    head: Option<String>,
    /// Exit with 1 when any byte of output is other: class tail or worse
    #[arg(long)]
    exit_code: bool,
    /// Exit with 1 for this class or a worse one, unless a reason in the manifest allows it; `never` for none
    #[arg(long, value_name = "CLASS", value_parser = fail_on, default_value = "demote")]
    fail_on: FailOn,
    /// How the change is written
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Shape {
    /// For people.
    Text,
    /// `promptc.diff/1`.
    Json,
    /// A comment for a pull request.
    Markdown,
}

/// The class from which on a change fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FailOn(Option<Class>);

/// What `--fail-on` takes besides classes.
const NEVER: &str = "never";

fn fail_on(word: &str) -> Result<FailOn, String> {
    match Class::from_name(word) {
        None if word == NEVER => Ok(FailOn(None)),
        Some(class) => Ok(FailOn(Some(class))),
        None => Err(format!("one of {}, {NEVER}", Class::ALL.map(Class::name).join(", "))),
    }
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let (repository, base, head, loaded) = match &args.head {
        Some(name) => {
            let repository = base::repository(global)?;
            let base = base::base(&repository, args.base.as_deref())?;
            let head = repository.revision(name)?;
            let loaded = base::load_revision(&repository, &head, global, Wanted::All)?;
            (repository, base, Some(head), loaded)
        }
        None => {
            let (disk, repository) = base::disk_and_repository(global)?;
            let base = base::base(&repository, args.base.as_deref())?;
            if args.base.is_none() && repository.may_hide_commits(&base)? {
                ui.say("note: the clone is shallow and HEAD is all that it has: only the working tree is compared");
                ui.say("  help: name a base, and fetch it: `git fetch --depth=1 origin REVISION`");
            }
            let loaded = base::load(&disk, Wanted::All)?;
            (repository, base, None, loaded)
        }
    };
    let before = base::load_revision(&repository, &base, global, Wanted::All)?;
    let (before, after) = (side(&before), side(&loaded));
    let diff = diff::compare(&before, &after);
    if !before.said.is_empty() {
        ui.say(&format!("in the base, {base}:"));
        ui.concise(&before.said, before.sources());
    }
    ui.diagnostics(&after.said, after.sources());
    let report = DiffReport { diff: &diff, base: &base, head: head.as_ref() };
    match args.format {
        Shape::Text => ui.result(&report::diff_text(&report, ui.out_colors()))?,
        Shape::Json => ui.result(&report::diff_json(&report))?,
        Shape::Markdown => ui.result(&report::diff_markdown(&report))?,
    }
    Ok(outcome(args, &diff, !after.said.is_empty()))
}

fn side(loaded: &Loaded) -> Side<'_> {
    Side::compile(&loaded.workspace, &loaded.tasks, loaded.said.clone())
}

/// A head that does not compile fails in any case. A base that does not is behind us.
fn outcome(args: &Args, diff: &Diff, head_is_wrong: bool) -> Outcome {
    let is_broken = |state: State| matches!(state, State::Broken { head: true, .. });
    let fails = head_is_wrong
        || diff.profiles.iter().any(|profile| is_broken(profile.state))
        || (args.exit_code && diff.class() >= Class::Tail)
        || args.fail_on.0.is_some_and(|class| diff.unallowed() >= class);
    if fails { Outcome::Findings } else { Outcome::Clean }
}
