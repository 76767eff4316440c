//! Reads TOML key by key from the spanned tree, so that every value keeps its place and all errors are found at once.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned as TomlSpanned;
use toml::de::{DeTable, DeValue};

use super::edits::Headers;
use super::errors;
use super::strings;
use crate::diag::{Bounded, Diagnostic, Place};
use crate::input::Value;
use crate::limits::Limits;
use crate::source::{FileId, Located, Span, Spanned, clean_newlines};

/// Deepest nesting of arrays and tables. The parser's own bound is close to it, so nobody can raise it.
pub(super) const MAX_DEPTH: usize = 64;

/// One TOML file being read.
pub(super) struct Doc<'t> {
    file: FileId,
    text: &'t str,
    /// All findings so far.
    diagnostics: Bounded,
    /// The bounds that hold.
    pub(super) limits: &'t Limits,
    /// Whether the file has a syntax error: then a key that seems to be missing may only be unreadable.
    pub(super) broken: bool,
}

/// A table of the file: `what` names it in messages, such as `[[section]]`.
pub(super) struct Table<'d> {
    entries: Vec<(Spanned<String>, &'d TomlSpanned<DeValue<'d>>)>,
    span: Span,
    what: String,
}

impl<'t> Doc<'t> {
    /// Parses a file and hands its top table to `read`.
    pub(super) fn parse<T>(
        file: FileId,
        text: &'t str,
        what: &str,
        limits: &'t Limits,
        read: impl FnOnce(&mut Doc<'t>, &Table<'_>) -> T,
    ) -> super::Parsed<T> {
        let (tree, problems) = DeTable::parse_recoverable(text);
        let mut doc =
            Doc { file, text, diagnostics: Bounded::new(limits.messages), limits, broken: !problems.is_empty() };
        let first = problems.iter().min_by_key(|e| e.span().map_or(usize::MAX, |s| s.start));
        if let Some(problem) = first {
            let span = doc.span(problem.span().unwrap_or(0..0));
            let curly = line_around(text, span.range().start).contains(['“', '”', '‘', '’']);
            doc.diagnostics.push(errors::toml_syntax(span, problem.message(), problems.len() - 1, curly));
        }
        let top = doc.table_of(tree.get_ref(), Span::start_of(file), what);
        let too_deep = tree.get_ref().iter().find_map(|(_, v)| deepest(v, MAX_DEPTH - 1));
        let value = if let Some(range) = too_deep {
            doc.diagnostics.push(errors::too_deep(doc.span(range)));
            doc.broken = true;
            let empty = Table { entries: Vec::new(), span: top.span, what: top.what };
            read(&mut doc, &empty)
        } else {
            read(&mut doc, &top)
        };
        if doc.broken {
            // What is missing in a file that does not parse is a consequence, not a finding.
            // So is what the parser made of a value that it could not read.
            let guessed: Vec<_> =
                problems.iter().filter_map(|p| p.span()).map(|at| Place::Span(doc.span(at))).collect();
            doc.diagnostics.retain(|d| {
                d.rule != &errors::MISSING_KEY && (d.rule == &errors::TOML_SYNTAX || !guessed.contains(&d.place))
            });
        }
        super::Parsed { value, diagnostics: doc.diagnostics.into_list(|_| {}) }
    }

    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    fn table_of<'d>(&self, table: &'d DeTable<'d>, span: Span, what: &str) -> Table<'d> {
        let mut entries: Vec<_> =
            table.iter().map(|(k, v)| (Spanned::new(k.get_ref().to_string(), self.span(k.span())), v)).collect();
        // The tree sorts by key; people read by line.
        entries.sort_by_key(|(k, _)| k.span.start);
        Table { entries, span, what: what.to_owned() }
    }

    /// The value as a table, or a message.
    pub(super) fn table<'d>(
        &mut self,
        value: &'d TomlSpanned<DeValue<'d>>,
        key: &str,
        what: &str,
    ) -> Option<Table<'d>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(self.table_of(table, self.span(value.span()), what)),
            other => {
                self.wrong(value, key, "a table", other);
                None
            }
        }
    }

    fn wrong(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str, want: &str, got: &DeValue<'_>) {
        // A value that could not be parsed stands in the tree as an empty string.
        if self.broken && value.span().is_empty() {
            return;
        }
        let span = self.span(value.span());
        self.say(errors::wrong_type(span, key, want, kind(got)));
    }

    /// The value as a string with the places of its letters, or a message.
    pub(super) fn text(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Located> {
        match value.get_ref() {
            DeValue::String(decoded) => {
                let range = value.span();
                let raw = self.text.get(range.clone()).unwrap_or_default();
                Some(strings::locate(self.file, raw, range.start, decoded))
            }
            other => {
                self.wrong(value, key, "a string", other);
                None
            }
        }
    }

    /// The value as a string, or a message.
    pub(super) fn string(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Spanned<String>> {
        match value.get_ref() {
            DeValue::String(decoded) => {
                Some(Spanned::new(clean_newlines(decoded).into_owned(), self.span(value.span())))
            }
            other => {
                self.wrong(value, key, "a string", other);
                None
            }
        }
    }

    /// The value as a bool, or a message.
    pub(super) fn bool(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<bool> {
        if let DeValue::Boolean(b) = value.get_ref() {
            return Some(*b);
        }
        self.wrong(value, key, "`true` or `false`", value.get_ref());
        None
    }

    /// The value as a whole number from 0, or a message.
    pub(super) fn count(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<u64> {
        let number = match value.get_ref() {
            DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().and_then(|n| u64::try_from(n).ok()),
            _ => None,
        };
        if number.is_none() {
            self.wrong(value, key, "a whole number from 0", value.get_ref());
        }
        number
    }

    /// The value as a number, or a message.
    pub(super) fn number(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<f64> {
        match self.value(value, key)? {
            Value::Integer(n) => Some(n as f64),
            Value::Number(n) => Some(n),
            _ => {
                self.wrong(value, key, "a number", value.get_ref());
                None
            }
        }
    }

    /// The value as a list, or a message.
    pub(super) fn list<'d>(
        &mut self,
        value: &'d TomlSpanned<DeValue<'d>>,
        key: &str,
    ) -> Option<&'d [TomlSpanned<DeValue<'d>>]> {
        match value.get_ref() {
            DeValue::Array(array) => Some(&array[..]),
            other => {
                self.wrong(value, key, "a list", other);
                None
            }
        }
    }

    /// A key that may be absent, as it was read; `None` when it is there and could not be.
    pub(super) fn optional<T>(read: Option<Option<T>>) -> Option<Option<T>> {
        read.map_or(Some(None), |value| value.map(Some))
    }

    /// All entries as they were read; `None` when one could not be, once each was told of.
    pub(super) fn whole<T>(entries: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
        let all: Vec<Option<T>> = entries.collect();
        all.into_iter().collect()
    }

    /// The value as a list of strings, or a message; items of another type are told and left out.
    pub(super) fn strings(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Vec<Spanned<String>>> {
        let DeValue::Array(array) = value.get_ref() else {
            self.wrong(value, key, "a list of strings", value.get_ref());
            return None;
        };
        Some(array.iter().filter_map(|item| self.string(item, key)).collect())
    }

    /// The value as data, LF only, or a message.
    pub(super) fn value(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Value> {
        let span = self.span(value.span());
        Some(match value.get_ref() {
            DeValue::String(s) => {
                if self.broken && value.span().is_empty() {
                    return None;
                }
                Value::String(s.to_string()).cleaned()
            }
            DeValue::Boolean(b) => Value::Bool(*b),
            DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) => Value::Integer(n),
                Err(_) => {
                    self.say(errors::number_out_of_range(span, key));
                    return None;
                }
            },
            DeValue::Float(n) => match n.as_str().parse::<f64>() {
                Ok(n) if n.is_finite() => Value::Number(n),
                _ => {
                    self.say(errors::number_out_of_range(span, key));
                    return None;
                }
            },
            DeValue::Datetime(_) => {
                self.say(errors::date(span, key));
                return None;
            }
            DeValue::Array(items) => {
                let values: Vec<_> = items.iter().map(|item| self.value(item, key)).collect();
                Value::List(values.into_iter().collect::<Option<_>>()?)
            }
            DeValue::Table(table) => {
                let values: Vec<_> =
                    table.iter().map(|(k, v)| Some((k.get_ref().to_string(), self.value(v, key)?))).collect();
                Value::Table(values.into_iter().collect::<Option<_>>()?).cleaned()
            }
        })
    }

    /// The value as data with its place.
    pub(super) fn spanned_value(&mut self, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Spanned<Value>> {
        Some(Spanned::new(self.value(value, key)?, self.span(value.span())))
    }

    /// One of a closed set of words, or a message that lists them.
    pub(super) fn word<T: Copy>(
        &mut self,
        value: &TomlSpanned<DeValue<'_>>,
        key: &str,
        words: &[(&'static str, T)],
    ) -> Option<Spanned<T>> {
        let word = self.string(value, key)?;
        match words.iter().find(|(name, _)| *name == word.value) {
            Some((_, meaning)) => Some(Spanned::new(*meaning, word.span)),
            None => {
                if !(self.broken && value.span().is_empty()) {
                    self.say(errors::unknown_word(word.span, key, &word.value, words.iter().map(|(name, _)| *name)));
                }
                None
            }
        }
    }

    /// The tables of an array of tables, or a message.
    pub(super) fn tables<'d>(&mut self, value: &'d TomlSpanned<DeValue<'d>>, key: &str, what: &str) -> Vec<Table<'d>> {
        let DeValue::Array(array) = value.get_ref() else {
            self.wrong(value, key, &format!("tables, each under `{what}`"), value.get_ref());
            return Vec::new();
        };
        array.iter().filter_map(|item| self.table(item, key, &format!("`{what}`"))).collect()
    }
}

impl<'d> Table<'d> {
    /// Where the table is written: its header, or its braces.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// What it is called in messages.
    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// The headers of the file whose top table this is.
    pub(super) fn headers(&self, doc: &Doc<'_>) -> Headers {
        match doc.broken {
            true => Headers::unknown(),
            false => Headers::of(doc.text, self.entries.iter().map(|(key, value)| (key.value.as_str(), *value))),
        }
    }

    /// All entries in the order of the file.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&Spanned<String>, &'d TomlSpanned<DeValue<'d>>)> {
        self.entries.iter().map(|(k, v)| (k, *v))
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'d TomlSpanned<DeValue<'d>>> {
        self.entries.iter().find(|(k, _)| k.value == key).map(|(_, v)| *v)
    }

    /// The place of a key.
    pub(super) fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.iter().find(|(k, _)| k.value == key).map(|(k, _)| k.span)
    }

    /// The value of a key that must be there.
    pub(super) fn require(&self, doc: &mut Doc<'_>, key: &str) -> Option<&'d TomlSpanned<DeValue<'d>>> {
        let value = self.get(key);
        if value.is_none() {
            doc.say(errors::missing_key(self.span, key, &self.what));
        }
        value
    }

    /// Tells every key that is not among the known ones.
    pub(super) fn refuse_unknown(&self, doc: &mut Doc<'_>, known: &[&str]) {
        for (key, _) in &self.entries {
            if !known.contains(&key.value.as_str()) {
                // What is only counted needs no way out.
                let known = if doc.diagnostics.shows_errors() { known } else { &[] };
                doc.say(errors::unknown_key(key.span, &key.value, &self.what, known));
            }
        }
    }

    /// Tells every pair of keys that exclude one another; gives the first that is there.
    pub(super) fn one_of<'k>(&self, doc: &mut Doc<'_>, keys: &[&'k str]) -> Option<&'k str> {
        let mut found: Vec<(&str, Span)> = keys.iter().filter_map(|k| Some((*k, self.key_span(k)?))).collect();
        found.sort_by_key(|(_, span)| span.start);
        let mut present = found.into_iter();
        let first = present.next();
        let rest: Vec<_> = present.collect();
        if let Some((name, span)) = first {
            for (other, at) in rest {
                doc.say(errors::conflicting_keys(at, other, span, name));
            }
        }
        first.map(|(name, _)| name)
    }
}

/// The line of an offset.
fn line_around(text: &str, at: usize) -> &str {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let end = after.find('\n').map_or(text.len(), |n| at + n);
    &text[start..end]
}

/// The place of the outermost value that is nested more than so many levels deep.
fn deepest(value: &TomlSpanned<DeValue<'_>>, levels: usize) -> Option<Range<usize>> {
    (depth(value.get_ref()) > levels).then(|| match value.get_ref() {
        // A table written over several lines is told at the value within it.
        DeValue::Table(table) => table.iter().find_map(|(_, v)| deepest(v, levels - 1)).unwrap_or(value.span()),
        _ => value.span(),
    })
}

fn depth(value: &DeValue<'_>) -> usize {
    match value {
        DeValue::Array(items) => 1 + items.iter().map(|item| depth(item.get_ref())).max().unwrap_or(0),
        DeValue::Table(table) => 1 + table.iter().map(|(_, item)| depth(item.get_ref())).max().unwrap_or(0),
        _ => 0,
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a bool",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The names that stand twice in a list, with both places.
pub(super) fn repeated(names: &[Spanned<String>]) -> Vec<(&Spanned<String>, &Spanned<String>)> {
    let mut known: BTreeMap<&str, &Spanned<String>> = BTreeMap::new();
    let mut out = Vec::new();
    for name in names {
        let first = *known.entry(name).or_insert(name);
        if !std::ptr::eq(first, name) {
            out.push((name, first));
        }
    }
    out
}
