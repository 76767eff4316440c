//! A map for look-ups alone: what cannot be gone through cannot bring its order to the output.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Remembers results by key. The hash has no random seed.
#[derive(Clone, Debug)]
pub(in crate::variants) struct Memo<K, V>(FxHashMap<K, V>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Memo<K, V> {
        Memo(FxHashMap::default())
    }
}

impl<K: Eq + Hash, V> Memo<K, V> {
    pub(in crate::variants) fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.0.get(key)
    }

    pub(in crate::variants) fn insert(&mut self, key: K, value: V) {
        self.0.insert(key, value);
    }

    pub(in crate::variants) fn len(&self) -> usize {
        self.0.len()
    }
}
