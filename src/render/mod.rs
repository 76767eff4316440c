//! Text: templates rendered, layout applied, one section at a time.
//!
//! Owns the order of the steps from a template to a section's final text. Does not know scopes or providers. Main
//! types: [`Renderer`], [`Rendered`], [`Probe`].

mod errors;
mod probe;
mod shape;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use errors::RULES;
pub use probe::Probe;
pub use shape::trim;

use crate::diag::Sink;
use crate::input::{Datum, Value};
use crate::manifest::{Agent, Channel, Layout};
use crate::resolve::{self, Inputs, Origin, Section, Source, Values};
use crate::select::{Selected, Verdict};
use crate::source::{Located, Span};
use crate::template::{self, Engine, Syntax};
use crate::workspace::{Texts, Workspace};

/// Engines, kept over many artifacts of one project.
pub struct Renderer {
    texts: Arc<Texts>,
    engines: Mutex<BTreeMap<Syntax, Arc<Engine>>>,
}

/// The sections that stand, in order.
#[derive(Debug)]
pub struct Rendered {
    /// One for each section that lives or is open.
    pub sections: Vec<RenderedSection>,
}

/// A section with its text.
#[derive(Debug)]
pub struct RenderedSection {
    /// Its place among the sections of the route.
    pub index: usize,
    /// Where it is defined: a layer's text in a file stands there, everything else where it is declared.
    pub defined: Span,
    /// Its final text; `None` while it is open.
    pub text: Option<String>,
    /// The template of an open section, as far as one template can say it.
    pub template: Option<String>,
}

impl Renderer {
    /// A renderer for a project.
    pub fn new(workspace: &Workspace) -> Renderer {
        Renderer { texts: workspace.texts.clone(), engines: Mutex::default() }
    }

    fn engine(&self, syntax: Syntax, workspace: &Workspace) -> Arc<Engine> {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Engine::new(self.texts.clone(), syntax, workspace.limits));
        engines.entry(syntax).or_insert_with(new).clone()
    }

    /// Renders every section that lives. What goes wrong goes to the sink; the other sections are rendered all the same.
    /// `before` is the number of errors ahead of this artifact: a link that an error left without text is not told empty.
    pub fn render(&self, workspace: &Workspace, selected: &Selected<'_>, before: usize, sink: &mut Sink) -> Rendered {
        let engine = self.engine(selected.route.layout.syntax(), workspace);
        let known = template::Values::new(selected.values.known());
        let job = Job { workspace, layout: &selected.route.layout, values: &selected.values, engine, known };
        let mut sections = Vec::new();
        let mut bytes = 0;
        for (index, section) in selected.route.sections.iter().enumerate() {
            match selected.verdicts[index] {
                Verdict::Dropped => {}
                Verdict::Open => {
                    let template = job.template(section);
                    let defined = job.defined(section);
                    sections.push(RenderedSection { index, defined, text: None, template });
                }
                Verdict::Live => {
                    if let Some(text) = job.text(section, sink) {
                        bytes += text.len();
                        let defined = job.defined(section);
                        sections.push(RenderedSection { index, defined, text: Some(text), template: None });
                    }
                }
            }
            let limit = workspace.limits.artifact_bytes;
            if bytes > limit.value {
                sink.push(errors::artifact_too_large(section, limit));
                return Rendered { sections: Vec::new() };
            }
        }
        if !sections.iter().any(|s| is_own(&selected.route.sections[s.index])) && sink.since(before).is_ok() {
            sink.push(errors::empty_layer(selected.route));
        }
        Rendered { sections }
    }
}

/// Whether a section is the link's own text: neither kept nor appended.
fn is_own(section: &Section) -> bool {
    matches!(section.origin, Origin::Prompt(_) | Origin::Layer)
}

struct Job<'a> {
    workspace: &'a Workspace,
    layout: &'a Layout,
    values: &'a Values,
    engine: Arc<Engine>,
    /// The same values as templates see them.
    known: template::Values,
}

impl Job<'_> {
    /// The final text of a live section; `None` when it is dropped as empty, or when something went wrong.
    fn text(&self, section: &Section, sink: &mut Sink) -> Option<String> {
        if section.is_broken() {
            return None;
        }
        let source = self.source(section, sink)?;
        let raw = if section.verbatim {
            source.text.to_string()
        } else {
            if matches!(section.source, Source::Input(_)) {
                self.check_value(&source, sink)?;
            }
            match self.engine.render(&source, &self.known) {
                Ok(text) => text,
                Err(error) => {
                    let path = self.workspace.sources.path(source.file());
                    sink.push(template::render_failed(&section.id, path, &error));
                    return None;
                }
            }
        };
        self.finished(section, raw, sink)
    }

    /// What becomes of a text once it is rendered.
    fn finished(&self, section: &Section, raw: String, sink: &mut Sink) -> Option<String> {
        let (layout, values, limits) = (self.layout, self.values, &self.workspace.limits);
        let mut text = match shape::shape(raw, section, layout, values, limits.section_bytes.value) {
            Ok(text) => text,
            Err(problem) => {
                sink.push(errors::replace_failed(section, &problem, limits));
                return None;
            }
        };
        if text.is_empty() {
            // An empty text gets no additions.
            return section.keep_empty.unwrap_or(layout.keep_empty).then_some(text);
        }
        text.insert_str(0, &section.heading);
        if let Some(note) = &section.freeze {
            text.push_str("\n\n");
            text.push_str(note);
        }
        for name in values.cut_names().filter(|name| section.reads.all.contains(*name)) {
            let more = values.cut(name).unwrap_or(0);
            text.push_str(&format!("\n[{more} more in {name}]"));
        }
        if section.channel == Channel::UserContext {
            text = template::neutralise(&text, "system-reminder");
        }
        Some(text)
    }

    /// A value that is itself a template names only what there is.
    fn check_value(&self, source: &Located, sink: &mut Sink) -> Option<()> {
        let before = sink.errors();
        let found = resolve::check_value_template(
            source,
            self.layout,
            &*self.workspace.texts,
            self.values,
            &self.workspace.limits,
        );
        sink.extend(found);
        sink.since(before).ok()
    }

    fn defined(&self, section: &Section) -> Span {
        match &section.source {
            Source::Text(text) if section.is_layer() => text.whole_span(),
            Source::Agent(name) => self.agent(name).map_or(section.span, |agent| agent.body.whole_span()),
            _ => section.span,
        }
    }

    fn agent(&self, name: &str) -> Option<&Agent> {
        let Datum::Known(Value::String(wanted)) = self.values.get(name) else { return None };
        self.workspace.agents.iter().find(|a| a.name.value == wanted)
    }

    /// The template, or the verbatim text, of a live section.
    fn source(&self, section: &Section, sink: &mut Sink) -> Option<Located> {
        match &section.source {
            Source::Broken => None,
            Source::Text(text) => Some(text.clone()),
            Source::Choice { by, files, otherwise } => {
                let key = self.values.get(by).value().and_then(crate::input::key_of);
                let found = files.iter().find(|(value, _)| Some(value) == key.as_ref()).map(|(_, file)| file);
                match found.or(otherwise.as_ref()) {
                    Some((_, text)) => Some(text.clone()),
                    None => {
                        sink.push(errors::no_choice(section, by));
                        None
                    }
                }
            }
            Source::Input(name) => match self.values.get(name) {
                Datum::Known(Value::String(text)) => Some(Located::spread(text.into(), name.span)),
                _ => {
                    sink.push(errors::no_text(section, name));
                    None
                }
            },
            Source::Agent(name) => {
                let agent = self.agent(name);
                if agent.is_none() {
                    let datum = self.values.get(name);
                    let wanted = match &datum {
                        Datum::Known(Value::String(wanted)) => Some(wanted.as_str()),
                        _ => None,
                    };
                    sink.push(errors::no_agent(name, wanted, &self.workspace.agents));
                }
                agent.map(|a| a.body.clone())
            }
        }
    }

    /// What a run time needs to finish an open section, where one template can say it.
    fn template(&self, section: &Section) -> Option<String> {
        match &section.source {
            Source::Text(_) => Some(as_written(section, self.values.inputs())),
            Source::Choice { by, files, otherwise } => {
                let key = self.values.get(by).value().and_then(crate::input::key_of);
                let found = files.iter().find(|(value, _)| Some(value) == key.as_ref()).map(|(_, file)| file);
                match (key, found.or(otherwise.as_ref())) {
                    (Some(_), Some((_, text))) => Some(text.text.to_string()),
                    _ if section.verbatim => None,
                    _ => Some(as_written(section, self.values.inputs())),
                }
            }
            Source::Input(_) if section.verbatim => Some(as_written(section, self.values.inputs())),
            Source::Input(_) | Source::Agent(_) | Source::Broken => None,
        }
    }
}

/// The text of a section before any value is known: its template; a body chosen by an axis as an include whose name is
/// computed; a value as it would be printed.
pub fn as_written(section: &Section, inputs: &Inputs) -> String {
    match &section.source {
        Source::Text(text) => text.text.to_string(),
        Source::Choice { by, files, otherwise } => choice_template(by, files, otherwise.as_ref(), inputs),
        Source::Input(name) | Source::Agent(name) => format!("{{{{ {} }}}}", name.value),
        Source::Broken => String::new(),
    }
}

/// A body chosen by an axis, as an include whose name is computed.
fn choice_template(
    by: &str,
    files: &[(String, (String, Located))],
    otherwise: Option<&(String, Located)>,
    inputs: &Inputs,
) -> String {
    let is_bool = inputs.get(by).is_some_and(|i| i.kind == crate::input::Type::Bool);
    let mut out = String::from("{% include ");
    for (n, (value, (path, _))) in files.iter().enumerate() {
        let last = n + 1 == files.len() && otherwise.is_none();
        let test = match (is_bool, value.as_str()) {
            (true, "true") => by.to_owned(),
            (true, _) => format!("not {by}"),
            (false, value) => format!("{by} == {}", quoted(value)),
        };
        match last {
            true => out.push_str(&quoted(path)),
            false => out.push_str(&format!("{} if {test} else ", quoted(path))),
        }
    }
    if let Some((path, _)) = otherwise {
        out.push_str(&quoted(path));
    }
    out.push_str(" %}");
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    crate::json::write_string(&mut out, text);
    out
}
