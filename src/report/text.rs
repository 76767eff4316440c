//! Messages for people.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::escape::{escape, one_line, without_commands};
use super::place;
use crate::diag::{self, Diagnostic, Label, Place, Severity};
use crate::source::{FileId, SourceFile, SourceMap};

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
        out.push_str(renderer.render(&[group(diagnostic, sources)]).trim_end());
        out.push_str("\n\n");
    }
    without_commands(&out)
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
            elements
                .extend(snippet(span.file, Some(&primary), &diagnostic.labels, sources).into_iter().map(Element::from));
        }
    }
    let own = diagnostic.file();
    let mut others: Vec<FileId> = diagnostic.labels.iter().map(|l| l.span.file).filter(|f| Some(*f) != own).collect();
    others.dedup();
    for file in others {
        elements.extend(snippet(file, None, &diagnostic.labels, sources).into_iter().map(Element::from));
    }
    elements.extend(diagnostic.notes.iter().map(|note| Element::from(Level::NOTE.message(one_line(note)))));
    elements.extend(diagnostic.help.iter().map(|help| Element::from(Level::HELP.message(one_line(help)))));
    Group::with_title(title).elements(elements)
}

/// Lines between two labels that are shown; further apart, the renderer folds them anyway.
const FAR: u32 = 200;

fn snippet<'a>(
    file: FileId,
    primary: Option<&Label>,
    labels: &[Label],
    sources: &SourceMap,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
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
        let excerpt = Excerpt::new(source, first, last);
        let annotations: Vec<_> = near
            .into_iter()
            .map(|(kind, label)| {
                let annotation = kind.span(excerpt.range(label.span.range()));
                if label.text.is_empty() { annotation } else { annotation.label(one_line(&label.text)) }
            })
            .collect();
        out.push(
            Snippet::source(excerpt.text)
                .path(one_line(source.path()))
                .line_start(first as usize)
                .annotations(annotations),
        );
    }
    out
}

/// Some lines of a file with unsafe letters shown as escapes, and the way from the file's offsets to theirs.
struct Excerpt {
    text: String,
    start: usize,
    /// `(offset in the file, offset in the excerpt)` behind each letter that was escaped.
    shifts: Vec<(usize, usize)>,
}

impl Excerpt {
    fn new(file: &SourceFile, first: u32, last: u32) -> Excerpt {
        let lines = file.lines();
        let offset = |line: u32| lines.start(line).map_or(file.text().len(), |n| n as usize);
        let (start, end) = (offset(first), offset(last + 1));
        let mut excerpt = Excerpt { text: String::new(), start, shifts: Vec::new() };
        for (at, c) in file.text()[start..end].char_indices() {
            let shown = escape(c.encode_utf8(&mut [0; 4]));
            excerpt.text.push_str(&shown);
            if shown.len() != c.len_utf8() {
                excerpt.shifts.push((start + at + c.len_utf8(), excerpt.text.len()));
            }
        }
        excerpt
    }

    /// A range of the file in the excerpt; of a range of many lines the first, so that a whole file is not printed.
    fn range(&self, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        match self.text[start..end.max(start)].find('\n') {
            Some(line) => start..start + line,
            None => start..end.max(start),
        }
    }

    fn offset(&self, offset: usize) -> usize {
        let before = self.shifts.partition_point(|(file, _)| *file <= offset);
        let (file, shown) = if before == 0 { (self.start, 0) } else { self.shifts[before - 1] };
        (shown + offset.saturating_sub(file)).min(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_in_an_excerpt_do_not_shift_what_is_marked() {
        let mut sources = SourceMap::default();
        let id = sources.add("x", "one\n\u{9b}31m two\u{1b} three\nfour\n".as_bytes()).unwrap();
        let file = sources.file(id);
        let excerpt = Excerpt::new(file, 2, 2);
        assert_eq!(excerpt.text, "\\u{9b}31m two\\u{1b} three\n");
        for word in ["31m", "two", "three"] {
            let at = file.text().find(word).unwrap();
            assert_eq!(&excerpt.text[excerpt.range(at..at + word.len())], word);
        }
    }
}
