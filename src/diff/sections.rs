//! Sections before and after: which are new, gone, edited, moved, or treated otherwise.

use std::collections::BTreeMap;

use super::artifact::{Artifact, Part};
use super::order;
use super::place::{self, Line, Whose};
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
    let mut out = Vec::new();
    for part in new {
        out.push(match places.get(part.id.as_str()) {
            Some(place) => both((base.0, &old[*place]), (head.0, part), moved.get(place) == Some(&true)),
            None => alone(part, Whose::Head, head.0),
        });
    }
    for (n, part) in old.iter().enumerate().filter(|(_, part)| head.1.part(&part.id).is_none()) {
        let before = old[..n].iter().rev().find_map(|p| out.iter().position(|c| c.id == p.id));
        out.insert(before.map_or(0, |at| at + 1), alone(part, Whose::Base, base.0));
    }
    out
}

fn both(base: (&Workspace, &Part), head: (&Workspace, &Part), moved: bool) -> SectionChange {
    let (old, new) = (base.1, head.1);
    let is_edited = old.text != new.text || old.waiting != new.waiting;
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
        change,
        also,
        zone: (Some(old.zone), Some(new.zone)),
        lifetime: (Some(old.lifetime), Some(new.lifetime)),
        tokens: (old.tokens, new.tokens),
        texts: if is_edited { texts(base, head) } else { Vec::new() },
        line: match is_edited {
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

/// The texts that differ: the section's own, and of an open one those that it will be made of.
fn texts(base: (&Workspace, &Part), head: (&Workspace, &Part)) -> Vec<TextPair> {
    let (old, new) = (base.1, head.1);
    let mut out = Vec::new();
    let mut add = |label: &str, before: &str, after: &str| {
        if before != after {
            out.push(TextPair { label: label.to_owned(), before: before.to_owned(), after: after.to_owned() });
        }
    };
    add("", &old.text, &new.text);
    if old.waiting.is_some() || new.waiting.is_some() {
        add("when", &old.when, &new.when);
        let mut paths: Vec<&String> = old.includes.iter().chain(&new.includes).collect();
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            let text = |workspace: &Workspace, part: &Part| match workspace.text(path) {
                Ok(text) if part.includes.contains(path) => text.text.to_string(),
                _ => String::new(),
            };
            add(path, &text(base.0, old), &text(head.0, new));
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
    /// Whether this happened to it, first or among others.
    pub fn is(&self, edit: Edit) -> bool {
        self.change == edit || self.also.contains(&edit)
    }
}
