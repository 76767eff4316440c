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

/// Bits of the hash that `starts` is ordered by.
const START_BITS: u32 = 15;

/// Bytes of `starts`.
pub const STARTS: usize = 1 << START_BITS;

/// Bits of the hash that `long_starts` is ordered by.
const LONG_START_BITS: u32 = 12;

/// Entries of `long_starts`.
pub const LONG_STARTS: usize = 1 << LONG_START_BITS;

/// Bits of the hash that `sieve` is ordered by.
const SIEVE_BITS: u32 = 20;

/// Bytes of `sieve`.
pub const SIEVE: usize = 1 << (SIEVE_BITS - 3);

/// Bits of the hash that `joints` is ordered by.
const JOINT_BITS: u32 = 19;

/// Bytes of `joints`.
pub const JOINTS: usize = 1 << (JOINT_BITS - 3);

/// Bits of the hash that `bridges` is ordered by.
const BRIDGE_BITS: u32 = 19;

/// Bytes of `bridges`.
pub const BRIDGES: usize = 1 << (BRIDGE_BITS - 3);

/// A vocabulary. All numbers are little-endian.
#[derive(Clone, Copy, Debug)]
pub struct Table<'d> {
    /// The part of each length; that of length 0 is empty.
    pub parts: &'d [Part; MAX_LENGTH + 1],
    /// The rank of each byte.
    pub bytes: &'d [u8; 256],
    /// Pilots of all parts.
    pub pilots: &'d [[u8; 2]],
    /// Records of all parts, and eight bytes more, so that eight can be read at the start of any.
    pub records: &'d [u8],
    /// By the hash of the first three bytes, a bit for each length that a token of at most eight bytes which begins so
    /// may have: the bit `n` is for `n + 1` bytes.
    pub starts: &'d [u8; STARTS],
    /// By the hash of the first eight bytes, such a bit for each length of more.
    pub long_starts: &'d [[u8; 16]; LONG_STARTS],
    /// A bit for each hash: without it, no token has that hash, and no longer token begins with the eight bytes that
    /// have it. Small enough to stay in the cache of a core.
    pub sieve: &'d [u8; SIEVE],
    /// A bit for the hash of each [`joint`]: without it, no merge has that joint.
    pub joints: &'d [u8; JOINTS],
    /// A bit for the hash of each two characters of three bytes that a merge may join where they meet, and for each
    /// character that may be joined to any before it.
    pub bridges: &'d [u8; BRIDGES],
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
    pub length: u8,
    /// The bytes of the left of the two tokens that it is merged of; of a single byte 0.
    pub left: u8,
}

impl Table<'_> {
    /// The token with the bytes `text[start..end]`, which are at least one. What follows in `text` is not looked at.
    #[inline]
    pub fn find(&self, text: &[u8], start: usize, end: usize) -> Option<Token> {
        match end - start {
            length @ ..=8 => self.find_word::<false>(text, start, length),
            length => self.find_long::<false>(text, start, length),
        }
    }

    /// [`Table::find`], faster where there mostly is no such token.
    #[inline]
    pub fn find_rare(&self, text: &[u8], start: usize, end: usize) -> Option<Token> {
        match end - start {
            length @ ..=8 => self.find_word::<true>(text, start, length),
            length @ ..=MAX_LENGTH => self.find_long::<true>(text, start, length),
            _ => None,
        }
    }

    /// The token `text[start..end]`, which is half of another one.
    #[inline]
    pub fn half(&self, text: &[u8], start: usize, end: usize) -> Token {
        if end - start == 1 {
            return Token { rank: u32::from(self.bytes[usize::from(text[start])]), length: 1, left: 0 };
        }
        self.find(text, start, end).expect("the halves of a token are tokens")
    }

    /// Bytes of at most eight are compared as one number.
    #[inline(always)]
    fn find_word<const SIEVED: bool>(&self, text: &[u8], start: usize, length: usize) -> Option<Token> {
        let unused = 64 - 8 * length as u32;
        let key = word(text, start) << unused;
        let hash = hash_word(key);
        if SIEVED && !self.may_have(hash) {
            return None;
        }
        let at = self.place(hash, length)?;
        if word(self.records, at) << unused == key { Some(self.read(at, length)) } else { None }
    }

    #[inline(never)]
    fn find_long<const SIEVED: bool>(&self, text: &[u8], start: usize, length: usize) -> Option<Token> {
        let text = &text[start..start + length];
        if SIEVED && !self.may_have(hash_word(word(text, 0))) {
            return None;
        }
        let hash = hash(text);
        if SIEVED && !self.may_have(hash) {
            return None;
        }
        let at = self.place(hash, length)?;
        if self.records[at..at + length] == *text { Some(self.read(at, length)) } else { None }
    }

    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        let (byte, bit) = sieve(hash);
        self.sieve[byte] & bit != 0
    }

    /// Where the record of the token with this hash begins, if there is one of this length.
    #[inline(always)]
    pub fn place(&self, hash: u64, length: usize) -> Option<usize> {
        let part = self.parts.get(length)?;
        if part.buckets == 0 {
            return None;
        }
        let pilot = u16::from_le_bytes(self.pilots[part.pilots as usize + bucket(hash, part.buckets)]);
        Some(part.records as usize + slot(hash, pilot, part.slots) * width(length))
    }

    #[inline(always)]
    fn read(&self, at: usize, length: usize) -> Token {
        let packed = word(self.records, at + length) as u32;
        let left = packed >> RANK_BITS & if length < 64 { 0x3f } else { 0xff };
        Token { rank: packed & ((1 << RANK_BITS) - 1), length: length as u8, left: left as u8 }
    }

    /// Whether there may be a merge of bytes that end at `at` with bytes that begin there.
    #[inline]
    pub fn may_join(&self, text: &[u8], at: usize) -> bool {
        let may = |before: usize, behind: usize| {
            let (Some(before), Some(behind)) = (text.get(at - before..at), text.get(at..at + behind)) else {
                return false;
            };
            let (byte, bit) = joint(before, behind);
            self.joints[byte] & bit != 0
        };
        may(1, 1) || may(1, 2) || at >= 2 && (may(2, 1) || may(2, 2))
    }

    /// The first place between two characters of three bytes where no merge joins what is before with what is behind,
    /// whatever else stands there: so the two sides are counted each by itself. `start` and `end` are between characters.
    #[inline]
    pub fn cut(&self, text: &[u8], start: usize, end: usize) -> Option<usize> {
        let (mut at, mut wide) = (start, false);
        while at < end {
            // Eight bytes of ASCII have nothing of the kind.
            if word(text, at) & 0x8080_8080_8080_8080 == 0 {
                at += 8;
                wide = false;
                continue;
            }
            let width = width_of(text[at]);
            if width == 3 && wide {
                let pair = word(text, at - 3) & 0xffff_ffff_ffff;
                let none = |(byte, bit): (usize, u8)| self.bridges[byte] & bit == 0;
                if none(bridge(pair)) && none(bridge(pair >> 24)) {
                    return Some(at);
                }
            }
            wide = width == 3;
            at += width;
        }
        None
    }

    /// The lengths of at most eight that tokens which begin at `start` may have, and those of more, a bit each: the bit
    /// `n` is for `n + 1` bytes. Every such token has its bit; not every bit has a token.
    #[inline]
    pub fn lengths(&self, text: &[u8], start: usize) -> (u32, u128) {
        let first = word(text, start);
        let mut short = 0b11;
        // All at once, and without a branch that could not be foretold.
        for length in 3..=8 {
            let (byte, bit) = sieve(hash_word(first << (64 - 8 * length)));
            short |= u32::from(self.sieve[byte] & bit != 0) << (length - 1);
        }
        short &= u32::from(self.starts[start_of(first)]) | 0b11;
        // Longer tokens than eight bytes are rare.
        let hash = hash_word(first);
        let long = if self.may_have(hash) { u128::from_le_bytes(self.long_starts[long_start_of(hash)]) } else { 0 };
        (short, long)
    }
}

/// Where the halves of a merge meet: up to two bytes before and up to two behind.
#[inline]
pub fn joint(before: &[u8], behind: &[u8]) -> (usize, u8) {
    let number = |bytes: &[u8]| bytes.iter().fold(bytes.len() as u64, |number, &byte| number << 8 | u64::from(byte));
    let place = ((number(before) << 24 | number(behind)).wrapping_mul(SEEDS[0]) >> (64 - JOINT_BITS)) as usize;
    (place / 8, 1 << (place % 8))
}

/// The byte and the bit of `bridges` for two characters of three bytes, or for one.
#[inline]
pub fn bridge(characters: u64) -> (usize, u8) {
    let place = (characters.wrapping_mul(SEEDS[0]) >> (64 - BRIDGE_BITS)) as usize;
    (place / 8, 1 << (place % 8))
}

/// The bytes of a character, by its first.
#[inline]
pub fn width_of(first: u8) -> usize {
    match first {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

/// The hash of the bytes of a token.
pub fn hash(token: &[u8]) -> u64 {
    let length = token.len();
    if length <= 8 {
        return hash_word(word(token, 0) << (64 - 8 * length));
    }
    // Eight bytes at a time; the last eight end where the token does.
    let mut hash = fold(word(token, 0) ^ SEEDS[0], word(token, length - 8) ^ SEEDS[1]);
    let mut at = 8;
    while at + 8 < length {
        hash = fold(hash ^ word(token, at), SEEDS[2]);
        at += 8;
    }
    hash
}

/// The hash of at most eight bytes, of which the last is the highest.
#[inline]
fn hash_word(key: u64) -> u64 {
    fold(key ^ SEEDS[0], SEEDS[1])
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

/// The entry of `starts` for texts that begin with these bytes, of which three count.
#[inline]
pub fn start_of(first: u64) -> usize {
    ((first << 40).wrapping_mul(SEEDS[0]) >> (64 - START_BITS)) as usize
}

/// The entry of `long_starts` for texts of whose first eight bytes this is the hash.
#[inline]
pub fn long_start_of(hash: u64) -> usize {
    hash as usize % LONG_STARTS
}

/// The byte and the bit of `sieve` for a hash.
#[inline]
pub fn sieve(hash: u64) -> (usize, u8) {
    let place = (hash >> (64 - SIEVE_BITS)) as usize;
    (place / 8, 1 << (place % 8))
}

/// Bytes of a record of a token of this length: in three bytes there is room for a left half of up to 63.
#[inline]
pub fn width(length: usize) -> usize {
    if length < 64 { length + 3 } else { length + 4 }
}

/// The eight bytes at `at`; zeros stand for those behind the end.
#[inline]
pub fn word(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(<[u8]>::first_chunk) {
        Some(word) => u64::from_le_bytes(*word),
        None => last_word(text, at),
    }
}

#[cold]
fn last_word(text: &[u8], at: usize) -> u64 {
    text[at..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Numbers without a pattern.
const SEEDS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xa24b_aed4_963e_e407, 0x8bb8_4b93_962e_acc9];

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
