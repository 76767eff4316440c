//! Names in expressions: what is read, and what is wrong with it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use minijinja::machinery::ast::{self, BinOpKind, CompareOpKind, UnaryOpKind};

use super::super::scope::Scope;
use super::super::{Mention, Role, Unguarded, errors, known, tree};
use super::guards::Guards;
use super::{Here, Walk};
use crate::input::Type;
use crate::source::Span;

impl Walk<'_> {
    /// An expression that decides what is rendered.
    pub(super) fn decides(&mut self, expr: &ast::Expr<'_>, scope: &Scope, here: &Here<'_>) -> Guards {
        let before = self.facts.mentions.len();
        let guards = self.expression(expr, Role::Tested, scope, here);
        let inputs: BTreeSet<_> = self.facts.mentions[before..].iter().map(|m| m.input.clone()).collect();
        if !inputs.is_empty() {
            self.facts.conditionals.push(inputs);
        }
        guards
    }

    /// Looks through an expression. What has a value where it has come out one way.
    pub(super) fn expression(&mut self, expr: &ast::Expr<'_>, role: Role, scope: &Scope, here: &Here<'_>) -> Guards {
        // What stands inside another expression is no longer bare; what decides still decides.
        let inner = if role == Role::Tested { Role::Tested } else { Role::Used };
        if !self.goes_on(1, here.span(expr.span())) {
            return Guards::default();
        }
        match expr {
            ast::Expr::Var(e) => self.name(e.id, here.span(e.span()), role, false, scope),
            ast::Expr::Const(_) => Guards::default(),
            ast::Expr::UnaryOp(e) => {
                let guards = self.expression(&e.expr, inner, scope, here);
                if matches!(e.op, UnaryOpKind::Not) { guards.not() } else { guards }
            }
            ast::Expr::BinOp(e) => self.operation(e, inner, scope, here),
            ast::Expr::Compare(e) => {
                let mut guards = self.expression(&e.expr, inner, scope, here);
                let mut left = &e.expr;
                for op in &e.ops {
                    guards = guards.all(self.expression(&op.expr, inner, scope, here));
                    if matches!(op.op, CompareOpKind::Eq | CompareOpKind::Ne | CompareOpKind::In | CompareOpKind::NotIn)
                    {
                        self.comparison(left, &op.expr, scope, here);
                    }
                    left = &op.expr;
                }
                guards
            }
            ast::Expr::IfExpr(e) => {
                let guards = self.decides(&e.test_expr, scope, here);
                let then = self.with(&guards.yes, scope, here);
                self.expression(&e.true_expr, role, &then, here);
                if let Some(other) = &e.false_expr {
                    let otherwise = self.with(&guards.no, scope, here);
                    self.expression(other, role, &otherwise, here);
                }
                // One of the two is not reached.
                Guards::default().all(guards)
            }
            ast::Expr::Filter(e) => {
                let guards = match &e.expr {
                    Some(ast::Expr::Var(name)) if matches!(e.name, "default" | "d") => {
                        self.name(name.id, here.span(name.span()), inner, true, scope);
                        Guards::default()
                    }
                    Some(value) => self.expression(value, inner, scope, here),
                    None => Guards::default(),
                };
                if !known::FILTERS.contains(&e.name) {
                    self.diagnostics.push(errors::unknown_filter(here.span(e.span()), e.name));
                }
                self.arguments(&e.args, scope, here);
                Guards::default().all(guards)
            }
            ast::Expr::Test(e) => self.test(e, here.span(e.span()), inner, scope, here),
            ast::Expr::Call(e) => {
                self.call(e, scope, here);
                Guards::default()
            }
            ast::Expr::GetAttr(_)
            | ast::Expr::GetItem(_)
            | ast::Expr::Slice(_)
            | ast::Expr::List(_)
            | ast::Expr::Tuple(_)
            | ast::Expr::Map(_) => tree::parts(expr)
                .into_iter()
                .fold(Guards::default(), |guards, part| guards.all(self.expression(part, inner, scope, here))),
        }
    }

    fn operation(&mut self, e: &ast::BinOp<'_>, role: Role, scope: &Scope, here: &Here<'_>) -> Guards {
        let left = self.expression(&e.left, role, scope, here);
        match e.op {
            BinOpKind::ScAnd => {
                let reached = self.with(&left.yes, scope, here);
                left.and(self.expression(&e.right, role, &reached, here))
            }
            BinOpKind::ScOr => {
                let reached = self.with(&left.no, scope, here);
                left.or(self.expression(&e.right, role, &reached, here))
            }
            _ => {
                let right = self.expression(&e.right, role, scope, here);
                if matches!(e.op, BinOpKind::Eq | BinOpKind::Ne | BinOpKind::In) {
                    self.comparison(&e.left, &e.right, scope, here);
                }
                left.all(right)
            }
        }
    }

    fn test(&mut self, e: &ast::Test<'_>, span: Span, role: Role, scope: &Scope, here: &Here<'_>) -> Guards {
        let role = if matches!(e.name, "defined" | "undefined") { Role::Tested } else { role };
        let guards = match &e.expr {
            ast::Expr::Var(name) => {
                self.name(name.id, here.span(name.span()), role, true, scope);
                let missing = self.around.may_be_missing(name.id).filter(|_| !scope.hides(name.id));
                Guards::test(e.name, missing)
            }
            value => Guards::default().all(self.expression(value, role, scope, here)),
        };
        let sign = e.name.chars().all(|c| !c.is_alphabetic());
        if !sign && !known::TESTS.contains(&e.name) {
            self.diagnostics.push(errors::unknown_test(span, e.name));
        }
        self.arguments(&e.args, scope, here);
        guards
    }

    /// A scope in which some optional inputs have values too.
    fn with<'s>(&mut self, defined: &BTreeSet<String>, scope: &'s Scope, here: &Here<'_>) -> Cow<'s, Scope> {
        if defined.is_empty() || !self.goes_on(scope.size(), here.text.span(0..0)) {
            return Cow::Borrowed(scope);
        }
        let mut scope = scope.clone();
        scope.define(defined.clone());
        Cow::Owned(scope)
    }

    /// Texts that are compared with an enum input are values of it.
    fn comparison(&mut self, left: &ast::Expr<'_>, right: &ast::Expr<'_>, scope: &Scope, here: &Here<'_>) {
        for (input, literal) in [(left, right), (right, left)] {
            let ast::Expr::Var(input) = input else { continue };
            let Some(Type::Enum(domain)) = self.around.kind(input.id).filter(|_| !scope.may_have(input.id)) else {
                continue;
            };
            let literals = match literal {
                ast::Expr::List(list) => list.items.iter().collect(),
                ast::Expr::Tuple(list) => list.items.iter().collect(),
                other => vec![other],
            };
            for literal in literals {
                if let ast::Expr::Const(value) = literal
                    && let Some(text) = value.value.as_str()
                    && !domain.iter().any(|known| known == text)
                {
                    let span = here.span(value.span());
                    self.diagnostics.push(crate::expr::unknown_value(span, input.id, text, domain));
                }
            }
        }
    }

    /// An input, or a name of the template's own. `asked` where a missing value does no harm.
    pub(super) fn name(&mut self, name: &str, span: Span, role: Role, asked: bool, scope: &Scope) -> Guards {
        if scope.hides(name) {
            return Guards::default();
        }
        let missing = self.around.may_be_missing(name);
        if let Some(missing) = missing
            && !(asked || self.in_macro || scope.defines(missing))
        {
            self.facts.unguarded.push(Unguarded { input: name.into(), missing: missing.into(), span });
        }
        match self.around.kind(name) {
            Some(kind) => {
                if role == Role::PrintedBare && matches!(kind, Type::Bool | Type::List | Type::Table) {
                    self.diagnostics.push(errors::raw_value(span, name, kind));
                }
                if role != Role::Tested && self.around.is_secret(name) {
                    self.diagnostics.push(errors::secret(span, name));
                }
                self.facts.mentions.push(Mention { input: name.into(), span, role });
            }
            None if scope.may_have(name) || known::GLOBALS.contains(&name) || name == "self" => {}
            None => {
                let known = self.around.names();
                let names = known.into_iter().chain(scope.names()).chain(known::GLOBALS);
                self.diagnostics.push(errors::undefined(span, name, names));
            }
        }
        Guards::name(missing)
    }
}
