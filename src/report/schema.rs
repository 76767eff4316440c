//! JSON Schemas of what this program writes, of the files that people write, and of contexts.

mod chain;
mod inputs;
mod leaf;
mod manifests;
mod profile;
mod project;
mod prompt;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use super::json::Report;
use super::{diff, variants, verify};
use crate::emit::blocks::Document;
use crate::input::Type;
use crate::json;
use crate::resolve::Inputs;

/// Files that people write and that have a schema.
pub const FILES: [&str; 3] = ["prompt", "profile", "project"];

/// What there are schemas of, besides the context of a profile.
pub const WHATS: [&str; 8] = ["prompt", "profile", "project", "blocks", "report", "variants", "diff", "verify"];

/// The JSON Schema of a file or an output; `None` for a name that is none of [`WHATS`]. That of a file is of draft-07,
/// which editors read, others are of 2020-12.
pub fn schema(what: &str) -> Option<String> {
    match what {
        "prompt" => Some(read::<prompt::Prompt>()),
        "profile" => Some(read::<profile::Profile>()),
        "project" => Some(read::<project::Project>()),
        "blocks" => Some(written::<Document>()),
        "report" => Some(written::<Report>()),
        "variants" => Some(written::<variants::Document>()),
        "diff" => Some(written::<diff::Document>()),
        "verify" => Some(written::<verify::Document>()),
        _ => None,
    }
}

/// The schema of what is written: keys that may be null are there all the same.
fn written<T: JsonSchema>() -> String {
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    json::to_text(&Sorted::of(schema.to_value()))
}

/// The schema of a file that people write.
fn read<T: JsonSchema>() -> String {
    json::to_text(&Sorted::of(manifests::of::<T>()))
}

/// A JSON value whose keys are in order whatever features `serde_json` is built with.
#[derive(Serialize)]
#[serde(untagged)]
enum Sorted {
    Object(BTreeMap<String, Sorted>),
    Array(Vec<Sorted>),
    Leaf(serde_json::Value),
}

impl Sorted {
    fn of(value: serde_json::Value) -> Sorted {
        match value {
            serde_json::Value::Object(map) => {
                Sorted::Object(map.into_iter().map(|(key, value)| (key, Sorted::of(value))).collect())
            }
            serde_json::Value::Array(items) => Sorted::Array(items.into_iter().map(Sorted::of).collect()),
            leaf => Sorted::Leaf(leaf),
        }
    }
}

#[derive(Serialize)]
struct ContextSchema<'a> {
    #[serde(rename = "$schema")]
    dialect: &'static str,
    title: String,
    r#type: &'static str,
    properties: BTreeMap<&'a str, Property<'a>>,
    required: Vec<&'a str>,
    #[serde(rename = "additionalProperties")]
    additional_properties: bool,
}

#[derive(Serialize)]
struct Property<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#enum: Option<&'a [String]>,
}

/// The JSON Schema of the context of a profile: every run-time input that the profile does not fix.
pub fn context(profile: &str, inputs: &Inputs) -> String {
    let open = || inputs.iter().filter(|(_, i)| i.fixed.is_none() && i.definition.plain().is_some());
    json::to_text(&ContextSchema {
        dialect: "https://json-schema.org/draft/2020-12/schema",
        title: format!("context of the profile {profile}"),
        r#type: "object",
        properties: open()
            .map(|(name, input)| (name, property(&input.kind, input.definition.description.as_deref())))
            .collect(),
        required: open()
            .filter(|(_, i)| i.definition.plain().is_some_and(|p| p.default.is_none() && !p.optional))
            .map(|(name, _)| name)
            .collect(),
        additional_properties: false,
    })
}

fn property<'a>(kind: &'a Type, description: Option<&'a str>) -> Property<'a> {
    let (word, values) = match kind {
        Type::Bool => (Some("boolean"), None),
        Type::String => (Some("string"), None),
        Type::Integer => (Some("integer"), None),
        Type::Number => (Some("number"), None),
        Type::List => (Some("array"), None),
        Type::Table => (Some("object"), None),
        Type::Enum(values) => (None, Some(values.as_slice())),
    };
    Property { description, r#type: word, r#enum: values }
}
