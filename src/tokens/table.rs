//! The table of a vocabulary: from the bytes of a token to its rank, without a step at process start.
//!
//! Owns the layout of the table, the hash and the look-up. `build.rs` includes this file, fills the table with it, and
//! looks every token up again. Does not know which vocabularies there are, nor how text is cut. Main type: [`Table`].
//!
//! Tokens of each length have a part of their own. A part is a minimal perfect hash: a token's hash names a bucket, the
//! bucket's pilot and the hash name a record, and no two tokens share one. A record is the token's bytes and, in three
//! or four more, its rank and where it is cut into the two tokens that it is merged of. Whatever is asked for is compared
//! with the record's bytes, so an answer is never a guess.

/// Most bytes of a token.
pub const MAX_LENGTH: usize = 128;

/// Bits of a rank in a record. Those of the left half's length stand above them.
pub const RANK_BITS: u32 = 18;

/// Bits of the hashes by which lengths of tokens are known: of three bytes, and of six.
const START_BITS: [u32; 2] = [12, 15];

/// Entries of `short_starts`.
pub const SHORT_STARTS: usize = 1 << START_BITS[0];

/// Entries of `long_starts`.
pub const LONG_STARTS: usize = 1 << START_BITS[1];

/// A vocabulary. All numbers are little-endian.
#[derive(Clone, Copy, Debug)]
pub struct Table<'d> {
    /// The part of each length; that of length 0 is empty.
    pub parts: &'d [Part; MAX_LENGTH + 1],
    /// Pilots of all parts.
    pub pilots: &'d [[u8; 2]],
    /// Records of all parts, and eight bytes more, so that eight can be read at the start of any.
    pub records: &'d [u8],
    /// By the hash of the first three bytes, a bit for each length that a token which begins so may have: the bit `n` is
    /// for `n + 1` bytes.
    pub short_starts: &'d [[u8; 16]; SHORT_STARTS],
    /// By the hash of the first six bytes, a bit for each class of lengths that a token which begins so may have.
    pub long_starts: &'d [[u8; 2]; LONG_STARTS],
}

/// Where the tokens of one length are.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The first of its pilots.
    pub pilots: u32,
    /// How many buckets it has, each with a pilot; without any, no token has this length.
    pub buckets: u32,
    /// The byte where its records begin.
    pub records: u32,
    /// How many records it has.
    pub slots: u32,
}

/// A token of the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its rank: of two merges, that with the lower rank comes first.
    pub rank: u32,
    /// Its bytes.
    pub length: usize,
    /// The bytes of the left of the two tokens that it is merged of; of a single byte 0.
    pub left: usize,
}

impl Table<'_> {
    /// The token with the bytes `text[start..end]`. What follows in `text` is not looked at.
    #[inline]
    pub fn find(&self, text: &[u8], start: usize, end: usize) -> Option<Token> {
        let length = end - start;
        let part = self.parts.get(length)?;
        if part.buckets == 0 {
            return None;
        }
        let key = Key::of(text, start, length);
        let hash = key.hash(text, start, length);
        let pilot = u16::from_le_bytes(self.pilots[part.pilots as usize + bucket(hash, part.buckets)]);
        let at = part.records as usize + slot(hash, pilot, part.slots) * width(length);
        let same = Key::of(self.records, at, length) == key
            && (length <= 16 || self.records[at..at + length] == text[start..end]);
        same.then(|| read(&self.records[at + length..], length))
    }

    /// The lengths of the tokens that may begin at `start`.
    #[inline]
    pub fn lengths(&self, text: &[u8], start: usize) -> Lengths {
        let Some(&[a, b, c]) = text.get(start..start + 3) else {
            return Lengths { all: 0b11, long: 0 };
        };
        let all = u128::from_le_bytes(self.short_starts[short_start([a, b, c])]) | 0b11;
        let long = match text.get(start + 3..start + 6) {
            Some(&[d, e, f]) => u16::from_le_bytes(self.long_starts[long_start([a, b, c, d, e, f])]),
            _ => 0,
        };
        Lengths { all, long }
    }
}

/// Lengths that tokens may have. Every token that begins as the text does has its length here; not every length has a
/// token.
#[derive(Clone, Copy)]
pub struct Lengths {
    all: u128,
    long: u16,
}

impl Lengths {
    /// Whether a token may have this length.
    #[inline]
    pub fn has(self, length: usize) -> bool {
        length <= MAX_LENGTH
            && self.all >> (length - 1) & 1 == 1
            && (length < 6 || self.long >> class_of(length) & 1 == 1)
    }

    /// The longest length of at most `most`, which it takes away.
    #[inline]
    pub fn take(&mut self, most: usize) -> Option<usize> {
        if most < MAX_LENGTH {
            self.all &= (1 << most) - 1;
        }
        while self.all != 0 {
            let length = MAX_LENGTH - self.all.leading_zeros() as usize;
            self.all &= !(1 << (length - 1));
            if length < 6 || self.long >> class_of(length) & 1 == 1 {
                return Some(length);
            }
        }
        None
    }
}

/// The class of a length of six or more: each has one to itself up to 20, and the rest shares one.
#[inline]
pub fn class_of(length: usize) -> usize {
    (length - 6).min(15)
}

/// The first eight bytes of a text and the last eight; of one with at most eight, all and none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(u64, u64);

impl Key {
    /// The key of `text[start..start + length]`.
    #[inline]
    pub fn of(text: &[u8], start: usize, length: usize) -> Key {
        if length <= 8 {
            Key(word(text, start) & (u64::MAX >> (64 - 8 * length)), 0)
        } else {
            Key(word(text, start), word(text, start + length - 8))
        }
    }

    /// The hash of the text with this key.
    #[inline]
    pub fn hash(self, text: &[u8], start: usize, length: usize) -> u64 {
        let mut hash = fold(self.0 ^ 0x9e37_79b9_7f4a_7c15, self.1 ^ 0xa24b_aed4_963e_e407);
        let mut at = 8;
        while at + 8 < length {
            hash = fold(hash ^ word(text, start + at), 0x8bb8_4b93_962e_acc9);
            at += 8;
        }
        hash
    }
}

/// The bucket of a hash.
#[inline]
pub fn bucket(hash: u64, buckets: u32) -> usize {
    scale(hash as u32, buckets)
}

/// The record of a hash, under the pilot of its bucket.
#[inline]
pub fn slot(hash: u64, pilot: u16, slots: u32) -> usize {
    let mixed = (hash ^ u64::from(pilot).wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(0xca5a_8263_9512_1157);
    scale((mixed >> 32) as u32, slots)
}

/// The entry of `short_starts` for texts that begin with these bytes.
#[inline]
pub fn short_start([a, b, c]: [u8; 3]) -> usize {
    let mixed = u32::from_le_bytes([a, b, c, 0]).wrapping_mul(0x9e37_79b1);
    (mixed >> (32 - START_BITS[0])) as usize
}

/// The entry of `long_starts` for texts that begin with these bytes.
#[inline]
pub fn long_start([a, b, c, d, e, f]: [u8; 6]) -> usize {
    let mixed = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - START_BITS[1])) as usize
}

/// Bytes of a record of a token of this length: in three bytes there is room for a left half of up to 63.
#[inline]
pub fn width(length: usize) -> usize {
    if length < 64 { length + 3 } else { length + 4 }
}

/// The token of a record, of which `end` are the bytes behind the token's own.
#[inline]
fn read(end: &[u8], length: usize) -> Token {
    let packed = u32::from_le_bytes([end[0], end[1], end[2], if length < 64 { 0 } else { end[3] }]);
    Token { rank: packed & ((1 << RANK_BITS) - 1), length, left: (packed >> RANK_BITS) as usize }
}

/// The eight bytes at `at`; zeros stand for those behind the end.
#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    match text.get(at..at + 8) {
        Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => last_word(text, at),
    }
}

#[cold]
fn last_word(text: &[u8], at: usize) -> u64 {
    text[at..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Both halves of the product, each of which depends on all bits of the factors.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A number below `end`, evenly for an evenly spread `n`.
#[inline]
fn scale(n: u32, end: u32) -> usize {
    ((u64::from(n) * u64::from(end)) >> 32) as usize
}
