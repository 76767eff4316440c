//! The manifests of a profile: `extends` resolved, variants applied.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::asked::Asked;
use super::order::Order;
use super::{Given, Inputs, Values, errors};
use crate::diag::{Diagnostic, Sink};
use crate::expr;
use crate::input::Definition;
use crate::limits::Limits;
use crate::manifest::{
    Carrier, Constraint, Content, Layout, Profile, Prompt, Section, TOML_SYNTAX, UNKNOWN_KEY, Variant, is_file_name,
};
use crate::source::Spanned;
use crate::workspace::Workspace;

/// All manifests that a chain names, by name.
pub(super) struct Manifests {
    merged: BTreeMap<String, Merged>,
    limits: Limits,
    /// The files of the manifests.
    pub(super) asked: Asked,
    /// Inputs whose definitions could not be read.
    pub(super) unreadable: BTreeSet<String>,
    /// Whether a manifest or the profile could not be read whole: then nobody knows which inputs there are.
    pub(super) incomplete: bool,
}

/// A manifest with everything that it extends.
#[derive(Clone, Default, Debug)]
pub(super) struct Merged {
    /// Sections in order, each with the manifest that defines it.
    pub(super) sections: Vec<(String, Section)>,
    /// Ids before a variant applied.
    pub(super) all_ids: Vec<String>,
    pub(super) layout: Layout,
    pub(super) simple: Option<Vec<Spanned<String>>>,
    inputs: Vec<Definition>,
    constraints: Vec<Constraint>,
    pub(super) variants: Vec<Variant>,
}

/// Resolves `extends` for every manifest that the profile's chain names.
pub(super) fn collect(workspace: &Workspace, profile: &Profile, sink: &mut Sink) -> Manifests {
    let mut out = Manifests {
        merged: BTreeMap::new(),
        limits: workspace.limits,
        asked: Asked::default(),
        unreadable: BTreeSet::new(),
        incomplete: !is_whole(workspace.said(profile.file)),
    };
    let mut told = BTreeSet::new();
    for link in &profile.chain.links {
        if let Carrier::Prompt(name) = &link.carrier
            && !out.merged.contains_key(&name.value)
        {
            match merge(workspace, name, &mut Vec::new(), &mut told, sink) {
                Some(merged) => _ = out.merged.insert(name.value.clone(), merged),
                None => out.incomplete = true,
            }
        }
    }
    told.iter().for_each(|name| out.asked.file(&format!("{name}.toml")));
    let Doubts { incomplete, unreadable } = doubts(workspace);
    out.incomplete |= incomplete;
    out.unreadable.extend(unreadable);
    out.unreadable.extend(profile.unreadable.iter().cloned());
    out
}

/// What nobody knows of the inputs that the manifests of a project declare, whichever profile names them.
#[derive(PartialEq, Eq, Debug)]
pub struct Doubts {
    incomplete: bool,
    unreadable: BTreeSet<String>,
}

/// What the faults of manifests leave open for every profile.
pub fn doubts(workspace: &Workspace) -> Doubts {
    let prompts = workspace.prompts.values();
    let unreadable = prompts.clone().flat_map(|p| &p.unreadable).cloned().collect();
    Doubts { incomplete: prompts.clone().any(|p| !is_whole(workspace.said(p.file))), unreadable }
}

/// Whether a file's findings leave no doubt about which inputs it declares.
fn is_whole(said: &[Diagnostic]) -> bool {
    !said.iter().any(|d| d.rule == &TOML_SYNTAX || d.rule == &UNKNOWN_KEY)
}

/// A manifest over its parents. `told` holds the manifests whose own findings are in the sink already.
fn merge(
    workspace: &Workspace,
    name: &Spanned<String>,
    stack: &mut Vec<String>,
    told: &mut BTreeSet<String>,
    sink: &mut Sink,
) -> Option<Merged> {
    if stack.contains(&name.value) {
        sink.push(errors::extends_cycle(name, stack));
        return None;
    }
    let limit = workspace.limits.extends_depth;
    if stack.len() >= limit.value {
        sink.push(errors::extends_depth(name.span, limit));
        return None;
    }
    let Some(prompt) = workspace.prompts.get(&name.value) else {
        match workspace.text(&format!("{}.toml", name.value)) {
            Err(Some(problem)) => {
                sink.push(crate::workspace::unusable_file(
                    name.span,
                    &format!("{}.toml", name.value),
                    problem,
                    &workspace.limits,
                ));
            }
            // A name that no file can have was told when it was read.
            _ if !is_file_name(name) => {}
            _ => sink.push(errors::unknown_prompt(name, &workspace.prompt_names)),
        }
        return None;
    };
    if told.insert(name.value.clone()) {
        sink.extend(workspace.said(prompt.file).to_vec());
    }
    let mut merged = match &prompt.extends {
        None => Merged::default(),
        Some(parent) => {
            stack.push(name.value.clone());
            let merged = merge(workspace, parent, stack, told, sink);
            stack.pop();
            merged?
        }
    };
    merged.overlay(&name.value, prompt, sink);
    Some(merged)
}

impl Merged {
    fn overlay(&mut self, name: &str, prompt: &Prompt, sink: &mut Sink) {
        let mut known: BTreeMap<String, usize> =
            self.inputs.iter().enumerate().rev().map(|(n, d)| (d.name.value.clone(), n)).collect();
        for definition in &prompt.inputs {
            match known.entry(definition.name.value.clone()) {
                Entry::Occupied(at) => self.inputs[*at.get()] = definition.clone(),
                Entry::Vacant(at) => {
                    at.insert(self.inputs.len());
                    self.inputs.push(definition.clone());
                }
            }
        }
        self.constraints.extend(prompt.constraints.iter().cloned());
        self.variants.clone_from(&prompt.variants);
        if prompt.simple.is_some() {
            self.simple.clone_from(&prompt.simple);
        }
        self.layout.overlay(&prompt.layout);
        self.remove(&prompt.remove, sink);
        self.place(name, &prompt.sections, sink);
        self.all_ids = self.ids();
        let known: BTreeSet<&str> = self.all_ids.iter().map(String::as_str).collect();
        let own = prompt.layout.replacements().iter().filter_map(|r| r.sections.as_ref()).flatten();
        for id in own.chain(prompt.simple.iter().flatten()) {
            if !known.contains(id.value.as_str()) {
                let known = if sink.shows_errors() { &*self.all_ids } else { &[] };
                sink.push(errors::unknown_section(id, "this prompt", known));
            }
        }
    }

    /// Drops one inherited section for each name.
    fn remove(&mut self, names: &[Spanned<String>], sink: &mut Sink) {
        let mut left: BTreeMap<&str, Vec<&Spanned<String>>> = BTreeMap::new();
        names.iter().rev().for_each(|name| left.entry(name).or_default().push(name));
        self.sections.retain(|(_, s)| left.get_mut(s.id.value.as_str()).and_then(Vec::pop).is_none());
        let mut unknown: Vec<&Spanned<String>> = left.into_values().flatten().collect();
        unknown.sort_by_key(|name| name.span.start);
        let ids = self.ids();
        for id in unknown {
            let known = if sink.shows_errors() { &*ids } else { &[] };
            sink.push(errors::unknown_section(id, "the inherited sections", known));
        }
    }

    /// The same id replaces in place; a new one goes to its anchor, several at one anchor in file order, or to the end.
    fn place(&mut self, name: &str, own: &[Section], sink: &mut Sink) {
        let inherited = std::mem::take(&mut self.sections).into_iter();
        let mut order = Order::new(inherited.map(|entry| (entry.1.id.value.clone(), entry)));
        let mut behind: BTreeMap<&str, &str> = BTreeMap::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for section in own {
            let id = section.id.value.clone();
            let entry = (name.to_owned(), section.clone());
            if !seen.insert(&section.id) {
                // Told as a duplicate; it stays, so that what is wrong in it is told too.
                order.push(id, entry);
            } else if let Some(inherited) = order.get_mut(&id) {
                if let Some(anchor) = section.after.as_ref().or(section.before.as_ref()) {
                    sink.push(errors::anchored_replacement(anchor.span, &section.id));
                }
                let required = inherited.1.required;
                *inherited = entry;
                inherited.1.required |= required;
            } else if let Some(anchor) = section.after.as_ref().or(section.before.as_ref()) {
                let placed = match &section.after {
                    Some(anchor) => {
                        let last = behind.insert(&anchor.value, &section.id).unwrap_or(&anchor.value);
                        order.insert_behind(last, id.clone(), entry)
                    }
                    None => order.insert_ahead(anchor, id.clone(), entry),
                };
                if let Err(entry) = placed {
                    let known = if sink.shows_errors() { order.ids() } else { Vec::new() };
                    sink.push(errors::unknown_section(anchor, "the sections so far", &known));
                    order.push(id, entry);
                }
            } else {
                order.push(id, entry);
            }
        }
        self.sections = order.into_items();
    }

    fn ids(&self) -> Vec<String> {
        self.sections.iter().map(|(_, s)| s.id.value.clone()).collect()
    }

    /// Checks every condition, and applies the first variant that holds.
    fn settle(&mut self, inputs: &Inputs, build: &Values, sink: &mut Sink) {
        let replaces = self.layout.replace.iter().filter_map(|r| r.when.as_ref());
        for condition in self.sections.iter().filter_map(|(_, s)| s.when.as_ref()).chain(replaces) {
            expr::check(condition, inputs, sink);
        }
        let mut chosen = None;
        for variant in &self.variants {
            self.check_variant(variant, inputs, sink);
            let holds = build.holds(variant.when.as_ref());
            if let Some(when) = &variant.when
                && inputs.lifetime(when.names()).is_run_time()
            {
                sink.push(errors::variant_at_run_time(when, inputs));
            }
            if chosen.is_none() && holds == Some(true) {
                chosen = Some(variant.clone());
            }
        }
        if let Some(variant) = chosen {
            self.apply(&variant);
        }
    }

    fn check_variant(&self, variant: &Variant, inputs: &Inputs, sink: &mut Sink) {
        if let Some(when) = &variant.when {
            expr::check(when, inputs, sink);
        }
        let order = variant.order.iter().flatten();
        let bodies = variant.body.iter().map(|(id, _)| id);
        let separators = variant.separator_before.iter().map(|(id, _)| id);
        let known: BTreeSet<&str> = self.all_ids.iter().map(String::as_str).collect();
        for id in order.chain(bodies).chain(separators) {
            if !known.contains(id.value.as_str()) {
                let known = if sink.shows_errors() { &*self.all_ids } else { &[] };
                sink.push(errors::unknown_section(id, "this prompt", known));
            }
        }
        if let Some(order) = &variant.order {
            let kept: BTreeSet<&str> = order.iter().map(|id| id.value.as_str()).collect();
            for (_, section) in self.sections.iter().filter(|(_, s)| s.required) {
                if !kept.contains(section.id.value.as_str()) {
                    sink.push(errors::required_dropped_by_variant(variant.span, section));
                }
            }
        }
    }

    fn apply(&mut self, variant: &Variant) {
        if let Some(order) = &variant.order {
            let mut left: BTreeMap<String, VecDeque<(String, Section)>> = BTreeMap::new();
            for entry in std::mem::take(&mut self.sections) {
                left.entry(entry.1.id.value.clone()).or_default().push_back(entry);
            }
            let next = |id: &Spanned<String>| left.get_mut(&id.value)?.pop_front();
            self.sections = order.iter().filter_map(next).collect();
        }
        let mut sections: BTreeMap<String, &mut Section> = BTreeMap::new();
        for (_, section) in &mut self.sections {
            // Of one id the first is meant; the others were told.
            sections.entry(section.id.value.clone()).or_insert(section);
        }
        for (id, body) in &variant.body {
            if let Some(section) = sections.get_mut(&id.value) {
                section.content = Content::Body(body.clone());
            }
        }
        for (id, separator) in &variant.separator_before {
            if let Some(section) = sections.get_mut(&id.value) {
                section.separator_before = Some(separator.clone());
            }
        }
        if let Some(separator) = &variant.separator {
            self.layout.separator.clone_from(separator);
        }
    }
}

impl Manifests {
    /// The name space of the profile.
    pub(super) fn inputs(&self, profile: &Profile, cell: &Given, sink: &mut Sink) -> Inputs {
        let manifests: Vec<(&[Definition], &[Constraint])> =
            self.merged.values().map(|m| (m.inputs.as_slice(), m.constraints.as_slice())).collect();
        Inputs::collect(profile, &manifests, cell, self.limits, sink)
    }

    /// The manifests with their variants applied.
    pub(super) fn with_variants(mut self, inputs: &Inputs, build: &Values, sink: &mut Sink) -> Manifests {
        for merged in self.merged.values_mut() {
            merged.settle(inputs, build, sink);
        }
        self
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Merged> {
        self.merged.values()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Merged> {
        self.merged.get(name)
    }
}
