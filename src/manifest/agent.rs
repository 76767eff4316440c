//! An agent: Markdown with YAML front matter, `prompts/agents/**.md`.

use super::errors;
use crate::input::Value;
use crate::input::data::{self, Format};
use crate::limits::Limits;
use crate::source::{FileId, Located, Span, Spanned};

use super::Parsed;

/// One agent.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its file.
    pub file: FileId,
    /// Its name: from the front matter, or the file's stem.
    pub name: Spanned<String>,
    /// Its instructions: everything behind the front matter.
    pub body: Located,
    /// All keys of the front matter, in key order.
    pub front: Vec<(String, Value)>,
}

impl Agent {
    /// Reads an agent's text. `stem` is the file's name without its ending.
    pub fn parse(text: &Located, stem: &str, limits: &Limits) -> Parsed<Agent> {
        let file = text.file();
        let mut diagnostics = Vec::new();
        let (front, body) = match split(&text.text) {
            Split::None => (None, 0),
            Split::Unclosed => {
                let span = text.span(0..3);
                diagnostics.push(errors::front_matter(
                    span,
                    "the front matter is not closed",
                    "end it with a line `---`, or begin the text with something else",
                ));
                (None, 0)
            }
            Split::At { front, body } => (Some(front), body),
        };
        let cut = |start: usize, end: usize| Located::verbatim(file, text.text[start..end].into(), start as u32);
        let mut entries = Vec::new();
        if let Some(range) = front {
            match data::read(&cut(range.start, range.end), Format::Yaml, limits) {
                Ok(found) => entries = found,
                Err(found) => diagnostics.extend(found),
            }
        }
        let mut name = Spanned::new(stem.to_owned(), Span::start_of(file));
        for entry in &entries {
            let key = entry.key.value.as_str();
            match (key, &entry.value) {
                ("name", Value::String(given)) if !given.trim().is_empty() => {
                    name = Spanned::new(given.trim().to_owned(), entry.key.span);
                }
                ("name" | "description" | "model", Value::String(_)) | ("tools", Value::String(_)) => {}
                ("tools", Value::List(items)) if items.iter().all(|i| matches!(i, Value::String(_))) => {}
                ("name" | "description" | "model", other) => {
                    diagnostics.push(errors::wrong_type(entry.key.span, key, "a string", other.kind()));
                }
                ("tools", other) => {
                    let want = "a string or a list of strings";
                    diagnostics.push(errors::wrong_type(entry.key.span, key, want, other.kind()));
                }
                _ => {}
            }
        }
        let front = entries.into_iter().map(|e| (e.key.value, e.value)).collect();
        Parsed { value: Agent { file, name, body: cut(body, text.text.len()), front }, diagnostics }
    }
}

enum Split {
    None,
    Unclosed,
    At { front: std::ops::Range<usize>, body: usize },
}

fn split(text: &str) -> Split {
    let mut lines = text.split_inclusive('\n');
    let is_fence = |line: &str| line.trim_end() == "---";
    let Some(first) = lines.next().filter(|l| is_fence(l)) else { return Split::None };
    let mut at = first.len();
    for line in lines {
        if is_fence(line) {
            return Split::At { front: first.len()..at, body: at + line.len() };
        }
        at += line.len();
    }
    Split::Unclosed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn agent(text: &str) -> Parsed<Agent> {
        let mut sources = SourceMap::default();
        let file = sources.add("prompts/agents/pruner.md", text.as_bytes()).unwrap();
        Agent::parse(&sources.located(file), "pruner", &Limits::default())
    }

    #[test]
    fn the_body_begins_behind_the_closing_line() {
        let found = agent("\u{feff}---\r\nname: reviewer\r\ntools: [a, b]\r\nextra: 1\r\n---\r\n\r\nReview.\r\n");
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        assert_eq!(found.value.name.value, "reviewer");
        assert_eq!(&*found.value.body.text, "\nReview.\n");
        assert_eq!(found.value.front.len(), 3);
    }

    #[test]
    fn front_matter_is_optional_and_must_be_closed() {
        let plain = agent("Just text.\n---\n");
        assert_eq!((plain.value.name.as_str(), &*plain.value.body.text), ("pruner", "Just text.\n---\n"));
        assert_eq!(agent("---\nname: x\n").diagnostics.len(), 1);
        assert_eq!(&*agent("---\n---\nBody").value.body.text, "Body");
    }
}
