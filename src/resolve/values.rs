//! Values bound to inputs: what is known when compiling, or in one context.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Inputs;
use crate::expr::{self, Condition};
use crate::input::{Datum, Value};
use crate::template::Lookup;

/// A value, or what stands for it, for every input.
#[derive(Clone, Debug)]
pub struct Values {
    inputs: Arc<Inputs>,
    data: Arc<BTreeMap<String, Datum>>,
    cut: Arc<BTreeMap<String, usize>>,
    watch: Option<Arc<Watch>>,
}

/// Open inputs under trial values, and which of them were looked at.
#[derive(Debug)]
struct Watch {
    places: Arc<BTreeMap<String, usize>>,
    trial: Vec<Datum>,
    seen: Mutex<Vec<usize>>,
}

impl Values {
    /// Binds plain inputs; derived ones follow. Limits are applied here.
    pub(super) fn bind(inputs: Arc<Inputs>, plain: impl IntoIterator<Item = (String, Datum)>) -> Values {
        let mut data = BTreeMap::new();
        let mut cut = BTreeMap::new();
        for (name, datum) in plain {
            let limited = match (datum, inputs.get(&name).and_then(|i| i.definition.plain())) {
                (Datum::Known(value), Some(plain)) => {
                    let (value, gone) = plain.limit(value);
                    if let Some(gone) = gone {
                        cut.insert(name.clone(), gone.items);
                    }
                    Datum::Known(value)
                }
                (datum, _) => datum,
            };
            data.insert(name, limited);
        }
        let mut values = Values { inputs, data: Arc::new(data), cut: Arc::new(cut), watch: None };
        values.derive();
        values
    }

    /// These values with some plain inputs set.
    pub fn with<'n>(&self, pairs: impl IntoIterator<Item = (&'n str, Datum)>) -> Values {
        let mut values = self.clone();
        Arc::make_mut(&mut values.data).extend(pairs.into_iter().map(|(name, datum)| (name.to_owned(), datum)));
        values.derive();
        values
    }

    /// These values with open inputs under trial: `places` says which of the `trial` values is whose. What is looked
    /// at is remembered, derived inputs by what decides them.
    pub fn watched(&self, places: &Arc<BTreeMap<String, usize>>, trial: Vec<Datum>) -> Values {
        let watch = Watch { places: places.clone(), trial, seen: Mutex::default() };
        Values { watch: Some(Arc::new(watch)), ..self.clone() }
    }

    /// The open inputs that were looked at, by their places, in the order of the first look.
    pub fn seen(&self) -> Vec<usize> {
        let seen = self.watch.as_ref().map(|w| w.seen.lock().unwrap_or_else(PoisonError::into_inner).clone());
        seen.unwrap_or_default()
    }

    fn derive(&mut self) {
        let inputs = self.inputs.clone();
        for name in inputs.derived_in_order() {
            let datum = inputs.derive(name, &|other| self.get(other));
            Arc::make_mut(&mut self.data).insert(name.to_owned(), datum);
        }
    }

    /// The inputs that these values belong to.
    pub fn inputs(&self) -> &Arc<Inputs> {
        &self.inputs
    }

    /// What is known of an input. A name that is no input is told elsewhere; here it is unknown.
    pub fn get(&self, name: &str) -> Datum {
        if let Some(watch) = &self.watch
            && let Some(datum) = watch.look(name)
        {
            return datum;
        }
        match self.data.get(name) {
            // What hangs on a trial value is decided anew, and with it what is looked at.
            Some(Datum::Unknown) if self.watch.is_some() => self.inputs.derive(name, &|other| self.get(other)),
            Some(datum) => datum.clone(),
            None => Datum::Unknown,
        }
    }

    /// [`Values::get`] of values that nobody watches.
    pub(super) fn datum(&self, name: &str) -> Option<&Datum> {
        self.data.get(name)
    }

    /// The string value of an input, when it is known.
    pub fn string(&self, name: &str) -> Option<&str> {
        match self.data.get(name) {
            Some(Datum::Known(Value::String(s))) => Some(s),
            _ => None,
        }
    }

    /// Whether an input is not known yet.
    pub fn is_unknown(&self, name: &str) -> bool {
        !matches!(self.data.get(name), Some(Datum::Known(_) | Datum::Missing))
    }

    /// Whether an optional input can be without a value: it is not fixed, and no constraint needs it.
    pub fn may_be_missing(&self, name: &str) -> bool {
        match self.get(name) {
            Datum::Known(_) => false,
            Datum::Missing => true,
            Datum::Unknown => {
                self.inputs.constraints.is_empty() || self.with([(name, Datum::Missing)]).broken().next().is_none()
            }
        }
    }

    /// How a condition stands: `None` when it hangs on a value that is not known. No condition holds.
    pub fn holds(&self, when: Option<&Condition>) -> Option<bool> {
        match when {
            None => Some(true),
            Some(condition) => expr::evaluate(&condition.expr, &|name| self.get(name)),
        }
    }

    /// The constraints that these values break for certain.
    pub fn broken(&self) -> impl Iterator<Item = &Condition> {
        self.inputs.constraints.iter().filter(|c| self.holds(Some(c)) == Some(false))
    }

    /// Names and values of all that is known.
    pub fn known(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.data.iter().filter_map(|(name, datum)| Some((name.as_str(), datum.value()?)))
    }

    /// Items that a limit took off a list.
    pub fn cut(&self, name: &str) -> Option<usize> {
        self.cut.get(name).copied()
    }

    /// Names of all lists that a limit cut, in order.
    pub fn cut_names(&self) -> impl Iterator<Item = &str> {
        self.cut.keys().map(String::as_str)
    }
}

impl Watch {
    fn look(&self, name: &str) -> Option<Datum> {
        let place = *self.places.get(name)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.contains(&place) {
            seen.push(place);
        }
        self.trial.get(place).cloned()
    }
}

impl Lookup for Values {
    fn value(&self, name: &str) -> Option<Value> {
        self.get(name).value().cloned()
    }
}
