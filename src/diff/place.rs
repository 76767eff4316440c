//! The line that did it.

use super::artifact::Part;
use crate::source::{Located, Span};
use crate::workspace::Workspace;

/// Whose files a line is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The base's: what is gone stands there alone.
    Base,
    /// The head's.
    Head,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The file, from the root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// Whose files they are.
    pub whose: Whose,
    /// The place in that side's texts.
    pub span: Span,
}

impl Line {
    /// The line of a place.
    pub(super) fn of(workspace: &Workspace, span: Span, whose: Whose) -> Line {
        let file = workspace.sources.file(span.file);
        Line { path: file.path().to_owned(), line: file.lines().line(span.start), whose, span }
    }
}

/// Where a section's text first differs: in its own file or literal, in one that it includes, in what else it is made of,
/// in the first run-time value that it now waits for, else where it is declared.
pub(super) fn edited(base: (&Workspace, &Part), head: (&Workspace, &Part)) -> Line {
    let (old, new) = (base.1, head.1);
    for (n, (name, after)) in new.bodies.iter().enumerate() {
        let same_name = old.bodies.iter().find(|(other, _)| other == name);
        let alone = old.bodies.get(n).filter(|_| old.bodies.len() == new.bodies.len());
        if let Some((_, before)) = same_name.or(alone)
            && let Some(span) = first_difference(before, after)
        {
            return Line::of(head.0, span, Whose::Head);
        }
    }
    for path in &new.includes {
        if let (Ok(before), Ok(after)) = (base.0.text(path), head.0.text(path))
            && let Some(span) = first_difference(before, after)
        {
            return Line::of(head.0, span, Whose::Head);
        }
    }
    let (Some(was), Some(is)) = (&old.written, &new.written) else { return Line::of(head.0, new.span, Whose::Head) };
    for (was, is) in was.differences(is).into_iter().chain(was.fixed_otherwise(is)) {
        if let Some(after) = is.and_then(|is| is.place.as_ref()) {
            let span = was.and_then(|was| was.place.as_ref()).map(|before| first_difference(before, after));
            return Line::of(head.0, span.flatten().unwrap_or(after.whole_span()), Whose::Head);
        }
    }
    // Nothing of it was edited: an input that it reads arrives later than it did.
    let opens = is.opens.filter(|_| new.open && !old.open).map(|(_, place)| place);
    Line::of(head.0, opens.unwrap_or(new.span), Whose::Head)
}

/// Where it is said what stands before a section: in the head, unless that says nothing any more.
pub(super) fn separator(base: (&Workspace, &Part), head: (&Workspace, &Part)) -> Line {
    let at = |part: &Part| part.separator.as_ref().and_then(|between| between.span);
    match (at(head.1), at(base.1)) {
        (Some(span), _) => Line::of(head.0, span, Whose::Head),
        (None, Some(span)) => Line::of(base.0, span, Whose::Base),
        (None, None) => Line::of(head.0, head.1.span, Whose::Head),
    }
}

/// The place in `after` of the first byte that differs; `None` for equal texts.
fn first_difference(before: &Located, after: &Located) -> Option<Span> {
    if before.text == after.text {
        return None;
    }
    let at = whole_letters(&after.text, common(&before.text, &after.text));
    Some(after.span(at..at))
}

/// How many bytes two texts have in common at the start.
pub(super) fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// The offset, or the nearest one before it between two letters.
pub(super) fn whole_letters(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
