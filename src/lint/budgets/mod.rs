//! Numbers that a project sets itself, and what nobody needs.

pub(super) mod context_window;
pub(super) mod over_budget;
pub(super) mod truncated_value;
pub(super) mod unused_input;
