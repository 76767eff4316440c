//! What values of a context bring into the texts of an artifact.

use std::ops::Range;

use super::leaves;
use crate::lint::Artifact;
use crate::resolve::{How, Section};
use crate::source::Span;
use crate::template;

/// Something in a value that comes out in a section.
pub(super) struct Brought<'a, T> {
    /// The section.
    pub(super) section: &'a Section,
    /// The input.
    pub(super) input: String,
    /// Where the section prints it, or is made of it.
    pub(super) place: Span,
    /// Whether somebody else wrote the value.
    pub(super) foreign: bool,
    /// What was found.
    pub(super) found: String,
    /// What it is.
    pub(super) what: T,
}

/// Finds something in a text, and says what it is.
pub(super) type Find<'f, T> = &'f dyn Fn(&str) -> Option<(Range<usize>, T)>;

/// What `find` finds in the values of the artifact's context and what stands in a section's text as it was found, with a
/// few characters around it; the first of each input and section.
pub(super) fn brought<'a, T: Clone>(view: &Artifact<'a>, find: Find<'_, T>) -> Vec<Brought<'a, T>> {
    let inputs = &view.subject.resolved.inputs;
    let values = view.values();
    let mut out = Vec::new();
    let mut sections = None;
    for (name, value) in values.known() {
        let hits: Vec<(&str, (Range<usize>, T))> =
            leaves::texts(value).into_iter().filter_map(|text| Some((text, find(text)?))).collect();
        if hits.is_empty() {
            continue;
        }
        for told in sections.get_or_insert_with(|| view.sections()) {
            let Some(place) = printed(told.section, name) else { continue };
            let hit = hits.iter().find(|(text, (range, _))| told.text.contains(around(text, range)));
            if let Some((text, (range, what))) = hit {
                out.push(Brought {
                    section: told.section,
                    input: name.to_owned(),
                    place,
                    foreign: inputs.get(name).is_some_and(|input| input.is_foreign()),
                    found: text[range.clone()].to_owned(),
                    what: what.clone(),
                });
            }
        }
    }
    out
}

/// Where a section prints an input, or is made of it.
pub(super) fn printed(section: &Section, name: &str) -> Option<Span> {
    let prints = |how| match how {
        How::Body(role) => role != template::Role::Tested,
        How::Choice => section.is_layer(),
        How::When | How::Replace => false,
    };
    section.reads.places.iter().find(|p| &*p.input == name && prints(p.how)).map(|p| p.span)
}

/// A range with up to three characters on either side, on its line.
fn around<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    const NEAR: usize = 3;
    let in_line = |c: &char| !c.is_whitespace();
    let before: usize = text[..range.start].chars().rev().take(NEAR).take_while(in_line).map(char::len_utf8).sum();
    let after: usize = text[range.end..].chars().take(NEAR).take_while(in_line).map(char::len_utf8).sum();
    &text[range.start - before..range.end + after]
}
