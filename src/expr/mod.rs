//! Conditions: parse, type-check, evaluate.
