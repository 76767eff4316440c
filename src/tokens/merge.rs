//! How many tokens a piece of text has: byte-pair encoding without its merges.
//!
//! Owns the search for the one row of tokens that merging would leave, and the memo of pieces. Does not know where a
//! text is cut. Main type: [`Counts`].
//!
//! Merging joins the pair of lowest rank, again and again, which is slow on long pieces. But its outcome can be told
//! without doing it. It is the one row of tokens in which no two neighbours would have been merged otherwise, and
//! whether two would is found by taking them apart from where they meet ([`meet`]). So the row is built from the left,
//! the longest token first, and one step is taken back where no token goes on. A place from which nothing goes on is
//! remembered, so that the work grows with the length of the piece. As there is one row only, the order in which tokens
//! are tried is free: where a text repeats, the last token is tried again first.
//!
//! Scripts without blanks have long pieces. Those are cut first where no merge can join what is on both sides
//! ([`Table::cut`]): mostly between words, and the words are known.
//!
//! The idea is that of the crate `bpe`, <https://github.com/github/rust-gems>.

use super::table::{MAX_LENGTH, Table, Token, word};

/// Entries of the memo of pieces: 256 KiB, which stays in the second cache of a core.
const ENTRIES: usize = 16384;

/// Entries of the memo of neighbours: 64 KiB.
const PAIRS: usize = 8192;

/// Counts pieces by one table, and remembers the short ones. What it remembers changes no count.
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
        // Most short pieces are tokens.
        if end - start <= 8 && table.find(text, start, end).is_some() {
            return 1;
        }
        self.remembered(table, text, start, end)
    }

    /// [`Counts::piece`], by the memo if the piece is short.
    fn remembered(&mut self, table: &Table<'_>, text: &[u8], start: usize, end: usize) -> u64 {
        let length = end - start;
        if length > 15 {
            return self.parts(table, text, start, end);
        }
        let key = key_of(text, start, length);
        if self.memo.is_empty() {
            self.memo = vec![0; ENTRIES];
        }
        let entry = entry_of(key);
        let known = self.memo[entry];
        if known << 4 == key << 4 {
            return (known >> 124) as u64;
        }
        let count = self.parts(table, text, start, end);
        self.memo[entry] = key | u128::from(count) << 124;
        count
    }

    /// [`Counts::piece`], part by part where the piece can be cut.
    fn parts(&mut self, table: &Table<'_>, text: &[u8], start: usize, end: usize) -> u64 {
        if end - start > 8 && table.find_rare(text, start, end).is_some() {
            return 1;
        }
        let (mut from, mut total) = (start, 0);
        while let Some(cut) = table.cut(text, from, end) {
            total += self.piece(table, text, from, cut);
            from = cut;
        }
        total + if from == start { self.search(table, text, from, end) } else { self.piece(table, text, from, end) }
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
        // The bytes of the token that was tried last at `at`.
        let mut tried = None;
        while at < end {
            match self.next(table, text, start, at, end, tried) {
                Some(token) => {
                    self.row.push(token);
                    at += usize::from(token.length);
                    tried = None;
                }
                None => {
                    self.dead[(at - start) / 64] |= 1 << ((at - start) % 64);
                    let last = self.row.pop().expect("every text has its row of tokens, since every byte is one");
                    at -= usize::from(last.length);
                    tried = Some(usize::from(last.length));
                }
            }
        }
        self.row.len() as u64
    }

    /// The next token at `at`, behind that of `tried` bytes, that can be the next of the row. First comes the last token
    /// of the row once more, if its bytes repeat, since a run is a row of the same ones; then the longest. The piece
    /// is `text[start..end]`.
    fn next(
        &mut self,
        table: &Table<'_>,
        text: &[u8],
        start: usize,
        at: usize,
        end: usize,
        tried: Option<usize>,
    ) -> Option<Token> {
        let again = self.row.last().copied().filter(|last| repeats(&text[..end], at, usize::from(last.length)));
        let first = again.map(|token| usize::from(token.length));
        if let (Some(token), None) = (again, tried)
            && self.may_follow(table, text, start, at, token)
        {
            return again;
        }
        let most = tried.filter(|_| tried != first).map_or(end - at, |length| length - 1);
        let (mut short, mut long) = table.lengths(text, at);
        if most < MAX_LENGTH {
            long &= (1 << most) - 1;
        }
        if most < 8 {
            short &= (1 << most) - 1;
        }
        match first {
            Some(length @ ..=8) => short &= !(1 << (length - 1)),
            Some(length) => long &= !(1 << (length - 1)),
            None => {}
        }
        while long != 0 {
            let highest = MAX_LENGTH - 1 - long.leading_zeros() as usize;
            long ^= 1 << highest;
            let found = self.fits(table, text, start, at, highest + 1);
            if found.is_some() {
                return found;
            }
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
        let token =
            if length <= 8 { table.find(text, at, at + length) } else { table.find_rare(text, at, at + length) }?;
        self.may_follow(table, text, start, at, token).then_some(token)
    }

    /// Whether a token at `at` can be the next of the row.
    #[inline]
    fn may_follow(&mut self, table: &Table<'_>, text: &[u8], start: usize, at: usize, token: Token) -> bool {
        let behind = at + usize::from(token.length) - start;
        self.dead[behind / 64] >> (behind % 64) & 1 == 0
            && self.row.last().copied().is_none_or(|last| self.meet(table, text, at, last, token))
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

/// Whether as many bytes before `at` stand behind it once more.
#[inline]
fn repeats(text: &[u8], at: usize, length: usize) -> bool {
    text[at] == text[at - length] && text.get(at..at + length) == Some(&text[at - length..at])
}

/// The key of the memo for the piece of at most fifteen bytes at `start`: an entry without its tokens.
#[inline]
fn key_of(text: &[u8], start: usize, length: usize) -> u128 {
    let bytes = u128::from(word(text, start)) | u128::from(if length > 8 { word(text, start + 8) } else { 0 }) << 64;
    bytes & ((1 << (8 * length)) - 1) | (length as u128) << 120
}

#[inline]
fn entry_of(key: u128) -> usize {
    let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - ENTRIES.trailing_zeros())) as usize
}
