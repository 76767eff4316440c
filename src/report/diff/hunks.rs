//! The texts of a section before and after, as lines with signs.

use super::super::escape::escape;
use crate::hunks::{Hunk, Line, Side, hunks, words};

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// Most bytes of both texts that are compared for people.
const MAX_TEXT: usize = 1 << 20;

/// How lines are written in which words differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// As one line: `[-was-]{+is+}`.
    Marked,
    /// As one line in colours.
    Coloured,
    /// As two lines.
    Apart,
}

/// The difference of two texts: lines with `-`, `+`, `~` or a blank before them, at most `most` of them, and how many
/// were left off.
pub(super) fn lines(before: &str, after: &str, style: Words, most: usize) -> (Vec<String>, usize) {
    if before.len() + after.len() > MAX_TEXT {
        let sizes = format!("  too long to show: {} bytes before, {} after", before.len(), after.len());
        return (vec![sizes], 0);
    }
    let mut out = Vec::new();
    for (n, hunk) in hunks(before, after, CONTEXT).iter().enumerate() {
        if n > 0 {
            out.push("  ..".to_owned());
        }
        add(hunk, style, &mut out);
    }
    let left_off = out.len().saturating_sub(most);
    out.truncate(most);
    (out, left_off)
}

fn add(hunk: &Hunk, style: Words, out: &mut Vec<String>) {
    for run in hunk.lines.chunk_by(|a, b| (a.side == Side::Both) == (b.side == Side::Both)) {
        let of = |side| run.iter().filter(|line| line.side == side).collect::<Vec<&Line>>();
        let (was, is) = (of(Side::Before), of(Side::After));
        out.extend(of(Side::Both).into_iter().map(|line| signed(' ', line)));
        let text = |lines: &[&Line]| lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
        let (old, new) = (text(&was), text(&is));
        let merged = match (style, was.is_empty() || is.is_empty()) {
            (Words::Apart, _) | (_, true) => None,
            // Equal lines that end otherwise have no words to show.
            _ if old == new => None,
            _ => words(&old, &new),
        };
        match merged {
            Some(runs) => out.extend(marked(&runs, style).lines().map(|line| format!("~ {line}"))),
            None => {
                out.extend(was.into_iter().map(|line| signed('-', line)));
                out.extend(is.into_iter().map(|line| signed('+', line)));
            }
        }
    }
}

fn signed(sign: char, line: &Line) -> String {
    format!("{sign} {}", escape(&line.text)).trim_end_matches(' ').to_owned()
}

/// Runs as one text; marks are closed and opened again at line ends.
fn marked(runs: &[(Side, &str)], style: Words) -> String {
    let mut out = String::new();
    for (side, text) in runs {
        let (open, close) = match (side, style) {
            (Side::Both, _) => ("", ""),
            (Side::Before, Words::Coloured) => ("\u{1b}[31m", "\u{1b}[0m"),
            (Side::After, Words::Coloured) => ("\u{1b}[32m", "\u{1b}[0m"),
            (Side::Before, _) => ("[-", "-]"),
            (Side::After, _) => ("{+", "+}"),
        };
        for (n, part) in text.split('\n').enumerate() {
            out.push_str(if n > 0 { "\n" } else { "" });
            if !part.is_empty() {
                out.push_str(&format!("{open}{}{close}", escape(part)));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str, style: Words) -> String {
        lines(before, after, style, 99).0.join("|")
    }

    #[test]
    fn lines_and_words_have_signs() {
        let (before, after) = ("a\nb\nc\nYou are brief.\nd\ne\nf\n", "a\nb\nc\nYou are very brief.\nd\ne\nf\n");
        assert_eq!(shown(before, after, Words::Marked), "  b|  c|~ You are {+very +}brief.|  d|  e");
        assert_eq!(shown(before, after, Words::Apart), "  b|  c|- You are brief.|+ You are very brief.|  d|  e");
        assert_eq!(shown("", "new\n", Words::Marked), "+ new");
        assert_eq!(shown("one\n", "two\n", Words::Marked), "- one|+ two");
        assert_eq!(shown("x\u{1b}[2J\n", "", Words::Marked), "- x\\u{1b}[2J");
        assert_eq!(lines("a\nb\nc\n", "", Words::Marked, 2), (vec!["- a".to_owned(), "- b".to_owned()], 1));
    }

    #[test]
    fn texts_that_are_too_long_are_said_to_be() {
        let long = "x".repeat(MAX_TEXT);
        assert_eq!(shown(&long, "y", Words::Marked), format!("  too long to show: {MAX_TEXT} bytes before, 1 after"));
    }
}
