//! Messages for programs that show them: one file a format, and the one place that says which is which.
//!
//! Whatever a message quotes, it stays what it is: no value makes a line, a row, an element or a link, and none reaches a
//! terminal as an instruction. Main types: [`Format`], [`Messages`].

mod finding;
mod github;
mod gitlab;
mod junit;
mod markdown;
mod sarif;

use super::{Colors, json, text};
use crate::diag::Diagnostic;
use crate::source::SourceMap;

/// How messages are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Format {
    /// With source lines, for people.
    Text,
    /// A line each.
    Concise,
    /// `promptc.report/1`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions, which become annotations.
    Github,
    /// A Code Quality report of GitLab.
    Gitlab,
    /// JUnit XML.
    Junit,
    /// A list for a comment or a step summary.
    Markdown,
}

/// Messages and what belongs to them.
#[derive(Clone, Copy)]
pub struct Messages<'a> {
    /// In the order in which they are told.
    pub list: &'a [Diagnostic],
    /// The texts that they speak of.
    pub sources: &'a SourceMap,
    /// The project's root from the top of its repository, empty or with a `/` at its end. Formats that other programs
    /// show beside a repository's files name files from there; the others name them from the project's root.
    pub folder: &'a str,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Text,
        Format::Concise,
        Format::Json,
        Format::Sarif,
        Format::Github,
        Format::Gitlab,
        Format::Junit,
        Format::Markdown,
    ];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Concise => "concise",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Gitlab => "gitlab",
            Format::Junit => "junit",
            Format::Markdown => "markdown",
        }
    }

    /// The format of this word.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether files are named from the top of the repository.
    pub fn names_from_repository(self) -> bool {
        !matches!(self, Format::Text | Format::Concise | Format::Json)
    }

    /// All messages in this format. `text` has its count behind it, and is as wide as is said.
    pub fn write(self, messages: Messages<'_>, width: usize) -> String {
        let Messages { list, sources, .. } = messages;
        match self {
            Format::Text => {
                let count = text::summary(list).map_or_else(String::new, |count| format!("{count}\n"));
                text::diagnostics(list, sources, Colors::Off, width) + &count
            }
            Format::Concise => text::concise(list, sources),
            Format::Json => json::report(list, sources),
            Format::Sarif => sarif::write(messages),
            Format::Github => github::write(messages),
            Format::Gitlab => gitlab::write(messages),
            Format::Junit => junit::write(messages),
            Format::Markdown => markdown::write(messages),
        }
    }
}
