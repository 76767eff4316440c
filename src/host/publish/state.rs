//! What an output folder holds before it is written.

#![expect(clippy::disallowed_methods, reason = "compares files on disk with those to be written")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};

use camino::Utf8Path;

use super::place::{self, Place};
use super::{Files, Own};
use crate::host::Error;

/// How much of a file is searched for the proof.
const PROOF_BYTES: u64 = 4096;

/// Foreign files that a message names.
const NAMED: usize = 3;

/// Files that systems strew into folders. They belong to nobody.
const STREWN: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// An output folder against the files that it shall hold.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum State {
    /// It is not there.
    Missing,
    /// No byte differs.
    Same,
    /// It may be replaced.
    Ours {
        /// Paths of files that are there already, byte for byte.
        unchanged: BTreeSet<String>,
    },
}

/// Compares a folder with the files that it shall hold.
///
/// # Errors
/// It cannot be read, or holds other people's files.
pub(super) fn of(place: &Place, files: &Files, own: Own<'_>) -> Result<State, Error> {
    steady(&place.folder, || match identity(&place.folder) {
        None => Ok(State::Missing),
        Some(_) => compare(place, files, own),
    })
}

/// What is read of a folder that another run may put another one in the place of: all of it of one.
pub fn steady<T>(folder: &Utf8Path, mut read: impl FnMut() -> T) -> T {
    loop {
        let before = identity(folder);
        let found = read();
        if identity(folder) == before {
            return found;
        }
    }
}

fn compare(place: &Place, files: &Files, own: Own<'_>) -> Result<State, Error> {
    let failed = |e: io::Error| place.failed("read", &e);
    let mut found = Found::default();
    found.walk(&place.folder, "", files, own).map_err(failed)?;
    if !found.foreign.is_empty() {
        return Err(foreign(&place.shown, &found.foreign));
    }
    let mut unchanged = BTreeSet::new();
    for (path, bytes) in files {
        let on_disk = place.folder.join(path);
        if found.files.contains(path) && holds(&on_disk, bytes).map_err(failed)? {
            unchanged.insert(path.clone());
        }
    }
    if unchanged.len() == files.len() && found.files.len() == files.len() && found.links == 0 {
        return Ok(State::Same);
    }
    let empty = found.files.is_empty() && found.links == 0;
    if empty || is_proven(&place.folder, &found.files, own).map_err(failed)? {
        return Ok(State::Ours { unchanged });
    }
    Err(not_ours(&place.shown))
}

/// What is in a folder.
#[derive(Default)]
struct Found {
    /// Files with names of ours.
    files: BTreeSet<String>,
    /// Links with names of ours.
    links: usize,
    /// The first other ones.
    foreign: Vec<String>,
}

impl Found {
    fn walk(&mut self, folder: &Utf8Path, shown: &str, files: &Files, own: Own<'_>) -> io::Result<()> {
        let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            // A home folder given by mistake is not searched to its end.
            if self.foreign.len() > NAMED {
                break;
            }
            let name = entry.file_name();
            let path = format!("{shown}{}", name.to_string_lossy());
            let kind = entry.file_type()?;
            match name.to_str() {
                Some(name) if STREWN.contains(&name) || place::is_sibling(name) => {}
                Some(name) if kind.is_dir() && is_own_folder(&path, files, own) => {
                    self.walk(&folder.join(name), &format!("{path}/"), files, own)?;
                }
                Some(name) if kind.is_file() && is_own_file(name, files, own) => _ = self.files.insert(path),
                Some(name) if kind.is_symlink() && is_own_file(name, files, own) => self.links += 1,
                _ if kind.is_dir() && is_empty(&entry.path()) => {}
                _ => self.foreign.push(path),
            }
        }
        Ok(())
    }
}

fn is_own_folder(path: &str, files: &Files, own: Own<'_>) -> bool {
    let is_above = |file: &String| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    (own.is_folder)(path) || files.keys().any(is_above)
}

fn is_own_file(name: &str, files: &Files, own: Own<'_>) -> bool {
    let is_name = |path: &String| path.rsplit('/').next() == Some(name);
    own.names.contains(&name) || own.proof.is_some_and(|(proof, _)| proof == name) || files.keys().any(is_name)
}

fn is_empty(folder: &std::path::Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

fn is_proven(folder: &Utf8Path, found: &BTreeSet<String>, own: Own<'_>) -> io::Result<bool> {
    let Some((name, text)) = own.proof else { return Ok(true) };
    for path in found.iter().filter(|path| path.rsplit('/').next() == Some(name)) {
        let mut start = Vec::new();
        File::open(folder.join(path))?.take(PROOF_BYTES).read_to_end(&mut start)?;
        if start.windows(text.len()).any(|part| part == text.as_bytes()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a file holds exactly these bytes.
pub(super) fn holds(path: &Utf8Path, bytes: &[u8]) -> io::Result<bool> {
    if fs::metadata(path)?.len() != bytes.len() as u64 {
        return Ok(false);
    }
    let mut there = Vec::with_capacity(bytes.len());
    File::open(path)?.take(bytes.len() as u64 + 1).read_to_end(&mut there)?;
    Ok(there == bytes)
}

/// What tells one folder from another that later has its name: also from one with the number of one that is gone. None
/// when there is none.
fn identity(folder: &Utf8Path) -> Option<(u64, u64, i64, i64)> {
    let found = fs::symlink_metadata(folder).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((found.dev(), found.ino(), found.ctime(), found.ctime_nsec()))
    }
    #[cfg(not(unix))]
    {
        Some((0, found.len(), 0, 0))
    }
}

fn foreign(shown: &str, paths: &[String]) -> Error {
    let named: Vec<String> = paths.iter().take(NAMED).map(|path| format!("`{}`", path.escape_debug())).collect();
    let more = if paths.len() > NAMED { " and more" } else { "" };
    Error::new(format!("`{shown}` holds what promptc did not write: {}{more}", named.join(", ")))
        .help("move it elsewhere, or choose another folder with `-o`")
}

fn not_ours(shown: &str) -> Error {
    Error::new(format!("`{shown}` was not made by promptc, and is not empty"))
        .help("delete it if it is not needed, or choose another folder with `-o`")
}
