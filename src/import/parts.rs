//! Where a prompt falls into sections: at its headings and elements, outside of code.

use std::ops::Range;

use super::elements::{Element, elements};

/// Most sections of an imported prompt. With more, only headings of the highest level count, and then none.
pub(super) const MAX_SECTIONS: usize = 500;

/// What a section is blank with at its edges: the characters that `trim` removes.
pub(super) const BLANKS: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

/// A part of the prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// The words of its heading, or the name of its element; none ahead of all of them.
    pub(super) heading: Option<String>,
    /// Parts of it that are code, or data in front of the prompt: there a line is never a heading, and braces are not
    /// taken for placeholders as easily.
    pub(super) code: Vec<Range<usize>>,
}

/// Something that begins a section.
struct Mark {
    /// Its bytes: the lines of a heading, a whole element.
    range: Range<usize>,
    /// Of a heading, from 1; 0 for an element.
    level: usize,
    words: String,
}

/// A prompt in parts.
pub(super) struct Parts {
    /// In order: together they are all of it, and none is blank unless all of it is.
    pub(super) list: Vec<Part>,
    /// Whether there were too many headings for a section each.
    pub(super) were_too_many: bool,
}

/// The parts of a prompt. Lines end in LF.
pub(super) fn parts(text: &str) -> Parts {
    let lines = Lines::of(text);
    let (elements, inside) = outermost(&lines);
    let mut marks = headings(&lines, &elements);
    let mark = |element: Element| Mark { range: lines.bytes(element.lines), level: 0, words: element.name };
    marks.extend(elements.into_iter().map(mark));
    marks.sort_by_key(|mark| mark.range.start);
    let mut levels: Vec<usize> = marks.iter().map(|mark| mark.level).filter(|level| *level > 0).collect();
    levels.sort_unstable();
    levels.dedup();
    // Two levels, as in a title with chapters; what is deeper stays in its section.
    let wanted: Vec<usize> = std::iter::once(0).chain(levels.into_iter().take(2)).collect();
    // Behind an element may stand a text of its own.
    let weight = |mark: &Mark| if mark.level == 0 { 2 } else { 1 };
    let count = |deepest: usize| marks.iter().filter(|m| m.level <= deepest).map(weight).sum::<usize>();
    let deepest = wanted.iter().rev().copied().find(|level| count(*level) < MAX_SECTIONS);
    let were_too_many = wanted.last().copied() != deepest;
    marks.retain(|mark| deepest.is_some_and(|deepest| mark.level <= deepest));
    let starts = starts(text, &marks, &inside);
    let ends: Vec<usize> = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]).collect();
    let part = |((start, heading), end): ((usize, Option<String>), usize)| Part {
        code: lines.code.iter().filter(|c| c.start < end && c.end > start).cloned().collect(),
        range: start..end,
        heading,
    };
    Parts { list: starts.into_iter().zip(ends).map(part).collect(), were_too_many }
}

/// Where sections begin, each with its heading. `inside` is the text without an element that is all of it.
fn starts(text: &str, marks: &[Mark], inside: &Range<usize>) -> Vec<(usize, Option<String>)> {
    let is_blank = |range: Range<usize>| {
        let range = range.start.max(inside.start)..range.end.min(inside.end);
        text.get(range).unwrap_or_default().trim_matches(BLANKS).is_empty()
    };
    let mut starts: Vec<(usize, Option<String>)> = vec![(0, None)];
    let mut begin = |start: usize, heading: Option<String>| match starts.last_mut() {
        // Blank lines ahead of the first section are its own.
        Some(last) if is_blank(last.0..start) => last.1 = heading,
        _ => starts.push((start, heading)),
    };
    let mut above: Option<&Mark> = None;
    for (n, mark) in marks.iter().enumerate() {
        let next = marks.get(n + 1);
        if mark.level > 0 {
            above = Some(mark);
            begin(mark.range.start, Some(mark.words.clone()));
            continue;
        }
        let is_only = n.checked_sub(1).is_none_or(|before| marks[before].level > 0) && next.is_none_or(|m| m.level > 0);
        let is_under = above.is_some_and(|heading| is_blank(heading.range.end..mark.range.start));
        // What a heading stands over alone has its name from there.
        if is_only && is_under {
            continue;
        }
        begin(mark.range.start, Some(mark.words.clone()));
        let end = mark.range.end;
        if !is_blank(end..next.map_or(text.len(), |next| next.range.start)) {
            begin(end, above.map(|heading| heading.words.clone()));
        }
    }
    starts
}

/// The outermost elements, and the text in which they stand: the inside of an element that is all of the prompt.
fn outermost(lines: &Lines<'_>) -> (Vec<Element>, Range<usize>) {
    let all = 0..lines.list.len();
    let among = |range: Range<usize>| {
        let found = elements(&lines.list[range.clone()], &|n| lines.is_code[range.start + n]);
        let shifted = |e: Element| Element { lines: e.lines.start + range.start..e.lines.end + range.start, ..e };
        found.into_iter().map(shifted).collect::<Vec<Element>>()
    };
    let found = among(all.clone());
    let is_blank = |n: usize| lines.list[n].trim_matches(BLANKS).is_empty();
    match found.as_slice() {
        [one] if one.lines.len() > 2 && all.clone().all(|n| one.lines.contains(&n) || is_blank(n)) => {
            let inside = one.lines.start + 1..one.lines.end - 1;
            let inner = among(inside.clone());
            let has_headings = !headings(lines, &inner).is_empty();
            match inner.is_empty() && !has_headings {
                true => (found, lines.bytes(all)),
                false => (inner, lines.bytes(inside)),
            }
        }
        _ => (found, lines.bytes(all)),
    }
}

/// The headings outside of code and elements.
fn headings(lines: &Lines<'_>, elements: &[Element]) -> Vec<Mark> {
    let mut is_text: Vec<bool> = lines.is_code.iter().map(|is_code| !is_code).collect();
    elements.iter().for_each(|element| is_text[element.lines.clone()].fill(false));
    let mut found = Vec::new();
    // The line under the last heading that has one.
    let mut under = None;
    for (n, line) in lines.list.iter().enumerate().filter(|(n, _)| is_text[*n]) {
        if let Some((level, words)) = heading(line) {
            found.push(Mark { range: lines.bytes(n..n + 1), level, words });
            continue;
        }
        let Some(letter) = rule(line) else { continue };
        let before = |count: usize| n.checked_sub(count).filter(|at| is_text[*at]);
        let Some(title) = before(1).filter(|at| is_title(lines.list[*at])) else { continue };
        let ahead = before(2).filter(|at| under != Some(*at) && !lines.list[*at].trim_matches(BLANKS).is_empty());
        let start = match ahead {
            None => title,
            Some(at) if heading(lines.list[at]).is_some() => title,
            Some(at) if rule(lines.list[at]) == Some(letter) => at,
            // A paragraph of several lines.
            Some(_) => continue,
        };
        let (level, words) = (if letter == '=' { 1 } else { 2 }, lines.list[title].trim().to_owned());
        found.push(Mark { range: lines.bytes(start..n + 1), level, words });
        under = Some(n);
    }
    found
}

/// The letter of a line of at least three `=` or `-`.
fn rule(line: &str) -> Option<char> {
    let letters = line.trim_end_matches(BLANKS);
    let inner = letters.trim_start_matches(' ');
    let letter = inner.chars().next().filter(|c| matches!(c, '=' | '-'))?;
    let is_rule = inner.len() >= 3 && letters.len() - inner.len() <= 3 && inner.chars().all(|c| c == letter);
    is_rule.then_some(letter)
}

/// Whether a line can be the words over a rule: no list, no quotation, no row of a table, no code, no rule.
fn is_title(line: &str) -> bool {
    let inner = line.trim_start_matches(' ');
    let is_item = inner.starts_with(['-', '*', '+', '>', '|', '\t']);
    let is_blank = inner.trim_matches(BLANKS).is_empty();
    line.len() - inner.len() <= 3 && !is_item && !is_blank && heading(line).is_none() && rule(line).is_none()
}

/// The lines of a prompt.
struct Lines<'t> {
    list: Vec<&'t str>,
    starts: Vec<usize>,
    is_code: Vec<bool>,
    /// The bytes that are code, or data in front of the prompt.
    code: Vec<Range<usize>>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Lines<'t> {
        let list: Vec<&str> = text.split_inclusive('\n').collect();
        let starts: Vec<usize> =
            list.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
        let mut lines = Lines { is_code: vec![false; list.len()], list, starts, code: Vec::new() };
        let front = front_matter(text);
        let first = lines.starts.partition_point(|start| *start < front);
        lines.is_code[..first].fill(true);
        if front > 0 {
            lines.code.push(0..front);
        }
        let mut fence: Option<(char, usize, usize)> = None;
        for n in first..lines.list.len() {
            let found = fence_of(lines.list[n]);
            match (fence, found) {
                (None, Some((letter, length, _))) => fence = Some((letter, length, n)),
                (Some((letter, length, from)), Some((l, count, true))) if l == letter && count >= length => {
                    lines.is_code[n] = true;
                    lines.code.push(lines.bytes(from..n + 1));
                    fence = None;
                }
                _ => {}
            }
            lines.is_code[n] |= fence.is_some();
        }
        if let Some((_, _, from)) = fence {
            lines.code.push(lines.starts[from]..text.len());
        }
        lines
    }

    /// The bytes of some lines.
    fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let all = self.list.last().zip(self.starts.last()).map_or(0, |(line, start)| start + line.len());
        let at = |n: usize| self.starts.get(n).copied().unwrap_or(all);
        at(lines.start)..at(lines.end)
    }
}

/// Bytes of YAML between two lines `---` at the beginning.
fn front_matter(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return 0 };
    let mut end = first.len();
    for line in lines {
        end += line.len();
        if line.trim_end() == "---" {
            return end;
        }
    }
    0
}

/// The letter and length of a line that opens or closes a fence, and whether it could close one.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let line = line.trim();
    let letter = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == letter).count();
    let rest = &line[length..];
    let is_code = letter == '`' && rest.contains('`');
    (length >= 3 && !is_code).then_some((letter, length, rest.is_empty()))
}

/// Level and words of a line `## Words`.
fn heading(line: &str) -> Option<(usize, String)> {
    let line = line.trim_end_matches('\n');
    let inner = line.trim_start_matches(' ');
    let level = inner.chars().take_while(|c| *c == '#').count();
    let rest = &inner[level..];
    if line.len() - inner.len() > 3 || !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t']))
    {
        return None;
    }
    Some((level, rest.trim().trim_end_matches('#').trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(Option<String>, String)> {
        let parts = parts(text).list;
        assert_eq!(parts.iter().map(|p| &text[p.range.clone()]).collect::<String>(), text);
        parts.into_iter().map(|p| (p.heading, text[p.range].to_owned())).collect()
    }

    fn of(heading: Option<&str>, text: &str) -> (Option<String>, String) {
        (heading.map(str::to_owned), text.to_owned())
    }

    #[test]
    fn headings_of_the_two_highest_levels_begin_sections() {
        let text = "You are.\n\n# One ##\na\n### Deep\nb\n## Two\nc\n#no\n    # code\n ####### x\n";
        assert_eq!(
            shown(text),
            [
                of(None, "You are.\n\n"),
                of(Some("One"), "# One ##\na\n### Deep\nb\n"),
                of(Some("Two"), "## Two\nc\n#no\n    # code\n ####### x\n"),
            ]
        );
        assert_eq!(shown("\n\n## A\n### B"), [of(Some("A"), "\n\n## A\n"), of(Some("B"), "### B")]);
        assert_eq!(shown("x"), [of(None, "x")]);
        assert_eq!(shown("#\n#"), [of(Some(""), "#\n"), of(Some(""), "#")]);
    }

    #[test]
    fn a_line_over_a_rule_is_a_heading() {
        assert_eq!(
            shown("You are.\n\nOne\n===\na\n\n1. Two\n---\nb\n"),
            [of(None, "You are.\n\n"), of(Some("One"), "One\n===\na\n\n"), of(Some("1. Two"), "1. Two\n---\nb\n")]
        );
        assert_eq!(shown("=====\nONE\n=====\na\n"), [of(Some("ONE"), "=====\nONE\n=====\na\n")]);
        assert_eq!(shown("A\n===\nB\n===\n").len(), 2);
        assert_eq!(shown("# A\nB\n===\n").len(), 2);
        // Rules between texts, tables, lists, paragraphs, code.
        for text in [
            "a\n\n---\nb\n",
            "| a |\n---\n",
            "- a\n---\n",
            "a\nb\n---\n",
            "a\n==\n",
            "    a\n===\n",
            "---\n---\n",
            "```\na\n===\n```\n",
        ] {
            assert_eq!(shown(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn elements_are_sections() {
        assert_eq!(
            shown("You are.\n<rules>\n# no\n</rules>\n\n<tone>x</tone>\nBe so.\n"),
            [
                of(None, "You are.\n"),
                of(Some("rules"), "<rules>\n# no\n</rules>\n\n"),
                of(Some("tone"), "<tone>x</tone>\n"),
                of(None, "Be so.\n"),
            ]
        );
        assert_eq!(shown("```\n<a>\n</a>\n```\nx\n<a>\n```\n</a>\n```\n</a>\n").len(), 2);
        assert_eq!(shown("x\n<a>\n").len(), 1);
    }

    #[test]
    fn an_element_alone_under_a_heading_stays_with_it() {
        let text = "# A\n<a>\n</a>\nx\n# B\ny\n<b>\n</b>\nz\n# C\n<c>\n</c>\n<d>\n</d>\n";
        let heads: Vec<_> = shown(text).into_iter().map(|(heading, text)| (heading.unwrap(), text)).collect();
        let of = |heading: &str, text: &str| (heading.to_owned(), text.to_owned());
        assert_eq!(
            heads,
            [
                of("A", "# A\n<a>\n</a>\nx\n"),
                of("B", "# B\ny\n"),
                of("b", "<b>\n</b>\n"),
                of("B", "z\n"),
                of("C", "# C\n"),
                of("c", "<c>\n</c>\n"),
                of("d", "<d>\n</d>\n"),
            ]
        );
    }

    #[test]
    fn an_element_that_is_everything_is_looked_into() {
        assert_eq!(
            shown("\n<prompt>\n<a>\n</a>\n<b>\n</b>\n</prompt>\n\n"),
            [of(Some("a"), "\n<prompt>\n<a>\n</a>\n"), of(Some("b"), "<b>\n</b>\n</prompt>\n\n")]
        );
        assert_eq!(shown("<prompt>\nx\n</prompt>\n"), [of(Some("prompt"), "<prompt>\nx\n</prompt>\n")]);
    }

    #[test]
    fn code_and_front_matter_have_no_headings() {
        let text = "---\n# c\n---\n# A\n```sh\n# no\n~~~\n```\n  ~~~~ x\n# no\n~~~\n~~~~~\n# B\n````\n# no\n```\n";
        let parts = parts(text).list;
        assert_eq!(parts.iter().map(|p| p.heading.as_deref()).collect::<Vec<_>>(), [None, Some("A"), Some("B")]);
        assert_eq!(parts.iter().map(|p| p.code.len()).collect::<Vec<_>>(), [1, 2, 1]);
        assert_eq!(shown("---\n# A\n").len(), 2);
        assert_eq!(shown("a ```x``` b\n# A\n").len(), 2);
    }

    #[test]
    fn very_many_headings_are_not_very_many_sections() {
        let count = |text: &str| {
            let found = parts(text);
            (found.list.len(), found.were_too_many)
        };
        assert_eq!(count(&"# a\n".repeat(MAX_SECTIONS - 1)), (MAX_SECTIONS - 1, false));
        assert_eq!(count(&"# a\n## b\n".repeat(MAX_SECTIONS - 1)), (MAX_SECTIONS - 1, true));
        assert_eq!(count(&"# a\n".repeat(MAX_SECTIONS + 1)), (1, true));
        assert_eq!(count(&"<a>b</a>\n".repeat(MAX_SECTIONS)), (1, true));
        assert_eq!(count(&format!("<a>\n</a>\n{}", "# a\n".repeat(MAX_SECTIONS + 1))), (2, true));
    }
}
