//! How many tokens a piece of text has: byte-pair encoding without its merges.
//!
//! Owns the search for the one row of tokens that merging would leave, and the memo of pieces. Does not know where a
//! text is cut. Main type: [`Counts`].
//!
//! Merging joins the pair of lowest rank, again and again, which is slow on long pieces. But its outcome can be told
//! without doing it. It is the one row of tokens in which no two neighbours would have been merged otherwise, and
//! whether two would is found by taking them apart from where they meet ([`meet`]). So the row is built from the left,
//! the longest token first, and one step is taken back where no token goes on. A place from which nothing goes on is
//! remembered, so that the work grows with the length of the piece.
//!
//! The idea is that of the crate `bpe`, <https://github.com/github/rust-gems>.

use super::table::{MAX_LENGTH, Table, Token};

/// Entries of the memo of pieces: 64 KiB, which stays in the cache of a core.
const ENTRIES: usize = 4096;

/// Entries of the memo of neighbours: another 64 KiB.
const PAIRS: usize = 8192;

/// Counts pieces, and remembers the short ones. What it remembers changes no count.
#[derive(Default)]
pub struct Counts {
    /// Each the piece in the low fifteen bytes, padded with zeros, its length in four bits and its tokens in four.
    memo: Vec<u128>,
    /// Each the ranks of two tokens and, in the lowest bit, whether they stay as they are beside each other.
    pairs: Vec<u64>,
    /// The row of tokens so far.
    row: Vec<Token>,
    /// A bit for each place in the piece from which nothing goes on.
    dead: Vec<u64>,
}

impl Counts {
    /// The tokens of the piece `text[start..end]`. What follows in `text` is not looked at.
    #[inline]
    pub fn piece(&mut self, table: &Table<'_>, text: &[u8], start: usize, end: usize) -> u64 {
        let length = end - start;
        // Most short pieces are tokens, and most long ones are not.
        let whole = if length <= 8 { table.find(text, start, end) } else { table.find_rare(text, start, end) };
        if whole.is_some() {
            return 1;
        }
        if length > 15 {
            return self.search(table, text, start, end);
        }
        let mut bytes = [0; 16];
        bytes[..length].copy_from_slice(&text[start..end]);
        bytes[15] = length as u8;
        let key = u128::from_le_bytes(bytes);
        if self.memo.is_empty() {
            self.memo = vec![0; ENTRIES];
        }
        let entry = entry_of(key);
        let known = self.memo[entry];
        if known << 4 == key << 4 {
            return (known >> 124) as u64;
        }
        let count = self.search(table, text, start, end);
        self.memo[entry] = key | u128::from(count) << 124;
        count
    }

    /// [`Counts::piece`] of a piece of more than one token, without the memo.
    pub(super) fn search(&mut self, table: &Table<'_>, text: &[u8], start: usize, end: usize) -> u64 {
        self.row.clear();
        if self.pairs.is_empty() {
            self.pairs = vec![0; PAIRS];
        }
        self.dead.clear();
        self.dead.resize((end - start) / 64 + 1, 0);
        let mut at = start;
        // Most bytes of the tokens at `at` that are still to be tried.
        let mut most = end - at;
        while at < end {
            match self.next(table, text, start, at, most) {
                Some(token) => {
                    self.row.push(token);
                    at += usize::from(token.length);
                    most = end - at;
                }
                None => {
                    self.dead[(at - start) / 64] |= 1 << ((at - start) % 64);
                    let last = self.row.pop().expect("every text has its row of tokens, since every byte is one");
                    at -= usize::from(last.length);
                    most = usize::from(last.length) - 1;
                }
            }
        }
        self.row.len() as u64
    }

    /// The longest token at `at`, of at most `most` bytes, that can be the next of the row. The piece begins at `start`.
    fn next(&mut self, table: &Table<'_>, text: &[u8], start: usize, at: usize, most: usize) -> Option<Token> {
        let (mut short, mut long) = table.lengths(text, at);
        if most < MAX_LENGTH {
            long &= (1 << most) - 1;
        }
        while long != 0 {
            let highest = MAX_LENGTH - 1 - long.leading_zeros() as usize;
            long ^= 1 << highest;
            let found = self.fits(table, text, start, at, highest + 1);
            if found.is_some() {
                return found;
            }
        }
        if most < 8 {
            short &= (1 << most) - 1;
        }
        while short != 0 {
            let highest = short.ilog2();
            short ^= 1 << highest;
            let found = self.fits(table, text, start, at, highest as usize + 1);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The token of this length at `at`, if there is one that can be the next of the row.
    #[inline(always)]
    fn fits(&mut self, table: &Table<'_>, text: &[u8], start: usize, at: usize, length: usize) -> Option<Token> {
        let behind = at + length - start;
        if self.dead[behind / 64] >> (behind % 64) & 1 == 1 {
            return None;
        }
        let token =
            if length <= 8 { table.find(text, at, at + length) } else { table.find_rare(text, at, at + length) }?;
        self.row.last().copied().is_none_or(|last| self.meet(table, text, at, last, token)).then_some(token)
    }

    /// [`meet`], which depends on the two tokens alone.
    fn meet(&mut self, table: &Table<'_>, text: &[u8], at: usize, a: Token, b: Token) -> bool {
        if !table.may_join(text, at) {
            return true;
        }
        // No pair has the key of an entry that nobody wrote.
        let key = ((u64::from(a.rank) << 32) + u64::from(b.rank) + 1) << 1;
        let entry = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PAIRS.trailing_zeros())) as usize;
        if self.pairs[entry] & !1 != key {
            self.pairs[entry] = key | u64::from(meet(table, text, at, a, b));
        }
        self.pairs[entry] & 1 == 1
    }
}

/// Whether merging leaves both tokens as they are: `a`, which ends at `at`, and `b`, which begins there.
///
/// Takes the merges of both back, the later one first. If what then meets at `at` is a token of an earlier merge, that
/// would have come first.
fn meet(table: &Table<'_>, text: &[u8], at: usize, mut a: Token, mut b: Token) -> bool {
    let mut limit = u32::MAX;
    let (mut start, mut end) = (at - usize::from(a.length), at + usize::from(b.length));
    loop {
        if table.find_rare(text, start, end).is_some_and(|joined| joined.rank < limit) {
            return false;
        }
        if a.rank > b.rank {
            if a.length == 1 {
                return true;
            }
            limit = a.rank;
            start += usize::from(a.left);
            a = table.half(text, start, at);
        } else {
            if b.length == 1 {
                return true;
            }
            // Of two merges of one rank, the left one comes first.
            limit = b.rank + 1;
            end = at + usize::from(b.left);
            b = table.half(text, at, end);
        }
    }
}

#[inline]
fn entry_of(key: u128) -> usize {
    let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - ENTRIES.trailing_zeros())) as usize
}
