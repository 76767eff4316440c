//! `promptc explain`.

use super::ui::Ui;
use super::{Outcome, Stop};
use crate::diag;
use crate::host::Error;
use crate::report;

/// Explain a message by the name in its brackets
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A name such as static-conditional; all names, if none is given
    name: Option<String>,
}

pub(super) fn run(args: &Args, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let Some(name) = &args.name else {
        ui.result(&format!("{}\n", report::known_names().join("\n")))?;
        return Ok(Outcome::Clean);
    };
    match report::explain(name) {
        Some(text) => ui.result(&text)?,
        None => {
            let error = Error::new(format!("there is nothing to explain about `{name}`"));
            return Err(match diag::nearest(name, report::known_names()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`promptc explain` lists all names"),
            }
            .into());
        }
    }
    Ok(Outcome::Clean)
}
