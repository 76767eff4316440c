//! A compiler for prompts.
//!
//! An agent's system prompt is assembled from sections, conditions and values. Providers cache it by exact prefix.
//! This crate treats the prompt as source code: every value declares when it can change, and from that the compiler
//! decides what may stand in the shared prefix, how the request is cut into blocks, and what each block's scope is.
//!
//! ```text
//! host -> Workspace -> Resolved -> Selected -> Rendered -> BlockPlan -> Fitted -> artifact
//!                         |
//!                         +-> VariantSet           all of it = Compiled -> lint -> report
//! ```
//!
//! Modules stand in the order of the pipeline; each may use those above it only.

pub mod source;

pub mod digest;
pub mod hunks;
pub mod json;
pub mod limits;

pub mod diag;
pub mod host;
pub mod tokens;

pub mod input;

pub mod expr;
pub mod template;

pub mod manifest;
pub mod workspace;

pub mod resolve;
pub mod select;

pub mod render;
pub mod variants;

pub mod plan;

pub mod emit;

pub mod compile;

pub mod diff;
pub mod import;
pub mod snapshot;
pub mod verify;

pub mod lint;

pub mod report;

pub mod cli;
