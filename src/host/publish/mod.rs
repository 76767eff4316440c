//! Writing an artifact folder whole or not at all.
//!
//! Owns the promise that after any end, a power cut included, an output folder is the old or the new one, byte for
//! byte. Does not know what is in the files. Main entries: [`publish`], [`write_file_atomically`].
//!
//! How: the new folder is made beside the old one under a hidden name, synced, and exchanged with it in one step. Where
//! the system cannot exchange, two renames do it; a run that finds them half done ends them first. A lock file beside
//! makes builds into one place wait for one another. The hidden names all end in `.promptc-*`:
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

use std::collections::BTreeMap;

use camino::Utf8Path;

use super::Error;
use lock::Lock;
use place::Place;
use state::State;
use steps::Steps;

pub use file::{write_file_atomically, write_new_files};
pub use place::refuse_links;

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
pub fn publish(
    target: &Target<'_>,
    files: &BTreeMap<String, Vec<u8>>,
    say: &mut dyn FnMut(&str),
) -> Result<Published, Error> {
    run(target, files, &Steps::default(), say)
}

fn run(
    target: &Target<'_>,
    files: &BTreeMap<String, Vec<u8>>,
    steps: &Steps,
    say: &mut dyn FnMut(&str),
) -> Result<Published, Error> {
    if let Some(path) = files.keys().find(|path| !is_plain(path)) {
        return Err(not_a_path(path));
    }
    let place = Place::check(target)?;
    // Without a lock, so that a build that changes nothing needs no right to write.
    if !place.is_interrupted() {
        match state::of(&place, files, target.own)? {
            State::Same => {
                Lock::sweep(&place.sibling("lock"));
                return Ok(Published { written: false, waited: false });
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
    let written = locked(&place, target, files, steps);
    drop(lock);
    written.map(|written| Published { written, waited })
}

/// The part of a run that is alone. Whether anything was written.
fn locked(place: &Place, target: &Target<'_>, files: &BTreeMap<String, Vec<u8>>, steps: &Steps) -> Result<bool, Error> {
    steps.recover(place).map_err(|e| place.failed("clean up after an interrupted build of", &e))?;
    let unchanged = match state::of(place, files, target.own)? {
        State::Same => return Ok(false),
        State::Missing => None,
        State::Ours { unchanged } => Some(unchanged),
    };
    let staged = steps.stage(place, files, unchanged.as_ref());
    match staged.and_then(|()| steps.replace(place, unchanged.is_some())) {
        Ok(()) => Ok(true),
        Err(error) => {
            // The error tells more than a second one would; what is left over is cleaned by the next run.
            _ = steps.recover(place);
            Err(place.failed("write", &error))
        }
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
