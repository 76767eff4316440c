//! A body cut into parts that know nothing of one another: one behind the other, their outputs are the body's.
//!
//! A body of 64 conditionals has 2^64 outputs and 64 parts of two outputs each. It is cut only where that is certain: no
//! part may set a name that another one reads, except by statements that print nothing, which go with every part that
//! needs them. Whoever asks compares some outputs of the whole body all the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use minijinja::machinery::{CodeGenerator, Instructions, ast};

use super::engine::INLINE;
use super::includes::variables;
use super::{Library, Parsed, Syntax, tree};
use crate::limits::Limits;
use crate::source::Located;

/// Deepest chain of includes that is followed.
const MAX_DEPTH: usize = 8;

/// A conditional of no more ways than these stays whole.
const FEW: u64 = 64;

/// A body and the files that it includes by name.
pub struct Body {
    /// By path; the body itself has none.
    texts: Vec<(String, Arc<Parsed>)>,
}

/// A part of a body.
pub enum Part<'b> {
    /// It says this.
    Raw(&'b str),
    /// It is evaluated.
    Code(Instructions<'b>),
}

/// A condition ahead of a part, and whether it holds there.
type Guard<'a, 'b> = (&'a ast::Expr<'b>, bool);

impl Body {
    /// Gathers a text and what it includes.
    pub fn new(text: &Located, syntax: Syntax, library: &dyn Library, limits: &Limits) -> Body {
        let parsed = |text: &Located| library.templates().parsed(text, syntax, limits);
        let mut body = Body { texts: vec![(String::new(), parsed(text))] };
        let mut at = 0;
        while at < body.texts.len() && body.texts.len() < 1 << MAX_DEPTH {
            let text = body.texts[at].1.clone();
            if let Some(tree) = text.code_tree() {
                let mut found = Found::default();
                found.statement(tree, false);
                for path in found.includes.into_iter().flatten() {
                    let known = body.texts.iter().any(|(p, _)| *p == path);
                    if let Some(text) = library.get(&path).filter(|_| !known) {
                        body.texts.push((path, parsed(&text)));
                    }
                }
            }
            at += 1;
        }
        body
    }

    /// The parts; `None` when it cannot be cut, or when cutting it is of no use.
    pub fn parts(&self) -> Option<Vec<Part<'_>>> {
        let texts = self.texts.iter();
        let trees: Vec<(&str, &ast::Stmt<'_>)> =
            texts.map(|(path, text)| Some((path.as_str(), text.code_tree()?))).collect::<Option<_>>()?;
        let mut cut = Cut { trees: &trees, definitions: Vec::new(), parts: Vec::new() };
        if cut.ways(trees[0].1, 0) <= FEW {
            return None;
        }
        cut.statement(trees[0].1, &mut Vec::new(), 0)?;
        Some(cut.parts)
    }
}

struct Cut<'a, 'b> {
    trees: &'a [(&'b str, &'b ast::Stmt<'b>)],
    /// Statements that print nothing, and the names that they set and read.
    definitions: Vec<(&'a ast::Stmt<'b>, BTreeSet<&'b str>, Found<'b>)>,
    parts: Vec<Part<'b>>,
}

impl<'a, 'b> Cut<'a, 'b> {
    /// At most how many ways there are through a statement, its conditionals taken to be independent.
    fn ways(&self, statement: &ast::Stmt<'b>, depth: usize) -> u64 {
        let all = |list: &[ast::Stmt<'b>]| list.iter().fold(1u64, |n, s| n.saturating_mul(self.ways(s, depth)));
        match statement {
            ast::Stmt::Template(s) => all(&s.children),
            ast::Stmt::IfCond(s) => all(&s.true_body).saturating_add(all(&s.false_body)),
            ast::Stmt::EmitExpr(s) => {
                if matches!(s.expr, ast::Expr::IfExpr(_)) {
                    2
                } else {
                    1
                }
            }
            ast::Stmt::ForLoop(s) => all(&s.body),
            ast::Stmt::WithBlock(s) => all(&s.body),
            ast::Stmt::Include(s) => match self.included(&s.name) {
                Some(tree) if depth < MAX_DEPTH => self.ways(tree, depth + 1),
                _ => 1,
            },
            _ => 1,
        }
    }

    /// The file that an include names, if the name is written out.
    fn included(&self, name: &ast::Expr<'b>) -> Option<&'a ast::Stmt<'b>> {
        let ast::Expr::Const(constant) = name else { return None };
        let path = constant.value.as_str()?;
        self.trees.iter().find(|(known, _)| *known == path).map(|(_, tree)| *tree)
    }

    fn statements(&mut self, list: &'a [ast::Stmt<'b>], guards: &mut Vec<Guard<'a, 'b>>, depth: usize) -> Option<()> {
        list.iter().try_for_each(|statement| self.statement(statement, guards, depth))
    }

    fn statement(&mut self, statement: &'a ast::Stmt<'b>, guards: &mut Vec<Guard<'a, 'b>>, depth: usize) -> Option<()> {
        match statement {
            ast::Stmt::Template(s) => return self.statements(&s.children, guards, depth),
            ast::Stmt::EmitRaw(s) if guards.is_empty() => {
                self.parts.push(Part::Raw(s.raw));
                return Some(());
            }
            ast::Stmt::IfCond(s) if self.ways(statement, depth) > FEW => {
                for (holds, body) in [(true, &s.true_body), (false, &s.false_body)] {
                    guards.push((&s.expr, holds));
                    self.statements(body, guards, depth)?;
                    guards.pop();
                }
                return Some(());
            }
            ast::Stmt::Include(s) if self.ways(statement, depth) > FEW => {
                return self.statement(self.included(&s.name)?, guards, depth + 1);
            }
            ast::Stmt::Set(_)
            | ast::Stmt::SetBlock(_)
            | ast::Stmt::Macro(_)
            | ast::Stmt::Import(_)
            | ast::Stmt::FromImport(_) => {
                let mut found = Found::default();
                found.statement(statement, false);
                // What is set in a branch, in an included file, or in an object, may be seen from anywhere.
                if !guards.is_empty() || depth > 0 || found.is_opaque() {
                    return None;
                }
                self.definitions.push((statement, targets(statement), found));
                return Some(());
            }
            _ => {}
        }
        let mut found = Found::default();
        found.statement(statement, false);
        if found.sets || found.is_opaque() || !self.includes_are_closed(&found, depth) {
            return None;
        }
        guards.iter().for_each(|(condition, _)| found.names.extend(variables(condition)));
        self.parts.push(Part::Code(self.code(statement, guards, &found)));
        Some(())
    }

    /// Whether nothing that is included sets a name.
    fn includes_are_closed(&self, found: &Found<'b>, depth: usize) -> bool {
        depth <= MAX_DEPTH
            && found.includes.iter().all(|path| {
                let tree = path.as_ref().and_then(|p| self.trees.iter().find(|(known, _)| known == p));
                tree.is_some_and(|(_, tree)| {
                    let mut inner = Found::default();
                    inner.statement(tree, false);
                    !inner.sets && !inner.is_opaque() && self.includes_are_closed(&inner, depth + 1)
                })
            })
    }

    /// Every name that a statement reads, through what it includes.
    fn reads(&self, found: &Found<'b>, depth: usize) -> BTreeSet<&'b str> {
        let mut names = found.names.clone();
        for path in found.includes.iter().flatten().filter(|_| depth <= MAX_DEPTH) {
            if let Some((_, tree)) = self.trees.iter().find(|(known, _)| known == path) {
                let mut inner = Found::default();
                inner.statement(tree, false);
                names.extend(self.reads(&inner, depth + 1));
            }
        }
        names
    }

    /// A statement behind the definitions that it needs, under its guards.
    fn code(&self, statement: &ast::Stmt<'b>, guards: &[Guard<'a, 'b>], found: &Found<'b>) -> Instructions<'b> {
        let mut names = self.reads(found, 0);
        let mut needed: Vec<&ast::Stmt<'b>> = Vec::new();
        for (definition, sets, reads) in self.definitions.iter().rev() {
            if !sets.is_disjoint(&names) {
                needed.push(definition);
                names.extend(self.reads(reads, 0));
            }
        }
        let mut generator = CodeGenerator::new(INLINE, "");
        needed.iter().rev().for_each(|definition| generator.compile_stmt(definition));
        for (condition, holds) in guards {
            generator.compile_expr(condition);
            generator.start_if();
            if !holds {
                generator.start_else();
            }
        }
        generator.compile_stmt(statement);
        guards.iter().for_each(|_| generator.end_if());
        generator.finish().0
    }
}

/// What a statement does besides printing.
#[derive(Default)]
struct Found<'b> {
    /// Names that stand in it, its own among them.
    names: BTreeSet<&'b str>,
    /// Whether it sets a name that is seen behind it.
    sets: bool,
    /// Whether it changes an object, or does what is not known here.
    other: bool,
    /// Files that it includes; `None` for a name that is computed.
    includes: Vec<Option<String>>,
}

impl<'b> Found<'b> {
    fn is_opaque(&self) -> bool {
        self.other || self.includes.contains(&None)
    }

    fn expression(&mut self, expr: &ast::Expr<'b>) {
        self.names.extend(variables(expr));
    }

    fn statements(&mut self, list: &[ast::Stmt<'b>], is_scoped: bool) {
        list.iter().for_each(|statement| self.statement(statement, is_scoped));
    }

    /// `is_scoped` within what keeps its names to itself.
    fn statement(&mut self, statement: &ast::Stmt<'b>, is_scoped: bool) {
        match statement {
            ast::Stmt::Template(s) => self.statements(&s.children, is_scoped),
            ast::Stmt::EmitRaw(_) => {}
            ast::Stmt::EmitExpr(s) => self.expression(&s.expr),
            ast::Stmt::ForLoop(s) => {
                self.expression(&s.iter);
                s.filter_expr.iter().for_each(|e| self.expression(e));
                self.statements(&s.body, true);
                self.statements(&s.else_body, is_scoped);
            }
            ast::Stmt::IfCond(s) => {
                self.expression(&s.expr);
                self.statements(&s.true_body, is_scoped);
                self.statements(&s.false_body, is_scoped);
            }
            ast::Stmt::WithBlock(s) => {
                s.assignments.iter().for_each(|(_, value)| self.expression(value));
                self.statements(&s.body, true);
            }
            ast::Stmt::Set(s) => {
                self.expression(&s.expr);
                self.target(&s.target, is_scoped);
            }
            ast::Stmt::SetBlock(s) => {
                s.filter.iter().for_each(|e| self.expression(e));
                self.statements(&s.body, is_scoped);
                self.target(&s.target, is_scoped);
            }
            ast::Stmt::AutoEscape(s) => {
                self.expression(&s.enabled);
                self.statements(&s.body, is_scoped);
            }
            ast::Stmt::FilterBlock(s) => {
                self.expression(&s.filter);
                self.statements(&s.body, is_scoped);
            }
            ast::Stmt::Import(s) => {
                self.file(&s.expr);
                self.sets |= !is_scoped;
            }
            ast::Stmt::FromImport(s) => {
                self.file(&s.expr);
                self.sets |= !is_scoped;
            }
            ast::Stmt::Include(s) => self.file(&s.name),
            ast::Stmt::Macro(s) => {
                s.defaults.iter().for_each(|e| self.expression(e));
                self.statements(&s.body, true);
                self.sets |= !is_scoped;
            }
            ast::Stmt::CallBlock(s) => {
                self.call(&s.call);
                s.macro_decl.defaults.iter().for_each(|e| self.expression(e));
                self.statements(&s.macro_decl.body, true);
            }
            ast::Stmt::Block(_) | ast::Stmt::Extends(_) | ast::Stmt::Do(_) => self.other = true,
        }
    }

    /// A file whose text sees the names around it.
    fn file(&mut self, name: &ast::Expr<'b>) {
        self.expression(name);
        self.includes.push(match name {
            ast::Expr::Const(constant) => constant.value.as_str().map(str::to_owned),
            _ => None,
        });
    }

    fn call(&mut self, call: &ast::Call<'b>) {
        self.expression(&call.expr);
        tree::arguments(&call.args).for_each(|e| self.expression(e));
    }

    fn target(&mut self, target: &ast::Expr<'b>, is_scoped: bool) {
        match target {
            ast::Expr::Var(_) | ast::Expr::List(_) | ast::Expr::Tuple(_) => self.sets |= !is_scoped,
            _ => self.other = true,
        }
    }
}

/// The names that a definition sets.
fn targets<'b>(statement: &ast::Stmt<'b>) -> BTreeSet<&'b str> {
    match statement {
        ast::Stmt::Set(s) => variables(&s.target),
        ast::Stmt::SetBlock(s) => variables(&s.target),
        ast::Stmt::Macro(s) => BTreeSet::from([s.name]),
        ast::Stmt::Import(s) => variables(&s.name),
        ast::Stmt::FromImport(s) => {
            s.names.iter().flat_map(|(name, alias)| variables(alias.as_ref().unwrap_or(name))).collect()
        }
        _ => BTreeSet::new(),
    }
}
