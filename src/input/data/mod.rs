//! Data files to values: contexts, fixtures, front matter.
//!
//! Owns what JSON, YAML and TOML may hold here, which is the same for all three: a table of finite 64-bit numbers,
//! strings, bools, lists and tables, every key once. Does not know inputs. Main entry: [`read`].

mod json;
mod scalar;
mod toml;
mod yaml;

use std::collections::BTreeMap;

use super::{Value, errors};
use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::source::{Located, Span, Spanned};

/// Messages of one file. What comes later is left out: a file with so many problems is another kind of file.
const MESSAGES: usize = 50;

/// The language of a data file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// RFC 8259.
    Json,
    /// YAML 1.2, core schema.
    Yaml,
    /// TOML 1.1.
    Toml,
}

/// One top-level entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The key and its place, quotes included.
    pub key: Spanned<String>,
    /// Its value.
    pub value: Value,
}

impl Format {
    /// The language by the ending of a path: `.toml`, `.yaml` or `.yml`, and JSON for all others.
    pub fn of_path(path: &str) -> Format {
        match path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
            Some("toml") => Format::Toml,
            Some("yaml" | "yml") => Format::Yaml,
            _ => Format::Json,
        }
    }
}

/// All entries of a data file, sorted by key. An empty YAML or TOML file has none.
///
/// # Errors
/// Everything that is wrong with the file: its first syntax error, and all values and keys that are not allowed.
pub fn read(text: &Located, format: Format, limits: &Limits) -> Result<Vec<Entry>, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let entries = match format {
        Format::Json => json::read(text, limits, &mut problems),
        Format::Yaml => yaml::read(text, limits, &mut problems),
        Format::Toml => toml::read(text, &mut problems),
    };
    match entries {
        Ok(table) if problems.list.is_empty() => Ok(table.into_entries()),
        _ => Err(problems.into_list()),
    }
}

/// Proof that reading cannot go on, and that a message says why.
struct Stop;

/// The messages of one file.
#[derive(Default)]
struct Problems {
    list: Vec<Diagnostic>,
    left_out: usize,
}

impl Problems {
    fn push(&mut self, problem: Diagnostic) {
        if self.list.len() < MESSAGES {
            self.list.push(problem);
        } else {
            self.left_out += 1;
        }
    }

    /// Messages so far, those left out counted.
    fn count(&self) -> usize {
        self.list.len() + self.left_out
    }

    fn stop(&mut self, problem: Diagnostic) -> Stop {
        self.push(problem);
        Stop
    }

    fn into_list(mut self) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| a.place.cmp(&b.place));
        if self.left_out > 0
            && let Some(last) = self.list.pop()
        {
            self.list.push(last.note(format!("{} more problems in this file are not shown", self.left_out)));
        }
        self.list
    }
}

/// A table while it is read: its keys know where they stand.
#[derive(Default)]
struct Table {
    entries: BTreeMap<String, (Span, Value)>,
}

impl Table {
    /// Adds an entry, or says that its key is there already. Keys are compared with LF line ends.
    fn insert(&mut self, key: Spanned<String>, value: Value, problems: &mut Problems) {
        use std::collections::btree_map::Entry::{Occupied, Vacant};
        match self.entries.entry(crate::source::clean_newlines(&key.value).into_owned()) {
            Vacant(free) => _ = free.insert((key.span, value)),
            Occupied(taken) => problems.push(errors::duplicate_key(&key.value, key.span, Some(taken.get().0))),
        }
    }

    fn into_value(self) -> Value {
        Value::Table(self.entries.into_iter().map(|(key, (_, value))| (key, value)).collect())
    }

    fn into_entries(self) -> Vec<Entry> {
        let entry = |(key, (span, value)): (String, (Span, Value))| Entry {
            key: Spanned::new(key, span),
            value: value.cleaned(),
        };
        self.entries.into_iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diag::Place;
    use crate::source::SourceMap;

    /// The whole file as one value, in canonical JSON.
    pub(super) fn value(text: &str, format: Format) -> String {
        let mut sources = SourceMap::default();
        let id = sources.add("x", text.as_bytes()).unwrap();
        let entries =
            read(&sources.located(id), format, &Limits::default()).unwrap_or_else(|p| panic!("{text}: {p:?}"));
        Value::Table(entries.into_iter().map(|e| (e.key.value, e.value)).collect()).canonical_json()
    }

    /// `line:column..column message` of each problem.
    pub(super) fn messages(text: &str, format: Format) -> Vec<String> {
        let mut sources = SourceMap::default();
        let id = sources.add("x", text.as_bytes()).unwrap();
        let problems = read(&sources.located(id), format, &Limits::default()).err().unwrap_or_default();
        let lines = sources.file(id).lines();
        let told = problems.iter().map(|p| {
            let Place::Span(span) = p.place else { panic!("{p:?} has no span") };
            let start = lines.position(sources.text(id), span.start);
            let end = lines.position(sources.text(id), span.end);
            let upto =
                if start.line == end.line { end.column.to_string() } else { format!("{}:{}", end.line, end.column) };
            format!("{}:{}-{upto} {}", start.line, start.column, p.message)
        });
        told.collect()
    }

    #[test]
    fn the_format_follows_the_ending() {
        for (path, want) in [
            ("a.toml", Format::Toml),
            ("a.yaml", Format::Yaml),
            ("b/a.YML", Format::Yaml),
            ("a.json", Format::Json),
            ("a", Format::Json),
            ("a.toml/b", Format::Json),
        ] {
            assert_eq!(Format::of_path(path), want, "{path}");
        }
    }

    #[test]
    fn spans_of_front_matter_are_those_of_its_file() {
        let mut sources = SourceMap::default();
        let id = sources.add("agent.md", "---\nname: x\nname: y\n---\nbody".as_bytes()).unwrap();
        let front: std::sync::Arc<str> = sources.text(id)[4..20].into();
        let text = Located::verbatim(id, front, 4);
        let problems = read(&text, Format::Yaml, &Limits::default()).unwrap_err();
        assert_eq!(problems[0].place, Place::Span(Span::new(id, 12..16)));
        assert_eq!(problems[0].labels[0].span, Span::new(id, 4..8));
    }

    #[test]
    fn keys_keep_their_places() {
        for (text, format) in [
            ("{\"b\": 1, \"a\": 2}", Format::Json),
            ("\"b\": 1\na: 2", Format::Yaml),
            ("\"b\" = 1\na = 2", Format::Toml),
        ] {
            let mut sources = SourceMap::default();
            let id = sources.add("x", text.as_bytes()).unwrap();
            let entries = read(&sources.located(id), format, &Limits::default()).unwrap();
            let places: Vec<&str> = entries.iter().map(|e| sources.slice(e.key.span)).collect();
            assert_eq!(places, [if format == Format::Json { "\"a\"" } else { "a" }, "\"b\""], "{format:?}");
        }
    }

    #[test]
    fn a_file_with_very_many_problems_is_cut_short() {
        let text = format!("[{}]", "nan, ".repeat(100));
        let text = format!("a = {text}");
        let mut sources = SourceMap::default();
        let id = sources.add("x", text.as_bytes()).unwrap();
        let problems = read(&sources.located(id), Format::Toml, &Limits::default()).unwrap_err();
        assert_eq!(problems.len(), MESSAGES);
        assert_eq!(problems[MESSAGES - 1].notes, ["50 more problems in this file are not shown"]);
    }

    proptest! {
        /// No panic, and every place lies on character boundaries inside the file, whatever the bytes.
        #[test]
        fn any_text_is_read_or_refused(parts in prop::collection::vec(prop::sample::select(&[
            "a", "b", ":", " ", "\n", "- ", "[", "]", "{", "}", ",", "\"", "'", "&x ", "*x", "!t ", "|", ">", "#", "---\n", "...\n", "<<",
            "1_0", "017", "~", "? ", "=", ".", "[[", "1e999", "é", "\t", "%", "\\", "@", "2020-01-01", "\u{85}", "\u{2028}", "\0", "\u{feff}",
        ][..]), 0..30)) {
            let text = parts.concat();
            for format in [Format::Json, Format::Yaml, Format::Toml] {
                let mut sources = SourceMap::default();
                let id = sources.add("x", text.as_bytes()).unwrap();
                if let Err(problems) = read(&sources.located(id), format, &Limits::default()) {
                    prop_assert!(!problems.is_empty());
                    for problem in problems {
                        let Place::Span(span) = problem.place else { panic!("{problem:?}") };
                        prop_assert!(sources.text(id).get(span.range()).is_some(), "{text:?} {problem:?}");
                    }
                }
            }
        }
    }
}
