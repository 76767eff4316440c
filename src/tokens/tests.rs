//! Cuts are compared with the published patterns, the search with merging as it is published. Counts of whole texts are
//! compared with the published encoder in `tests/it/tokens.rs`.

use fancy_regex::Regex;

use super::table::Table;
use super::*;

const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);

const CL100K: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|",
    r"\s++$|\s*[\r\n]|\s+(?!\S)|\s"
);

/// A character of each class, the letters of contractions, and what the patterns name.
const LETTERS: [char; 20] = [
    ' ', '\t', '\u{3000}', '\n', '\r', 'a', 'S', 'l', 'ſ', 'ǅ', 'ʰ', '字', '\u{301}', '7', '½', '!', '\'', '/',
    '\u{7f}', '🙂',
];

fn pieces(text: &str, end_of: fn(&[u8], usize) -> usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = end_of(text.as_bytes(), start);
        pieces.push(&text[start..end]);
        start = end;
    }
    pieces
}

/// All texts of up to `most` of [`LETTERS`].
fn texts(most: u32) -> impl Iterator<Item = String> {
    let letter = |n: usize, place: u32| LETTERS[n / LETTERS.len().pow(place) % LETTERS.len()];
    (1..=most).flat_map(move |length| {
        (0..LETTERS.len().pow(length)).map(move |n| (0..length).map(|place| letter(n, place)).collect())
    })
}

#[test]
fn texts_are_cut_as_the_published_patterns_cut_them() {
    let patterns = [(O200K, split::o200k as fn(&[u8], usize) -> usize), (CL100K, split::cl100k)];
    for (pattern, end_of) in patterns {
        let pattern = Regex::new(pattern).unwrap();
        for text in texts(3).chain(["I'LL we'veX 12345 \n \n  a  ".to_owned(), "'rE'Re 's'ſ\r\n\t x".to_owned()]) {
            let told: Vec<&str> = pattern.find_iter(&text).map(|found| found.unwrap().as_str()).collect();
            assert_eq!(pieces(&text, end_of), told, "{text:?}");
        }
    }
}

/// Merges the pair of lowest rank, the left one of equals, until none is a token.
fn merged(table: &Table<'_>, piece: &[u8]) -> usize {
    let mut cuts: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let ranks = (1..cuts.len() - 1).filter_map(|n| Some((table.find(piece, cuts[n - 1], cuts[n + 1])?.rank, n)));
        match ranks.min() {
            Some((_, n)) => _ = cuts.remove(n),
            None => return cuts.len() - 1,
        }
    }
}

#[test]
fn the_search_finds_what_merging_gives() {
    for table in [&data::O200K_BASE, &data::CL100K_BASE] {
        let mut counts = Counts::default();
        for piece in
            texts(2).map(|text| text.repeat(7)).chain(["aaaaaaaaaaaab".repeat(5), "antidisestablish".repeat(3)])
        {
            let piece = piece.as_bytes();
            assert_eq!(counts.search(table, piece, 0, piece.len()), merged(table, piece) as u64, "{piece:?}");
        }
    }
}

/// Characters of three bytes: some that merges join to others, some that they join to the last bytes of others, some
/// of which they take the first bytes alone, and some that stand alone.
const WIDE: [char; 18] =
    ['的', '人', '京', '北', '门', '澳', '们', '我', '。', 'ア', 'ん', '한', '국', 'ა', 'ი', 'क', '्', '龘'];

#[test]
fn what_is_cut_counts_as_merging_counts_the_whole() {
    for table in [&data::O200K_BASE, &data::CL100K_BASE] {
        let mut counts = Counts::default();
        let mut cut = 0;
        for n in (0..WIDE.len().pow(3)).step_by(5) {
            let letter = |place| WIDE[n / WIDE.len().pow(place) % WIDE.len()];
            let text: String = [letter(0), letter(1), 'é', letter(1), letter(2), letter(0), letter(2)].iter().collect();
            let piece = text.as_bytes();
            cut += usize::from(table.cut(piece, 0, piece.len()).is_some());
            assert_eq!(counts.piece(table, piece, 0, piece.len()), merged(table, piece) as u64, "{text}");
        }
        assert!(cut > 300, "{cut}");
    }
}

#[test]
fn runs_count_as_merging_counts_them() {
    for table in [&data::O200K_BASE, &data::CL100K_BASE] {
        let mut counts = Counts::default();
        for unit in ["/", " ", "a", "=", "=-", "ab", "aaab", "一", "\n", "\r\n"] {
            for length in [2, 3, 63, 65, 129, 200] {
                for piece in [unit.repeat(length), format!("{}x{0}", unit.repeat(length))] {
                    let piece = piece.as_bytes();
                    assert_eq!(counts.search(table, piece, 0, piece.len()), merged(table, piece) as u64, "{piece:?}");
                }
            }
        }
    }
}

#[test]
fn what_follows_a_piece_changes_nothing() {
    let text = "unbelievablyunbelievably".as_bytes();
    for table in [&data::O200K_BASE, &data::CL100K_BASE] {
        for end in 1..text.len() {
            let alone = table.find(&text[..end], 0, end);
            assert_eq!(table.find(text, 0, end), alone);
            let (mut one, mut other) = (Counts::default(), Counts::default());
            assert_eq!(one.piece(table, text, 0, end), other.piece(table, &text[..end], 0, end));
        }
    }
}

#[test]
fn a_remembered_count_is_the_same() {
    let mut counts = Counts::default();
    for text in texts(3) {
        let text = text.as_bytes();
        let first = counts.piece(&data::CL100K_BASE, text, 0, text.len());
        assert_eq!(counts.piece(&data::CL100K_BASE, text, 0, text.len()), first);
        assert_eq!(Counts::default().search(&data::CL100K_BASE, text, 0, text.len()), first, "{text:?}");
    }
}

/// Counts a text by its parts, which have nothing between them but a separator.
fn by_parts(encoding: Encoding, parts: &[&str], separator: &str) -> u64 {
    let counted: Vec<Counted> = parts.iter().map(|part| encoding.measure(part)).collect();
    let mut starts = Vec::new();
    let mut text = String::new();
    for part in parts {
        text.push_str(if starts.is_empty() { "" } else { separator });
        starts.push(text.len());
        text.push_str(part);
    }
    let parts: Vec<(usize, &Counted)> = starts.into_iter().zip(&counted).collect();
    assert_eq!(encoding.count_parts(&text, &parts), encoding.count(&text), "{text:?}");
    encoding.count(&text)
}

#[test]
fn a_text_counts_the_same_by_its_parts_wherever_they_meet() {
    // Long enough that the most of it is skipped, whatever its ends are.
    let middle = "we have it all, and 7 more of them that's what I'LL say";
    let ends: Vec<String> = texts(2).chain([String::new()]).collect();
    for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
        for end in &ends {
            for start in texts(1) {
                let (one, other) = (format!("{start}{middle}{end}"), format!("{start}{end}{middle}{start}"));
                for separator in ["", "\n\n", " "] {
                    by_parts(encoding, &[&one, &other, end, &one], separator);
                }
            }
        }
    }
}

#[test]
fn runs_that_go_on_in_the_next_part_are_counted() {
    for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
        for run in ["a", "A", "字", " ", "\n", " \n", "!", "7", "aA", "字A", "'s", "\u{301}", "\n\t", "\r", "I'L"] {
            for many in [1, 2, 7, 50] {
                let run = run.repeat(many);
                let texts =
                    [run.clone(), format!("one two three four five six seven eight {run}"), format!("{run} end")];
                for separator in ["", "\n\n", "l", " "] {
                    by_parts(encoding, &[&texts[0], &texts[1], &texts[0], &texts[2], &texts[1]], separator);
                }
            }
        }
    }
}

#[test]
fn what_is_certain_of_a_part_is_not_gone_through_again() {
    let text = "One rule and another rule. ".repeat(100);
    let part = Encoding::O200kBase.measure(&text);
    let mut pieces = 0;
    let count = |start: usize, end: usize| {
        pieces += 1;
        u64::from(end > start)
    };
    parts::sum(text.repeat(2).as_bytes(), &[(0, &part), (text.len(), &part)], split::o200k, count);
    assert!(pieces < 30, "{pieces}");
}

#[test]
fn known_counts() {
    let counter = |encoding: Encoding, factor| Counter::new(encoding, factor);
    assert_eq!(counter(Encoding::O200kBase, 1.0).count("hello world"), 2);
    assert_eq!(counter(Encoding::Cl100kBase, 1.0).count("<|endoftext|>"), 7);
    assert_eq!(counter(Encoding::Cl100kBase, 1.05).count(""), 0);
    assert_eq!(counter(Encoding::Cl100kBase, 1.5).count("<|endoftext|>"), 11);
    assert_eq!(Encoding::O200kHarmony.count("<|start|>system"), Encoding::O200kBase.count("<|start|>system"));
    assert_eq!(Encoding::ALL.map(|e| Encoding::from_name(e.name())), Encoding::ALL.map(Some));
}
