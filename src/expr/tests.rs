//! Tests of the whole module: each rule of E1 and E2, places, limits, and properties.

mod generate;
mod reading;
mod typing;

use std::sync::Arc;

use super::{Condition, Expr, Use, parse};
use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::source::{FileId, Located, SourceMap};

fn file() -> FileId {
    SourceMap::default().add("test", b"").unwrap()
}

fn located(text: &str) -> Located {
    Located::whole(file(), Arc::from(text))
}

fn constraint(text: &str) -> Condition {
    parse(located(text), Use::Constraint, &Limits::default()).unwrap_or_else(|d| panic!("{text}: {}", d.message))
}

fn fault(text: &str, r#use: Use) -> Diagnostic {
    match parse(located(text), r#use, &Limits::default()) {
        Ok(condition) => panic!("{text} was read as {:?}", condition.expr),
        Err(diagnostic) => diagnostic,
    }
}

/// An expression as text, with no parenthesis that could be left out.
fn print(expr: &Expr) -> String {
    fn list(parts: &[Expr], between: &str, level: u8) -> String {
        parts.iter().map(|p| at(p, level)).collect::<Vec<_>>().join(between)
    }
    /// Loosest is 0; a part that binds looser than its place gets parentheses.
    fn at(expr: &Expr, level: u8) -> String {
        let (own, text) = match expr {
            Expr::Iff(a, b) => (0, format!("{} iff {}", at(a, 1), at(b, 0))),
            Expr::Implies(a, b) => (1, format!("{} implies {}", at(a, 2), at(b, 1))),
            Expr::Or(parts) => (2, list(parts, " or ", 3)),
            Expr::And(parts) => (3, list(parts, " and ", 4)),
            Expr::Not(inner) => match &**inner {
                Expr::Defined(name) => (5, format!("{} is not defined", name.value)),
                _ => (4, format!("not {}", at(inner, 4))),
            },
            Expr::Const(value) => (5, value.to_string()),
            Expr::ExactlyOne(parts) => (5, format!("exactly_one({})", list(parts, ", ", 0))),
            Expr::Truthy(name) => (5, name.value.clone()),
            Expr::Defined(name) => (5, format!("{} is defined", name.value)),
            Expr::OneOf { name, literals, negated } => (5, comparison(name, literals, *negated)),
        };
        if own < level { format!("({text})") } else { text }
    }
    fn comparison(name: &str, literals: &[crate::source::Spanned<super::Literal>], negated: bool) -> String {
        match literals {
            [one] => format!("{name} {} {}", if negated { "!=" } else { "==" }, one.value),
            all => {
                let all: Vec<String> = all.iter().map(|l| l.value.to_string()).collect();
                format!("{name} {} [{}]", if negated { "not in" } else { "in" }, all.join(", "))
            }
        }
    }
    at(expr, 0)
}
