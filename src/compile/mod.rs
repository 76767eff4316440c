//! The driver: a request to what was compiled, one call a stage.
//!
//! Owns the order of the stages, and the errors of the language that need a whole route. Does not know formats or the
//! command line. Main types: [`Compiler`], [`Request`], [`Compiled`], [`Tasks`].

mod checks;
mod errors;
mod order;
mod rules;
mod tasks;
mod threads;

pub use checks::written_tokens;
pub use order::reordered;
pub use rules::{levels, lint_names, rule, rules};
pub use tasks::{Contexts, One, Task, Tasks, each, tasks};
pub use threads::{STACK, in_order};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::Sink;
use crate::emit::{Subject, cell_name};
use crate::input::Value;
use crate::manifest::{Agent, AgentName, Layer};
use crate::plan::{self, Capabilities, Facts, Fitted, Meter};
use crate::render::Renderer;
use crate::resolve::{self, Carried, Choice, Given, Resolved, Route, Values};
use crate::select::{self, AppendState, LinkState};
use crate::source::Spanned;
use crate::variants::{self, VariantSet};
use crate::workspace::{Context, Workspace};

/// Compiles the profiles of one project, on several threads if need be.
pub struct Compiler<'w> {
    workspace: &'w Workspace,
    facts: Facts,
    renderer: Renderer,
    /// By profile, cell, and whether it is cut short: a count does not hang on the context.
    counted: Mutex<BTreeMap<(String, String, bool), Arc<VariantSet>>>,
    /// Sizes of texts, by tokenizer.
    meters: Mutex<BTreeMap<String, Arc<Meter>>>,
}

/// What to compile.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The profile.
    pub profile: &'a str,
    /// Values of the matrix.
    pub cell: &'a Given,
    /// Run-time values; without them the artifact is one that a run time finishes.
    pub context: Option<&'a Context>,
    /// The layer whose link is to win.
    pub route: Option<Layer>,
    /// Whether only the `simple` sections of the default are wanted.
    pub simple: bool,
}

/// What came of a request. Parts that an error prevented are missing.
#[derive(Debug)]
pub struct Compiled {
    /// The profile's files against one another.
    pub resolved: Resolved,
    /// The target.
    pub target: Option<Capabilities>,
    /// How many static prefixes there can be, for each route that can win.
    pub variants: Arc<VariantSet>,
    /// How each layer stands, strongest first, and where its text comes from.
    pub links: Vec<(Layer, LinkState, Option<Carried>)>,
    /// How each item of `append` stands.
    pub appended: Vec<AppendState>,
    /// The agent whose text the winning link sends.
    pub agent: Option<Agent>,
    artifact: Option<Artifact>,
}

#[derive(Debug)]
struct Artifact {
    /// Its place among the routes.
    route: usize,
    fitted: Fitted,
    /// Whether nothing was wrong: only then it may be emitted.
    whole: bool,
}

impl<'w> Compiler<'w> {
    /// A compiler for a project.
    pub fn new(workspace: &'w Workspace) -> Compiler<'w> {
        Compiler {
            workspace,
            facts: Facts::of_workspace(workspace),
            renderer: Renderer::new(workspace),
            counted: Mutex::default(),
            meters: Mutex::default(),
        }
    }

    /// Compiles one artifact. `None` when there is nothing to go on with; the sink then says why.
    pub fn compile(&self, request: Request<'_>, sink: &mut Sink) -> Option<Compiled> {
        let workspace = self.workspace;
        let profile = workspace.profiles.get(request.profile)?;
        let before = sink.errors();
        sink.enter(request.profile);
        checks::check_project(&workspace.project, sink);
        sink.extend(workspace.said(profile.file).to_vec());
        let choice = Choice { profile: request.profile, cell: request.cell, simple: request.simple };
        let resolved = resolve::resolve(workspace, choice, sink)?;
        let target = profile.target.as_ref().and_then(|t| self.facts.of(t, sink));
        let variants = self.variants(&resolved);
        checks::check(workspace, &resolved, &variants, target.as_ref(), sink);
        let values = match request.context {
            None => resolved.build.clone(),
            Some(context) => {
                let entries: Vec<(Spanned<String>, Value)> =
                    context.entries.iter().map(|e| (e.key.clone(), e.value.clone())).collect();
                resolved.context_values(&entries, context.file, sink)
            }
        };
        let mut compiled = Compiled {
            resolved,
            target,
            variants,
            links: Vec::new(),
            appended: Vec::new(),
            agent: None,
            artifact: None,
        };
        let complete = request.context.is_some();
        let Some(selected) = select::select(&compiled.resolved, values, complete, request.route, sink) else {
            return Some(compiled);
        };
        let rendered = self.renderer.render(workspace, &selected, before, sink);
        let links = selected
            .links(&compiled.resolved)
            .into_iter()
            .map(|(layer, state)| (layer, state, carried(workspace, &compiled.resolved, layer, &selected.values)))
            .collect();
        let agent = agent(workspace, selected.route, &selected.values).cloned();
        let appended = selected.appended(&compiled.resolved);
        let mut artifact = None;
        if let Some(target) = &compiled.target {
            let plan = plan::plan(&selected, rendered, target, &self.meter(target));
            let route = compiled.resolved.routes.iter().position(|r| r.layer == selected.route.layer).unwrap_or(0);
            artifact = Some(Artifact { route, fitted: plan::fit(plan, target), whole: sink.since(before).is_ok() });
        }
        drop(selected);
        compiled.links = links;
        compiled.appended = appended;
        compiled.agent = agent;
        compiled.artifact = artifact;
        Some(compiled)
    }

    fn variants(&self, resolved: &Resolved) -> Arc<VariantSet> {
        let counted = || self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (resolved.profile.clone(), cell_name(&resolved.cell), resolved.simple);
        let known = counted().get(&key).cloned();
        known.unwrap_or_else(|| {
            let new = Arc::new(variants::count(self.workspace, resolved, &self.renderer));
            counted().insert(key, new.clone());
            new
        })
    }

    fn meter(&self, target: &Capabilities) -> Arc<Meter> {
        let mut meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Meter::new(target.counter()));
        meters.entry(target.tokenizer.name.clone()).or_insert_with(new).clone()
    }
}

/// All cells of a profile's matrix, in order; one empty cell without a matrix.
pub fn cells(workspace: &Workspace, profile: &str) -> Vec<Given> {
    let matrix = workspace.profiles.get(profile).map_or(&[][..], |p| &p.matrix);
    matrix.iter().fold(vec![Vec::new()], |cells, key| {
        let extend = |cell: &Given| {
            key.values
                .iter()
                .map(|value| {
                    let mut cell = cell.clone();
                    cell.push((key.name.clone(), value.clone()));
                    cell
                })
                .collect::<Vec<_>>()
        };
        cells.iter().flat_map(extend).collect()
    })
}

/// Where a layer's text comes from; an agent that these values name is shown by its file.
fn carried(workspace: &Workspace, resolved: &Resolved, layer: Layer, values: &Values) -> Option<Carried> {
    let route = resolved.route(layer)?;
    let mut carried = route.carrier.clone();
    if let Some(agent) = agent(workspace, route, values) {
        workspace.sources.path(agent.file).clone_into(&mut carried.source);
    }
    Some(carried)
}

/// The agent whose text a route sends.
fn agent<'w>(workspace: &'w Workspace, route: &Route, values: &Values) -> Option<&'w Agent> {
    let name = match &route.agent {
        Some(AgentName::Literal(name)) => name.value.as_str(),
        Some(AgentName::Input(name)) => values.string(name)?,
        None => return None,
    };
    workspace.agents.iter().find(|a| a.name.value == name)
}

impl Compiled {
    /// The layer whose text is sent; `None` when an error prevented to say so.
    pub fn winner(&self) -> Option<Layer> {
        self.artifact.as_ref().map(|a| self.resolved.routes[a.route].layer)
    }

    /// The artifact, ready to be emitted; `None` when there was an error.
    pub fn subject<'a>(&'a self, workspace: &'a Workspace) -> Option<Subject<'a>> {
        self.artifact.as_ref().filter(|a| a.whole).and_then(|_| self.draft(workspace))
    }

    /// The artifact as far as it came, for looking at: sections with an error are missing from it.
    pub fn draft<'a>(&'a self, workspace: &'a Workspace) -> Option<Subject<'a>> {
        let artifact = self.artifact.as_ref()?;
        Some(Subject {
            resolved: &self.resolved,
            route: &self.resolved.routes[artifact.route],
            fitted: &artifact.fitted,
            target: self.target.as_ref()?,
            sources: &workspace.sources,
        })
    }
}
