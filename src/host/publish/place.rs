//! Where output may go.

#![expect(clippy::disallowed_methods, reason = "links can only be seen on the file system")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::Target;
use crate::host::Error;
use crate::host::disk::reason;

/// Longest name that still takes the dot and the ending of a sibling, on file systems with 255 bytes a name.
const NAME: usize = 200;

/// An output folder that has been checked.
pub(super) struct Place {
    /// Absolute.
    pub(super) folder: Utf8PathBuf,
    /// The folder that holds it.
    pub(super) parent: Utf8PathBuf,
    /// For messages: from the root where it is below.
    pub(super) shown: String,
    /// First part of the names of the siblings.
    stem: String,
}

/// The project around output folders.
pub(super) struct Ground {
    /// Absolute.
    root: Utf8PathBuf,
    real_root: PathBuf,
    /// Folders that no output may touch, and where they really are.
    sources: Vec<(String, PathBuf)>,
    /// Folders above output that have been checked, and where they really are.
    parents: RefCell<BTreeMap<Utf8PathBuf, PathBuf>>,
}

impl Ground {
    pub(super) fn new(target: &Target<'_>) -> Result<Ground, Error> {
        let root = absolute(target.root)?;
        let real_root = fs::canonicalize(&root).map_err(|e| unreachable(&root, &e))?;
        let real = |source: &&str| {
            let real = real_path(&real_root.join(source)).map_err(|e| unreachable(Utf8Path::new(source), &e))?;
            Ok(((*source).to_owned(), real))
        };
        let sources = target.sources.iter().map(real).collect::<Result<_, Error>>()?;
        Ok(Ground { root, real_root, sources, parents: RefCell::default() })
    }

    /// Checks an output folder: absolute, or from the root.
    pub(super) fn place(&self, folder: &Utf8Path) -> Result<Place, Error> {
        let Ground { root, real_root, .. } = self;
        let folder = absolute(&root.join(folder))?;
        let below = folder.strip_prefix(root).ok();
        let below = below.or_else(|| folder.as_std_path().strip_prefix(real_root).ok().and_then(Utf8Path::from_path));
        let shown = below.unwrap_or(&folder).to_string();
        let depth = below.map_or(1, |b| b.components().count());
        let real = self.real(&folder, depth, &shown)?;
        if real_root.starts_with(&real) {
            return Err(is_root(&shown));
        }
        for (source, real_source) in &self.sources {
            if real.starts_with(real_source) || real_source.starts_with(&real) {
                return Err(is_source(&shown, source));
            }
        }
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Err(is_root(&shown));
        };
        Ok(Place { parent: parent.to_owned(), stem: stem(name), shown, folder })
    }

    /// Where a folder really is, with nothing in the way. What is above it is checked once for all its neighbours.
    fn real(&self, folder: &Utf8Path, depth: usize, shown: &str) -> Result<PathBuf, Error> {
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { return Err(is_root(shown)) };
        if let Some(real) = self.parents.borrow().get(parent) {
            return match fs::symlink_metadata(folder) {
                Ok(found) if found.is_symlink() => Err(is_link(shown)),
                Ok(found) if !found.is_dir() => Err(is_file(shown)),
                Err(e) if e.kind() != ErrorKind::NotFound => Err(unreachable(folder, &e)),
                _ => Ok(real.join(name)),
            };
        }
        refuse_in_the_way(folder, depth, shown)?;
        let real = real_path(folder.as_std_path()).map_err(|e| unreachable(folder, &e))?;
        if let Some(above) = real.parent() {
            self.parents.borrow_mut().insert(parent.to_owned(), above.to_owned());
        }
        Ok(real)
    }
}

impl Place {
    /// A hidden path beside the folder.
    pub(super) fn sibling(&self, ending: &str) -> Utf8PathBuf {
        self.parent.join(format!(".{}.promptc-{ending}", self.stem))
    }

    /// Whether an earlier run was stopped in the middle.
    pub(super) fn is_interrupted(&self) -> bool {
        ["new", "old", "trash"].iter().any(|ending| exists(&self.sibling(ending)))
    }

    pub(super) fn failed(&self, action: &str, error: &io::Error) -> Error {
        failed(action, &self.shown, error)
    }
}

/// Refuses a path below a root when a part of it that is there is a link: what is written would land elsewhere.
///
/// # Errors
/// The link.
pub fn refuse_links(root: &Utf8Path, path: &Utf8Path) -> Result<(), Error> {
    let root = absolute(root)?;
    let full = absolute(&root.join(path))?;
    let parts = full.strip_prefix(&root).map_or(1, |below| below.components().count());
    match full.ancestors().take(parts).find(|part| is_symlink(part)) {
        Some(link) => Err(is_link(link.strip_prefix(&root).unwrap_or(link).as_str())),
        None => Ok(()),
    }
}

/// Whether a name is one of the siblings of some output folder.
pub(super) fn is_sibling(name: &str) -> bool {
    name.starts_with('.') && name.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with("promptc-"))
}

pub(super) fn stem(name: &str) -> String {
    if name.len() <= NAME { name.to_owned() } else { crate::digest::text(name) }
}

pub(super) fn exists(path: &Utf8Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn is_symlink(path: &Utf8Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

pub(super) fn cannot(action: &str, shown: &str, error: &io::Error) -> Error {
    Error::new(format!("cannot {action} `{shown}`: {}", reason(error)))
}

/// Whether it is the place that cannot be written, so that another one would do.
pub(super) fn is_of_the_place(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied | ErrorKind::ResourceBusy)
}

/// What `-o` names cannot be written.
pub(super) fn failed(action: &str, shown: &str, error: &io::Error) -> Error {
    let failed = cannot(action, shown, error);
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            failed.help("free some space; what was there still stands")
        }
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            failed.help("choose a place that may be written with `-o`, or change its permissions")
        }
        ErrorKind::ResourceBusy => failed.help("choose a folder inside the mounted one with `-o`"),
        ErrorKind::CrossesDevices => failed.help(format!("delete `{shown}` and build again")),
        _ => failed,
    }
}

/// A path from the file system's root without `.` and `..`. What stands before a `..` must be there, since only the file
/// system knows the parent of a link's target.
pub(super) fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf, Error> {
    let path = camino::absolute_utf8(path).map_err(|e| unreachable(path, &e))?;
    let parts: Vec<Utf8Component<'_>> = path.components().collect();
    let Some(last) = parts.iter().rposition(|part| *part == Utf8Component::ParentDir) else {
        return Ok(parts.into_iter().collect());
    };
    let before: Utf8PathBuf = parts[..=last].iter().collect();
    let real = fs::canonicalize(&before).map_err(|e| unreachable(&before, &e))?;
    let real = Utf8PathBuf::from_path_buf(real).map_err(|p| not_utf8(&p))?;
    Ok(parts[last + 1..].iter().fold(real, |path, part| path.join(part)))
}

/// Refuses links among the last `depth` parts of the folder's path, and files anywhere on it.
fn refuse_in_the_way(folder: &Utf8Path, depth: usize, shown: &str) -> Result<(), Error> {
    let above = folder.components().count().saturating_sub(depth);
    let parts: Vec<&Utf8Path> = folder.ancestors().collect();
    for part in parts.into_iter().rev() {
        let parts_below = folder.components().count() - part.components().count();
        let shown = Utf8Path::new(shown).ancestors().nth(parts_below).filter(|s| !s.as_str().is_empty());
        let shown = shown.unwrap_or(part).as_str();
        match fs::symlink_metadata(part) {
            Ok(found) if found.is_symlink() && part.components().count() > above => return Err(is_link(shown)),
            Ok(_) if !part.is_dir() => return Err(is_file(shown)),
            Ok(_) => {}
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(unreachable(part, &e)),
        }
    }
    Ok(())
}

/// The path without links of what may not be there yet.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Ok(real),
        Err(e) if e.kind() == ErrorKind::NotFound => match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok(real_path(parent)?.join(name)),
            _ => Err(e),
        },
        Err(e) => Err(e),
    }
}

fn unreachable(path: &Utf8Path, error: &io::Error) -> Error {
    Error::new(format!("cannot reach `{path}`: {}", reason(error)))
}

fn not_utf8(path: &Path) -> Error {
    Error::new(format!("the path `{}` is not UTF-8", path.display())).help("build in a folder whose path is")
}

fn is_link(shown: &str) -> Error {
    Error::new(format!("`{shown}` is a link: output is not written through links"))
        .help("remove the link, or name its target with `-o`")
}

fn is_file(shown: &str) -> Error {
    Error::new(format!("`{shown}` is a file where a folder must be"))
        .help("remove it, or choose another place with `-o`")
}

fn is_root(shown: &str) -> Error {
    let what =
        if shown.is_empty() { "the project's root".to_owned() } else { format!("`{shown}`, which holds the project,") };
    Error::new(format!("{what} cannot be an output folder")).help("choose a folder of its own with `-o`")
}

fn is_source(shown: &str, source: &str) -> Error {
    Error::new(format!("output into `{shown}` would mix with the sources in `{source}`"))
        .help("choose a folder of its own with `-o`")
}
