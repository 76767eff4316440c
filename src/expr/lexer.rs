//! Letters to tokens, one at a time.

use std::ops::Range;

use super::errors::syntax as errors;
use crate::diag::Diagnostic;
use crate::source::{Located, Span};

/// A message on its way out, boxed so that results stay small.
pub(super) type Fault = Box<Diagnostic>;

/// The smallest part of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A name or a word; which one, its place decides.
    Name(&'a str),
    Text(String),
    Integer(i64),
    Equal,
    NotEqual,
    Open,
    Close,
    OpenList,
    CloseList,
    Comma,
    End,
}

/// A token and its bytes in the text.
#[derive(Clone, Debug)]
pub(super) struct Lexeme<'a> {
    pub(super) token: Token<'a>,
    pub(super) range: Range<usize>,
}

/// Signs of other languages, longest first, each with what it is taken for.
const FOREIGN: [(&str, Foreign); 38] = [
    ("<=>", Foreign::Write("iff")),
    ("<->", Foreign::Write("iff")),
    ("===", Foreign::Write("==")),
    ("!==", Foreign::Write("!=")),
    ("&&", Foreign::Write("and")),
    ("||", Foreign::Write("or")),
    ("=>", Foreign::Write("implies")),
    ("->", Foreign::Write("implies")),
    ("<>", Foreign::Write("!=")),
    ("<=", Foreign::Order),
    (">=", Foreign::Order),
    ("{{", Foreign::Braces),
    ("}}", Foreign::Braces),
    ("{%", Foreign::Braces),
    ("%}", Foreign::Braces),
    ("${", Foreign::Braces),
    ("//", Foreign::Arithmetic),
    ("**", Foreign::Arithmetic),
    ("&", Foreign::Write("and")),
    ("!", Foreign::Write("not")),
    ("=", Foreign::Write("==")),
    ("|", Foreign::Filter),
    (".", Foreign::Attribute),
    ("<", Foreign::Order),
    (">", Foreign::Order),
    ("+", Foreign::Arithmetic),
    ("-", Foreign::Arithmetic),
    ("*", Foreign::Arithmetic),
    ("/", Foreign::Arithmetic),
    ("%", Foreign::Arithmetic),
    ("~", Foreign::Arithmetic),
    ("?", Foreign::Choice),
    ("`", Foreign::Quote),
    ("‘", Foreign::Quote),
    ("’", Foreign::Quote),
    ("“", Foreign::Quote),
    ("”", Foreign::Quote),
    ("„", Foreign::Quote),
];

/// What a sign is in the language that it comes from.
#[derive(Clone, Copy)]
enum Foreign {
    Write(&'static str),
    Order,
    Braces,
    Arithmetic,
    Filter,
    Attribute,
    Choice,
    Quote,
}

/// Reads tokens off a text.
pub(super) struct Lexer<'a> {
    text: &'a Located,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a Located) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next token; [`Token::End`] from the end on.
    pub(super) fn next(&mut self) -> Result<Lexeme<'a>, Fault> {
        let rest = self.rest();
        let start = self.at + (rest.len() - rest.trim_start().len());
        self.at = start;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Lexeme { token: Token::End, range: start..start });
        };
        let (token, length) = match first {
            '\'' | '"' => self.string(first)?,
            '0'..='9' => self.integer()?,
            '-' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => self.integer()?,
            c if c.is_alphabetic() || c == '_' => self.name()?,
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '[' => (Token::OpenList, 1),
            ']' => (Token::CloseList, 1),
            ',' => (Token::Comma, 1),
            _ if rest.starts_with("==") && !rest.starts_with("===") => (Token::Equal, 2),
            _ if rest.starts_with("!=") && !rest.starts_with("!==") => (Token::NotEqual, 2),
            c => return Err(self.foreign(c)),
        };
        self.at = start + length;
        Ok(Lexeme { token, range: start..self.at })
    }

    /// The name that comes next, if it is one.
    pub(super) fn peek_name(&self) -> Option<&'a str> {
        let mut ahead = Lexer { text: self.text, at: self.at };
        match ahead.next() {
            Ok(Lexeme { token: Token::Name(name), .. }) => Some(name),
            _ => None,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text.text[self.at..]
    }

    /// The place of the next `length` bytes.
    fn span(&self, length: usize) -> Span {
        self.text.span(self.at..self.at + length)
    }

    fn name(&self) -> Result<(Token<'a>, usize), Fault> {
        let rest = self.rest();
        let in_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = &rest[..rest.find(|c| !in_name(c)).unwrap_or(rest.len())];
        let dashed = &rest[..rest.find(|c| !in_name(c) && c != '-').unwrap_or(rest.len())];
        // `a-5` and `a->b` are no names
        let letters_follow_dashes = dashed.split('-').all(|part| part.starts_with(|c: char| c.is_alphabetic()));
        if dashed.len() > name.len() && letters_follow_dashes {
            return Err(errors::dash_in_name(self.span(dashed.len()), dashed));
        }
        Ok((Token::Name(name), name.len()))
    }

    fn integer(&self) -> Result<(Token<'a>, usize), Fault> {
        let rest = self.rest();
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| n + 1);
        let after = &rest[digits..];
        if let Some(fraction) = after.strip_prefix('.') {
            let more = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            if more > 0 {
                return Err(errors::fraction(self.span(digits + 1 + more)));
            }
        }
        let letters = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
        if letters > 0 {
            let all = digits + letters;
            return Err(errors::not_a_number(self.span(all), &rest[..all]));
        }
        match rest[..digits].parse() {
            Ok(number) => Ok((Token::Integer(number), digits)),
            Err(_) => Err(errors::integer_too_large(self.span(digits))),
        }
    }

    fn string(&self, quote: char) -> Result<(Token<'a>, usize), Fault> {
        let rest = self.rest();
        let mut decoded = String::new();
        let mut chars = rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => {
                    let Some((_, escaped)) = chars.next() else { break };
                    decoded.push(match escaped {
                        '\\' | '\'' | '"' => escaped,
                        'n' => '\n',
                        't' => '\t',
                        _ => {
                            let place = self.at + at..self.at + at + 1 + escaped.len_utf8();
                            return Err(errors::unknown_escape(self.text.span(place), escaped));
                        }
                    });
                }
                c if c == quote => return Ok((Token::Text(decoded), at + 1)),
                c => decoded.push(c),
            }
        }
        Err(errors::unclosed_string(self.span(rest.len()), quote))
    }

    fn foreign(&self, first: char) -> Fault {
        let rest = self.rest();
        let Some((sign, meant)) = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign)) else {
            return errors::unknown_character(self.span(first.len_utf8()), first);
        };
        let span = self.span(sign.len());
        match meant {
            Foreign::Write(right) => errors::foreign_operator(span, sign, right),
            Foreign::Order => errors::order(span, sign),
            Foreign::Braces => errors::braces(span, sign),
            Foreign::Arithmetic => errors::arithmetic(span, sign),
            Foreign::Filter => errors::filter(span),
            Foreign::Attribute => errors::attribute(span),
            Foreign::Choice => errors::choice(span, sign),
            Foreign::Quote => errors::typographic_quote(span, sign),
        }
    }
}
