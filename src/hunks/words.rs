//! Two versions of a few lines, word by word.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::Side;

/// Words between the first and the last different one, up to which two texts are compared word by word: time grows with
/// their square.
const MAX_WORDS: usize = 4_000;

/// Least share of letters that both have, in percent: below it, two versions side by side are easier to read.
const LEAST_ALIKE: usize = 40;

/// Runs of text that both have, that the text before alone has, and that the text after alone has. `None` when the two
/// have too little in common to be read as one, or too many words.
pub fn words<'t>(before: &'t str, after: &'t str) -> Option<Vec<(Side, &'t str)>> {
    let (old, new) = (split(before), split(after));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    if old.len() + new.len() - 2 * (head + tail) > MAX_WORDS {
        return None;
    }
    let starts = |words: &[&str]| {
        let ends = words.iter().scan(0, |at, word| {
            *at += word.len();
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old_starts, new_starts) = (starts(&old), starts(&new));
    let mut out = Vec::new();
    let mut alike = 0;
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, was, is) = operation.as_tag_tuple();
        let was = &before[old_starts[was.start]..old_starts[was.end]];
        let is = &after[new_starts[is.start]..new_starts[is.end]];
        if tag == DiffTag::Equal {
            alike += is.trim().len();
            out.push((Side::Both, is));
            continue;
        }
        out.extend([(Side::Before, was), (Side::After, is)].into_iter().filter(|(_, text)| !text.is_empty()));
    }
    let longer = before.trim().len().max(after.trim().len());
    (alike * 100 >= longer * LEAST_ALIKE).then_some(out)
}

/// Words, runs of blanks, and single signs.
fn split(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = match c {
            '\n' => 0,
            c if c.is_whitespace() => 1,
            c if c.is_alphanumeric() || c == '_' => 2,
            _ => 3,
        };
        let goes_on = last == Some(kind) && (kind == 1 || kind == 2);
        if !goes_on && at > start {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(kind);
    }
    if start < text.len() {
        out.push(&text[start..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(before: &str, after: &str) -> Option<String> {
        let mark = |(side, text): (Side, &str)| match side {
            Side::Both => text.to_owned(),
            Side::Before => format!("[-{text}-]"),
            Side::After => format!("{{+{text}+}}"),
        };
        Some(words(before, after)?.into_iter().map(mark).collect())
    }

    #[test]
    fn what_differs_is_whole_words() {
        assert_eq!(shown("Be brief.", "Be very brief.").unwrap(), "Be {+very +}brief.");
        assert_eq!(shown("Run `ls` now.", "Run `cat` now.").unwrap(), "Run `[-ls-]{+cat+}` now.");
        assert_eq!(shown("one two", "three four"), None);
        assert_eq!(shown("", "").unwrap(), "");
        assert_eq!(shown("你好", "你好!").unwrap(), "你好{+!+}");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_from_it(before in "[ab \n.]{0,20}", after in "[ab \n.]{0,20}") {
            if let Some(runs) = words(&before, &after) {
                let of = |other| runs.iter().filter(|r| r.0 != other).map(|r| r.1).collect::<String>();
                prop_assert_eq!(of(Side::After), before.clone());
                prop_assert_eq!(of(Side::Before), after.clone());
            }
        }
    }
}
