//! Messages about files.

use super::Unusable;
use crate::diag::{Diagnostic, Place, RuleInfo, Severity, nearest};
use crate::host::{Error, ReadError};
use crate::limits::{Limit, Limits};
use crate::manifest::PATH_OUTSIDE_ROOT;
use crate::source::{InvalidUtf8, Span};

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 4] = [&FILE_TOO_LARGE, &INVALID_UTF8, &MISSING_FILE, &UNREADABLE_FILE];

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    FILE_TOO_LARGE,
    "file-too-large",
    "a file of more than 16 MiB",
    "A prompt of this size fits into no model's window: the path is likely wrong."
);
rule!(INVALID_UTF8, "invalid-utf8", "a file that is not UTF-8", include_str!("invalid_utf8.md"));
rule!(
    MISSING_FILE,
    "missing-file",
    "a file that is named and not there",
    "Bodies, agents and includes are named from `prompts/`, fixtures from the project's root."
);
rule!(UNREADABLE_FILE, "unreadable-file", "a file that cannot be read", "The message says what the system answered.");

/// A body that is named and not there.
pub fn missing_file<'a>(span: Span, path: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(&MISSING_FILE, span, format!("there is no file `{}` below `prompts/`", path.escape_debug()))
        .label("named here")
        .suggest(path, known)
}

/// A body that is there and cannot be used.
pub fn unusable_file(span: Span, path: &str, problem: &Unusable, limits: &Limits) -> Diagnostic {
    match problem {
        Unusable::InvalidUtf8(bad) => invalid_utf8(&format!("prompts/{path}"), *bad).also(span, "used here"),
        Unusable::Unread(problem) => unread(Place::Span(span), path, problem, limits),
    }
}

pub(super) fn invalid_utf8(path: &str, bad: InvalidUtf8) -> Diagnostic {
    let place = Place::File { path: path.to_owned(), bad: Some(bad) };
    Diagnostic::at(&INVALID_UTF8, place, format!("`{path}` is not UTF-8: bad byte at offset {}", bad.offset))
        .help("save the file as UTF-8")
}

pub(super) fn unread(place: Place, path: &str, problem: &ReadError, limits: &Limits) -> Diagnostic {
    let path = path.escape_debug();
    match problem {
        ReadError::Missing => {
            Diagnostic::at(&MISSING_FILE, place, format!("there is no file `{path}`")).label("named here")
        }
        ReadError::OutsideRoot => {
            Diagnostic::at(&PATH_OUTSIDE_ROOT, place, format!("`{path}` is a link that leads out of the project"))
                .label("named here")
                .help("copy the file into the project")
        }
        ReadError::TooLarge { bytes } => {
            let limit = limits.file_bytes;
            let most = limit.amount();
            Diagnostic::at(&FILE_TOO_LARGE, place, format!("`{path}` has {bytes} bytes; files may have {most}"))
                .label("named here")
                .limit(limit)
        }
        ReadError::NotAFile => {
            Diagnostic::at(&UNREADABLE_FILE, place, format!("`{path}` is no ordinary file")).label("named here")
        }
        ReadError::Failed(why) => {
            Diagnostic::at(&UNREADABLE_FILE, place, format!("`{path}` cannot be read: {why}")).label("named here")
        }
    }
}

pub(super) fn fixture(span: Span, path: &str, problem: &ReadError, limits: &Limits) -> Diagnostic {
    unread(Place::Span(span), path, problem, limits).help("paths of fixtures start from the project's root")
}

/// A file that a person named and that cannot be read; `what` names it, with its flag.
pub(super) fn unread_named(what: &str, problem: &ReadError, limits: &Limits) -> Error {
    let error = Error::new(format!("cannot read {what}: {}", why(problem, limits)));
    match problem {
        ReadError::TooLarge { .. } => error.help(limits.file_bytes.way_out()),
        _ => error,
    }
}

/// All files together are too much.
pub(super) fn project_too_large(limit: Limit) -> Error {
    Error::new(format!("the files of the project have more than {}", limit.amount()))
        .help("move what is not part of a prompt elsewhere")
        .help(limit.way_out())
}

/// A read error as a phrase.
fn why(problem: &ReadError, limits: &Limits) -> String {
    match problem {
        ReadError::Missing => "there is no such file".to_owned(),
        ReadError::NotAFile => "it is no ordinary file".to_owned(),
        ReadError::OutsideRoot => "it leads out of the project".to_owned(),
        ReadError::TooLarge { bytes } => {
            format!("it has {bytes} bytes; files may have {}", limits.file_bytes.amount())
        }
        ReadError::Failed(why) => why.clone(),
    }
}

/// "did you mean" for a name on the command line.
pub(super) fn near(name: &str, known: &[String]) -> Option<String> {
    nearest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"))
}
