//! `promptc tokens`.

use super::job::{self, Format, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::report;

/// Count tokens by section, block and zone, and for each fixture
///
/// Counts are exact where the tokenizer is public, and say so where they are an estimate.
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
    // The table of a profile without a context has a line for each of its fixtures.
    let fixtures = args.which.context.is_none() && args.which.route.is_none() && args.format != Format::Json;
    let one = job::compile_one(&args.profile, &args.which, fixtures, global, args.format, ui)?;
    let subjects: Vec<_> = one
        .compiled
        .iter()
        .filter_map(|(name, compiled)| Some((name.as_deref(), compiled.subject(&one.workspace)?)))
        .collect();
    let Some((_, first)) = subjects.first() else { return Ok(one.outcome) };
    if args.format == Format::Json {
        ui.result(&report::tokens_json(first))?;
        return Ok(one.outcome);
    }
    let rows: Vec<report::Row> = subjects
        .iter()
        .map(|(name, subject)| report::tokens_row(subject, name.unwrap_or("ahead of time").to_owned()))
        .collect();
    ui.result(&format!("{}\n{}", report::tokens_details(first), report::tokens_table("context", &rows)))?;
    Ok(one.outcome)
}
