//! What stands in texts: templates, values, blanks.

pub(super) mod trailing_whitespace;
