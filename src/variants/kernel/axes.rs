//! Sets of axes as bits.

use smallvec::SmallVec;

/// The number of an axis: its place in the order of first use.
pub(in crate::variants) type Axis = u16;

/// A set of axes. Two equal sets have equal words: there is no zero word at the end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(in crate::variants) struct AxisSet(SmallVec<[u64; 2]>);

impl AxisSet {
    pub(in crate::variants) fn of(axis: Axis) -> AxisSet {
        let mut set = AxisSet::default();
        set.insert(axis);
        set
    }

    pub(in crate::variants) fn has(&self, axis: Axis) -> bool {
        self.0.get(usize::from(axis) / 64).is_some_and(|word| word >> (axis % 64) & 1 == 1)
    }

    pub(in crate::variants) fn insert(&mut self, axis: Axis) {
        let word = usize::from(axis) / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (axis % 64);
    }

    pub(in crate::variants) fn remove(&mut self, axis: Axis) {
        if let Some(word) = self.0.get_mut(usize::from(axis) / 64) {
            *word &= !(1 << (axis % 64));
        }
        self.settle();
    }

    /// Adds all axes of another set.
    pub(in crate::variants) fn add(&mut self, other: &AxisSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub(in crate::variants) fn with(&self, other: &AxisSet) -> AxisSet {
        let mut both = self.clone();
        both.add(other);
        both
    }

    pub(in crate::variants) fn without(&self, other: &AxisSet) -> AxisSet {
        let mut rest = self.clone();
        for (word, gone) in rest.0.iter_mut().zip(&other.0) {
            *word &= !gone;
        }
        rest.settle();
        rest
    }

    /// Whether the sets share an axis.
    pub(in crate::variants) fn meets(&self, other: &AxisSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every axis of this set is in the other.
    pub(in crate::variants) fn within(&self, other: &AxisSet) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(in crate::variants) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::variants) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The axes, lowest first.
    pub(in crate::variants) fn iter(&self) -> impl Iterator<Item = Axis> + '_ {
        self.0.iter().enumerate().flat_map(|(n, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some((n * 64) as Axis + bit as Axis)
            })
        })
    }

    /// The only axis of a set that has one.
    pub(in crate::variants) fn single(&self) -> Option<Axis> {
        if self.len() == 1 { self.iter().next() } else { None }
    }

    pub(in crate::variants) fn last(&self) -> Option<Axis> {
        let word = self.0.last()?;
        Some(((self.0.len() - 1) * 64) as Axis + (63 - word.leading_zeros()) as Axis)
    }

    fn settle(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl FromIterator<Axis> for AxisSet {
    fn from_iter<I: IntoIterator<Item = Axis>>(axes: I) -> AxisSet {
        let mut set = AxisSet::default();
        axes.into_iter().for_each(|axis| set.insert(axis));
        set
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    use super::*;

    proptest! {
        /// Sets of bits do what sets do.
        #[test]
        fn sets_of_bits_are_sets(
            a in prop::collection::btree_set(0u16..300, 0..8),
            b in prop::collection::btree_set(0u16..300, 0..8),
            x in 0u16..300,
        ) {
            let set = |s: &BTreeSet<u16>| s.iter().copied().collect::<AxisSet>();
            let (p, q) = (set(&a), set(&b));
            prop_assert_eq!(p.with(&q), set(&a.union(&b).copied().collect()));
            prop_assert_eq!(p.without(&q), set(&a.difference(&b).copied().collect()));
            prop_assert_eq!(p.meets(&q), !a.is_disjoint(&b));
            prop_assert_eq!(p.within(&q), a.is_subset(&b));
            prop_assert_eq!(p.has(x), a.contains(&x));
            prop_assert_eq!(p.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!((p.len(), p.is_empty(), p.last()), (a.len(), a.is_empty(), a.last().copied()));
            prop_assert_eq!(p.single(), if a.len() == 1 { a.first().copied() } else { None });
            let (mut less, mut want) = (p.clone(), a.clone());
            less.remove(x);
            want.remove(&x);
            prop_assert_eq!(less, set(&want));
        }
    }
}
