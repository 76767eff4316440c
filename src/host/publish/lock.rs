//! Builds into one place, one at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};

use camino::{Utf8Path, Utf8PathBuf};

/// A lock that is held until it is dropped. The system frees it when the process dies; its file is then left over, and
/// harms nobody.
pub(super) struct Lock {
    path: Utf8PathBuf,
    file: File,
}

impl Lock {
    /// Takes a lock. `wait` is called once, before waiting.
    pub(super) fn take(path: &Utf8Path, wait: &mut dyn FnMut()) -> io::Result<Lock> {
        let mut waiting = false;
        loop {
            let file = open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    if !waiting {
                        waiting = true;
                        wait();
                    }
                    if let Err(error) = file.lock() {
                        if error.kind() == ErrorKind::Interrupted {
                            continue;
                        }
                        return Err(error);
                    }
                }
                // Some network file systems have no locks: better to build there than not at all.
                Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(e),
            }
            // Whoever held it before may have removed the file: then this lock keeps nobody out.
            if is_still(path, &file) {
                return Ok(Lock { path: path.to_owned(), file });
            }
        }
    }

    /// Removes the file of a lock that a killed run left. Whoever holds it keeps it.
    pub(super) fn sweep(path: &Utf8Path) {
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
            && let Ok(file) = open(path)
            && file.try_lock().is_ok()
            && is_still(path, &file)
        {
            drop(Lock { path: path.to_owned(), file });
        }
    }
}

/// Opens the file, and makes it when it is not there. A link under its name, which may have come with the project, is
/// not followed: nothing may come into being elsewhere.
fn open(path: &Utf8Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is held, so that the file of a later holder is never removed.
        if cfg!(unix) {
            #[expect(clippy::disallowed_methods, reason = "the lock file is this module's own")]
            let _ = fs::remove_file(&self.path);
        }
        _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn is_still(path: &Utf8Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (fs::metadata(path), file.metadata()) {
        (Ok(there), Ok(here)) => (there.dev(), there.ino()) == (here.dev(), here.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still(_: &Utf8Path, _: &File) -> bool {
    true
}
