//! The `promptc` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    promptc::cli::main()
}
