//! `promptc init`.

use camino::Utf8PathBuf;

use super::job;
use super::schema;
use super::ui::Ui;
use super::{Outcome, Stop};
use crate::host::publish::write_new_files;

/// Make a small project that builds, with comments that teach
///
/// Never overwrites: a folder that holds one of its files already is refused.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The project's folder
    #[arg(default_value = ".")]
    folder: String,
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("init/", $path)))),*]
    };
}

pub(super) fn run(args: &Args, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let files = files![
        ".gitignore",
        "promptc.toml",
        "prompts/assistant.toml",
        "prompts/assistant/identity.md",
        "prompts/assistant/conduct.md",
        "prompts/assistant/tools.md",
        "prompts/assistant/session.md",
        "prompts/agents/reviewer.md",
        "profiles/assistant.toml",
        "fixtures/first-session.yaml",
    ];
    let folder: Utf8PathBuf = job::absolute(&args.folder)?;
    let schemas = schema::of_files();
    let all: Vec<(&str, &str)> =
        files.iter().copied().chain(schemas.iter().map(|(path, text)| (path.as_str(), text.as_str()))).collect();
    write_new_files(&folder, &all)?;
    let mut text = String::new();
    for (path, _) in all {
        text.push_str(&format!("  {path}\n"));
    }
    let enter = if args.folder == "." { String::new() } else { format!("cd {} && ", args.folder) };
    text.push_str(&format!("\nbegin with prompts/assistant.toml, then: {enter}promptc build\n"));
    ui.result(&text)?;
    Ok(Outcome::Clean)
}
