//! Where a text is cut into pieces before it is encoded: the patterns of the encodings, as machines written by hand.
//!
//! Does not know tokens. Each function gives the end of the piece that begins at `start`. A text is UTF-8, and `start`
//! is a place between two of its characters, before its end.
//!
//! The patterns as they are published stand in the tests, which compare.

use super::class::{BLANK, BLOCK, BLOCKS, BREAK, LOWER, MARK, NUMBER, OTHER, UNCASED, UPPER};
use super::table;

/// By block of characters, the number of its block of classes; then the blocks of classes.
static CLASSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes"));

/// The classes of the first block: of ASCII.
static ASCII: &[u8; BLOCK] = CLASSES.split_at(BLOCKS).1.first_chunk().expect("the first block comes first");

/// What comes behind the last character: in no set of classes.
const END: u8 = 0;

const CASED: u8 = UPPER | LOWER;
const LETTER: u8 = CASED | UNCASED;

/// `o200k_base`.
#[inline]
pub fn o200k(text: &[u8], start: usize) -> usize {
    let (class, width) = class_at(text, start);
    let word = match class {
        NUMBER => return digits(text, start),
        UPPER | LOWER | UNCASED => Some(word(text, start)),
        // A mark is the one character that may stand before a word as well as in it.
        MARK => lowered(text, start + width).or_else(|| lowered(text, start)),
        OTHER | BLANK if class_at(text, start + width).0 & (LETTER | MARK) != 0 => Some(word(text, start + width)),
        _ => None,
    };
    word.or_else(|| punctuation(text, start, b"\r\n/")).unwrap_or_else(|| blanks(text, start))
}

/// `cl100k_base`.
#[inline]
pub fn cl100k(text: &[u8], start: usize) -> usize {
    let contracted = contraction(text, start);
    if contracted > start {
        return contracted;
    }
    let (class, width) = class_at(text, start);
    match class {
        NUMBER => digits(text, start),
        UPPER | LOWER | UNCASED => run(text, start, LETTER),
        OTHER | MARK | BLANK if class_at(text, start + width).0 & LETTER != 0 => run(text, start + width, LETTER),
        _ => punctuation(text, start, b"\r\n").unwrap_or_else(|| {
            let end = run(text, start, BLANK | BREAK);
            if end == text.len() { end } else { blanks(text, start) }
        }),
    }
}

/// A word of `o200k_base` that begins with a letter or a mark: capitals, then small letters, then a contraction.
#[inline]
fn word(text: &[u8], start: usize) -> usize {
    // Without a letter that may stand among small ones, the word is all capitals.
    lowered(text, start).unwrap_or_else(|| contraction(text, run(text, start, UPPER)))
}

/// A word whose last letters are no capitals, if there is one.
#[inline]
fn lowered(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    // Letters without case and marks count as capitals and as small letters. Where no small letter follows, the last of
    // them must be where the word ends.
    let mut end = None;
    loop {
        let (class, width) = class_at(text, at);
        match class {
            UPPER => at += width,
            UNCASED | MARK => {
                at += width;
                end = Some(at);
            }
            LOWER => return Some(contraction(text, run(text, at + width, LOWER | UNCASED | MARK))),
            _ => return end.map(|end| contraction(text, end)),
        }
    }
}

/// The end of a contraction such as `'s` that begins at `at`, in letters of any case; `at` if there is none.
#[inline]
fn contraction(text: &[u8], at: usize) -> usize {
    if text.get(at) != Some(&b'\'') {
        return at;
    }
    let lower = |n: usize| text.get(at + n).map_or(0, u8::to_ascii_lowercase);
    match (lower(1), lower(2)) {
        (b's' | b't' | b'm' | b'd', _) => at + 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => at + 3,
        // U+017F, the long s, is an `s` of another case.
        (0xc5, 0xbf) => at + 3,
        _ => at,
    }
}

/// Up to three numbers.
#[inline]
fn digits(text: &[u8], start: usize) -> usize {
    let mut at = start;
    for _ in 0..3 {
        let (class, width) = class_at(text, at);
        if class != NUMBER {
            break;
        }
        at += width;
    }
    at
}

/// Punctuation, with a space before it, and any of `behind` after it.
#[inline]
fn punctuation(text: &[u8], start: usize, behind: &[u8]) -> Option<usize> {
    let first = start + usize::from(text[start] == b' ');
    let mut at = run(text, first, OTHER | MARK);
    if at == first {
        return None;
    }
    while text.get(at).is_some_and(|byte| behind.contains(byte)) {
        at += 1;
    }
    Some(at)
}

/// Blanks and line breaks: up to the last break; without one, all but the last, which goes with what follows.
#[inline]
fn blanks(text: &[u8], start: usize) -> usize {
    let (mut at, mut last) = (start, start);
    let mut broken = None;
    loop {
        let (class, width) = class_at(text, at);
        match class {
            BLANK | BREAK => {
                last = at;
                at += width;
                if class == BREAK {
                    broken = Some(at);
                }
            }
            _ => break,
        }
    }
    match broken {
        Some(end) => end,
        None if at == text.len() || last == start => at,
        None => last,
    }
}

/// The end of the characters of a set.
#[inline]
fn run(text: &[u8], start: usize, set: u8) -> usize {
    let mut at = if set & LOWER != 0 { small_letters(text, start) } else { start };
    loop {
        let (class, width) = class_at(text, at);
        if class & set == 0 {
            return at;
        }
        at += width;
    }
}

/// The end of the small letters of ASCII at `at`, eight at a time: no processor foretells where a loop over single ones
/// ends.
#[inline(always)]
fn small_letters(text: &[u8], mut at: usize) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    loop {
        let bytes = table::word(text, at);
        let low = bytes & (0x7f * EACH);
        // The highest bit of a byte says that it is at least `a`, and that it is more than `z`.
        let least = low + (0x80 - b'a' as u64) * EACH;
        let more = low + (0x7f - b'z' as u64) * EACH;
        let others = (bytes | !least | more) & (0x80 * EACH);
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
}

/// The class of the character at `at`, and its bytes.
#[inline(always)]
fn class_at(text: &[u8], at: usize) -> (u8, usize) {
    match text.get(at) {
        None => (END, 0),
        Some(&byte) if byte < 0x80 => (ASCII[usize::from(byte)], 1),
        Some(&byte) => wide(text, at, byte),
    }
}

/// [`class_at`] of a character outside ASCII.
#[inline]
fn wide(text: &[u8], at: usize, first: u8) -> (u8, usize) {
    let next = |n: usize| u32::from(text[at + n] & 0x3f);
    let (code, width) = match first {
        0xf0.. => (u32::from(first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
        0xe0.. => (u32::from(first & 0x0f) << 12 | next(1) << 6 | next(2), 3),
        _ => (u32::from(first & 0x1f) << 6 | next(1), 2),
    };
    let code = code as usize;
    let block = usize::from(CLASSES[code / BLOCK]);
    (CLASSES[BLOCKS + block * BLOCK + code % BLOCK], width)
}
