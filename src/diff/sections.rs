//! Sections before and after: which are new, gone, edited, moved, or treated otherwise.

use std::collections::BTreeMap;

use super::artifact::{self, Artifact, Part};
use super::order;
use super::place::{self, Line, Whose};
use super::written::Made;
use crate::input::Lifetime;
use crate::manifest::{Allow, Zone};
use crate::source::Span;
use crate::workspace::Workspace;

/// What happened to a section, the gravest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Edit {
    /// Nothing.
    Unchanged,
    /// Its text is other.
    Edited,
    /// It stands elsewhere, and what it stood among does not.
    Moved,
    /// It changes sooner or later than it did.
    Lifetime,
    /// It is cached for others, or not at all.
    Cache,
    /// It changed sides of the boundary.
    Zone,
    /// It is gone.
    Removed,
    /// It is new.
    Added,
}

/// A section before and after.
#[derive(Clone, Debug)]
pub struct SectionChange {
    /// Its id.
    pub id: String,
    /// The id that it has in the base, when that is another one.
    pub was: Option<String>,
    /// What happened to it: the gravest.
    pub change: Edit,
    /// What else happened to it.
    pub also: Vec<Edit>,
    /// Its zone before and after.
    pub zone: (Option<Zone>, Option<Zone>),
    /// Its lifetime before and after.
    pub lifetime: (Option<Lifetime>, Option<Lifetime>),
    /// Its tokens before and after; `None` too while it is open.
    pub tokens: (Option<u64>, Option<u64>),
    /// What differs, as texts.
    pub texts: Vec<TextPair>,
    /// The line that did it, or where it is declared.
    pub line: Line,
    /// Where the head declares it.
    pub declared: Option<Span>,
    /// Its reasons there.
    pub allow: Vec<Allow>,
    /// The file that declares it.
    pub(super) home: String,
}

/// A text before and after.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextPair {
    /// What it is, unless it is the section's own text: `when`, an included file.
    pub label: String,
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
}

/// Compares the sections of one artifact: in the order of the head, each that is gone behind what stood before it.
pub(super) fn compare(base: (&Workspace, &Artifact), head: (&Workspace, &Artifact)) -> Vec<SectionChange> {
    let (old, new) = (&base.1.parts, &head.1.parts);
    let places: BTreeMap<&str, usize> = old.iter().enumerate().map(|(n, part)| (part.id.as_str(), n)).collect();
    let kept: Vec<(usize, usize)> =
        new.iter().filter_map(|part| Some((*places.get(part.id.as_str())?, part.text.len() + 1))).collect();
    let moved: BTreeMap<usize, bool> = kept.iter().map(|(place, _)| *place).zip(order::moved(&kept)).collect();
    // What is gone, behind that which stood before it and is still there.
    let mut gone: BTreeMap<Option<&str>, Vec<SectionChange>> = BTreeMap::new();
    let mut before = None;
    for part in old {
        match head.1.part(&part.id) {
            Some(_) => before = Some(part.id.as_str()),
            None => gone.entry(before).or_default().push(alone(part, Whose::Base, base.0)),
        }
    }
    let mut out = gone.remove(&None).unwrap_or_default();
    for part in new {
        out.push(match places.get(part.id.as_str()) {
            Some(place) => both((base.0, &old[*place]), (head.0, part), moved.get(place) == Some(&true)),
            None => alone(part, Whose::Head, head.0),
        });
        out.extend(gone.remove(&Some(part.id.as_str())).into_iter().flatten());
    }
    out
}

fn both(base: (&Workspace, &Part), head: (&Workspace, &Part), moved: bool) -> SectionChange {
    let (old, new) = (base.1, head.1);
    let is_edited = is_edited(old, new);
    let happened = [
        (Edit::Zone, old.zone != new.zone),
        (
            Edit::Cache,
            old.dangerous.is_some() != new.dangerous.is_some() || old.scope != new.scope || old.kind != new.kind,
        ),
        (Edit::Lifetime, old.lifetime != new.lifetime),
        (Edit::Moved, moved),
        (Edit::Edited, is_edited),
    ];
    let mut edits = happened.into_iter().filter(|(_, is)| *is).map(|(edit, _)| edit);
    let change = edits.next().unwrap_or(Edit::Unchanged);
    // A section on the other side of the boundary is in another block by that alone.
    let also = edits.filter(|edit| !(change == Edit::Zone && *edit == Edit::Cache)).collect();
    SectionChange {
        id: new.id.clone(),
        was: old.was.clone(),
        change,
        also,
        zone: (Some(old.zone), Some(new.zone)),
        lifetime: (Some(old.lifetime), Some(new.lifetime)),
        tokens: (old.tokens, new.tokens),
        texts: if is_edited { texts(old, new) } else { Vec::new() },
        line: match is_edited || old.open != new.open {
            true => place::edited(base, head),
            false => Line::of(head.0, new.span, Whose::Head),
        },
        declared: Some(new.span),
        allow: new.allow.clone(),
        home: head.0.sources.path(new.span.file).to_owned(),
    }
}

fn alone(part: &Part, whose: Whose, workspace: &Workspace) -> SectionChange {
    let is_new = whose == Whose::Head;
    let text = part.text.clone();
    let (before, after) = if is_new { (String::new(), text) } else { (text, String::new()) };
    SectionChange {
        id: part.id.clone(),
        was: None,
        change: if is_new { Edit::Added } else { Edit::Removed },
        also: Vec::new(),
        zone: on(is_new, Some(part.zone)),
        lifetime: on(is_new, Some(part.lifetime)),
        tokens: on(is_new, part.tokens),
        texts: vec![TextPair { label: String::new(), before, after }],
        line: Line::of(workspace, part.span, whose),
        declared: is_new.then_some(part.span),
        allow: if is_new { part.allow.clone() } else { Vec::new() },
        home: workspace.sources.path(part.span.file).to_owned(),
    }
}

fn on<T>(is_new: bool, value: Option<T>) -> (Option<T>, Option<T>) {
    if is_new { (None, value) } else { (value, None) }
}

/// Whether a section's text is other, as far as it is known. One that waits for values on one side alone is compared as
/// it is written, and so is what it is made of; that the other side knows a value is a matter of its lifetime.
fn is_edited(old: &Part, new: &Part) -> bool {
    let (before, after) = artifact::compared(old, new);
    let (Some(was), Some(is)) = (&old.written, &new.written) else { return before != after };
    before != after
        || match (old.open, new.open) {
            (false, false) => false,
            (true, true) => old.is_made_otherwise(new),
            _ => {
                let by_values = old.lifetime == new.lifetime && !was.fixed_otherwise(is).is_empty();
                by_values || !was.differences(is).is_empty()
            }
        }
}

/// The texts that differ: the section's own, and of an open one those that it is made of.
fn texts(old: &Part, new: &Part) -> Vec<TextPair> {
    let mut out = Vec::new();
    let mut add = |label: &str, before: &str, after: &str| {
        if before != after {
            out.push(TextPair { label: label.to_owned(), before: before.to_owned(), after: after.to_owned() });
        }
    };
    let (before, after) = artifact::compared(old, new);
    add("", before, after);
    if let (Some(was), Some(is), true) = (&old.written, &new.written, old.open || new.open) {
        let shown = |made: Option<&Made>| made.map_or_else(String::new, |made| made.shown.to_string());
        let label =
            |was: Option<&Made>, is: Option<&Made>| was.or(is).map_or_else(String::new, |made| made.label.clone());
        for (was, is) in was.differences(is) {
            add(&label(was, is), &shown(was), &shown(is));
        }
        for (was, is) in was.fixed_otherwise(is) {
            add(&format!("value of {}", label(was, is)), &shown(was), &shown(is));
        }
    }
    out
}

impl Edit {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Edit::Added => "added",
            Edit::Removed => "removed",
            Edit::Edited => "edited",
            Edit::Moved => "moved",
            Edit::Zone => "zone",
            Edit::Lifetime => "lifetime",
            Edit::Cache => "cache",
            Edit::Unchanged => "unchanged",
        }
    }
}

impl SectionChange {
    /// Whether anything happened to it.
    pub fn is_touched(&self) -> bool {
        self.change != Edit::Unchanged || self.was.is_some()
    }

    /// Whether this happened to it, first or among others.
    pub fn is(&self, edit: Edit) -> bool {
        self.change == edit || self.also.contains(&edit)
    }
}
