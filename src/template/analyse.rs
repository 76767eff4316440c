//! Which inputs a body reads, as written: a walk over the syntax tree through every include, import and macro.
//!
//! Nothing is rendered here. A name in a branch that cannot be reached counts as read, because the author wrote it.

use std::collections::BTreeSet;

use minijinja::machinery::{Span as TreeSpan, ast, parse};

use super::engine::syntax_config;
use super::includes::{self, Branch};
use super::scope::Scope;
use super::{Facts, Library, Mention, Role, Surroundings, Syntax, errors, known, size};
use crate::diag::{Bounded, Diagnostic};
use crate::input::Type;
use crate::limits::Limits;
use crate::source::{Located, Span};

/// Reads a template: what it mentions, and all that is wrong with its names.
pub fn analyse(
    text: &Located,
    syntax: Syntax,
    library: &dyn Library,
    around: &dyn Surroundings,
    limits: &Limits,
) -> (Facts, Vec<Diagnostic>) {
    let mut walk = Walk {
        syntax,
        library,
        around,
        limits,
        facts: Facts::default(),
        diagnostics: Bounded::new(limits.messages),
        parts: 0,
        stack: Vec::new(),
        done: BTreeSet::new(),
    };
    walk.file(text, Scope::default());
    (walk.facts, walk.diagnostics.into_list(|_| {}))
}

struct Walk<'a> {
    syntax: Syntax,
    library: &'a dyn Library,
    around: &'a dyn Surroundings,
    limits: &'a Limits,
    facts: Facts,
    diagnostics: Bounded,
    /// Parts that were looked at, names in scope that were copied included.
    parts: usize,
    /// Files being walked, outermost first.
    stack: Vec<String>,
    /// Files walked with the names that were in scope: a second walk would say the same.
    done: BTreeSet<(String, Scope)>,
}

/// The file under the walk.
struct Here<'f> {
    text: &'f Located,
}

impl Here<'_> {
    fn span(&self, span: TreeSpan) -> Span {
        self.text.span(span.start_offset as usize..span.end_offset as usize)
    }
}

impl Walk<'_> {
    fn file(&mut self, text: &Located, mut scope: Scope) {
        if let Some(place) = size::too_large(&text.text, syntax_config(self.syntax), self.limits.template_terms.value) {
            self.diagnostics.push(errors::tag_too_large(text.span(place), self.limits.template_terms));
            return;
        }
        match parse(&text.text, "", syntax_config(self.syntax)) {
            Ok(tree) => self.statement(&tree, &mut scope, &mut Vec::new(), &Here { text }),
            Err(error) => self.diagnostics.push(errors::syntax(text, &error)),
        }
    }

    fn statements<'t>(
        &mut self,
        list: &'t [ast::Stmt<'t>],
        scope: &mut Scope,
        branches: &mut Vec<Branch<'t>>,
        here: &Here<'_>,
    ) {
        // A macro may call one that is defined further on.
        for statement in list {
            if let ast::Stmt::Macro(declared) = statement {
                scope.expect(declared.name);
            }
        }
        for statement in list {
            let copied = match statement {
                ast::Stmt::EmitRaw(_) | ast::Stmt::EmitExpr(_) | ast::Stmt::Set(_) | ast::Stmt::Do(_) => 0,
                _ => scope.names().count(),
            };
            if !self.goes_on(1 + copied, here.text.span(0..0)) {
                return;
            }
            self.statement(statement, scope, branches, here);
        }
    }

    fn statement<'t>(
        &mut self,
        statement: &'t ast::Stmt<'t>,
        scope: &mut Scope,
        branches: &mut Vec<Branch<'t>>,
        here: &Here<'_>,
    ) {
        match statement {
            ast::Stmt::Template(s) => self.statements(&s.children, scope, branches, here),
            ast::Stmt::EmitRaw(_) => {}
            ast::Stmt::EmitExpr(s) => self.expression(&s.expr, Role::PrintedBare, scope, here),
            ast::Stmt::ForLoop(s) => {
                self.expression(&s.iter, Role::Used, scope, here);
                let mut inner = scope.clone();
                assign(&s.target, &mut inner);
                inner.assign("loop");
                self.optional(s.filter_expr.as_ref(), &inner, here);
                self.statements(&s.body, &mut inner, branches, here);
                self.statements(&s.else_body, &mut scope.clone(), branches, here);
            }
            ast::Stmt::IfCond(s) => {
                self.expression(&s.expr, Role::Tested, scope, here);
                let (mut then, mut otherwise) = (scope.clone(), scope.clone());
                branches.push(Branch { condition: &s.expr, holds: true });
                self.statements(&s.true_body, &mut then, branches, here);
                branches.pop();
                branches.push(Branch { condition: &s.expr, holds: false });
                self.statements(&s.false_body, &mut otherwise, branches, here);
                branches.pop();
                *scope = then.join(otherwise);
            }
            ast::Stmt::WithBlock(s) => {
                let mut inner = scope.clone();
                for (target, value) in &s.assignments {
                    self.expression(value, Role::Used, &inner, here);
                    assign(target, &mut inner);
                }
                self.statements(&s.body, &mut inner, branches, here);
            }
            ast::Stmt::Set(s) => {
                self.expression(&s.expr, Role::Used, scope, here);
                self.target(&s.target, scope, here);
            }
            ast::Stmt::SetBlock(s) => {
                self.statements(&s.body, &mut scope.clone(), branches, here);
                self.optional(s.filter.as_ref(), scope, here);
                self.target(&s.target, scope, here);
            }
            ast::Stmt::AutoEscape(s) => {
                self.expression(&s.enabled, Role::Used, scope, here);
                self.statements(&s.body, &mut scope.clone(), branches, here);
            }
            ast::Stmt::FilterBlock(s) => {
                self.expression(&s.filter, Role::Used, scope, here);
                self.statements(&s.body, &mut scope.clone(), branches, here);
            }
            ast::Stmt::Block(s) => {
                let mut inner = scope.clone();
                inner.assign("super");
                self.statements(&s.body, &mut inner, branches, here);
            }
            ast::Stmt::Import(s) => {
                self.library_file(&s.expr, false, &Scope::default(), branches, here);
                assign(&s.name, scope);
            }
            ast::Stmt::FromImport(s) => {
                self.library_file(&s.expr, false, &Scope::default(), branches, here);
                for (name, alias) in &s.names {
                    assign(alias.as_ref().unwrap_or(name), scope);
                }
            }
            ast::Stmt::Extends(s) => self.library_file(&s.name, false, scope, branches, here),
            ast::Stmt::Include(s) => self.library_file(&s.name, s.ignore_missing, scope, branches, here),
            ast::Stmt::Macro(s) => {
                scope.assign(s.name);
                self.macro_body(s, scope, branches, here);
            }
            ast::Stmt::CallBlock(s) => {
                self.call(&s.call, scope, here);
                self.macro_body(&s.macro_decl, scope, branches, here);
            }
            ast::Stmt::Do(s) => self.call(&s.call, scope, here),
        }
    }

    /// Counts what is looked at. False when it is too much, which is told once: includes in includes multiply.
    fn goes_on(&mut self, parts: usize, place: Span) -> bool {
        let limit = self.limits.template_nodes;
        if self.parts > limit.value {
            return false;
        }
        self.parts = self.parts.saturating_add(parts);
        if self.parts > limit.value {
            self.diagnostics.push(errors::too_many_parts(place, limit));
            return false;
        }
        true
    }

    fn macro_body<'t>(
        &mut self,
        declared: &'t ast::Macro<'t>,
        scope: &Scope,
        branches: &mut Vec<Branch<'t>>,
        here: &Here<'_>,
    ) {
        for default in &declared.defaults {
            self.expression(default, Role::Used, scope, here);
        }
        let mut inner = scope.clone();
        inner.assign("caller");
        for arg in &declared.args {
            assign(arg, &mut inner);
        }
        self.statements(&declared.body, &mut inner, branches, here);
    }

    /// Follows an include, import or extends.
    fn library_file<'t>(
        &mut self,
        name: &'t ast::Expr<'t>,
        ignore_missing: bool,
        scope: &Scope,
        branches: &[Branch<'t>],
        here: &Here<'_>,
    ) {
        let span = here.span(name.span());
        self.expression(name, Role::Used, scope, here);
        let names: BTreeSet<&str> = includes::variables(name);
        if let Some(open) = names.iter().find(|n| scope.may_have(n) || !self.around.is_countable(n)) {
            // Names that are nothing at all are told as such.
            if scope.may_have(open) || self.around.kind(open).is_some() {
                self.diagnostics.push(errors::open_include(span, open, scope.may_have(open)));
            }
            return;
        }
        let found = includes::targets(name, &names, branches, scope, self.around, self.limits);
        let found = match found {
            Ok(found) => found,
            Err(problem) => {
                self.diagnostics.push(errors::include_name(span, &problem));
                return;
            }
        };
        let mut missing: BTreeSet<&str> = BTreeSet::new();
        for target in &found {
            let problem = target.paths.iter().find_map(|path| self.library.problem(path, span));
            if let Some(problem) = problem {
                self.diagnostics.push(problem);
                continue;
            }
            let file = target.paths.iter().find_map(|path| Some((path, self.library.get(path)?)));
            match file {
                Some((path, text)) => self.enter(path, &text, scope, span),
                None if target.occurs && !ignore_missing => missing.extend(target.paths.iter().map(String::as_str)),
                None => {}
            }
        }
        for path in missing {
            self.diagnostics.push(errors::missing_include(span, path));
        }
    }

    fn enter(&mut self, path: &str, text: &Located, scope: &Scope, span: Span) {
        self.facts.files.insert(path.to_owned());
        if self.stack.iter().any(|p| p == path) {
            self.diagnostics.push(errors::include_cycle(span, &self.stack, path));
        } else if self.stack.len() >= self.limits.include_depth.value {
            self.diagnostics.push(errors::include_depth(span, self.limits.include_depth));
        } else if self.done.insert((path.to_owned(), scope.clone())) {
            self.stack.push(path.to_owned());
            self.file(text, scope.clone());
            self.stack.pop();
        }
    }

    fn optional(&mut self, expr: Option<&ast::Expr<'_>>, scope: &Scope, here: &Here<'_>) {
        if let Some(expr) = expr {
            self.expression(expr, Role::Used, scope, here);
        }
    }

    /// The left side of `set`: a new name, or an attribute of a namespace.
    fn target(&mut self, target: &ast::Expr<'_>, scope: &mut Scope, here: &Here<'_>) {
        match target {
            ast::Expr::GetAttr(e) => self.expression(&e.expr, Role::Used, scope, here),
            _ => assign(target, scope),
        }
    }

    fn call(&mut self, call: &ast::Call<'_>, scope: &Scope, here: &Here<'_>) {
        self.expression(&call.expr, Role::Used, scope, here);
        self.arguments(&call.args, scope, here);
    }

    fn arguments(&mut self, args: &[ast::CallArg<'_>], scope: &Scope, here: &Here<'_>) {
        for arg in args {
            let (ast::CallArg::Pos(e)
            | ast::CallArg::Kwarg(_, e)
            | ast::CallArg::PosSplat(e)
            | ast::CallArg::KwargSplat(e)) = arg;
            self.expression(e, Role::Used, scope, here);
        }
    }

    fn expression(&mut self, expr: &ast::Expr<'_>, role: Role, scope: &Scope, here: &Here<'_>) {
        // What stands inside another expression is no longer bare; what decides still decides.
        let inner = if role == Role::Tested { Role::Tested } else { Role::Used };
        if !self.goes_on(1, here.span(expr.span())) {
            return;
        }
        match expr {
            ast::Expr::Var(e) => self.name(e.id, here.span(e.span()), role, scope),
            ast::Expr::Const(_) => {}
            ast::Expr::UnaryOp(e) => self.expression(&e.expr, inner, scope, here),
            ast::Expr::BinOp(e) => {
                self.expression(&e.left, inner, scope, here);
                self.expression(&e.right, inner, scope, here);
            }
            ast::Expr::Compare(e) => {
                self.expression(&e.expr, inner, scope, here);
                e.ops.iter().for_each(|op| self.expression(&op.expr, inner, scope, here));
            }
            ast::Expr::IfExpr(e) => {
                self.expression(&e.test_expr, Role::Tested, scope, here);
                self.expression(&e.true_expr, role, scope, here);
                if let Some(other) = &e.false_expr {
                    self.expression(other, role, scope, here);
                }
            }
            ast::Expr::Filter(e) => {
                if let Some(value) = &e.expr {
                    self.expression(value, inner, scope, here);
                }
                if !known::FILTERS.contains(&e.name) {
                    self.diagnostics.push(errors::unknown_filter(here.span(e.span()), e.name));
                }
                self.arguments(&e.args, scope, here);
            }
            ast::Expr::Test(e) => {
                let asks = matches!(e.name, "defined" | "undefined");
                self.expression(&e.expr, if asks { Role::Tested } else { inner }, scope, here);
                let sign = e.name.chars().all(|c| !c.is_alphabetic());
                if !sign && !known::TESTS.contains(&e.name) {
                    self.diagnostics.push(errors::unknown_test(here.span(e.span()), e.name));
                }
                self.arguments(&e.args, scope, here);
            }
            ast::Expr::GetAttr(e) => self.expression(&e.expr, inner, scope, here),
            ast::Expr::GetItem(e) => {
                self.expression(&e.expr, inner, scope, here);
                self.expression(&e.subscript_expr, inner, scope, here);
            }
            ast::Expr::Slice(e) => {
                self.expression(&e.expr, inner, scope, here);
                for part in [&e.start, &e.stop, &e.step] {
                    self.optional(part.as_ref(), scope, here);
                }
            }
            ast::Expr::Call(e) => self.call(e, scope, here),
            ast::Expr::List(e) => e.items.iter().for_each(|x| self.expression(x, inner, scope, here)),
            ast::Expr::Tuple(e) => e.items.iter().for_each(|x| self.expression(x, inner, scope, here)),
            ast::Expr::Map(e) => {
                e.keys.iter().chain(&e.values).for_each(|x| self.expression(x, inner, scope, here));
            }
        }
    }

    fn name(&mut self, name: &str, span: Span, role: Role, scope: &Scope) {
        if scope.hides(name) {
            return;
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
    }
}

fn assign(target: &ast::Expr<'_>, scope: &mut Scope) {
    match target {
        ast::Expr::Var(e) => scope.assign(e.id),
        ast::Expr::List(e) => e.items.iter().for_each(|x| assign(x, scope)),
        ast::Expr::Tuple(e) => e.items.iter().for_each(|x| assign(x, scope)),
        _ => {}
    }
}
