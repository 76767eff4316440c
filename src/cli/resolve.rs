//! `promptc resolve`.

use super::job::{self, Format, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::report;

/// Show which layer wins and why
///
/// Prints every link of the chain, whether it applied, what it shadowed, what was appended or kept, and where each
/// section came from.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The profile
    profile: String,
    #[command(flatten)]
    which: Which,
    /// How the trace is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let one = job::compile_one(&args.profile, &args.which, false, global, args.format, ui)?;
    if let Some((_, compiled)) = one.compiled.first()
        && let Some(subject) = compiled.draft(&one.workspace)
    {
        let text = match args.format {
            Format::Json => report::route_json(compiled, &subject),
            Format::Text | Format::Concise => report::route_text(compiled, &subject, &one.workspace.sources),
        };
        ui.result(&text)?;
    }
    Ok(one.outcome)
}
