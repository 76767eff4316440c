//! `--watch`: a command that runs again whenever something changes in what it read.
//!
//! Does not know what the command does. Main entry: [`run`].
#![expect(clippy::disallowed_methods, reason = "whoever waits wants to know for how long")]

use std::collections::BTreeSet;
use std::time::Instant;

use super::ui::Ui;
use super::{Global, Outcome, Stop, interrupt, job};
use crate::host::Error;
use crate::host::disk::Disk;
use crate::host::seen::Seen;
use crate::host::watch::Watcher;

/// One run of many.
pub(super) struct Round {
    /// When the change was seen that it answers.
    start: Instant,
    /// Whether there is something to tell even if nothing has changed.
    pub(super) must_tell: bool,
}

/// What a run does. An error is told, and the next change leads to another run.
type Step<'s> = dyn FnMut(Round, &Disk, &mut Ui<'_>) -> Result<(), Stop> + 's;

/// Runs, waits, and runs again, until a signal ends it.
///
/// # Errors
/// The first run could not be made, nobody reads the output any more, or the system watches no files.
pub(super) fn run(global: &Global, ui: &mut Ui<'_>, step: &mut Step<'_>) -> Result<Outcome, Stop> {
    let mut start = Instant::now();
    let root = job::disk(global)?.root().to_owned();
    let mut watcher = Watcher::new()?;
    let mut seen = Seen::default();
    let mut is_first = true;
    let mut failed: Option<Error> = None;
    loop {
        let round = Round { start, must_tell: is_first || failed.is_some() };
        let mut looked = Seen::default();
        let done = job::disk_again(&root, global).map_err(Stop::from).and_then(|disk| {
            let done = step(round, &disk, ui);
            looked = disk.seen();
            done
        });
        match done {
            Ok(()) => (failed, seen) = (None, looked),
            Err(Stop::Error(error)) if !is_first => {
                // Where a run ended early it may not have come to what has to change.
                seen.extend(looked);
                if failed.as_ref() != Some(&error) {
                    ui.error(&error);
                }
                failed = Some(error);
            }
            Err(stop) => return Err(stop),
        }
        interrupt::is_usual();
        is_first = false;
        start = match watcher.follow(seen.clone())? {
            true => Instant::now(),
            false => watcher.wait()?,
        };
    }
}

/// What a run says when it is done: what has changed, how many profiles of how many were compiled, and the time since the
/// change was seen.
pub(super) fn line(changed: Option<&BTreeSet<String>>, (compiled, all): (usize, usize), round: &Round) -> String {
    let time = round.start.elapsed().as_millis();
    let profiles = if all == 1 { "profile" } else { "profiles" };
    let Some(changed) = changed else {
        return format!("{compiled} {profiles} compiled in {time} ms; waiting for changes, Ctrl-C ends it");
    };
    let what = match (changed.first(), changed.len()) {
        (None, _) => String::new(),
        (Some(path), 1) => format!("{path} changed: "),
        (Some(path), 2) => format!("{path} and 1 other file changed: "),
        (Some(path), n) => format!("{path} and {} other files changed: ", n - 1),
    };
    format!("{what}{compiled} of {all} {profiles} compiled in {time} ms")
}
