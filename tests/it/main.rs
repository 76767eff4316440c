//! All integration tests, one binary.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::disallowed_types, missing_docs)]

mod chain;
mod ci;
mod cli;
mod determinism;
mod dice;
mod diff;
mod dogfood;
mod editors;
mod emitters;
mod faults;
mod fix;
mod formats;
mod fuzzed;
mod generated;
mod hostile;
mod import;
mod limits;
mod lint;
mod manifests;
mod readme;
mod shared;
mod snapshot;
mod support;
mod tidy;
mod tokenizer_file;
mod tokens;
mod trust;
mod variants;
mod verify;
mod watch;
