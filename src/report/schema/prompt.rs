//! The shape of a prompt: prompts/NAME.toml.
#![expect(dead_code, reason = "shapes are never values: their schemas are what they are for")]

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, json_schema};

use super::inputs::{Constraint, Inputs};
use super::leaf::*;
use super::manifests::rules;

/// `prompts/NAME.toml`: the values that a prompt reads, and its sections in the order in which they are sent.
#[derive(JsonSchema)]
#[schemars(title = "a prompt", deny_unknown_fields, transform = inheritance)]
pub(super) struct Prompt {
    description: Option<Text>,
    extends: Option<FileName>,
    remove: Option<Vec<Text>>,
    simple: Option<Vec<Text>>,
    inputs: Option<Inputs>,
    constraint: Option<Vec<Constraint>>,
    layout: Option<Layout>,
    section: Option<Vec<Section>>,
    variant: Option<Vec<Variant>>,
}

/// Keys that have a meaning beside `extends` only.
fn inheritance(schema: &mut Schema) {
    rules(
        schema,
        [json_schema!({
            "if": { "not": { "required": ["extends"] } },
            "then": { "properties": {
                "remove": false,
                "section": { "items": { "properties": { "after": false, "before": false } } },
            } },
        })],
    );
}

#[derive(JsonSchema)]
#[schemars(title = "[[section]]", deny_unknown_fields, transform = belonging)]
struct Section {
    id: SectionId,
    zone: ZoneWord,
    body: Option<Body>,
    text: Option<Text>,
    verbatim: Option<Bool>,
    when: Option<Text>,
    #[schemars(rename = "DANGEROUS_uncached")]
    dangerous: Option<Reason>,
    freeze: Option<Text>,
    channel: Option<ChannelWord>,
    role: Option<RoleWord>,
    required: Option<Bool>,
    allow: Option<Reasons>,
    separator_before: Option<Text>,
    trim: Option<TrimWord>,
    keep_empty: Option<Bool>,
    after: Option<Text>,
    before: Option<Text>,
}

/// Keys that need or exclude one another.
fn belonging(schema: &mut Schema) {
    rules(
        schema,
        [
            json_schema!({ "anyOf": [{ "required": ["body"] }, { "required": ["text"] }] }),
            json_schema!({ "not": { "required": ["body", "text"] } }),
            json_schema!({ "not": { "required": ["after", "before"] } }),
            json_schema!({ "not": { "required": ["freeze", "DANGEROUS_uncached"] } }),
            json_schema!({
                "if": { "required": ["zone"], "properties": { "zone": { "const": "static" } } },
                "then": { "properties": { "freeze": false, "channel": { "const": "system" } } },
            }),
            json_schema!({
                "if": {
                    "required": ["zone"],
                    "properties": { "zone": { "const": "static" }, "role": { "not": { "const": "attribution" } } },
                },
                "then": { "properties": { "DANGEROUS_uncached": false } },
            }),
            json_schema!({
                "if": { "required": ["channel"], "properties": { "channel": { "not": { "const": "system" } } } },
                "then": { "properties": { "role": { "const": "content" } } },
            }),
        ],
    );
}

#[derive(JsonSchema)]
#[schemars(untagged, inline)]
enum Body {
    File(Path),
    ByAxis(ByAxis),
}

#[derive(JsonSchema)]
#[schemars(title = "a body", deny_unknown_fields, inline)]
struct ByAxis {
    by: Text,
    files: BTreeMap<String, Path>,
    r#else: Option<Path>,
}

#[derive(JsonSchema)]
#[schemars(title = "[layout]", deny_unknown_fields, inline)]
struct Layout {
    separator: Option<Text>,
    trim: Option<TrimWord>,
    keep_empty: Option<Bool>,
    collapse_blank_lines: Option<Bool>,
    trim_blocks: Option<Bool>,
    lstrip_blocks: Option<Bool>,
    keep_trailing_newline: Option<Bool>,
    replace: Option<Vec<Replace>>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[layout.replace]]", deny_unknown_fields, inline)]
struct Replace {
    pattern: Text,
    with: Text,
    when: Option<Text>,
    sections: Option<Vec<Text>>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[variant]]", deny_unknown_fields, inline)]
struct Variant {
    when: Option<Text>,
    order: Option<Order>,
    body: Option<BTreeMap<String, Body>>,
    separator: Option<Text>,
    separator_before: Option<BTreeMap<String, Text>>,
}
