//! Random expressions: printed, read again, and compared.

use proptest::prelude::*;

use super::*;
use crate::expr::{Literal, evaluate};
use crate::input::{Datum, Value};
use crate::source::{Span, Spanned};

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::start_of(file()))
}

fn name() -> impl Strategy<Value = Spanned<String>> {
    prop::sample::select(vec!["a", "b", "is_git", "android", "notes", "x1"]).prop_map(|n| spanned(n.to_owned()))
}

fn literal() -> impl Strategy<Value = Spanned<Literal>> {
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        any::<i64>().prop_map(Literal::Integer),
        "\\PC{0,6}|[\\\\'\"\n\t]{0,4}".prop_map(Literal::Text),
    ]
    .prop_map(spanned)
}

fn tests() -> impl Strategy<Value = Expr> {
    prop_oneof![
        any::<bool>().prop_map(Expr::Const),
        name().prop_map(Expr::Truthy),
        name().prop_map(Expr::Defined),
        (name(), prop::collection::vec(literal(), 0..4), any::<bool>())
            .prop_map(|(name, literals, negated)| Expr::OneOf { name, literals, negated }),
    ]
}

/// Trees as the parser makes them: no `And` in an `And`, no `Or` in an `Or`.
fn trees() -> impl Strategy<Value = Expr> {
    tests().prop_recursive(6, 40, 4, |inner| {
        let parts = |least: usize| prop::collection::vec(inner.clone(), least..4);
        let pair = || (inner.clone(), inner.clone());
        prop_oneof![
            parts(2).prop_map(|p| Expr::And(flat(p, |e| match e {
                Expr::And(inner) => Ok(inner),
                other => Err(other),
            }))),
            parts(2).prop_map(|p| Expr::Or(flat(p, |e| match e {
                Expr::Or(inner) => Ok(inner),
                other => Err(other),
            }))),
            inner.clone().prop_map(|e| Expr::Not(Box::new(e))),
            pair().prop_map(|(a, b)| Expr::Implies(Box::new(a), Box::new(b))),
            pair().prop_map(|(a, b)| Expr::Iff(Box::new(a), Box::new(b))),
            parts(1).prop_map(Expr::ExactlyOne),
        ]
    })
}

fn flat(parts: Vec<Expr>, open: fn(Expr) -> Result<Vec<Expr>, Expr>) -> Vec<Expr> {
    parts.into_iter().flat_map(|part| open(part).unwrap_or_else(|other| vec![other])).collect()
}

/// Pieces that expressions are made of, and some that they are not.
const SOUP: [&str; 48] = [
    "a",
    "b",
    "not",
    "and",
    "or",
    "iff",
    "implies",
    "exactly_one",
    "is",
    "defined",
    "in",
    "true",
    "false",
    "(",
    ")",
    "[",
    "]",
    ",",
    "==",
    "!=",
    "'x'",
    "\"y\"",
    "'\\n'",
    "'\\q'",
    "-1",
    "7",
    "99999999999999999999",
    "1.5",
    "5x",
    "'",
    "\"",
    "\\",
    "|",
    "||",
    "&&",
    "&",
    "!",
    "=",
    ".",
    "-",
    "<",
    "{{",
    "if",
    "none",
    "é",
    "\u{200b}",
    "\n",
    "😀",
];

fn check_text(text: &str) {
    for allowed in [Use::Condition, Use::Constraint] {
        let whole = text.len() as u32;
        let in_text = |span: Span| {
            assert!(span.start <= span.end && span.end <= whole, "{text:?} {span:?}");
            assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize), "{text:?}");
        };
        match parse(located(text), allowed, &Limits::default()) {
            Ok(condition) => {
                condition.mentions().iter().for_each(|n| {
                    in_text(n.span);
                    assert_eq!(&text[n.span.range()], n.as_str());
                });
                assert!(constraint(&print(&condition.expr)).same_as(&condition), "{text:?}");
            }
            Err(diagnostic) => {
                let crate::diag::Place::Span(span) = diagnostic.place else { panic!() };
                in_text(span);
            }
        }
    }
}

proptest! {
    #[test]
    fn any_text_gets_an_answer(text in "\\PC*|(?s).{0,40}") {
        check_text(&text);
    }

    #[test]
    fn token_soup_gets_an_answer(parts in prop::collection::vec(prop::sample::select(SOUP.to_vec()), 0..30), blanks in any::<bool>()) {
        check_text(&parts.join(if blanks { " " } else { "" }));
    }

    #[test]
    fn what_is_printed_is_read_back(tree in trees()) {
        let text = print(&tree);
        prop_assert_eq!(&constraint(&text).expr, &tree, "{}", text);
    }

    /// What is said with something unknown stays true whatever it turns out to be.
    #[test]
    fn later_values_never_take_an_answer_back(tree in trees(), a in any::<bool>(), b in any::<bool>()) {
        let known = |name: &str| match name {
            "a" => Datum::Known(Value::Bool(a)),
            "b" => Datum::Known(Value::Bool(b)),
            _ => Datum::Missing,
        };
        let partly = |name: &str| if name == "b" { Datum::Unknown } else { known(name) };
        let later = evaluate(&tree, &known);
        prop_assert!(later.is_some());
        if let Some(now) = evaluate(&tree, &partly) {
            prop_assert_eq!(Some(now), later);
        }
    }
}
