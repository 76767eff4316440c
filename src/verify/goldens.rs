//! Goldens: which files there are, which artifact each belongs to by its name, and what it says.

use super::errors;
use super::snap::{self, Insta};
use crate::host::{Error, Host, ReadError};
use crate::source::clean_newlines;

/// How a golden is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The text alone.
    Plain,
    /// A `.snap` file of insta.
    Insta,
    /// A `.snap` file of vitest or jest.
    Exports,
}

/// A golden, by its names.
pub(super) struct Golden {
    /// Its path as it is shown.
    pub(super) path: String,
    /// Its name in a file that has several.
    pub(super) entry: Option<String>,
    /// How it is written.
    pub(super) form: Form,
    /// The names that it may be known by.
    labels: Vec<String>,
    body: Body,
}

enum Body {
    /// The file at this path of the host.
    File(String),
    /// These bytes.
    Bytes(Vec<u8>),
    /// One of these texts.
    Texts(Vec<String>),
}

/// What a golden says.
pub(super) enum Said {
    /// One of these texts, as it stands on the disk.
    Texts(Vec<String>),
    /// No text: the byte, from 0, that is not UTF-8.
    NotText(usize),
}

/// Where goldens are.
pub struct Place<'a> {
    /// Reads them.
    pub host: &'a dyn Host,
    /// The path as it was given, for messages.
    pub shown: &'a str,
    /// Whether it is a folder, which is then the host's root; else the path of one file.
    pub is_folder: bool,
}

impl Form {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Insta => "insta",
            Form::Exports => "exports",
        }
    }
}

/// All goldens of a place.
pub(super) fn find(place: &Place<'_>) -> Result<Vec<Golden>, Error> {
    if !place.is_folder {
        let bytes =
            place.host.read_named(place.shown, most(place.host)).map_err(unreadable(place.host, place.shown))?;
        return read(place.shown.to_owned(), place.shown, bytes);
    }
    let mut found = Vec::new();
    for path in place.host.list("", place.host.limits().files.value)? {
        let shown = format!("{}/{path}", place.shown.trim_end_matches('/'));
        if path.ends_with(".snap") {
            let bytes = place.host.read(&path, most(place.host)).map_err(unreadable(place.host, &shown))?;
            found.extend(read(shown, &path, bytes)?);
        } else {
            let labels = file_labels(&path);
            found.push(Golden { path: shown, entry: None, form: Form::Plain, labels, body: Body::File(path) });
        }
    }
    Ok(found)
}

/// Most bytes of one golden.
fn most(host: &dyn Host) -> u64 {
    host.limits().file_bytes.value as u64
}

fn unreadable(host: &dyn Host, shown: &str) -> impl FnOnce(ReadError) -> Error {
    let most = host.limits().file_bytes;
    move |why| errors::unreadable(shown, &why, most)
}

/// The goldens of one file.
fn read(shown: String, path: &str, bytes: Vec<u8>) -> Result<Vec<Golden>, Error> {
    let labels = file_labels(path);
    let of = |form, body| vec![Golden { path: shown.clone(), entry: None, form, labels: labels.clone(), body }];
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) if path.ends_with(".snap") => clean_newlines(text.strip_prefix('\u{feff}').unwrap_or(text)),
        _ => return Ok(of(Form::Plain, Body::Bytes(bytes))),
    };
    match snap::insta(&text) {
        Some(Insta::Text(text)) => return Ok(of(Form::Insta, Body::Texts(vec![text.to_owned()]))),
        Some(Insta::Binary) => return Err(errors::binary(&shown)),
        None => {}
    }
    match snap::exports(&text) {
        None => Ok(of(Form::Plain, Body::Bytes(text.into_owned().into_bytes()))),
        Some(Err(why)) => Err(errors::unreadable_exports(&shown, &why)),
        Some(Ok(exports)) => Ok(exports
            .into_iter()
            .map(|e| Golden {
                path: shown.clone(),
                labels: export_labels(&e.name),
                entry: Some(e.name),
                form: Form::Exports,
                body: Body::Texts(e.readings),
            })
            .collect()),
    }
}

/// The names that a file may be known by: its own with fewer and fewer endings, the part behind the last `__` as insta
/// makes them of modules and tests, and its folder when it is called as `build --emit text` calls it.
fn file_labels(path: &str) -> Vec<String> {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let mut labels = vec![fold(name)];
    let mut stem = name;
    while let Some((shorter, _)) = stem.rsplit_once('.') {
        labels.push(fold(shorter));
        stem = shorter;
    }
    if name == "prompt.txt"
        && let Some(folder) = parts.next()
    {
        labels.push(fold(folder));
    }
    labels
}

fn export_labels(name: &str) -> Vec<String> {
    vec![fold(name)]
}

/// A name in which `_`, `-` and blanks are alike: tests cannot always have a fixture's own name.
fn fold(name: &str) -> String {
    name.chars().map(|c| if matches!(c, '_' | ' ') { '-' } else { c }).collect()
}

/// The golden of each artifact, by name. Exact names come first; else a golden belongs to an artifact when its name
/// ends in that of the artifact, behind `__` or a blank, and no other artifact has the whole name.
///
/// # Errors
/// An artifact has several.
pub(super) fn by_name<'g>(goldens: &'g [Golden], names: &[&str]) -> Result<Vec<Option<&'g Golden>>, Error> {
    let folded: Vec<String> = names.iter().map(|name| fold(name)).collect();
    let exact = |golden: &Golden, name: &String| golden.labels.contains(name);
    let is_taken = |golden: &Golden| folded.iter().any(|name| exact(golden, name));
    let ends = |golden: &Golden, name: &String| {
        let behind = |label: &String| {
            let before = label.strip_suffix(name.as_str());
            before.is_some_and(|b| b.ends_with("--") || (golden.form == Form::Exports && b.ends_with('-')))
        };
        // The longest name wins: `my repo` is no golden of `repo` when there is an artifact `my-repo`.
        let longer =
            |other: &String| other.len() > name.len() && golden.labels.iter().any(|l| l.ends_with(other.as_str()));
        golden.labels.iter().any(behind) && !folded.iter().any(longer)
    };
    let of = |(name, folded): (&&str, &String)| {
        let mut found: Vec<&Golden> = goldens.iter().filter(|g| exact(g, folded)).collect();
        if found.is_empty() {
            found = goldens.iter().filter(|g| !is_taken(g) && ends(g, folded)).collect();
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => Err(errors::several(name, &several.iter().map(|g| g.shown()).collect::<Vec<_>>())),
        }
    };
    names.iter().zip(&folded).map(of).collect()
}

impl Golden {
    /// Its path, and its name in the file.
    pub(super) fn shown(&self) -> String {
        match &self.entry {
            Some(entry) => format!("{}: {entry}", self.path),
            None => self.path.clone(),
        }
    }

    /// What it says.
    pub(super) fn say(&self, host: &dyn Host) -> Result<Said, Error> {
        let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
            Ok(text) => Said::Texts(vec![text]),
            Err(error) => Said::NotText(error.utf8_error().valid_up_to()),
        };
        match &self.body {
            Body::Texts(texts) => Ok(Said::Texts(texts.clone())),
            Body::Bytes(bytes) => Ok(text(bytes.clone())),
            Body::File(path) => host.read(path, most(host)).map(text).map_err(unreadable(host, &self.path)),
        }
    }
}
