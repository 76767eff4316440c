//! Conditions: the expressions in `when`, `derive` and `that`.
//!
//! Owns their grammar, their types and their three-valued meaning (E1 and E2 of the language's rules). Knows what a
//! value is, not which inputs there are: those come through [`Names`] and a look-up. Main types: [`Condition`],
//! [`Expr`], [`Literal`].
//!
//! ```text
//! iff       = implies [ "iff" iff ]
//! implies   = or [ "implies" implies ]
//! or        = and { "or" and }
//! and       = not { "and" not }
//! not       = "not" not | operand
//! operand   = "(" iff ")" | "exactly_one" "(" iff { "," iff } ")" | "true" | "false" | test
//! test      = NAME [ ( "==" | "!=" ) literal | [ "not" ] "in" list | "is" [ "not" ] "defined" ]
//! list      = "[" [ literal { "," literal } [ "," ] ] "]"
//! literal   = "'..'" | "\"..\"" | INTEGER | "true" | "false"
//! ```

mod check;
mod errors;
mod evaluate;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;
use std::fmt;

pub use check::{Names, check, check_axes_only};
pub use errors::{
    CONSTRAINT_READS_OPEN_VALUE, EXPRESSION_SYNTAX, EXPRESSION_TOO_LARGE, RULES, TYPE_MISMATCH, UNDEFINED_INPUT,
    UNKNOWN_VALUE, unknown_value,
};
pub use evaluate::evaluate;
pub use words::{RESERVED, is_reserved};

use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::source::{Located, Span, Spanned};

/// An expression and the text that it was read from.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The text, with its place.
    pub text: Located,
    /// What it says.
    pub expr: Expr,
}

/// Where an expression stands, which decides what it may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// `when` and `derive`.
    Condition,
    /// `that` of a constraint: also `implies`, `iff` and `exactly_one`.
    Constraint,
}

/// An expression. Compares by what it says, places aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// `true` or `false` alone.
    Const(bool),
    /// All hold. At least two, none of them an `And`.
    And(Vec<Expr>),
    /// One holds. At least two, none of them an `Or`.
    Or(Vec<Expr>),
    /// It does not hold. `is not defined` is a `Not` around [`Expr::Defined`].
    Not(Box<Expr>),
    /// The second holds when the first does.
    Implies(Box<Expr>, Box<Expr>),
    /// Both hold or neither does.
    Iff(Box<Expr>, Box<Expr>),
    /// One holds and no other. At least one.
    ExactlyOne(Vec<Expr>),
    /// An input alone: true, or not empty.
    Truthy(Spanned<String>),
    /// `is defined`: the input has a value.
    Defined(Spanned<String>),
    /// `==` (one literal), `in`; negated `!=`, `not in`.
    OneOf {
        /// The input.
        name: Spanned<String>,
        /// What it is compared with, as written; may be empty.
        literals: Vec<Spanned<Literal>>,
        /// Whether none of them must be the value.
        negated: bool,
    },
}

/// A value written in an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A 64-bit integer.
    Integer(i64),
    /// A string, escapes decoded.
    Text(String),
}

/// Reads an expression.
///
/// # Errors
/// The first thing in it that is not an expression, at its place.
#[expect(clippy::result_large_err, reason = "a condition is read once, and its caller takes the message apart at once")]
pub fn parse(text: Located, r#use: Use, limits: &Limits) -> Result<Condition, Diagnostic> {
    match parser::parse(&text, r#use, limits) {
        Ok(expr) => Ok(Condition { text, expr }),
        Err(diagnostic) => Err(*diagnostic),
    }
}

impl Condition {
    /// The names that it reads.
    pub fn names(&self) -> BTreeSet<&str> {
        self.mentions().into_iter().map(|name| name.as_str()).collect()
    }

    /// Every mention of a name, in the order of the text.
    pub fn mentions(&self) -> Vec<&Spanned<String>> {
        let mut found = Vec::new();
        self.expr.visit_tests(&mut |test| found.extend(test.name()));
        found
    }

    /// The place of the whole text.
    pub fn span(&self) -> Span {
        self.text.whole_span()
    }

    /// Whether both are the same expression, blanks, quotes, redundant parentheses and places aside.
    pub fn same_as(&self, other: &Condition) -> bool {
        self.expr == other.expr
    }
}

impl Expr {
    /// The name that this part itself asks about; `None` for what is made of parts, and for constants.
    pub fn name(&self) -> Option<&Spanned<String>> {
        match self {
            Expr::Truthy(name) | Expr::Defined(name) | Expr::OneOf { name, .. } => Some(name),
            Expr::Const(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Not(_)
            | Expr::Implies(..)
            | Expr::Iff(..)
            | Expr::ExactlyOne(_) => None,
        }
    }

    /// Calls `visit` with every part that asks about an input, in the order of the text.
    pub fn visit_tests<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Const(_) => {}
            Expr::Truthy(_) | Expr::Defined(_) | Expr::OneOf { .. } => visit(self),
            Expr::Not(inner) => inner.visit_tests(visit),
            Expr::Implies(a, b) | Expr::Iff(a, b) => {
                a.visit_tests(visit);
                b.visit_tests(visit);
            }
            Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => {
                parts.iter().for_each(|part| part.visit_tests(visit));
            }
        }
    }
}

/// As it is written in an expression.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Bool(b) => write!(f, "{b}"),
            Literal::Integer(n) => write!(f, "{n}"),
            Literal::Text(text) => {
                let escaped = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\t', "\\t");
                write!(f, "'{escaped}'")
            }
        }
    }
}
