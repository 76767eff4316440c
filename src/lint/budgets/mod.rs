//! Numbers that a project sets itself, and what nobody needs.

pub(super) mod unused_input;
