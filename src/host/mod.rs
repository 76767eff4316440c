//! The outside world, behind a trait.
//!
//! Owns reading, listing and writing; everything that touches a file system stands in [`disk`] and [`publish`], and git
//! is run in [`git`] alone; [`watch`] waits for changes. Knows nothing of TOML. Main types: [`Host`],
//! [`Disk`](disk::Disk), [`Git`](git::Git), [`Memory`](memory::Memory), [`Error`].

pub mod disk;
pub mod git;
pub mod memory;
pub mod publish;
pub mod seen;
pub mod watch;

use std::fmt;

use crate::limits::Limits;

/// Where a project's files come from.
///
/// Paths are relative to the project's root, parts joined by `/`, without `.` and `..`.
pub trait Host {
    /// How far the person who runs promptc lets a project go.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Why there are none. A file over `limit` bytes is not read.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// The paths of all files below a folder, at any depth, sorted by bytes. A folder that is not there has none.
    ///
    /// # Errors
    /// The folder cannot be listed, or holds more than `limit` files.
    fn list(&self, folder: &str, limit: usize) -> Result<Vec<String>, Error>;

    /// The bytes of a file that a person named on the command line, from the working folder; it may lie anywhere.
    ///
    /// # Errors
    /// Why there are none.
    fn read_named(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;
}

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// There is no such file.
    Missing,
    /// It is a folder, a device or the like.
    NotAFile,
    /// A link leads out of the project's root.
    OutsideRoot,
    /// More bytes than allowed.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// The system said no.
    Failed(String),
}

/// The job cannot be done: one, returned, exit code 2. What is wrong with a user's text is a
/// [`Diagnostic`](crate::diag::Diagnostic) instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What failed: one phrase.
    pub message: String,
    /// What to do.
    pub help: Vec<String>,
}

impl Error {
    /// An error with its phrase.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), help: Vec::new() }
    }

    /// Adds a way out.
    pub fn help(mut self, text: impl Into<String>) -> Error {
        self.help.push(text.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
