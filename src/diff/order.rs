//! Which sections moved: those outside of the longest run that kept its order.

use std::cmp::Reverse;

/// For each item, given by its old place in the new order, whether it moved. As few as possible did; among equally few,
/// those of the least weight. `items` are pairs of old place and weight.
pub(super) fn moved(items: &[(usize, usize)]) -> Vec<bool> {
    let places = items.iter().map(|(place, _)| place + 1).max().unwrap_or(0);
    let mut runs = Runs { best: vec![None; places + 1] };
    let mut before = Vec::with_capacity(items.len());
    for (n, &(place, weight)) in items.iter().enumerate() {
        let (length, sum, last) =
            runs.below(place).map_or((0, 0, None), |run| (run.length, run.weight, Some(run.last.0)));
        before.push(last);
        runs.add(place, Run { length: length + 1, weight: sum + weight, last: Reverse(n) });
    }
    let mut moved = vec![true; items.len()];
    let mut at = runs.below(places).map(|run| run.last.0);
    while let Some(n) = at {
        moved[n] = false;
        at = before[n];
    }
    moved
}

/// A run of items in order: the longest is the best, among those the heaviest, and then the one that ends first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    length: usize,
    weight: usize,
    /// The item that it ends in.
    last: Reverse<usize>,
}

/// The best run that ends below each place: a tree of Fenwick, for maxima.
struct Runs {
    best: Vec<Option<Run>>,
}

impl Runs {
    fn below(&self, place: usize) -> Option<Run> {
        let next = |at: &usize| at.checked_sub(1).map(|less| at & less);
        std::iter::successors(Some(place), next).filter_map(|at| self.best[at]).max()
    }

    fn add(&mut self, place: usize, run: Run) {
        let mut at = place + 1;
        while let Some(best) = self.best.get_mut(at) {
            *best = (*best).max(Some(run));
            at += at & at.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(places: &[usize]) -> Vec<usize> {
        let items: Vec<(usize, usize)> = places.iter().map(|&p| (p, 1)).collect();
        let moved = moved(&items);
        places.iter().zip(moved).filter(|(_, moved)| *moved).map(|(p, _)| *p).collect()
    }

    #[test]
    fn what_kept_its_order_did_not_move() {
        assert!(of(&[0, 1, 2]).is_empty());
        assert_eq!(of(&[1, 2, 3, 0]), [0]);
        assert_eq!(of(&[3, 0, 1, 2]), [3]);
        assert!(of(&[]).is_empty());
        // Of two that changed places the lighter one moved.
        assert_eq!(moved(&[(1, 9), (0, 1)]), [false, true]);
        assert_eq!(moved(&[(1, 1), (0, 9)]), [true, false]);
    }

    proptest! {
        #[test]
        fn the_rest_is_in_order_and_nothing_could_stay(places in Just((0..9).collect::<Vec<usize>>()).prop_shuffle()) {
            let gone = of(&places);
            let stay: Vec<usize> = places.iter().copied().filter(|p| !gone.contains(p)).collect();
            prop_assert!(stay.is_sorted());
            // No longer run exists: brute force over all subsets.
            let longest = (0u32..1 << places.len())
                .map(|mask| (0..places.len()).filter(|n| mask >> n & 1 == 1).map(|n| places[n]).collect::<Vec<_>>())
                .filter(|run| run.is_sorted())
                .map(|run| run.len())
                .max();
            prop_assert_eq!(Some(stay.len()), longest);
        }

        /// Item by item, as the rule is said.
        #[test]
        fn among_equally_few_the_lightest_moved(
            places in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
            weights in proptest::collection::vec(0usize..4, 12),
        ) {
            let items: Vec<(usize, usize)> = places.into_iter().zip(weights).collect();
            let mut best: Vec<(usize, usize, Vec<usize>)> = Vec::new();
            for (n, &(place, weight)) in items.iter().enumerate() {
                let before = (0..n).filter(|&m| items[m].0 < place).max_by_key(|&m| (best[m].0, best[m].1, n - m));
                let (length, sum, mut run) = before.map_or((0, 0, Vec::new()), |m| best[m].clone());
                run.push(n);
                best.push((length + 1, sum + weight, run));
            }
            let last = (0..items.len()).max_by_key(|&n| (best[n].0, best[n].1, items.len() - n)).unwrap();
            let stays: Vec<bool> = (0..items.len()).map(|n| !best[last].2.contains(&n)).collect();
            prop_assert_eq!(moved(&items), stays);
        }
    }
}
