//! The shape of `[chain]`: links and what is appended.
#![expect(dead_code, reason = "shapes are never values: their schemas are what they are for")]

use schemars::{JsonSchema, Schema, json_schema};

use super::leaf::*;
use super::manifests::rules;

#[derive(JsonSchema)]
#[schemars(title = "[chain]", deny_unknown_fields, inline, transform = belonging)]
pub(super) struct Chain {
    r#override: Option<Link>,
    coordinator: Option<Link>,
    agent: Option<Link>,
    custom: Option<Link>,
    default: Option<Link>,
    append: Option<Vec<AppendItem>>,
}

/// Keys that one layer alone has, or has not.
fn belonging(schema: &mut Schema) {
    let no_mode = json_schema!({ "properties": { "mode": false } });
    rules(
        schema,
        [json_schema!({ "properties": {
            "override": no_mode,
            "coordinator": no_mode,
            "custom": no_mode,
            "default": { "properties": { "mode": false, "keep": false } },
        } })],
    );
}

#[derive(JsonSchema)]
#[schemars(title = "a link", deny_unknown_fields, transform = link)]
struct Link {
    prompt: Option<FileName>,
    file: Option<Path>,
    text: Option<Text>,
    input: Option<Text>,
    from: Option<FromWord>,
    name: Option<AgentName>,
    when: Option<Text>,
    keep: Option<Vec<Text>>,
    mode: Option<ModeWord>,
    render: Option<Bool>,
    zone: Option<ZoneWord>,
    separator_before: Option<Text>,
    trim: Option<TrimWord>,
}

fn link(schema: &mut Schema) {
    carriers(schema, &["prompt", "file", "text", "input", "from"]);
    rules(
        schema,
        [
            json_schema!({
                "if": { "required": ["prompt"] },
                "then": { "properties": {
                    "render": false,
                    "zone": false,
                    "separator_before": false,
                    "trim": false,
                    "mode": { "not": { "const": "extend" } },
                } },
            }),
            json_schema!({
                "if": { "required": ["mode"], "properties": { "mode": { "const": "extend" } } },
                "then": { "properties": { "keep": false } },
            }),
        ],
    );
}

#[derive(JsonSchema)]
#[schemars(title = "an append item", deny_unknown_fields, inline, transform = append_item)]
struct AppendItem {
    file: Option<Path>,
    text: Option<Text>,
    input: Option<Text>,
    from: Option<FromWord>,
    name: Option<AgentName>,
    when: Option<Text>,
    after_override: Option<Bool>,
    heading: Option<Text>,
    #[schemars(rename = "DANGEROUS_uncached")]
    dangerous: Option<Reason>,
    render: Option<Bool>,
    zone: Option<ZoneWord>,
    separator_before: Option<Text>,
    trim: Option<TrimWord>,
}

fn append_item(schema: &mut Schema) {
    carriers(schema, &["file", "text", "input", "from"]);
}

/// One of the keys that say where a text comes from, and `name` beside `from` alone.
fn carriers(schema: &mut Schema, keys: &[&str]) {
    let each: Vec<_> = keys.iter().map(|key| json_schema!({ "required": [key] })).collect();
    rules(
        schema,
        [
            json_schema!({ "oneOf": each }),
            json_schema!({
                "if": { "required": ["from"] },
                "then": { "required": ["name"] },
                "else": { "properties": { "name": false } },
            }),
        ],
    );
}

#[derive(JsonSchema)]
#[schemars(untagged, inline)]
enum AgentName {
    Literal(Text),
    Input(ByInput),
}

#[derive(JsonSchema)]
#[schemars(title = "the name of an agent", deny_unknown_fields, inline)]
struct ByInput {
    input: Text,
}
