//! Messages for people.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::escape::{one_line, without_commands};
use super::excerpt::Excerpt;
use super::place;
use crate::diag::{self, Diagnostic, Label, Place, Severity};
use crate::source::{FileId, SourceMap};

/// Whether colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// They are.
    On,
    /// They are not.
    Off,
}

impl Colors {
    /// A text in the colour of this code, or as it is.
    pub(super) fn paint(self, text: &str, code: &str) -> String {
        match self {
            Colors::On => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Colors::Off => text.to_owned(),
        }
    }
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
        let text = renderer.render(&[group(diagnostic, sources)]);
        // An excerpt whose place was told ahead of it begins with the mark of a place, and no place.
        out.extend(text.trim_end().split_inclusive('\n').filter(|line| !is_mark_alone(line)));
        out.push_str("\n\n");
    }
    without_commands(&out)
}

/// Whether a line has the mark of a place alone, and colours. What comes from files cannot be such a line: all of it stands
/// behind a `|`, a `=`, a place or a level.
fn is_mark_alone(line: &str) -> bool {
    line.contains(":::") && line.chars().all(|c| matches!(c, ' ' | ':' | '\n' | '\u{1b}' | '[' | 'm' | '0'..='9'))
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
            Place::File { path, bad: Some(bad) } => format!("{path}:{}:{}", bad.line, bad.column),
            Place::File { path, bad: None } => path.clone(),
        };
        let line = format!("{at}: {}[{}]: {}", word(diagnostic), diagnostic.rule.name, diagnostic.message);
        out.push_str(&one_line(&line));
        out.push('\n');
    }
    without_commands(&out)
}

/// "2 errors, 1 warning", or nothing when there is nothing to count.
pub fn summary(list: &[Diagnostic]) -> Option<String> {
    let count = |severity| diag::count(list, severity);
    let part = |n: usize, word: &str| (n > 0).then(|| format!("{n} {word}{}", if n == 1 { "" } else { "s" }));
    let parts: Vec<String> = [part(count(Severity::Error), "error"), part(count(Severity::Warning), "warning")]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn word(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(one_line(&diagnostic.message)).id(diagnostic.rule.name);
    let mut elements: Vec<Element<'a>> = Vec::new();
    match &diagnostic.place {
        Place::File { path, bad } => {
            let origin = Origin::path(one_line(path));
            elements.push(match bad {
                Some(bad) => origin.line(bad.line as usize).char_column(bad.column as usize).into(),
                None => origin.into(),
            });
        }
        Place::Span(span) => {
            let primary = Label { span: *span, text: diagnostic.label.clone() };
            elements.extend(excerpts(span.file, Some(&primary), &diagnostic.labels, sources));
        }
    }
    let own = diagnostic.file();
    let mut others: Vec<FileId> = diagnostic.labels.iter().map(|l| l.span.file).filter(|f| Some(*f) != own).collect();
    others.dedup();
    for file in others {
        elements.extend(excerpts(file, None, &diagnostic.labels, sources));
    }
    elements.extend(diagnostic.notes.iter().map(|note| Element::from(Level::NOTE.message(one_line(note)))));
    elements.extend(diagnostic.help.iter().map(|help| Element::from(Level::HELP.message(one_line(help)))));
    Group::with_title(title).elements(elements)
}

/// Lines between two labels that are shown; further apart, the renderer folds them anyway.
const FAR: u32 = 200;

fn excerpts<'a>(file: FileId, primary: Option<&Label>, labels: &[Label], sources: &SourceMap) -> Vec<Element<'a>> {
    let own = primary.into_iter().map(|l| (AnnotationKind::Primary, l));
    let others = labels.iter().filter(|l| l.span.file == file).map(|l| (AnnotationKind::Context, l));
    let mut all: Vec<(AnnotationKind, &Label)> = own.chain(others).collect();
    let source = sources.file(file);
    let line = |label: &Label| source.lines().line(label.span.start);
    // The primary place comes first; what stands far from it gets an excerpt of its own.
    let mut out = Vec::new();
    while let Some(anchor) = all.first().map(|(_, label)| line(label)) {
        let (near, far): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, l)| line(l).abs_diff(anchor) <= FAR);
        all = far;
        let first = near.iter().map(|(_, l)| line(l)).min().unwrap_or(anchor);
        let last = near.iter().map(|(_, l)| line(l)).max().unwrap_or(anchor);
        let marks: Vec<_> = near.iter().map(|(_, label)| label.span.range()).collect();
        let excerpt = Excerpt::new(source, first, last, &marks);
        let path = one_line(source.path());
        // Of a line that was cut the renderer does not know the column.
        let origin = excerpt.is_cut.then(|| {
            let start = source.lines().position(source.text(), near[0].1.span.start);
            Origin::path(path.clone()).line(start.line as usize).char_column(start.column as usize)
        });
        let annotations: Vec<_> = near
            .into_iter()
            .map(|(kind, label)| {
                let annotation = kind.span(excerpt.range(label.span.range()));
                if label.text.is_empty() { annotation } else { annotation.label(one_line(&label.text)) }
            })
            .collect();
        let snippet = Snippet::source(excerpt.text).line_start(first as usize).annotations(annotations);
        match origin {
            Some(origin) => out.extend([origin.into(), snippet.into()]),
            None => out.push(snippet.path(path).into()),
        }
    }
    out
}
