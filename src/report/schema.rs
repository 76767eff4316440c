//! JSON Schemas of what this program writes.

use schemars::Schema;

use super::json::Report;
use crate::emit::blocks::Document;

/// What there are schemas of.
pub const WHATS: [&str; 2] = ["blocks", "report"];

/// The JSON Schema (2020-12) of an output; `None` for a name that is none of [`WHATS`].
pub fn schema(what: &str) -> Option<String> {
    let schema: Schema = match what {
        "blocks" => schemars::schema_for!(Document),
        "report" => schemars::schema_for!(Report),
        _ => return None,
    };
    let mut out = serde_json::to_string_pretty(&schema).expect("a schema is plain JSON");
    out.push('\n');
    Some(out)
}
