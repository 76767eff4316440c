//! Where the filters stand: behind each operand, by the places in the engine's syntax tree.
//!
//! The tree says where each part ends, and not always where it begins: what binds less than a filter is given parentheses
//! of its own where its place is known to be whole, and what is parenthesised already needs none.

use std::ops::Range;

use minijinja::machinery::ast::{self, BinOpKind, CallArg, Expr, Stmt, UnaryOpKind};

use super::{AT, Added, FLAT, PAY, PRINT};
use crate::template::tree;

/// The method that compares its arguments.
const CHANGED: &str = "changed";

/// Longest string that is compared or joined for nothing.
pub(super) const SHORT: usize = 64;

/// What is added to a text, inner parts ahead of outer ones.
pub(super) struct Operands<'t> {
    text: &'t str,
    pub(super) added: Vec<Added>,
}

impl<'t> Operands<'t> {
    /// Nothing yet, for the tree of this text.
    pub(super) fn new(text: &'t str) -> Operands<'t> {
        Operands { text, added: Vec::new() }
    }

    pub(super) fn statement(&mut self, statement: &Stmt<'_>) {
        tree::expressions(statement).into_iter().for_each(|expr| self.expression(expr));
        match statement {
            // Several names take a list apart, all of it.
            Stmt::Set(s) => self.unpack(&s.target, &s.expr),
            Stmt::ForLoop(s) => self.unpack(&s.target, &s.iter),
            Stmt::WithBlock(s) => s.assignments.iter().for_each(|(target, value)| self.unpack(target, value)),
            Stmt::CallBlock(s) => self.call(&s.call),
            Stmt::Do(s) => self.call(&s.call),
            _ => {}
        }
        tree::bodies(statement).into_iter().flatten().for_each(|inner| self.statement(inner));
    }

    pub(super) fn expression(&mut self, expr: &Expr<'_>) {
        tree::parts(expr).into_iter().for_each(|part| self.expression(part));
        match expr {
            Expr::BinOp(e) => {
                if let Some(filter) = filter(e.op) {
                    self.charge(&e.left, filter);
                    self.charge(&e.right, filter);
                }
            }
            Expr::Compare(e) => {
                self.charge(&e.expr, PAY);
                e.ops.iter().for_each(|op| self.charge(&op.expr, PAY));
            }
            Expr::Map(e) => e.keys.iter().for_each(|key| self.charge(key, PAY)),
            Expr::GetItem(e) if !is_name(&e.subscript_expr) => {
                self.charge_subscripted(&e.expr, AT);
                self.charge(&e.subscript_expr, PAY);
            }
            Expr::Slice(e) => self.charge_subscripted(&e.expr, FLAT),
            Expr::Filter(e) => self.spread(&e.args),
            Expr::Test(e) => {
                self.spread(&e.args);
                self.enclose_argument(&e.args);
            }
            Expr::Call(e) => self.call(e),
            _ => {}
        }
    }

    /// Arguments that are a list or a table taken apart, and those that `loop.changed` compares.
    fn call(&mut self, call: &ast::Call<'_>) {
        self.spread(&call.args);
        if matches!(&call.expr, Expr::GetAttr(method) if method.name == CHANGED) {
            for arg in &call.args {
                if let CallArg::Pos(value) | CallArg::Kwarg(_, value) = arg {
                    self.charge(value, PAY);
                }
            }
        }
    }

    fn spread(&mut self, args: &[CallArg<'_>]) {
        for arg in args {
            if let CallArg::PosSplat(value) | CallArg::KwargSplat(value) = arg {
                self.charge(value, PAY);
            }
        }
    }

    fn unpack(&mut self, target: &Expr<'_>, value: &Expr<'_>) {
        if matches!(target, Expr::List(_)) {
            self.charge(value, PAY);
        }
    }

    /// Puts a filter behind an operand. It goes into what hands one of its parts on.
    fn charge(&mut self, operand: &Expr<'_>, filter: &'static str) {
        match operand {
            Expr::IfExpr(e) => {
                self.charge(&e.true_expr, filter);
                e.false_expr.iter().for_each(|part| self.charge(part, filter));
            }
            Expr::BinOp(e) if matches!(e.op, BinOpKind::ScAnd | BinOpKind::ScOr) => {
                self.charge(&e.left, filter);
                self.charge(&e.right, filter);
            }
            _ if is_free(operand, filter) => {}
            Expr::BinOp(_) | Expr::UnaryOp(_) => {
                let range = own(operand);
                self.add(range.start, "(".to_owned(), &range);
                self.add(range.end, format!(")|{filter}"), &range);
            }
            _ => self.add(own(operand).end, format!("|{filter}"), &own(operand)),
        }
    }

    /// The same for what a bracket follows.
    fn charge_subscripted(&mut self, operand: &Expr<'_>, filter: &'static str) {
        if can_be_bare(operand) {
            let range = start(self.text, operand)..own(operand).end;
            self.add(range.start, "(".to_owned(), &range);
            self.add(range.end, format!("|{filter})"), &range);
        } else {
            self.charge(operand, filter);
        }
    }

    /// The argument of a test may stand without parentheses, and must not seem to begin with some.
    fn enclose_argument(&mut self, args: &[CallArg<'_>]) {
        if let [CallArg::Pos(value @ (Expr::GetItem(_) | Expr::Slice(_) | Expr::GetAttr(_) | Expr::Call(_)))] = args {
            let range = start(self.text, value)..own(value).end;
            self.add(range.start, "(".to_owned(), &range);
            self.add(range.end, ")".to_owned(), &range);
        }
    }

    fn add(&mut self, at: usize, words: String, operand: &Range<usize>) {
        self.added.push(Added { at, words, operand: operand.clone() });
    }
}

fn filter(op: BinOpKind) -> Option<&'static str> {
    match op {
        BinOpKind::Eq
        | BinOpKind::Ne
        | BinOpKind::Lt
        | BinOpKind::Lte
        | BinOpKind::Gt
        | BinOpKind::Gte
        | BinOpKind::In
        | BinOpKind::Add => Some(PAY),
        BinOpKind::Concat => Some(PRINT),
        // Strings that are multiplied the engine charges, and lists are multiplied without a copy: whoever uses the
        // product is charged for all of it. The rest is numbers, and what hands an operand on.
        BinOpKind::Mul
        | BinOpKind::ScAnd
        | BinOpKind::ScOr
        | BinOpKind::Sub
        | BinOpKind::Div
        | BinOpKind::FloorDiv
        | BinOpKind::Rem
        | BinOpKind::Pow => None,
    }
}

/// What can only be small, and what was paid for part by part when it was made.
fn is_free(operand: &Expr<'_>, filter: &'static str) -> bool {
    match operand {
        Expr::Test(_) | Expr::Compare(_) => true,
        Expr::Const(e) => is_small(e),
        Expr::UnaryOp(e) => matches!(e.op, UnaryOpKind::Not) || filter != PRINT,
        Expr::BinOp(e) => match e.op {
            BinOpKind::Concat => true,
            // A number is looked at before it is printed.
            BinOpKind::Add
            | BinOpKind::Sub
            | BinOpKind::Div
            | BinOpKind::FloorDiv
            | BinOpKind::Rem
            | BinOpKind::Pow => filter != PRINT,
            BinOpKind::Mul | BinOpKind::ScAnd | BinOpKind::ScOr => false,
            BinOpKind::Eq
            | BinOpKind::Ne
            | BinOpKind::Lt
            | BinOpKind::Lte
            | BinOpKind::Gt
            | BinOpKind::Gte
            | BinOpKind::In => true,
        },
        _ => false,
    }
}

/// Where the first word of an expression stands. Parentheses ahead of it are left out: one more is as good behind them.
pub(super) fn start(text: &str, expr: &Expr<'_>) -> usize {
    let start = |part: &Expr<'_>| start(text, part);
    match expr {
        Expr::BinOp(e) => start(&e.left),
        Expr::Compare(e) => start(&e.expr),
        Expr::IfExpr(e) => start(&e.true_expr),
        Expr::Filter(e) => e.expr.as_ref().map_or(own(expr).start, start),
        Expr::Test(e) => start(&e.expr),
        Expr::GetAttr(e) => start(&e.expr),
        Expr::GetItem(e) => start(&e.expr),
        Expr::Slice(e) => start(&e.expr),
        Expr::Call(e) => start(&e.expr),
        // `not a` begins with its sign, `a is not b` and `a not in b` with their operand; the engine's place of the last
        // one begins with whatever stands ahead of it.
        Expr::UnaryOp(e) => {
            let (sign, operand) = (own(expr).start, start(&e.expr));
            if sign < operand && is_sign(&text[sign..]) { sign } else { operand }
        }
        Expr::Var(_) | Expr::Const(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => own(expr).start,
    }
}

/// Whether a text begins with `-` or with the word `not`.
fn is_sign(text: &str) -> bool {
    let is_word = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.starts_with('-') || text.strip_prefix("not").is_some_and(is_word)
}

/// A part of an expression that a bracket or a test can stand at without parentheses.
fn can_be_bare(expr: &Expr<'_>) -> bool {
    matches!(
        expr,
        Expr::Var(_)
            | Expr::Const(_)
            | Expr::List(_)
            | Expr::Tuple(_)
            | Expr::Map(_)
            | Expr::GetAttr(_)
            | Expr::GetItem(_)
            | Expr::Slice(_)
            | Expr::Call(_)
    )
}

/// A name in brackets.
fn is_name(subscript: &Expr<'_>) -> bool {
    matches!(subscript, Expr::Const(e) if e.value.as_str().is_some() && is_small(e))
}

/// Numbers and short strings.
fn is_small(constant: &ast::Const) -> bool {
    constant.value.as_str().is_none_or(|text| text.len() <= SHORT)
}

/// The engine's own place of a part of its tree.
fn own(expr: &Expr<'_>) -> Range<usize> {
    let span = expr.span();
    span.start_offset as usize..span.end_offset as usize
}
