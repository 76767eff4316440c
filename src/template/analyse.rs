//! Which inputs a body reads, as written: a walk over the syntax tree through every include, import and macro.
//!
//! Nothing is rendered here. A name in a branch that cannot be reached counts as read, because the author wrote it. On the
//! way it finds what the values will do: optional inputs that are touched without asking, foreign text that is printed as
//! it comes.

mod expressions;
mod guards;
mod markup;
mod taint;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use minijinja::machinery::{Span as TreeSpan, ast};

use self::markup::Markup;
use super::includes::{self, Branch};
use super::parsed::Unreadable;
use super::scope::{MacroId, Origin, Scope};
use super::{Enclosure, Facts, Library, Print, Role, Surroundings, Syntax, errors, tree};
use crate::diag::{Bounded, Diagnostic};
use crate::limits::Limits;
use crate::source::{Located, Span};

/// Parts that one evaluation of an include's name counts for.
const EVALUATION: usize = 8;

/// What was found in a template.
#[derive(Default, Debug)]
pub struct Analysis {
    /// What it does with its inputs.
    pub facts: Facts,
    /// All that is wrong with its names.
    pub found: Vec<Diagnostic>,
}

/// Reads a template: what it mentions, and all that is wrong with its names.
pub fn analyse(
    text: &Located,
    syntax: Syntax,
    library: &dyn Library,
    around: &dyn Surroundings,
    limits: &Limits,
) -> Arc<Analysis> {
    if let Some(known) = library.templates().analysed(text, syntax, around.digest()) {
        return known;
    }
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
        markup: Markup::default(),
        prints: Vec::new(),
        macros: BTreeMap::new(),
        in_macro: false,
        asks_for_values: false,
        watches: around.has_foreign(),
    };
    walk.file(text, Scope::default());
    walk.facts.prints = walk.prints.into_iter().filter_map(Spill::print).collect();
    let is_known = !walk.asks_for_values;
    let found = Arc::new(Analysis { facts: walk.facts, found: walk.diagnostics.into_list(|_| {}) });
    if is_known {
        library.templates().remember(text, syntax, around.digest(), &found);
    }
    found
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
    /// The text so far.
    markup: Markup,
    /// Foreign text that is printed as it comes.
    prints: Vec<Spill>,
    /// What macros print of their arguments.
    macros: BTreeMap<MacroId, Known>,
    /// Whether a macro is being read: what is certain where it is called is not known.
    in_macro: bool,
    /// Whether something hangs on which values can occur together.
    asks_for_values: bool,
    /// Whether there is foreign text at all.
    watches: bool,
}

/// Foreign text that is printed as it comes.
struct Spill {
    origins: BTreeSet<Origin>,
    span: Span,
    inside: Option<Enclosure>,
}

/// A macro that was read.
struct Known {
    arguments: Vec<String>,
    spilled: Vec<Spilled>,
}

/// An argument that a macro prints as it comes, and in what it stands there.
struct Spilled {
    argument: usize,
    inside: Option<Enclosure>,
}

impl Spill {
    fn print(self) -> Option<Print> {
        let input = |origin| match origin {
            Origin::Input(name) => Some(name),
            Origin::Argument(_) => None,
        };
        let inputs: Vec<_> = self.origins.into_iter().filter_map(input).collect();
        (!inputs.is_empty()).then_some(Print { inputs, span: self.span, inside: self.inside })
    }
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
        let Walk { library, syntax, limits, .. } = self;
        let parsed = library.templates().parsed(text, *syntax, limits);
        match parsed.tree() {
            Ok(tree) => self.statement(tree, &mut scope, &mut Vec::new(), &Here { text }),
            Err(Unreadable::TooLarge(place)) => {
                self.diagnostics.push(errors::tag_too_large(text.span(place.clone()), self.limits.template_terms));
            }
            Err(Unreadable::Syntax(error)) => self.diagnostics.push(errors::syntax(text, error)),
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
                _ => scope.size(),
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
            ast::Stmt::EmitRaw(s) if self.watches => self.markup.text(s.raw, &mut self.prints),
            ast::Stmt::EmitRaw(_) => {}
            ast::Stmt::EmitExpr(s) => {
                _ = self.expression(&s.expr, Role::PrintedBare, scope, here);
                self.print(&s.expr, here.text.span(tree::range(&s.expr)), scope);
            }
            ast::Stmt::ForLoop(s) => self.for_loop(s, scope, branches, here),
            ast::Stmt::IfCond(s) => self.condition(s, scope, branches, here),
            ast::Stmt::WithBlock(s) => {
                let mut inner = scope.clone();
                for (target, value) in &s.assignments {
                    self.expression(value, Role::Used, &inner, here);
                    let origins = self.origins(value, &inner);
                    assign_from(target, &origins, &mut inner);
                }
                self.statements(&s.body, &mut inner, branches, here);
            }
            ast::Stmt::Set(s) => {
                self.expression(&s.expr, Role::Used, scope, here);
                let origins = self.origins(&s.expr, scope);
                self.target(&s.target, &origins, scope, here);
            }
            ast::Stmt::SetBlock(s) => {
                self.statements(&s.body, &mut scope.clone(), branches, here);
                self.optional(s.filter.as_ref(), scope, here);
                // What it holds was looked at where it is made.
                self.target(&s.target, &BTreeSet::new(), scope, here);
            }
            ast::Stmt::AutoEscape(s) => {
                self.expression(&s.enabled, Role::Used, scope, here);
                self.statements(&s.body, &mut scope.clone(), branches, here);
            }
            ast::Stmt::FilterBlock(s) => {
                self.expression(&s.filter, Role::Used, scope, here);
                let before = self.prints.len();
                self.statements(&s.body, &mut scope.clone(), branches, here);
                if taint::closes(&s.filter) {
                    self.prints.truncate(before);
                }
            }
            ast::Stmt::Block(s) => {
                let mut inner = scope.clone();
                inner.assign("super");
                self.statements(&s.body, &mut inner, branches, here);
            }
            ast::Stmt::Import(s) => {
                let path = self.imported(&s.expr, branches, here);
                assign(&s.name, scope);
                if let ast::Expr::Var(name) = &s.name {
                    scope.name_macro(format!("{}.", name.id), (path, String::new()));
                }
            }
            ast::Stmt::FromImport(s) => self.import_names(s, scope, branches, here),
            ast::Stmt::Extends(s) => _ = self.library_file(&s.name, false, scope, branches, here),
            ast::Stmt::Include(s) => _ = self.library_file(&s.name, s.ignore_missing, scope, branches, here),
            ast::Stmt::Macro(s) => {
                scope.assign(s.name);
                scope.name_macro(s.name.to_owned(), self.macro_id(s.name));
                self.macro_body(s, scope, branches, here);
            }
            ast::Stmt::CallBlock(s) => {
                self.call(&s.call, scope, here);
                self.print_call(&s.call, here.span(s.call.span()), scope);
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

    fn for_loop<'t>(
        &mut self,
        s: &'t ast::ForLoop<'t>,
        scope: &Scope,
        branches: &mut Vec<Branch<'t>>,
        here: &Here<'_>,
    ) {
        let guards = self.expression(&s.iter, Role::Used, scope, here);
        let mut inner = scope.clone();
        inner.define(guards.touched());
        assign_from(&s.target, &self.origins(&s.iter, scope), &mut inner);
        inner.assign("loop");
        self.optional(s.filter_expr.as_ref(), &inner, here);
        self.statements(&s.body, &mut inner, branches, here);
        self.statements(&s.else_body, &mut scope.clone(), branches, here);
    }

    fn condition<'t>(
        &mut self,
        s: &'t ast::IfCond<'t>,
        scope: &mut Scope,
        branches: &mut Vec<Branch<'t>>,
        here: &Here<'_>,
    ) {
        let guards = self.decides(&s.expr, scope, here);
        let (mut then, mut otherwise) = (scope.clone(), scope.clone());
        then.define(guards.yes);
        otherwise.define(guards.no);
        branches.push(Branch { condition: &s.expr, holds: true });
        self.statements(&s.true_body, &mut then, branches, here);
        branches.pop();
        branches.push(Branch { condition: &s.expr, holds: false });
        self.statements(&s.false_body, &mut otherwise, branches, here);
        branches.pop();
        *scope = then.join(otherwise);
    }

    fn import_names<'t>(
        &mut self,
        s: &'t ast::FromImport<'t>,
        scope: &mut Scope,
        branches: &[Branch<'t>],
        here: &Here<'_>,
    ) {
        let path = self.imported(&s.expr, branches, here);
        for (name, alias) in &s.names {
            let own = alias.as_ref().unwrap_or(name);
            assign(own, scope);
            if let (ast::Expr::Var(name), ast::Expr::Var(own)) = (name, own) {
                scope.name_macro(own.id.to_owned(), (path.clone(), name.id.to_owned()));
            }
        }
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
        for (place, arg) in declared.args.iter().enumerate() {
            assign_from(arg, &BTreeSet::from([Origin::Argument(place)]), &mut inner);
        }
        let outer = std::mem::take(&mut self.markup);
        let before = std::mem::take(&mut self.prints);
        let was_in_macro = std::mem::replace(&mut self.in_macro, true);
        self.statements(&declared.body, &mut inner, branches, here);
        self.in_macro = was_in_macro;
        self.markup = outer;
        let prints = std::mem::replace(&mut self.prints, before);
        let mut known = Known { arguments: Vec::new(), spilled: Vec::new() };
        known.arguments.extend(declared.args.iter().map(|arg| match arg {
            ast::Expr::Var(name) => name.id.to_owned(),
            _ => String::new(),
        }));
        for mut print in prints {
            let arguments = print.origins.iter().filter_map(|origin| match origin {
                Origin::Argument(argument) => Some(*argument),
                Origin::Input(_) => None,
            });
            known.spilled.extend(arguments.map(|argument| Spilled { argument, inside: print.inside.clone() }));
            print.origins.retain(|origin| matches!(origin, Origin::Input(_)));
            if !print.origins.is_empty() {
                self.prints.push(print);
            }
        }
        self.macros.insert(self.macro_id(declared.name), known);
    }

    /// A macro of the file that is being read.
    fn macro_id(&self, name: &str) -> MacroId {
        (self.stack.last().cloned().unwrap_or_default(), name.to_owned())
    }

    /// Follows an import: its text is not printed, and does not see names of the template. The path, if it is one.
    fn imported<'t>(&mut self, name: &'t ast::Expr<'t>, branches: &[Branch<'t>], here: &Here<'_>) -> String {
        let outer = std::mem::take(&mut self.markup);
        let paths = self.library_file(name, false, &Scope::default(), branches, here);
        self.markup = outer;
        paths.into_iter().next().unwrap_or_default()
    }

    /// Follows an include, import or extends. The paths that it can name.
    fn library_file<'t>(
        &mut self,
        name: &'t ast::Expr<'t>,
        ignore_missing: bool,
        scope: &Scope,
        branches: &[Branch<'t>],
        here: &Here<'_>,
    ) -> Vec<String> {
        let span = here.span(name.span());
        self.expression(name, Role::Used, scope, here);
        let names: BTreeSet<&str> = includes::variables(name);
        if let Some(open) = names.iter().find(|n| scope.may_have(n) || !self.around.is_countable(n)) {
            // Names that are nothing at all are told as such.
            if scope.may_have(open) || self.around.kind(open).is_some() {
                self.diagnostics.push(errors::open_include(span, open, scope.may_have(open)));
            }
            return Vec::new();
        }
        self.asks_for_values |= !(names.is_empty() && branches.is_empty());
        let found = includes::targets(&here.text.text, name, &names, branches, scope, self.around, self.limits);
        let found = match found {
            Ok(found) => found,
            Err(problem) => {
                self.diagnostics.push(errors::include_name(span, &problem));
                return Vec::new();
            }
        };
        let mut entered = Vec::new();
        let mut missing: BTreeSet<&str> = BTreeSet::new();
        if !self.goes_on(found.evaluations.saturating_mul(EVALUATION), span) {
            return Vec::new();
        }
        for target in &found.targets {
            self.facts.asked.extend(target.paths.iter().cloned());
            let problem = target.paths.iter().find_map(|path| self.library.problem(path, span));
            if let Some(problem) = problem {
                self.diagnostics.push(problem);
                continue;
            }
            let file = target.paths.iter().find_map(|path| Some((path, self.library.get(path)?)));
            match file {
                Some((path, text)) => {
                    self.enter(path, &text, scope, span);
                    entered.push(path.clone());
                }
                None if target.occurs && !ignore_missing => missing.extend(target.paths.iter().map(String::as_str)),
                None => {}
            }
        }
        for path in missing {
            self.diagnostics.push(errors::missing_include(span, path));
        }
        entered
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
    fn target(&mut self, target: &ast::Expr<'_>, origins: &BTreeSet<Origin>, scope: &mut Scope, here: &Here<'_>) {
        match target {
            ast::Expr::GetAttr(e) => {
                self.expression(&e.expr, Role::Used, scope, here);
                if let ast::Expr::Var(name) = &e.expr {
                    scope.taint(name.id, origins.clone());
                }
            }
            _ => assign_from(target, origins, scope),
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
}

fn assign(target: &ast::Expr<'_>, scope: &mut Scope) {
    assign_from(target, &BTreeSet::new(), scope);
}

fn assign_from(target: &ast::Expr<'_>, origins: &BTreeSet<Origin>, scope: &mut Scope) {
    match target {
        ast::Expr::Var(e) => {
            scope.assign(e.id);
            scope.taint(e.id, origins.clone());
        }
        ast::Expr::List(e) => e.items.iter().for_each(|x| assign_from(x, origins, scope)),
        ast::Expr::Tuple(e) => e.items.iter().for_each(|x| assign_from(x, origins, scope)),
        _ => {}
    }
}
