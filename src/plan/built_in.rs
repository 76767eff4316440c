//! The facts that promptc brings along: `providers.toml`, read a table at a time.
//!
//! A target needs three of its tables. So only where tables begin and what they are about is found at once, and a table is
//! read when it is asked for. Does not know which facts win.

use std::sync::{LazyLock, OnceLock};

use crate::limits::Limits;
use crate::manifest::{ModelFact, Project, ProviderFact, TokenizerFact};
use crate::source::SourceMap;

/// In the form of `promptc.toml`; every table begins with its key.
const TEXT: &str = include_str!("providers.toml");

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| tables(TEXT));

/// One fact.
struct Table {
    kind: Kind,
    /// What it is about: an id, or the beginning of a model's name.
    key: &'static str,
    text: &'static str,
    read: OnceLock<Project>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Provider,
    Model,
    Tokenizer,
}

impl Kind {
    /// How a table of the kind begins, up to its key.
    fn head(self) -> &'static str {
        match self {
            Kind::Provider => "[[provider]]\nid = \"",
            Kind::Model => "[[model]]\nmatch = \"",
            Kind::Tokenizer => "[[tokenizer]]\nid = \"",
        }
    }
}

fn tables(text: &'static str) -> Vec<Table> {
    let starts: Vec<usize> = text.match_indices("\n[[").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let table = |(start, end): (&usize, usize)| {
        let text = &text[*start..end];
        let kinds = [Kind::Provider, Kind::Model, Kind::Tokenizer];
        let (kind, rest) = kinds.into_iter().find_map(|kind| Some((kind, text.strip_prefix(kind.head())?)))?;
        Some(Table { kind, key: rest.split('"').next()?, text, read: OnceLock::new() })
    };
    starts.iter().zip(ends).filter_map(table).collect()
}

impl Table {
    fn read(&self) -> &Project {
        self.read.get_or_init(|| {
            let mut sources = SourceMap::default();
            let file = sources.add("providers.toml", self.text.as_bytes()).expect("the built-in facts are UTF-8");
            Project::parse(file, self.text, &Limits::default()).value
        })
    }
}

fn of<'f>(kind: Kind, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &'f Project> {
    TABLES.iter().filter(move |table| table.kind == kind && wanted(table.key)).map(Table::read)
}

fn keys<'f>(kind: Kind) -> impl Iterator<Item = &'f str> {
    TABLES.iter().filter(move |table| table.kind == kind).map(|table| table.key)
}

/// Facts about the providers whose id is wanted.
pub(super) fn providers<'f>(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &'f ProviderFact> {
    of(Kind::Provider, wanted).flat_map(|facts| &facts.providers)
}

/// Facts about the models of which the beginning of the name is wanted.
pub(super) fn models<'f>(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &'f ModelFact> {
    of(Kind::Model, wanted).flat_map(|facts| &facts.models)
}

/// The tokenizers whose id is wanted.
pub(super) fn tokenizers<'f>(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &'f TokenizerFact> {
    of(Kind::Tokenizer, wanted).flat_map(|facts| &facts.tokenizers)
}

/// The ids of all providers.
pub(super) fn provider_ids<'f>() -> impl Iterator<Item = &'f str> {
    keys(Kind::Provider)
}

/// The beginnings of the names of all models.
pub(super) fn model_names<'f>() -> impl Iterator<Item = &'f str> {
    keys(Kind::Model)
}

/// The ids of all tokenizers.
pub(super) fn tokenizer_ids<'f>() -> impl Iterator<Item = &'f str> {
    keys(Kind::Tokenizer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_what_the_whole_file_says() {
        let mut sources = SourceMap::default();
        let file = sources.add("providers.toml", TEXT.as_bytes()).unwrap();
        let whole = Project::parse(file, TEXT, &Limits::default());
        assert!(whole.diagnostics.is_empty(), "{:?}", whole.diagnostics);
        let whole = whole.value;
        let ids: Vec<&str> = whole.providers.iter().map(|p| p.id.value.as_str()).collect();
        assert_eq!(provider_ids().collect::<Vec<_>>(), ids);
        let ids: Vec<&str> = whole.models.iter().map(|m| m.prefix.value.as_str()).collect();
        assert_eq!(model_names().collect::<Vec<_>>(), ids);
        let ids: Vec<&str> = whole.tokenizers.iter().map(|t| t.id.value.as_str()).collect();
        assert_eq!(tokenizer_ids().collect::<Vec<_>>(), ids);
        // But for the places, which nobody is shown.
        let said = |facts: &Project| -> String {
            let text = format!("{:?}{:?}{:?}", facts.providers, facts.models, facts.tokenizers);
            let is_place = |c: char| c.is_ascii_digit() || c == '.';
            text.split('@').map(|part| part.trim_start_matches(is_place)).collect()
        };
        let mut tables = Project::default();
        tables.providers.extend(providers(|_| true).cloned());
        tables.models.extend(models(|_| true).cloned());
        tables.tokenizers.extend(tokenizers(|_| true).cloned());
        assert!(said(&tables) == said(&whole));
    }
}
