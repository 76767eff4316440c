//! Why a prompt could not be imported.

use crate::host::Error;

pub(super) fn not_text(shown: &str, byte: usize) -> Error {
    Error::new(format!("`{shown}` is not UTF-8 from byte {byte} on")).help("save it as UTF-8, or import another file")
}

pub(super) fn blank(shown: &str) -> Error {
    Error::new(format!("`{shown}` has no text"))
}

pub(super) fn not_given_back(shown: &str, why: &str) -> Error {
    Error::new(format!("the project would not give `{shown}` back: {why}"))
        .help("import it in parts, or take out what the message names")
}
