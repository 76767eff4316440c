//! The texts inside a value.

use crate::input::Value;

/// Every text in a value, in order. Keys of tables are left out.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::List(items) => items.iter().flat_map(texts).collect(),
        Value::Table(map) => map.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Number(_) => Vec::new(),
    }
}

/// The value with every text in it changed.
pub(super) fn map(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::List(items) => Value::List(items.iter().map(|item| map(item, change)).collect()),
        Value::Table(table) => Value::Table(table.iter().map(|(k, v)| (k.clone(), map(v, change))).collect()),
        other => other.clone(),
    }
}
