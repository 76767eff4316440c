//! `[inputs]`.

use std::collections::BTreeSet;

use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::reader::{Doc, Table};
use super::{errors, names};
use crate::input::{Definition, Form, Lifetime, Plain, SortBy, TableValue, Trust, Type};
use crate::source::Spanned;

const PLAIN_KEYS: [&str; 11] = [
    "type",
    "lifetime",
    "default",
    "example",
    "description",
    "optional",
    "sort_by",
    "max_items",
    "max_chars",
    "trust",
    "secret",
];
const TABLE_KEYS: [&str; 5] = ["by", "values", "else", "example", "description"];
const DERIVE_KEYS: [&str; 3] = ["derive", "example", "description"];

/// The words of `type` that are no enums.
pub const TYPES: [(&str, Type); 6] = [
    ("bool", Type::Bool),
    ("string", Type::String),
    ("integer", Type::Integer),
    ("number", Type::Number),
    ("list", Type::List),
    ("table", Type::Table),
];

/// `[inputs]`, and the names of those that could not be read.
#[derive(Default)]
pub(super) struct Inputs {
    pub(super) definitions: Vec<Definition>,
    pub(super) unreadable: BTreeSet<String>,
}

pub(super) fn read(doc: &mut Doc<'_>, top: &Table<'_>) -> Inputs {
    let mut out = Inputs::default();
    let table = top.get("inputs").and_then(|v| doc.table(v, "inputs", "`[inputs]`"));
    let Some(table) = table else { return out };
    for (name, value) in table.entries() {
        names::check_input(doc, name);
        let what = format!("the input `{}`", name.value);
        let entry = doc.table(value, name, &what);
        match entry.as_ref().and_then(|entry| Some((entry, read_form(doc, entry)?))) {
            Some((entry, form)) => out.definitions.push(Definition {
                name: name.clone(),
                form,
                description: entry.get("description").and_then(|v| doc.string(v, "description")).map(|s| s.value),
                example: entry.get("example").and_then(|v| doc.value(v, "example")),
                span: entry.span(),
            }),
            None => _ = out.unreadable.insert(name.value.clone()),
        }
    }
    out
}

fn read_form(doc: &mut Doc<'_>, entry: &Table<'_>) -> Option<Form> {
    let all: Vec<&str> = PLAIN_KEYS.into_iter().chain(["by", "values", "else", "derive"]).collect();
    let forms = ["by", "derive", "type"];
    if forms.iter().filter(|key| entry.get(key).is_some()).count() > 1 {
        entry.one_of(doc, &forms);
        entry.refuse_unknown(doc, &all);
        return None;
    }
    match entry.one_of(doc, &forms) {
        Some("by") => {
            entry.refuse_unknown(doc, &TABLE_KEYS);
            let by = entry.get("by").and_then(|v| doc.string(v, "by"));
            let values = entry.require(doc, "values").and_then(|v| doc.table(v, "values", "`values`"));
            let otherwise = Doc::optional(entry.get("else").map(|v| table_value(doc, v, "else")));
            let values = values?;
            let values =
                Doc::whole(values.entries().map(|(key, v)| Some((key.clone(), table_value(doc, v, "values")?))));
            Some(Form::Table { by: by?, values: values?, otherwise: otherwise? })
        }
        Some("derive") => {
            entry.refuse_unknown(doc, &DERIVE_KEYS);
            entry.get("derive").and_then(|v| doc.text(v, "derive")).map(Form::Expression)
        }
        Some(_) => {
            entry.refuse_unknown(doc, &PLAIN_KEYS);
            plain(doc, entry).map(Form::Plain)
        }
        None => {
            // Not `type` alone: a misspelt `derive` is told as an unknown key, with the three forms.
            entry.refuse_unknown(doc, &all);
            entry.require(doc, "type");
            None
        }
    }
}

fn table_value(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Spanned<TableValue>> {
    if value.get_ref().is_bool() {
        let found = doc.spanned_value(value, key)?;
        let is_true = matches!(found.value, crate::input::Value::Bool(true));
        return Some(Spanned::new(TableValue::Bool(is_true), found.span));
    }
    match value.get_ref() {
        DeValue::String(_) => doc.string(value, key).map(|s| s.map(|text| TableValue::Text(clean(&text)))),
        _ => {
            let found = doc.spanned_value(value, key)?;
            doc.say(errors::wrong_type(found.span, key, "bools or strings", found.value.kind()));
            None
        }
    }
}

fn clean(text: &str) -> String {
    crate::source::clean_newlines(text).into_owned()
}

fn plain(doc: &mut Doc<'_>, entry: &Table<'_>) -> Option<Plain> {
    let kind = entry.get("type").and_then(|v| read_type(doc, v));
    let lifetime = entry
        .require(doc, "lifetime")
        .and_then(|v| doc.word(v, "lifetime", &Lifetime::ALL.map(|l| (l.name(), l))))
        .map(|l| l.value);
    let default = Doc::optional(entry.get("default").map(|v| doc.spanned_value(v, "default")));
    let flag = |doc: &mut Doc<'_>, key: &str| entry.get(key).and_then(|v| doc.bool(v, key)).unwrap_or(false);
    let limit = |doc: &mut Doc<'_>, key: &str| entry.get(key).and_then(|v| doc.count(v, key)).map(|n| n as usize);
    let out = Plain {
        optional: flag(doc, "optional"),
        secret: flag(doc, "secret"),
        max_items: limit(doc, "max_items"),
        max_chars: limit(doc, "max_chars"),
        sort_by: entry.get("sort_by").and_then(|v| doc.string(v, "sort_by")).and_then(|s| sort_by(doc, &s)),
        trust: entry.get("trust").and_then(|v| doc.word(v, "trust", &Trust::WORDS)).map_or(Trust::Own, |t| t.value),
        kind: kind?,
        lifetime: lifetime?,
        default: default?,
    };
    for (key, fits) in [
        ("sort_by", out.kind == Type::List),
        ("max_items", out.kind == Type::List),
        ("max_chars", out.kind == Type::String),
    ] {
        if let Some(at) = entry.key_span(key)
            && !fits
        {
            let home = if key == "max_chars" { "inputs of type `string`" } else { "inputs of type `list`" };
            doc.say(errors::misplaced(at, key, home));
        }
    }
    entry.one_of(doc, if out.optional { &["default", "optional"] } else { &[] });
    Some(out)
}

fn read_type(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Option<Type> {
    if value.get_ref().is_array() {
        let values = doc.strings(value, "type")?;
        for (again, first) in super::reader::repeated(&values) {
            doc.say(errors::duplicate(again.span, "the value", &again.value, first.span));
        }
        if values.is_empty() {
            let span = doc.spanned_value(value, "type")?.span;
            doc.say(errors::wrong_type(span, "type", "a list of at least one string", "an empty list"));
            return None;
        }
        return Some(Type::Enum(values.into_iter().map(|v| clean(&v)).collect()));
    }
    let words: Vec<(&'static str, usize)> = TYPES.iter().enumerate().map(|(n, (word, _))| (*word, n)).collect();
    doc.word(value, "type", &words).map(|n| TYPES[n.value].1.clone())
}

fn sort_by(doc: &mut Doc<'_>, written: &Spanned<String>) -> Option<SortBy> {
    let text = written.value.as_str();
    if text == "given" {
        return Some(SortBy::Given);
    }
    let (descending, key) = match text.strip_prefix('-') {
        Some(key) => (true, key),
        None => (false, text),
    };
    if key.is_empty() {
        doc.say(errors::wrong_type(written.span, "sort_by", "a key, `.` or `given`", "an empty name"));
        return None;
    }
    Some(SortBy::Key { key: (key != ".").then(|| key.to_owned()), descending })
}
