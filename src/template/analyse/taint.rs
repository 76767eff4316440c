//! Whose text an expression may print as it came.

use std::collections::BTreeSet;

use minijinja::machinery::ast::{BinOpKind, Call, CallArg, Expr, Filter};

use super::super::scope::{Origin, Scope};
use super::super::{Enclosure, tree};
use super::{Spill, Spilled, Walk};
use crate::source::Span;

/// Filters behind which a text cannot end what it stands in, or is no text of others any more.
const CLOSING: [&str; 15] = [
    "abs", "bool", "count", "e", "escape", "float", "int", "length", "limit", "one_line", "round", "sum", "summary",
    "tojson", "xml",
];

/// Whether text that goes through a filter is closed off by it.
pub(super) fn closes(filter: &Expr<'_>) -> bool {
    match filter {
        Expr::Filter(e) => CLOSING.contains(&e.name) || closes_by_argument(e) || e.expr.as_ref().is_some_and(closes),
        _ => false,
    }
}

/// Whether each item of a list goes through such a filter, `map("one_line")`, or tags and fences are taken out by hand:
/// `replace("</", "&lt;/")`.
fn closes_by_argument(filter: &Filter<'_>) -> bool {
    let Some(CallArg::Pos(Expr::Const(first))) = filter.args.first() else { return false };
    match (filter.name, first.value.as_str()) {
        ("map", Some(name)) => CLOSING.contains(&name),
        ("replace", Some(pattern)) => pattern.contains(['<', '`']),
        _ => false,
    }
}

impl Walk<'_> {
    /// Notes that an expression is printed.
    pub(super) fn print(&mut self, expr: &Expr<'_>, span: Span, scope: &Scope) {
        self.markup.value();
        match expr {
            Expr::Call(call) => self.print_call(call, span, scope),
            _ => self.spill(self.origins(expr, scope), span, None),
        }
    }

    /// Notes what a macro prints of its arguments.
    pub(super) fn print_call(&mut self, call: &Call<'_>, span: Span, scope: &Scope) {
        let found = self.spilled(call, scope).into_iter().map(|(origins, s)| (origins, s.inside.clone()));
        for (origins, inside) in found.collect::<Vec<_>>() {
            self.spill(origins, span, inside);
        }
    }

    fn spill(&mut self, origins: BTreeSet<Origin>, span: Span, inside: Option<Enclosure>) {
        if !origins.is_empty() {
            self.prints.push(Spill { origins, span, inside });
        }
    }

    /// The foreign texts that the value of an expression may hold as they came.
    pub(super) fn origins(&self, expr: &Expr<'_>, scope: &Scope) -> BTreeSet<Origin> {
        let of = |expr: &Expr<'_>| self.origins(expr, scope);
        let all = |parts: Vec<&Expr<'_>>| parts.into_iter().flat_map(of).collect();
        match expr {
            Expr::Var(e) => {
                let own = scope.origins(e.id).cloned();
                let input = (!scope.hides(e.id) && self.around.is_foreign(e.id)).then(|| Origin::Input(e.id.into()));
                own.chain(input).collect()
            }
            Expr::Filter(e) if CLOSING.contains(&e.name) || closes_by_argument(e) => BTreeSet::new(),
            Expr::BinOp(e) => match e.op {
                BinOpKind::ScAnd | BinOpKind::ScOr | BinOpKind::Add | BinOpKind::Concat | BinOpKind::Mul => {
                    all(vec![&e.left, &e.right])
                }
                _ => BTreeSet::new(),
            },
            Expr::IfExpr(e) => all(std::iter::once(&e.true_expr).chain(&e.false_expr).collect()),
            Expr::GetAttr(e) => of(&e.expr),
            Expr::GetItem(e) => of(&e.expr),
            Expr::Slice(e) => of(&e.expr),
            Expr::Call(e) => self.spilled(e, scope).into_iter().flat_map(|(origins, _)| origins).collect(),
            Expr::Compare(_) | Expr::Test(_) | Expr::UnaryOp(_) | Expr::Const(_) => BTreeSet::new(),
            Expr::Filter(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => all(tree::parts(expr)),
        }
    }

    /// The foreign texts among the arguments of a call that its macro prints as they come, and where it prints them.
    pub(super) fn spilled<'w>(&'w self, call: &Call<'_>, scope: &Scope) -> Vec<(BTreeSet<Origin>, &'w Spilled)> {
        let id = match &call.expr {
            Expr::Var(e) => scope.find_macro(None, e.id),
            Expr::GetAttr(e) => match &e.expr {
                Expr::Var(module) => scope.find_macro(Some(module.id), e.name),
                _ => None,
            },
            _ => None,
        };
        let Some(known) = id.and_then(|id| self.macros.get(&id)) else { return Vec::new() };
        let mut out = Vec::new();
        for (place, arg) in call.args.iter().enumerate() {
            let (place, value) = match arg {
                CallArg::Pos(value) => (Some(place), value),
                CallArg::Kwarg(name, value) => (known.arguments.iter().position(|a| a == name), value),
                CallArg::PosSplat(_) | CallArg::KwargSplat(_) => continue,
            };
            for spilled in known.spilled.iter().filter(|s| Some(s.argument) == place) {
                out.push((self.origins(value, scope), spilled));
            }
        }
        out
    }
}
