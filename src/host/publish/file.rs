//! One file, whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::lock::Lock;
use super::place;
use super::state::holds;
use super::steps::{Steps, sync_folder};
use crate::host::Error;

/// Makes a file hold exactly these bytes, by a new file beside it and a rename; folders above it are made. Whether
/// anything was written: no byte different, no write. An existing file keeps its mode. A link is followed, and what it
/// leads to is replaced: who must not leave the project calls [`refuse_links`](super::refuse_links) first. Devices and
/// pipes (`/dev/stdout`) are written to as they are.
///
/// # Errors
/// The file cannot be written: then its old bytes stand.
pub fn write_file_atomically(path: &Utf8Path, bytes: &[u8]) -> Result<bool, Error> {
    let failed = |e: io::Error| place::failed("write", path.as_str(), &e);
    let (real, mode) = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(is_folder(path)),
        Ok(found) if !found.is_file() => {
            let mut sink = OpenOptions::new().write(true).open(path).map_err(failed)?;
            sink.write_all(bytes).map_err(failed)?;
            return Ok(true);
        }
        Ok(found) => {
            if holds(path, bytes).map_err(failed)? {
                return Ok(false);
            }
            (path.canonicalize_utf8().map_err(failed)?, Some(found.permissions()))
        }
        Err(e) if e.kind() == ErrorKind::NotFound && place::exists(path) => return Err(is_dangling(path)),
        Err(e) if e.kind() == ErrorKind::NotFound => (place::absolute(path)?, None),
        Err(e) => return Err(failed(e)),
    };
    replace(&real, bytes, mode).map_err(failed)?;
    Ok(true)
}

/// Writes files that must not be there yet below a folder: all of them, or on an error none.
///
/// # Errors
/// One of them is there already, or cannot be written.
pub fn write_new_files(folder: &Utf8Path, files: &[(&str, &str)]) -> Result<(), Error> {
    let there: Vec<&str> =
        files.iter().map(|(path, _)| *path).filter(|path| place::exists(&folder.join(path))).collect();
    if !there.is_empty() {
        return Err(Error::new(format!("`{folder}` holds already: {}", there.join(", ")))
            .help("nothing is overwritten: choose another folder"));
    }
    let steps = Steps::default();
    let mut written: Vec<Utf8PathBuf> = Vec::new();
    for (path, text) in files {
        let path = folder.join(path);
        let parent = path.parent().map_or(Ok(()), |parent| steps.create_folders(parent));
        if let Err(e) = parent.and_then(|()| steps.write(&path, text.as_bytes(), None)) {
            for path in &written {
                _ = steps.remove(path);
            }
            return Err(match place::is_of_the_place(&e) {
                true => {
                    place::cannot("write", path.as_str(), &e).help("choose another folder, or change its permissions")
                }
                false => place::failed("write", path.as_str(), &e),
            });
        }
        written.push(path);
    }
    Ok(())
}

fn replace(path: &Utf8Path, bytes: &[u8], mode: Option<fs::Permissions>) -> io::Result<()> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(ErrorKind::IsADirectory.into());
    };
    let steps = Steps::default();
    steps.create_folders(parent)?;
    let sibling = |ending: &str| -> Utf8PathBuf { parent.join(format!(".{}.promptc-{ending}", place::stem(name))) };
    // Under the lock the name of the new file is free, but for what a killed run left there.
    let _lock = Lock::take(&sibling("lock"), &mut || {})?;
    let new = sibling("new");
    steps.remove(&new)?;
    let written = steps.write(&new, bytes, mode).and_then(|()| steps.rename(&new, path));
    if written.is_err() {
        _ = steps.remove(&new);
    }
    sync_folder(parent);
    written
}

fn is_folder(path: &Utf8Path) -> Error {
    Error::new(format!("`{path}` is a folder where a file must be")).help("choose another name")
}

fn is_dangling(path: &Utf8Path) -> Error {
    Error::new(format!("`{path}` is a link to nothing")).help("remove the link")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "looks at what was written")]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_is_written_once_and_leaves_nothing_beside() {
        let (_keep, path) = folder();
        let file = path.join("a/b.txt");
        assert_eq!(write_file_atomically(&file, b"one"), Ok(true));
        assert_eq!(write_file_atomically(&file, b"one"), Ok(false));
        fs::write(path.join("a/.b.txt.promptc-new"), "left by a killed run").unwrap();
        assert_eq!(write_file_atomically(&file, b"two"), Ok(true));
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.join("a")).unwrap().count(), 1);
        assert!(write_file_atomically(&path, b"x").unwrap_err().message.ends_with("is a folder where a file must be"));
        assert!(write_file_atomically(&file.join("x"), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn modes_and_links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (_keep, path) = folder();
        let file = path.join("run.sh");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
        symlink("run.sh", path.join("link")).unwrap();
        write_file_atomically(&path.join("link"), b"new").unwrap();
        assert!(fs::symlink_metadata(path.join("link")).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o751);
        symlink("nothing", path.join("dangling")).unwrap();
        assert!(write_file_atomically(&path.join("dangling"), b"x").unwrap_err().message.contains("a link to nothing"));
        symlink("/dev/null", path.join("null")).unwrap();
        assert_eq!(write_file_atomically(&path.join("null"), b"x"), Ok(true));
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
