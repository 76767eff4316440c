//! What may stand where, so that the cache is hit.

pub(super) mod attribution_volatile;
pub(super) mod below_minimum;
pub(super) mod day_rollover;
pub(super) mod lifetime_order;
mod looks;
pub(super) mod mark_not_emitted;
pub(super) mod mark_on_volatile;
pub(super) mod mark_order;
pub(super) mod model_identity;
mod names;
pub(super) mod scope_unsupported;
pub(super) mod static_after_boundary;
pub(super) mod static_in_dangerous;
pub(super) mod suspicious_lifetime;
pub(super) mod suspicious_literal;
pub(super) mod too_many_marks;
pub(super) mod two_readings;
pub(super) mod unordered_collection;
pub(super) mod variant_budget;
