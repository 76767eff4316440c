//! Types: which questions may be asked of which input.

use std::collections::BTreeSet;

use super::errors;
use super::{Condition, Expr, Literal};
use crate::diag::Sink;
use crate::input::Type;
use crate::source::Spanned;

/// The names that an expression may speak of.
pub trait Names {
    /// The type of a name and whether it is optional; `None` for a name that there is not.
    fn kind(&self, name: &str) -> Option<(&Type, bool)>;

    /// All names, for suggestions.
    fn known(&self) -> Vec<&str>;
}

/// Tells every name that is unknown and every question that its input cannot answer.
pub fn check(condition: &Condition, names: &dyn Names, sink: &mut Sink) {
    condition.expr.visit_tests(&mut |test| {
        let Some(name) = test.name() else { return };
        match names.kind(name) {
            Some((kind, optional)) => check_test(test, name, kind, optional, sink),
            None => sink.push(errors::undefined_input(name.span, name, names.known())),
        }
    });
}

/// Tells every input that a constraint may not read, once each: constraints speak of bools and enums (I4). Names that
/// there are not are for [`check`].
pub fn check_axes_only(condition: &Condition, names: &dyn Names, sink: &mut Sink) {
    let mut told = BTreeSet::new();
    for name in condition.mentions() {
        match names.kind(name) {
            None | Some((Type::Bool | Type::Enum(_), _)) => {}
            Some((kind, _)) if told.insert(name.as_str()) => {
                sink.push(errors::constraint_reads_open_value(name.span, name, kind));
            }
            Some(_) => {}
        }
    }
}

fn check_test(test: &Expr, name: &Spanned<String>, kind: &Type, optional: bool, sink: &mut Sink) {
    match (test, kind) {
        (Expr::Truthy(_), Type::Enum(_) | Type::Integer | Type::Number) => {
            sink.push(errors::not_true_or_false(name.span, name, kind, optional));
        }
        (Expr::OneOf { .. }, Type::List | Type::Table) => sink.push(errors::not_comparable(name.span, name, kind)),
        (Expr::OneOf { literals, .. }, _) => {
            for literal in literals {
                match (&literal.value, kind) {
                    (Literal::Bool(_), Type::Bool)
                    | (Literal::Integer(_), Type::Integer | Type::Number)
                    | (Literal::Text(_), Type::String) => {}
                    (Literal::Text(text), Type::Enum(domain)) => {
                        if !domain.contains(text) {
                            sink.push(errors::unknown_value(literal.span, name, text, domain));
                        }
                    }
                    (value, _) => sink.push(errors::type_mismatch(literal.span, name, kind, value)),
                }
            }
        }
        _ => {}
    }
}
