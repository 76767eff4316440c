//! Why nothing could be compared.

use crate::host::{Error, ReadError};
use crate::limits::Limit;

pub(super) fn unreadable(path: &str, why: &ReadError, most: Limit) -> Error {
    let why = match why {
        ReadError::Missing => return Error::new(format!("there is no file and no folder `{path}`")),
        ReadError::NotAFile => "it is not a file".to_owned(),
        ReadError::OutsideRoot => "it is a link that leads out of the folder".to_owned(),
        ReadError::TooLarge { .. } => {
            return Error::new(format!("cannot read `{path}`: it has more than {}", most.amount()))
                .help(most.way_out());
        }
        ReadError::Failed(reason) => reason.clone(),
    };
    Error::new(format!("cannot read `{path}`: {why}"))
}

pub(super) fn unreadable_exports(path: &str, why: &str) -> Error {
    Error::new(format!("cannot read `{path}`: {why}")).help("name a file of its own as the golden")
}

pub(super) fn binary(path: &str) -> Error {
    Error::new(format!("`{path}` is an insta snapshot of bytes, which stand in the file beside it"))
        .help("name that file as the golden")
}

pub(super) fn several(name: &str, goldens: &[String]) -> Error {
    Error::new(format!("`{name}` has {} goldens: {}", goldens.len(), goldens.join(", ")))
        .help("name the one that is meant: `--context NAME --against FILE`")
}

pub(super) fn nothing_to_compare(profile: &str, shown: &str, names: &[&str]) -> Error {
    let error = Error::new(format!("`{shown}` has no golden for any artifact of `{profile}`"));
    match names {
        [] => error.help(format!("`{profile}` waits for values: give a fixture or a file, `--context NAME`")),
        names => error.help(format!("name goldens after fixtures: {}", names.join(", "))),
    }
}

pub(super) fn which_artifact(profile: &str, shown: &str, names: &[&str]) -> Error {
    match names {
        [] => Error::new(format!("`{profile}` waits for values, so there is no text to compare"))
            .help("give a fixture or a file: `--context NAME`"),
        names => Error::new(format!("`{shown}` is one golden, and `{profile}` has {} artifacts", names.len()))
            .help(format!("name the fixture with `--context`: {}", names.join(", "))),
    }
}
