//! How many static prefixes a route has: the one place that asks `variants`.

use crate::resolve::{Inputs, Route};
use crate::variants;

/// A number of static prefixes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// In decimal digits; `None` when nothing bounds it.
    pub number: Option<String>,
    /// Inputs that make it unbounded.
    pub unbounded: Vec<String>,
    /// Whether it is the number itself, and not an upper bound.
    pub exact: bool,
}

/// The prefixes of a route.
pub(super) fn count(route: &Route, inputs: &Inputs) -> Count {
    let bound = variants::bound(route, inputs);
    let unbounded: Vec<String> =
        bound.factors.iter().filter(|(_, values)| values.is_none()).map(|(name, _)| name.clone()).collect();
    let number = bound.at_most.filter(|_| unbounded.is_empty()).map(|n| n.to_string());
    // One is the least there can be.
    let exact = number.as_deref() == Some("1");
    Count { number, unbounded, exact }
}

impl Count {
    /// Whether there are more than there were.
    pub(super) fn grew_from(&self, before: &Count) -> bool {
        match (&before.number, &self.number) {
            (None, None) => self.unbounded.iter().any(|name| !before.unbounded.contains(name)),
            (None, Some(_)) => false,
            (Some(_), None) => true,
            (Some(before), Some(after)) => (after.len(), after) > (before.len(), before),
        }
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
