//! Paths in the tree of a commit: folders, files, and links, which never lead out of the project.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::objects::{NoObject, Objects};
use crate::host::{Error, ReadError, disk};

/// Most bytes of one tree, which is one folder without what is below it.
const MAX_TREE: u64 = 64 << 20;

/// Longest path, as most systems have it: nested folders could otherwise make names of any size.
const MAX_PATH: usize = 4096;

/// Most links on the way to one file.
const MAX_LINKS: usize = 40;

/// Begins the pointer to a file that Git LFS keeps elsewhere; a pointer is short.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";
const MAX_POINTER: usize = 1024;

/// The project's folder in a commit.
pub(super) struct Tree {
    objects: Objects,
    /// The commit, for messages.
    commit: String,
    /// The folder's tree; `None` when the commit has no such folder.
    root: Option<String>,
    /// Digits of an object's id.
    digits: usize,
    trees: RefCell<BTreeMap<String, Rc<Vec<Entry>>>>,
}

struct Entry {
    name: Vec<u8>,
    kind: Kind,
    id: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Link,
    Folder,
    Submodule,
}

/// What a path leads to, links followed.
pub(super) enum Found {
    /// A file, by its id.
    File(String),
    /// A folder.
    Folder(Trail),
    /// The root of another repository.
    Submodule,
}

/// A folder's real path: names and trees from the root down. Empty for the root itself.
type Trail = Vec<(String, String)>;

impl Tree {
    /// The tree of a folder in a commit; the folder is empty or ends in `/`.
    pub(super) fn open(objects: Objects, commit: &str, folder: &str) -> Result<Tree, Error> {
        let mut tree = Tree {
            objects,
            commit: commit.to_owned(),
            root: None,
            digits: commit.len(),
            trees: RefCell::new(BTreeMap::new()),
        };
        let top = tree.objects.get(&format!("{commit}^{{tree}}"), MAX_TREE).map_err(|e| tree.unreadable("", e))?;
        let mut id = top.id;
        for part in folder.split('/').filter(|part| !part.is_empty()) {
            let entries = tree.entries(&id).map_err(|e| tree.unreadable(folder, e))?;
            match entries.iter().find(|e| e.name == part.as_bytes() && e.kind == Kind::Folder) {
                Some(entry) => id.clone_from(&entry.id),
                None => return Ok(tree),
            }
        }
        tree.root = Some(id);
        Ok(tree)
    }

    /// What a path from the root leads to.
    pub(super) fn find(&self, path: &str) -> Result<Found, ReadError> {
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(ReadError::OutsideRoot);
        }
        self.walk(Vec::new(), path)
    }

    /// Follows a path from a folder.
    fn walk(&self, mut at: Trail, path: &str) -> Result<Found, ReadError> {
        let Some(root) = &self.root else { return Err(ReadError::Missing) };
        let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
        let mut left: VecDeque<String> = parts(path).into();
        let mut links = 0;
        while let Some(part) = left.pop_front() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    at.pop().ok_or(ReadError::OutsideRoot)?;
                    continue;
                }
                _ => {}
            }
            let folder = at.last().map_or(root, |(_, id)| id);
            let entries = self.entries(folder).map_err(|e| unread(&e))?;
            let entry = entries.iter().find(|e| e.name == part.as_bytes()).ok_or(ReadError::Missing)?;
            let is_last = left.iter().all(|part| part.is_empty() || part == ".");
            match entry.kind {
                Kind::Folder => at.push((part, entry.id.clone())),
                Kind::File if is_last => return Ok(Found::File(entry.id.clone())),
                Kind::File => return Err(ReadError::Missing),
                Kind::Submodule => return Ok(Found::Submodule),
                Kind::Link => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(ReadError::Failed("too many links one behind the other".into()));
                    }
                    let target = self.objects.get(&entry.id, MAX_PATH as u64).map_err(|e| unread(&e))?.bytes;
                    let target = String::from_utf8(target).map_err(|_| ReadError::Missing)?;
                    // A revision lies in no folder, so an absolute path is not inside it.
                    if target.starts_with('/') {
                        return Err(ReadError::OutsideRoot);
                    }
                    parts(&target).into_iter().rev().for_each(|part| left.push_front(part));
                }
            }
        }
        Ok(Found::Folder(at))
    }

    /// The bytes of a file.
    pub(super) fn file(&self, id: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.objects.get(id, limit).map_err(|e| unread(&e))?.bytes;
        if bytes.starts_with(LFS) && bytes.len() < MAX_POINTER {
            return Err(ReadError::Failed("its text is in Git LFS, and not in the repository".into()));
        }
        Ok(bytes)
    }

    /// The paths of all files below a folder, sorted by bytes.
    pub(super) fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>, Error> {
        let folder = folder.trim_end_matches('/');
        let at = match self.find(folder) {
            Ok(Found::Folder(at)) => at,
            Ok(Found::Submodule) => return Err(self.submodule(folder)),
            Err(ReadError::Missing) => return Ok(Vec::new()),
            Err(ReadError::OutsideRoot) => return Err(disk::folder_outside(folder)),
            Err(ReadError::Failed(why)) => return Err(disk::unlistable(folder, &why)),
            Ok(Found::File(_)) | Err(ReadError::NotAFile | ReadError::TooLarge { .. }) => {
                return Err(disk::unlistable(folder, "it is not a folder"));
            }
        };
        let mut walk = Walk { tree: self, top: folder, limit, seen: 0, files: Vec::new() };
        walk.folder(folder, &mut vec![at])?;
        walk.files.sort_unstable();
        Ok(walk.files)
    }

    fn entries(&self, id: &str) -> Result<Rc<Vec<Entry>>, NoObject> {
        if let Some(entries) = self.trees.borrow().get(id) {
            return Ok(entries.clone());
        }
        let object = self.objects.get(id, MAX_TREE)?;
        let entries = (object.kind == "tree").then(|| parse(&object.bytes, self.digits)).flatten();
        let entries = Rc::new(entries.ok_or_else(|| NoObject::Failed(malformed(id)))?);
        self.trees.borrow_mut().insert(id.to_owned(), entries.clone());
        Ok(entries)
    }

    fn unreadable(&self, folder: &str, problem: NoObject) -> Error {
        let commit = self.commit.get(..12).unwrap_or(&self.commit);
        match problem {
            NoObject::Failed(error) => error,
            NoObject::TooLarge(bytes) => Error::new(format!("the tree of `{folder}` in {commit} has {bytes} bytes")),
            NoObject::Missing => Error::new(format!("this clone does not have the files of {commit}"))
                .help("it is a partial clone: get them with `git fetch --refetch --no-filter`"),
        }
    }

    fn submodule(&self, path: &str) -> Error {
        let commit = self.commit.get(..12).unwrap_or(&self.commit);
        Error::new(format!("`{path}` is a submodule in {commit}: its files are in another repository"))
            .help("keep what a project is built from in one repository")
    }
}

/// One listing; as that of a disk.
struct Walk<'a> {
    tree: &'a Tree,
    top: &'a str,
    limit: usize,
    /// Files and folders so far.
    seen: usize,
    files: Vec<String>,
}

impl Walk<'_> {
    /// Lists a folder. `trail` are the real paths of the folders that led here, this one last.
    fn folder(&mut self, shown: &str, trail: &mut Vec<Trail>) -> Result<(), Error> {
        let Some((here, root)) = trail.last().cloned().zip(self.tree.root.as_ref()) else { return Ok(()) };
        let id = here.last().map_or(root, |(_, id)| id);
        let entries = self.tree.entries(id).map_err(|e| self.tree.unreadable(shown, e))?;
        for entry in entries.iter() {
            self.seen += 1;
            if self.seen > self.limit {
                return Err(disk::too_many_files(self.top, self.limit));
            }
            let Ok(name) = std::str::from_utf8(&entry.name) else {
                return Err(disk::name_not_utf8(shown, &String::from_utf8_lossy(&entry.name)));
            };
            let path = if shown.is_empty() { name.to_owned() } else { format!("{shown}/{name}") };
            if path.len() > MAX_PATH {
                return Err(Error::new(format!("a path in `{}` has more than {MAX_PATH} bytes", self.top)));
            }
            let below = match entry.kind {
                Kind::File => None,
                Kind::Submodule => return Err(self.tree.submodule(&path)),
                Kind::Folder => {
                    let mut below = here.clone();
                    below.push((name.to_owned(), entry.id.clone()));
                    Some(below)
                }
                Kind::Link => match self.tree.walk(here.clone(), name) {
                    Ok(Found::Folder(target)) if descends(&target, trail) => Some(target),
                    Ok(Found::Folder(_)) => continue,
                    // Reading it will say what is wrong.
                    Ok(Found::File(_) | Found::Submodule) | Err(_) => None,
                },
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
}

/// Whether a folder link is followed: not to a folder that holds one of the trail.
fn descends(target: &Trail, trail: &[Trail]) -> bool {
    let name = |(name, _): &(String, String)| name.clone();
    let target: Vec<String> = target.iter().map(name).collect();
    !trail.iter().any(|folder| folder.iter().map(name).collect::<Vec<_>>().starts_with(&target))
}

/// The entries of a tree object: `MODE NAME\0ID` each, the id in bytes.
fn parse(mut bytes: &[u8], digits: usize) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let blank = bytes.iter().position(|b| *b == b' ')?;
        let end = bytes.iter().position(|b| *b == 0).filter(|end| *end > blank)?;
        let (mode, name) = (&bytes[..blank], &bytes[blank + 1..end]);
        let id = bytes.get(end + 1..end + 1 + digits / 2)?;
        let kind = match mode {
            b"40000" | b"040000" => Kind::Folder,
            b"120000" => Kind::Link,
            b"160000" => Kind::Submodule,
            _ => Kind::File,
        };
        // Git itself makes no such names.
        if name.is_empty() || name == b"." || name == b".." || name.contains(&b'/') {
            return None;
        }
        let id = id.iter().map(|byte| format!("{byte:02x}")).collect();
        entries.push(Entry { name: name.to_owned(), kind, id });
        bytes = &bytes[end + 1 + digits / 2..];
    }
    Some(entries)
}

fn unread(problem: &NoObject) -> ReadError {
    match problem {
        NoObject::Missing => ReadError::Failed("this clone does not have it".into()),
        NoObject::TooLarge(bytes) => ReadError::TooLarge { bytes: *bytes },
        NoObject::Failed(error) => ReadError::Failed(error.message.clone()),
    }
}

fn malformed(id: &str) -> Error {
    Error::new(format!("the tree {id} is malformed")).help("see what is wrong with the repository: `git fsck`")
}
