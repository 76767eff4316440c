//! What stands in texts: templates, values, blanks.

mod fences;

pub(super) mod byte_order_mark;
pub(super) mod mixed_newlines;
pub(super) mod three_blank_lines;
pub(super) mod trailing_whitespace;
