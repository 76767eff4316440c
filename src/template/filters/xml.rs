//! `xml`: a value inside an element that it cannot leave.

use minijinja::value::{Kwargs, Rest};
use minijinja::{Error, State, Value};

const FORM: &str = "xml(tag)";

/// `<tag>`, the value, `</tag>`, each on lines of their own; closing tags in the value are neutralised.
pub(super) fn xml(state: &State<'_, '_>, value: &Value, given: Rest<Value>, named: Kwargs) -> Result<String, Error> {
    let text = super::text(state, FORM, value)?;
    let [tag] = super::arguments(FORM, ["tag"], given, &named)?;
    let Some(tag) = tag else { return Err(super::wrong(FORM, "needs `tag`")) };
    super::defined(state, FORM, &tag)?;
    let tag = match tag.as_str() {
        Some(name) if is_tag(name) => name,
        Some(name) => {
            return Err(super::wrong(FORM, format_args!("takes for `tag` a name of an element, not {name:?}")));
        }
        None => {
            return Err(super::wrong(FORM, format_args!("takes for `tag` a string, not {}", super::describe(&tag))));
        }
    };
    super::charge(state, text.len())?;
    let grown = closing_tags(&text, tag).count() * ("&lt;".len() - 1);
    super::charge(state, text.len() + grown + 2 * tag.len())?;
    Ok(format!("<{tag}>\n{}\n</{tag}>", neutralise(&text, tag)))
}

/// A letter, then letters, digits, `_` and `-`, all of ASCII.
fn is_tag(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// The text with the `<` of every `</tag` written `&lt;`, whatever its case and whatever follows: no part of it can end
/// an element of that name.
pub fn neutralise(text: &str, tag: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for at in closing_tags(text, tag) {
        out.push_str(&text[done..at]);
        out.push_str("&lt;");
        done = at + 1;
    }
    out.push_str(&text[done..]);
    out
}

fn closing_tags(text: &str, tag: &str) -> impl Iterator<Item = usize> {
    text.match_indices("</").map(|(at, _)| at).filter(move |at| {
        let name = text.as_bytes().get(at + 2..at + 2 + tag.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(tag.as_bytes()))
    })
}
