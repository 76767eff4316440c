//! `--format`: how messages are written, on the usual stream and into files.
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use clap::Arg;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::job;
use super::ui::Ui;
use super::{Outcome, Stop};
use crate::diag::Diagnostic;
use crate::host::Error;
use crate::host::disk::Disk;
use crate::host::git::Repository;
use crate::host::publish::write_file_atomically;
use crate::report::{Format, Messages};
use crate::workspace::Workspace;

/// Where messages go, and how.
#[derive(clap::Args, Default, Debug)]
pub(super) struct Formats {
    /// How messages are written; `FORMAT=PATH` writes them into a file besides. May be repeated
    #[arg(long = "format", value_name = "FORMAT[=PATH]", value_parser = Parser, default_value = "text", hide_default_value = true)]
    list: Vec<Wish>,
}

#[derive(Clone, Debug)]
struct Wish {
    format: Format,
    /// A file, from the working folder; none is the usual stream.
    path: Option<String>,
}

/// Which stream is the usual one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// The messages are the result.
    Out,
    /// Something else is.
    Err,
}

impl Formats {
    /// One format, on the usual stream.
    pub(super) fn of(format: Format) -> Formats {
        Formats { list: vec![Wish { format, path: None }] }
    }

    /// The format of the usual stream: text, unless another one is named without a file.
    pub(super) fn usual(&self) -> Format {
        self.list.iter().find(|wish| wish.path.is_none()).map_or(Format::Text, |wish| wish.format)
    }

    /// Refuses what cannot be done, before any work.
    ///
    /// # Errors
    /// Two formats for one stream or one file, or a file of the project.
    pub(super) fn check(&self, disk: &Disk, workspace: &Workspace) -> Result<(), Error> {
        let mut seen: Vec<Option<Utf8PathBuf>> = Vec::new();
        for wish in &self.list {
            let place = wish.path.as_deref().map(job::absolute).transpose()?.map(|path| resolved(&path));
            if seen.contains(&place) {
                return Err(match &wish.path {
                    Some(path) => Error::new(format!("`{path}` takes one format, and `--format` names two"))
                        .help("name another file: `--format FORMAT=PATH`"),
                    None => Error::new("one format goes to the terminal, and `--format` names two")
                        .help("write the others into files: `--format FORMAT=PATH`"),
                });
            }
            if let Some(place) = &place {
                refuse_sources(place, disk, workspace)?;
            }
            seen.push(place);
        }
        Ok(())
    }

    /// Refuses a document on the usual stream where runs follow one another.
    ///
    /// # Errors
    /// The format is not one of lines.
    pub(super) fn check_for_many_runs(&self) -> Result<(), Error> {
        let format = self.usual();
        match format {
            Format::Text | Format::Concise => Ok(()),
            _ => Err(Error::new(format!(
                "`--format {}` is one document, and `--watch` runs again and again",
                format.name()
            ))
            .help(format!("write it into a file, which each run replaces: `--format {}=PATH`", format.name()))),
        }
    }

    /// Tells all messages, on the usual stream and in all files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn tell(
        &self,
        list: &[Diagnostic],
        workspace: &Workspace,
        disk: &Disk,
        stream: Stream,
        ui: &mut Ui<'_>,
    ) -> Result<Outcome, Stop> {
        let folder = self.folder(disk);
        let messages = Messages { list, sources: &workspace.sources, folder: &folder };
        match (self.usual(), stream) {
            (Format::Text, Stream::Out) => ui.findings(list, &workspace.sources)?,
            (Format::Text, Stream::Err) => ui.diagnostics(list, &workspace.sources),
            (format, Stream::Out) => ui.result(&format.write(messages, ui.width()))?,
            (format, Stream::Err) => ui.note(&format.write(messages, ui.width())),
        }
        self.write_files(list, workspace, disk)?;
        Ok(job::outcome(list))
    }

    /// The project's folder in its repository, where a format that is asked for names files from there.
    fn folder(&self, disk: &Disk) -> String {
        let is_wanted = |format: Format| self.usual() == format || self.list.iter().any(|wish| wish.format == format);
        // Asked for only where it is needed: a project need not lie in a repository.
        match Format::ALL.into_iter().any(|f| f.names_from_repository() && is_wanted(f)) {
            true => Repository::of(disk.root()).map_or_else(|_| String::new(), |found| found.prefix().to_owned()),
            false => String::new(),
        }
    }

    /// Writes all messages into the files that are asked for.
    ///
    /// # Errors
    /// One cannot be written.
    pub(super) fn write_files(&self, list: &[Diagnostic], workspace: &Workspace, disk: &Disk) -> Result<(), Stop> {
        let folder = self.folder(disk);
        let messages = Messages { list, sources: &workspace.sources, folder: &folder };
        for wish in &self.list {
            if let Some(path) = &wish.path {
                let text = wish.format.write(messages, super::ui::WIDTH);
                write_file_atomically(&job::absolute(path)?, text.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// The path as the system knows it, as far as it is there; what is not there yet without `.` and `..`.
fn resolved(path: &Utf8Path) -> Utf8PathBuf {
    let there = path.ancestors().find_map(|part| Some((part, part.canonicalize_utf8().ok()?)));
    let (mut real, rest) = match there {
        Some((part, real)) => (real, path.strip_prefix(part).unwrap_or(path)),
        None => (Utf8PathBuf::new(), path),
    };
    for part in rest.components() {
        match part {
            Utf8Component::ParentDir => _ = real.pop(),
            Utf8Component::CurDir => {}
            part => real.push(part),
        }
    }
    real
}

/// Refuses a file that the project is made of.
fn refuse_sources(place: &Utf8Path, disk: &Disk, workspace: &Workspace) -> Result<(), Error> {
    let root = resolved(disk.root());
    let paths = &workspace.project.paths;
    let folders = [&paths.prompts, &paths.profiles, &paths.snapshots];
    let is_source =
        folders.iter().any(|folder| place.starts_with(root.join(folder))) || place == root.join("promptc.toml");
    match is_source {
        true => Err(Error::new(format!("`{place}` is among the sources of the project"))
            .help("write messages into another folder")),
        false => Ok(()),
    }
}

/// Reads `FORMAT` and `FORMAT=PATH`.
#[derive(Clone)]
struct Parser;

impl TypedValueParser for Parser {
    type Value = Wish;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Wish, clap::Error> {
        let text = value.to_str().ok_or_else(|| clap::Error::new(ErrorKind::InvalidUtf8).with_cmd(command))?;
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name, Some(path.to_owned())),
            None => (text, None),
        };
        match (Format::from_name(name), &path) {
            (Some(format), None) => Ok(Wish { format, path }),
            (Some(format), Some(file)) if !file.is_empty() => Ok(Wish { format, path }),
            _ => {
                let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
                if let Some(arg) = arg {
                    error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
                }
                error.insert(ContextKind::InvalidValue, ContextValue::String(crate::report::escape(text)));
                let names = Format::ALL.map(|format| format.name().to_owned()).to_vec();
                error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
                Err(error)
            }
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Format::ALL.into_iter().map(|format| PossibleValue::new(format.name()))))
    }
}
