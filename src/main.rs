//! The `promptc` binary.

fn main() {}
