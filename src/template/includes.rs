//! Which files an include can name: its expression is evaluated over every combination of values that can occur.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::machinery::ast;
use minijinja::{Environment, Expression, Value as EngineValue};

use super::Surroundings;
use super::engine::{self, engine_value};
use super::guard::Guarded;
use super::scope::Scope;
use super::tree;
use crate::input::Datum;
use crate::limits::{Limit, Limits};

/// A branch of an `if` around a place.
#[derive(Clone, Copy)]
pub(super) struct Branch<'t> {
    pub(super) condition: &'t ast::Expr<'t>,
    pub(super) holds: bool,
}

/// One thing that an include can name: a path, or several of which the first that is there counts.
pub(super) struct Target {
    pub(super) paths: Vec<String>,
    /// Whether the place can be reached with this name.
    pub(super) occurs: bool,
}

/// All that an include can name, and how often an expression was computed to know it.
pub(super) struct Found {
    pub(super) targets: Vec<Target>,
    pub(super) evaluations: usize,
}

/// Units of work for a name and a set of values: names are short.
const FUEL: u64 = 4_000;

/// Why nobody knows what a name can be.
pub(super) struct Problem {
    pub(super) text: String,
    /// The limit that was reached, if it was one.
    pub(super) limit: Option<Limit>,
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { text, limit: None }
    }
}

/// The variables of an expression.
pub(super) fn variables<'t>(expr: &ast::Expr<'t>) -> BTreeSet<&'t str> {
    let mut out = BTreeSet::new();
    collect(expr, &mut out);
    out
}

/// What a name in a text can be. An error is what the engine says of the expression.
pub(super) fn targets(
    text: &str,
    name: &ast::Expr<'_>,
    names: &BTreeSet<&str>,
    branches: &[Branch<'_>],
    scope: &Scope,
    around: &dyn Surroundings,
    limits: &Limits,
) -> Result<Found, Problem> {
    let mut env = engine::bare_environment(limits);
    env.set_fuel(Some(FUEL));
    let limit = limits.include_values;
    // Conditions over values that are not known when compiling, or over the template's own names, may hold.
    let deciding: Vec<&Branch<'_>> = branches
        .iter()
        .filter(|b| variables(b.condition).iter().all(|n| !scope.may_have(n) && around.is_countable(n)))
        .collect();
    let too_many =
        || Problem { text: format!("its values make more than {} combinations", limit.amount()), limit: Some(limit) };
    let mut all = names.clone();
    all.extend(deciding.iter().flat_map(|b| variables(b.condition)));
    let (combinations, deciding) = match around.combinations(&all, limit.value / (1 + deciding.len())) {
        Some(combinations) => (combinations, deciding),
        // Too many to go through with their conditions: then every name is taken to occur.
        None => (around.combinations(names, limit.value).ok_or_else(too_many)?, Vec::new()),
    };
    let conditions: Vec<(Compiled<'_>, bool)> = deciding
        .iter()
        .map(|b| Ok((Compiled::new(&env, text, b.condition)?, b.holds)))
        .collect::<Result<_, String>>()?;
    let name = Compiled::new(&env, text, name)?;
    let evaluations = combinations.len() * (1 + conditions.len());
    let mut found: BTreeMap<Vec<String>, bool> = BTreeMap::new();
    for values in combinations {
        // A value that nothing says is told where it ought to be said.
        if names.iter().any(|name| values.get(*name) == Some(&Datum::Unknown)) {
            continue;
        }
        let occurs = conditions
            .iter()
            .all(|(condition, holds)| condition.evaluate(&values).map_or(true, |value| value.is_true() == *holds));
        let value = name.evaluate(&values);
        if !occurs && value.is_err() {
            continue;
        }
        let paths = paths(&value?)?;
        *found.entry(paths).or_default() |= occurs;
    }
    let targets = found.into_iter().map(|(paths, occurs)| Target { paths, occurs }).collect();
    Ok(Found { targets, evaluations })
}

fn paths(value: &EngineValue) -> Result<Vec<String>, String> {
    let one = |v: &EngineValue| v.as_str().map(str::to_owned).ok_or_else(|| format!("it is {}, no name", v.kind()));
    if value.as_str().is_some() {
        return Ok(vec![one(value)?]);
    }
    match value.try_iter() {
        Ok(items) => items.map(|item| one(&item)).collect(),
        Err(_) => Err(format!("it is {}, no name", value.kind())),
    }
}

/// An expression of a text, to be computed for many values.
struct Compiled<'e> {
    expression: Expression<'e, 'static>,
}

impl<'e> Compiled<'e> {
    fn new(env: &'e Environment<'static>, text: &str, expr: &ast::Expr<'_>) -> Result<Compiled<'e>, String> {
        let guarded = Guarded::expression(text, expr);
        let expression = env.compile_expression_owned(guarded.text).map_err(|error| error.to_string())?;
        Ok(Compiled { expression })
    }

    fn evaluate(&self, values: &BTreeMap<String, Datum>) -> Result<EngineValue, String> {
        let known: BTreeMap<&str, EngineValue> =
            values.iter().filter_map(|(name, datum)| Some((name.as_str(), engine_value(datum.value()?)))).collect();
        self.expression.eval(EngineValue::from(known)).map_err(|error| error.to_string())
    }
}

fn collect<'t>(expr: &ast::Expr<'t>, out: &mut BTreeSet<&'t str>) {
    if let ast::Expr::Var(e) = expr {
        out.insert(e.id);
    }
    tree::parts(expr).into_iter().for_each(|part| collect(part, out));
}
