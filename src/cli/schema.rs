//! `promptc schema`.

use super::ui::Ui;
use super::{Outcome, Stop};
use crate::host::Error;
use crate::report;

/// Print the JSON Schema of an output
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// blocks or report
    what: String,
}

pub(super) fn run(args: &Args, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    match report::schema(&args.what) {
        Some(text) => ui.result(&text)?,
        None => {
            return Err(Error::new(format!("there is no schema of `{}`", args.what))
                .help(format!("schemas: {}", report::WHATS.join(", ")))
                .into());
        }
    }
    Ok(Outcome::Clean)
}
