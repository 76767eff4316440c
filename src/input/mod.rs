//! Inputs: types, lifetimes, domains, values.
//!
//! Owns what a value may be and when it can change. Does not know sections. Main types: [`Lifetime`], [`Type`],
//! [`Value`], [`Definition`], [`Datum`].

pub mod data;
mod definition;
mod errors;
mod lifetime;
mod sort;
mod value;

pub use definition::{Cut, Definition, Form, Plain, SortBy, TableValue, Trust, Type, ValueProblem, key_of};
pub use errors::RULES;
pub use lifetime::Lifetime;
pub use sort::Unsortable;
pub use value::{Datum, Value};
