//! Writing an artifact folder whole or not at all.
//!
//! Owns the promise that after any end, a power cut included, an output folder is the old or the new one, byte for
//! byte. Does not know what is in the files. Main entries: [`publish`], [`publish_all`], [`update`],
//! [`write_file_atomically`].
//!
//! How: the new folder is made beside the old one under a hidden name, synced, and exchanged with it in one step. Where
//! the system cannot exchange, two renames do it; a run that finds them half done ends them first. A lock file beside
//! makes builds into one place wait for one another. Of many folders all are made first, then synced together, then
//! exchanged one by one: a disk takes as long for one file as for a hundred. The hidden names all end in `.promptc-*`:
//!
//! | name | holds |
//! | --- | --- |
//! | `.NAME.promptc-new` | the new folder before the step, the old one after an exchange; rubbish unless `-old` is there |
//! | `.NAME.promptc-old` | between two renames the old folder, whole |
//! | `.NAME.promptc-trash` | what is being deleted |
//! | `.NAME.promptc-lock` | nothing |

mod file;
mod lock;
mod place;
mod state;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::Error;
use lock::Lock;
use place::{Ground, Place};
use state::State;
use steps::{Steps, Unsynced, sync_folder, sync_together};

pub use file::{write_file_atomically, write_new_files};
pub use place::refuse_links;
pub use state::steady;

/// What a folder shall hold: bytes by path from the folder, parts joined by `/`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Folders that are synced together. Each holds a lock file open until it stands in its place.
const TOGETHER: usize = 100;

/// Where an artifact goes, and what may not be overwritten on the way.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The project's root.
    pub root: &'a Utf8Path,
    /// The artifact's folder: absolute, or from the root.
    pub folder: &'a Utf8Path,
    /// Folders of the project, from the root, that no output may touch: `prompts`, `profiles`.
    pub sources: &'a [&'a str],
    /// How to tell a folder that may be replaced from one that is somebody's.
    pub own: Own<'a>,
}

/// What an earlier run may have left in a folder.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// The name of a file that is in every folder that promptc wrote, at any depth, and a text within its first 4 KiB.
    /// Without it names are proof enough.
    pub proof: Option<(&'a str, &'a str)>,
    /// Names of files that promptc writes, besides those of this run.
    pub names: &'a [&'a str],
    /// Whether promptc makes a folder at this path inside an artifact's, besides those of this run.
    pub is_folder: fn(&str) -> bool,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Published {
    /// Whether anything was written. False when no byte differed.
    pub written: bool,
    /// Whether another build had to be waited for.
    pub waited: bool,
}

/// Makes a folder hold exactly `files` (path from the folder, parts joined by `/`, to bytes): all of them or, on an
/// error, none. Nothing is written, not even a time, when no byte differs. Files that stay the same are hard-linked from
/// the old folder, and so keep their time and mode; new ones get the mode that the umask gives. `say` is called once,
/// and only if another build into the folder has to be waited for.
///
/// **Whose files are deleted.** Like `cargo clean` and unlike `rm -r`, only promptc's own. An existing folder is
/// replaced when each file in it has a name that promptc writes (in `files`, or in [`Own::names`]), lies in
/// no folder but promptc's ([`Own::is_folder`]), and one of them is the proof. Otherwise nothing is touched and the error names what is in the way: somebody's notes beside an artifact
/// are refused, and so is an `-o` folder that promptc did not make. Empty folders, and files that systems strew
/// (`.DS_Store`), belong to nobody.
///
/// # Errors
/// The place is not allowed (a link, the root, a source folder, a file), holds other people's files, or cannot be
/// written: then the old state stands.
pub fn publish(target: &Target<'_>, files: &Files, say: &mut dyn FnMut(&str)) -> Result<Published, Error> {
    run(target, files, &Steps::default(), say)
}

/// [`publish`] of files that are made of what the folder holds, whose own names are those of the files that `make` gives
/// besides: files there that are ours and not wanted any more. It is called a second time when nobody else can write, if
/// there is anything to be written: what another run wrote in the meantime is not lost.
///
/// # Errors
/// As with [`publish`], and those of `make`.
pub fn update(
    target: &Target<'_>,
    make: &mut dyn FnMut() -> Result<(Files, Vec<String>), Error>,
    say: &mut dyn FnMut(&str),
) -> Result<Published, Error> {
    let steps = Steps::default();
    let mut wanted = Making { make, own: target.own, names: Vec::new(), files: Files::new() };
    wanted.again()?;
    let (waited, new) = prepare(&Ground::new(target)?, target.folder, &mut wanted, &steps, say)?;
    let written = new.is_some();
    finish(new.into_iter().collect(), &steps)?;
    Ok(Published { written, waited })
}

/// [`publish`] of many folders, in order, each as a whole. On an error those ahead of it are published.
///
/// # Errors
/// That of the first folder that has one.
pub fn publish_all(
    target: &Target<'_>,
    folders: &BTreeMap<Utf8PathBuf, Files>,
    say: &mut dyn FnMut(&str),
) -> Result<(), Error> {
    let ground = Ground::new(target)?;
    let folders: Vec<(&Utf8Path, &Files)> = folders.iter().map(|(folder, files)| (folder.as_path(), files)).collect();
    folders.chunks(TOGETHER).try_for_each(|part| together(&ground, target.own, part, &Steps::default(), say).map(drop))
}

fn run(target: &Target<'_>, files: &Files, steps: &Steps, say: &mut dyn FnMut(&str)) -> Result<Published, Error> {
    let published = together(&Ground::new(target)?, target.own, &[(target.folder, files)], steps, say)?;
    Ok(published.into_iter().next().unwrap_or(Published { written: false, waited: false }))
}

/// What a folder shall hold, and what of it may be replaced.
trait Wanted {
    fn files(&self) -> &Files;
    /// What the folder holds, against them.
    fn state(&self, place: &Place) -> Result<State, Error>;
    /// Called when nobody else can write.
    fn again(&mut self) -> Result<(), Error>;
}

/// Files that are known.
struct Known<'a> {
    files: &'a Files,
    own: Own<'a>,
}

impl Wanted for Known<'_> {
    fn files(&self) -> &Files {
        self.files
    }

    fn state(&self, place: &Place) -> Result<State, Error> {
        state::of(place, self.files, self.own)
    }

    fn again(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Files that are made of what is there.
struct Making<'a> {
    make: &'a mut dyn FnMut() -> Result<(Files, Vec<String>), Error>,
    own: Own<'a>,
    names: Vec<String>,
    files: Files,
}

impl Wanted for Making<'_> {
    fn files(&self) -> &Files {
        &self.files
    }

    fn state(&self, place: &Place) -> Result<State, Error> {
        let names: Vec<&str> = self.own.names.iter().copied().chain(self.names.iter().map(String::as_str)).collect();
        state::of(place, &self.files, Own { names: &names, ..self.own })
    }

    fn again(&mut self) -> Result<(), Error> {
        (self.files, self.names) = (self.make)()?;
        Ok(())
    }
}

/// Publishes some folders, in order. What happened to each that was published.
fn together(
    ground: &Ground,
    own: Own<'_>,
    folders: &[(&Utf8Path, &Files)],
    steps: &Steps,
    say: &mut dyn FnMut(&str),
) -> Result<Vec<Published>, Error> {
    let mut published = Vec::new();
    let mut staged = Vec::new();
    let mut failed = None;
    for (folder, files) in folders {
        match prepare(ground, folder, &mut Known { files, own }, steps, say) {
            Ok((waited, new)) => {
                published.push(Published { written: new.is_some(), waited });
                staged.extend(new);
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    finish(staged, steps)?;
    failed.map_or(Ok(published), Err)
}

/// A folder that is made beside its place.
struct Staged {
    place: Place,
    /// Whether there is a folder to be replaced.
    there: bool,
    unsynced: Unsynced,
    /// Held until the folder stands in its place.
    _lock: Lock,
}

/// Makes the new folder, if it is another one. Whether another build had to be waited for.
fn prepare(
    ground: &Ground,
    folder: &Utf8Path,
    wanted: &mut dyn Wanted,
    steps: &Steps,
    say: &mut dyn FnMut(&str),
) -> Result<(bool, Option<Staged>), Error> {
    check_paths(wanted.files())?;
    let place = ground.place(folder)?;
    // Without a lock, so that a build that changes nothing needs no right to write.
    if !place.is_interrupted() {
        match wanted.state(&place)? {
            State::Same => {
                Lock::sweep(&place.sibling("lock"));
                return Ok((false, None));
            }
            State::Missing | State::Ours { .. } => {}
        }
    }
    steps.create_folders(&place.parent).map_err(|e| place.failed("make the folder above", &e))?;
    let mut waited = false;
    let mut wait = || {
        waited = true;
        say(&format!("waiting for another build into `{}`", place.shown));
    };
    let lock = Lock::take(&place.sibling("lock"), &mut wait).map_err(|e| place.failed("write beside", &e))?;
    // From here on the run is alone.
    steps.recover(&place).map_err(|e| place.failed("clean up after an interrupted build of", &e))?;
    wanted.again()?;
    check_paths(wanted.files())?;
    let unchanged = match wanted.state(&place)? {
        State::Same => return Ok((waited, None)),
        State::Missing => None,
        State::Ours { unchanged } => Some(unchanged),
    };
    match steps.stage(&place, wanted.files(), unchanged.as_ref()) {
        Ok(unsynced) => Ok((waited, Some(Staged { place, there: unchanged.is_some(), unsynced, _lock: lock }))),
        Err(error) => Err(given_up(&place, steps, &error)),
    }
}

/// Puts folders in their places. The error of the first that cannot be.
fn finish(staged: Vec<Staged>, steps: &Steps) -> Result<(), Error> {
    let are_synced = staged.len() > 1 && sync_together(staged.iter().map(|s| s.place.parent.as_path()));
    let mut first = None;
    for Staged { place, there, unsynced, .. } in &staged {
        let synced = if are_synced { Ok(()) } else { unsynced.sync() };
        if let Err(error) = synced.and_then(|()| steps.replace(place, *there)) {
            first.get_or_insert(given_up(place, steps, &error));
        }
    }
    let parents: BTreeSet<&Utf8Path> = staged.iter().map(|s| s.place.parent.as_path()).collect();
    parents.into_iter().for_each(sync_folder);
    for Staged { place, .. } in &staged {
        // The new state stands. What cannot be removed now is removed, or told, by the next run that writes.
        _ = steps.recover(place);
    }
    first.map_or(Ok(()), Err)
}

/// The error tells more than a second one would; what is left over is cleaned by the next run.
fn given_up(place: &Place, steps: &Steps, error: &std::io::Error) -> Error {
    _ = steps.recover(place);
    place.failed("write", error)
}

fn check_paths(files: &Files) -> Result<(), Error> {
    match files.keys().find(|path| !is_plain(path)) {
        Some(path) => Err(not_a_path(path)),
        None => Ok(()),
    }
}

/// Whether a path from the folder stays in it on every system.
fn is_plain(path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
    path.split('/').all(plain)
}

fn not_a_path(path: &str) -> Error {
    Error::new(format!("`{}` cannot be the name of a file", path.escape_debug()))
        .help("rename the profile or the value from which it is made")
}

#[cfg(test)]
mod tests;
