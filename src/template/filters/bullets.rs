//! `bullets`: a list as an indented list.

use std::borrow::Cow;

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{Error, State, Value};

use super::Paid;
use crate::limits::Limit;

const FORM: &str = "bullets";

/// One item a line as ` - item`; the items of a list that is an item stand two deeper. Nothing ends the last line.
///
/// Items print as in the template. A further line of an item is put under the item's text, an empty one stays empty,
/// and line ends at its end go.
pub(super) fn bullets(
    state: &State<'_, '_>,
    most: Limit,
    value: &Value,
    given: Rest<Value>,
    named: &Kwargs,
) -> Result<String, Error> {
    let [] = super::arguments(FORM, [], given, named)?;
    super::defined(state, FORM, value)?;
    if !is_list(value) {
        return Err(super::wrong(FORM, format_args!("takes a list, not {}", super::describe(value))));
    }
    let mut out = Paid::new(state);
    write(&mut out, most, value, 0)?;
    Ok(out.text)
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

fn write(out: &mut Paid<'_, '_, '_>, most: Limit, list: &Value, depth: usize) -> Result<(), Error> {
    // As in contexts (R6): a template can build deeper ones.
    if depth >= most.value {
        let most = most.amount();
        return Err(super::wrong(FORM, format_args!("was given lists nested more than {most} deep")));
    }
    let indent = " ".repeat(1 + 2 * depth);
    for item in list.try_iter()?.checked() {
        let item = item?;
        // also for an item that makes no text: lists that contain one list many times are small, and long to walk
        out.state.consume_fuel(1)?;
        if is_list(&item) {
            write(out, most, &item, depth + 1)?;
            continue;
        }
        super::defined(out.state, FORM, &item)?;
        let printed = match (item.kind(), item.as_str()) {
            (ValueKind::String, Some(text)) => Cow::Borrowed(text),
            (ValueKind::Number, _) => Cow::Owned(super::printed_number(FORM, &item)?),
            (ValueKind::Bool | ValueKind::None, _) => Cow::Owned(item.to_string()),
            _ => {
                let what = super::describe(&item);
                return Err(super::wrong(FORM, format_args!("takes texts and lists as items, not {what}")));
            }
        };
        out.push(if out.text.is_empty() { "" } else { "\n" })?;
        out.push(&indent)?;
        out.push("- ")?;
        for (number, line) in printed.trim_end_matches('\n').split('\n').enumerate() {
            if number > 0 {
                out.push("\n")?;
                if !line.is_empty() {
                    out.push(&indent)?;
                    out.push("  ")?;
                }
            }
            out.push(line)?;
        }
    }
    Ok(())
}
