//! A compiler for prompts.
//!
//! ```text
//! host -> Workspace -> Resolved -> Selected -> Rendered -> BlockPlan -> Fitted -> Artifact
//!                         |
//!                         +-> VariantSet          all of it = Compiled -> report
//! ```

pub mod diag;
pub mod digest;
pub mod expr;
pub mod host;
pub mod input;
pub mod json;
pub mod source;
pub mod template;
pub mod tokens;
