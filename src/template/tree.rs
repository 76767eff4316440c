//! The parts of statements and expressions.

use std::ops::Range;

use minijinja::machinery::ast::{CallArg, Expr, Macro, Stmt};

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

/// The expressions that stand in a statement itself, in the order of the text; no names that it sets.
pub(super) fn expressions<'s, 't>(statement: &'s Stmt<'t>) -> Vec<&'s Expr<'t>> {
    match statement {
        Stmt::Template(_) | Stmt::EmitRaw(_) | Stmt::Block(_) => Vec::new(),
        Stmt::EmitExpr(s) => vec![&s.expr],
        Stmt::ForLoop(s) => std::iter::once(&s.iter).chain(&s.filter_expr).collect(),
        Stmt::IfCond(s) => vec![&s.expr],
        Stmt::WithBlock(s) => s.assignments.iter().map(|(_, value)| value).collect(),
        Stmt::Set(s) => vec![&s.expr],
        Stmt::SetBlock(s) => s.filter.iter().collect(),
        Stmt::AutoEscape(s) => vec![&s.enabled],
        Stmt::FilterBlock(s) => vec![&s.filter],
        Stmt::Import(s) => vec![&s.expr],
        Stmt::FromImport(s) => vec![&s.expr],
        Stmt::Extends(s) => vec![&s.name],
        Stmt::Include(s) => vec![&s.name],
        Stmt::Macro(s) => s.defaults.iter().collect(),
        Stmt::CallBlock(s) => called(&s.call.expr, &s.call.args).chain(&s.macro_decl.defaults).collect(),
        Stmt::Do(s) => called(&s.call.expr, &s.call.args).collect(),
    }
}

fn called<'s, 't>(function: &'s Expr<'t>, args: &'s [CallArg<'t>]) -> impl Iterator<Item = &'s Expr<'t>> {
    std::iter::once(function).chain(arguments(args))
}

/// The statements that stand within a statement.
pub(super) fn bodies<'s, 't>(statement: &'s Stmt<'t>) -> Vec<&'s [Stmt<'t>]> {
    let of_macro = |declared: &'s Macro<'t>| vec![declared.body.as_slice()];
    match statement {
        Stmt::Template(s) => vec![&s.children],
        Stmt::ForLoop(s) => vec![&s.body, &s.else_body],
        Stmt::IfCond(s) => vec![&s.true_body, &s.false_body],
        Stmt::WithBlock(s) => vec![&s.body],
        Stmt::SetBlock(s) => vec![&s.body],
        Stmt::AutoEscape(s) => vec![&s.body],
        Stmt::FilterBlock(s) => vec![&s.body],
        Stmt::Block(s) => vec![&s.body],
        Stmt::Macro(s) => of_macro(s),
        Stmt::CallBlock(s) => of_macro(&s.macro_decl),
        Stmt::EmitRaw(_)
        | Stmt::EmitExpr(_)
        | Stmt::Set(_)
        | Stmt::Import(_)
        | Stmt::FromImport(_)
        | Stmt::Extends(_)
        | Stmt::Include(_)
        | Stmt::Do(_) => Vec::new(),
    }
}
