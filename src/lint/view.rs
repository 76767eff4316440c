//! What rules look at.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::compile::{Compiled, written_tokens};
use crate::diag::{Diagnostic, Edit, Sink};
use crate::diff::{Cause, ProfileChange, Whose};
use crate::emit::{self, Subject};
use crate::input::Value;
use crate::manifest::{self, Layer};
use crate::plan::Capabilities;
use crate::render::Renderer;
use crate::resolve::{self, Carried, Resolved, Section, Source, Values};
use crate::select::{self, LinkState};
use crate::source::{Located, SourceMap, Span};
use crate::variants::{self, Facts, RouteVariants};
use crate::workspace::{Context, Workspace};

/// One artifact that was compiled.
pub struct Made {
    /// With which run-time values.
    pub context: Option<Context>,
    /// What came of it.
    pub compiled: Compiled,
    /// Whether it is the first of its profile and cell: what does not hang on a context is looked at there.
    pub is_first: bool,
    /// Of the first: what follows from conditions and constraints, for each route that can win.
    facts: BTreeMap<Layer, Facts>,
}

/// All files and all artifacts.
#[derive(Clone, Copy)]
pub struct Project<'a> {
    /// The files.
    pub workspace: &'a Workspace,
    /// The artifacts, by profile, cell, context and route.
    pub made: &'a [Made],
}

/// A text as it is written, in a file or in a manifest, with a section that is made of it.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    /// The text.
    pub text: &'a Located,
    /// The section.
    pub section: &'a Section,
    /// Whether the layout makes one of several blank lines.
    pub collapsed: bool,
}

/// One profile, or one cell of its matrix.
#[derive(Clone, Copy)]
pub struct Profile<'a> {
    /// The files.
    pub workspace: &'a Workspace,
    /// The profile as it is written.
    pub written: &'a manifest::Profile,
    /// Its files against one another.
    pub resolved: &'a Resolved,
    /// The target, unless it is wrong.
    pub target: Option<&'a Capabilities>,
}

/// One link that can win.
#[derive(Clone, Copy)]
pub struct Route<'a> {
    /// Its profile.
    pub profile: Profile<'a>,
    /// Its sections.
    pub route: &'a resolve::Route,
    /// What follows from its conditions and constraints; nothing when that takes too much to find out.
    pub facts: Option<&'a Facts>,
    /// How many static prefixes it has.
    pub variants: Option<&'a RouteVariants>,
}

/// What a change does to one profile.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// The files of the head.
    pub workspace: &'a Workspace,
    /// The profile as the head has it.
    pub written: &'a manifest::Profile,
    /// What changed.
    pub change: &'a ProfileChange,
}

/// One artifact as far as it came: sections with an error are missing from it.
#[derive(Clone, Copy)]
pub struct Artifact<'a> {
    /// The files.
    pub workspace: &'a Workspace,
    /// Blocks, marks, target.
    pub subject: Subject<'a>,
    /// With which run-time values.
    pub context: Option<&'a Context>,
    /// How each layer stands, strongest first, and where its text comes from.
    pub links: &'a [(Layer, LinkState, Option<Carried>)],
    /// Whether nothing was wrong so far: else what is seen here may only follow from an error.
    pub is_whole: bool,
}

impl<'a> Project<'a> {
    /// Every value of an input that a context gives, whichever profile it belongs to.
    pub(super) fn values(self, input: &str) -> impl Iterator<Item = &'a Value> {
        let entries = self.made.iter().filter_map(|made| made.context.as_ref()).flat_map(|context| &context.entries);
        entries.filter(move |entry| entry.key.value == input).map(|entry| &entry.value)
    }

    /// Every route that can win, of each profile and cell.
    pub(super) fn routes(self) -> impl Iterator<Item = Route<'a>> {
        self.made.iter().filter(|made| made.is_first).flat_map(move |made| made.routes(self.workspace))
    }

    /// Every text that a section of some artifact can be made of, once for each section.
    pub(super) fn written(&self) -> Vec<Written<'a>> {
        let mut seen = BTreeSet::new();
        let routes = self.made.iter().filter(|m| m.is_first).flat_map(|m| &m.compiled.resolved.routes);
        let sections = routes.filter(|r| r.can_win).flat_map(|r| r.sections.iter().map(|s| (s, &r.layout)));
        let mut out = Vec::new();
        for (section, layout) in sections {
            let collapsed = layout.collapse_blank_lines && !section.is_layer();
            let own: Vec<&Located> = match &section.source {
                Source::Agent(_) => self.workspace.agents.iter().map(|agent| &agent.body).collect(),
                _ => section.bodies(),
            };
            let included = section.reads.files.iter().filter_map(|path| self.workspace.text(path).ok());
            for text in own.into_iter().chain(included) {
                if seen.insert((section.span, text.whole_span())) {
                    out.push(Written { text, section, collapsed });
                }
            }
        }
        out
    }
}

impl<'a> Profile<'a> {
    /// The texts that a section may be made of: its bodies and all files that they include.
    pub(super) fn texts(self, section: &'a Section) -> Vec<&'a Located> {
        let mut texts = section.bodies();
        let included = section.reads.files.iter().filter_map(|path| self.workspace.text(path).ok());
        texts.extend(included);
        texts
    }
}

impl Written<'_> {
    /// An edit that takes out a range of the text, where it is written letter by letter.
    pub(super) fn without(&self, sources: &SourceMap, range: Range<usize>) -> Option<Edit> {
        let span = self.text.span(range.clone());
        let same = self.text.text.get(range) == Some(sources.slice(span));
        same.then_some(Edit { span, text: String::new() })
    }
}

/// A section of an artifact with its text.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// Its place among the sections of the route.
    pub index: usize,
    /// The section.
    pub section: &'a Section,
    /// Its final text.
    pub text: &'a str,
}

impl<'a> Artifact<'a> {
    /// Every section whose text is known, in the order of the request.
    pub(super) fn sections(&self) -> Vec<Told<'a>> {
        let subject = self.subject;
        let blocks = subject.fitted.plan.blocks.iter().filter_map(|b| Some((b, b.text.as_ref()?)));
        let told = blocks.flat_map(|(block, text)| {
            block.sections.iter().filter_map(|placed| {
                let section = &subject.route.sections[placed.index];
                Some(Told { index: placed.index, section, text: text.text.get(placed.range.clone()?)? })
            })
        });
        told.collect()
    }

    /// What is known of the inputs.
    pub(super) fn values(&self) -> Values {
        let resolved = self.subject.resolved;
        let Some(context) = self.context else { return resolved.build.clone() };
        let entries: Vec<_> = context.entries.iter().map(|e| (e.key.clone(), e.value.clone())).collect();
        // What is wrong with them was told when it was compiled.
        resolved.context_values(&entries, context.file, &mut Sink::default())
    }

    /// The texts that the sections would have with other values, by their places among the sections of the route.
    pub(super) fn rendered(&self, values: Values) -> BTreeMap<usize, String> {
        let mut unheard = Sink::default();
        let layer = Some(self.subject.route.layer);
        let selected = select::select(self.subject.resolved, values, self.context.is_some(), layer, &mut unheard);
        let Some(selected) = selected else { return BTreeMap::new() };
        let rendered = Renderer::new(self.workspace).render(self.workspace, &selected, 0, &mut unheard);
        rendered.sections.into_iter().filter_map(|s| Some((s.index, s.text?))).collect()
    }
}

impl Route<'_> {
    /// Tokens of some sections as they are written; 0 without a target.
    pub(super) fn tokens<'s>(&self, sections: impl IntoIterator<Item = &'s Section>) -> u64 {
        let Some(target) = self.profile.target else { return 0 };
        let counter = target.counter();
        sections.into_iter().map(|section| written_tokens(section, &counter)).sum()
    }
}

impl Made {
    pub(super) fn new(workspace: &Workspace, context: Option<Context>, compiled: Compiled, is_first: bool) -> Made {
        let routes = compiled.variants.routes.iter().filter(|_| is_first);
        let facts = |route: &RouteVariants| Some((route.layer, variants::facts(workspace, &compiled.resolved, route)?));
        Made { facts: routes.filter_map(facts).collect(), context, compiled, is_first }
    }

    /// Profile, cell, context and route, for people.
    pub fn name(&self) -> String {
        let resolved = &self.compiled.resolved;
        let cell = emit::cell_name(&resolved.cell);
        let context = self.context.as_ref().map(|c| c.name.as_str());
        let parts = [Some(resolved.profile.as_str()), Some(cell.as_str()).filter(|c| !c.is_empty()), context];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn profile<'a>(&'a self, workspace: &'a Workspace) -> Profile<'a> {
        let resolved = &self.compiled.resolved;
        Profile {
            workspace,
            written: &workspace.profiles[&resolved.profile],
            resolved,
            target: self.compiled.target.as_ref(),
        }
    }

    /// Every route that can win.
    pub(super) fn routes<'a>(&'a self, workspace: &'a Workspace) -> impl Iterator<Item = Route<'a>> {
        let profile = self.profile(workspace);
        let counted = &self.compiled.variants.routes;
        self.compiled.resolved.routes.iter().filter(|r| r.can_win).map(move |route| {
            let facts = self.facts.get(&route.layer);
            let variants = counted.iter().find(|counted| counted.layer == route.layer);
            Route { profile, route, facts, variants }
        })
    }

    pub(super) fn artifact<'a>(&'a self, workspace: &'a Workspace) -> Option<Artifact<'a>> {
        let subject = self.compiled.draft(workspace)?;
        let is_whole = self.compiled.subject(workspace).is_some();
        Some(Artifact { workspace, subject, context: self.context.as_ref(), links: &self.compiled.links, is_whole })
    }
}

impl Change<'_> {
    /// The line that did it; of what is gone, the start of the file that had it.
    pub(super) fn place(&self, cause: &Cause) -> Span {
        match &cause.line {
            Some(line) if line.whose == Whose::Head => line.span,
            Some(line) => self.workspace.sources.find(&line.path).map_or_else(|| self.start(), Span::start_of),
            None => self.start(),
        }
    }

    /// The start of the profile.
    pub(super) fn start(&self) -> Span {
        Span::start_of(self.written.file)
    }

    /// Where the target says who shares.
    pub(super) fn target(&self) -> Span {
        match &self.written.target {
            Some(target) => target.shared_scope.map_or(target.provider.span, |shared| shared.span),
            None => self.start(),
        }
    }

    /// A finding about a cause: silenced by the reason that allows it.
    pub(super) fn finding(&self, cause: &Cause, found: Diagnostic) -> Diagnostic {
        let tokens = found.tokens.or(cause.tokens);
        let found = self.of_profile(found).allowed(cause.allowed.as_ref().map(|allowed| allowed.span));
        found.tokens(tokens.unwrap_or(0))
    }

    /// A finding of the profile.
    pub(super) fn of_profile(&self, mut found: Diagnostic) -> Diagnostic {
        found.profile = Some(self.change.profile.clone());
        found
    }
}
