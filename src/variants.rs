//! How many static prefixes there can be.
//!
//! Owns the count for a route. For now it is an upper bound: the product of the domains of the run-time inputs that
//! the leading run reads. Does not know output formats. Main type: [`Bound`].

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Expr;
use crate::resolve::{Inputs, Route, Section};

/// At most so many static prefixes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The product over inputs of finite domains; `None` past 2^128.
    pub at_most: Option<u128>,
    /// Run-time inputs that multiply, with the number of their values; `None` for a value of an open domain that is
    /// printed, which makes the count unbounded.
    pub factors: BTreeMap<String, Option<usize>>,
}

/// The bound for the prefix block and the leading static run of a route.
pub fn bound(route: &Route, inputs: &Inputs) -> Bound {
    let mut factors: BTreeMap<String, Option<usize>> = BTreeMap::new();
    for section in route.sections.iter().filter(|s| s.is_shared()) {
        for source in inputs.open_sources(section.reads.all.iter().map(String::as_str)) {
            let values = factor(source, section, inputs);
            let known = factors.entry(source.to_owned()).or_insert(values);
            *known = known.zip(values).map(|(a, b)| a.max(b));
        }
    }
    let at_most = factors.values().flatten().try_fold(1u128, |product, values| product.checked_mul(*values as u128));
    Bound { at_most, factors }
}

/// The values of an input that a section can tell apart.
fn factor(source: &str, section: &Section, inputs: &Inputs) -> Option<usize> {
    match inputs.domain(source) {
        Some(domain) => Some(domain.len()),
        None if section.reads.body.contains(source) => None,
        None => {
            let optional = inputs.get(source).is_some_and(|i| i.optional);
            Some(tested(source, section) + usize::from(optional))
        }
    }
}

/// A value of an open domain that is only tested: each literal that it is compared with, whether it is empty, and one
/// other value.
fn tested(source: &str, section: &Section) -> usize {
    let mut literals = BTreeSet::new();
    let mut alone = false;
    if let Some(when) = &section.when {
        when.expr.visit_tests(&mut |test| match test {
            Expr::Truthy(name) if name.value == source => alone = true,
            Expr::OneOf { name, literals: compared, .. } if name.value == source => {
                literals.extend(compared.iter().map(|l| &l.value));
            }
            _ => {}
        });
    }
    literals.len() + usize::from(alone) + 1
}
