//! What may stand behind the name of an input.

use super::Parser;
use crate::expr::errors::comparison as errors;
use crate::expr::errors::syntax::unclosed;
use crate::expr::lexer::{Fault, Token};
use crate::expr::{Expr, Literal, is_reserved};
use crate::source::Spanned;

impl Parser<'_> {
    /// What is asked about an input whose name was just read.
    pub(super) fn test(&mut self, name: Spanned<String>) -> Result<Expr, Fault> {
        let expr = match self.next.token {
            Token::Equal | Token::NotEqual => {
                let negated = self.next.token == Token::NotEqual;
                let sign = if negated { "!=" } else { "==" };
                self.bump()?;
                let literal = self.literal(&name, sign)?;
                Expr::OneOf { name, literals: vec![literal], negated }
            }
            Token::Name("is") => self.defined(name)?,
            Token::Name("in") => {
                self.bump()?;
                let literals = self.list(&name)?;
                Expr::OneOf { name, literals, negated: false }
            }
            Token::Name("not") => {
                let not = self.next_span();
                self.bump()?;
                if !self.at_word("in") {
                    return Err(errors::not_without_in(not, self.at_word("defined")));
                }
                self.bump()?;
                let literals = self.list(&name)?;
                Expr::OneOf { name, literals, negated: true }
            }
            Token::Open => return Err(errors::call(name.span, &name)),
            Token::OpenList => return Err(errors::subscript(self.next_span(), &name)),
            _ => return Ok(Expr::Truthy(name)),
        };
        match self.next.token {
            Token::Equal | Token::NotEqual | Token::Name("in" | "is" | "not") => {
                Err(errors::chain(self.next_span(), self.next_slice()))
            }
            _ => Ok(expr),
        }
    }

    fn defined(&mut self, name: Spanned<String>) -> Result<Expr, Fault> {
        self.bump()?;
        let negated = self.at_word("not");
        if negated {
            self.bump()?;
        }
        if !self.at_word("defined") {
            return Err(errors::is_without_defined(self.next_span(), &name, negated, self.next_slice()));
        }
        self.bump()?;
        let test = Expr::Defined(name);
        Ok(if negated { Expr::Not(Box::new(test)) } else { test })
    }

    /// One value on the right of a comparison, or in a list.
    fn literal(&mut self, name: &Spanned<String>, sign: &str) -> Result<Spanned<Literal>, Fault> {
        let range = self.next.range.clone();
        let span = self.span(&range);
        let literal = match &mut self.next.token {
            Token::Text(text) => Literal::Text(std::mem::take(text)),
            Token::Integer(number) => Literal::Integer(*number),
            Token::Name(word @ ("true" | "false")) => Literal::Bool(*word == "true"),
            Token::Name(word @ ("True" | "False")) => return Err(errors::capital_bool(span, word)),
            Token::Name(word @ ("none" | "None" | "null" | "nil")) => return Err(errors::none(span, word, name)),
            Token::Name(word @ ("and" | "or" | "not" | "in" | "is" | "iff" | "implies")) => {
                return Err(errors::no_value(span, sign, word));
            }
            Token::Name(word) => {
                let word = *word;
                self.bump()?;
                return Err(match self.next.token {
                    Token::Equal | Token::NotEqual | Token::Name("in" | "is") => {
                        errors::chain(self.next_span(), self.next_slice())
                    }
                    _ => errors::name_on_the_right(span, name, sign, word),
                });
            }
            Token::OpenList if sign != "in" => return Err(errors::list_after_equals(span, name, sign)),
            Token::End => return Err(errors::no_value(span, sign, "")),
            Token::Equal
            | Token::NotEqual
            | Token::Open
            | Token::Close
            | Token::OpenList
            | Token::CloseList
            | Token::Comma => return Err(errors::no_value(span, sign, self.slice(&range))),
        };
        self.term()?;
        self.bump()?;
        Ok(Spanned::new(literal, span))
    }

    /// The list on the right of `in`. A comma may stand after the last value.
    fn list(&mut self, name: &Spanned<String>) -> Result<Vec<Spanned<Literal>>, Fault> {
        let open = self.next_span();
        match &self.next.token {
            Token::OpenList => self.bump()?,
            Token::Name(word) if !is_reserved(word) => return Err(errors::input_after_in(open, name, word)),
            Token::Text(_) | Token::Integer(_) | Token::Name("true" | "false") => {
                return Err(errors::one_value_after_in(open, name, self.next_slice()));
            }
            Token::Open => return Err(errors::tuple_after_in(open)),
            Token::End => return Err(errors::no_list(open, "")),
            _ => return Err(errors::no_list(open, self.next_slice())),
        }
        let mut literals = Vec::new();
        while self.next.token != Token::CloseList {
            if self.next.token == Token::End {
                return Err(unclosed(open, "["));
            }
            literals.push(self.literal(name, "in")?);
            match self.next.token {
                Token::Comma => self.bump()?,
                Token::CloseList | Token::End => {}
                _ => return Err(errors::no_comma(self.next_span(), self.next_slice())),
            }
        }
        self.bump()?;
        Ok(literals)
    }
}
