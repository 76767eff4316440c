//! `promptc explain`.

use super::ui::Ui;
use super::{Global, Outcome, Stop, job};
use crate::diag;
use crate::host::Error;
use crate::manifest::Project;
use crate::plan::Facts;
use crate::report;
use crate::workspace::{Flags, Wanted, Workspace};

/// Explain a message, a word of the language, a provider or a model
///
/// Of a provider or a model it says what is assumed, since when, and from which source.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A name such as static-conditional, session or a model's; all names, if none is given
    name: Vec<String>,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    if args.name.is_empty() {
        ui.result(&format!("{}\n", report::known_names().join("\n")))?;
        return Ok(Outcome::Clean);
    }
    let name = &args.name.join(" ");
    let facts = Facts::new(&project(global));
    let parts: Vec<String> =
        [report::explain(name), report::explain_fact(&facts, name)].into_iter().flatten().collect();
    if parts.is_empty() {
        let error = Error::new(format!("there is nothing to explain about `{name}`"));
        return Err(match diag::nearest(name, report::known_names()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("`promptc explain` lists all names"),
        }
        .into());
    }
    ui.result(&parts.join("\n"))?;
    Ok(Outcome::Clean)
}

/// The project's own facts count, where there is a project.
fn project(global: &Global) -> Project {
    let workspace = job::disk(global).and_then(|disk| Workspace::load(&disk, Wanted::Named(&[]), &Flags::default()));
    workspace.map_or_else(|_| Project::default(), |workspace| workspace.project)
}
