//! Differences of texts, for people: `-` what was, `+` what is, two blanks before what both have.

use super::escape::escape;
use crate::hunks::{Hunk, Line, Side};

/// Most characters of a line that are shown. Of a longer one the part is shown in which it differs.
const WIDTH: usize = 240;

/// Characters that are shown before the first different one of a long line.
const LEAD: usize = 80;

/// The lines of a hunk.
pub(super) fn text(hunk: &Hunk) -> String {
    let mut out = String::new();
    for run in hunk.lines.chunk_by(|a, b| (a.side == Side::Both) == (b.side == Side::Both)) {
        let of = |side| run.iter().filter(move |line| line.side == side).collect::<Vec<&Line>>();
        let (was, is) = (of(Side::Before), of(Side::After));
        let focus = |n: usize| match (was.get(n), is.get(n)) {
            (Some(a), Some(b)) => a.text.chars().zip(b.text.chars()).take_while(|(a, b)| a == b).count(),
            _ => 0,
        };
        // Said only where it is all that differs.
        let unended = |line: &Line| {
            let other = if line.side == Side::Before { &is } else { &was };
            line.side != Side::Both && !line.ended && other.iter().any(|o| o.text == line.text)
        };
        let mut push = |sign: &str, line: &Line, focus: usize| {
            out.push_str(&format!("{sign} {}", escape(&clip(&line.text, focus))));
            let shown = out.trim_end_matches(' ').len();
            // A sign alone, so that an empty line has no blanks behind it; blanks that the text has are shown.
            if line.text.is_empty() {
                out.truncate(shown);
            }
            out.push_str(if unended(line) { "\n  (no newline at the end)\n" } else { "\n" });
        };
        of(Side::Both).into_iter().for_each(|line| push(" ", line, 0));
        was.iter().enumerate().for_each(|(n, line)| push("-", line, focus(n)));
        is.iter().enumerate().for_each(|(n, line)| push("+", line, focus(n)));
    }
    out
}

/// The part of a line around a character.
fn clip(line: &str, focus: usize) -> String {
    let length = line.chars().count();
    if length <= WIDTH {
        return line.to_owned();
    }
    let start = focus.saturating_sub(LEAD).min(length - WIDTH);
    let part: String = line.chars().skip(start).take(WIDTH).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if start + WIDTH < length { "…" } else { "" });
    format!("{before}{part}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunks::hunks;

    fn shown(before: &str, after: &str) -> String {
        hunks(before, after, 1).iter().map(text).collect()
    }

    #[test]
    fn signs_stand_before_lines_and_control_characters_are_shown() {
        assert_eq!(shown("a\nb\n\nc\n", "a\nx\u{1b}\n\nc\n"), "  a\n- b\n+ x\\u{1b}\n\n");
        assert_eq!(shown("a\n\n", "a\nb"), "  a\n-\n+ b\n");
        assert_eq!(shown("a\nb\n", "A\nb"), "- a\n- b\n+ A\n+ b\n  (no newline at the end)\n");
    }

    #[test]
    fn of_a_long_line_the_part_that_differs_is_shown() {
        let (head, tail) = ("h".repeat(1000), "t".repeat(1000));
        let found = shown(&format!("{head}OLD{tail}\n"), &format!("{head}NEW{tail}\n"));
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("- …h") && lines[0].contains("hOLDt") && lines[0].ends_with("t…"));
        assert!(lines[1].starts_with("+ …h") && lines[1].contains("hNEWt"));
        assert_eq!(lines[0].chars().count(), WIDTH + 4);
    }
}
