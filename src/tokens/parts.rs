//! Counting a text that is put together from counted texts.
//!
//! A piece ends where it does because of what stands in it and right behind it, never because of what stands before it.
//! So once a cut of the whole falls on a cut of a part, all further cuts of that part are the same, but for the last few,
//! which look at what follows the part. What lies between need not be gone through again. Does not know vocabularies.
//! Main type: [`Counted`].

/// Cuts that are remembered at the beginning of a text.
const FIRST: usize = 8;

/// Pieces at the end of a text that may be others when text follows. A piece looks no further than the first character
/// of the third piece behind it: over a run of blanks, which is at most three pieces, or over capitals and contractions,
/// which are fewer.
const LAST: usize = 6;

/// The tokens of a text, and what is needed to count a longer one that it is a part of.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The tokens of the text.
    pub tokens: u64,
    /// The first cuts.
    first: Vec<Cut>,
    /// The last cut that no text behind can move.
    last: Option<Cut>,
}

/// Where a piece begins, and the tokens of all pieces before it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Cut {
    at: usize,
    tokens: u64,
}

impl Counted {
    /// A number alone: a longer text is gone through.
    pub fn opaque(tokens: u64) -> Counted {
        Counted { tokens, ..Counted::default() }
    }

    /// Whether it is certain, at a cut of the whole, what of a part that begins at `start` is skipped: it is now or never.
    fn is_settled(&self, start: usize, at: usize) -> bool {
        at.checked_sub(start).is_some_and(|at| self.first.iter().all(|cut| cut.at <= at) || self.meets(at).is_some())
    }

    fn meets(&self, at: usize) -> Option<&Cut> {
        self.first.iter().find(|cut| cut.at == at)
    }

    /// From a place in the part to its last cut that holds: that cut, and the tokens up to it.
    fn skip(&self, at: usize) -> Option<Cut> {
        let (from, last) = (self.meets(at)?, self.last?);
        (last.at > at).then(|| Cut { at: last.at, tokens: last.tokens - from.tokens })
    }
}

/// Counts a text, piece by piece.
#[inline]
pub(super) fn counted(
    text: &[u8],
    end_of: impl Fn(&[u8], usize) -> usize,
    mut count: impl FnMut(usize, usize) -> u64,
) -> Counted {
    let mut first = Vec::with_capacity(FIRST);
    let mut latest = [Cut::default(); LAST];
    let mut pieces = 0;
    let mut cut = Cut::default();
    // The cut that the latest ones have pushed out.
    let mut last = None;
    while cut.at < text.len() {
        if pieces < FIRST {
            first.push(cut);
        }
        let oldest = std::mem::replace(&mut latest[pieces % LAST], cut);
        if pieces >= LAST {
            last = Some(oldest);
        }
        pieces += 1;
        let end = end_of(text, cut.at);
        cut = Cut { at: end, tokens: cut.tokens + count(cut.at, end) };
    }
    Counted { tokens: cut.tokens, first, last }
}

/// The tokens of a text that has parts: each where it begins, in order, and how it was counted alone.
#[inline]
pub(super) fn sum(
    text: &[u8],
    parts: &[(usize, &Counted)],
    end_of: impl Fn(&[u8], usize) -> usize,
    mut count: impl FnMut(usize, usize) -> u64,
) -> u64 {
    let mut parts = parts.iter().peekable();
    let mut cut = Cut::default();
    while cut.at < text.len() {
        while let Some((start, part)) = parts.next_if(|(start, part)| part.is_settled(*start, cut.at)) {
            if let Some(skipped) = part.skip(cut.at - start) {
                cut = Cut { at: start + skipped.at, tokens: cut.tokens + skipped.tokens };
            }
        }
        let end = end_of(text, cut.at);
        cut = Cut { at: end, tokens: cut.tokens + count(cut.at, end) };
    }
    cut.tokens
}
