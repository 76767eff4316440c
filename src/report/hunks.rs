//! Differences of texts, for people: `-` what was, `+` what is, two blanks before what both have.

use super::escape::escape;
use super::text::Colors;
use crate::hunks::{Hunk, Line, Side};

/// The colours of what was and of what is.
pub(super) const WAS: &str = "31";
pub(super) const IS: &str = "32";

/// Most characters of a line that are shown. Of a longer one the part is shown in which it differs.
const WIDTH: usize = 240;

/// Characters that are shown before the first different one of a long line.
const LEAD: usize = 80;

/// The lines of a hunk.
pub(super) fn text(hunk: &Hunk, colors: Colors) -> String {
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
        let mut push = |sign: &str, color: Option<&str>, line: &Line, focus: usize| {
            // A sign alone, so that an empty line has no blanks behind it; blanks that the text has are shown.
            let shown = match line.text.is_empty() {
                true => sign.trim_end().to_owned(),
                false => format!("{sign}{}", escape(&clip(&line.text, focus))),
            };
            out.push_str(&color.map_or_else(|| shown.clone(), |color| colors.paint(&shown, color)));
            out.push_str(if unended(line) { "\n  (no newline at the end)\n" } else { "\n" });
        };
        of(Side::Both).into_iter().for_each(|line| push("  ", None, line, 0));
        was.iter().enumerate().for_each(|(n, line)| push("- ", Some(WAS), line, focus(n)));
        is.iter().enumerate().for_each(|(n, line)| push("+ ", Some(IS), line, focus(n)));
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
        hunks(before, after, 1).iter().map(|hunk| text(hunk, Colors::Off)).collect()
    }

    #[test]
    fn lines_have_the_colours_of_their_signs() {
        let found = hunks("a\nb\n\n", "a\nB\n", 1);
        let shown: String = found.iter().map(|hunk| text(hunk, Colors::On)).collect();
        assert_eq!(shown, "  a\n\u{1b}[31m- b\u{1b}[0m\n\u{1b}[31m-\u{1b}[0m\n\u{1b}[32m+ B\u{1b}[0m\n");
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
