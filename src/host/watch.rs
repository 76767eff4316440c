//! Waiting until something changes in what was read.
//!
//! Owns the watcher of the system, and what counts as one change: many events at once, and none of the run's own. Knows no
//! project. Main type: [`Watcher`].

#![expect(clippy::disallowed_methods, reason = "the one place that waits for a time")]

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::Error;
use super::disk::reason;
use super::seen::Seen;

/// What belongs together comes within this time: an editor empties a file, writes it, and renames another one.
const QUIET: Duration = Duration::from_millis(15);

/// A run begins after this time even if changes go on. What comes later makes another run.
const LONGEST: Duration = Duration::from_millis(500);

/// Waits for changes.
pub struct Watcher {
    inner: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    /// Folders that the system watches.
    places: BTreeSet<PathBuf>,
    seen: Seen,
}

impl Watcher {
    /// A watcher that watches nothing yet.
    ///
    /// # Errors
    /// The system gives none.
    pub fn new() -> Result<Watcher, Error> {
        let (send, events) = mpsc::channel();
        let handler = move |event: notify::Result<Event>| {
            if event.as_ref().map_or(true, is_change) {
                // Nobody waits any more when the run is over.
                _ = send.send(event);
            }
        };
        let inner = notify::recommended_watcher(handler).map_err(|e| cannot(&e))?;
        Ok(Watcher { inner, events, places: BTreeSet::new(), seen: Seen::default() })
    }

    /// Watches what a run looked at, and nothing else. Whether a folder is watched only now: what happened in it since it
    /// was read has been missed.
    ///
    /// # Errors
    /// The system watches no more.
    pub fn follow(&mut self, seen: Seen) -> Result<bool, Error> {
        let wanted = seen.places();
        self.seen = seen;
        for gone in self.places.difference(&wanted) {
            // A folder that is not there is not watched any more.
            _ = self.inner.unwatch(gone);
        }
        self.places.retain(|place| wanted.contains(place));
        let mut is_new = false;
        for place in wanted {
            if self.places.contains(&place) {
                continue;
            }
            match self.inner.watch(&place, RecursiveMode::NonRecursive) {
                Ok(()) => is_new |= self.places.insert(place),
                // Where it stands it shows when that changes.
                Err(error) if is_gone(&error) || !place.is_dir() => {}
                Err(error) => return Err(cannot(&error)),
            }
        }
        Ok(is_new)
    }

    /// Waits until something has changed, and then until nothing does for a moment. When the change was seen.
    ///
    /// # Errors
    /// The system watches no more.
    pub fn wait(&mut self) -> Result<Instant, Error> {
        while !self.is_touched_by(self.events.recv().map_err(|_| ended())?)? {}
        let first = Instant::now();
        while first.elapsed() < LONGEST {
            match self.events.recv_timeout(QUIET) {
                Ok(event) => _ = self.is_touched_by(event)?,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            }
        }
        Ok(first)
    }

    fn is_touched_by(&mut self, event: notify::Result<Event>) -> Result<bool, Error> {
        let event = event.map_err(|e| cannot(&e))?;
        // A folder that comes back under its old name is another one, and is to be watched anew.
        if matches!(event.kind, EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(_)) {
            let is_folder = |place: &PathBuf| event.paths.iter().any(|path| place.starts_with(path));
            self.places.retain(|place| !is_folder(place));
        }
        // Of events that were too many to be told nobody knows the paths.
        Ok(event.need_rescan() || event.paths.iter().any(|path| self.seen.is_touched_by(path)))
    }
}

/// Whether something is written, and not only read: a run reads.
fn is_change(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

/// Whether a folder was removed meanwhile, or may not be read.
fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(e) => matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied),
        _ => false,
    }
}

fn ended() -> Error {
    Error::new("the system's watcher of files has ended").help("start again")
}

fn cannot(error: &notify::Error) -> Error {
    match &error.kind {
        ErrorKind::MaxFilesWatch => Error::new("the system watches no more folders: its limit is reached")
            .help("raise it: `sudo sysctl fs.inotify.max_user_watches=524288`")
            .help("or end other programs that watch files, or build without `--watch`"),
        ErrorKind::Io(e) if is_out_of_files(e) => Error::new("the system gives no more watchers: its limit is reached")
            .help("raise it: `sudo sysctl fs.inotify.max_user_instances=1024`, or `ulimit -n`")
            .help("or end other programs that watch files, or build without `--watch`"),
        ErrorKind::Io(e) => Error::new(format!("cannot watch files: {}", reason(e))),
        _ => Error::new(format!("cannot watch files: {error}")),
    }
}

#[cfg(unix)]
fn is_out_of_files(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error())
}

#[cfg(not(unix))]
fn is_out_of_files(_: &io::Error) -> bool {
    false
}
