//! `promptc resolve`.

use super::format::Formats;
use super::job::{self, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::report::{self, Format};

/// Show which layer wins and why
///
/// Prints every link of the chain, whether it applied, what it shadowed, what was appended or kept, and where each
/// section came from. With `--format json` the trace is JSON.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The profile
    profile: String,
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    formats: Formats,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let one = job::compile_one(&args.profile, &args.which, false, global, &args.formats, ui)?;
    if let Some((_, compiled)) = one.compiled.first()
        && let Some(subject) = compiled.draft(&one.workspace)
    {
        let text = match args.formats.usual() {
            Format::Json => report::route_json(compiled, &subject),
            _ => report::route_text(compiled, &subject, &one.workspace.sources),
        };
        ui.result(&text)?;
    }
    Ok(one.outcome)
}
