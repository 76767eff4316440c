//! Messages for people.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::escape::escape;
use super::place;
use crate::diag::{Diagnostic, Label, Place, Severity, Sink};
use crate::source::{FileId, SourceMap};

/// Whether colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// They are.
    On,
    /// They are not.
    Off,
}

/// All messages, each with its source lines, an empty line behind each.
pub fn diagnostics(list: &[Diagnostic], sources: &SourceMap, colors: Colors, width: usize) -> String {
    let renderer = match colors {
        Colors::On => Renderer::styled(),
        Colors::Off => Renderer::plain(),
    };
    let renderer = renderer.term_width(width);
    let mut out = String::new();
    for diagnostic in list {
        out.push_str(renderer.render(&[group(diagnostic, sources)]).trim_end());
        out.push_str("\n\n");
    }
    out
}

/// One line a message: `path:line:column: error[name]: headline`.
pub fn concise(list: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in list {
        let at = match &diagnostic.place {
            Place::Span(span) => {
                let start = place::range(sources, *span).start;
                format!("{}:{}:{}", sources.path(span.file), start.line, start.column)
            }
            Place::File { path, .. } => path.clone(),
        };
        let line = format!("{at}: {}[{}]: {}", word(diagnostic), diagnostic.rule.name, diagnostic.message);
        out.push_str(&escape(&line).replace('\n', "\\n"));
        out.push('\n');
    }
    out
}

/// "2 errors, 1 warning", or nothing when there is nothing to count.
pub fn summary(list: &[Diagnostic]) -> Option<String> {
    let count = |severity| list.iter().filter(|d| Sink::severity(d) == severity).count();
    let part = |n: usize, word: &str| (n > 0).then(|| format!("{n} {word}{}", if n == 1 { "" } else { "s" }));
    let parts: Vec<String> = [part(count(Severity::Error), "error"), part(count(Severity::Warning), "warning")]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn word(diagnostic: &Diagnostic) -> &'static str {
    match Sink::severity(diagnostic) {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match Sink::severity(diagnostic) {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(escape(&diagnostic.message)).id(diagnostic.rule.name);
    let mut elements: Vec<Element<'a>> = Vec::new();
    match &diagnostic.place {
        Place::File { path, .. } => elements.push(Origin::path(escape(path)).into()),
        Place::Span(span) => {
            let primary = Label { span: *span, text: diagnostic.label.clone() };
            elements.push(snippet(span.file, Some(&primary), &diagnostic.labels, sources).into());
        }
    }
    let own = diagnostic.file();
    let mut others: Vec<FileId> = diagnostic.labels.iter().map(|l| l.span.file).filter(|f| Some(*f) != own).collect();
    others.dedup();
    for file in others {
        elements.push(snippet(file, None, &diagnostic.labels, sources).into());
    }
    if let Some(profile) = &diagnostic.profile {
        elements.push(Level::NOTE.message(format!("in the profile `{profile}`")).into());
    }
    elements.extend(diagnostic.notes.iter().map(|note| Element::from(Level::NOTE.message(escape(note)))));
    elements.extend(diagnostic.help.iter().map(|help| Element::from(Level::HELP.message(escape(help)))));
    Group::with_title(title).elements(elements)
}

fn snippet<'a>(
    file: FileId,
    primary: Option<&Label>,
    labels: &[Label],
    sources: &'a SourceMap,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text = sources.file(file).text();
    let annotation = |kind: AnnotationKind, label: &Label| {
        let range = label.span.range();
        let annotation = kind.span(visible(text, range));
        match label.text.is_empty() {
            true => annotation,
            false => annotation.label(escape(&label.text)),
        }
    };
    let mut snippet = Snippet::source(text).path(escape(sources.path(file)));
    if let Some(primary) = primary {
        snippet = snippet.annotation(annotation(AnnotationKind::Primary, primary));
    }
    for label in labels.iter().filter(|l| l.span.file == file) {
        snippet = snippet.annotation(annotation(AnnotationKind::Context, label));
    }
    snippet
}

/// A range that can be shown: of a text of many lines the first, so that a whole file is not printed.
fn visible(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let end = range.end.min(text.len());
    let start = range.start.min(end);
    match text[start..end].find('\n') {
        Some(line) => start..start + line,
        None => start..end,
    }
}
