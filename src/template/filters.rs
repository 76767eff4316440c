//! The filters that templates have beyond the engine's own (T5).
//!
//! A character is a Unicode scalar value. Text filters take strings, and numbers as they print; nothing is ever
//! converted from a bool, a list or a table. An undefined value is an error. Each filter pays fuel, one unit for 64
//! bytes read or made, before it makes anything: the engine itself charges for a result only when it is there.

mod bullets;
mod fill;
mod invisible;
mod paid;
mod printed;
#[cfg(test)]
mod tests;
mod xml;

use std::borrow::Cow;

use crate::limits::Limits;
use minijinja::value::{Kwargs, Rest, StringInput, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value};

pub(super) use paid::look;
pub use xml::neutralise;

/// Bytes for one unit of fuel.
const BYTES_PER_FUEL: usize = 64;

/// Adds the filters to an engine.
pub(super) fn register(env: &mut Environment<'_>, limits: &Limits) {
    paid::register(env, limits);
    printed::register(env, limits);
    let depth = limits.data_depth;
    env.add_filter("bullets", move |state: &State<'_, '_>, value: &Value, given: Rest<Value>, named: Kwargs| {
        bullets::bullets(state, depth, value, given, &named)
    });
    env.add_filter("fill", fill::fill);
    env.add_filter("limit", limit);
    env.add_filter("one_line", one_line);
    env.add_filter("strip_invisible", invisible::strip_invisible);
    env.add_filter("summary", summary);
    env.add_filter("xml", xml::xml);
}

/// The first sentence, at most `n` characters: it ends with `.` before a blank or at the end, with `。`, or ahead of a
/// line end. The stop stays, the line end does not; white space around it goes. A cut ends in `…`, counted in `n`, and
/// has no white space ahead of it.
fn summary(state: &State<'_, '_>, value: &Value, given: Rest<Value>, named: Kwargs) -> Result<String, Error> {
    const FORM: &str = "summary(n)";
    let text = text(state, FORM, value)?;
    let [n] = arguments(FORM, ["n"], given, &named)?;
    let n = count(state, FORM, n)?;
    charge(state, text.len())?;
    let sentence = first_sentence(&text);
    let cut = match n.checked_sub(1) {
        None => return Ok(String::new()),
        Some(_) if sentence.char_indices().nth(n).is_none() => None,
        Some(kept) => Some(first(sentence, kept)),
    };
    charge(state, cut.unwrap_or(sentence).len())?;
    Ok(match cut {
        Some(start) => format!("{}…", start.trim_end()),
        None => sentence.to_owned(),
    })
}

fn first_sentence(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.char_indices().find_map(|(at, c)| match c {
        '\n' | '\r' => Some(at),
        '。' => Some(at + c.len_utf8()),
        '.' if text[at + 1..].starts_with(' ') => Some(at + 1),
        _ => None,
    });
    text[..end.unwrap_or(text.len())].trim_end()
}

/// Each run of white space (Unicode's property, line and paragraph separators among it) becomes one blank; none stays
/// at the ends.
fn one_line(state: &State<'_, '_>, value: &Value, given: Rest<Value>, named: Kwargs) -> Result<String, Error> {
    const FORM: &str = "one_line";
    let text = text(state, FORM, value)?;
    let [] = arguments(FORM, [], given, &named)?;
    charge(state, 2 * text.len())?;
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    Ok(line)
}

/// A text of at most `n` characters as it is; of a longer one the first `n` and the note, which does not count. Without
/// a note nothing is added.
fn limit(state: &State<'_, '_>, value: &Value, given: Rest<Value>, named: Kwargs) -> Result<String, Error> {
    const FORM: &str = "limit(n, note)";
    let whole = text(state, FORM, value)?;
    let [n, note] = arguments(FORM, ["n", "note"], given, &named)?;
    let n = count(state, FORM, n)?;
    let note = match &note {
        Some(note) => text(state, FORM, note)?,
        None => Cow::Borrowed(""),
    };
    let start = first(&whole, n);
    let note = if start.len() < whole.len() { &*note } else { "" };
    charge(state, whole.len() + start.len() + note.len())?;
    Ok(format!("{start}{note}"))
}

/// The first `n` characters.
fn first(text: &str, n: usize) -> &str {
    text.char_indices().nth(n).map_or(text, |(at, _)| &text[..at])
}

/// Pays for bytes that are read or made.
fn charge(state: &State<'_, '_>, bytes: usize) -> Result<(), Error> {
    state.consume_fuel(bytes.div_ceil(BYTES_PER_FUEL) as u64)
}

/// A text that is paid for as it grows.
struct Paid<'a, 't, 'e> {
    state: &'a State<'t, 'e>,
    text: String,
    owed: usize,
}

impl<'a, 't, 'e> Paid<'a, 't, 'e> {
    fn new(state: &'a State<'t, 'e>) -> Self {
        Paid { state, text: String::new(), owed: 0 }
    }

    fn push(&mut self, text: &str) -> Result<(), Error> {
        self.owed += text.len();
        self.state.consume_fuel((self.owed / BYTES_PER_FUEL) as u64)?;
        self.owed %= BYTES_PER_FUEL;
        self.text.push_str(text);
        Ok(())
    }
}

/// A wrong use of a filter; `form` is its name with its arguments.
fn wrong(form: &str, problem: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("filter `{form}` {problem}"))
}

/// The value as text.
fn text<'v>(state: &State<'_, '_>, form: &str, value: &'v Value) -> Result<Cow<'v, str>, Error> {
    defined(state, form, value)?;
    match (value.kind(), value.as_str()) {
        (ValueKind::String, Some(text)) => Ok(Cow::Borrowed(text)),
        (ValueKind::Number, _) => Ok(Cow::Owned(printed_number(form, value)?)),
        _ => Err(wrong(form, format_args!("takes text, not {}", describe(value)))),
    }
}

fn printed_number(form: &str, value: &Value) -> Result<String, Error> {
    let finite = value.is_integer() || f64::try_from(value.clone()).is_ok_and(f64::is_finite);
    if finite { Ok(value.to_string()) } else { Err(wrong(form, "was given a number that is not finite")) }
}

/// Fails on an undefined value: with the engine's own message where it has one, since that knows the name.
fn defined(state: &State<'_, '_>, form: &str, value: &Value) -> Result<(), Error> {
    if !value.is_undefined() {
        return Ok(());
    }
    StringInput::new(state, value)?;
    Err(Error::new(ErrorKind::UndefinedError, format!("filter `{form}` was given an undefined value")))
}

/// The arguments of a filter by position or by name.
fn arguments<const N: usize>(
    form: &str,
    names: [&str; N],
    given: Rest<Value>,
    named: &Kwargs,
) -> Result<[Option<Value>; N], Error> {
    if given.len() > N {
        return Err(wrong(form, "was given too many arguments"));
    }
    if let Some(unknown) = named.args().find(|name| !names.contains(name)) {
        return Err(wrong(form, format_args!("has no argument `{unknown}`")));
    }
    let mut found = [const { None }; N];
    for (slot, value) in found.iter_mut().zip(given.0) {
        *slot = Some(value);
    }
    for (slot, name) in found.iter_mut().zip(names) {
        if !named.has(name) {
            continue;
        }
        if slot.is_some() {
            return Err(wrong(form, format_args!("was given `{name}` twice")));
        }
        *slot = Some(named.peek(name)?);
    }
    Ok(found)
}

fn count(state: &State<'_, '_>, form: &str, n: Option<Value>) -> Result<usize, Error> {
    let Some(n) = n else { return Err(wrong(form, "needs `n`")) };
    defined(state, form, &n)?;
    match n.as_usize() {
        Some(count) if n.is_integer() => Ok(count),
        _ => Err(wrong(form, format_args!("takes for `n` a whole number from 0, not {}", describe(&n)))),
    }
}

fn describe(value: &Value) -> String {
    match value.kind() {
        ValueKind::Undefined => "an undefined value".to_owned(),
        ValueKind::None => "none".to_owned(),
        ValueKind::Bool => "a bool".to_owned(),
        ValueKind::Number => value.to_string(),
        ValueKind::String => "a string".to_owned(),
        ValueKind::Seq | ValueKind::Iterable => "a list".to_owned(),
        ValueKind::Map => "a table".to_owned(),
        _ => "an object".to_owned(),
    }
}
