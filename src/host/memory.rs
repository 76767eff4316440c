//! A project in memory: for tests and examples.

use std::collections::BTreeMap;

use super::{Error, Host, ReadError};

/// Files by path. The order in which they were added leaves no trace.
///
/// ```
/// use promptc::host::{Host, memory::Memory};
///
/// let host = Memory::from_iter([("prompts/b.md", "two"), ("prompts/a.md", "one")]);
/// assert_eq!(host.list("prompts", 10).unwrap(), ["prompts/a.md", "prompts/b.md"]);
/// assert_eq!(host.read("prompts/b.md", 10).unwrap(), b"two");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// Adds a file or replaces it. A file outside the project, for [`Host::read_named`], has any path that is not in it:
    /// `/home/x.md`, `../x.md`.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Takes a file away.
    pub fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    fn below(&self, folder: &str) -> impl Iterator<Item = &String> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{}/", folder.trim_end_matches('/')) };
        self.files.keys().filter(move |path| path.starts_with(&prefix) && is_inside(path))
    }
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for Memory {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Memory {
        Memory { files: files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect() }
    }
}

impl Host for Memory {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        if is_inside(path) { self.read_named(path, limit) } else { Err(ReadError::OutsideRoot) }
    }

    fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>, Error> {
        let files: Vec<String> = self.below(folder).take(limit.saturating_add(1)).cloned().collect();
        if files.len() > limit {
            return Err(Error::new(format!("`{folder}` holds more than {limit} files")));
        }
        Ok(files)
    }

    fn read_named(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.files.get(path) {
            Some(bytes) if bytes.len() as u64 > limit => Err(ReadError::TooLarge { bytes: bytes.len() as u64 }),
            Some(bytes) => Ok(bytes.clone()),
            None if self.below(path).next().is_some() => Err(ReadError::NotAFile),
            None => Err(ReadError::Missing),
        }
    }
}

fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && path.split('/').all(|part| part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_insertion_leaves_no_trace() {
        let files = [("p/b.md", "b"), ("p/a/c.md", "c"), ("p.md", "x"), ("p/B.md", "B")];
        let host = Memory::from_iter(files);
        assert_eq!(host, Memory::from_iter(files.into_iter().rev()));
        assert_eq!(host.list("p", 9).unwrap(), ["p/B.md", "p/a/c.md", "p/b.md"]);
        assert_eq!(host.list("none", 9).unwrap(), Vec::<String>::new());
        assert_eq!(host.list("p", 2).unwrap_err().message, "`p` holds more than 2 files");
    }

    #[test]
    fn files_are_read_as_from_a_disk() {
        let mut host = Memory::from_iter([("p/a.md", "abc")]);
        host.insert("../out.md", "o");
        assert_eq!(host.read("p/a.md", 3), Ok(b"abc".to_vec()));
        assert_eq!(host.read("p/a.md", 2), Err(ReadError::TooLarge { bytes: 3 }));
        assert_eq!(host.read("p", 9), Err(ReadError::NotAFile));
        assert_eq!(host.read("q", 9), Err(ReadError::Missing));
        assert_eq!(host.read("../out.md", 9), Err(ReadError::OutsideRoot));
        assert_eq!(host.read_named("../out.md", 9), Ok(b"o".to_vec()));
        assert_eq!(host.list("", 9).unwrap(), ["p/a.md"]);
    }
}
