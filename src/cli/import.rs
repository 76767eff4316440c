//! `promptc import`.

use camino::Utf8Path;

use super::job;
use super::ui::Ui;
use super::{Global, Outcome, Stop, limit};
use crate::host::disk::Disk;
use crate::host::publish::{refuse_links, write_new_files};
use crate::host::{Error, Host, ReadError};
use crate::import::{Note, import};
use crate::limits::Limit;
use crate::manifest::is_file_name;

/// Make a first project from one prompt that you have
///
/// Headings and elements become sections; {{x}}, ${x} and {x} become inputs with a lifetime guessed from their name and marked
/// `confirm`; everything else stays as it is. The project gives the file back byte for byte. Never overwrites: a folder
/// that holds one of the project's files already is refused.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The prompt, a text file
    file: String,
    /// The project's folder
    #[arg(default_value = ".", value_name = "DIR")]
    folder: String,
    /// What the prompt is called; else as its file is
    #[arg(long)]
    name: Option<String>,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    if let Some(name) = &args.name
        && (!is_file_name(name) || name.contains('/') || name == "agents")
    {
        return Err(Error::new(format!("`{name}` cannot be the name of a prompt"))
            .help("write letters, digits, `-`, `_` and `.`; `agents` is taken")
            .into());
    }
    let folder = job::absolute(&args.folder)?;
    let most = limit::raised(&global.limit)?.file_bytes;
    let here = Disk::at(&job::absolute("")?)?;
    let bytes = here.read_named(&args.file, most.value as u64).map_err(|why| unreadable(&args.file, &why, most))?;
    let file = Utf8Path::new(&args.file).file_name().unwrap_or(&args.file);
    let made = import(file, args.name.as_deref(), &bytes)?;
    let files: Vec<(&str, &str)> = made.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    for (path, _) in &files {
        refuse_links(&folder, Utf8Path::new(path))?;
    }
    write_new_files(&folder, &files)?;
    let mut text = String::new();
    for (path, _) in &files {
        text.push_str(&format!("  {path}\n"));
    }
    let root = if args.folder == "." { String::new() } else { format!(" --root {}", shell_word(&args.folder)) };
    text.push_str(&format!(
        "\n{}, {}; each line that says `confirm` holds a guess\nto compare: promptc verify {} --against {}{root}\n",
        count(made.sections, "section"),
        count(made.inputs, "input"),
        shell_word(&made.name),
        shell_word(&args.file),
    ));
    ui.result(&text)?;
    for note in &made.notes {
        ui.say(&format!("note: {}", words(*note)));
    }
    Ok(Outcome::Clean)
}

fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

fn words(note: Note) -> &'static str {
    match note {
        Note::CarriageReturns => "the file has carriage returns; output has LF as its only line end",
        Note::ByteOrderMark => "the file begins with a byte order mark; output has none",
        Note::Tags => {
            "tags such as `{% if %}` or `{{ x.y }}` stay text; where they are Jinja, take `verbatim` off their section and declare what they read"
        }
        Note::ManyHeadings => "there are too many headings for a section each; some stay in the section above",
    }
}

/// A word that a shell reads as one.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn unreadable(file: &str, why: &ReadError, most: Limit) -> Error {
    let why = match why {
        ReadError::Missing => return Error::new(format!("there is no file `{file}`")),
        ReadError::NotAFile => "it is not a file".to_owned(),
        ReadError::OutsideRoot => "it is outside".to_owned(),
        ReadError::TooLarge { .. } => {
            return Error::new(format!("cannot read `{file}`: it has more than {}", most.amount()))
                .help(most.way_out());
        }
        ReadError::Failed(reason) => reason.clone(),
    };
    Error::new(format!("cannot read `{file}`: {why}"))
}
