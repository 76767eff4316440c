//! What stands in texts: templates, values, blanks.

pub(super) mod fences;
mod leaves;
mod secrets;
mod values;

pub(super) mod blank_section;
pub(super) mod boundary_marker_in_text;
pub(super) mod byte_order_mark;
pub(super) mod duplicate_text;
pub(super) mod fence_breakout;
pub(super) mod invisible_characters;
pub(super) mod mixed_newlines;
pub(super) mod output_too_large;
pub(super) mod rendered_input;
pub(super) mod secret_in_prompt;
pub(super) mod three_blank_lines;
pub(super) mod trailing_whitespace;
pub(super) mod unguarded_optional;
pub(super) mod unrendered_placeholder;
pub(super) mod value_not_sanitised;
