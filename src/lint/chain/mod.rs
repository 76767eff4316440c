//! Which layer wins, and what becomes of the others.

pub(super) mod agent_without_body;
pub(super) mod append_lost;
pub(super) mod layer_leak;
pub(super) mod shadowed_layer;
pub(super) mod unused_layer;
