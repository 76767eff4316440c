//! Makes the tables that tokens are counted with: the vocabularies, and the classes of characters.
//!
//! The vocabularies are those that `tiktoken-rs` carries. They are compared with the digests that their publisher gives,
//! so that a build with another vocabulary fails. What is written is read by `src/tokens/data.rs` and
//! `src/tokens/split.rs`; the layout is that of `src/tokens/table.rs`, which is a part of this program too.

#![expect(clippy::disallowed_methods, reason = "a build script reads OUT_DIR and writes there")]

#[path = "src/tokens/class.rs"]
mod class;
#[path = "src/tokens/table.rs"]
mod table;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use base64::Engine as _;
use regex_syntax::hir::{Class, HirKind};
use sha2::{Digest as _, Sha256};
use tiktoken_rs::CoreBPE;

use crate::table::{
    BRIDGES, JOINTS, LONG_STARTS, MAX_LENGTH, Part, RANK_BITS, SIEVE, STARTS, Table, Token, bridge, bucket, hash,
    joint, long_start_of, sieve, slot, start_of, width, width_of, word,
};

/// An encoding: its name, how many tokens its vocabulary has without the special ones, and the SHA-256 of the file that
/// it is published as. Sizes and digests are those of <https://github.com/openai/tiktoken>,
/// `tiktoken_ext/openai_public.py`.
const ENCODINGS: [(&str, u32, &str); 2] = [
    ("o200k_base", 199_998, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    ("cl100k_base", 100_256, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
];

/// Tokens in a bucket, on average.
const BUCKET: usize = 4;

/// Of a hundred records, those that have a token. The rest makes pilots short to find.
const FULL: usize = 97;

fn main() {
    for file in ["build.rs", "src/tokens/class.rs", "src/tokens/table.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    let out = Path::new(&out);
    for (name, size, digest) in ENCODINGS {
        let encoding = match name {
            "o200k_base" => tiktoken_rs::o200k_base(),
            _ => tiktoken_rs::cl100k_base(),
        };
        let tokens = vocabulary(&encoding.expect("the encoding is in the crate"), size);
        assert_eq!(sha256_of(&tokens), digest, "`tiktoken-rs` has another vocabulary for {name} than is published");
        write(&build(&tokens), out, name);
    }
    save(&out.join("classes"), &classes());
}

/// The bytes of every token, by rank.
fn vocabulary(encoding: &CoreBPE, size: u32) -> Vec<Vec<u8>> {
    (0..size).map(|rank| encoding.decode_bytes(&[rank]).expect("ranks have no gaps")).collect()
}

/// The digest of a vocabulary in the form that it is published in: a line for each token, Base64 and rank.
fn sha256_of(tokens: &[Vec<u8>]) -> String {
    let mut text = String::new();
    for (rank, token) in tokens.iter().enumerate() {
        base64::prelude::BASE64_STANDARD.encode_string(token, &mut text);
        writeln!(text, " {rank}").expect("a string takes all");
    }
    Sha256::digest(text).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

/// What a table is made of.
struct Data {
    parts: [Part; MAX_LENGTH + 1],
    bytes: [u8; 256],
    pilots: Vec<[u8; 2]>,
    records: Vec<u8>,
    starts: Box<[u8; STARTS]>,
    long_starts: Box<[[u8; 16]; LONG_STARTS]>,
    sieve: Box<[u8; SIEVE]>,
    joints: Box<[u8; JOINTS]>,
    bridges: Box<[u8; BRIDGES]>,
}

impl Data {
    fn table(&self) -> Table<'_> {
        Table {
            parts: &self.parts,
            bytes: &self.bytes,
            pilots: &self.pilots,
            records: &self.records,
            starts: &self.starts,
            long_starts: &self.long_starts,
            sieve: &self.sieve,
            joints: &self.joints,
            bridges: &self.bridges,
        }
    }
}

fn build(tokens: &[Vec<u8>]) -> Data {
    let none = Part { pilots: 0, buckets: 0, records: 0, slots: 0 };
    let mut data = Data {
        parts: [none; MAX_LENGTH + 1],
        bytes: [0; 256],
        pilots: Vec::new(),
        records: Vec::new(),
        starts: Box::new([0; STARTS]),
        long_starts: Box::new([[0; 16]; LONG_STARTS]),
        sieve: Box::new([0; SIEVE]),
        joints: Box::new([0; JOINTS]),
        bridges: Box::new([0; BRIDGES]),
    };
    for (rank, token) in tokens.iter().enumerate() {
        add_signs(&mut data, token);
        if let [byte] = token[..] {
            data.bytes[usize::from(byte)] = u8::try_from(rank).expect("the lowest ranks are those of the bytes");
        }
    }
    for length in 1..=MAX_LENGTH {
        let group: Vec<(u32, &[u8])> =
            (0..).zip(tokens).filter(|(_, t)| t.len() == length).map(|(rank, t)| (rank, t.as_slice())).collect();
        if !group.is_empty() {
            add_part(&mut data, length, &group);
        }
    }
    data.records.extend([0; 8]);
    // The halves are looked up in the table that does not have them yet.
    let cuts: Vec<u8> = (0..).zip(tokens).map(|(rank, token)| left_half(&data.table(), token, rank)).collect();
    for (rank, token) in tokens.iter().enumerate() {
        let whole = Token { rank: rank as u32, length: token.len() as u8, left: cuts[rank] };
        let at = data.table().place(hash(token), token.len()).expect("every token has a record");
        data.records[at..at + width(token.len())].copy_from_slice(&record(token, whole));
        if token.len() > 1 {
            let (left, right) = token.split_at(usize::from(whole.left));
            let (byte, bit) = joint(&left[left.len().saturating_sub(2)..], &right[..right.len().min(2)]);
            data.joints[byte] |= bit;
            add_bridges(&mut data.bridges, left, right);
        }
    }
    check(&data.table(), tokens, &cuts);
    data
}

/// Notes what is looked at before the records of a token.
fn add_signs(data: &mut Data, token: &[u8]) {
    assert!(token.len() <= MAX_LENGTH, "a token has {} bytes", token.len());
    let start = &token[..token.len().min(8)];
    for known in [token, start] {
        let (byte, bit) = sieve(hash(known));
        data.sieve[byte] |= bit;
    }
    if token.len() > 8 {
        let lengths = &mut data.long_starts[long_start_of(hash(start))];
        *lengths = (u128::from_le_bytes(*lengths) | 1 << (token.len() - 1)).to_le_bytes();
    } else if token.len() >= 3 {
        data.starts[start_of(word(token, 0))] |= 1 << (token.len() - 1);
    }
}

/// Notes which characters of three bytes a merge joins. Either of its halves may have a part of such a character alone:
/// then every character of which that is a part is noted.
fn add_bridges(bridges: &mut [u8; BRIDGES], left: &[u8], right: &[u8]) {
    let continues = |byte: &u8| byte & 0xc0 == 0x80;
    if width_of(right[0]) != 3 || continues(&right[0]) {
        return;
    }
    let before = match left.iter().rev().take_while(|byte| continues(byte)).count() {
        2 if left.len() > 2 && left[left.len() - 3] & 0xf0 == 0xe0 => word(left, left.len() - 3),
        // What may be the last bytes of any character.
        n @ (1 | 2) if n == left.len() => 0,
        _ => return,
    };
    let known = &right[..right.len().min(3)];
    for unknown in 0..1u64 << (6 * (3 - known.len())) {
        let mut character = [0; 3];
        character[..known.len()].copy_from_slice(known);
        for (n, byte) in character[known.len()..].iter_mut().enumerate() {
            *byte = 0x80 | (unknown >> (6 * n) & 0x3f) as u8;
        }
        let behind = word(&character, 0);
        let (byte, bit) = bridge(if before == 0 { behind } else { before | behind << 24 });
        bridges[byte] |= bit;
    }
}

/// Gives each token of one length a record of its own.
fn add_part(data: &mut Data, length: usize, tokens: &[(u32, &[u8])]) {
    let part = Part {
        pilots: data.pilots.len() as u32,
        buckets: (tokens.len() / BUCKET + 1) as u32,
        records: data.records.len() as u32,
        slots: (tokens.len() * 100 / FULL + 1) as u32,
    };
    let mut buckets = vec![Vec::new(); part.buckets as usize];
    for &(rank, token) in tokens {
        let hash = hash(token);
        buckets[bucket(hash, part.buckets)].push((hash, rank, token));
    }
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    order.sort_by_key(|&n| std::cmp::Reverse(buckets[n].len()));
    let mut pilots = vec![0; buckets.len()];
    let mut used = vec![false; part.slots as usize];
    data.records.resize(data.records.len() + used.len() * width(length), 0);
    for n in order {
        let (pilot, slots) = (0..=u16::MAX)
            .find_map(|pilot| Some((pilot, free_slots(&buckets[n], pilot, &used)?)))
            .expect("a pilot that leads all tokens of a bucket to free records");
        pilots[n] = pilot;
        for (&(_, rank, token), slot) in buckets[n].iter().zip(slots) {
            used[slot] = true;
            let at = part.records as usize + slot * width(length);
            data.records[at..at + width(length)]
                .copy_from_slice(&record(token, Token { rank, length: length as u8, left: 0 }));
        }
    }
    data.pilots.extend(pilots.iter().map(|pilot| pilot.to_le_bytes()));
    data.parts[length] = part;
}

/// The records of the tokens of a bucket under this pilot, if all are free.
fn free_slots(bucket: &[(u64, u32, &[u8])], pilot: u16, used: &[bool]) -> Option<Vec<usize>> {
    let mut slots = Vec::with_capacity(bucket.len());
    for &(hash, _, _) in bucket {
        let slot = slot(hash, pilot, used.len() as u32);
        if used[slot] || slots.contains(&slot) {
            return None;
        }
        slots.push(slot);
    }
    Some(slots)
}

/// The record of a token.
fn record(bytes: &[u8], token: Token) -> Vec<u8> {
    let mut record = bytes.to_vec();
    record.extend((token.rank | (token.left as u32) << RANK_BITS).to_le_bytes());
    record.truncate(width(bytes.len()));
    record
}

/// The bytes of the left of the two tokens that merging the bytes of a token leaves last.
fn left_half(table: &Table<'_>, token: &[u8], rank: u32) -> u8 {
    let rank_of = |start: usize, end: usize| table.find(token, start, end).map_or(u32::MAX, |t| t.rank);
    // Where each of the parts so far begins, and where the last one ends.
    let mut cuts: Vec<usize> = (0..=token.len()).collect();
    while cuts.len() > 3 {
        let (lowest, left) =
            (0..cuts.len() - 2).map(|n| (rank_of(cuts[n], cuts[n + 2]), n)).min().expect("there are three parts");
        assert!(lowest < rank, "the token {token:?} is not what merging its bytes gives");
        cuts.remove(left + 1);
    }
    assert!(cuts.len() == 3 || rank < 256, "the lowest ranks are those of the bytes");
    if cuts.len() == 3 { cuts[1] as u8 } else { 0 }
}

/// Every token is found, with its rank and its halves, which are tokens of lower rank.
fn check(table: &Table<'_>, tokens: &[Vec<u8>], cuts: &[u8]) {
    for (rank, token) in tokens.iter().enumerate() {
        let found = table.find(token, 0, token.len());
        let whole = Token { rank: rank as u32, length: token.len() as u8, left: cuts[rank] };
        assert_eq!(found, Some(whole), "{token:?}");
        let (cut, end) = (usize::from(whole.left), token.len());
        let halves = [(0, cut), (cut, end)];
        let lower = |&(start, end): &(usize, usize)| {
            let half = table.half(token, start, end);
            half.rank < whole.rank && table.find(token, start, end) == Some(half)
        };
        assert!(end == 1 || halves.iter().all(lower) && table.may_join(token, cut), "{token:?}");
        // A token that begins or ends within a character is no text by itself.
        assert!(std::str::from_utf8(token).is_err() || table.cut(token, 0, end).is_none(), "{token:?}");
        let (short, long) = table.lengths(token, 0);
        assert!((u128::from(short) | long) >> (end - 1) & 1 == 1, "{token:?}");
        assert_eq!(table.find_rare(token, 0, end), found, "{token:?}");
    }
}

fn write(data: &Data, out: &Path, name: &str) {
    let file = |ending: &str| out.join(format!("{name}.{ending}"));
    let parts = data.parts.iter().fold(String::new(), |mut text, part| {
        let Part { pilots, buckets, records, slots } = part;
        let fields = format!("pilots: {pilots}, buckets: {buckets}, records: {records}, slots: {slots}");
        writeln!(text, "    Part {{ {fields} }},").expect("a string takes all");
        text
    });
    save(&file("parts"), format!("[\n{parts}]\n").as_bytes());
    save(&file("bytes"), &data.bytes);
    save(&file("pilots"), data.pilots.as_flattened());
    save(&file("records"), &data.records);
    save(&file("starts"), data.starts.as_slice());
    save(&file("long_starts"), data.long_starts.as_flattened());
    save(&file("sieve"), data.sieve.as_slice());
    save(&file("joints"), data.joints.as_slice());
    save(&file("bridges"), data.bridges.as_slice());
}

/// The classes of all characters: by block the number of its block of classes, then those blocks, each once.
fn classes() -> Vec<u8> {
    let mut of = vec![class::OTHER; class::BLOCK * class::BLOCKS];
    let letters = set(r"\p{L}");
    // Line breaks are blanks too, and come later.
    let sets = [
        (r"[\p{Lu}\p{Lt}]", class::UPPER),
        (r"\p{Ll}", class::LOWER),
        (r"[\p{Lm}\p{Lo}]", class::UNCASED),
        (r"\p{M}", class::MARK),
        (r"\p{N}", class::NUMBER),
        (r"\s", class::BLANK),
        (r"[\r\n]", class::BREAK),
    ];
    for (pattern, class) in sets {
        set(pattern).for_each(|code| of[code] = class);
    }
    let cased = class::UPPER | class::LOWER | class::UNCASED;
    letters.for_each(|code| assert!(of[code] & cased != 0, "a letter of no class: {code:#x}"));
    let mut numbers: BTreeMap<&[u8], u8> = BTreeMap::new();
    let (mut index, mut blocks): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for block in of.chunks(class::BLOCK) {
        let next = u8::try_from(numbers.len()).expect("fewer than 256 blocks differ");
        index.push(*numbers.entry(block).or_insert_with(|| {
            blocks.extend(block);
            next
        }));
    }
    index.extend(blocks);
    index
}

/// The characters of a class as a pattern says it.
fn set(pattern: &str) -> impl Iterator<Item = usize> {
    let parsed = regex_syntax::parse(pattern).expect("a pattern of one class");
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else { panic!("{pattern} is no class") };
    let ranges: Vec<_> = class.iter().map(|range| range.start() as usize..=range.end() as usize).collect();
    ranges.into_iter().flatten()
}

fn save(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}
