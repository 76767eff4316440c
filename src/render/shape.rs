//! `layout` on one section's text: replace, collapse, trim.

use crate::manifest::{Layout, Piece, Replace, Trim};
use crate::resolve::{Section, Values};
use crate::source::Located;

/// Blanks that `trim` removes: nothing else is one.
const BLANKS: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

/// Why a replacement failed.
pub(super) enum ReplaceFailed {
    /// This pattern needs too many steps.
    Steps(Located),
    /// The text grows past the limit of a section under this pattern.
    Output(Located),
}

pub(super) fn shape(
    text: String,
    section: &Section,
    layout: &Layout,
    values: &Values,
    most: usize,
) -> Result<String, ReplaceFailed> {
    let mut text = text;
    for replace in section.replacements(layout) {
        if values.holds(replace.when.as_ref()) == Some(true) {
            text = apply(replace, &text, most)?;
        }
    }
    if layout.collapse_blank_lines && !section.is_layer() {
        text = collapse(&text);
    }
    Ok(trim(&text, section.trim.unwrap_or(layout.trim)).to_owned())
}

fn apply(replace: &Replace, text: &str, most: usize) -> Result<String, ReplaceFailed> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for captures in replace.pattern.captures_iter(text) {
        let captures = captures.map_err(|_| ReplaceFailed::Steps(replace.source.clone()))?;
        if out.len() > most {
            return Err(ReplaceFailed::Output(replace.source.clone()));
        }
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(&text[at..whole.start()]);
        for piece in &replace.with {
            match piece {
                Piece::Text(letters) => out.push_str(letters),
                Piece::Group(group) => out.push_str(captures.get(*group).map_or("", |m| m.as_str())),
            }
        }
        at = whole.end();
    }
    out.push_str(&text[at..]);
    Ok(out)
}

/// A run of two or more lines that hold only blanks and end in LF becomes one LF.
fn collapse(text: &str) -> String {
    let is_blank = |line: &str| line.ends_with('\n') && line.trim_matches([' ', '\t', '\u{b}', '\u{c}', '\r']) == "\n";
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if !is_blank(line) || !lines.peek().is_some_and(|next| is_blank(next)) {
            out.push_str(line);
            continue;
        }
        while lines.next_if(|next| is_blank(next)).is_some() {}
        out.push('\n');
    }
    out
}

/// A text without the blanks at its ends.
pub fn trim(text: &str, which: Trim) -> &str {
    match which {
        Trim::None => text,
        Trim::Start => text.trim_start_matches(BLANKS),
        Trim::End => text.trim_end_matches(BLANKS),
        Trim::Both => text.trim_matches(BLANKS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_blank_lines_become_one() {
        assert_eq!(collapse("a\n\n\nb"), "a\n\nb");
        assert_eq!(collapse("\n\n\nx"), "\nx");
        assert_eq!(collapse("a\n \n\t\nb\n\nc"), "a\n\nb\n\nc");
        assert_eq!(collapse("a\n \nb\n  "), "a\n \nb\n  ");
    }

    #[test]
    fn only_the_six_blanks_are_trimmed() {
        assert_eq!(trim("\u{a0} x\n\t", Trim::Both), "\u{a0} x");
        assert_eq!(trim(" x ", Trim::Start), "x ");
        assert_eq!(trim(" x ", Trim::None), " x ");
    }
}
