//! What a change does, against a base: each cause of a worse class as a finding at the line that did it.

pub(super) mod boundary_moved;
pub(super) mod dangerous_added;
pub(super) mod lifetime_shortened;
pub(super) mod reason_changed;
pub(super) mod required_removed;
pub(super) mod scope_narrowed;
pub(super) mod section_demoted;
pub(super) mod section_moved;
pub(super) mod static_prefix_now_runtime;
pub(super) mod static_prefix_rewritten;
pub(super) mod static_variants_grew;
