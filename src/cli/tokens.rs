//! `promptc tokens`.

use super::format::Formats;
use super::job::{self, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::report::{self, Format};

/// Count tokens by section, block and zone, and for each fixture
///
/// Counts are exact where the tokenizer is public, and say so where they are an estimate. With `--format json` they are
/// JSON.
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
    // The table of a profile without a context has a line for each of its fixtures.
    let is_json = args.formats.usual() == Format::Json;
    let fixtures = args.which.context.is_none() && args.which.route.is_none() && !is_json;
    let one = job::compile_one(&args.profile, &args.which, fixtures, global, &args.formats, ui)?;
    let subjects: Vec<_> = one
        .compiled
        .iter()
        .filter_map(|(name, compiled)| Some((name.as_deref(), compiled.subject(&one.workspace)?)))
        .collect();
    let Some((_, first)) = subjects.first() else { return Ok(one.outcome) };
    if is_json {
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
