//! Canonical JSON bytes: two-space indent, keys in the order of the struct's fields, nothing escaped that need not be.
//!
//! Only structs, sequences, strings and numbers are written, never `serde_json::Value`, so no feature flag of a
//! dependency (`preserve_order`, `arbitrary_precision`) can change a byte. The bytes are those of
//! `serde_json::to_string_pretty`; texts are gone through eight bytes at a time.

mod writer;

use serde::Serialize;

use writer::Writer;

/// A document with its final newline.
pub fn to_text<T: Serialize>(value: &T) -> String {
    to_text_of_about(0, value)
}

/// A document with its final newline, of which is known about how many bytes it takes.
pub fn to_text_of_about<T: Serialize>(bytes: usize, value: &T) -> String {
    let mut out = String::with_capacity(bytes);
    value.serialize(&mut Writer::new(&mut out)).expect("plain structs with string keys always serialise");
    out.push('\n');
    out
}

/// One string in quotes: `\"`, `\\`, `\b \f \n \r \t` and lower-case `\u00xx` below U+0020, everything else as it is.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut done = 0;
    while let Some(at) = next_escaped(text.as_bytes(), done) {
        out.push_str(&text[done..at]);
        escape(out, text.as_bytes()[at]);
        done = at + 1;
    }
    out.push_str(&text[done..]);
    out.push('"');
}

fn escape(out: &mut String, byte: u8) {
    out.push_str(match byte {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        b'\n' => "\\n",
        b'\t' => "\\t",
        b'\r' => "\\r",
        0x08 => "\\b",
        0x0c => "\\f",
        _ => return out.push_str(&format!("\\u{byte:04x}")),
    });
}

/// The next byte from `start` on that is a quote, a backslash or a control.
fn next_escaped(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let found = escaped(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    (at..text.len()).find(|&at| matches!(text[at], b'"' | b'\\' | 0..0x20))
}

/// The highest bit of each byte that has to be escaped. Above the lowest such byte there may be bits too many, since the
/// subtractions borrow.
fn escaped(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let below = |word: u64, end: u8| word.wrapping_sub(ONES * u64::from(end)) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | is(b'"') | is(b'\\')) & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    struct Doc {
        zeta: Option<u8>,
        alpha: &'static str,
        list: Vec<f64>,
    }

    #[test]
    fn keys_keep_their_order_and_escapes_are_few() {
        let doc = Doc { zeta: None, alpha: "é\u{7f}\u{1}\u{b}\"\\\n/<", list: vec![1.05] };
        let want = "{\n  \"zeta\": null,\n  \"alpha\": \"é\u{7f}\\u0001\\u000b\\\"\\\\\\n/<\",\n  \"list\": [\n    1.05\n  ]\n}\n";
        assert_eq!(to_text(&doc), want);
    }

    #[test]
    fn every_byte_is_escaped_wherever_it_stands() {
        for code in 0..0x180 {
            let letter = char::from_u32(code).unwrap();
            for before in 0..17 {
                for behind in [0, 1, 9] {
                    for around in ['a', 'é', '\u{7f}', '\u{1f}', '!', '"'] {
                        let around = |many: usize| around.to_string().repeat(many);
                        let text = format!("{}{letter}{}", around(before), around(behind));
                        let mut out = String::new();
                        write_string(&mut out, &text);
                        assert_eq!(out, serde_json::to_string(&text).unwrap());
                    }
                }
            }
        }
    }

    /// Everything that a document can be made of.
    #[derive(Serialize)]
    struct All<'a> {
        unit: (),
        none: Option<bool>,
        some: Option<bool>,
        numbers: (u8, i64, u64, f64, f64, f32),
        letter: char,
        empty: [u8; 0],
        list: Vec<Vec<&'a str>>,
        map: BTreeMap<&'a str, Option<Kinds<'a>>>,
        none_at_all: BTreeMap<u8, u8>,
        by_number: BTreeMap<i32, Wrapped>,
        flags: BTreeMap<bool, ()>,
        kinds: [Kinds<'a>; 5],
        #[serde(flatten)]
        more: BTreeMap<&'a str, u8>,
        nothing: Nothing,
    }

    #[derive(Serialize)]
    enum Kinds<'a> {
        Unit,
        New(&'a str),
        Pair(u8, u8),
        Named { a: u8, b: [u8; 0] },
        Empty {},
    }

    #[derive(Serialize)]
    struct Wrapped(u8);

    #[derive(Serialize)]
    struct Nothing {}

    #[test]
    fn a_document_is_what_serde_json_makes_of_it() {
        let all = All {
            unit: (),
            none: None,
            some: Some(true),
            numbers: (7, i64::MIN, u64::MAX, 1e21, f64::NAN, 0.1),
            letter: 'é',
            empty: [],
            list: vec![vec![], vec!["a", "b"]],
            map: [("k\n", None), ("l", Some(Kinds::New("x")))].into(),
            none_at_all: BTreeMap::new(),
            by_number: [(-1, Wrapped(2))].into(),
            flags: [(true, ())].into(),
            kinds: [Kinds::Unit, Kinds::New("n"), Kinds::Pair(1, 2), Kinds::Named { a: 1, b: [] }, Kinds::Empty {}],
            more: [("z", 1)].into(),
            nothing: Nothing {},
        };
        assert_eq!(to_text(&all), serde_json::to_string_pretty(&all).unwrap() + "\n");
    }
}
