//! The shape of a profile: profiles/NAME.toml.
#![expect(dead_code, reason = "shapes are never values: their schemas are what they are for")]

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::chain::Chain;
use super::inputs::{Constraint, Inputs};
use super::leaf::*;

/// `profiles/NAME.toml`: one build target, with its values and the chain of prompts that can be sent.
#[derive(JsonSchema)]
#[schemars(title = "a profile", deny_unknown_fields)]
pub(super) struct Profile {
    description: Option<Text>,
    target: Target,
    inputs: Option<Inputs>,
    constraint: Option<Vec<Constraint>>,
    values: Option<BTreeMap<String, Any>>,
    chain: Chain,
    limits: Option<Limits>,
    traffic: Option<Traffic>,
    fixture: Option<Vec<Fixture>>,
    matrix: Option<BTreeMap<String, Cells>>,
}

#[derive(JsonSchema)]
#[schemars(title = "[target]", deny_unknown_fields, inline)]
struct Target {
    provider: Text,
    model: Text,
    shared_scope: Option<Bool>,
    tokenizer: Option<Text>,
    strips_attribution: Option<Bool>,
    ttl: Option<Ttl>,
    marks_for_messages: Option<Count>,
}

#[derive(JsonSchema)]
#[schemars(untagged, inline)]
enum Ttl {
    All(Text),
    ByBlock(TtlByBlock),
}

#[derive(JsonSchema)]
#[schemars(title = "ttl", deny_unknown_fields, inline)]
struct TtlByBlock {
    attribution: Option<Text>,
    prefix: Option<Text>,
    r#static: Option<Text>,
    dynamic: Option<Text>,
    tail: Option<Text>,
    user_context: Option<Text>,
}

#[derive(JsonSchema)]
#[schemars(title = "[limits]", deny_unknown_fields, inline)]
pub(super) struct Limits {
    static_variants: Option<Count>,
    section_tokens: Option<Count>,
    static_tokens: Option<Count>,
    total_tokens: Option<Count>,
}

#[derive(JsonSchema)]
#[schemars(title = "[traffic]", deny_unknown_fields, inline)]
struct Traffic {
    sessions_per_day: Option<Count>,
    turns_per_session: Option<Count>,
}

#[derive(JsonSchema)]
#[schemars(title = "[[fixture]]", deny_unknown_fields, inline)]
struct Fixture {
    name: FileName,
    context: Path,
    description: Option<Text>,
}
