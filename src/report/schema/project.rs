//! The shape of the project file: promptc.toml.
#![expect(dead_code, reason = "shapes are never values: their schemas are what they are for")]

use schemars::{JsonSchema, Schema, json_schema};

use super::leaf::*;
use super::manifests::rules;
use super::profile::Limits;

/// `promptc.toml`: folders, levels of lints, limits, and facts about providers, models and tokenizers.
#[derive(JsonSchema)]
#[schemars(title = "promptc.toml", deny_unknown_fields)]
pub(super) struct Project {
    paths: Option<Paths>,
    lints: Option<Levels>,
    limits: Option<Limits>,
    provider: Option<Vec<Provider>>,
    model: Option<Vec<Model>>,
    tokenizer: Option<Vec<Tokenizer>>,
}

#[derive(JsonSchema)]
#[schemars(title = "[paths]", deny_unknown_fields, inline)]
struct Paths {
    prompts: Option<Path>,
    profiles: Option<Path>,
    snapshots: Option<Path>,
    dist: Option<Path>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[provider]]", deny_unknown_fields, inline)]
struct Provider {
    id: Text,
    shared_scope: Option<Bool>,
    max_marks: Option<Count>,
    tools_first: Option<Bool>,
    min_tokens: Option<Count>,
    ttls: Option<Vec<Text>>,
    strips_attribution: Option<Bool>,
    scope_field: Option<Text>,
    usage: Option<Vec<Text>>,
    as_of: Option<Text>,
    source: Option<Text>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[model]]", deny_unknown_fields, inline)]
struct Model {
    r#match: Text,
    provider: Option<Text>,
    min_tokens: Option<Count>,
    max_marks: Option<Count>,
    window: Option<Count>,
    tokenizer: Option<Text>,
    prices: Option<Prices>,
    as_of: Option<Text>,
    source: Option<Text>,
}

#[derive(JsonSchema)]
#[schemars(title = "prices", deny_unknown_fields, inline)]
struct Prices {
    input: Option<Number>,
    cached: Option<Number>,
    write: Option<Number>,
    output: Option<Number>,
    currency: Option<Text>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[tokenizer]]", deny_unknown_fields, inline, transform = tokenizer)]
struct Tokenizer {
    id: Text,
    base: Option<Text>,
    file: Option<Text>,
    factor: Option<Number>,
    band: Option<Number>,
    as_of: Option<Text>,
    source: Option<Text>,
}

/// One of the keys that say what is counted with.
fn tokenizer(schema: &mut Schema) {
    let each = ["base", "file"].map(|key| json_schema!({ "required": [key] }));
    rules(schema, [json_schema!({ "oneOf": each })]);
}
