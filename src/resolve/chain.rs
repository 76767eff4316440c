//! The routes: what is sent when each link wins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::asked::Asked;
use super::inputs::check_table;
use super::manifests::{Manifests, Merged};
use super::view::View;
use super::zones::settle;
use super::{Appended, Carried, Inputs, Origin, Reads, Route, Section, Source, Values, errors, reads};
use crate::diag::Sink;
use crate::expr;
use crate::manifest::{
    Agent, AgentName, AppendItem, Body, Carrier, Channel, Content, Layer, Layout, Link, Mode, Profile, Role, Shape,
    Zone,
};
use crate::source::{Located, Span, Spanned};
use crate::workspace::{Workspace, missing_file, unusable_file};

/// Where agents are, from `prompts/`.
const AGENTS: &str = "agents/";

/// Stands before an agent that extends the default.
const AGENT_HEADING: &str = "# Custom Agent Instructions\n\n";

pub(super) struct Chain<'a> {
    workspace: &'a Workspace,
    profile: &'a Profile,
    manifests: &'a Manifests,
    inputs: &'a Inputs,
    build: &'a Values,
    view: View<'a>,
    agents: Vec<&'a Located>,
    sink: &'a mut Sink,
    /// What sections read, by definition and layout: the same section is read once, however many routes it is on.
    known: BTreeMap<(Span, Option<String>), Arc<Reads>>,
    /// What was asked for so far.
    pub(super) asked: Asked,
}

impl<'a> Chain<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        profile: &'a Profile,
        manifests: &'a Manifests,
        inputs: &'a Inputs,
        build: &'a Values,
        sink: &'a mut Sink,
    ) -> Chain<'a> {
        let view = View::new(inputs, build);
        let agents = workspace.agents.iter().map(|a| &a.body).collect();
        let (known, asked) = (BTreeMap::new(), manifests.asked.clone());
        let mut chain = Chain { workspace, profile, manifests, inputs, build, view, agents, sink, known, asked };
        chain.check();
        chain
    }

    /// What can be said of the links one by one.
    fn check(&mut self) {
        let links = self.profile.chain.links.iter().map(|l| (&l.carrier, l.when.as_ref(), &l.shape));
        let items = self.profile.chain.append.iter().map(|a| (&a.carrier, a.when.as_ref(), &a.shape));
        for (carrier, when, shape) in links.chain(items).collect::<Vec<_>>() {
            if let Some(when) = when {
                expr::check(when, self.inputs, self.sink);
            }
            self.check_carrier(carrier, shape);
        }
        let bodies = self.manifests.all().flat_map(|m| &m.variants).flat_map(|v| &v.body);
        for (id, body) in bodies {
            self.body_source(id, body);
        }
        if self.profile.chain.links.is_empty() && self.workspace.said(self.profile.file).is_empty() {
            self.sink.push(errors::empty_chain(self.profile.chain_span));
        }
        if self.uses_agents() {
            self.asked.folder(AGENTS);
            for agent in &self.workspace.agents {
                self.sink.extend(self.workspace.said(agent.file).to_vec());
            }
            let mut known: BTreeMap<&str, &Agent> = BTreeMap::new();
            for agent in &self.workspace.agents {
                let first = *known.entry(&agent.name).or_insert(agent);
                if !std::ptr::eq(first, agent) {
                    self.sink.push(errors::duplicate_agent(agent, first));
                }
            }
        }
    }

    fn uses_agents(&self) -> bool {
        let links = self.profile.chain.links.iter().map(|l| &l.carrier);
        links.chain(self.profile.chain.append.iter().map(|a| &a.carrier)).any(|c| matches!(c, Carrier::Agent(_)))
    }

    fn check_carrier(&mut self, carrier: &Carrier, shape: &Shape) {
        let name = match carrier {
            Carrier::Input(name) | Carrier::Agent(AgentName::Input(name)) => name,
            _ => return,
        };
        match self.inputs.get(&name.value) {
            None => self.sink.push(errors::unknown_input(name, self.inputs.iter().map(|(n, _)| n))),
            Some(input) => {
                // An enum is a string of a closed set.
                if !matches!(input.kind, crate::input::Type::String | crate::input::Type::Enum(_)) {
                    self.sink.push(errors::carrier_type(name, &input.kind));
                }
                if shape.render && input.is_foreign() && matches!(carrier, Carrier::Input(_)) {
                    self.sink.push(errors::rendered_foreign(name));
                }
                if matches!(carrier, Carrier::Input(_)) && input.definition.plain().is_some_and(|p| p.secret) {
                    self.sink.push(errors::secret_carrier(name));
                }
                let known = matches!(input.lifetime(), crate::input::Lifetime::Build);
                if shape.zone.value == Zone::Static && !known {
                    self.sink.push(errors::static_layer_open(shape.zone.span, name));
                }
            }
        }
    }

    fn default(&self) -> Option<(&'a str, &'a Merged)> {
        let link = self.profile.chain.link(Layer::Default)?;
        match &link.carrier {
            Carrier::Prompt(name) => Some((name.value.as_str(), self.manifests.get(&name.value)?)),
            _ => None,
        }
    }

    /// One route for each link, strongest first.
    pub(super) fn routes(&mut self) -> Vec<Route> {
        let mut out = Vec::new();
        let mut decided = false;
        for link in &self.profile.chain.links {
            let holds = if link.unreadable { None } else { self.build.holds(link.when.as_ref()) };
            let can_win = !decided && holds != Some(false);
            decided |= holds == Some(true);
            out.extend(self.route(link, holds, can_win));
        }
        out
    }

    fn route(&mut self, link: &'a Link, holds: Option<bool>, can_win: bool) -> Option<Route> {
        let default = self.default();
        let (own, layout) = match &link.carrier {
            Carrier::Prompt(name) => {
                let merged = self.manifests.get(&name.value)?;
                (self.manifest_sections(merged, Origin::Prompt), merged.layout.clone())
            }
            carrier => {
                let layout = default.map_or_else(Layout::default, |(_, m)| m.layout.clone());
                let mut layer = self.layer(link.layer.name(), carrier, &link.shape, link.span, Origin::Layer);
                let mut own = Vec::new();
                if link.mode == Mode::Extend {
                    layer.heading = AGENT_HEADING.to_owned();
                    own = self.extended(link, default);
                }
                own.push(layer);
                (own, layout)
            }
        };
        let (front, back) = self.kept(link, default, &own);
        let kept = front.iter().chain(&back).map(|s| s.id.clone()).collect();
        let mut sections: Vec<Section> = front.into_iter().chain(own).chain(back).collect();
        if can_win {
            self.check_required(link, default, &sections);
        }
        for (n, item) in self.profile.chain.append.iter().enumerate() {
            if link.layer != Layer::Override || item.after_override {
                sections.push(self.append_section(n, item));
            }
        }
        let prompt = match &link.carrier {
            Carrier::Prompt(name) => Some(name.value.clone()),
            _ => None,
        };
        Some(self.finish(link, holds, can_win, prompt, layout, sections, kept))
    }

    /// What an agent that extends stands behind: the default's sections, or its text.
    fn extended(&mut self, link: &Link, default: Option<(&'a str, &'a Merged)>) -> Vec<Section> {
        let Some(base) = self.profile.chain.link(Layer::Default) else {
            self.sink.push(errors::extends_nothing(link.span));
            return Vec::new();
        };
        match (default, &base.carrier) {
            (Some((_, merged)), _) => self.manifest_sections(merged, Origin::Kept),
            (None, Carrier::Prompt(_)) => Vec::new(),
            (None, carrier) => {
                let name = base.layer.name();
                let origin = Origin::Kept(name.to_owned());
                vec![Section { origin, ..self.layer(name, carrier, &base.shape, base.span, Origin::Layer) }]
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a route, put together in one place")]
    fn finish(
        &mut self,
        link: &Link,
        holds: Option<bool>,
        can_win: bool,
        prompt: Option<String>,
        layout: Layout,
        mut sections: Vec<Section>,
        kept: Vec<String>,
    ) -> Route {
        for section in &mut sections {
            self.read(section, &layout, prompt.as_deref());
        }
        let (live, gone): (Vec<_>, Vec<_>) =
            sections.into_iter().partition(|s| self.build.holds(s.when.as_ref()) != Some(false));
        Route {
            layer: link.layer,
            prompt,
            when: link.when.clone(),
            holds,
            can_win,
            layout,
            sections: settle(live),
            folded: gone,
            kept,
            carrier: self.carried(&link.carrier, link.span),
            agent: match &link.carrier {
                Carrier::Agent(name) => Some(name.clone()),
                _ => None,
            },
            span: link.span,
        }
    }

    /// The default cut short to its `simple` sections: no chain, no append.
    pub(super) fn simple(&mut self) -> Vec<Route> {
        let Some(link) = self.profile.chain.link(Layer::Default) else { return Vec::new() };
        let Some((name, merged)) = self.default() else {
            self.sink.push(errors::no_simple(link.span, None));
            return Vec::new();
        };
        let Some(wanted) = &merged.simple else {
            self.sink.push(errors::no_simple(link.span, Some(name)));
            return Vec::new();
        };
        let mut sections = self.manifest_sections(merged, Origin::Prompt);
        let wanted: BTreeSet<&str> = wanted.iter().map(|id| id.value.as_str()).collect();
        sections.retain(|s| wanted.contains(s.id.as_str()));
        let layout = merged.layout.clone();
        vec![self.finish(link, Some(true), true, Some(name.to_owned()), layout, sections, Vec::new())]
    }

    /// What `append` gives, whichever link wins.
    pub(super) fn appended(&self) -> Vec<Appended> {
        let items = self.profile.chain.append.iter().enumerate();
        items
            .map(|(n, item)| Appended {
                id: append_id(n),
                when: item.when.clone(),
                after_override: item.after_override,
                carrier: self.carried(&item.carrier, item.span),
            })
            .collect()
    }

    /// Sections of the default that stay: those of its leading run and with a role in front, all others behind.
    fn kept(
        &mut self,
        link: &Link,
        default: Option<(&'a str, &'a Merged)>,
        own: &[Section],
    ) -> (Vec<Section>, Vec<Section>) {
        let ids = default.map_or(&[][..], |(_, m)| &m.all_ids);
        let known: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
        for id in link.keep.iter().filter(|id| !known.contains(id.value.as_str())) {
            self.sink.push(errors::unknown_keep(id, ids));
        }
        let Some((_, merged)) = default.filter(|_| !link.keep.is_empty()) else { return (Vec::new(), Vec::new()) };
        let all = self.manifest_sections(merged, Origin::Kept);
        let live: Vec<Section> =
            all.iter().filter(|s| self.build.holds(s.when.as_ref()) != Some(false)).cloned().collect();
        let front: BTreeSet<String> = settle(live)
            .into_iter()
            .filter(|s| s.role != Role::Content || (s.zone == Zone::Static && s.channel == Channel::System))
            .map(|s| s.id)
            .collect();
        let kept: BTreeSet<&str> = link.keep.iter().map(|id| id.value.as_str()).collect();
        let own: BTreeSet<&str> = own.iter().map(|s| s.id.as_str()).collect();
        all.into_iter()
            .filter(|s| kept.contains(s.id.as_str()) && !own.contains(s.id.as_str()))
            .partition(|s| front.contains(&s.id))
    }

    fn check_required(&mut self, link: &Link, default: Option<(&str, &Merged)>, sections: &[Section]) {
        let Some((name, merged)) = default else { return };
        let ids: BTreeSet<&str> = sections.iter().map(|s| s.id.as_str()).collect();
        for (_, required) in merged.sections.iter().filter(|(_, s)| s.required) {
            if !ids.contains(required.id.value.as_str()) {
                self.sink.push(errors::required_lost(link, name, required));
            }
        }
    }

    fn manifest_sections(&mut self, merged: &'a Merged, origin: fn(String) -> Origin) -> Vec<Section> {
        merged.sections.iter().map(|(from, section)| self.manifest_section(section, origin(from.clone()))).collect()
    }

    fn manifest_section(&mut self, section: &'a crate::manifest::Section, origin: Origin) -> Section {
        let source = match &section.content {
            Content::Text(text) => Source::Text(text.clone()),
            Content::Body(body) => self.body_source(&section.id, body),
            Content::Broken => Source::Broken,
        };
        Section {
            id: section.id.value.clone(),
            declared: section.zone.value,
            zone: section.zone.value,
            channel: section.channel,
            role: section.role,
            required: section.required,
            when: section.when.clone(),
            source,
            verbatim: section.verbatim,
            dangerous: section.dangerous.clone(),
            freeze: section.freeze.clone(),
            allow: section.allow.clone(),
            separator_before: section.separator_before.clone(),
            trim: section.trim,
            keep_empty: section.keep_empty,
            heading: String::new(),
            origin,
            span: section.id.span,
            reads: Arc::default(),
        }
    }

    fn body_source(&mut self, id: &Spanned<String>, body: &Body) -> Source {
        match body {
            Body::File(path) => self.body(path).map_or(Source::Broken, Source::Text),
            Body::ByAxis { by, files, otherwise, span } => self.choice(id, by, files, otherwise.as_ref(), *span),
        }
    }

    fn choice(
        &mut self,
        id: &Spanned<String>,
        by: &Spanned<String>,
        files: &[(Spanned<String>, Spanned<String>)],
        otherwise: Option<&Spanned<String>>,
        span: Span,
    ) -> Source {
        let before = self.sink.errors();
        match (self.inputs.get(by), self.inputs.domain(by)) {
            (None, _) => self.sink.push(errors::unknown_axis(by, self.inputs.iter().map(|(n, _)| n))),
            (Some(input), None) => self.sink.push(errors::not_an_axis(by, &input.kind)),
            (Some(_), Some(domain)) => {
                let keys = files.iter().map(|(value, _)| value);
                let what = format!("the body of {}", id.value);
                check_table(&what, span, by, keys, otherwise.is_some(), &domain, self.sink);
            }
        }
        let mut broken = self.sink.since(before).is_err();
        let mut read = |path: &Spanned<String>| {
            let text = self.body(path);
            broken |= text.is_none();
            Some((path.value.clone(), text?))
        };
        let texts: Vec<_> = files.iter().filter_map(|(value, path)| Some((value.value.clone(), read(path)?))).collect();
        let otherwise = otherwise.and_then(&mut read);
        if broken { Source::Broken } else { Source::Choice { by: by.clone(), files: texts, otherwise } }
    }

    fn body(&mut self, path: &Spanned<String>) -> Option<Located> {
        self.asked.file(path);
        match self.workspace.text(path) {
            Ok(text) => return Some(text.clone()),
            Err(Some(problem)) => self.sink.push(unusable_file(path.span, path, problem, &self.workspace.limits)),
            Err(None) => self.sink.push(missing_file(path.span, path, self.workspace.texts.paths())),
        }
        None
    }

    /// The one section of a layer whose text is no manifest.
    fn layer(&mut self, id: &str, carrier: &'a Carrier, shape: &Shape, span: Span, origin: Origin) -> Section {
        let source = match carrier {
            // A prompt is no text; its link has no layer section.
            Carrier::Prompt(_) => Source::Broken,
            Carrier::File(path) => self.body(path).map_or(Source::Broken, Source::Text),
            Carrier::Flag(_, text) | Carrier::Text(text) => Source::Text(text.clone()),
            Carrier::Input(name) => {
                if shape.render {
                    // What a template that arrives as a value includes is known when it is rendered.
                    self.asked.folder("");
                }
                Source::Input(name.clone())
            }
            Carrier::Agent(AgentName::Input(name)) => Source::Agent(name.clone()),
            Carrier::Agent(AgentName::Literal(name)) => match find_agent(&self.workspace.agents, name) {
                Some(agent) => Source::Text(agent.body.clone()),
                None => {
                    self.sink.push(errors::unknown_agent(name.span, name, &self.workspace.agents));
                    Source::Broken
                }
            },
        };
        Section {
            id: id.to_owned(),
            declared: shape.zone.value,
            zone: shape.zone.value,
            channel: Channel::System,
            role: Role::Content,
            required: false,
            when: None,
            source,
            verbatim: !shape.render,
            dangerous: None,
            freeze: None,
            allow: Vec::new(),
            separator_before: shape.separator_before.clone(),
            trim: Some(shape.trim),
            keep_empty: Some(false),
            heading: String::new(),
            origin,
            span,
            reads: Arc::default(),
        }
    }

    fn append_section(&mut self, n: usize, item: &'a AppendItem) -> Section {
        let mut section = self.layer(&append_id(n), &item.carrier, &item.shape, item.span, Origin::Append);
        section.when.clone_from(&item.when);
        section.dangerous.clone_from(&item.dangerous);
        section.heading.clone_from(&item.heading);
        section
    }

    fn read(&mut self, section: &mut Section, layout: &Layout, prompt: Option<&str>) {
        let layout_of = if section.is_layer() && section.verbatim { None } else { Some(prompt.unwrap_or_default()) };
        let key = (section.span, layout_of.map(|name| [name, "\0", &section.id].concat()));
        if let Some(reads) = self.known.get(&key) {
            section.reads = reads.clone();
            return;
        }
        let texts = &*self.workspace.texts;
        section.reads =
            reads::read(section, layout, texts, &self.agents, &self.view, &self.workspace.limits, self.sink).into();
        section.reads.asked.iter().for_each(|path| self.asked.file(path));
        self.known.insert(key, section.reads.clone());
    }

    fn carried(&self, carrier: &Carrier, span: Span) -> Carried {
        let sources = &self.workspace.sources;
        let place = |span: Span| {
            let file = sources.file(span.file);
            format!("{}:{}", file.path(), file.lines().line(span.start))
        };
        let (kind, source) = match carrier {
            Carrier::Prompt(name) => ("prompt", format!("prompts/{}.toml", name.value)),
            Carrier::File(path) => ("file", format!("prompts/{}", path.value)),
            Carrier::Flag(flag, _) => ("flag", format!("flag:{flag}")),
            Carrier::Text(_) => ("text", place(span)),
            Carrier::Input(name) => ("input", name.value.clone()),
            Carrier::Agent(AgentName::Input(name)) => ("agent", format!("named by {}", name.value)),
            Carrier::Agent(AgentName::Literal(name)) => {
                let agent = find_agent(&self.workspace.agents, name);
                ("agent", agent.map_or_else(|| name.value.clone(), |a| sources.path(a.file).to_owned()))
            }
        };
        Carried { kind, source }
    }
}

/// The agent of this name.
pub(super) fn find_agent<'w>(agents: &'w [Agent], name: &str) -> Option<&'w Agent> {
    agents.iter().find(|a| a.name.value == name)
}

fn append_id(n: usize) -> String {
    format!("append-{}", n + 1)
}
