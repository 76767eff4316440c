//! One side: everything that its profiles compile to.

use std::collections::{BTreeMap, BTreeSet};

use super::artifact::{self, Artifact, From, Key, Read};
use super::counts::{self, Count};
use super::written;
use crate::compile::{self, Compiled, One, Tasks};
use crate::diag::{Diagnostic, Place, Severity, Sink};
use crate::emit::cell_name;
use crate::manifest::{Allow, Layer, Traffic};
use crate::plan::Capabilities;
use crate::render;
use crate::resolve::{Route, Section, Source};
use crate::source::{FileId, SourceMap, Span};
use crate::workspace::Workspace;

/// Errors of the language that leave every text as it would be: what they are about is itself a change that is told.
const TEXTS_STAND: [&str; 6] = [
    "error-allowed",
    "required-section-lost",
    "stale-turn-value",
    "static-conditional",
    "static-interpolation",
    "unknown-rule",
];

/// One side of a comparison.
pub struct Side<'w> {
    pub(super) workspace: &'w Workspace,
    pub(super) profiles: BTreeMap<String, Compiles>,
    /// Errors that keep something from being compared, and errors of the project itself.
    pub said: Vec<Diagnostic>,
}

/// What one profile compiles to.
#[derive(Default)]
pub(super) struct Compiles {
    pub(super) artifacts: BTreeMap<Key, Artifact>,
    /// By cell and layer: links that can win.
    pub(super) routes: BTreeMap<(String, Layer), Seen>,
    /// By cell: the link that wins ahead of time.
    pub(super) winners: BTreeMap<String, Layer>,
    /// By cell: the values that are known when compiling.
    pub(super) values: BTreeMap<String, BTreeMap<String, String>>,
    /// By cell and id: the sections of the default.
    pub(super) declared: BTreeMap<(String, String), Declared>,
    pub(super) target: Option<Capabilities>,
    pub(super) traffic: Traffic,
    /// Whether an error keeps an artifact from being compared.
    pub(super) broken: bool,
    /// What it is made of, by path.
    pub(super) files: BTreeMap<String, FileId>,
}

/// What is known of a link that can win, whatever a session brings.
pub(super) struct Seen {
    pub(super) count: Count,
    /// Run-time inputs that its shared prefix reads.
    pub(super) reads: BTreeMap<String, Read>,
    /// Required sections that it drops.
    pub(super) lost: BTreeSet<String>,
    /// Where the link is written.
    pub(super) span: Span,
}

/// A section of the default, whether it lives or not.
pub(super) struct Declared {
    pub(super) span: Span,
    /// Whether it must survive every layer.
    pub(super) required: bool,
    /// Its text as it is written.
    pub(super) text: String,
    pub(super) allow: Vec<Allow>,
}

/// A side to which artifacts are added one by one.
pub struct Sided<'w> {
    side: Side<'w>,
    told: Sink,
}

impl<'w> Side<'w> {
    /// Compiles everything: each profile and cell ahead of time by every link that can win, and with each fixture.
    /// `said` is what loading had to say.
    pub fn compile(workspace: &'w Workspace, tasks: &Tasks, said: Vec<Diagnostic>) -> Side<'w> {
        let mut sided = Sided::new(workspace, tasks, said);
        compile::each(workspace, tasks, &mut Sink::default(), &mut |one| sided.add(&one));
        sided.finish()
    }

    /// The texts that its places are in.
    pub fn sources(&self) -> &SourceMap {
        &self.workspace.sources
    }

    /// The file of a profile.
    pub(super) fn text_of(&self, profile: &str) -> Option<&str> {
        let file = self.workspace.profiles.get(profile)?.file;
        Some(self.workspace.sources.text(file))
    }

    /// Names of its profiles, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str)
    }
}

impl<'w> Sided<'w> {
    /// A side without an artifact yet. `said` is what loading had to say.
    pub fn new(workspace: &'w Workspace, tasks: &Tasks, said: Vec<Diagnostic>) -> Sided<'w> {
        let mut told = Sink::default();
        let mut side = Side { workspace, profiles: BTreeMap::new(), said: Vec::new() };
        for (name, profile) in &workspace.profiles {
            let files = BTreeMap::from([(workspace.sources.path(profile.file).to_owned(), profile.file)]);
            let broken = tasks.failed.contains(name);
            let compiles = Compiles { traffic: profile.traffic, broken, files, ..Compiles::default() };
            side.profiles.insert(name.clone(), compiles);
        }
        for name in said.iter().filter_map(|d| unreadable_profile(workspace, d)) {
            side.profiles.entry(name).or_default().broken = true;
        }
        told.extend(said.into_iter().filter(|d| d.severity() == Severity::Error));
        Sided { side, told }
    }

    /// Adds an artifact: what is compared of it is kept.
    pub fn add(&mut self, one: &One<'_>) {
        let workspace = self.side.workspace;
        let context = one.task.context.as_ref();
        let broken = |d: &&Diagnostic| d.own_level() == Severity::Error && !TEXTS_STAND.contains(&d.rule.name);
        let is_broken = one.said.iter().any(|d| broken(&d));
        self.told.extend(one.said.iter().filter(broken).cloned());
        let Some(compiles) = self.side.profiles.get_mut(&one.task.profile) else { return };
        compiles.broken |= is_broken;
        let Some(compiled) = &one.compiled else { return };
        let cell = cell_name(&compiled.resolved.cell);
        compiles.target = compiles.target.take().or_else(|| compiled.target.clone());
        if let (Some(subject), false) = (compiled.draft(workspace), is_broken) {
            let artifact = Artifact::new(&From { workspace, subject, context });
            let layer = context.is_none().then_some(artifact.layer);
            let context = context.map(|c| c.name.clone());
            compiles.artifacts.insert(Key { cell: cell.clone(), context, layer }, artifact);
        }
        if let Some(context) = context {
            compiles.files.insert(workspace.sources.path(context.file).to_owned(), context.file);
        }
        if context.is_none() && one.layer.is_none() {
            compiles.values.insert(cell.clone(), written::values(&compiled.resolved.inputs));
            if let Some(won) = compiled.winner() {
                compiles.winners.insert(cell.clone(), won);
            }
            let stripped = compiled.target.as_ref().is_some_and(|t| t.strips_attribution);
            self.look(&one.task.profile, &cell, compiled, stripped);
        }
    }

    /// The side with all its artifacts.
    pub fn finish(self) -> Side<'w> {
        Side { said: self.told.into_sorted(&self.side.workspace.sources), ..self.side }
    }

    /// Looks at what hangs on no context: counts, reads, required sections, files.
    fn look(&mut self, profile: &str, cell: &str, compiled: &Compiled, stripped: bool) {
        let resolved = &compiled.resolved;
        let workspace = self.side.workspace;
        let Some(compiles) = self.side.profiles.get_mut(profile) else { return };
        let of_default: Vec<&Section> = resolved.route(Layer::Default).into_iter().flat_map(all_sections).collect();
        let required: Vec<&Section> = of_default.iter().filter(|s| s.required).copied().collect();
        for section in of_default {
            let declared = Declared {
                span: section.span,
                required: section.required,
                text: render::as_written(section, &resolved.inputs),
                allow: section.allow.clone(),
            };
            compiles.declared.insert((cell.to_owned(), section.id.clone()), declared);
        }
        for route in &resolved.routes {
            add_files(workspace, route, &mut compiles.files);
            if !route.can_win {
                continue;
            }
            let has = |id: &str| all_sections(route).any(|s| s.id == id);
            let lost = required.iter().filter(|s| !resolved.simple && !has(&s.id)).map(|s| s.id.clone());
            let seen = Seen {
                count: counts::count(&compiled.variants, route.layer),
                reads: artifact::prefix_reads(route, &resolved.inputs, stripped),
                lost: lost.collect(),
                span: route.span,
            };
            compiles.routes.insert((cell.to_owned(), route.layer), seen);
        }
    }
}

fn all_sections(route: &Route) -> impl Iterator<Item = &Section> {
    route.sections.iter().chain(&route.folded)
}

/// The files that a route is made of: manifests and those they extend, bodies, what these include, agents.
fn add_files(workspace: &Workspace, route: &Route, files: &mut BTreeMap<String, FileId>) {
    let mut found: BTreeSet<FileId> = BTreeSet::new();
    found.extend(workspace.sources.find("promptc.toml"));
    let mut manifest = route.prompt.as_deref().and_then(|name| workspace.prompts.get(name));
    while let Some(prompt) = manifest.filter(|prompt| found.insert(prompt.file)) {
        manifest = prompt.extends.as_ref().and_then(|parent| workspace.prompts.get(&parent.value));
    }
    for section in all_sections(route) {
        found.insert(section.span.file);
        match &section.source {
            Source::Text(text) => _ = found.insert(text.file()),
            Source::Choice { files, otherwise, .. } => {
                found.extend(files.iter().map(|(_, (_, text))| text.file()));
                found.extend(otherwise.iter().map(|(_, text)| text.file()));
            }
            Source::Agent(_) => found.extend(workspace.agents.iter().map(|agent| agent.file)),
            Source::Input(_) | Source::Broken => {}
        }
        found.extend(section.reads.files.iter().filter_map(|path| workspace.text(path).ok()).map(|text| text.file()));
    }
    files.extend(found.into_iter().map(|file| (workspace.sources.path(file).to_owned(), file)));
}

/// The profile whose file could not be read at all.
fn unreadable_profile(workspace: &Workspace, diagnostic: &Diagnostic) -> Option<String> {
    let Place::File { path, .. } = &diagnostic.place else { return None };
    let name = path.strip_prefix(workspace.project.paths.profiles.as_str())?.strip_prefix('/')?;
    name.strip_suffix(".toml").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_leave_the_texts_alone_are_errors() {
        for name in TEXTS_STAND {
            assert_eq!(crate::compile::rule(name).map(|rule| rule.level), Some(Severity::Error), "{name}");
        }
    }
}
