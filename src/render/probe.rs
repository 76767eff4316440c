//! One section at a time under trial values, for whoever goes through everything that a section can become.

use std::sync::Arc;

use super::{Job, Renderer};
use crate::diag::{Diagnostic, Sink};
use crate::manifest::{Layout, Trim};
use crate::resolve::{Section, Source, Values};
use crate::source::Span;
use crate::template::{self, Body, Engine, Part};
use crate::workspace::Workspace;

/// Renders sections of one layout.
pub struct Probe<'a> {
    workspace: &'a Workspace,
    layout: &'a Layout,
    engine: Arc<Engine>,
}

impl Renderer {
    /// A probe for the sections of a route with this layout.
    pub fn probe<'a>(&self, workspace: &'a Workspace, layout: &'a Layout) -> Probe<'a> {
        Probe { workspace, layout, engine: self.engine(layout.syntax(), workspace) }
    }
}

impl Probe<'_> {
    /// The final text of a section that lives under these values; `None` when it is dropped as empty. Values are asked
    /// for one by one: what is looked at, the values remember.
    ///
    /// # Errors
    /// Why there is no text.
    pub fn text(&self, section: &Section, values: &Values) -> Result<Option<String>, Vec<Diagnostic>> {
        let mut sink = Sink::default();
        let text = self.job(values).text(section, &mut sink);
        match sink.reported() {
            None => Ok(text),
            Some(_) => Err(sink.into_unsorted()),
        }
    }

    /// The body of a section whose final text is its parts, one behind the other and trimmed; `None` where more happens to
    /// it, or where it is no template of its own.
    pub fn body(&self, section: &Section, values: &Values) -> Option<Body> {
        let Source::Text(text) = &section.source else { return None };
        let is_touched = section.verbatim
            || section.replacements(self.layout).next().is_some()
            || (self.layout.collapse_blank_lines && !section.is_layer())
            || !section.heading.is_empty()
            || section.freeze.is_some()
            || values.cut_names().any(|name| section.reads.all.contains(name));
        (!is_touched).then(|| Body::new(text, self.layout.syntax(), &*self.workspace.texts, &self.workspace.limits))
    }

    /// What a part of a section's body says, untrimmed.
    ///
    /// # Errors
    /// Why it says nothing.
    pub fn part(&self, section: &Section, part: &Part<'_>, values: &Values) -> Result<String, Vec<Diagnostic>> {
        let Source::Text(text) = &section.source else { return Ok(String::new()) };
        let known = template::Values::lazy(Arc::new(values.clone()));
        self.engine.evaluate(text, part, &known).map_err(|error| {
            let path = self.workspace.sources.path(text.file());
            vec![template::render_failed(&section.id, path, &error)]
        })
    }

    /// Which ends of a section's text lose their blanks.
    pub fn trims(&self, section: &Section) -> Trim {
        section.trim.unwrap_or(self.layout.trim)
    }

    /// Whether a section lives when it has no text.
    pub fn keeps_empty(&self, section: &Section) -> bool {
        section.keep_empty.unwrap_or(self.layout.keep_empty)
    }

    /// What makes a section say different things under two assignments: the condition or the choice that decides, or the
    /// place in a body at which what is rendered parts.
    pub fn parting(&self, section: &Section, a: &Values, b: &Values) -> Option<Span> {
        if let Some(when) = &section.when
            && a.holds(Some(when)) != b.holds(Some(when))
        {
            return Some(when.text.whole_span());
        }
        let mut sink = Sink::default();
        let (first, second) = (self.job(a).source(section, &mut sink)?, self.job(b).source(section, &mut sink)?);
        if first.whole_span() != second.whole_span() {
            return match &section.source {
                Source::Choice { by, .. } => Some(by.span),
                Source::Input(name) | Source::Agent(name) => Some(name.span),
                Source::Text(_) | Source::Broken => Some(section.span),
            };
        }
        if !section.verbatim
            && let Ok(Some(place)) = self.engine.parting(&first, &self.job(a).known, &self.job(b).known)
        {
            return Some(place);
        }
        let mut replaced = section.replacements(self.layout).filter_map(|r| r.when.as_ref());
        let decides = replaced.find(|when| a.holds(Some(when)) != b.holds(Some(when)));
        Some(decides.map_or(section.span, |when| when.text.whole_span()))
    }

    fn job<'v>(&'v self, values: &'v Values) -> Job<'v> {
        Job {
            workspace: self.workspace,
            layout: self.layout,
            values,
            engine: self.engine.clone(),
            known: template::Values::lazy(Arc::new(values.clone())),
        }
    }
}
