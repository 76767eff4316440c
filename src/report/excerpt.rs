//! Lines of a file as a message shows them: unsafe letters as escapes, and of a long line what stands around the marks.

use std::ops::Range;

use super::escape::escape;
use crate::source::SourceFile;

/// A line of more bytes than this is cut: a file of one line may have megabytes, and a thousand messages.
const LONG: usize = 4096;
/// What is kept on each side of a mark, in bytes: more than a terminal is wide.
const AROUND: usize = 512;
/// Where something was left out.
const GAP: &str = "...";

/// Some lines of a file, and the way from the file's offsets to theirs.
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Whether something was left out, so that columns are not the file's.
    pub(super) is_cut: bool,
    /// `(offset in the file, offset in the excerpt)`: the start, and each place behind which the distance changes.
    anchors: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The lines from `first` to `last`, from 1, with all of `marks` that start or end in them.
    pub(super) fn new(file: &SourceFile, first: u32, last: u32, marks: &[Range<usize>]) -> Excerpt {
        let text = file.text();
        let offset = |line: u32| file.lines().start(line).map_or(text.len(), |n| n as usize);
        let mut excerpt = Excerpt { text: String::new(), is_cut: false, anchors: vec![(offset(first), 0)] };
        for line in first..=last {
            let whole = offset(line)..offset(line + 1);
            if whole.len() <= LONG {
                excerpt.push(text, whole);
                continue;
            }
            let mut at = whole.start;
            for kept in kept(text, &whole, marks) {
                excerpt.leave_out(at, kept.start);
                at = kept.end;
                excerpt.push(text, kept);
            }
        }
        excerpt
    }

    fn push(&mut self, text: &str, range: Range<usize>) {
        let start = range.start;
        for (at, c) in text[range].char_indices() {
            let shown = escape(c.encode_utf8(&mut [0; 4]));
            self.text.push_str(&shown);
            if shown.len() != c.len_utf8() {
                self.anchors.push((start + at + c.len_utf8(), self.text.len()));
            }
        }
    }

    fn leave_out(&mut self, start: usize, end: usize) {
        if start < end {
            self.is_cut = true;
            // What is left out stands where the gap begins.
            self.anchors.push((start, self.text.len()));
            self.text.push_str(GAP);
            self.anchors.push((end, self.text.len()));
        }
    }

    /// A range of the file in the excerpt; of a range of many lines the first, so that a whole file is not printed.
    pub(super) fn range(&self, range: Range<usize>) -> Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        match self.text[start..end.max(start)].find('\n') {
            Some(line) => start..start + line,
            None => start..end.max(start),
        }
    }

    fn offset(&self, offset: usize) -> usize {
        let next = self.anchors.partition_point(|(file, _)| *file <= offset);
        let (file, shown) = self.anchors[next.saturating_sub(1)];
        let limit = self.anchors.get(next).map_or(self.text.len(), |(_, shown)| *shown);
        (shown + offset.saturating_sub(file)).min(limit)
    }
}

/// What is kept of a long line: its start when no mark stands in it, and its end, where the line breaks.
fn kept(text: &str, line: &Range<usize>, marks: &[Range<usize>]) -> Vec<Range<usize>> {
    let around = |at: usize| {
        let start = text.floor_char_boundary(at.saturating_sub(AROUND));
        start.max(line.start)..text.ceil_char_boundary(at + AROUND).min(line.end)
    };
    let last = if text[line.clone()].ends_with('\n') { line.end - 1 } else { line.end };
    let ends = marks.iter().flat_map(|mark| [mark.start, mark.end]).filter(|at| (line.start..=last).contains(at));
    let mut all: Vec<Range<usize>> = ends.map(around).collect();
    if all.is_empty() {
        all.push(around(line.start));
    }
    all.push(last..line.end);
    all.sort_by_key(|kept| kept.start);
    let mut out: Vec<Range<usize>> = Vec::new();
    for next in all {
        match out.last_mut() {
            Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
            _ => out.push(next),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    /// What each word's mark covers in an excerpt of the lines that hold them.
    fn marked(text: &str, lines: (u32, u32), words: &[&str]) -> (Excerpt, Vec<String>) {
        let mut sources = SourceMap::default();
        let id = sources.add("x", text.as_bytes()).unwrap();
        let places: Vec<Range<usize>> = words
            .iter()
            .map(|word| text.find(word).unwrap())
            .zip(words)
            .map(|(at, word)| at..at + word.len())
            .collect();
        let excerpt = Excerpt::new(sources.file(id), lines.0, lines.1, &places);
        let shown = places.into_iter().map(|place| excerpt.text[excerpt.range(place)].to_owned()).collect();
        (excerpt, shown)
    }

    #[test]
    fn escapes_in_an_excerpt_do_not_shift_what_is_marked() {
        let words = ["31m", "two", "three"];
        let (excerpt, shown) = marked("one\n\u{9b}31m two\u{1b} three\nfour\n", (2, 2), &words);
        assert_eq!(excerpt.text, "\\u{9b}31m two\\u{1b} three\n");
        assert_eq!(shown, words);
        assert!(!excerpt.is_cut);
    }

    #[test]
    fn of_a_long_line_stays_what_is_around_the_marks() {
        // Letters of more than a byte, and of more than they have when they are shown.
        let far = "é\u{1b}".repeat(5000);
        let text = format!("before\n{far}ONE{far}TWO THREE{far}\nFOUR\n");
        let words = ["ONE", "TWO", "THREE", "FOUR"];
        let (excerpt, shown) = marked(&text, (1, 3), &words);
        assert_eq!(shown, words);
        assert!(excerpt.is_cut && excerpt.text.len() < 12 * AROUND, "{}", excerpt.text.len());
        assert!(excerpt.text.starts_with("before\n...") && excerpt.text.ends_with("...\nFOUR\n"), "{}", excerpt.text);
        assert_eq!(excerpt.text.lines().count(), 3);
        assert_eq!(excerpt.text.matches(GAP).count(), 3);
    }

    #[test]
    fn a_mark_longer_than_what_is_kept_of_a_line_has_both_its_ends() {
        let text = format!("{}<{}>", "a".repeat(9000), "b".repeat(9000));
        let long = &text[9000..];
        let (excerpt, shown) = marked(&text, (1, 1), &[long]);
        assert_eq!(shown[0], format!("<{}...{}>", "b".repeat(AROUND - 1), "b".repeat(AROUND - 1)));
        assert_eq!(excerpt.text, format!("...{}{}", "a".repeat(AROUND), shown[0]));
    }

    #[test]
    fn a_long_line_without_a_mark_shows_its_start() {
        let text = format!("one\n{}\ntwo\n", "x".repeat(9000));
        let (excerpt, shown) = marked(&text, (1, 3), &["one", "two"]);
        assert_eq!(excerpt.text, format!("one\n{}...\ntwo\n", "x".repeat(AROUND)));
        assert_eq!(shown, ["one", "two"]);
    }
}
