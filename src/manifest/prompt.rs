//! A prompt: `prompts/NAME.toml`.

use std::collections::BTreeSet;

use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::edits::Headers;
use super::reader::{Doc, Table, repeated};
use super::section::{read_body, read_condition};
use super::{Body, LayoutPart, Parsed, Section, Separator, errors, inputs, layout, names, section};
use crate::expr::{self, Condition};
use crate::input::Definition;
use crate::limits::Limits as Bounds;
use crate::source::{FileId, Span, Spanned};

const KEYS: [&str; 9] =
    ["description", "extends", "remove", "simple", "inputs", "constraint", "layout", "section", "variant"];
const VARIANT_KEYS: [&str; 5] = ["when", "order", "body", "separator", "separator_before"];

/// Where keys of inheritance belong.
pub(super) const INHERITING: &str = "a manifest with `extends`";

/// One manifest, other manifests aside.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Its file.
    pub file: FileId,
    /// The manifest whose inputs and sections it takes.
    pub extends: Option<Spanned<String>>,
    /// Sections of the parent that it drops.
    pub remove: Vec<Spanned<String>>,
    /// The sections that `--simple` keeps.
    pub simple: Option<Vec<Spanned<String>>>,
    /// Its inputs.
    pub inputs: Vec<Definition>,
    /// Inputs whose definitions could not be read; told already.
    pub unreadable: BTreeSet<String>,
    /// Its constraints.
    pub constraints: Vec<Constraint>,
    /// Its own words on layout.
    pub layout: LayoutPart,
    /// Its own sections, in order.
    pub sections: Vec<Section>,
    /// Its variants, in order.
    pub variants: Vec<Variant>,
    /// Where its tables begin.
    pub headers: Headers,
}

/// A combination of values that cannot happen is ruled out.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// What always holds.
    pub that: Condition,
}

/// Another order, other bodies, for some build values.
#[derive(Clone, Debug)]
pub struct Variant {
    /// When it applies.
    pub when: Option<Condition>,
    /// The order of the sections; those that are not named are dropped.
    pub order: Option<Vec<Spanned<String>>>,
    /// Other bodies by section.
    pub body: Vec<(Spanned<String>, Body)>,
    /// Another separator.
    pub separator: Option<Separator>,
    /// Other separators before sections.
    pub separator_before: Vec<(Spanned<String>, Separator)>,
    /// Its header.
    pub span: Span,
}

impl Prompt {
    /// Reads a manifest's text.
    pub fn parse(file: FileId, text: &str, limits: &Bounds) -> Parsed<Prompt> {
        Doc::parse(file, text, "a prompt", limits, |doc, top| read(doc, top, file))
    }
}

fn read(doc: &mut Doc<'_>, top: &Table<'_>, file: FileId) -> Prompt {
    top.refuse_unknown(doc, &KEYS);
    let extends = top.get("extends").and_then(|v| doc.string(v, "extends"));
    if let Some(parent) = &extends {
        names::check_file(doc, "a prompt", parent);
    }
    if let Some(value) = top.get("description") {
        doc.string(value, "description");
    }
    let names = |doc: &mut Doc<'_>, key: &str| top.get(key).and_then(|v| doc.strings(v, key));
    let sections = top.get("section").map_or_else(Vec::new, |v| {
        let tables = doc.tables(v, "section", "[[section]]");
        tables.iter().filter_map(|t| section::read(doc, t, extends.is_some())).collect()
    });
    let ids: Vec<_> = sections.iter().map(|s: &Section| s.id.clone()).collect();
    for (again, first) in repeated(&ids) {
        doc.say(errors::duplicate(again.span, "the section", &again.value, first.span));
    }
    let mut remove = names(doc, "remove").unwrap_or_default();
    if let (None, Some(at)) = (&extends, top.key_span("remove")) {
        doc.say(errors::misplaced(at, "remove", INHERITING));
        remove.clear();
    }
    let inputs = inputs::read(doc, top);
    Prompt {
        file,
        extends,
        remove,
        simple: names(doc, "simple"),
        inputs: inputs.definitions,
        unreadable: inputs.unreadable,
        constraints: top.get("constraint").map_or_else(Vec::new, |v| read_constraints(doc, v)),
        layout: top.get("layout").map_or_else(LayoutPart::default, |v| layout::read(doc, v)),
        sections,
        variants: top.get("variant").map_or_else(Vec::new, |v| {
            let tables = doc.tables(v, "variant", "[[variant]]");
            tables.iter().map(|t| read_variant(doc, t)).collect()
        }),
        headers: top.headers(doc),
    }
}

pub(super) fn read_constraints(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Vec<Constraint> {
    let tables = doc.tables(value, "constraint", "[[constraint]]");
    let mut out = Vec::new();
    for table in &tables {
        table.refuse_unknown(doc, &["that", "description"]);
        if let Some(value) = table.get("description") {
            doc.string(value, "description");
        }
        let that = table.require(doc, "that");
        if let Some(that) = that.and_then(|v| read_condition(doc, v, "that", expr::Use::Constraint)) {
            out.push(Constraint { that });
        }
    }
    out
}

fn read_variant(doc: &mut Doc<'_>, table: &Table<'_>) -> Variant {
    table.refuse_unknown(doc, &VARIANT_KEYS);
    let order = table.get("order").and_then(|v| doc.strings(v, "order"));
    for (again, first) in order.as_deref().map(repeated).unwrap_or_default() {
        doc.say(errors::duplicate(again.span, "the section", &again.value, first.span));
    }
    let body = table.get("body").and_then(|v| doc.table(v, "body", "`body`")).map_or_else(Vec::new, |bodies| {
        bodies.entries().filter_map(|(id, v)| Some((id.clone(), read_body(doc, v)?))).collect()
    });
    let separator_before = table
        .get("separator_before")
        .and_then(|v| doc.table(v, "separator_before", "`separator_before`"))
        .map_or_else(Vec::new, |separators| {
            let pairs = separators.entries();
            pairs.filter_map(|(id, v)| Some((id.clone(), doc.text(v, id)?.into()))).collect()
        });
    Variant {
        when: table.get("when").and_then(|v| read_condition(doc, v, "when", expr::Use::Condition)),
        order,
        body,
        separator: table.get("separator").and_then(|v| doc.text(v, "separator")).map(Separator::from),
        separator_before,
        span: table.span(),
    }
}
