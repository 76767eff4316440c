//! Tokens to a tree: one function a line of the grammar.

mod comparison;

use std::ops::Range;

use super::errors::comparison::{capital_bool, none};
use super::errors::{syntax as errors, too_deep, too_many_terms};
use super::lexer::{Fault, Lexeme, Lexer, Token};
use super::{Expr, Use};
use crate::limits::Limits;
use crate::source::{Located, Span, Spanned};

/// Reads a whole text. Stops at the first fault, so the work is bounded by the limits and not by the text.
pub(super) fn parse(text: &Located, r#use: Use, limits: &Limits) -> Result<Expr, Fault> {
    let mut lexer = Lexer::new(text);
    let next = lexer.next()?;
    if next.token == Token::End {
        return Err(errors::empty(text.whole_span()));
    }
    let mut parser = Parser { text, lexer, next, r#use, limits, depth: 0, terms: 0 };
    let expr = parser.iff()?;
    parser.end()?;
    Ok(expr)
}

struct Parser<'a> {
    text: &'a Located,
    lexer: Lexer<'a>,
    next: Lexeme<'a>,
    r#use: Use,
    limits: &'a Limits,
    depth: usize,
    terms: usize,
}

impl<'a> Parser<'a> {
    /// Nested to the right, which says the same as to the left, so that the depth is counted before it is descended.
    fn iff(&mut self) -> Result<Expr, Fault> {
        let left = self.implies()?;
        if !self.at_word("iff") {
            return Ok(left);
        }
        self.deeper()?;
        self.constraint_word()?;
        let right = self.iff()?;
        self.depth -= 1;
        Ok(Expr::Iff(Box::new(left), Box::new(right)))
    }

    fn implies(&mut self) -> Result<Expr, Fault> {
        let left = self.or()?;
        if !self.at_word("implies") {
            return Ok(left);
        }
        self.deeper()?;
        self.constraint_word()?;
        let right = self.implies()?;
        self.depth -= 1;
        Ok(Expr::Implies(Box::new(left), Box::new(right)))
    }

    fn or(&mut self) -> Result<Expr, Fault> {
        let first = self.and()?;
        if !self.at_word("or") {
            return Ok(first);
        }
        let mut parts = or_parts(first);
        while self.at_word("or") {
            self.bump()?;
            parts.append(&mut or_parts(self.and()?));
        }
        Ok(Expr::Or(parts))
    }

    fn and(&mut self) -> Result<Expr, Fault> {
        let first = self.not()?;
        if !self.at_word("and") {
            return Ok(first);
        }
        let mut parts = and_parts(first);
        while self.at_word("and") {
            self.bump()?;
            parts.append(&mut and_parts(self.not()?));
        }
        Ok(Expr::And(parts))
    }

    fn not(&mut self) -> Result<Expr, Fault> {
        if !self.at_word("not") {
            return self.operand();
        }
        self.deeper()?;
        self.bump()?;
        let inner = self.not()?;
        self.depth -= 1;
        Ok(Expr::Not(Box::new(inner)))
    }

    fn operand(&mut self) -> Result<Expr, Fault> {
        let range = self.next.range.clone();
        match &self.next.token {
            Token::Open => self.parentheses(),
            Token::Name("exactly_one") => self.exactly_one(),
            Token::Name(word @ ("true" | "false")) => {
                let value = *word == "true";
                self.term()?;
                self.bump()?;
                self.no_literal_on_the_left(&range)?;
                Ok(Expr::Const(value))
            }
            Token::Name(word @ ("and" | "or" | "in" | "is" | "iff" | "implies")) => {
                Err(errors::operator_without_left(self.span(&range), word))
            }
            Token::Name(word @ ("True" | "False")) => Err(capital_bool(self.span(&range), word)),
            Token::Name(word @ ("none" | "None" | "null" | "nil")) => Err(none(self.span(&range), word, "INPUT")),
            Token::Name(name) => {
                let name = Spanned::new((*name).to_owned(), self.span(&range));
                self.term()?;
                self.bump()?;
                self.test(name)
            }
            Token::Text(_) | Token::Integer(_) => {
                self.bump()?;
                self.no_literal_on_the_left(&range)?;
                Err(errors::literal_alone(self.span(&range), self.slice(&range)))
            }
            Token::End => Err(errors::ends_early(self.span(&range))),
            Token::Close | Token::CloseList | Token::OpenList | Token::Comma | Token::Equal | Token::NotEqual => {
                Err(errors::no_condition_here(self.span(&range), self.slice(&range)))
            }
        }
    }

    fn parentheses(&mut self) -> Result<Expr, Fault> {
        let open = self.span(&self.next.range);
        self.deeper()?;
        self.bump()?;
        let inner = self.iff()?;
        self.close(open)?;
        self.depth -= 1;
        match self.next.token {
            Token::Equal | Token::NotEqual | Token::Name("in" | "is" | "not") => {
                Err(errors::compared_parentheses(self.next_span(), self.next_slice()))
            }
            _ => Ok(inner),
        }
    }

    fn exactly_one(&mut self) -> Result<Expr, Fault> {
        let word = self.next_span();
        self.deeper()?;
        self.constraint_word()?;
        let open = self.next_span();
        if self.next.token != Token::Open {
            return Err(errors::exactly_one_without_parentheses(word));
        }
        self.bump()?;
        let mut parts = vec![self.iff()?];
        while self.next.token == Token::Comma {
            self.bump()?;
            parts.push(self.iff()?);
        }
        self.close(open)?;
        self.depth -= 1;
        Ok(Expr::ExactlyOne(parts))
    }

    fn close(&mut self, open: Span) -> Result<(), Fault> {
        match self.next.token {
            Token::Close => self.bump(),
            Token::End => Err(errors::unclosed(open, "(")),
            _ => Err(self.left_over()),
        }
    }

    fn end(&self) -> Result<(), Fault> {
        match self.next.token {
            Token::End => Ok(()),
            _ => Err(self.left_over()),
        }
    }

    /// What is wrong with a token that stands behind a whole condition.
    fn left_over(&self) -> Fault {
        let (span, found) = (self.next_span(), self.next_slice());
        match self.next.token {
            Token::Close => errors::unopened(span, ")"),
            Token::CloseList => errors::unopened(span, "]"),
            Token::Name("if" | "then" | "else") => errors::choice(span, found),
            Token::Name(word) if matches!(word, "AND" | "OR" | "NOT" | "IN" | "IS" | "IFF" | "IMPLIES") => {
                errors::capital_operator(span, word)
            }
            _ => errors::left_over(span, found),
        }
    }

    fn no_literal_on_the_left(&self, left: &Range<usize>) -> Result<(), Fault> {
        let literal = self.slice(left);
        match self.next.token {
            Token::Equal | Token::NotEqual => {
                // after the sign only for the message: a fault there must not hide this one
                let right = self.lexer.peek_name().unwrap_or("INPUT");
                Err(errors::literal_on_the_left(self.span(left), literal, self.next_slice(), right))
            }
            Token::Name("in" | "not") => Err(errors::literal_in(self.span(left), literal)),
            Token::Name("is") => Err(errors::literal_alone(self.span(left), literal)),
            _ => Ok(()),
        }
    }

    /// Takes a word that only constraints may use.
    fn constraint_word(&mut self) -> Result<(), Fault> {
        match self.r#use {
            Use::Constraint => self.bump(),
            Use::Condition => Err(errors::constraint_word(self.next_span(), self.next_slice())),
        }
    }

    fn deeper(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        let limit = self.limits.expression_depth;
        if self.depth > limit.value { Err(too_deep(self.next_span(), limit)) } else { Ok(()) }
    }

    fn term(&mut self) -> Result<(), Fault> {
        self.terms += 1;
        let limit = self.limits.expression_terms;
        if self.terms > limit.value { Err(too_many_terms(self.next_span(), limit)) } else { Ok(()) }
    }

    fn bump(&mut self) -> Result<(), Fault> {
        self.next = self.lexer.next()?;
        Ok(())
    }

    fn at_word(&self, word: &str) -> bool {
        self.next.token == Token::Name(word)
    }

    fn next_span(&self) -> Span {
        self.span(&self.next.range)
    }

    fn next_slice(&self) -> &'a str {
        self.slice(&self.next.range)
    }

    fn span(&self, range: &Range<usize>) -> Span {
        self.text.span(range.clone())
    }

    fn slice(&self, range: &Range<usize>) -> &'a str {
        &self.text.text[range.clone()]
    }
}

/// The parts of an `And`; nested ones come from parentheses and mean the same without.
fn and_parts(expr: Expr) -> Vec<Expr> {
    match expr {
        Expr::And(parts) => parts,
        other => vec![other],
    }
}

/// The parts of an `Or`.
fn or_parts(expr: Expr) -> Vec<Expr> {
    match expr {
        Expr::Or(parts) => parts,
        other => vec![other],
    }
}
