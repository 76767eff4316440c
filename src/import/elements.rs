//! Elements of a prompt: `<tag>` .. `</tag>` in lines of their own.

use std::collections::BTreeMap;
use std::ops::Range;

/// An element that begins and ends with lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    /// Its lines, by number from 0.
    pub(super) lines: Range<usize>,
    /// The name of its tag.
    pub(super) name: String,
}

/// A tag that is open.
struct Open {
    line: usize,
    /// Whether nothing stands ahead of it on its line.
    is_first: bool,
}

/// The outermost elements among some lines, in order. `is_code` says of which lines nothing is looked at. What is not closed
/// is text, and so is what begins or ends within a line; of two that overlap the first one counts.
pub(super) fn elements(lines: &[&str], is_code: &dyn Fn(usize) -> bool) -> Vec<Element> {
    let mut open: BTreeMap<&str, Vec<Open>> = BTreeMap::new();
    let mut found: Vec<Element> = Vec::new();
    for (number, line) in lines.iter().enumerate().filter(|(number, _)| !is_code(*number)) {
        for tag in tags(line) {
            let of_name = open.entry(tag.name).or_default();
            if !tag.closes {
                of_name.push(Open { line: number, is_first: is_indented_little(&line[..tag.range.start]) });
                continue;
            }
            let is_last = line[tag.range.end..].trim().is_empty();
            if let Some(begin) = of_name.pop().filter(|begin| begin.is_first && is_last) {
                found.push(Element { lines: begin.line..number + 1, name: tag.name.to_owned() });
            }
        }
    }
    found.sort_by_key(|element| (element.lines.start, usize::MAX - element.lines.end));
    let mut end = 0;
    found.retain(|element| {
        let is_free = element.lines.start >= end;
        end = if is_free { element.lines.end } else { end };
        is_free
    });
    found
}

/// Whether nothing but a few blanks stands ahead: more of them are code.
fn is_indented_little(ahead: &str) -> bool {
    ahead.len() <= 3 && ahead.chars().all(|c| c == ' ')
}

struct Tag<'t> {
    /// Its bytes in the line.
    range: Range<usize>,
    name: &'t str,
    closes: bool,
}

/// The tags of a line. `<br/>` is none, for it has no end.
fn tags(line: &str) -> Vec<Tag<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find('<').map(|found| at + found) {
        at = start + 1;
        let inner = &line[at..];
        let closes = inner.starts_with('/');
        let rest = inner.strip_prefix('/').unwrap_or(inner);
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        let name = &rest[..rest.find(|c| !is_letter(c)).unwrap_or(rest.len())];
        let behind = &rest[name.len()..];
        // What is like an address or an arrow is none.
        let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let Some(close) = behind.find(['<', '>']).filter(|_| begins) else { continue };
        let attributes = &behind[..close];
        let is_tag = behind[close..].starts_with('>') && (attributes.is_empty() || attributes.starts_with([' ', '\t']));
        if is_tag && !attributes.ends_with('/') {
            let end = line.len() - behind.len() + close + 1;
            out.push(Tag { range: start..end, name, closes });
            at = end;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Range<usize>, String)> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        elements(&lines, &|_| false).into_iter().map(|e| (e.lines, e.name)).collect()
    }

    fn of(list: &[(Range<usize>, &str)]) -> Vec<(Range<usize>, String)> {
        list.iter().map(|(lines, name)| (lines.clone(), (*name).to_owned())).collect()
    }

    #[test]
    fn elements_begin_and_end_with_lines() {
        assert_eq!(found("<a>\nx\n</a>\n<b k=\"v\">y</b>\n"), of(&[(0..3, "a"), (3..4, "b")]));
        assert_eq!(found("  <a>\n<a>x</a>\n</a> \n"), of(&[(0..3, "a")]));
        assert_eq!(found("<a>\n<b>\n</a>\n</b>\n"), of(&[(0..3, "a")]));
        // The outer one is not closed.
        assert_eq!(found("<a>\n<b>\n</b>\n<a>\n</a>\n"), of(&[(1..3, "b"), (3..5, "a")]));
    }

    #[test]
    fn other_signs_are_text() {
        for text in
            ["x <a>\n</a>\n", "<a>\n</a> x\n", "    <a>\n</a>\n", "<a/>\n", "<br>\n", "<a>\n", "</a>\n", "<1>\n</1>\n"]
        {
            assert_eq!(found(text), [], "{text}");
        }
        assert_eq!(found("<a@b.c>\n</a@b.c>\n<a < b>\n</a>\n< a>\n</ a>\n"), []);
    }

    #[test]
    fn very_many_tags_take_no_time() {
        assert_eq!(found(&"<a>\n".repeat(200_000)), []);
        assert_eq!(found(&format!("{}{}", "<a>\n".repeat(100_000), "</a>\n".repeat(100_000))).len(), 1);
        assert_eq!(found(&"<".repeat(1 << 20)), []);
        assert_eq!(found(&"<a ".repeat(1 << 18)), []);
    }
}
