//! What may stand where, so that the cache is hit.

pub(super) mod below_minimum;
pub(super) mod lifetime_order;
