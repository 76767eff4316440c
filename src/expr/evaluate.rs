//! What an expression says when some values are not known yet.

use super::{Expr, Literal};
use crate::input::{Datum, Value};

/// The truth of an expression, from what is known of each name; `None` when it hangs on a value that is not known.
///
/// Three-valued and local: `and` and `or` are decided by one part, all else needs every part that it is made of, and no
/// part is compared with another (`a or not a` with `a` unknown is `None`). Of an expression that [`check`](super::check)
/// refuses the answer is some bool.
pub fn evaluate(expr: &Expr, get: &dyn Fn(&str) -> Datum) -> Option<bool> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::And(parts) => first_decides(parts, false, get),
        Expr::Or(parts) => first_decides(parts, true, get),
        Expr::Not(inner) => evaluate(inner, get).map(|value| !value),
        Expr::Implies(a, b) => match (evaluate(a, get), evaluate(b, get)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            (None, _) | (_, None) => None,
        },
        Expr::Iff(a, b) => Some(evaluate(a, get)? == evaluate(b, get)?),
        Expr::ExactlyOne(parts) => {
            let values = parts.iter().map(|part| evaluate(part, get)).collect::<Option<Vec<bool>>>()?;
            Some(values.into_iter().filter(|&value| value).count() == 1)
        }
        Expr::Truthy(name) => match get(name) {
            Datum::Known(value) => Some(truth(&value)),
            Datum::Missing => Some(false),
            Datum::Unknown => None,
        },
        Expr::Defined(name) => match get(name) {
            Datum::Known(_) => Some(true),
            Datum::Missing => Some(false),
            Datum::Unknown => None,
        },
        Expr::OneOf { name, literals, negated } => match get(name) {
            Datum::Known(value) => Some(literals.iter().any(|literal| literal.is(&value)) != *negated),
            Datum::Missing => Some(*negated),
            Datum::Unknown => None,
        },
    }
}

/// `deciding` as soon as one part has it, else its opposite when all are known.
fn first_decides(parts: &[Expr], deciding: bool, get: &dyn Fn(&str) -> Datum) -> Option<bool> {
    let mut all_known = true;
    for part in parts {
        match evaluate(part, get) {
            Some(value) if value == deciding => return Some(deciding),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!deciding)
}

fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(b) => *b,
        Value::String(s) => !s.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Table(map) => !map.is_empty(),
        // refused by the type check
        Value::Null | Value::Integer(_) | Value::Number(_) => false,
    }
}

impl Literal {
    /// Whether a value is this one. Values of different types never are; `3.0` is the integer 3.
    pub fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Literal::Bool(a), Value::Bool(b)) => a == b,
            (Literal::Integer(a), Value::Integer(b)) => a == b,
            // by the integer and not by the number: 2^53 + 1 is no f64
            (Literal::Integer(a), Value::Number(b)) => {
                b.fract() == 0.0 && b.abs() < 9_223_372_036_854_775_808.0 && *b as i64 == *a
            }
            (Literal::Text(a), Value::String(b)) => a == b,
            _ => false,
        }
    }

    /// The same as a value.
    pub fn value(&self) -> Value {
        match self {
            Literal::Bool(b) => Value::Bool(*b),
            Literal::Integer(n) => Value::Integer(*n),
            Literal::Text(s) => Value::String(s.clone()),
        }
    }
}
