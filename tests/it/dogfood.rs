//! dogfood
