//! Loading: one pass over the folders, each file read once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::changes::{FLAG, PROJECT};
use super::{Texts, Unusable, Workspace, errors};
use crate::diag::{Diagnostic, Place};
use crate::host::{Error, Host, ReadError};
use crate::limits::Limits;
use crate::manifest::{Agent, AppendItem, Carrier, Layer, Link, Mode, Parsed, Profile, Project, Prompt, Shape};
use crate::source::{FileId, Located, SourceMap, Span, Spanned};
use crate::tokens::FileTokenizer;

/// Which profiles are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// All that there are.
    All,
    /// These.
    Named(&'a [String]),
}

/// Layers given on the command line. Paths are from the working folder.
#[derive(Clone, Default, Debug)]
pub struct Flags {
    /// `--override FILE`.
    pub r#override: Option<String>,
    /// `--coordinator NAME`.
    pub coordinator: Option<String>,
    /// `--agent NAME`.
    pub agent: Option<String>,
    /// `--custom FILE`.
    pub custom: Option<String>,
    /// `--append FILE`, in order.
    pub append: Vec<String>,
}

struct Loader<'h> {
    host: &'h dyn Host,
    limits: Limits,
    /// Bytes read so far.
    bytes: usize,
    sources: SourceMap,
    said: BTreeMap<FileId, Vec<Diagnostic>>,
    said_of_project: Vec<Diagnostic>,
}

impl Workspace {
    /// Loads a project.
    ///
    /// # Errors
    /// A folder that cannot be listed, a profile that is not there, a layer file that cannot be read.
    pub fn load(host: &dyn Host, wanted: Wanted<'_>, flags: &Flags) -> Result<Workspace, Error> {
        let mut loader = Loader {
            host,
            limits: host.limits(),
            bytes: 0,
            sources: SourceMap::default(),
            said: BTreeMap::new(),
            said_of_project: Vec::new(),
        };
        let project = loader.project();
        let (texts, prompt_names) = loader.texts(&project.paths.prompts)?;
        let mut profiles = loader.profiles(&project.paths.profiles, wanted)?;
        for profile in profiles.values_mut() {
            loader.apply(profile, flags)?;
        }
        let prompts = loader.prompts(&profiles, &texts);
        let agents = if profiles.values().any(uses_agents) { loader.agents(&texts) } else { Vec::new() };
        check_names(flags, &agents, &prompt_names)?;
        let tokenizers = loader.tokenizers(&project, &profiles);
        Ok(Workspace {
            limits: loader.limits,
            sources: loader.sources,
            project,
            prompts,
            prompt_names,
            profiles,
            agents,
            texts: Arc::new(texts),
            tokenizers,
            said: loader.said,
            said_of_project: loader.said_of_project,
        })
    }
}

impl Loader<'_> {
    /// Most bytes of one file.
    fn most(&self) -> u64 {
        self.limits.file_bytes.value as u64
    }

    fn keep<T>(&mut self, file: FileId, parsed: Parsed<T>) -> T {
        self.said.entry(file).or_default().extend(parsed.diagnostics);
        parsed.value
    }

    /// A file as text, or `None` with what there is to say.
    fn file(&mut self, path: &str) -> Option<FileId> {
        let place = Place::File { path: path.to_owned(), bad: None };
        let said = match self.host.read(path, self.most()) {
            Ok(bytes) => match self.sources.add(path, &bytes) {
                Ok(file) => return Some(file),
                Err(bad) => errors::invalid_utf8(path, bad),
            },
            Err(problem) => errors::unread(place, path, &problem, &self.limits),
        };
        self.said_of_project.push(said);
        None
    }

    fn project(&mut self) -> Project {
        if self.host.read(PROJECT, self.most()) == Err(ReadError::Missing) {
            return Project::default();
        }
        let Some(file) = self.file(PROJECT) else { return Project::default() };
        let parsed = Project::parse(file, self.sources.text(file), &self.limits);
        self.said_of_project.extend(parsed.diagnostics);
        parsed.value
    }

    /// The files that tokenizers are declared by, and those that models and targets name themselves.
    fn tokenizers(&mut self, project: &Project, profiles: &BTreeMap<String, Profile>) -> BTreeMap<String, Arc<[u8]>> {
        let mut files = BTreeMap::new();
        if !FileTokenizer::AVAILABLE {
            return files;
        }
        let declared = project.tokenizers.iter().filter_map(|t| t.file.as_ref());
        let of_models = project.models.iter().filter_map(|m| m.tokenizer.as_ref());
        let of_targets = profiles.values().filter_map(|p| p.target.as_ref()?.tokenizer.as_ref());
        let is_id = |name: &str| project.tokenizers.iter().any(|t| t.id.value == name);
        let named = of_models.chain(of_targets).filter(|t| t.ends_with(".json") && !is_id(t));
        for file in declared.chain(named) {
            if files.contains_key(&file.value) {
                continue;
            }
            match self.host.read(file, self.most()) {
                Ok(bytes) => _ = files.insert(file.value.clone(), bytes.into()),
                Err(problem) => {
                    self.said_of_project.push(errors::unread(Place::Span(file.span), file, &problem, &self.limits));
                }
            }
        }
        files
    }

    fn texts(&mut self, folder: &str) -> Result<(Texts, Vec<String>), Error> {
        let mut texts = Texts::new(self.limits);
        let mut names = Vec::new();
        for path in self.host.list(folder, self.limits.files.value)? {
            let Some(short) = path.strip_prefix(folder).and_then(|p| p.strip_prefix('/')) else { continue };
            if let Some(name) = short.strip_suffix(".toml") {
                names.push(name.to_owned());
            }
            let text = match self.host.read(&path, self.most()) {
                Ok(bytes) => {
                    self.bytes = self.bytes.saturating_add(bytes.len());
                    if self.bytes > self.limits.project_bytes.value {
                        return Err(errors::project_too_large(self.limits.project_bytes));
                    }
                    match self.sources.add(path.clone(), &bytes) {
                        Ok(file) => Ok(self.sources.located(file)),
                        Err(bad) => Err(Unusable::InvalidUtf8(bad)),
                    }
                }
                Err(problem) => Err(Unusable::Unread(problem)),
            };
            texts.insert(short.to_owned(), text);
        }
        Ok((texts, names))
    }

    fn profiles(&mut self, folder: &str, wanted: Wanted<'_>) -> Result<BTreeMap<String, Profile>, Error> {
        let paths = self.host.list(folder, self.limits.files.value)?;
        let name =
            |path: &String| Some(path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?.to_owned());
        let known: Vec<String> = paths.iter().filter_map(name).collect();
        let names = match wanted {
            Wanted::All => known,
            Wanted::Named(names) => {
                if let Some(unknown) = names.iter().find(|n| !known.contains(n)) {
                    let error = Error::new(format!("there is no profile `{unknown}`"));
                    return Err(match errors::near(unknown, &known) {
                        Some(near) => error.help(near),
                        None if known.is_empty() => error.help(format!("the folder `{folder}` has no profiles")),
                        None => error.help(format!("profiles: {}", known.join(", "))),
                    });
                }
                names.to_vec()
            }
        };
        let mut profiles = BTreeMap::new();
        for name in names {
            if let Some(file) = self.file(&format!("{folder}/{name}.toml")) {
                let text = self.sources.text(file).clone();
                let profile = self.keep(file, Profile::parse(file, &text, &self.limits));
                profiles.insert(name, profile);
            }
        }
        Ok(profiles)
    }

    /// The manifests that profiles name, and those that these extend.
    fn prompts(&mut self, profiles: &BTreeMap<String, Profile>, texts: &Texts) -> BTreeMap<String, Prompt> {
        let links = profiles.values().flat_map(|p| &p.chain.links);
        let mut wanted: Vec<String> = links
            .filter_map(|link| match &link.carrier {
                Carrier::Prompt(name) => Some(name.value.clone()),
                _ => None,
            })
            .collect();
        let mut prompts = BTreeMap::new();
        while let Some(name) = wanted.pop() {
            if prompts.contains_key(&name) {
                continue;
            }
            if let Ok(text) = texts.find(&format!("{name}.toml")) {
                let prompt = self.keep(text.file(), Prompt::parse(text.file(), &text.text, &self.limits));
                wanted.extend(prompt.extends.iter().map(|parent| parent.value.clone()));
                prompts.insert(name, prompt);
            }
        }
        prompts
    }

    fn agents(&mut self, texts: &Texts) -> Vec<Agent> {
        let mut agents = Vec::new();
        for path in texts.paths().filter(|p| p.starts_with("agents/") && p.ends_with(".md")) {
            match texts.find(path) {
                Ok(text) => {
                    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
                    let parsed = Agent::parse(text, stem, &self.limits);
                    agents.push(self.keep(text.file(), parsed));
                }
                Err(Some(problem)) => {
                    let full = format!("prompts/{path}");
                    self.said_of_project.push(match problem {
                        Unusable::InvalidUtf8(bad) => errors::invalid_utf8(&full, *bad),
                        Unusable::Unread(why) => {
                            errors::unread(Place::File { path: full.clone(), bad: None }, &full, why, &self.limits)
                        }
                    });
                }
                Err(None) => {}
            }
        }
        agents
    }

    /// Fills or replaces links by layers from the command line.
    fn apply(&mut self, profile: &mut Profile, flags: &Flags) -> Result<(), Error> {
        let span = Span::start_of(profile.file);
        if let Some(path) = &flags.r#override {
            let carrier = self.flag("--override", path)?;
            set_link(profile, Layer::Override, carrier, span);
        }
        if let Some(name) = &flags.coordinator {
            set_link(profile, Layer::Coordinator, Carrier::Prompt(Spanned::new(name.clone(), span)), span);
        }
        if let Some(name) = &flags.agent {
            let name = crate::manifest::AgentName::Literal(Spanned::new(name.clone(), span));
            set_link(profile, Layer::Agent, Carrier::Agent(name), span);
        }
        if let Some(path) = &flags.custom {
            let carrier = self.flag("--custom", path)?;
            set_link(profile, Layer::Custom, carrier, span);
        }
        for path in &flags.append {
            let carrier = self.flag("--append", path)?;
            profile.chain.append.push(AppendItem {
                carrier,
                when: None,
                shape: Shape::plain(span),
                after_override: false,
                says_after_override: false,
                heading: String::new(),
                dangerous: None,
                span,
            });
        }
        Ok(())
    }

    fn flag(&mut self, flag: &str, path: &str) -> Result<Carrier, Error> {
        let bytes = self
            .host
            .read_named(path, self.most())
            .map_err(|problem| errors::unread_named(&format!("`{path}` for `{flag}`"), &problem, &self.limits))?;
        let file = self.sources.add(format!("{FLAG}{flag}"), &bytes).map_err(|bad| {
            Error::new(format!("`{path}` for `{flag}` is not UTF-8: bad byte at offset {}", bad.offset))
        })?;
        let text: Located = self.sources.located(file);
        Ok(Carrier::Flag(flag.to_owned(), text))
    }
}

/// A flag makes its link hold; the link's other keys stay.
fn set_link(profile: &mut Profile, layer: Layer, carrier: Carrier, span: Span) {
    if let Some(link) = profile.chain.links.iter_mut().find(|l| l.layer == layer) {
        link.carrier = carrier;
        link.when = None;
        link.unreadable = false;
        return;
    }
    let link = Link {
        layer,
        carrier,
        when: None,
        unreadable: false,
        keep: Vec::new(),
        mode: Mode::Replace,
        shape: Shape::plain(span),
        span,
    };
    profile.chain.links.push(link);
    profile.chain.links.sort_by_key(|l| l.layer);
}

/// A name on the command line that means nothing is a bad argument, not a wrong project.
fn check_names(flags: &Flags, agents: &[Agent], prompts: &[String]) -> Result<(), Error> {
    let agents: Vec<String> = agents.iter().map(|a| a.name.value.clone()).collect();
    for (what, name, known) in [("agent", &flags.agent, agents.as_slice()), ("prompt", &flags.coordinator, prompts)] {
        if let Some(name) = name.as_ref().filter(|n| !known.contains(n)) {
            let error = Error::new(format!("there is no {what} `{name}`"));
            return Err(match errors::near(name, known) {
                Some(near) => error.help(near),
                None if known.is_empty() => error.help(format!("the project has no {what}s that this profile can use")),
                None => error.help(format!("{what}s: {}", known.join(", "))),
            });
        }
    }
    Ok(())
}

fn uses_agents(profile: &Profile) -> bool {
    let carriers = profile.chain.links.iter().map(|l| &l.carrier);
    carriers.chain(profile.chain.append.iter().map(|a| &a.carrier)).any(|c| matches!(c, Carrier::Agent(_)))
}
