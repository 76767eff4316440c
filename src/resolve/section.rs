//! A section of a route: from a manifest, a layer, or an appended text.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::expr::Condition;
use crate::input::Lifetime;
use crate::manifest::{Allow, Channel, Layout, Replace, Role, Separator, Trim, Zone};
use crate::source::{Located, Span, Spanned};
use crate::template;

/// A section as a route has it.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its id.
    pub id: String,
    /// The zone that its manifest claims.
    pub declared: Zone,
    /// The zone that it has: a static section behind a dynamic one is dynamic.
    pub zone: Zone,
    /// Where it goes.
    pub channel: Channel,
    /// What it is to the provider.
    pub role: Role,
    /// Whether it must survive every layer.
    pub required: bool,
    /// When it lives.
    pub when: Option<Condition>,
    /// Its text.
    pub source: Source,
    /// Whether the text is no template.
    pub verbatim: bool,
    /// The reason why it is recomputed every turn.
    pub dangerous: Option<Spanned<String>>,
    /// The note under a turn value that is read once.
    pub freeze: Option<Spanned<String>>,
    /// Findings silenced here.
    pub allow: Vec<Allow>,
    /// Its own separator.
    pub separator_before: Option<Separator>,
    /// Its own trim.
    pub trim: Option<Trim>,
    /// Its own `keep_empty`.
    pub keep_empty: Option<bool>,
    /// Stands before its text when it lives.
    pub heading: String,
    /// How it came into the route.
    pub origin: Origin,
    /// Where it is defined.
    pub span: Span,
    /// What it reads, as written.
    pub reads: Arc<Reads>,
}

/// Where a section's text comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// This text.
    Text(Located),
    /// A text by the value of an axis.
    Choice {
        /// The axis.
        by: Spanned<String>,
        /// Texts with their paths, by value.
        files: Vec<(String, (String, Located))>,
        /// The text for all other values.
        otherwise: Option<(String, Located)>,
    },
    /// The value of an input.
    Input(Spanned<String>),
    /// The agent that an input names.
    Agent(Spanned<String>),
    /// It could not be read; told already.
    Broken,
}

/// How a section came into a route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A manifest's own.
    Prompt(String),
    /// Kept from the default's manifest.
    Kept(String),
    /// The text of the winning link.
    Layer,
    /// An item of `append`.
    Append,
}

/// What a section reads, as written.
#[derive(Clone, Default, Debug)]
pub struct Reads {
    /// Every input, through `when`, body, includes, `by` and `layout.replace`.
    pub all: BTreeSet<Arc<str>>,
    /// The inputs that its text needs: all but those that only its `when` reads.
    pub text: BTreeSet<Arc<str>>,
    /// The inputs that are named in its bodies.
    pub body: BTreeSet<Arc<str>>,
    /// Files that its bodies include, import or extend, paths from `prompts/`.
    pub files: BTreeSet<String>,
    /// Files that its bodies ask for, there or not, paths from `prompts/`.
    pub asked: BTreeSet<String>,
    /// Places in its bodies that fail when an optional input is missing, `when` aside.
    pub unguarded: Vec<template::Unguarded>,
    /// Places in its bodies that print foreign text as it comes.
    pub prints: Vec<template::Print>,
    /// Every place that names an input: first in `when`, then where the text is chosen and shaped, then in its bodies.
    pub places: Vec<Reading>,
    /// The inputs of every conditional in its bodies that reads some.
    pub conditionals: Vec<BTreeSet<Arc<str>>>,
    /// Its lifetime: the shortest one of what it reads.
    pub lifetime: Option<Lifetime>,
    /// Whether an error in one of its bodies was told: then rendering could only tell it again.
    pub faulty: bool,
}

/// One place where a section reads an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The input.
    pub input: Arc<str>,
    /// The place.
    pub span: Span,
    /// How it is read there.
    pub how: How,
}

/// How an input is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// The section's `when`, of which it may be a part.
    When,
    /// It chooses or gives the text: `by` of a body, the input of a layer.
    Choice,
    /// The `when` of a replacement.
    Replace,
    /// A body.
    Body(template::Role),
}

impl Section {
    /// Its lifetime. A frozen section is read once, when the session starts.
    pub fn lifetime(&self) -> Lifetime {
        let reads = self.reads.lifetime.unwrap_or(Lifetime::Build);
        if self.freeze.is_some() { reads.max(Lifetime::Session) } else { reads }
    }

    /// Whether its text cannot be made, which was told when it was resolved.
    pub fn is_broken(&self) -> bool {
        self.reads.faulty || matches!(self.source, Source::Broken)
    }

    /// Whether the text is a layer's: other people's text, which no layout touches.
    pub fn is_layer(&self) -> bool {
        matches!(self.origin, Origin::Layer | Origin::Append)
    }

    /// Whether the section stands before the boundary, or obeys its rules.
    pub fn is_shared(&self) -> bool {
        self.channel == Channel::System
            && match self.role {
                Role::Content => self.zone == Zone::Static,
                Role::Prefix => true,
                Role::Attribution => false,
            }
    }

    /// The texts that it may be made of; none of a text that arrives as a value.
    pub fn bodies(&self) -> Vec<&Located> {
        match &self.source {
            Source::Text(text) => vec![text],
            Source::Choice { files, otherwise, .. } => {
                files.iter().map(|(_, file)| file).chain(otherwise).map(|(_, text)| text).collect()
            }
            Source::Input(_) | Source::Agent(_) | Source::Broken => Vec::new(),
        }
    }

    /// Whether its text as it is written is nothing but blanks: such a section sets its neighbours apart.
    pub fn is_blank(&self) -> bool {
        let bodies = self.bodies();
        !bodies.is_empty() && bodies.iter().all(|text| text.text.trim().is_empty())
    }

    /// The replacements that work on it: none on the text of a layer.
    pub fn replacements<'l>(&self, layout: &'l Layout) -> impl Iterator<Item = &'l Replace> {
        let (layer, id) = (self.is_layer(), self.id.clone());
        layout
            .replace
            .iter()
            .filter(move |r| !layer && r.sections.as_ref().is_none_or(|ids| ids.iter().any(|i| i.value == id)))
    }

    /// A finding about this section, silenced when a reason for it stands here.
    pub fn finding(&self, diagnostic: Diagnostic) -> Diagnostic {
        let reason = self.allow.iter().find(|a| a.rule.value == diagnostic.rule.name);
        diagnostic.allowed(reason.map(|a| a.rule.span))
    }
}
