//! The steps that change an output folder. Between any two of them the process may die.

#![expect(clippy::disallowed_methods, reason = "the one place that writes folders")]

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::Files;
use super::place::{Place, exists};

/// How steps are made. Tests forbid the exchange, or let the process "die" after some steps.
pub(super) struct Steps {
    pub(super) exchange: bool,
    #[cfg(test)]
    pub(super) left: std::cell::Cell<usize>,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps {
            exchange: true,
            #[cfg(test)]
            left: std::cell::Cell::new(usize::MAX),
        }
    }
}

impl Steps {
    pub(super) fn create_folders(&self, path: &Utf8Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir_all(path)
    }

    /// Ends what an earlier run began, and removes what it left.
    pub(super) fn recover(&self, place: &Place) -> io::Result<()> {
        let [new, old, trash] = ["new", "old", "trash"].map(|ending| place.sibling(ending));
        for sibling in [&new, &old] {
            // No run leaves anything but a folder: this came with the project.
            if !is_folder(sibling) {
                self.remove(sibling)?;
            }
        }
        if exists(&old) {
            if !exists(&place.folder) {
                // `-old` comes into being only when `-new` is whole. Without it the user has cleaned up by hand.
                self.rename(if exists(&new) { &new } else { &old }, &place.folder)?;
            }
            if exists(&old) {
                // Never deleted under its name, so that whatever has this name is whole.
                self.remove(&trash)?;
                self.rename(&old, &trash)?;
            }
        }
        self.remove(&new)?;
        self.remove(&trash)
    }

    /// Makes the new folder, whole, beside the old one.
    pub(super) fn stage(
        &self,
        place: &Place,
        files: &Files,
        unchanged: Option<&BTreeSet<String>>,
    ) -> io::Result<Unsynced> {
        let new = place.sibling("new");
        self.step()?;
        fs::create_dir(&new)?;
        let mut folders = BTreeSet::from([new.clone()]);
        let mut written = Vec::new();
        for (path, bytes) in files {
            let to = new.join(path);
            let above = to.ancestors().skip(1).take_while(|folder| *folder != new);
            let above: Vec<Utf8PathBuf> = above.map(Utf8Path::to_owned).collect();
            if let Some(parent) = above.first() {
                self.create_folders(parent)?;
            }
            folders.extend(above);
            if unchanged.is_some_and(|u| u.contains(path)) {
                self.keep(&place.folder.join(path), &to)?;
            } else {
                self.create(&to, bytes, None)?;
                written.push(to);
            }
        }
        Ok(Unsynced { files: written, folders })
    }

    /// Puts the staged folder in place of the old one, or where there is none.
    pub(super) fn replace(&self, place: &Place, there: bool) -> io::Result<()> {
        let [new, old] = ["new", "old"].map(|ending| place.sibling(ending));
        if !there {
            self.rename(&new, &place.folder)?;
        } else if !self.exchange(&new, &place.folder)? {
            self.rename(&place.folder, &old)?;
            if let Err(error) = self.rename(&new, &place.folder) {
                _ = self.rename(&old, &place.folder);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Writes a new file to the disk.
    pub(super) fn write(&self, path: &Utf8Path, bytes: &[u8], mode: Option<fs::Permissions>) -> io::Result<()> {
        self.create(path, bytes, mode)?.sync_all()
    }

    /// Writes a new file, which the system brings to the disk when it likes.
    fn create(&self, path: &Utf8Path, bytes: &[u8], mode: Option<fs::Permissions>) -> io::Result<File> {
        self.step()?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.step()?;
        file.write_all(bytes)?;
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        Ok(file)
    }

    pub(super) fn rename(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    /// Removes a file or a folder with all that is in it. That it is not there is well.
    pub(super) fn remove(&self, path: &Utf8Path) -> io::Result<()> {
        self.step()?;
        let removed = match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The same file at another place: linked, or copied where links are not to be had.
    fn keep(&self, from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
        self.step()?;
        if fs::hard_link(from, to).is_err() {
            fs::copy(from, to)?;
            OpenOptions::new().append(true).open(to)?.sync_all()?;
        }
        Ok(())
    }

    /// Exchanges two folders in one step. False when the system or the file system cannot.
    fn exchange(&self, one: &Utf8Path, other: &Utf8Path) -> io::Result<bool> {
        self.step()?;
        if self.exchange { exchange(one, other) } else { Ok(false) }
    }

    #[cfg(test)]
    fn step(&self) -> io::Result<()> {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(io::Error::other("killed")),
        }
    }

    #[cfg(not(test))]
    fn step(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether there is a folder, and no link to one.
fn is_folder(path: &Utf8Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// What was written, and may not be on the disk yet.
pub(super) struct Unsynced {
    files: Vec<Utf8PathBuf>,
    folders: BTreeSet<Utf8PathBuf>,
}

impl Unsynced {
    /// Brings it to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.files.iter().try_for_each(|file| File::open(file)?.sync_all())?;
        self.folders.iter().rev().for_each(|folder| sync_folder(folder));
        Ok(())
    }
}

/// Brings everything to the disk that is new on the file systems of some folders. False where a system can only bring
/// single files.
#[cfg(target_os = "linux")]
pub(super) fn sync_together<'f>(folders: impl Iterator<Item = &'f Utf8Path>) -> bool {
    use std::os::unix::fs::MetadataExt;
    let mut done = BTreeSet::new();
    let sync = |folder: &Utf8Path| -> io::Result<()> {
        let folder = File::open(folder)?;
        if done.insert(folder.metadata()?.dev()) {
            rustix::fs::syncfs(&folder)?;
        }
        Ok(())
    };
    let parents: BTreeSet<&Utf8Path> = folders.collect();
    parents.into_iter().map(sync).all(|synced| synced.is_ok())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn sync_together<'f>(_: impl Iterator<Item = &'f Utf8Path>) -> bool {
    false
}

/// Brings the names in a folder to the disk, as far as the system can.
pub(super) fn sync_folder(folder: &Utf8Path) {
    _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Utf8Path, other: &Utf8Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one.as_std_path(), CWD, other.as_std_path(), RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Utf8Path, _: &Utf8Path) -> io::Result<bool> {
    Ok(false)
}
