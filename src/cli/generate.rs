//! `promptc completions` and `promptc man`: generated from the arguments themselves.

use clap::CommandFactory;

use super::ui::Ui;
use super::{Cli, Outcome, Stop};
use crate::host::Error;

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Print the manual page of promptc, or of one command
#[derive(clap::Args, Debug)]
pub(super) struct Man {
    /// The command
    command: Option<String>,
}

pub(super) fn completions(args: &Completions, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "promptc", &mut script);
    print(script, ui)
}

pub(super) fn man(args: &Man, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let mut root = Cli::command();
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                return Err(Error::new(format!("there is no command `{name}`")).help("see `promptc --help`").into());
            }
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|e| Error::new(format!("cannot make the manual page: {e}")))?;
    print(page, ui)
}

fn print(bytes: Vec<u8>, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    ui.result(&String::from_utf8_lossy(&bytes))?;
    Ok(Outcome::Clean)
}
