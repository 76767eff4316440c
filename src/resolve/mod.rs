//! One profile's files against one another: `extends`, variants, the chain, and the origin of every section.
//!
//! Owns the name space of inputs and the routes. Knows nothing that is known later than build. Afterwards no name is
//! unresolved. Main types: [`Resolved`], [`Route`], [`Section`], [`Inputs`], [`Values`].

mod asked;
mod chain;
mod errors;
mod inputs;
mod manifests;
mod one_input;
mod order;
mod reads;
mod section;
mod values;
mod view;
mod zones;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use asked::Asked;
pub use errors::{RENDERED_INPUT, RULES};
pub use inputs::{Given, Inputs, RUNTIME_TOOLS};
pub use manifests::{Doubts, doubts};
pub use one_input::Input;
pub use reads::check_value_template;
pub use section::{How, Origin, Reading, Reads, Section, Source};
pub use values::Values;

use crate::diag::Sink;
use crate::expr::Condition;
use crate::input::Value;
use crate::manifest::{AgentName, Layer, Layout, Limits, Separator, Target};
use crate::source::{FileId, Span, Spanned};
use crate::workspace::Workspace;

/// A profile, or one cell of its matrix, with everything that is known when compiling.
#[derive(Debug)]
pub struct Resolved {
    /// The profile's name.
    pub profile: String,
    /// The values of the matrix, in the matrix's order.
    pub cell: Vec<(String, Value)>,
    /// The target.
    pub target: Option<Target>,
    /// Budgets.
    pub limits: Limits,
    /// All inputs.
    pub inputs: Arc<Inputs>,
    /// What is known when compiling.
    pub build: Values,
    /// One route for each link that is written, strongest first.
    pub routes: Vec<Route>,
    /// What `append` gives, whichever link wins.
    pub appended: Vec<Appended>,
    /// Whether the chain is cut short.
    pub simple: bool,
    /// Where `[chain]` is written.
    pub chain_span: Span,
    /// The files below `prompts/` that it is made of.
    pub asked: Asked,
    /// Inputs whose definitions could not be read; told already.
    unreadable: BTreeSet<String>,
    /// Whether a file could not be read whole: then a context may give inputs that it declares.
    incomplete: bool,
}

/// What is sent when one link wins.
#[derive(Debug)]
pub struct Route {
    /// The link's layer.
    pub layer: Layer,
    /// The manifest of the link, if it is one.
    pub prompt: Option<String>,
    /// Its condition.
    pub when: Option<Condition>,
    /// How the condition stands when compiling.
    pub holds: Option<bool>,
    /// Whether the link can win: it may hold, and no stronger one always does.
    pub can_win: bool,
    /// How texts are shaped and joined.
    pub layout: Layout,
    /// Sections that may live, in order, zones settled.
    pub sections: Vec<Section>,
    /// Sections that are gone because their condition is false under build values.
    pub folded: Vec<Section>,
    /// Ids kept from the default.
    pub kept: Vec<String>,
    /// Kind and place of the link's text.
    pub carrier: Carried,
    /// The agent that the link names, if it names one.
    pub agent: Option<AgentName>,
    /// Where the link is written.
    pub span: Span,
}

impl Route {
    /// What stands before one of its sections, unless that is the first of its block.
    pub fn separator<'r>(&'r self, section: &'r Section) -> &'r Separator {
        section.separator_before.as_ref().unwrap_or(&self.layout.separator)
    }
}

/// One item of `append`.
#[derive(Debug)]
pub struct Appended {
    /// Its id.
    pub id: String,
    /// Its condition.
    pub when: Option<Condition>,
    /// Whether it comes after an override too.
    pub after_override: bool,
    /// Kind and place of its text.
    pub carrier: Carried,
}

/// Where a layer's text comes from, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// `prompt`, `file`, `flag`, `text`, `input` or `agent`.
    pub kind: &'static str,
    /// A path, an input, a flag.
    pub source: String,
}

/// What to resolve.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The profile.
    pub profile: &'a str,
    /// Values of the matrix.
    pub cell: &'a Given,
    /// Whether only the `simple` sections of the default are wanted.
    pub simple: bool,
}

/// Resolves a profile. Everything that is wrong goes to the sink; `None` when there is nothing to go on with.
pub fn resolve(workspace: &Workspace, choice: Choice<'_>, sink: &mut Sink) -> Option<Resolved> {
    let profile = workspace.profiles.get(choice.profile)?;
    let manifests = manifests::collect(workspace, profile, sink);
    let mut found = Sink::default().at_most(workspace.limits.messages);
    let inputs = Arc::new(manifests.inputs(profile, choice.cell, &mut found));
    let build = inputs.build_values();
    for constraint in build.broken() {
        let shown = inputs.shown(constraint, &build);
        found.push(errors::broken_by_build(profile.chain_span, constraint, &shown));
    }
    let manifests = manifests.with_variants(&inputs, &build, &mut found);
    let mut chain = chain::Chain::new(workspace, profile, &manifests, &inputs, &build, &mut found);
    let routes = if choice.simple { chain.simple() } else { chain.routes() };
    let appended = if choice.simple { Vec::new() } else { chain.appended() };
    let asked = chain.asked;
    let found = found.into_unsorted();
    sink.extend(inputs::without_unreadable(found, &manifests.unreadable, false));
    Some(Resolved {
        profile: choice.profile.to_owned(),
        cell: choice.cell.iter().map(|(name, value)| (name.value.clone(), value.value.clone())).collect(),
        target: profile.target.clone(),
        limits: profile.limits.or(workspace.project.limits),
        inputs,
        build,
        routes,
        appended,
        simple: choice.simple,
        chain_span: profile.chain_span,
        asked,
        incomplete: manifests.incomplete,
        unreadable: manifests.unreadable,
    })
}

impl Resolved {
    /// What is known in a context. Findings about the context go to the sink.
    pub fn context_values(&self, entries: &[(Spanned<String>, Value)], file: FileId, sink: &mut Sink) -> Values {
        let mut found = Sink::default();
        let values = self.inputs.context_values(entries, file, &mut found);
        sink.extend(inputs::without_unreadable(found.into_unsorted(), &self.unreadable, self.incomplete));
        values
    }

    /// Every input that a condition, a text, a constraint or a read derived input names, whichever link wins.
    pub fn read_names(&self) -> BTreeSet<&str> {
        let sections = self.routes.iter().flat_map(|r| r.sections.iter().chain(&r.folded));
        let conditions = self.routes.iter().filter_map(|r| r.when.as_ref());
        let conditions = conditions.chain(self.appended.iter().filter_map(|a| a.when.as_ref()));
        let conditions = conditions.chain(&self.inputs.constraints);
        let agents = self.routes.iter().filter_map(|r| match &r.agent {
            Some(AgentName::Input(name)) => Some(name.as_str()),
            _ => None,
        });
        let mut open: Vec<&str> = sections.flat_map(|s| s.reads.all.iter().map(AsRef::as_ref)).collect();
        open.extend(conditions.flat_map(Condition::names));
        open.extend(agents);
        let mut read = BTreeSet::new();
        while let Some(name) = open.pop() {
            if read.insert(name) {
                open.extend(self.inputs.get(name).into_iter().flat_map(Input::reads));
            }
        }
        read
    }

    /// The route of a layer.
    pub fn route(&self, layer: Layer) -> Option<&Route> {
        self.routes.iter().find(|r| r.layer == layer)
    }
}

#[cfg(test)]
mod tests;
