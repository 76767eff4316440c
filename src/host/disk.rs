//! A project on a file system.
//!
//! Owns reading and listing below a root that nothing may lead out of, and finding that root. Main type: [`Disk`].

#![expect(clippy::disallowed_methods, reason = "the one place that reads a file system for the core")]

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::seen::{Notes, Seen};
use super::{Error, Host, ReadError};
use crate::limits::{Limit, Limits};

/// A project's folder.
#[derive(Debug)]
pub struct Disk {
    root: Utf8PathBuf,
    /// The root without links, which every file that is read must lie below.
    real_root: PathBuf,
    limits: Limits,
    /// Folders of which it is known where they really are, by their paths from the root.
    folders: Mutex<BTreeMap<Utf8PathBuf, PathBuf>>,
    notes: Notes,
}

impl Disk {
    /// The project in a folder.
    ///
    /// # Errors
    /// The folder is not there, or is no folder.
    pub fn at(root: &Utf8Path) -> Result<Disk, Error> {
        let real_root = fs::canonicalize(root).map_err(|e| no_root(root, &reason(&e)))?;
        if !real_root.is_dir() {
            return Err(no_root(root, "it is not a folder"));
        }
        let (root, folders) = (root.to_owned(), Mutex::default());
        Ok(Disk { root, real_root, limits: Limits::default(), folders, notes: Notes::default() })
    }

    /// The project in the nearest folder, `start` or above, that has a `promptc.toml`, or both `prompts/` and
    /// `profiles/`.
    ///
    /// # Errors
    /// There is none.
    pub fn find(start: &Utf8Path) -> Result<Disk, Error> {
        let absolute = camino::absolute_utf8(start).map_err(|e| no_root(start, &reason(&e)))?;
        let is_root = |folder: &&Utf8Path| {
            folder.join("promptc.toml").is_file()
                || (folder.join("prompts").is_dir() && folder.join("profiles").is_dir())
        };
        match absolute.ancestors().find(is_root) {
            Some(root) => Disk::at(root),
            None => Err(no_project(&absolute)),
        }
    }

    /// The same project, held to other limits.
    pub fn with_limits(self, limits: Limits) -> Disk {
        Disk { limits, ..self }
    }

    /// The same project, to be read more than once: what is looked at is noted.
    pub fn watched(self) -> Disk {
        Disk { notes: Notes::new(), ..self }
    }

    /// What was looked at so far; nothing when it is not noted.
    pub fn seen(&self) -> Seen {
        self.notes.seen()
    }

    /// The root, as it was given or found.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Where a file of the project really is, to be written anew.
    ///
    /// # Errors
    /// It is not there, or a link on the way leads out of the root.
    pub fn place(&self, path: &str) -> Result<Utf8PathBuf, ReadError> {
        let real = self.contained(path)?;
        Utf8PathBuf::from_path_buf(real).map_err(|path| ReadError::Failed(format!("{} is not UTF-8", path.display())))
    }

    /// The path of a file without links, when it is below the root.
    fn contained(&self, path: &str) -> Result<PathBuf, ReadError> {
        let inside = |c: Utf8Component<'_>| matches!(c, Utf8Component::Normal(_) | Utf8Component::CurDir);
        if !Utf8Path::new(path).components().all(inside) {
            return Err(ReadError::OutsideRoot);
        }
        let real = fs::canonicalize(self.root.join(path)).map_err(|e| unreadable(&e))?;
        if real.starts_with(&self.real_root) { Ok(real) } else { Err(ReadError::OutsideRoot) }
    }

    /// [`Disk::contained`], for many files of one folder: what is no link is where its folder is.
    fn contained_file(&self, path: &str) -> Result<PathBuf, ReadError> {
        let (Some(folder), Some(name)) = (Utf8Path::new(path).parent(), Utf8Path::new(path).file_name()) else {
            return self.contained(path);
        };
        let folders = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let known = folders().get(folder).cloned();
        let folder = match known {
            Some(real) => real,
            None => {
                let real = self.contained(folder.as_str())?;
                folders().insert(folder.to_owned(), real.clone());
                real
            }
        };
        let file = folder.join(name);
        match fs::symlink_metadata(&file) {
            Ok(found) if !found.is_symlink() => Ok(file),
            _ => self.contained(path),
        }
    }
}

impl Host for Disk {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let real = self.contained_file(path);
        self.notes.add(|seen| match &real {
            Ok(real) if *real == self.real_root.join(path) => seen.real_file(real),
            _ => seen.file(self.root.join(path).as_std_path()),
        });
        read_file(&real?, limit)
    }

    fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>, Error> {
        self.notes.add(|seen| seen.file(self.root.join(folder).as_std_path()));
        let real = match self.contained(folder) {
            Ok(real) => real,
            Err(ReadError::Missing) => return Ok(Vec::new()),
            Err(ReadError::OutsideRoot) => return Err(folder_outside(folder)),
            Err(ReadError::Failed(reason)) => return Err(unlistable(folder, &reason)),
            Err(ReadError::NotAFile | ReadError::TooLarge { .. }) => {
                return Err(unlistable(folder, "it is not a folder"));
            }
        };
        if !real.is_dir() {
            return Err(unlistable(folder, "it is not a folder"));
        }
        let mut walk = Walk { disk: self, top: folder, limit, seen: 0, files: Vec::new() };
        walk.folder(folder.trim_end_matches('/'), &mut vec![real])?;
        walk.files.sort_unstable();
        Ok(walk.files)
    }

    fn read_named(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let path = Path::new(path);
        self.notes.add(|seen| seen.file(path));
        match read_file(path, limit) {
            // Whoever names a pipe waits for it: `--context <(command)`, `--custom /dev/stdin`. It is read once.
            Err(ReadError::NotAFile) if !path.is_dir() && !self.notes.are_taken() => {
                read_at_most(File::open(path).map_err(|e| unreadable(&e))?, 0, limit)
            }
            read => read,
        }
    }
}

/// One listing.
struct Walk<'a> {
    disk: &'a Disk,
    top: &'a str,
    limit: usize,
    /// Files and folders so far. Folders count, since folder links can make very many paths of few files.
    seen: usize,
    files: Vec<String>,
}

impl Walk<'_> {
    /// Lists a folder. `trail` are the real paths of the folders that led here, this one last.
    fn folder(&mut self, shown: &str, trail: &mut Vec<PathBuf>) -> Result<(), Error> {
        let failed = |e: io::Error| unlistable(shown, &reason(&e));
        let Some(real) = trail.last().cloned() else { return Ok(()) };
        self.disk.notes.add(|seen| seen.folder(&real));
        // Collected before descending, so that a deep tree does not hold many folders open.
        let entries: Vec<fs::DirEntry> = fs::read_dir(&real).and_then(Iterator::collect).map_err(failed)?;
        for entry in entries {
            self.seen += 1;
            if self.seen > self.limit {
                return Err(too_many_files(self.top, self.limit));
            }
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                return Err(name_not_utf8(shown, &name.to_string_lossy()));
            };
            let path = if shown.is_empty() { name.to_owned() } else { format!("{shown}/{name}") };
            let kind = entry.file_type().map_err(failed)?;
            let below = if kind.is_dir() {
                Some(real.join(name))
            } else if kind.is_symlink() {
                match link_target(&entry.path()) {
                    Target::Folder(target) if self.descends(&target, trail) => Some(target),
                    Target::Folder(_) => continue,
                    Target::File => None,
                }
            } else {
                None
            };
            match below {
                Some(below) => {
                    trail.push(below);
                    self.folder(&path, trail)?;
                    trail.pop();
                }
                None => self.files.push(path),
            }
        }
        Ok(())
    }

    /// Whether a folder link is followed: not out of the root, and not to a folder that holds one of the trail.
    fn descends(&self, target: &Path, trail: &[PathBuf]) -> bool {
        target.starts_with(&self.disk.real_root) && !trail.iter().any(|folder| folder.starts_with(target))
    }
}

/// What a link leads to.
enum Target {
    /// A folder, by its real path.
    Folder(PathBuf),
    /// A file, or nothing, or something that cannot be looked at: reading it will say what is wrong.
    File,
}

fn link_target(link: &Path) -> Target {
    match fs::canonicalize(link) {
        Ok(target) if target.is_dir() => Target::Folder(target),
        _ => Target::File,
    }
}

fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    check(&fs::metadata(path).map_err(|e| unreadable(&e))?, limit)?;
    let file = open(path).map_err(|e| unreadable(&e))?;
    // Again, for the file that was opened: between the two another one may have taken its place.
    let found = file.metadata().map_err(|e| unreadable(&e))?;
    check(&found, limit)?;
    read_at_most(file, found.len() as usize, limit)
}

/// Reads a file of which it is known how long it should be.
fn read_at_most(file: File, length: usize, limit: u64) -> Result<Vec<u8>, ReadError> {
    // One byte more, in which nothing is found.
    let mut bytes = Vec::with_capacity(length + 1);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
    let size = bytes.len() as u64;
    if size > limit { Err(ReadError::TooLarge { bytes: size }) } else { Ok(bytes) }
}

fn check(metadata: &Metadata, limit: u64) -> Result<(), ReadError> {
    if !metadata.is_file() {
        return Err(ReadError::NotAFile);
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { bytes: metadata.len() });
    }
    Ok(())
}

/// Opens a file without ever waiting for the other end of a pipe.
fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
    }
    #[cfg(not(unix))]
    {
        File::open(path)
    }
}

fn unreadable(error: &io::Error) -> ReadError {
    match error.kind() {
        // A path that goes on below a file names nothing either.
        ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::Missing,
        ErrorKind::IsADirectory => ReadError::NotAFile,
        _ => ReadError::Failed(reason(error)),
    }
}

/// The path of a folder from another one above it, links followed in both.
pub(super) fn below(folder: &Utf8Path, above: &Utf8Path) -> Option<Utf8PathBuf> {
    let folder = fs::canonicalize(folder).ok()?;
    let below = folder.strip_prefix(fs::canonicalize(above).ok()?).ok()?;
    Utf8Path::from_path(below).map(Utf8Path::to_owned)
}

/// The system's reason as a phrase of ours: lower case, without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "unknown cause".to_owned(),
    }
}

fn no_root(root: &Utf8Path, reason: &str) -> Error {
    Error::new(format!("cannot read the project's root `{root}`: {reason}"))
}

fn no_project(start: &Utf8Path) -> Error {
    Error::new(format!(
        "no project in `{start}` or any folder above it: neither a `promptc.toml` nor `prompts/` with `profiles/`"
    ))
    .help("go to the project's folder")
    .help("run `promptc init` to make a project here, or `promptc import FILE` to make one from a prompt that you have")
}

pub(super) fn unlistable(folder: &str, reason: &str) -> Error {
    Error::new(format!("cannot list `{folder}`: {reason}"))
}

pub(super) fn folder_outside(folder: &str) -> Error {
    Error::new(format!("`{folder}` is a link that leads out of the project"))
        .help("put the files into the project: what lies outside is not the same on every machine")
}

pub(super) fn too_many_files(folder: &str, limit: usize) -> Error {
    Error::new(format!("`{folder}` holds more than {limit} files"))
        .help("move what is not part of a prompt elsewhere")
        .help(Limit { value: limit, ..Limits::default().files }.way_out())
}

pub(super) fn name_not_utf8(folder: &str, name: &str) -> Error {
    Error::new(format!("a name in `{folder}` is not UTF-8: `{name}`")).help("rename the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Project {
        folder: tempfile::TempDir,
    }

    impl Project {
        fn new(files: &[(&str, &str)]) -> Project {
            let project = Project { folder: tempfile::tempdir().unwrap() };
            for (path, text) in files {
                let path = project.path(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            project
        }

        fn path(&self, path: &str) -> Utf8PathBuf {
            Utf8Path::from_path(self.folder.path()).unwrap().join(path)
        }

        fn disk(&self, root: &str) -> Disk {
            Disk::at(&self.path(root)).unwrap()
        }
    }

    #[cfg(unix)]
    fn link(target: impl AsRef<Path>, at: impl AsRef<Path>) {
        std::os::unix::fs::symlink(target, at).unwrap();
    }

    #[test]
    fn files_are_read_up_to_the_limit() {
        let project = Project::new(&[("prompts/a.md", "12345"), ("out.md", "x")]);
        let disk = project.disk("");
        assert_eq!(disk.read("prompts/a.md", 5), Ok(b"12345".to_vec()));
        assert_eq!(disk.read("prompts/a.md", 4), Err(ReadError::TooLarge { bytes: 5 }));
        assert_eq!(disk.read("prompts/b.md", 9), Err(ReadError::Missing));
        assert_eq!(disk.read("prompts/a.md/b", 9), Err(ReadError::Missing));
        assert_eq!(disk.read("prompts", 9), Err(ReadError::NotAFile));
        let inner = project.disk("prompts");
        assert_eq!(inner.read("../out.md", 9), Err(ReadError::OutsideRoot));
        assert_eq!(inner.read(project.path("out.md").as_str(), 9), Err(ReadError::OutsideRoot));
        assert_eq!(inner.read_named(project.path("out.md").as_str(), 9), Ok(b"x".to_vec()));
    }

    #[test]
    fn listings_are_sorted_by_bytes_and_limited() {
        let project = Project::new(&[("p/b.md", ""), ("p/a/z.md", ""), ("p/a.md", ""), ("p/B.md", ""), ("q/x", "")]);
        let disk = project.disk("");
        assert_eq!(disk.list("p", 9).unwrap(), ["p/B.md", "p/a.md", "p/a/z.md", "p/b.md"]);
        assert_eq!(disk.list("nowhere", 9).unwrap(), Vec::<String>::new());
        assert_eq!(disk.list("p", 3).unwrap_err().message, "`p` holds more than 3 files");
        assert_eq!(disk.list("q/x", 3).unwrap_err().message, "cannot list `q/x`: it is not a folder");
        assert_eq!(disk.list("", 9).unwrap().len(), 5);
    }

    #[test]
    fn the_root_is_the_nearest_one() {
        let project =
            Project::new(&[("promptc.toml", ""), ("a/prompts/x", ""), ("a/profiles/x", ""), ("b/prompts/x", "")]);
        let root = |start: &str| Disk::find(&project.path(start)).unwrap().root().to_owned();
        assert_eq!(root("a/prompts"), project.path("a"));
        assert_eq!(root("b/prompts"), project.path("").components().as_path());
        let nowhere = Project::new(&[("prompts/x", "")]);
        let error = Disk::find(&nowhere.path("prompts")).unwrap_err();
        assert!(error.message.contains("neither a `promptc.toml` nor `prompts/` with `profiles/`"), "{error}");
        assert!(error.help.iter().any(|h| h.contains("promptc init")));
        assert!(Disk::at(&nowhere.path("prompts/x")).unwrap_err().message.ends_with("it is not a folder"));
        assert!(Disk::at(&nowhere.path("none")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_may_not_lead_out() {
        let project =
            Project::new(&[("out/secret.md", "s"), ("out/sub/x.md", "s"), ("root/p/a.md", "a"), ("root/q/b.md", "b")]);
        let at = |path: &str| project.path(&format!("root/p/{path}"));
        link("../../out/secret.md", at("file.md"));
        link("../../out", at("folder"));
        link("../q", at("inside"));
        link("a.md", at("same.md"));
        link("nothing", at("dangling.md"));
        link("loop.md", at("loop.md"));
        link("..", at("up"));
        link(".", at("self"));
        let disk = project.disk("root");
        assert_eq!(disk.read("p/file.md", 9), Err(ReadError::OutsideRoot));
        assert_eq!(disk.read("p/folder/secret.md", 9), Err(ReadError::OutsideRoot));
        assert_eq!(disk.read("p/inside/b.md", 9), Ok(b"b".to_vec()));
        assert_eq!(disk.read("p/same.md", 9), Ok(b"a".to_vec()));
        assert_eq!(disk.read("p/dangling.md", 9), Err(ReadError::Missing));
        assert!(matches!(disk.read("p/loop.md", 9), Err(ReadError::Failed(_))));
        let want = ["p/a.md", "p/dangling.md", "p/file.md", "p/inside/b.md", "p/loop.md", "p/same.md"];
        assert_eq!(disk.list("p", 99).unwrap(), want);
        let error = disk.list("p/folder", 99).unwrap_err();
        assert_eq!(error.message, "`p/folder` is a link that leads out of the project");
    }

    #[cfg(unix)]
    #[test]
    fn a_root_that_is_a_link_is_a_root() {
        let project = Project::new(&[("real/p/a.md", "a")]);
        link("real", project.path("link"));
        assert_eq!(project.disk("link").read("p/a.md", 9), Ok(b"a".to_vec()));
        assert_eq!(project.disk("link").list("p", 9).unwrap(), ["p/a.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_between_folders_end() {
        let project = Project::new(&[]);
        for a in 0..12 {
            fs::create_dir_all(project.path(&format!("p/{a}"))).unwrap();
            for b in 0..12 {
                link(format!("../{b}"), project.path(&format!("p/{a}/{b}")));
            }
        }
        assert_eq!(project.disk("").list("p", 5000).unwrap_err().message, "`p` holds more than 5000 files");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let project = Project::new(&[("p/a.md", "a")]);
        let pipe = project.path("p/pipe.md");
        rustix::fs::mknodat(rustix::fs::CWD, pipe.as_std_path(), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(project.path("p/socket.md")).unwrap();
        let disk = project.disk("");
        assert_eq!(disk.read("p/pipe.md", 9), Err(ReadError::NotAFile));
        assert_eq!(disk.read("p/socket.md", 9), Err(ReadError::NotAFile));
        // Somebody named it, so it is read like the pipe of `--context <(command)`.
        assert_eq!(disk.read_named("/dev/null", 9), Ok(Vec::new()));
        assert_eq!(disk.list("p", 9).unwrap(), ["p/a.md", "p/pipe.md", "p/socket.md"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_grows_while_it_is_read_stays_limited() {
        // Files below /proc have no size until they are read.
        let disk = Disk::at(Utf8Path::new("/proc")).unwrap();
        assert_eq!(disk.read("cpuinfo", 3), Err(ReadError::TooLarge { bytes: 4 }));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf_8_are_named() {
        use std::os::unix::ffi::OsStrExt;
        let project = Project::new(&[("p/a/x.md", ""), ("q/x.md", "")]);
        fs::write(project.path("p/a").as_std_path().join(std::ffi::OsStr::from_bytes(b"b\xff.md")), "").unwrap();
        let error = project.disk("").list("p", 9).unwrap_err();
        assert_eq!(error.message, "a name in `p/a` is not UTF-8: `b\u{fffd}.md`");
        assert_eq!(project.disk("").list("q", 9).unwrap(), ["q/x.md"]);
    }
}
