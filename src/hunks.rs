//! The smallest difference of two texts, as hunks of lines.
//!
//! Owns how texts are compared for people. Knows nothing else: not what the texts are, not how a difference is shown.
//! Main types: [`Hunk`], [`Line`].

mod words;

pub use words::words;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Lines that differ in all, up to which the smallest difference is searched. Beyond it, time would grow with their
/// square; everything between the first and the last different line then counts as replaced.
const MAX_LINES: usize = 10_000;

/// Differences that lie together, with equal lines around them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hunk {
    /// Its lines, in order: of a change first what was, then what is.
    pub lines: Vec<Line>,
}

/// A line of a hunk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// Which text has it.
    pub side: Side,
    /// Its number from 1 in the text before; where it would stand, when that text does not have it.
    pub before: usize,
    /// Its number from 1 in the text after, likewise.
    pub after: usize,
    /// The byte, from 0, at which it stands or would stand in the text after.
    pub offset: usize,
    /// The line without its line end.
    pub text: String,
    /// Whether it has a line end; the last line of a text may have none. Of a line of both texts, in the text after.
    pub ended: bool,
}

/// Which text has a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Both.
    Both,
    /// The text before alone.
    Before,
    /// The text after alone.
    After,
}

impl Hunk {
    /// The lines that one text alone has.
    pub fn changes(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.side != Side::Both)
    }
}

/// The hunks that lead from one text to the other, each with up to `context` equal lines before and after. None when
/// the texts are equal. Lines end in LF.
pub fn hunks(before: &str, after: &str, context: usize) -> Vec<Hunk> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let mut starts = Vec::with_capacity(new.len() + 1);
    let mut offset = 0;
    for line in &new {
        starts.push(offset);
        offset += line.len();
    }
    starts.push(offset);
    let line = |side, before: usize, after: usize, text: &str| Line {
        side,
        before: before + 1,
        after: after + 1,
        offset: starts[after],
        text: text.strip_suffix('\n').unwrap_or(text).to_owned(),
        ended: text.ends_with('\n'),
    };
    let groups = group_diff_ops(operations(&keys(&old, &new), &keys(&new, &old)), context);
    let hunk = |operations: Vec<DiffOp>| {
        let mut lines = Vec::new();
        for operation in operations {
            let (tag, was, is) = operation.as_tag_tuple();
            if tag == DiffTag::Equal {
                lines.extend(was.zip(is).map(|(b, a)| line(Side::Both, b, a, new[a])));
                continue;
            }
            let start = is.start;
            lines.extend(was.clone().map(|b| line(Side::Before, b, start, old[b])));
            lines.extend(is.map(|a| line(Side::After, was.end, a, new[a])));
        }
        Hunk { lines }
    };
    groups.into_iter().filter(|g| g.iter().any(|o| o.tag() != DiffTag::Equal)).map(hunk).collect()
}

/// What lines are compared by. A line end counts where both texts end in the same line: `A` and `A\n` differ, and `A` is
/// still there in `A\nB`.
fn keys<'a>(lines: &[&'a str], other: &[&str]) -> Vec<&'a str> {
    let bare = |line: &&'a str| line.strip_suffix('\n').unwrap_or(line);
    let mut keys: Vec<&str> = lines.iter().map(bare).collect();
    if let (Some(key), Some(own), Some(last)) = (keys.last_mut(), lines.last(), other.last())
        && own.trim_end_matches('\n') == last.trim_end_matches('\n')
    {
        *key = own;
    }
    keys
}

fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_len, new_len) = (old.len() - head - tail, new.len() - head - tail);
    if old_len + new_len <= MAX_LINES {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let all = [
        DiffOp::Equal { old_index: 0, new_index: 0, len: head },
        DiffOp::Replace { old_index: head, old_len, new_index: head, new_len },
        DiffOp::Equal { old_index: head + old_len, new_index: head + new_len, len: tail },
    ];
    all.into_iter().filter(|o| !o.old_range().is_empty() || !o.new_range().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(before: &str, after: &str) -> Vec<String> {
        let sign = |line: &Line| match line.side {
            Side::Both => ' ',
            Side::Before => '-',
            Side::After => '+',
        };
        let hunk = |h: &Hunk| h.lines.iter().map(|l| format!("{}{}", sign(l), l.text)).collect::<Vec<_>>().join("|");
        hunks(before, after, 1).iter().map(hunk).collect()
    }

    #[test]
    fn changes_stand_in_their_context_and_far_ones_apart() {
        assert_eq!(shown("a\nb\nc\n", "a\nb\nc\n"), [""; 0]);
        assert_eq!(shown("a\nb\nc\nd\n", "a\nx\nc\nd\n"), [" a|-b|+x| c"]);
        assert_eq!(shown("1\n2\n3\n4\n5\n6\n", "1\n3\n4\n5\n6\n7\n"), [" 1|-2| 3", " 6|+7"]);
        assert_eq!(shown("", "a"), ["+a"]);
        assert_eq!(shown("a", "a\n"), ["-a|+a"]);
        assert_eq!(shown("a", "a\nb"), [" a|+b"]);
        assert_eq!(shown("a\nb", "c\na"), ["+c| a|-b"]);
    }

    #[test]
    fn lines_know_where_they_stand() {
        let found = hunks("é\nb\nc\n", "é\nc\nd\n", 0);
        let places: Vec<_> =
            found.iter().flat_map(|h| &h.lines).map(|l| (l.side, l.before, l.after, l.offset)).collect();
        assert_eq!(places, [(Side::Before, 2, 2, 3), (Side::After, 4, 3, 5)]);
    }

    #[test]
    fn very_different_texts_are_replaced_as_a_whole() {
        let text = |word: &str| format!("head\n{}tail\n", format!("{word}\n").repeat(MAX_LINES));
        let found = hunks(&text("a"), &text("b"), 1);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].lines.len(), 2 * MAX_LINES + 2);
        assert_eq!(found[0].lines[0].text, "head");
    }

    proptest! {
        #[test]
        fn changes_lead_from_one_text_to_the_other(before in "([ab]{0,2}\n){0,9}[ab]?", after in "([ab]{0,2}\n){0,9}[ab]?") {
            let everything = before.len() + after.len() + 1;
            let lines: Vec<Line> = hunks(&before, &after, everything).into_iter().flat_map(|h| h.lines).collect();
            let side = |not: Side| {
                let own = lines.iter().filter(|line| line.side != not);
                own.map(|l| l.text.as_str()).collect::<Vec<_>>()
            };
            if before == after {
                prop_assert!(lines.is_empty());
            } else {
                prop_assert!(lines.iter().any(|line| line.side != Side::Both));
                prop_assert_eq!(side(Side::After), before.lines().collect::<Vec<_>>());
                prop_assert_eq!(side(Side::Before), after.lines().collect::<Vec<_>>());
            }
            for line in lines.iter().filter(|l| l.side != Side::Before) {
                prop_assert!(after[line.offset..].starts_with(&line.text));
            }
        }
    }
}
