//! `promptc lint`.

use super::job::{self, Format};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::compile::{self, Contexts};
use crate::diag::{self, Levels, Severity, Sink};
use crate::host::Error;
use crate::workspace::{Flags, Wanted, Workspace};
use crate::{lint, report};

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
    /// How findings are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What `--deny` takes besides names of rules.
const WARNINGS: &str = "warnings";

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let disk = job::disk(global)?;
    let wanted = if args.profiles.is_empty() { Wanted::All } else { Wanted::Named(&args.profiles) };
    let mut workspace = Workspace::load(&disk, wanted, &Flags::default())?;
    let mut sink = Sink::new(levels(args, compile::levels(&workspace.project))?);
    sink.extend(workspace.said_of_project().to_vec());
    let tasks = compile::tasks(&mut workspace, &disk, Contexts::All, &mut sink)?;
    lint::lint(&workspace, &tasks, wanted, &mut sink);
    let list = sink.into_sorted(&workspace.sources);
    match args.format {
        Format::Text => ui.findings(&list, &workspace.sources)?,
        Format::Concise => ui.result(&report::concise(&list, &workspace.sources))?,
        Format::Json => ui.result(&report::json_report(&list, &workspace.sources))?,
    }
    Ok(job::outcome(&list))
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
