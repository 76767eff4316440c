//! The shape of inputs and constraints, which prompts and profiles have in common.
#![expect(dead_code, reason = "shapes are never values: their schemas are what they are for")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::leaf::*;
use super::manifests::rules;
use crate::expr::RESERVED;

/// Inputs by name.
pub(super) struct Inputs;

impl JsonSchema for Inputs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Inputs".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "propertyNames": { "pattern": "^[a-z][a-z0-9_]*$", "not": { "enum": RESERVED.to_vec() } },
            "additionalProperties": generator.subschema_for::<Input>(),
        })
    }
}

/// A value that a prompt reads: given (`type`), chosen by an axis (`by`), or the result of an expression (`derive`).
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Input {
    Plain(Plain),
    Table(Table),
    Expression(Expression),
}

#[derive(JsonSchema)]
#[schemars(title = "an input", deny_unknown_fields, inline, transform = belonging)]
struct Plain {
    r#type: TypeWord,
    lifetime: LifetimeWord,
    default: Option<Any>,
    example: Option<Any>,
    description: Option<Text>,
    optional: Option<Bool>,
    sort_by: Option<SortBy>,
    max_items: Option<Count>,
    max_chars: Option<Count>,
    trust: Option<TrustWord>,
    secret: Option<Bool>,
}

/// Keys of some types only, and what contradicts `optional`.
fn belonging(schema: &mut Schema) {
    rules(
        schema,
        [
            json_schema!({
                "if": { "properties": { "type": { "not": { "const": "list" } } } },
                "then": { "properties": { "sort_by": false, "max_items": false } },
            }),
            json_schema!({
                "if": { "properties": { "type": { "not": { "const": "string" } } } },
                "then": { "properties": { "max_chars": false } },
            }),
            json_schema!({
                "if": { "required": ["optional"], "properties": { "optional": { "const": true } } },
                "then": { "properties": { "default": false } },
            }),
        ],
    );
}

#[derive(JsonSchema)]
#[schemars(title = "a derived input", deny_unknown_fields, inline)]
struct Table {
    by: Text,
    values: BTreeMap<String, Result>,
    r#else: Option<Result>,
    example: Option<Any>,
    description: Option<Text>,
}

#[derive(JsonSchema)]
#[schemars(title = "a derived input", deny_unknown_fields, inline)]
struct Expression {
    derive: Text,
    example: Option<Any>,
    description: Option<Text>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[constraint]]", deny_unknown_fields, inline)]
pub(super) struct Constraint {
    that: Text,
    description: Option<Text>,
}
