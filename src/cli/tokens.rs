//! `promptc tokens`.

use super::job::{self, Format, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::report;

/// Count tokens by zone and section
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The profile
    profile: String,
    #[command(flatten)]
    which: Which,
    /// How the counts are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let one = job::compile_one(&args.profile, &args.which, global, args.format, ui)?;
    if let Some(compiled) = &one.compiled
        && let Some(subject) = compiled.subject(&one.workspace)
    {
        let text = match args.format {
            Format::Json => report::tokens_json(&subject),
            Format::Text | Format::Concise => report::tokens_table(&[report::tokens_row(&subject)]),
        };
        ui.result(&text)?;
    }
    Ok(one.outcome)
}
