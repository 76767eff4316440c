//! A profile: `profiles/NAME.toml`, one build target.

use std::collections::BTreeSet;

use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::chain::{self, Chain};
use super::reader::{Doc, Table, repeated};
use super::section::read_path;
use super::{Constraint, Parsed, errors, inputs, names, prompt};
use crate::input::{Definition, Value};
use crate::limits::Limits as Bounds;
use crate::source::{FileId, Span, Spanned};

const KEYS: [&str; 10] =
    ["description", "target", "inputs", "constraint", "values", "chain", "limits", "traffic", "fixture", "matrix"];
const TARGET_KEYS: [&str; 7] =
    ["provider", "model", "shared_scope", "tokenizer", "strips_attribution", "ttl", "marks_for_messages"];
const LIMIT_KEYS: [&str; 4] = ["static_variants", "section_tokens", "static_tokens", "total_tokens"];
const TRAFFIC_KEYS: [&str; 2] = ["sessions_per_day", "turns_per_session"];
const BLOCK_KINDS: [&str; 6] = ["attribution", "prefix", "static", "dynamic", "tail", "user_context"];

/// One build target.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its file.
    pub file: FileId,
    /// For which provider and model.
    pub target: Option<Target>,
    /// Inputs of its own.
    pub inputs: Vec<Definition>,
    /// Inputs whose definitions could not be read; told already.
    pub unreadable: BTreeSet<String>,
    /// Constraints of its own.
    pub constraints: Vec<Constraint>,
    /// Values fixed when compiling.
    pub values: Vec<(Spanned<String>, Spanned<Value>)>,
    /// Names in `[values]` and the matrix whose value could not be read; told already.
    pub unreadable_values: BTreeSet<String>,
    /// The chain.
    pub chain: Chain,
    /// Where `[chain]` is written.
    pub chain_span: Span,
    /// Budgets.
    pub limits: Limits,
    /// How much it is used.
    pub traffic: Traffic,
    /// Fixtures.
    pub fixtures: Vec<Fixture>,
    /// Axes of the matrix, in the order of the file.
    pub matrix: Vec<MatrixKey>,
}

/// For which provider and model an artifact is made.
#[derive(Clone, Debug)]
pub struct Target {
    /// The provider's id.
    pub provider: Spanned<String>,
    /// The model.
    pub model: Spanned<String>,
    /// Whether all users share what is static.
    pub shared_scope: Option<Spanned<bool>>,
    /// The tokenizer, if the model's own is not meant.
    pub tokenizer: Option<Spanned<String>>,
    /// Whether the attribution block is no part of what the provider caches.
    pub strips_attribution: Option<bool>,
    /// How long entries live.
    pub ttl: Ttl,
    /// Marks kept back for messages.
    pub marks_for_messages: Option<Spanned<u64>>,
}

/// How long cache entries live.
#[derive(Clone, Default, Debug)]
pub enum Ttl {
    /// As the provider does it.
    #[default]
    Default,
    /// The same for every mark.
    All(Spanned<String>),
    /// By kind of block.
    ByBlock(Vec<(Spanned<String>, Spanned<String>)>),
}

/// Budgets of a profile.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most static prefixes.
    pub static_variants: Option<Spanned<u64>>,
    /// Most tokens of one section.
    pub section_tokens: Option<Spanned<u64>>,
    /// Most tokens before the boundary.
    pub static_tokens: Option<Spanned<u64>>,
    /// Most tokens in all.
    pub total_tokens: Option<Spanned<u64>>,
}

/// How much a profile is used, for what a change costs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Sessions that begin in a day.
    pub sessions_per_day: Option<u64>,
    /// Requests in a session.
    pub turns_per_session: Option<u64>,
}

/// A context kept with the project.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Its name.
    pub name: Spanned<String>,
    /// Its file, from the root.
    pub context: Spanned<String>,
}

/// One axis of a matrix.
#[derive(Clone, Debug)]
pub struct MatrixKey {
    /// The input.
    pub name: Spanned<String>,
    /// Its values, one artifact each.
    pub values: Vec<Spanned<Value>>,
}

impl Profile {
    /// Reads a profile's text.
    pub fn parse(file: FileId, text: &str, limits: &Bounds) -> Parsed<Profile> {
        Doc::parse(file, text, "a profile", limits, |doc, top| read(doc, top, file))
    }
}

impl Limits {
    /// These limits, with those of the project where nothing is said.
    pub fn or(self, project: Limits) -> Limits {
        Limits {
            static_variants: self.static_variants.or(project.static_variants),
            section_tokens: self.section_tokens.or(project.section_tokens),
            static_tokens: self.static_tokens.or(project.static_tokens),
            total_tokens: self.total_tokens.or(project.total_tokens),
        }
    }
}

fn read(doc: &mut Doc<'_>, top: &Table<'_>, file: FileId) -> Profile {
    top.refuse_unknown(doc, &KEYS);
    if let Some(value) = top.get("description") {
        doc.string(value, "description");
    }
    let target = top
        .require(doc, "target")
        .and_then(|v| doc.table(v, "target", "`[target]`"))
        .and_then(|table| read_target(doc, &table));
    let chain_span = top.key_span("chain").unwrap_or(Span::start_of(file));
    let chain = top.require(doc, "chain").map_or_else(Chain::default, |v| chain::read(doc, v));
    let inputs = inputs::read(doc, top);
    let (values, mut unreadable_values) = top.get("values").map_or_else(Default::default, |v| read_values(doc, v));
    let matrix = top.get("matrix").map_or_else(Vec::new, |v| read_matrix(doc, v, &mut unreadable_values));
    Profile {
        file,
        target,
        inputs: inputs.definitions,
        unreadable: inputs.unreadable,
        constraints: top.get("constraint").map_or_else(Vec::new, |v| prompt::read_constraints(doc, v)),
        values,
        unreadable_values,
        chain,
        chain_span,
        limits: top.get("limits").map_or_else(Limits::default, |v| read_limits(doc, v)),
        traffic: top.get("traffic").map_or_else(Traffic::default, |v| read_traffic(doc, v)),
        fixtures: top.get("fixture").map_or_else(Vec::new, |v| read_fixtures(doc, v)),
        matrix,
    }
}

fn read_target(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<Target> {
    table.refuse_unknown(doc, &TARGET_KEYS);
    let name = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.string(v, key));
    let flag = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.bool(v, key));
    let provider = table.require(doc, "provider").and_then(|v| doc.string(v, "provider"));
    let model = table.require(doc, "model").and_then(|v| doc.string(v, "model"));
    Some(Target {
        shared_scope: table
            .get("shared_scope")
            .and_then(|v| Some(Spanned::new(doc.bool(v, "shared_scope")?, doc.span(v.span())))),
        tokenizer: name(doc, "tokenizer"),
        strips_attribution: flag(doc, "strips_attribution"),
        ttl: table.get("ttl").map_or(Ttl::Default, |v| read_ttl(doc, v)),
        marks_for_messages: spanned_count(doc, table, "marks_for_messages"),
        provider: provider?,
        model: model?,
    })
}

fn read_ttl(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Ttl {
    if !value.get_ref().is_table() {
        return doc.string(value, "ttl").map_or(Ttl::Default, Ttl::All);
    }
    let Some(table) = doc.table(value, "ttl", "`ttl`") else { return Ttl::Default };
    table.refuse_unknown(doc, &BLOCK_KINDS);
    Ttl::ByBlock(table.entries().filter_map(|(kind, v)| Some((kind.clone(), doc.string(v, kind)?))).collect())
}

type Values = Vec<(Spanned<String>, Spanned<Value>)>;

/// `[values]`, and the names whose value could not be read.
fn read_values(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> (Values, BTreeSet<String>) {
    let (mut values, mut unreadable) = (Vec::new(), BTreeSet::new());
    let Some(table) = doc.table(value, "values", "`[values]`") else { return (values, unreadable) };
    for (name, value) in table.entries() {
        match doc.spanned_value(value, name) {
            Some(value) => values.push((name.clone(), value)),
            None => _ = unreadable.insert(name.value.clone()),
        }
    }
    (values, unreadable)
}

/// `[limits]` of a profile or of the project.
pub(super) fn read_limits(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Limits {
    let Some(table) = doc.table(value, "limits", "`[limits]`") else { return Limits::default() };
    table.refuse_unknown(doc, &LIMIT_KEYS);
    let limit = |doc: &mut Doc<'_>, key: &str| spanned_count(doc, &table, key);
    Limits {
        static_variants: limit(doc, "static_variants"),
        section_tokens: limit(doc, "section_tokens"),
        static_tokens: limit(doc, "static_tokens"),
        total_tokens: limit(doc, "total_tokens"),
    }
}

fn spanned_count(doc: &mut Doc<'_>, table: &Table<'_>, key: &str) -> Option<Spanned<u64>> {
    let value = table.get(key)?;
    Some(Spanned::new(doc.count(value, key)?, doc.span(value.span())))
}

fn read_traffic(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Traffic {
    let Some(table) = doc.table(value, "traffic", "`[traffic]`") else { return Traffic::default() };
    table.refuse_unknown(doc, &TRAFFIC_KEYS);
    let count = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.count(v, key));
    Traffic { sessions_per_day: count(doc, "sessions_per_day"), turns_per_session: count(doc, "turns_per_session") }
}

fn read_fixtures(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Vec<Fixture> {
    let mut out: Vec<Fixture> = Vec::new();
    for table in doc.tables(value, "fixture", "[[fixture]]") {
        table.refuse_unknown(doc, &["name", "context", "description"]);
        if let Some(value) = table.get("description") {
            doc.string(value, "description");
        }
        let name = table.require(doc, "name").and_then(|v| doc.string(v, "name"));
        let context = table.require(doc, "context").and_then(|v| read_path(doc, v, "context"));
        if let (Some(name), Some(context)) = (name, context) {
            names::check_file(doc, "a fixture", &name);
            out.push(Fixture { name, context });
        }
    }
    let names: Vec<_> = out.iter().map(|f| f.name.clone()).collect();
    for (again, first) in repeated(&names) {
        doc.say(errors::duplicate(again.span, "the fixture", &again.value, first.span));
    }
    out
}

/// The matrix; the names of axes that cannot be used go to `unreadable`.
fn read_matrix(
    doc: &mut Doc<'_>,
    value: &TomlSpanned<DeValue<'_>>,
    unreadable: &mut BTreeSet<String>,
) -> Vec<MatrixKey> {
    let Some(table) = doc.table(value, "matrix", "`matrix`") else { return Vec::new() };
    let mut out = Vec::new();
    for (name, value) in table.entries() {
        let items = doc.list(value, name).unwrap_or_default();
        let values: Vec<_> = items.iter().filter_map(|item| doc.spanned_value(item, name)).collect();
        for (n, item) in values.iter().enumerate() {
            if let Some(first) = values[..n].iter().find(|v| v.value == item.value) {
                doc.say(errors::duplicate(item.span, "the value of", name, first.span));
            }
        }
        if value.get_ref().as_array().is_some_and(|items| items.is_empty()) {
            doc.say(errors::wrong_type(doc.span(value.span()), name, "a list of at least one value", "an empty list"));
        }
        if values.is_empty() {
            unreadable.insert(name.value.clone());
        } else {
            out.push(MatrixKey { name: name.clone(), values });
        }
    }
    let cells = out.iter().try_fold(1usize, |cells, key| cells.checked_mul(key.values.len()));
    let limit = doc.limits.matrix_cells;
    if cells.is_none_or(|n| n > limit.value) {
        doc.say(errors::matrix_too_large(table.span(), limit));
        unreadable.extend(out.drain(..).map(|key| key.name.value));
    }
    out
}
