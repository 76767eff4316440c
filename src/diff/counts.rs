//! How many static prefixes a route has: the one place that looks at what `variants` counted.

use crate::manifest::Layer;
use crate::variants::{self, VariantSet};

/// A number of static prefixes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// In decimal digits; `None` when nothing bounds it, or when an error leaves nothing to count.
    pub number: Option<String>,
    /// Inputs that make it unbounded.
    pub unbounded: Vec<String>,
    /// Whether it is the number itself, and not an upper bound.
    pub exact: bool,
}

/// The prefixes of a link's route.
pub(super) fn count(set: &VariantSet, layer: Layer) -> Count {
    let route = set.routes.iter().find(|route| route.layer == layer);
    let (number, unbounded, exact) = match route.map_or(&variants::Count::Broken, |route| &route.count) {
        variants::Count::Exact(number) => (Some(number.to_string()), Vec::new(), true),
        variants::Count::Between { at_most, .. } => (Some(at_most.to_string()), Vec::new(), false),
        variants::Count::Unbounded(inputs) => (None, inputs.clone(), true),
        variants::Count::Broken => (None, Vec::new(), false),
    };
    Count { number, unbounded, exact }
}

impl Count {
    /// Whether there are more than there were.
    pub(super) fn grew_from(&self, before: &Count) -> bool {
        match (&before.number, &self.number) {
            _ if self.is_broken() || before.is_broken() => false,
            (None, None) => self.unbounded.iter().any(|name| !before.unbounded.contains(name)),
            (None, Some(_)) => false,
            (Some(_), None) => true,
            (Some(before), Some(after)) => (after.len(), after) > (before.len(), before),
        }
    }

    /// Whether an error leaves nothing to count.
    pub fn is_broken(&self) -> bool {
        self.number.is_none() && self.unbounded.is_empty()
    }

    /// The number, as far as it can be calculated with.
    pub(super) fn size(&self) -> Option<f64> {
        self.number.as_ref()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: Option<&str>, unbounded: &[&str]) -> Count {
        let unbounded = unbounded.iter().map(|&n| n.to_owned()).collect();
        Count { number: number.map(str::to_owned), unbounded, exact: true }
    }

    #[test]
    fn numbers_of_any_size_are_compared() {
        let big = "340282366920938463463374607431768211456";
        assert!(of(Some("10"), &[]).grew_from(&of(Some("9"), &[])));
        assert!(!of(Some("9"), &[]).grew_from(&of(Some("10"), &[])));
        assert!(of(Some(big), &[]).grew_from(&of(Some("18446744073709551616"), &[])));
        assert!(of(None, &["a"]).grew_from(&of(Some(big), &[])));
        assert!(of(None, &["a", "b"]).grew_from(&of(None, &["a"])));
        assert!(!of(None, &["a"]).grew_from(&of(None, &["a", "b"])));
        assert!(!of(Some("2"), &[]).grew_from(&of(None, &["a"])));
    }
}
