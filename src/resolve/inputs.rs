//! One name space of inputs per profile: merged, checked, with what the profile fixes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::values::Values;
use super::{Input, errors};
use crate::diag::{Diagnostic, Sink};
use crate::expr::{self, Condition};
use crate::input::{Datum, Definition, Form, Lifetime, Plain, TableValue, Trust, Type, Value, key_of};
use crate::limits::Limits;
use crate::manifest::{Constraint, Profile};
use crate::source::{FileId, Span, Spanned};

/// The input that every project has.
pub const RUNTIME_TOOLS: &str = "runtime_tools";

/// All inputs of one profile.
#[derive(Debug)]
pub struct Inputs {
    map: BTreeMap<String, Input>,
    /// Derived inputs, each behind what it reads.
    order: Vec<String>,
    /// What always holds.
    pub constraints: Vec<Condition>,
    limits: Limits,
}

/// Values that a profile fixes, each with its place.
pub type Given = Vec<(Spanned<String>, Spanned<Value>)>;

impl Inputs {
    /// Merges the definitions of a profile and of its manifests, and fixes what the profile fixes.
    pub fn collect(
        profile: &Profile,
        manifests: &[(&[Definition], &[Constraint])],
        cell: &Given,
        limits: Limits,
        sink: &mut Sink,
    ) -> Inputs {
        let builtin = runtime_tools(profile);
        let mut map: BTreeMap<String, Input> = BTreeMap::new();
        map.insert(RUNTIME_TOOLS.to_owned(), Input::new(builtin));
        let own = (profile.inputs.as_slice(), profile.constraints.as_slice());
        for (definitions, _) in std::iter::once(&own).chain(manifests) {
            for definition in *definitions {
                match map.get(&definition.name.value) {
                    Some(first) if first.definition.same_as(definition) => {}
                    Some(first) => {
                        sink.push(errors::conflicting_input(definition, &first.definition));
                    }
                    None => _ = map.insert(definition.name.value.clone(), Input::new(definition.clone())),
                }
            }
        }
        let mut inputs = Inputs { map, order: Vec::new(), constraints: Vec::new(), limits };
        inputs.settle_derived(sink);
        inputs.check_defaults(sink);
        inputs.fix(profile, cell, sink);
        inputs.settle_sources();
        for (_, constraints) in std::iter::once(&own).chain(manifests) {
            for constraint in *constraints {
                if !inputs.constraints.iter().any(|c| c.same_as(&constraint.that)) {
                    expr::check(&constraint.that, &inputs, sink);
                    expr::check_axes_only(&constraint.that, &inputs, sink);
                    inputs.constraints.push(constraint.that.clone());
                }
            }
        }
        inputs
    }

    /// An input.
    pub fn get(&self, name: &str) -> Option<&Input> {
        self.map.get(name)
    }

    /// An input with its name.
    pub(super) fn entry(&self, name: &str) -> Option<(&str, &Input)> {
        self.map.get_key_value(name).map(|(name, input)| (name.as_str(), input))
    }

    /// All inputs by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Input)> {
        self.map.iter().map(|(name, input)| (name.as_str(), input))
    }

    pub(super) fn derived_in_order(&self) -> &[String] {
        &self.order
    }

    /// The shortest lifetime among the plain inputs behind some names; what the profile fixes is `build`.
    pub fn lifetime<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Lifetime {
        let inputs = names.into_iter().filter_map(|name| self.map.get(name));
        inputs.map(|input| input.shortest).min().unwrap_or(Lifetime::Build)
    }

    /// The plain inputs behind some names that the profile does not fix.
    pub fn open_sources<'s, 'n: 's>(&'s self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<&'s str> {
        let open = names.into_iter().filter_map(|name| self.map.get(name)).filter(|input| input.is_open);
        let sources = open.flat_map(|input| &input.sources);
        sources.filter(|name| self.map.get(*name).is_some_and(|i| i.fixed.is_none())).map(String::as_str).collect()
    }

    /// The value of a derived input, from what is known of those that it reads.
    pub fn derive(&self, name: &str, get: &dyn Fn(&str) -> Datum) -> Datum {
        let Some(input) = self.map.get(name) else { return Datum::Unknown };
        match (&input.definition.form, &input.expression) {
            (Form::Expression(_), Some(condition)) => match expr::evaluate(&condition.expr, get) {
                Some(value) => Datum::Known(Value::Bool(value)),
                None => Datum::Unknown,
            },
            (Form::Table { by, values, otherwise }, _) => match get(by) {
                Datum::Known(value) => {
                    let key = key_of(&value);
                    let found = values.iter().find(|(k, _)| Some(&k.value) == key.as_ref()).map(|(_, v)| v);
                    found.or(otherwise.as_ref()).map_or(Datum::Unknown, |v| Datum::Known(v.value.value()))
                }
                other => other,
            },
            _ => Datum::Unknown,
        }
    }

    /// What is known when compiling.
    pub fn build_values(self: &Arc<Self>) -> Values {
        Values::bind(
            self.clone(),
            self.plain().map(|(name, _, input)| (name.to_owned(), input.fixed.clone().unwrap_or(Datum::Unknown))),
        )
    }

    /// What is known in a context. Findings about the context go to the sink.
    pub fn context_values(
        self: &Arc<Self>,
        entries: &[(Spanned<String>, Value)],
        file: FileId,
        sink: &mut Sink,
    ) -> Values {
        let mut data: BTreeMap<String, Datum> = BTreeMap::new();
        for (key, value) in entries {
            match self.map.get(&key.value) {
                None => sink.push(errors::unknown_in_context(key, self.names())),
                Some(input) => match (input.definition.plain(), &input.fixed) {
                    (None, _) => sink.push(errors::derived_given(key, &input.definition)),
                    (Some(_), Some(_)) => sink.push(errors::fixed_given(key, &input.definition, input.fixed_at)),
                    (Some(plain), None) => match plain.accept(value.clone()) {
                        Ok(value) => _ = data.insert(key.value.clone(), Datum::Known(value)),
                        Err(problem) => {
                            // The value is told; it must not be told again as missing.
                            data.insert(key.value.clone(), Datum::Unknown);
                            sink.push(errors::bad_value(key.span, &key.value, plain, &problem));
                        }
                    },
                },
            }
        }
        for (name, plain, input) in self.plain() {
            if let Some(fixed) = &input.fixed {
                data.insert(name.to_owned(), fixed.clone());
            } else if !data.contains_key(name) {
                let datum = match (&plain.default, plain.optional) {
                    (Some(default), _) => plain.accept(default.value.clone()).map_or(Datum::Unknown, Datum::Known),
                    (None, true) => Datum::Missing,
                    (None, false) => {
                        sink.push(errors::missing_in_context(file, &input.definition, plain));
                        Datum::Unknown
                    }
                };
                data.insert(name.to_owned(), datum);
            }
        }
        let values = Values::bind(self.clone(), data);
        for constraint in values.broken() {
            let reads = self.sources_of(constraint.names());
            let given = entries.iter().find(|(key, _)| reads.contains(&key.value)).map(|(key, _)| key.span);
            let at = given.unwrap_or(Span::start_of(file));
            sink.push(errors::broken_constraint(at, constraint, &self.shown(constraint, &values)));
        }
        values
    }

    /// The values that a constraint speaks of, for its message.
    pub(super) fn shown(&self, constraint: &Condition, values: &Values) -> String {
        let each = constraint.names().into_iter().map(|name| match values.get(name) {
            Datum::Known(value) => format!("{name} = {}", value.canonical_json()),
            Datum::Missing => format!("{name} is missing"),
            Datum::Unknown => format!("{name} is not known yet"),
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// The values of an axis, a missing one included; `None` for an input without a finite domain.
    pub fn domain(&self, name: &str) -> Option<Vec<Datum>> {
        let input = self.map.get(name)?;
        let mut values: Vec<Datum> = match &input.kind {
            Type::Bool => vec![Datum::Known(Value::Bool(false)), Datum::Known(Value::Bool(true))],
            Type::Enum(values) => values.iter().map(|v| Datum::Known(Value::String(v.clone()))).collect(),
            _ => return None,
        };
        if input.optional {
            values.push(Datum::Missing);
        }
        Some(values)
    }

    fn plain(&self) -> impl Iterator<Item = (&str, &Plain, &Input)> {
        self.map.iter().filter_map(|(name, input)| Some((name.as_str(), input.definition.plain()?, input)))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// Puts derived inputs in order, gives them their types and sources, and checks them.
    fn settle_derived(&mut self, sink: &mut Sink) {
        let mut state: BTreeMap<String, bool> = BTreeMap::new();
        let names: Vec<String> = self.map.keys().cloned().collect();
        for name in &names {
            self.settle(name, &mut Vec::new(), &mut state, sink);
        }
    }

    /// Depth first; `state` is false while a name is under way.
    fn settle(&mut self, name: &str, path: &mut Vec<String>, state: &mut BTreeMap<String, bool>, sink: &mut Sink) {
        let Some(input) = self.map.get(name) else { return };
        if input.definition.plain().is_some() || state.get(name) == Some(&true) {
            return;
        }
        if state.get(name) == Some(&false) {
            let from = path.iter().position(|p| p == name).unwrap_or(0);
            sink.push(errors::derived_cycle(&input.definition, &path[from..]));
            return;
        }
        state.insert(name.to_owned(), false);
        path.push(name.to_owned());
        let form = input.definition.form.clone();
        match form {
            Form::Plain(_) => {}
            Form::Table { by, values, otherwise } => {
                self.settle(&by, path, state, sink);
                self.settle_table(name, &by, &values, otherwise.as_ref(), sink);
            }
            Form::Expression(text) => match expr::parse(text, expr::Use::Condition, &self.limits) {
                Ok(condition) => {
                    let read: Vec<String> = condition.names().into_iter().map(str::to_owned).collect();
                    for other in &read {
                        self.settle(other, path, state, sink);
                    }
                    expr::check(&condition, self, sink);
                    let sources = self.sources_of(read.iter().map(String::as_str));
                    if let Some(input) = self.map.get_mut(name) {
                        input.kind = Type::Bool;
                        input.sources = sources;
                        input.expression = Some(condition);
                    }
                }
                Err(diagnostic) => sink.push(diagnostic),
            },
        }
        path.pop();
        state.insert(name.to_owned(), true);
        self.order.push(name.to_owned());
    }

    fn settle_table(
        &mut self,
        name: &str,
        by: &Spanned<String>,
        values: &[(Spanned<String>, Spanned<TableValue>)],
        otherwise: Option<&Spanned<TableValue>>,
        sink: &mut Sink,
    ) {
        let results: Vec<&Spanned<TableValue>> = values.iter().map(|(_, v)| v).chain(otherwise).collect();
        let mut texts: Vec<String> = Vec::new();
        let mut bools = 0;
        for result in &results {
            match &result.value {
                TableValue::Bool(_) => bools += 1,
                TableValue::Text(text) if texts.contains(text) => {}
                TableValue::Text(text) => texts.push(text.clone()),
            }
        }
        if bools > 0
            && let Some(other) = results.iter().find(|r| matches!(r.value, TableValue::Text(_)))
        {
            sink.push(errors::mixed_table(other.span, name));
        }
        let axis = self.map.get(by.value.as_str());
        let optional = axis.is_some_and(|a| a.optional);
        let sources = self.sources_of([by.value.as_str()]);
        match (axis, self.domain(by)) {
            (None, _) => sink.push(errors::unknown_axis(by, self.names())),
            (Some(axis), None) => sink.push(errors::not_an_axis(by, &axis.kind)),
            (Some(_), Some(domain)) => {
                let span = self.map.get(name).map_or(by.span, |i| i.definition.name.span);
                check_table(name, span, by, values.iter().map(|(k, _)| k), otherwise.is_some(), &domain, sink);
            }
        }
        if let Some(input) = self.map.get_mut(name) {
            input.kind = if bools > 0 || texts.is_empty() { Type::Bool } else { Type::Enum(texts) };
            input.optional = optional;
            input.sources = sources;
        }
    }

    pub(super) fn sources_of<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<String> {
        names.into_iter().filter_map(|name| self.map.get(name)).flat_map(|input| input.sources.clone()).collect()
    }

    /// What is asked of an input over and over, found once.
    fn settle_sources(&mut self) {
        let behind = |input: &Input| {
            let sources = input.sources.iter().filter_map(|name| self.map.get(name));
            let (lifetimes, open): (Vec<_>, Vec<_>) = sources.map(|s| (s.lifetime(), s.fixed.is_none())).unzip();
            (lifetimes.into_iter().min().unwrap_or(Lifetime::Build), open.contains(&true))
        };
        let settled: Vec<_> = self.map.values().map(behind).collect();
        for (input, (shortest, is_open)) in self.map.values_mut().zip(settled) {
            (input.shortest, input.is_open) = (shortest, is_open);
        }
    }

    fn check_defaults(&self, sink: &mut Sink) {
        for (name, plain, _) in self.plain() {
            if let Some(default) = &plain.default
                && let Err(problem) = plain.accept(default.value.clone())
            {
                sink.push(errors::bad_value(default.span, name, plain, &problem));
            }
        }
    }

    /// Values of the matrix come first, then `[values]`, then the defaults of build inputs.
    fn fix(&mut self, profile: &Profile, cell: &Given, sink: &mut Sink) {
        let mut fixed: BTreeMap<String, (Datum, Span)> = BTreeMap::new();
        let in_matrix = |name: &str| profile.matrix.iter().any(|key| key.name.value == name);
        let given = profile.values.iter().filter(|(name, _)| !cell.iter().any(|(n, _)| n == name));
        for (name, value) in cell.iter().chain(given) {
            match self.map.get(&name.value) {
                None => sink.push(errors::unknown_in_values(name, self.names())),
                Some(input) => match input.definition.plain() {
                    None => sink.push(errors::derived_given(name, &input.definition)),
                    Some(plain) => match plain.accept(value.value.clone()) {
                        Ok(value) => _ = fixed.insert(name.value.clone(), (Datum::Known(value), name.span)),
                        Err(problem) => {
                            fixed.insert(name.value.clone(), (Datum::Unknown, name.span));
                            sink.push(errors::bad_value(value.span, &name.value, plain, &problem));
                        }
                    },
                },
            }
        }
        let names: Vec<String> = self.map.keys().cloned().collect();
        for name in names {
            let Some(input) = self.map.get_mut(&name) else { continue };
            let Some(plain) = input.definition.plain() else { continue };
            if let Some((datum, at)) = fixed.remove(&name) {
                input.fixed = Some(datum);
                input.fixed_at = Some(at);
            } else if plain.lifetime == Lifetime::Build {
                input.fixed = Some(match (&plain.default, plain.optional) {
                    (Some(default), _) => plain.accept(default.value.clone()).map_or(Datum::Unknown, Datum::Known),
                    (None, true) => Datum::Missing,
                    (None, false) => {
                        let told = profile.unreadable_values.contains(&name);
                        if !told && (!in_matrix(&name) || !cell.is_empty()) {
                            sink.push(errors::missing_build_value(profile, &input.definition, plain));
                        }
                        Datum::Unknown
                    }
                });
            }
        }
    }
}

/// That a table by an axis names values of the axis, and all of them.
pub(super) fn check_table<'k>(
    what: &str,
    span: Span,
    by: &Spanned<String>,
    keys: impl Iterator<Item = &'k Spanned<String>>,
    has_else: bool,
    domain: &[Datum],
    sink: &mut Sink,
) {
    let known: Vec<String> = domain.iter().filter_map(|d| key_of(d.value()?)).collect();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for key in keys {
        if known.contains(&key.value) {
            named.insert(&key.value);
        } else {
            sink.push(errors::unknown_table_key(key, by, &known));
        }
    }
    let missing: Vec<&String> = known.iter().filter(|k| !named.contains(k.as_str())).collect();
    if !has_else && !missing.is_empty() {
        sink.push(errors::table_not_exhaustive(span, what, by, &missing));
    }
}

impl expr::Names for Inputs {
    fn kind(&self, name: &str) -> Option<(&Type, bool)> {
        self.map.get(name).map(|input| (&input.kind, input.optional))
    }

    fn known(&self) -> Vec<&str> {
        self.names().collect()
    }
}

fn runtime_tools(profile: &Profile) -> Definition {
    let span = Span::start_of(profile.file);
    Definition {
        name: Spanned::new(RUNTIME_TOOLS.to_owned(), span),
        form: Form::Plain(Plain {
            kind: Type::Bool,
            lifetime: Lifetime::Session,
            default: Some(Spanned::new(Value::Bool(false), span)),
            optional: false,
            sort_by: None,
            max_items: None,
            max_chars: None,
            trust: Trust::Own,
            secret: false,
        }),
        description: Some("Whether tool schemas come and go at run time.".to_owned()),
        example: None,
        span,
    }
}

/// Forgets what is said of names whose definitions could not be read: they are declared. Where nobody knows which inputs
/// there are, it forgets every such finding.
pub(super) fn without_unreadable(
    found: Vec<Diagnostic>,
    unreadable: &BTreeSet<String>,
    incomplete: bool,
) -> Vec<Diagnostic> {
    let names = |d: &Diagnostic| unreadable.iter().any(|n| d.message.contains(&format!("`{n}`")));
    found.into_iter().filter(|d| d.rule != &expr::UNDEFINED_INPUT || !(incomplete || names(d))).collect()
}
