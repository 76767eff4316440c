//! Few combinations in which each two values of different axes meet.

use std::collections::BTreeSet;

/// A value of an axis.
type Point = (usize, usize);

/// Combinations of values of axes with these sizes, sorted: each two values of different axes stand together in at least
/// one. The same sizes give the same combinations.
///
/// Greedy, one row after the other: a row begins with the first pair that no row has yet, and each further axis takes
/// the value that makes most new pairs with the row so far, of equal ones the first.
pub(super) fn pairwise(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut open: BTreeSet<(Point, Point)> = BTreeSet::new();
    for (a, size_a) in sizes.iter().enumerate() {
        for (b, size_b) in sizes.iter().enumerate().skip(a + 1) {
            open.extend((0..*size_a).flat_map(|x| (0..*size_b).map(move |y| ((a, x), (b, y)))));
        }
    }
    if sizes.len() < 2 {
        return (0..sizes.first().copied().unwrap_or(0)).map(|value| vec![value]).collect();
    }
    let mut rows: BTreeSet<Vec<usize>> = BTreeSet::new();
    while let Some(&(first, second)) = open.first() {
        let mut row: Vec<Option<usize>> = vec![None; sizes.len()];
        row[first.0] = Some(first.1);
        row[second.0] = Some(second.1);
        for axis in 0..sizes.len() {
            if row[axis].is_some() {
                continue;
            }
            let gain = |value: usize| {
                let set = row.iter().enumerate().filter_map(|(other, v)| v.map(|v| (other, v)));
                set.filter(|point| open.contains(&ordered((axis, value), *point))).count()
            };
            // Of equal gains the first value: `max_by_key` alone would take the last.
            let best = (0..sizes[axis]).rev().max_by_key(|value| gain(*value));
            row[axis] = best;
        }
        let row: Vec<usize> = row.into_iter().map(Option::unwrap_or_default).collect();
        for a in 0..row.len() {
            for b in a + 1..row.len() {
                open.remove(&((a, row[a]), (b, row[b])));
            }
        }
        rows.insert(row);
    }
    rows.into_iter().collect()
}

fn ordered(one: Point, other: Point) -> (Point, Point) {
    if one < other { (one, other) } else { (other, one) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn small_cases_by_hand() {
        assert_eq!(pairwise(&[]), Vec::<Vec<usize>>::new());
        assert_eq!(pairwise(&[3]), [[0], [1], [2]]);
        assert_eq!(pairwise(&[2, 2]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(pairwise(&[2, 2, 2]), [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }

    #[test]
    fn many_axes_need_few_combinations() {
        let rows = pairwise(&[4, 3, 2, 2, 2, 10]);
        assert!((40..=50).contains(&rows.len()), "{}", rows.len());
        assert!(pairwise(&[2; 20]).len() <= 20);
    }

    proptest! {
        #[test]
        fn each_two_values_meet(sizes in prop::collection::vec(1..5_usize, 2..6)) {
            let rows = pairwise(&sizes);
            let product: usize = sizes.iter().product();
            prop_assert!(rows.len() <= product && rows.is_sorted());
            for a in 0..sizes.len() {
                for b in a + 1..sizes.len() {
                    for x in 0..sizes[a] {
                        for y in 0..sizes[b] {
                            prop_assert!(rows.iter().any(|row| row[a] == x && row[b] == y));
                        }
                    }
                }
            }
        }
    }
}
