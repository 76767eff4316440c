//! Where a prompt falls into sections: at its headings, outside of code.

use std::ops::Range;

/// Most sections of an imported prompt. With more, only headings of the highest level count, and then none.
pub(super) const MAX_SECTIONS: usize = 500;

/// What a section is blank with at its edges: the characters that `trim` removes.
pub(super) const BLANKS: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

/// A part of the prompt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// The words of its heading; none before the first one.
    pub(super) heading: Option<String>,
    /// Parts of it that are code, or data in front of the prompt: there a line is never a heading, and braces are not
    /// taken for placeholders as easily.
    pub(super) code: Vec<Range<usize>>,
}

struct Heading {
    start: usize,
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
    let (headings, code) = scan(text);
    let mut levels: Vec<usize> = headings.iter().map(|h| h.level).collect();
    levels.sort_unstable();
    levels.dedup();
    // Two levels, as in a title with chapters; what is deeper stays in its section.
    let count = |deepest: usize| headings.iter().filter(|h| h.level <= deepest).count();
    let wanted: Vec<usize> = levels.into_iter().take(2).collect();
    let deepest = wanted.iter().rev().copied().find(|level| count(*level) < MAX_SECTIONS).unwrap_or(0);
    let mut starts: Vec<(usize, Option<String>)> = vec![(0, None)];
    for heading in headings.into_iter().filter(|h| h.level <= deepest) {
        // Blank lines ahead of the first heading are its own.
        match starts.last_mut() {
            Some(last) if text[last.0..heading.start].trim_matches(BLANKS).is_empty() => last.1 = Some(heading.words),
            _ => starts.push((heading.start, Some(heading.words))),
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]).collect();
    let part = |((start, heading), end): ((usize, Option<String>), usize)| Part {
        code: code.iter().filter(|c| c.start < end && c.end > start).cloned().collect(),
        range: start..end,
        heading,
    };
    let list = starts.into_iter().zip(ends).map(part).collect();
    Parts { list, were_too_many: wanted.last().is_some_and(|level| *level != deepest) }
}

fn scan(text: &str) -> (Vec<Heading>, Vec<Range<usize>>) {
    let (mut headings, mut code) = (Vec::new(), Vec::new());
    let mut fence: Option<(char, usize, usize)> = None;
    let mut start = front_matter(text);
    if start > 0 {
        code.push(0..start);
    }
    for line in text[start..].split_inclusive('\n') {
        let end = start + line.len();
        match (fence, fence_of(line)) {
            (None, Some((letter, length, _))) => fence = Some((letter, length, start)),
            (Some((letter, length, from)), Some((l, n, true))) if l == letter && n >= length => {
                code.push(from..end);
                fence = None;
            }
            (None, None) => headings.extend(heading(line).map(|(level, words)| Heading { start, level, words })),
            (Some(_), _) => {}
        }
        start = end;
    }
    if let Some((_, _, from)) = fence {
        code.push(from..text.len());
    }
    (headings, code)
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
    }
}
