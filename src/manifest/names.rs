//! What things may be called.

use super::errors;
use super::reader::Doc;
use crate::source::Spanned;

/// Names of links: sections made of layers are called after them.
const LAYERS: [&str; 5] = ["override", "coordinator", "agent", "custom", "default"];

/// Tells a name that an input may not have.
pub(super) fn check_input(doc: &mut Doc<'_>, name: &Spanned<String>) {
    let mut letters = name.chars();
    let plain = letters.next().is_some_and(|c| c.is_ascii_lowercase())
        && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let reserved = crate::expr::is_reserved(name);
    if !plain || reserved {
        doc.say(errors::input_name(name.span, name, reserved));
    }
}

/// Tells an id that a section may not have.
pub(super) fn check_section(doc: &mut Doc<'_>, id: &Spanned<String>) {
    let mut letters = id.chars();
    let plain = letters.next().is_some_and(|c| c.is_ascii_lowercase())
        && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-');
    let number = id.strip_prefix("append-").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let reserved = LAYERS.contains(&id.as_str()) || number;
    if !plain || reserved {
        doc.say(errors::section_name(id.span, id, reserved));
    }
}

/// Tells a name of a manifest or fixture that could not be a file's.
pub(super) fn check_file(doc: &mut Doc<'_>, what: &str, name: &Spanned<String>) {
    if !is_file_name(name) {
        doc.say(errors::file_name(name.span, what, name));
    }
}

/// Whether a name of a manifest or fixture could be a file's.
pub fn is_file_name(name: &str) -> bool {
    let part = |p: &str| {
        !p.is_empty() && !p.starts_with('.') && p.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    name.split('/').all(part)
}
