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

use super::table::{Table, Token};

/// Entries of a memo: 64 KiB, which stays in the cache of a core.
const ENTRIES: usize = 4096;

/// Counts pieces, and remembers the short ones. What it remembers changes no count.
#[derive(Default)]
pub struct Counts {
    /// Each the piece in the low fifteen bytes, padded with zeros, its length in four bits and its tokens in four.
    memo: Vec<u128>,
    /// The row of tokens so far.
    row: Vec<Token>,
    /// A bit for each place in the piece from which nothing goes on.
    dead: Vec<u64>,
}

impl Counts {
    /// The tokens of the piece `text[start..end]`. What follows in `text` is not looked at.
    #[inline]
    pub fn piece(&mut self, table: &Table<'_>, text: &[u8], start: usize, end: usize) -> u64 {
        if table.find(text, start, end).is_some() {
            return 1;
        }
        let length = end - start;
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
        self.dead.clear();
        self.dead.resize((end - start) / 64 + 1, 0);
        let mut at = start;
        // Most bytes of the tokens at `at` that are still to be tried.
        let mut most = end - at;
        while at < end {
            match self.next(table, text, start, at, most) {
                Some(token) => {
                    self.row.push(token);
                    at += token.length;
                    most = end - at;
                }
                None => {
                    self.dead[(at - start) / 64] |= 1 << ((at - start) % 64);
                    let last = self.row.pop().expect("every text has its row of tokens, since every byte is one");
                    at -= last.length;
                    most = last.length - 1;
                }
            }
        }
        self.row.len() as u64
    }

    /// The longest token at `at`, of at most `most` bytes, that can be the next of the row. The piece begins at `start`.
    fn next(&self, table: &Table<'_>, text: &[u8], start: usize, at: usize, most: usize) -> Option<Token> {
        let mut lengths = table.lengths(text, at);
        while let Some(length) = lengths.take(most) {
            let behind = at + length - start;
            if self.dead[behind / 64] >> (behind % 64) & 1 == 1 {
                continue;
            }
            if let Some(token) = table.find(text, at, at + length)
                && self.row.last().is_none_or(|last| meet(table, text, at, *last, token))
            {
                return Some(token);
            }
        }
        None
    }
}

/// Whether merging leaves both tokens as they are: `a`, which ends at `at`, and `b`, which begins there.
///
/// Takes the merges of both back, the later one first. If what then meets at `at` is a token of an earlier merge, that
/// would have come first.
fn meet(table: &Table<'_>, text: &[u8], at: usize, mut a: Token, mut b: Token) -> bool {
    let mut limit = u32::MAX;
    let mut joined_lengths = table.lengths(text, at - a.length);
    loop {
        if joined_lengths.has(a.length + b.length)
            && let Some(joined) = table.find(text, at - a.length, at + b.length)
            && joined.rank < limit
        {
            return false;
        }
        if a.rank > b.rank {
            if a.length == 1 {
                return true;
            }
            limit = a.rank;
            a = half(table, text, at - (a.length - a.left), at);
            joined_lengths = table.lengths(text, at - a.length);
        } else {
            if b.length == 1 {
                return true;
            }
            // Of two merges of one rank, the left one comes first.
            limit = b.rank + 1;
            b = half(table, text, at, at + b.left);
        }
    }
}

fn half(table: &Table<'_>, text: &[u8], start: usize, end: usize) -> Token {
    table.find(text, start, end).expect("the halves of a token are tokens")
}

#[inline]
fn entry_of(key: u128) -> usize {
    let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - ENTRIES.trailing_zeros())) as usize
}
