//! A project as it was at a git revision, read from the object store: nothing is checked out, and no program of the
//! repository (hook, filter, textconv, remote helper) is run.
//!
//! Owns finding the repository of a folder, naming commits, and reading trees and files by `git cat-file --batch`. Does
//! not know what a project is. Main types: [`Repository`], [`Revision`], [`Git`].

#![expect(clippy::disallowed_methods, reason = "the one place that runs git")]

mod command;
mod objects;
mod tree;

use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Error, Host, ReadError, disk};
use crate::limits::Limits;
use command::{Output, Place};
use objects::Objects;
use tree::{Found, Tree};

/// The repository that a project lies in.
#[derive(Clone, Debug)]
pub struct Repository {
    place: Place,
    /// The project's root from the top of the repository; empty, or with a `/` at its end.
    prefix: String,
}

/// A commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// Its id, in hexadecimal digits.
    pub id: String,
    /// How it was named, or found.
    pub name: String,
}

/// A project at a revision.
pub struct Git {
    tree: Tree,
    limits: Limits,
}

/// Where a branch is looked for when none is named: what the remote calls its default, then the usual names.
const DEFAULT_BRANCHES: [&str; 4] =
    ["refs/heads/main", "refs/remotes/origin/main", "refs/heads/master", "refs/remotes/origin/master"];

impl Repository {
    /// The project's root from the top of the repository; empty, or with a `/` at its end.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The repository of a project's root.
    ///
    /// # Errors
    /// There is none, or git is not there.
    pub fn of(root: &Utf8Path) -> Result<Repository, Error> {
        let found = Repository::discover(root);
        if std::env::var_os("GIT_DIR").is_none() {
            return found;
        }
        // Hooks run with `GIT_DIR` set: the working tree is then the working folder, whatever folder that is. What is
        // found without it is better when it is the same repository.
        match (found, Repository::given(root)) {
            (Ok(found), Ok(given)) if found.place.common()? == given.place.common()? => Ok(found),
            (_, Ok(given)) => Ok(given),
            (found, Err(_)) => found,
        }
    }

    fn discover(root: &Utf8Path) -> Result<Repository, Error> {
        let asked = ["rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--show-prefix"];
        let output = command::run(&Place::Folder(root.to_owned()), &asked)?;
        match output.lines().as_slice() {
            ["true", git_dir, prefix] => {
                Ok(Repository { place: Place::Repository((*git_dir).into()), prefix: (*prefix).to_owned() })
            }
            _ => Err(no_repository(root, &output)),
        }
    }

    /// The repository that the environment names.
    fn given(root: &Utf8Path) -> Result<Repository, Error> {
        let output = command::run(&Place::Environment, &["rev-parse", "--absolute-git-dir"])?;
        let [git_dir] = output.lines()[..] else { return Err(no_repository(root, &output)) };
        let top = command::run(&Place::Environment, &["rev-parse", "--show-toplevel"])?;
        // A bare one has no working tree: the working folder stands for its top.
        let top = top.lines().first().map_or_else(|| ".".into(), Utf8PathBuf::from);
        let below = disk::below(root, &top);
        let prefix = below.filter(|p| !p.as_str().is_empty()).map_or_else(String::new, |p| format!("{p}/"));
        Ok(Repository { place: Place::Repository(git_dir.into()), prefix })
    }

    /// A repository without a working tree, in a folder: the project is at its top.
    ///
    /// # Errors
    /// There is none.
    pub fn bare(folder: &Utf8Path) -> Result<Repository, Error> {
        let place = Place::Repository(folder.to_owned());
        let output = command::run(&place, &["rev-parse", "--is-bare-repository"])?;
        match output.lines()[..] {
            ["true"] => Ok(Repository { place, prefix: String::new() }),
            _ => Err(no_repository(folder, &output)),
        }
    }

    /// The commit that a person named.
    ///
    /// # Errors
    /// It names no commit, or begins with `-`.
    pub fn revision(&self, name: &str) -> Result<Revision, Error> {
        if name.is_empty() || name.starts_with('-') || name.contains(|c: char| c.is_control()) {
            return Err(Error::new(format!("`{name}` is no revision")));
        }
        if let Some((base, head)) = name.split_once("..").filter(|_| !name.starts_with(':')) {
            return Err(Error::new(format!("`{name}` is a range, and a revision is needed"))
                .help(format!("name both sides: `{base}` and `{}`", head.trim_start_matches('.'))));
        }
        match self.commit(name)? {
            Some(id) => Ok(Revision { id, name: name.to_owned() }),
            None => Err(self.unknown(name)?),
        }
    }

    /// What a change is measured against when nothing is said: where it left the default branch.
    ///
    /// # Errors
    /// There is no commit, no default branch, or no common ancestor.
    pub fn default_base(&self) -> Result<Revision, Error> {
        let Some(head) = self.commit("HEAD")? else {
            return Err(Error::new("the repository has no commit yet").help("commit, or name a revision"));
        };
        let Some((branch, tip)) = self.default_branch()? else {
            return Err(Error::new(
                "the repository has no default branch: neither `origin/HEAD` nor `main` nor `master`",
            )
            .help("name what to compare with: `promptc diff REVISION`"));
        };
        let output = command::run(&self.place, &["merge-base", &head, &tip])?;
        match output.lines().first() {
            Some(id) if output.ok => Ok(Revision { id: (*id).to_owned(), name: format!("merge base with {branch}") }),
            _ => {
                let error = Error::new(format!("HEAD and `{branch}` have no common ancestor in this clone"));
                Err(self.deepen(error.help("name what to compare with: `promptc diff REVISION`"))?)
            }
        }
    }

    /// The default branch as people write it, and its tip.
    fn default_branch(&self) -> Result<Option<(String, String)>, Error> {
        let remote = command::run(&self.place, &["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"])?;
        let remote = remote.lines().first().filter(|_| remote.ok).map(|name| (*name).to_owned());
        for full in remote.iter().map(String::as_str).chain(DEFAULT_BRANCHES) {
            if let Some(tip) = self.commit(full)? {
                let short = full.trim_start_matches("refs/heads/").trim_start_matches("refs/remotes/");
                return Ok(Some((short.to_owned(), tip)));
            }
        }
        Ok(None)
    }

    /// The project at a commit. A commit without it is an empty one.
    ///
    /// # Errors
    /// The commit's trees cannot be read.
    pub fn at(&self, revision: &Revision) -> Result<Git, Error> {
        let objects = Objects::open(self.place.clone());
        Ok(Git { tree: Tree::open(objects, &revision.id, &self.prefix)?, limits: Limits::default() })
    }

    fn commit(&self, name: &str) -> Result<Option<String>, Error> {
        let asked = format!("{name}^{{commit}}");
        let output = command::run(&self.place, &["rev-parse", "--verify", "--quiet", &asked])?;
        Ok(output.lines().first().filter(|_| output.ok).map(|id| (*id).to_owned()))
    }

    fn unknown(&self, name: &str) -> Result<Error, Error> {
        let mut error = Error::new(format!("git knows no commit `{name}`"));
        if self.commit(&format!("refs/remotes/origin/{name}"))?.is_some() {
            error = error.help(format!("did you mean `origin/{name}`?"));
        }
        self.deepen(error)
    }

    /// Adds what to do in a clone whose history is cut off.
    fn deepen(&self, error: Error) -> Result<Error, Error> {
        Ok(match self.is_shallow()? {
            true => error.help("the clone is shallow: get its history with `git fetch --unshallow`"),
            false => error,
        })
    }

    fn is_shallow(&self) -> Result<bool, Error> {
        let output = command::run(&self.place, &["rev-parse", "--is-shallow-repository"])?;
        Ok(output.lines()[..] == ["true"])
    }

    /// Whether a base that nobody named is HEAD itself in a clone without history: then commits that HEAD has besides may
    /// be hidden, and the working tree alone is compared.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub fn may_hide_commits(&self, base: &Revision) -> Result<bool, Error> {
        Ok(self.commit("HEAD")?.is_some_and(|head| head == base.id) && self.is_shallow()?)
    }
}

/// Its name, and the first digits of its id where the name is another one.
impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = self.id.get(..12).unwrap_or(&self.id);
        match self.id.starts_with(&self.name) {
            true => f.write_str(short),
            false => write!(f, "{} ({short})", self.name),
        }
    }
}

impl Git {
    /// The same files, held to other limits.
    pub fn with_limits(self, limits: Limits) -> Git {
        Git { limits, ..self }
    }
}

impl Host for Git {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.tree.find(path)? {
            Found::File(id) => self.tree.file(&id, limit),
            Found::Folder(_) => Err(ReadError::NotAFile),
            Found::Submodule => Err(ReadError::Failed("it is a submodule, whose files are another repository".into())),
        }
    }

    fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>, Error> {
        self.tree.list(folder, limit)
    }

    fn read_named(&self, _: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::Failed("a revision has no files but its own".into()))
    }
}

fn no_repository(root: &Utf8Path, output: &Output) -> Error {
    // What git says first is about this folder; what follows is advice about git.
    let said = output.said.lines().next().unwrap_or_default();
    let said = said.trim_start_matches("fatal: ");
    let error = Error::new(format!("`{root}` is in no git repository that can be read: {said}"));
    match said.contains("dubious ownership") {
        true => error.help(
            "git reads repositories of other users only when told to: `git config --global --add safe.directory DIR`",
        ),
        false => error.help("`diff` and `--base` compare with a git revision"),
    }
}

#[cfg(test)]
mod tests;
