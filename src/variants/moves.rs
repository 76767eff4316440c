//! What to take out of the static text so that as many prefixes are left as are allowed.

use num_bigint::BigUint;

use super::Count;
use super::counts::Counting;
use super::model::{Model, Text};

/// Up to so many sections that vary, every set of them is looked at.
const EXACT: usize = 16;

/// Most counts of one search.
const COUNTS: usize = 1 << 14;

/// The smallest set of sections that has to leave the static text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// Most prefixes that are allowed.
    pub budget: u64,
    /// Places among the sections of the route. None when there are few enough prefixes as it is.
    pub sections: Vec<usize>,
    /// How many prefixes are left then.
    pub left: Count,
    /// Whether no smaller set does it. Otherwise it was found step by step, and a smaller one may exist.
    pub proven: bool,
}

/// After so many counts that took too much, whatever is left is moved.
const INEXACT: usize = 4;

struct Search<'a, 'm> {
    counting: &'a mut Counting<'m>,
    /// Parts that stay in any case.
    fixed: Vec<usize>,
    /// Parts that make a difference.
    varying: Vec<usize>,
    /// Tokens that each of them moves.
    tokens: Vec<u64>,
    budget: u64,
    counts: usize,
    /// Sets of varying parts that make too many prefixes whatever else stays, as bits.
    too_many: Vec<u64>,
}

/// What to move of some parts, of which there are `all`. `tokens` are those of each part of the model.
pub(super) fn moves(
    model: &Model,
    counting: &mut Counting<'_>,
    run: &[usize],
    budget: u64,
    all: &Count,
    tokens: &[u64],
) -> Moves {
    let is_closed = |n: &&usize| matches!(model.parts[**n].text, Text::Pieces(_) | Text::Unknown { .. });
    let (closed, open): (Vec<usize>, Vec<usize>) = run.iter().partition(is_closed);
    if all.is_within(budget) || *all == Count::Broken {
        return Moves { budget, sections: Vec::new(), left: all.clone(), proven: true };
    }
    // By itself a text that is empty wherever it lives is one text too; it still decides on the separator behind it.
    let (fixed, varying): (Vec<usize>, Vec<usize>) = closed.iter().partition(|n| counting.is_fixed(**n));
    let tokens = varying.iter().map(|n| tokens[*n]).collect();
    let mut search = Search { counting, fixed, varying, tokens, budget, counts: 0, too_many: Vec::new() };
    let (moved, left, proven) = match search.varying.len() <= EXACT {
        true => search.smallest(),
        false => None,
    }
    .unwrap_or_else(|| search.greedy());
    let mut moved: Vec<usize> = moved.into_iter().map(|n| search.varying[n]).chain(open).collect();
    moved.sort_unstable();
    Moves { budget, sections: moved.into_iter().map(|n| model.parts[n].index).collect(), left, proven }
}

type Found = (Vec<usize>, Count, bool);

impl Search<'_, '_> {
    /// The count when the varying parts of these bits stay.
    fn count(&mut self, stay: u64) -> Count {
        self.counts += 1;
        let stays = |n: &usize| stay >> n & 1 == 1;
        let kept = (0..self.varying.len()).filter(stays).map(|n| self.varying[n]);
        let mut keep: Vec<usize> = self.fixed.iter().copied().chain(kept).collect();
        keep.sort_unstable();
        self.counting.count(&keep)
    }

    /// Every set, the smallest first; `None` when that takes too much. Of several the one that leaves the fewest
    /// prefixes, then the one that moves the fewest tokens, then the first.
    fn smallest(&mut self) -> Option<Found> {
        let all = self.varying.len();
        let everything = (1u64 << all) - 1;
        for few in 1..=2.min(all) {
            for stay in sets(all, few) {
                if self.count(stay).is_beyond(self.budget) {
                    self.too_many.push(stay);
                }
            }
        }
        for size in 1..=all {
            let mut best: Option<(BigUint, u64, u64)> = None;
            for moved in sets(all, size) {
                let stay = everything & !moved;
                if self.too_many.iter().any(|bits| bits & stay == *bits) && self.adds_up(stay) {
                    continue;
                }
                if self.counts > COUNTS {
                    return None;
                }
                match self.count(stay) {
                    Count::Exact(left) if left <= self.budget.into() => {
                        let tokens = (0..all).filter(|n| moved >> n & 1 == 1).map(|n| self.tokens[n]).sum();
                        let found = (left, tokens, moved);
                        if best.as_ref().is_none_or(|(left, tokens, _)| (&found.0, found.1) < (left, *tokens)) {
                            best = Some(found);
                        }
                    }
                    Count::Exact(_) => self.too_many.push(stay),
                    _ => return None,
                }
            }
            if let Some((left, _, moved)) = best {
                let sections = (0..all).filter(|n| moved >> n & 1 == 1).collect();
                return Some((sections, Count::Exact(left), true));
            }
        }
        None
    }

    /// Whether more sections can only make more prefixes: no two of these texts join to the same bytes.
    fn adds_up(&mut self, stay: u64) -> bool {
        let kept = (0..self.varying.len()).filter(|n| stay >> n & 1 == 1).map(|n| self.varying[n]);
        let mut keep: Vec<usize> = self.fixed.iter().copied().chain(kept).collect();
        keep.sort_unstable();
        self.counting.is_injective(&keep)
    }

    /// From none that stays: whatever still fits comes back, those that tell the fewest things apart first, and those
    /// that hang on the same inputs together.
    fn greedy(&mut self) -> Found {
        let mut order: Vec<usize> = (0..self.varying.len()).collect();
        order.sort_by_cached_key(|n| self.counting.shape(self.varying[*n]));
        let mut stay: Vec<usize> = Vec::new();
        let mut moved: Vec<usize> = Vec::new();
        let mut left = self.count_of(&stay);
        let mut inexact = 0;
        for n in order {
            if inexact >= INEXACT {
                moved.push(n);
                continue;
            }
            let more: Vec<usize> = stay.iter().copied().chain([n]).collect();
            let count = self.count_of(&more);
            inexact += usize::from(matches!(count, Count::Between { .. }));
            if count.is_within(self.budget) {
                (stay, left) = (more, count);
            } else {
                moved.push(n);
            }
        }
        moved.sort_unstable();
        (moved, left, false)
    }

    fn count_of(&mut self, stay: &[usize]) -> Count {
        let mut keep: Vec<usize> = self.fixed.iter().copied().chain(stay.iter().map(|n| self.varying[*n])).collect();
        keep.sort_unstable();
        self.counting.count(&keep)
    }
}

/// All sets of so many of the first `all` bits, in order.
fn sets(all: usize, size: usize) -> Vec<u64> {
    (0..1u64 << all).filter(|bits| bits.count_ones() as usize == size).collect()
}
