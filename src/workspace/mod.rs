//! All files of a project, loaded and parsed: the last read on the way in.
//!
//! Owns the source map and what each file says by itself. Does not resolve one file against another. Main types:
//! [`Workspace`], [`Context`], [`Texts`].

mod changes;
mod errors;
mod load;
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use changes::Changes;
pub use errors::{MISSING_FILE, RULES, missing_file, unusable_file};
pub use load::{Flags, Wanted};
pub use texts::{Texts, Unusable};

use crate::diag::Diagnostic;
use crate::host::{Error, Host, ReadError};
use crate::input::data::{self, Entry, Format};
use crate::limits::Limits;
use crate::manifest::{Agent, Fixture, Profile, Project, Prompt};
use crate::source::{FileId, Located, SourceMap};

/// A project in memory.
#[derive(Debug)]
pub struct Workspace {
    /// The bounds that hold.
    pub limits: Limits,
    /// Every text that was read.
    pub sources: SourceMap,
    /// `promptc.toml`.
    pub project: Project,
    /// Manifests that the wanted profiles name, by name.
    pub prompts: BTreeMap<String, Prompt>,
    /// Names of all manifests that are there.
    pub prompt_names: Vec<String>,
    /// The wanted profiles, by name.
    pub profiles: BTreeMap<String, Profile>,
    /// All agents, by path.
    pub agents: Vec<Agent>,
    /// All files below `prompts/`.
    pub texts: Arc<Texts>,
    /// What the `tokenizer.json` files say that the project and the wanted profiles name, by path. Empty in a program
    /// that cannot read them.
    pub tokenizers: BTreeMap<String, Arc<[u8]>>,
    /// What there is to say about single files, by file.
    said: BTreeMap<FileId, Vec<Diagnostic>>,
    /// What there is to say whichever profile is built.
    said_of_project: Vec<Diagnostic>,
}

/// Run-time values from a fixture or a file.
#[derive(Clone, Debug)]
pub struct Context {
    /// The fixture's name, or the path.
    pub name: String,
    /// The file.
    pub file: FileId,
    /// Its entries.
    pub entries: Vec<Entry>,
}

impl Workspace {
    /// What there is to say about a file by itself.
    pub fn said(&self, file: FileId) -> &[Diagnostic] {
        self.said.get(&file).map_or(&[], Vec::as_slice)
    }

    /// What there is to say whichever profile is built: about the project file, and about wanted profiles and agents
    /// that are no text.
    pub fn said_of_project(&self) -> &[Diagnostic] {
        &self.said_of_project
    }

    /// A file below `prompts/`, or why it cannot be used.
    pub fn text(&self, path: &str) -> Result<&Located, Option<&Unusable>> {
        self.texts.find(path)
    }

    /// Reads a fixture of this name, else the file at this path from the working folder.
    ///
    /// # Errors
    /// The outer error when there is neither; the inner ones when the file says nothing that can be used.
    pub fn context(
        &mut self,
        host: &dyn Host,
        profile: &str,
        name: &str,
    ) -> Result<Result<Context, Vec<Diagnostic>>, Error> {
        let fixture =
            self.profiles.get(profile).and_then(|p| p.fixtures.iter().find(|f| f.name.value == name)).cloned();
        let (path, bytes) = match &fixture {
            Some(Fixture { context, .. }) => {
                (context.value.clone(), host.read(context, self.limits.file_bytes.value as u64))
            }
            None => (name.to_owned(), host.read_named(name, self.limits.file_bytes.value as u64)),
        };
        let bytes = match (bytes, &fixture) {
            (Ok(bytes), _) => bytes,
            (Err(problem), Some(fixture)) => {
                return Ok(Err(vec![errors::fixture(fixture.context.span, &path, &problem, &self.limits)]));
            }
            (Err(ReadError::Missing), None) => return Err(self.no_context(profile, name)),
            (Err(problem), None) => return Err(errors::unread_named(&format!("`{name}`"), &problem, &self.limits)),
        };
        // Two profiles may keep one file: what there is to say about it is said at one place.
        let known = |id: &FileId| self.sources.path(*id) == path && self.sources.file(*id).is_read_from(&bytes);
        let file = match self.sources.ids().find(known).map_or_else(|| self.sources.add(path.clone(), &bytes), Ok) {
            Ok(file) => file,
            Err(bad) => return Ok(Err(vec![errors::invalid_utf8(&path, bad)])),
        };
        let entries = data::read(&self.sources.located(file), Format::of_path(&path), &self.limits);
        Ok(entries.map(|entries| Context { name: name.to_owned(), file, entries }))
    }

    fn no_context(&self, profile: &str, name: &str) -> Error {
        let fixtures: Vec<&str> = self
            .profiles
            .get(profile)
            .map_or_else(Vec::new, |p| p.fixtures.iter().map(|f| f.name.value.as_str()).collect());
        let error = Error::new(format!("there is no fixture and no file `{name}`"));
        match fixtures.is_empty() {
            true => error.help(format!("the profile `{profile}` has no fixtures")),
            false => error.help(format!("fixtures of `{profile}`: {}", fixtures.join(", "))),
        }
    }
}
