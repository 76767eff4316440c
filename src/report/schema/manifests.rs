//! JSON Schemas of the files that people write, for editors: draft-07, which every TOML tool reads.
//!
//! The shapes stand beside this file and follow the reader in `manifest`; what a key means comes from the words that
//! `explain` tells. A test walks the keys of both.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::report::words::{Word, words};

/// Tables whose keys are told under another name too.
const ALSO: [(&str, &str); 4] = [
    ("a link", "the link agent"),
    ("a derived input", "an input"),
    ("the name of an agent", "a link"),
    ("ttl", "block"),
];

/// The schema of a file.
pub(super) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with_transform(Written);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Adds rules that hold beside the keys of a table: those that need, allow or exclude one another.
pub(super) fn rules(schema: &mut Schema, more: impl IntoIterator<Item = Schema>) {
    let all = schema.ensure_object().entry("allOf").or_insert_with(|| json!([]));
    if let Some(all) = all.as_array_mut() {
        all.extend(more.into_iter().map(|mut rule| {
            leave_open(&mut rule);
            rule.to_value()
        }));
    }
}

/// A rule speaks of some keys and leaves the others alone. Editors that take every table for closed need to be told.
fn leave_open(rule: &mut Schema) {
    if let Some(object) = rule.as_object_mut()
        && !object.contains_key("const")
        && !object.contains_key("items")
    {
        object.insert("additionalProperties".to_owned(), Value::Bool(true));
    }
    transform_subschemas(&mut leave_open, rule);
}

/// What a schema says beyond the shapes: nothing in TOML is null, and every key is explained.
#[derive(Clone)]
struct Written;

impl Transform for Written {
    fn transform(&mut self, schema: &mut Schema) {
        without_null(schema);
        explain_keys(schema);
        transform_subschemas(self, schema);
    }
}

/// A key that may be absent is absent, and never null.
fn without_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [one] = kinds.as_slice() {
            let one = one.clone();
            object.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(forms)) = object.get_mut("anyOf") {
        forms.retain(|form| *form != json!({ "type": "null" }));
        if let [Value::Object(one)] = forms.as_slice() {
            let one = one.clone();
            object.remove("anyOf");
            object.extend(one);
        }
    }
}

/// Gives each key of a table the words that `explain` has for it.
fn explain_keys(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let Some(table) = object.get("title").and_then(Value::as_str).map(str::to_owned) else { return };
    let Some(Value::Object(keys)) = object.get_mut("properties") else { return };
    for (key, value) in keys {
        if let (Value::Object(value), Some(word)) = (value, word(&table, key)) {
            value.insert("description".to_owned(), Value::String(word.text.to_owned()));
        }
    }
}

/// The word of a key in a table.
fn word(table: &str, key: &str) -> Option<&'static Word> {
    let is_meant = |kind: &str| match kind.strip_prefix("key of ") {
        Some(tables) => tables
            .split(", ")
            .flat_map(|tables| tables.split(" or "))
            .any(|one| one == table || ALSO.contains(&(table, one))),
        None => (table == "[chain]" && kind == "layer") || ALSO.contains(&(table, kind)),
    };
    words().find(|word| word.name == key && is_meant(word.kind))
}
