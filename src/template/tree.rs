//! The parts of an expression.

use std::ops::Range;

use minijinja::machinery::ast::{CallArg, Expr};

/// The expressions that an expression is made of, in the order of the text.
pub(super) fn parts<'e, 't>(expr: &'e Expr<'t>) -> Vec<&'e Expr<'t>> {
    match expr {
        Expr::Var(_) | Expr::Const(_) => Vec::new(),
        Expr::List(e) => e.items.iter().collect(),
        Expr::Tuple(e) => e.items.iter().collect(),
        Expr::Map(e) => e.keys.iter().chain(&e.values).collect(),
        Expr::UnaryOp(e) => vec![&e.expr],
        Expr::BinOp(e) => vec![&e.left, &e.right],
        Expr::Compare(e) => std::iter::once(&e.expr).chain(e.ops.iter().map(|op| &op.expr)).collect(),
        Expr::IfExpr(e) => [&e.test_expr, &e.true_expr].into_iter().chain(&e.false_expr).collect(),
        Expr::Filter(e) => e.expr.iter().chain(arguments(&e.args)).collect(),
        Expr::Test(e) => std::iter::once(&e.expr).chain(arguments(&e.args)).collect(),
        Expr::GetAttr(e) => vec![&e.expr],
        Expr::GetItem(e) => vec![&e.expr, &e.subscript_expr],
        Expr::Slice(e) => std::iter::once(&e.expr).chain(&e.start).chain(&e.stop).chain(&e.step).collect(),
        Expr::Call(e) => std::iter::once(&e.expr).chain(arguments(&e.args)).collect(),
    }
}

/// The values of arguments.
pub(super) fn arguments<'e, 't>(args: &'e [CallArg<'t>]) -> impl Iterator<Item = &'e Expr<'t>> {
    args.iter().map(|arg| match arg {
        CallArg::Pos(e) | CallArg::Kwarg(_, e) | CallArg::PosSplat(e) | CallArg::KwargSplat(e) => e,
    })
}

/// The place of a whole expression in its file. The engine's own span of a filter or an attribute begins behind what it
/// stands on.
pub(super) fn range(expr: &Expr<'_>) -> Range<usize> {
    let own = expr.span();
    let own = own.start_offset as usize..own.end_offset as usize;
    parts(expr).into_iter().map(range).fold(own, |all, part| all.start.min(part.start)..all.end.max(part.end))
}
