//! `promptc schema`.

use super::job::{self, Format, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::host::Error;
use crate::report;

/// Print the JSON Schema of an output, or of a profile's context
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// blocks, report, or context
    what: String,
    /// The profile whose context is meant
    profile: Option<String>,
    /// One cell of the profile's matrix
    #[arg(long, value_name = "KEY=VALUE[,KEY=VALUE]")]
    cell: Option<String>,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    if args.what == "context" {
        return context(args, global, ui);
    }
    match report::schema(&args.what) {
        Some(text) => ui.result(&text)?,
        None => {
            return Err(Error::new(format!("there is no schema of `{}`", args.what))
                .help(format!("schemas: {}, context PROFILE", report::WHATS.join(", ")))
                .into());
        }
    }
    Ok(Outcome::Clean)
}

fn context(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let Some(profile) = &args.profile else {
        return Err(Error::new("a context belongs to a profile").help("write `promptc schema context PROFILE`").into());
    };
    let which = Which { cell: args.cell.clone(), ..Which::default() };
    let one = job::compile_one(profile, &which, false, global, Format::Text, ui)?;
    if let (Some((_, compiled)), Outcome::Clean) = (one.compiled.first(), one.outcome) {
        ui.result(&report::context_schema(profile, &compiled.resolved.inputs))?;
    }
    Ok(one.outcome)
}
