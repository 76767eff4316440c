//! Which section a byte of the `text` form belongs to, and where its line was written.

use std::ops::Range;

use super::Subject;
use crate::plan::{Kind, Placed};
use crate::resolve::Source;
use crate::source::{Located, Span};

/// A section in the `text` form.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The bytes of its own text, without separators.
    pub range: Range<usize>,
    /// Its id.
    pub id: &'a str,
    /// Where it stands in its block.
    pub placed: &'a Placed,
}

/// The sections of the `text` form, in order. Open blocks have none.
pub fn text_parts<'a>(subject: &Subject<'a>) -> Vec<Part<'a>> {
    let (route, mut parts, mut start) = (subject.route, Vec::new(), 0);
    for block in subject.fitted.plan.blocks.iter().filter(|b| b.kind != Kind::UserContext) {
        let Some(text) = &block.text else { continue };
        if start > 0 {
            start += block.separator.len();
        }
        for placed in &block.sections {
            let Some(range) = placed.range.clone() else { continue };
            let range = start + range.start..start + range.end;
            parts.push(Part { range, id: &route.sections[placed.index].id, placed });
        }
        start += text.text.len();
    }
    parts
}

/// Where a line of a section's text was written: its place in the body, when exactly one line there reads like it, else
/// the place of the section.
pub fn source_of(subject: &Subject<'_>, placed: &Placed, line: &str) -> Span {
    let texts: Vec<&Located> = match &subject.route.sections[placed.index].source {
        Source::Text(text) => vec![text],
        Source::Choice { files, otherwise, .. } => {
            files.iter().map(|(_, file)| file).chain(otherwise).map(|(_, text)| text).collect()
        }
        Source::Input(_) | Source::Agent(_) | Source::Broken => Vec::new(),
    };
    let mut found = texts.iter().flat_map(|text| lines_like(text, line));
    match (found.next(), found.next()) {
        (Some(place), None) => place,
        _ => placed.defined,
    }
}

fn lines_like(text: &Located, wanted: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.text.split_inclusive('\n') {
        let own = line.trim_end_matches('\n');
        if own == wanted && !wanted.trim().is_empty() {
            found.push(text.span(start..start + own.len()));
        }
        start += line.len();
    }
    found
}
