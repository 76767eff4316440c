//! Values as contexts, profiles and defaults give them.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::source::clean_newlines;

/// A value of an input, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nothing: only inside lists and tables.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A 64-bit integer.
    Integer(i64),
    /// A finite 64-bit number that was written with a point or an exponent.
    Number(f64),
    /// Text, LF only.
    String(String),
    /// Values in order.
    List(Vec<Value>),
    /// Values by key, in key order.
    Table(BTreeMap<String, Value>),
}

/// What is known of an input at some time.
#[derive(Clone, PartialEq, Debug)]
pub enum Datum {
    /// Its value.
    Known(Value),
    /// It is optional and was not given.
    Missing,
    /// It arrives later.
    Unknown,
}

impl Value {
    /// What the value is, for messages: "a string", "a list".
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a bool",
            Value::Integer(_) => "an integer",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// The value with LF line ends in every string, keys included.
    pub fn cleaned(self) -> Value {
        match self {
            Value::String(s) => Value::String(clean_newlines(&s).into_owned()),
            Value::List(items) => Value::List(items.into_iter().map(Value::cleaned).collect()),
            Value::Table(map) => {
                Value::Table(map.into_iter().map(|(k, v)| (clean_newlines(&k).into_owned(), v.cleaned())).collect())
            }
            other => other,
        }
    }

    /// JSON without blanks, keys in order, nothing escaped that need not be: the tie-break of sorting.
    pub fn canonical_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(b) => _ = write!(out, "{b}"),
            Value::Integer(n) => _ = write!(out, "{n}"),
            Value::Number(n) => _ = write!(out, "{n:?}"),
            Value::String(s) => crate::json::write_string(out, s),
            Value::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    item.write_json(out);
                }
                out.push(']');
            }
            Value::Table(map) => {
                out.push('{');
                for (n, (key, item)) in map.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    crate::json::write_string(out, key);
                    out.push(':');
                    item.write_json(out);
                }
                out.push('}');
            }
        }
    }
}

impl Datum {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Datum::Known(v) => Some(v),
            Datum::Missing | Datum::Unknown => None,
        }
    }
}
