//! The values that run-time inputs can take, and conditions over them as functions.
//!
//! Owns which inputs are axes of a count, with which values, and how expressions and derived inputs become functions of
//! those axes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::kernel::{Axis, Mdd, Node, Stop};
use crate::expr::{self, Condition, Expr, Literal};
use crate::input::{Datum, Type, Value};
use crate::resolve::{Inputs, Route, Values};

/// The axes of one route, in the order of first use.
#[derive(Clone, Debug)]
pub(super) struct Space {
    inputs: Arc<Inputs>,
    build: Values,
    /// Name and values of each axis.
    axes: Vec<(String, Vec<Datum>)>,
    places: Arc<BTreeMap<String, usize>>,
    known: BTreeMap<String, Function>,
}

/// A value of an input as a function of the axes: classes are places in the list.
#[derive(Clone, Debug)]
struct Function {
    node: Node,
    values: Vec<Datum>,
}

/// Why a condition is no function of the axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// It takes too much.
    Stop,
    /// It names what there is not, or a value that could not be read; told elsewhere.
    Broken,
}

impl From<Stop> for Trouble {
    fn from(_: Stop) -> Trouble {
        Trouble::Stop
    }
}

impl Space {
    /// The axes of everything that a route and the constraints read.
    pub(super) fn new(route: &Route, inputs: &Arc<Inputs>, build: &Values) -> Space {
        let tested = Tested::of(route, inputs);
        let mut axes: Vec<(String, Vec<Datum>)> = Vec::new();
        let read = route.sections.iter().flat_map(|s| &s.reads.places).map(|p| &*p.input);
        let constrained = inputs.constraints.iter().flat_map(|c| c.mentions()).map(|name| name.as_str());
        for name in read.chain(constrained) {
            for source in inputs.open_sources([name]) {
                if !axes.iter().any(|(known, _)| known == source)
                    && let Some(values) = tested.values(source, inputs)
                {
                    axes.push((source.to_owned(), values));
                }
            }
        }
        // A diagram numbers its axes in 16 bits; what is beyond is left out and makes the route broken.
        axes.truncate(usize::from(Axis::MAX));
        let places = axes.iter().enumerate().map(|(n, (name, _))| (name.clone(), n)).collect();
        Space { inputs: inputs.clone(), build: build.clone(), axes, places: Arc::new(places), known: BTreeMap::new() }
    }

    /// The number of values of each axis.
    pub(super) fn sizes(&self) -> Vec<u32> {
        self.axes.iter().map(|(_, values)| values.len() as u32).collect()
    }

    /// The input that an axis is.
    pub(super) fn name(&self, axis: Axis) -> &str {
        &self.axes[usize::from(axis)].0
    }

    /// The axis that an input is.
    pub(super) fn axis(&self, name: &str) -> Option<Axis> {
        self.places.get(name).map(|n| *n as Axis)
    }

    /// The axes behind some inputs.
    pub(super) fn sources<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<Axis> {
        self.inputs.open_sources(names).into_iter().filter_map(|name| self.axis(name)).collect()
    }

    /// A value of an axis.
    pub(super) fn value(&self, axis: Axis, value: u32) -> &Datum {
        &self.axes[usize::from(axis)].1[value as usize]
    }

    /// What is known when all axes have these values. What is looked at is remembered.
    pub(super) fn values(&self, assignment: &[u32]) -> Values {
        let trial = self.axes.iter().zip(assignment).map(|((_, values), n)| values[*n as usize].clone()).collect();
        self.build.watched(&self.places, trial)
    }

    /// A condition as a function that is 1 where it holds.
    pub(super) fn condition(&mut self, m: &mut Mdd, condition: &Condition) -> Result<Node, Trouble> {
        self.expression(m, &condition.expr)
    }

    fn expression(&mut self, m: &mut Mdd, expr: &Expr) -> Result<Node, Trouble> {
        match expr {
            Expr::Const(true) => Ok(Node::TRUE),
            Expr::Const(false) => Ok(Node::FALSE),
            Expr::And(parts) => parts.iter().try_fold(Node::TRUE, |all, part| {
                let part = self.expression(m, part)?;
                Ok(m.and(all, part)?)
            }),
            Expr::Or(parts) => parts.iter().try_fold(Node::FALSE, |any, part| {
                let part = self.expression(m, part)?;
                Ok(m.or(any, part)?)
            }),
            Expr::Not(inner) => {
                let inner = self.expression(m, inner)?;
                Ok(m.not(inner)?)
            }
            Expr::Implies(a, b) => {
                let (a, b) = (self.expression(m, a)?, self.expression(m, b)?);
                let not = m.not(a)?;
                Ok(m.or(not, b)?)
            }
            Expr::Iff(a, b) => {
                let (a, b) = (self.expression(m, a)?, self.expression(m, b)?);
                Ok(m.equal(a, b)?)
            }
            Expr::ExactlyOne(parts) => {
                let (mut none, mut one) = (Node::TRUE, Node::FALSE);
                for part in parts {
                    let part = self.expression(m, part)?;
                    let not = m.not(part)?;
                    let (first, still) = (m.and(none, part)?, m.and(one, not)?);
                    one = m.or(first, still)?;
                    none = m.and(none, not)?;
                }
                Ok(one)
            }
            Expr::Truthy(name) | Expr::Defined(name) | Expr::OneOf { name, .. } => {
                let function = self.function(m, name)?;
                let holds: Vec<Option<bool>> =
                    function.values.iter().map(|value| expr::evaluate(expr, &|_| value.clone())).collect();
                if holds.contains(&None) {
                    return Err(Trouble::Broken);
                }
                Ok(m.map(function.node, &mut |class| u32::from(holds[class as usize] == Some(true)))?)
            }
        }
    }

    /// The value of an input, by place in the list of its values.
    fn function(&mut self, m: &mut Mdd, name: &str) -> Result<Function, Trouble> {
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        let made = match (self.build.get(name), self.axis(name)) {
            (Datum::Unknown, Some(axis)) => {
                let (_, values) = &self.axes[usize::from(axis)];
                Function { node: m.literal(axis, |value| value)?, values: values.clone() }
            }
            (Datum::Unknown, None) => self.derived(m, name)?,
            (datum, _) => Function { node: Node::class(0), values: vec![datum] },
        };
        self.known.insert(name.to_owned(), made.clone());
        Ok(made)
    }

    fn derived(&mut self, m: &mut Mdd, name: &str) -> Result<Function, Trouble> {
        let inputs = self.inputs.clone();
        let input = inputs.get(name).ok_or(Trouble::Broken)?;
        if let Some(condition) = input.expression() {
            let node = self.condition(m, condition)?;
            let values = vec![Datum::Known(Value::Bool(false)), Datum::Known(Value::Bool(true))];
            return Ok(Function { node, values });
        }
        let by = input.definition.table_axis().ok_or(Trouble::Broken)?;
        let axis = self.function(m, by)?;
        let mut values: Vec<Datum> = Vec::new();
        let mut places = Vec::new();
        for value in &axis.values {
            let result = inputs.derive(name, &|_| value.clone());
            if result == Datum::Unknown {
                return Err(Trouble::Broken);
            }
            let place = values.iter().position(|known| *known == result).unwrap_or(values.len());
            if place == values.len() {
                values.push(result);
            }
            places.push(place as u32);
        }
        let node = m.map(axis.node, &mut |class| places[class as usize])?;
        Ok(Function { node, values })
    }
}

/// With what conditions compare inputs of open types, and whether they ask more of them.
struct Tested<'a> {
    literals: BTreeMap<&'a str, BTreeSet<&'a Literal>>,
}

impl<'a> Tested<'a> {
    /// All conditions of a route, of its layout and of derived inputs.
    fn of(route: &'a Route, inputs: &'a Inputs) -> Tested<'a> {
        let mut tested = Tested { literals: BTreeMap::new() };
        let sections = route.sections.iter().filter_map(|s| s.when.as_ref());
        let layout = route.layout.replace.iter().filter_map(|r| r.when.as_ref());
        let derived = inputs.iter().filter_map(|(_, input)| input.expression());
        for condition in sections.chain(layout).chain(derived) {
            condition.expr.visit_tests(&mut |test| {
                if let Some(name) = test.name() {
                    let known = tested.literals.entry(name.as_str()).or_default();
                    if let Expr::OneOf { literals, .. } = test {
                        known.extend(literals.iter().map(|l| &l.value));
                    }
                }
            });
        }
        tested
    }

    /// The values that conditions can tell apart; `None` for an input of an open type that none of them asks about.
    ///
    /// Of a list or table: empty, and not. Of a string or number: each literal, for a string the empty one, and one
    /// value that is none of them. An optional input may be missing besides.
    fn values(&self, name: &str, inputs: &Inputs) -> Option<Vec<Datum>> {
        if let Some(domain) = inputs.domain(name) {
            return Some(domain);
        }
        let input = inputs.get(name)?;
        let literals = self.literals.get(name)?;
        let item = || Value::String("x".to_owned());
        let mut values: Vec<Value> = match &input.kind {
            Type::List => vec![Value::List(Vec::new()), Value::List(vec![item()])],
            Type::Table => {
                vec![Value::Table(BTreeMap::new()), Value::Table(BTreeMap::from([("x".to_owned(), item())]))]
            }
            Type::String => vec![Value::String(String::new())],
            Type::Integer | Type::Number | Type::Bool | Type::Enum(_) => Vec::new(),
        };
        if !matches!(input.kind, Type::List | Type::Table) {
            for literal in literals {
                let value = literal.value();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values.push(another(&input.kind, &values));
        }
        let mut values: Vec<Datum> = values.into_iter().map(Datum::Known).collect();
        if input.optional {
            values.push(Datum::Missing);
        }
        Some(values)
    }
}

/// A value of an open type that is none of these.
fn another(kind: &Type, taken: &[Value]) -> Value {
    let nth = |n: usize| match kind {
        Type::Integer | Type::Number => Value::Integer(n as i64),
        _ => Value::String("x".repeat(n + 1)),
    };
    (0..).map(nth).find(|value| !taken.contains(value)).expect("a finite list leaves a value free")
}
