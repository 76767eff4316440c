//! The texts of a section before and after, as lines with signs.

use super::super::Colors;
use super::super::escape::escape;
pub(super) use super::super::hunks::{IS, WAS};
use crate::hunks::{Hunk, Line, Side, hunks, words};

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// Most characters of a line that are shown, and of what is equal beside a word that differs.
const MAX_LINE: usize = 400;
const MAX_EQUAL: usize = 100;

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
    format!("{sign} {}", escape(&ends(&line.text, MAX_LINE, 0))).trim_end_matches(' ').to_owned()
}

/// A text, or its first and last characters.
fn ends(text: &str, first: usize, last: usize) -> String {
    let length = text.chars().count();
    if length <= first + last + 1 {
        return text.to_owned();
    }
    let head: String = text.chars().take(first).collect();
    let tail: String = text.chars().skip(length - last).collect();
    format!("{head}…{tail}")
}

/// Runs as one text; marks are closed and opened again at line ends.
fn marked(runs: &[(Side, &str)], style: Words) -> String {
    let mut out = String::new();
    for (n, (side, text)) in runs.iter().enumerate() {
        let painted = |part: String| match (side, style) {
            (Side::Both, _) => part,
            (Side::Before, Words::Coloured) => Colors::On.paint(&part, WAS),
            (Side::After, Words::Coloured) => Colors::On.paint(&part, IS),
            (Side::Before, _) => format!("[-{part}-]"),
            (Side::After, _) => format!("{{+{part}+}}"),
        };
        let lines = text.split('\n').count();
        for (at, part) in text.split('\n').enumerate() {
            out.push_str(if at > 0 { "\n" } else { "" });
            // Of what is equal, that is shown which stands beside a difference.
            let after = if at > 0 || n == 0 { 0 } else { MAX_EQUAL };
            let before = if at + 1 < lines || n + 1 == runs.len() { 0 } else { MAX_EQUAL };
            let part = match side {
                Side::Both if after + before > 0 => ends(part, after, before),
                Side::Both => ends(part, MAX_LINE, 0),
                Side::Before | Side::After => ends(part, MAX_LINE, 0),
            };
            if !part.is_empty() {
                out.push_str(&painted(escape(&part)));
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
    fn of_long_lines_that_is_shown_which_differs() {
        let (head, tail) = ("head ".repeat(500), " tail".repeat(500));
        let found = shown(&format!("{head}old{tail}\n"), &format!("{head}new{tail}\n"), Words::Marked);
        assert!(found.starts_with("~ …") && found.ends_with('…'), "{found}");
        assert!(found.contains("head [-old-]{+new+} tail"), "{found}");
        assert!(found.chars().count() < 250, "{found}");
        let found = shown("", &head, Words::Marked);
        assert_eq!(found.chars().count(), "+ ".len() + MAX_LINE + 1);
    }

    #[test]
    fn texts_that_are_too_long_are_said_to_be() {
        let long = "x".repeat(MAX_TEXT);
        assert_eq!(shown(&long, "y", Words::Marked), format!("  too long to show: {MAX_TEXT} bytes before, 1 after"));
    }
}
