//! `--limit NAME=N`: bounds raised by the person who runs promptc.

use crate::diag;
use crate::host::Error;
use crate::limits::{Limits, Refused};

/// One `--limit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Raise {
    name: String,
    value: usize,
}

/// Reads `NAME=N`.
pub(super) fn parse(word: &str) -> Result<Raise, String> {
    let known = || {
        let all = Limits::default().all();
        let width = all.iter().map(|l| l.name.len()).max().unwrap_or(0);
        let lines = all.iter().map(|l| format!("  {:width$}  {:>13}  {}\n", l.name, l.value, l.what));
        format!(
            "give a name and a number, `NAME=N`. The limits, and what holds without the flag:\n{}",
            lines.collect::<String>()
        )
    };
    let (name, value) = word.split_once('=').ok_or_else(known)?;
    match value.parse() {
        Ok(value) => Ok(Raise { name: name.to_owned(), value }),
        Err(_) => Err(format!("`{}` is no whole number", value.escape_debug())),
    }
}

/// The limits of a run.
pub(super) fn raised(flags: &[Raise]) -> Result<Limits, Error> {
    let mut limits = Limits::default();
    for Raise { name, value } in flags {
        limits.raise(name, *value).map_err(|refused| error(name, &refused))?;
    }
    Ok(limits)
}

fn error(name: &str, refused: &Refused) -> Error {
    match refused {
        Refused::Unknown => {
            let all = Limits::default().all();
            let error = Error::new(format!("there is no limit `{name}`"));
            match diag::nearest(name, all.iter().map(|l| l.name)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`--limit help` lists all limits"),
            }
        }
        Refused::Lower(limit) => Error::new(format!("the limit `{name}` is {}, and can only be raised", limit.value)),
        Refused::Higher(limit) => Error::new(format!("the limit `{name}` can be {} at most", limit.most)),
    }
}
