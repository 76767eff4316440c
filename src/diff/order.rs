//! Which sections moved: those outside of the longest run that kept its order.

/// For each item, given by its old place in the new order, whether it moved. As few as possible did; among equally few,
/// those of the least weight. `items` are pairs of old place and weight.
pub(super) fn moved(items: &[(usize, usize)]) -> Vec<bool> {
    // best[n]: length and weight of the best run that ends in item n, and the item before it.
    let mut best: Vec<(usize, usize, Option<usize>)> = Vec::with_capacity(items.len());
    for (n, &(place, weight)) in items.iter().enumerate() {
        let before = (0..n).filter(|&m| items[m].0 < place).max_by_key(|&m| (best[m].0, best[m].1, n - m));
        let (length, sum) = before.map_or((0, 0), |m| (best[m].0, best[m].1));
        best.push((length + 1, sum + weight, before));
    }
    let mut moved = vec![true; items.len()];
    let mut at = (0..items.len()).max_by_key(|&n| (best[n].0, best[n].1, items.len() - n));
    while let Some(n) = at {
        moved[n] = false;
        at = best[n].2;
    }
    moved
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
    }
}
