//! `fill`: placeholders in data.

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{Error, State, Value};

use super::Paid;

const FORM: &str = "fill(map)";

/// Each `{{KEY}}`, blanks and tabs around the key allowed, becomes the text under that key of the table. What stands in
/// the place of a key is not looked at again; a placeholder without an entry stays as it is.
///
/// A key is everything between the braces but braces and line ends. Of several `{` the last two open.
pub(super) fn fill(state: &State<'_, '_>, value: &Value, given: Rest<Value>, named: Kwargs) -> Result<String, Error> {
    let text = super::text(state, FORM, value)?;
    let [map] = super::arguments(FORM, ["map"], given, &named)?;
    let Some(map) = map else { return Err(super::wrong(FORM, "needs `map`")) };
    super::defined(state, FORM, &map)?;
    let Some(entries) = map.as_object().filter(|_| map.kind() == ValueKind::Map) else {
        return Err(super::wrong(FORM, format_args!("takes for `map` a table, not {}", super::describe(&map))));
    };
    super::charge(state, text.len())?;
    let mut out = Paid::new(state);
    let mut rest = &*text;
    while let Some(open) = rest.find("{{") {
        let placeholder = placeholder(&rest[open..]);
        let entry = placeholder.and_then(|(key, length)| Some((key, length, entries.get_value(&Value::from(key))?)));
        match entry {
            Some((key, length, entry)) => {
                super::defined(state, FORM, &entry)?;
                if !matches!(entry.kind(), ValueKind::String | ValueKind::Number) {
                    let what = super::describe(&entry);
                    return Err(super::wrong(FORM, format_args!("fills in text, and `{key}` is {what}")));
                }
                out.push(&rest[..open])?;
                out.push(&super::text(state, FORM, &entry)?)?;
                rest = &rest[open + length..];
            }
            None => {
                out.push(&rest[..=open])?;
                rest = &rest[open + 1..];
            }
        }
    }
    out.push(rest)?;
    Ok(out.text)
}

/// The key of the placeholder that a text begins with, and the placeholder's length.
fn placeholder(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix("{{")?;
    let end = inside.find(['{', '}', '\n'])?;
    inside[end..].starts_with("}}").then(|| (inside[..end].trim_matches([' ', '\t']), "{{".len() + end + "}}".len()))
}
