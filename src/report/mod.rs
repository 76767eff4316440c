//! How things are shown: messages as text and JSON, tables, traces, schemas, explanations.
//!
//! Owns appearance, and the one place where lines and columns from 1 are made. Computes nothing. One file a format.

mod diff;
mod escape;
mod excerpt;
mod explain;
mod facts;
mod formats;
mod hunks;
mod json;
mod place;
mod route;
mod schema;
mod snapshot;
mod text;
mod tokens;
mod variants;
mod verify;
mod words;

pub use diff::{DiffReport, MARKER, MAX_MARKDOWN, json as diff_json, markdown as diff_markdown, text as diff_text};
pub use escape::{escape, one_line};
pub use explain::{explain, known_names};
pub use facts::explain_fact;
pub use formats::{Format, Messages};
pub use json::report as json_report;
pub use route::{json as route_json, text as route_text};
pub use schema::{FILES, WHATS, context as context_schema, schema};
pub use snapshot::{
    accepted as snapshot_accepted, details as snapshot_details, finding as snapshot_finding, text as snapshot_text,
};
pub use text::{Colors, diagnostics, summary};
pub use tokens::{
    Row, artifact_name, details as tokens_details, json as tokens_json, row as tokens_row, table as tokens_table,
};
pub use variants::{Counted, Variants, json as variants_json, text as variants_text};
pub use verify::{json as verify_json, text as verify_text};
