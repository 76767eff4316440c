//! The command line: arguments, exit codes, the terminal.
//!
//! A command is `Args` and `run`: arguments to a request, the library, a report, an exit code. Knows no TOML and no
//! JSON shapes. Exit codes: 0 clean, 1 findings or a mismatch, 2 could not run.

mod base;
mod build;
mod diff;
mod explain;
mod format;
mod generate;
mod import;
mod init;
mod interrupt;
mod job;
mod limit;
mod lint;
mod panic;
mod print;
mod resolve;
mod schema;
mod snapshot;
mod tokens;
mod ui;
mod variants;
mod verify;
mod watch;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::compile::STACK;
use crate::host::Error;
use ui::Ui;

/// A compiler for prompts.
#[derive(Parser, Debug)]
#[command(name = "promptc", version, about, long_about = None, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(clap::Args, Debug)]
struct Global {
    /// Project root; else the nearest folder upward with promptc.toml, or with prompts/ and profiles/
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<camino::Utf8PathBuf>,
    /// Allow more than usual, for projects that you trust; may be repeated. `--limit help` lists the limits
    #[arg(long, global = true, value_name = "NAME=N", value_parser = limit::parse)]
    limit: Vec<limit::Raise>,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    color: When,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    Init(init::Args),
    Build(build::Args),
    Lint(lint::Args),
    Diff(diff::Args),
    Resolve(resolve::Args),
    Tokens(tokens::Args),
    Variants(variants::Args),
    Snapshot(snapshot::Args),
    Verify(verify::Args),
    Import(import::Args),
    Explain(explain::Args),
    Schema(schema::Args),
    Completions(generate::Completions),
    Man(generate::Man),
}

/// How a command ended, when it could run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Clean,
    Findings,
}

/// Why a command could not run, or need not go on.
#[derive(Debug)]
enum Stop {
    /// Exit code 2, with the reason.
    Error(Error),
    /// Whoever read the output has gone.
    BrokenPipe,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// Runs the program on the process's arguments and streams.
pub fn main() -> ExitCode {
    panic::listen();
    interrupt::listen();
    on_a_large_stack(|| run(std::env::args_os(), &mut std::io::stdout(), &mut std::io::stderr()))
}

/// Does the work on a thread of its own. A panic is exit code 2.
fn on_a_large_stack(work: fn() -> ExitCode) -> ExitCode {
    match std::thread::Builder::new().stack_size(STACK).spawn(work).map(std::thread::JoinHandle::join) {
        Ok(ended) => ended.unwrap_or(ExitCode::from(2)),
        // No thread is to be had: the stack that there is has to do.
        Err(_) => std::panic::catch_unwind(work).unwrap_or(ExitCode::from(2)),
    }
}

/// Runs the program.
pub fn run(args: impl IntoIterator<Item = OsString>, out: &mut dyn Write, err: &mut dyn Write) -> ExitCode {
    let parsed = Cli::command().try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return refused(&error, out, err),
    };
    let mut ui = Ui::new(out, err, cli.global.color);
    let result = match &cli.command {
        Command::Build(args) => build::run(args, &cli.global, &mut ui),
        Command::Lint(args) => lint::run(args, &cli.global, &mut ui),
        Command::Diff(args) => diff::run(args, &cli.global, &mut ui),
        Command::Resolve(args) => resolve::run(args, &cli.global, &mut ui),
        Command::Tokens(args) => tokens::run(args, &cli.global, &mut ui),
        Command::Variants(args) => variants::run(args, &cli.global, &mut ui),
        Command::Snapshot(args) => snapshot::run(args, &cli.global, &mut ui),
        Command::Verify(args) => verify::run(args, &cli.global, &mut ui),
        Command::Import(args) => import::run(args, &cli.global, &mut ui),
        Command::Init(args) => init::run(args, &mut ui),
        Command::Explain(args) => explain::run(args, &cli.global, &mut ui),
        Command::Schema(args) => schema::run(args, &cli.global, &mut ui),
        Command::Completions(args) => generate::completions(args, &mut ui),
        Command::Man(args) => generate::man(args, &mut ui),
    };
    match result {
        Ok(Outcome::Clean) | Err(Stop::BrokenPipe) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(Stop::Error(error)) => {
            ui.error(&error);
            ExitCode::from(2)
        }
    }
}

/// Help and version go to stdout, wrong arguments to stderr.
fn refused(error: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> ExitCode {
    let text = error.render().to_string();
    // Nobody is left to tell when this fails.
    match error.use_stderr() {
        true => _ = err.write_all(text.as_bytes()),
        false => _ = out.write_all(text.as_bytes()),
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
