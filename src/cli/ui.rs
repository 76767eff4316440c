//! The terminal: stdout is the result, stderr is everything else.
#![expect(clippy::disallowed_methods, reason = "the terminal's wishes (NO_COLOR, COLUMNS) are known here alone")]

use std::io::{ErrorKind, IsTerminal, Write};

use super::{Stop, When};
use indicatif::ProgressBar;

use crate::diag::Diagnostic;
use crate::host::Error;
use crate::report::{self, Colors, Format, Messages};
use crate::source::SourceMap;

/// Artifacts from which on work counts as long.
const LONG: usize = 20;

/// Widest lines of messages.
pub(super) const WIDTH: usize = 140;

pub(super) struct Ui<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    colors: Colors,
    /// For what goes to stdout.
    out_colors: Colors,
    width: usize,
    is_terminal: bool,
}

impl<'a> Ui<'a> {
    pub(super) fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, when: When) -> Ui<'a> {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let is_terminal = std::io::stderr().is_terminal();
        let colors = |is_terminal: bool| match when {
            When::Always => Colors::On,
            When::Auto if is_terminal && !no_color => Colors::On,
            When::Auto | When::Never => Colors::Off,
        };
        let out_colors = colors(std::io::stdout().is_terminal());
        let colors = colors(is_terminal);
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        Ui { out, err, colors, out_colors, width: columns.unwrap_or(WIDTH).clamp(40, WIDTH), is_terminal }
    }

    /// A bar for long work, on a terminal only.
    pub(super) fn progress(&self, steps: usize) -> ProgressBar {
        if steps < LONG || !self.is_terminal {
            return ProgressBar::hidden();
        }
        ProgressBar::new(steps as u64)
    }

    /// Columns of a line.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Writes to stdout.
    pub(super) fn result(&mut self, text: &str) -> Result<(), Stop> {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Stop::BrokenPipe,
            _ => Stop::Error(Error::new(format!("cannot write to stdout: {error}"))),
        })
    }

    /// Whether what goes to stdout has colours.
    pub(super) fn out_colors(&self) -> Colors {
        self.out_colors
    }

    /// Writes a line to stderr.
    pub(super) fn say(&mut self, line: &str) {
        self.note(&format!("{}\n", report::escape(line)));
    }

    /// Writes messages to stderr, and their count.
    pub(super) fn diagnostics(&mut self, list: &[Diagnostic], sources: &SourceMap) {
        let text = report::diagnostics(list, sources, self.colors, self.width);
        self.note(&text);
        if let Some(summary) = report::summary(list) {
            self.say(&summary);
        }
    }

    /// Writes messages to stdout, and their count to stderr.
    pub(super) fn findings(&mut self, list: &[Diagnostic], sources: &SourceMap) -> Result<(), Stop> {
        let text = report::diagnostics(list, sources, self.out_colors, self.width);
        self.result(&text)?;
        self.say(&report::summary(list).unwrap_or_else(|| "no findings".to_owned()));
        Ok(())
    }

    /// Writes messages to stderr, a line each.
    pub(super) fn concise(&mut self, list: &[Diagnostic], sources: &SourceMap) {
        let messages = Messages { list, sources, folder: "" };
        self.note(&Format::Concise.write(messages, self.width));
    }

    /// Writes a report to stderr as it is.
    pub(super) fn note(&mut self, text: &str) {
        // Nobody is left to tell when stderr is closed.
        _ = self.err.write_all(text.as_bytes());
    }

    pub(super) fn error(&mut self, error: &Error) {
        let mut text = format!("error: {}\n", report::escape(&error.message));
        for help in &error.help {
            text.push_str(&format!("  help: {}\n", report::escape(help)));
        }
        self.note(&text);
    }
}
