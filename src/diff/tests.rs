//! Projects in memory before and after.

mod kinds;
mod open;
mod parts;
