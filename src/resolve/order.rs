//! The order of a manifest's sections while others are put among them.
//!
//! Owns where a new one goes: behind or ahead of another, or at the end. Does not know who says so. Main type:
//! [`Order`]: a ring of neighbours, so that each of a hundred thousand sections costs as much as the first, wherever it
//! goes.

use std::collections::BTreeMap;

/// Items in order, each with an id.
pub(super) struct Order<T> {
    items: Vec<T>,
    ids: Vec<String>,
    /// The neighbours of each item, whose place is its number in `items` and one more. Place 0 is both ends.
    next: Vec<usize>,
    before: Vec<usize>,
    /// The first item of each id.
    places: BTreeMap<String, usize>,
}

impl<T> Order<T> {
    pub(super) fn new(items: impl IntoIterator<Item = (String, T)>) -> Order<T> {
        let mut order =
            Order { items: Vec::new(), ids: Vec::new(), next: vec![0], before: vec![0], places: BTreeMap::new() };
        items.into_iter().for_each(|(id, item)| order.push(id, item));
        order
    }

    /// The first item of this id.
    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        self.places.get(id).and_then(|place| self.items.get_mut(place - 1))
    }

    pub(super) fn push(&mut self, id: String, item: T) {
        self.link(self.before[0], id, item);
    }

    /// Puts an item behind the first of the id `anchor`, or gives it back.
    pub(super) fn insert_behind(&mut self, anchor: &str, id: String, item: T) -> Result<(), T> {
        match self.places.get(anchor) {
            Some(&place) => self.link(place, id, item),
            None => return Err(item),
        }
        Ok(())
    }

    /// Puts an item ahead of the first of the id `anchor`, or gives it back.
    pub(super) fn insert_ahead(&mut self, anchor: &str, id: String, item: T) -> Result<(), T> {
        match self.places.get(anchor) {
            Some(&place) => self.link(self.before[place], id, item),
            None => return Err(item),
        }
        Ok(())
    }

    fn link(&mut self, before: usize, id: String, item: T) {
        let (place, next) = (self.next.len(), self.next[before]);
        self.places.entry(id.clone()).or_insert(place);
        self.items.push(item);
        self.ids.push(id);
        self.next.push(next);
        self.before.push(before);
        self.next[before] = place;
        self.before[next] = place;
    }

    /// The numbers of the items, in order.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        let step = |place: &usize| Some(self.next[*place]).filter(|next| *next > 0);
        std::iter::successors(step(&0), step).map(|place| place - 1)
    }

    /// All ids, in order.
    pub(super) fn ids(&self) -> Vec<String> {
        self.numbers().map(|n| self.ids[n].clone()).collect()
    }

    /// All items, in order.
    pub(super) fn into_items(self) -> Vec<T> {
        let numbers: Vec<usize> = self.numbers().collect();
        let mut items: Vec<Option<T>> = self.items.into_iter().map(Some).collect();
        numbers.into_iter().filter_map(|n| items[n].take()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The same as with a plain list.
        #[test]
        fn items_stand_where_they_are_put(start in 0usize..4, steps in proptest::collection::vec((0u8..3, 0u8..6, 0u8..6), 0..40)) {
            let mut list: Vec<(String, usize)> = (0..start).map(|n| (n.to_string(), 1000 + n)).collect();
            let mut order = Order::new(list.clone());
            for (n, (kind, anchor, id)) in steps.into_iter().enumerate() {
                let (anchor, id) = (anchor.to_string(), id.to_string());
                let at = list.iter().position(|(id, _)| *id == anchor);
                // What is there already is only ever put at the end: of one id the first that came stays the one meant.
                if kind > 0 && list.iter().any(|(known, _)| *known == id) {
                    continue;
                }
                match kind {
                    0 => {
                        order.push(id.clone(), n);
                        list.push((id, n));
                    }
                    1 => {
                        prop_assert_eq!(order.insert_behind(&anchor, id.clone(), n), at.map(drop).ok_or(n));
                        at.into_iter().for_each(|at| list.insert(at + 1, (id.clone(), n)));
                    }
                    _ => {
                        prop_assert_eq!(order.insert_ahead(&anchor, id.clone(), n), at.map(drop).ok_or(n));
                        at.into_iter().for_each(|at| list.insert(at, (id.clone(), n)));
                    }
                }
            }
            for id in (0..6).map(|id: usize| id.to_string()) {
                let first = list.iter().find(|(known, _)| *known == id).map(|(_, n)| *n);
                prop_assert_eq!(order.get_mut(&id).copied(), first);
            }
            prop_assert_eq!(order.ids(), list.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>());
            prop_assert_eq!(order.into_items(), list.into_iter().map(|(_, n)| n).collect::<Vec<_>>());
        }
    }
}
