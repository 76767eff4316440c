//! What a template may see when the build values are known.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{Inputs, Values};
use crate::digest;
use crate::input::{Datum, Type};
use crate::template::Surroundings;

pub(super) struct View<'a> {
    pub(super) inputs: &'a Inputs,
    build: &'a Values,
    digest: OnceCell<String>,
    has_foreign: OnceCell<bool>,
}

impl<'a> View<'a> {
    pub(super) fn new(inputs: &'a Inputs, build: &'a Values) -> View<'a> {
        View { inputs, build, digest: OnceCell::new(), has_foreign: OnceCell::new() }
    }

    /// Everything that the answers hang on, as text.
    fn describe(&self) -> String {
        let mut out = String::new();
        for (name, input) in self.inputs.iter() {
            let known = match self.build.datum(name) {
                Some(Datum::Known(value)) if !self.inputs.constraints.is_empty() => value.canonical_json(),
                Some(Datum::Known(_)) => "known".to_owned(),
                Some(Datum::Missing) => "missing".to_owned(),
                Some(Datum::Unknown) | None => "unknown".to_owned(),
            };
            let flags = (input.optional, self.is_secret(name), self.is_foreign(name));
            out.push_str(&format!("{name:?} {:?} {flags:?} {:?} {known:?}\n", input.kind, input.sources));
        }
        self.inputs.constraints.iter().for_each(|c| out.push_str(&format!("{:?}\n", c.text.text)));
        out
    }
}

impl Surroundings for View<'_> {
    fn kind(&self, name: &str) -> Option<&Type> {
        self.inputs.get(name).map(|input| &input.kind)
    }

    fn names(&self) -> Vec<&str> {
        self.inputs.names().collect()
    }

    fn is_secret(&self, name: &str) -> bool {
        self.inputs.get(name).is_some_and(|i| i.definition.plain().is_some_and(|p| p.secret))
    }

    fn is_foreign(&self, name: &str) -> bool {
        let text = |input: &super::Input| matches!(input.kind, Type::String | Type::List | Type::Table);
        self.inputs.get(name).is_some_and(|input| input.is_foreign() && text(input))
    }

    fn has_foreign(&self) -> bool {
        *self.has_foreign.get_or_init(|| self.inputs.names().any(|name| self.is_foreign(name)))
    }

    fn may_be_missing(&self, name: &str) -> Option<&str> {
        let (name, input) = self.inputs.entry(name).filter(|(_, input)| input.optional)?;
        // A table that is missing is so with the one axis behind it.
        let missing = match input.definition.plain() {
            Some(_) => name,
            None => input.sources.first()?,
        };
        self.build.may_be_missing(missing).then_some(missing)
    }

    fn is_countable(&self, name: &str) -> bool {
        let countable = |source: &String| !self.build.is_unknown(source) || self.inputs.domain(source).is_some();
        self.inputs.get(name).is_some_and(|input| input.sources.iter().all(countable))
    }

    fn combinations(&self, names: &BTreeSet<&str>, most: usize) -> Option<Vec<BTreeMap<String, Datum>>> {
        let sources: Vec<String> = self
            .inputs
            .sources_of(names.iter().copied())
            .into_iter()
            .filter(|name| self.build.is_unknown(name))
            .collect();
        let domains: Vec<Vec<Datum>> = sources.iter().filter_map(|name| self.inputs.domain(name)).collect();
        let size = domains.iter().try_fold(1usize, |size, d| size.checked_mul(d.len()))?;
        if size > most {
            return None;
        }
        let mut out = Vec::new();
        for mut index in 0..size {
            let mut pairs = Vec::with_capacity(sources.len());
            for (name, domain) in sources.iter().zip(&domains) {
                pairs.push((name.as_str(), domain[index % domain.len()].clone()));
                index /= domain.len();
            }
            let values = self.build.with(pairs);
            if values.broken().next().is_none() {
                out.push(names.iter().map(|name| ((*name).to_owned(), values.get(name))).collect());
            }
        }
        Some(out)
    }

    fn digest(&self) -> &str {
        self.digest.get_or_init(|| digest::text(&self.describe()))
    }
}
