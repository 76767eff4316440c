//! `promptc schema`.

use super::format::Formats;
use super::job::{self, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::host::Error;
use crate::host::publish::{refuse_links, write_file_atomically};
use crate::report;

/// Print the JSON Schema of a file, of an output, or of a profile's context
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// prompt, profile, project (files for an editor); blocks, report, variants, verify (outputs); or context
    #[arg(required_unless_present = "write")]
    what: Option<String>,
    /// The profile whose context is meant
    profile: Option<String>,
    /// One cell of the profile's matrix
    #[arg(long, value_name = "KEY=VALUE[,KEY=VALUE]")]
    cell: Option<String>,
    /// Write the schemas of prompt, profile and project files into the project's .promptc/, where `#:schema` lines find
    /// them
    #[arg(long, conflicts_with_all = ["what", "profile", "cell"])]
    write: bool,
}

/// The folder of a project in which editors find schemas.
const FOLDER: &str = ".promptc";

/// Path from the root, and text, of the schemas that a project holds for editors.
pub(super) fn of_files() -> Vec<(String, String)> {
    let file = |what: &str| Some((format!("{FOLDER}/{what}.schema.json"), report::schema(what)?));
    report::FILES.into_iter().filter_map(file).collect()
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let Some(what) = &args.what else { return write(global, ui) };
    if what == "context" {
        return context(args, global, ui);
    }
    match report::schema(what) {
        Some(text) => ui.result(&text)?,
        None => {
            return Err(Error::new(format!("there is no schema of `{what}`"))
                .help(format!("schemas: {}, context PROFILE", report::WHATS.join(", ")))
                .into());
        }
    }
    Ok(Outcome::Clean)
}

fn write(global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let disk = job::disk(global)?;
    let mut text = String::new();
    for (path, schema) in of_files() {
        let path = disk.root().join(path);
        refuse_links(disk.root(), &path)?;
        write_file_atomically(&path, schema.as_bytes())?;
        text.push_str(&format!("  {}\n", path.strip_prefix(disk.root()).unwrap_or(&path)));
    }
    ui.result(&text)?;
    Ok(Outcome::Clean)
}

fn context(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let Some(profile) = &args.profile else {
        return Err(Error::new("a context belongs to a profile").help("write `promptc schema context PROFILE`").into());
    };
    let which = Which { cell: args.cell.clone(), ..Which::default() };
    let one = job::compile_one(profile, &which, false, global, &Formats::default(), ui)?;
    if let (Some((_, compiled)), Outcome::Clean) = (one.compiled.first(), one.outcome) {
        ui.result(&report::context_schema(profile, &compiled.resolved.inputs))?;
    }
    Ok(one.outcome)
}
