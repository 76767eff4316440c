//! JSON (RFC 8259).
//!
//! A reader of our own, since serde_json turns an integer past 64 bits into a float, keeps the last of two equal keys,
//! and knows no places: all three would have to be found again in the text.

use std::ops::Range;

use super::{Problems, Stop, Table};
use crate::input::{Value, errors};
use crate::limits::Limits;
use crate::source::{Located, Span, Spanned};

pub(super) fn read(text: &Located, limits: &Limits, problems: &mut Problems) -> Result<Table, Stop> {
    let mut reader = Reader { located: text, text: &text.text, at: 0, limits, problems };
    reader.skip_blanks();
    if reader.peek().is_none() {
        let span = reader.span(reader.at..reader.at);
        return Err(reader.problems.stop(errors::empty_json(span)));
    }
    let start = reader.at;
    let table = if reader.peek() == Some('{') {
        reader.table(1)?
    } else {
        let kind = reader.value(0)?.kind();
        let span = reader.span(start..reader.at);
        return Err(reader.problems.stop(errors::top_level(span, kind)));
    };
    reader.skip_blanks();
    if reader.peek().is_some() {
        return Err(reader.unexpected("the end of the file"));
    }
    Ok(table)
}

struct Reader<'a> {
    located: &'a Located,
    text: &'a str,
    at: usize,
    limits: &'a Limits,
    problems: &'a mut Problems,
}

impl<'a> Reader<'a> {
    /// A value below `depth` lists and tables.
    fn value(&mut self, depth: usize) -> Result<Value, Stop> {
        match self.peek() {
            Some('{') => Ok(self.table(depth + 1)?.into_value()),
            Some('[') => self.list(depth + 1),
            Some('"') => self.string().map(Value::String),
            Some('-' | '0'..='9') => self.number(),
            Some(c) if c.is_alphabetic() => self.word(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn table(&mut self, depth: usize) -> Result<Table, Stop> {
        self.open(depth)?;
        let mut table = Table::default();
        let mut comma = None;
        loop {
            self.skip_blanks();
            if self.close('}', comma) {
                return Ok(table);
            }
            if self.peek() != Some('"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let start = self.at;
            let key = self.string()?;
            let key = Spanned::new(key, self.span(start..self.at));
            self.skip_blanks();
            if !self.take(':') {
                return Err(self.unexpected("`:`"));
            }
            self.skip_blanks();
            let value = self.value(depth)?;
            table.insert(key, value, self.problems);
            comma = self.comma('}')?;
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Stop> {
        self.open(depth)?;
        let mut items = Vec::new();
        let mut comma = None;
        loop {
            self.skip_blanks();
            if self.close(']', comma) {
                return Ok(Value::List(items));
            }
            items.push(self.value(depth)?);
            comma = self.comma(']')?;
        }
    }

    fn open(&mut self, depth: usize) -> Result<(), Stop> {
        let start = self.at;
        self.bump();
        let limit = self.limits.data_depth;
        if depth > limit.value {
            let span = self.span(start..self.at);
            return Err(self.problems.stop(errors::too_deep(span, limit)));
        }
        Ok(())
    }

    /// Takes the closing bracket if it is there. A comma before it is an error that leaves no doubt.
    fn close(&mut self, bracket: char, comma: Option<usize>) -> bool {
        let closed = self.take(bracket);
        if closed && let Some(comma) = comma {
            let span = self.span(comma..comma + 1);
            self.problems.push(errors::trailing_comma(span));
        }
        closed
    }

    /// The place of the comma after an item; none when the bracket follows.
    fn comma(&mut self, bracket: char) -> Result<Option<usize>, Stop> {
        self.skip_blanks();
        let start = self.at;
        if self.take(',') {
            return Ok(Some(start));
        }
        if self.peek() == Some(bracket) {
            return Ok(None);
        }
        Err(self.unexpected(if bracket == '}' { "`,` or `}`" } else { "`,` or `]`" }))
    }

    fn word(&mut self) -> Result<Value, Stop> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.bump();
        }
        match &self.text[start..self.at] {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            word => {
                let span = self.span(start..self.at);
                self.problems.push(errors::json_word(span, word));
                Ok(Value::Null)
            }
        }
    }

    fn number(&mut self) -> Result<Value, Stop> {
        let start = self.at;
        self.take('-');
        let digits = self.at;
        self.digits()?;
        if self.text[digits..self.at].len() > 1 && self.text[digits..].starts_with('0') {
            let span = self.span(start..self.at);
            self.problems.push(errors::syntax(span, "JSON", "a number that begins with 0").label("remove the zero"));
        }
        let mut integer = true;
        if self.take('.') {
            integer = false;
            self.digits()?;
        }
        if self.take('e') || self.take('E') {
            integer = false;
            _ = self.take('+') || self.take('-');
            self.digits()?;
        }
        if self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.') {
            return Err(self.unexpected("the end of the number"));
        }
        let (text, span) = (&self.text[start..self.at], self.span(start..self.at));
        if integer {
            return Ok(text.parse().map(Value::Integer).unwrap_or_else(|_| {
                self.problems.push(errors::integer_too_large(span, text));
                Value::Null
            }));
        }
        Ok(match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => {
                self.problems.push(errors::not_finite(span, text));
                Value::Null
            }
        })
    }

    fn digits(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.bump();
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<String, Stop> {
        let start = self.at;
        self.bump();
        let mut out = String::new();
        loop {
            let at = self.at;
            match self.bump() {
                Some('"') => return Ok(out),
                Some('\\') => out.push(self.escape(at)?),
                None | Some('\n') => {
                    let span = self.span(start..at);
                    let problem = errors::syntax(span, "JSON", "a string without its closing quote");
                    return Err(self
                        .problems
                        .stop(problem.label("the string begins here").help("write `\\n` for a line end")));
                }
                Some(c) if c < ' ' => {
                    let span = self.span(at..self.at);
                    let problem = errors::syntax(span, "JSON", "a control character in a string");
                    self.problems.push(problem.help(format!("write `\\u{:04x}`", u32::from(c))));
                }
                Some(c) => out.push(c),
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<char, Stop> {
        Ok(match self.bump() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(start),
            _ => {
                let span = self.span(start..self.at);
                return Err(self.problems.stop(errors::syntax(span, "JSON", "an unknown escape")));
            }
        })
    }

    /// The rest of `\uXXXX`, and the second half of a surrogate pair with it.
    fn unicode(&mut self, start: usize) -> Result<char, Stop> {
        let mut unit = self.hex(start)?;
        if (0xd800..0xdc00).contains(&unit) && self.text[self.at..].starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            let low = self.hex(before)?;
            if (0xdc00..0xe000).contains(&low) {
                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            } else {
                self.at = before;
            }
        }
        Ok(char::from_u32(unit).unwrap_or_else(|| {
            let span = self.span(start..self.at);
            self.problems.push(errors::syntax(span, "JSON", "half of a surrogate pair").label("not a character"));
            char::REPLACEMENT_CHARACTER
        }))
    }

    fn hex(&mut self, start: usize) -> Result<u32, Stop> {
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|d| u32::from_str_radix(d, 16).ok()) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => {
                let span = self.span(start..self.at);
                let problem = errors::syntax(span, "JSON", "an escape without four hexadecimal digits");
                Err(self.problems.stop(problem))
            }
        }
    }

    fn skip_blanks(&mut self) {
        let blanks = self.text[self.at..].bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.at += blanks;
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += if there { c.len_utf8() } else { 0 };
        there
    }

    fn unexpected(&mut self, expected: &str) -> Stop {
        let rest = &self.text[self.at..];
        let found = rest.chars().next();
        let span = self.span(self.at..self.at + found.map_or(0, char::len_utf8));
        let problem = match found {
            Some('#') => errors::json_comment(span),
            Some('/') if rest.starts_with("//") || rest.starts_with("/*") => errors::json_comment(span),
            Some('\'') => errors::json_quote(span),
            _ => errors::expected(span, "JSON", expected, found),
        };
        self.problems.stop(problem)
    }

    fn span(&self, range: Range<usize>) -> Span {
        self.located.span(range)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::input::data::Format::Json;
    use crate::input::data::tests::{messages, value};

    #[test]
    fn every_kind_of_value_is_read() {
        let text = r#" { "s" : "a\"\\\/\b\f\n\t\u00e9\ud83d\ude00\r\n", "n":-0, "big":-9223372036854775808, "f":1.0,
            "e":1E2, "b":[true,false,null,[],{}] } "#;
        let want = r#"{"b":[true,false,null,[],{}],"big":-9223372036854775808,"e":100.0,"f":1.0,"n":0,"#.to_owned()
            + r#""s":"a\"\\/\b\f\n\té😀\n"}"#;
        assert_eq!(value(text, Json), want);
        assert_eq!(value("{}", Json), "{}");
    }

    #[test]
    fn line_ends_are_cleaned_in_keys_and_strings() {
        assert_eq!(value(r#"{"a\r\nb": ["x\ry\r\n"]}"#, Json), r#"{"a\nb":["x\ny\n"]}"#);
        assert_eq!(messages(r#"{"a\r": 1, "a\n": 2}"#, Json), ["1:12-17 the key `a\\n` is given twice"]);
    }

    #[test]
    fn duplicates_and_numbers_are_told_together() {
        let text = "{\"a\": 1,\n \"a\": 2,\n \"b\": {\"c\": 9223372036854775808, \"c\": -1e999},\n \"l\": [NaN, 01, \"\\ud800x\"]}";
        let want = [
            "2:2-5 the key `a` is given twice",
            "3:13-32 the integer `9223372036854775808` does not fit in 64 bits",
            "3:34-37 the key `c` is given twice",
            "3:39-45 `-1e999` is not a finite number",
            "4:8-11 invalid JSON: unknown word `NaN`",
            "4:13-15 invalid JSON: a number that begins with 0",
            "4:18-24 invalid JSON: half of a surrogate pair",
        ];
        assert_eq!(messages(text, Json), want);
    }

    #[test]
    fn syntax_errors_say_what_was_expected() {
        for (text, want) in [
            ("", "1:1-1 invalid JSON: the file is empty"),
            ("  \n", "2:1-1 invalid JSON: the file is empty"),
            ("[1]", "1:1-4 the top level is a list, not a table"),
            ("\"x\"", "1:1-4 the top level is a string, not a table"),
            ("{} x", "1:4-5 invalid JSON: expected the end of the file, found `x`"),
            ("{\"a\" 1}", "1:6-7 invalid JSON: expected `:`, found `1`"),
            ("{\"a\": }", "1:7-8 invalid JSON: expected a value, found `}`"),
            ("{\"a\": 1", "1:8-8 invalid JSON: expected `,` or `}`, found the end of the file"),
            ("{\"a\": [1 2]}", "1:10-11 invalid JSON: expected `,` or `]`, found `2`"),
            ("{\"a\": [1,],}", "1:9-10 invalid JSON: a comma before a closing bracket"),
            ("{a: 1}", "1:2-3 invalid JSON: expected a key in double quotes, found `a`"),
            ("{'a': 1}", "1:2-3 invalid JSON: a string in single quotes"),
            ("{\"a\": 1.}", "1:9-10 invalid JSON: expected a digit, found `}`"),
            ("{\"a\": 1.5x}", "1:10-11 invalid JSON: expected the end of the number, found `x`"),
            ("{\"a\": 1_000}", "1:8-9 invalid JSON: expected the end of the number, found `_`"),
            ("{\"a\": \"x\n\"}", "1:7-9 invalid JSON: a string without its closing quote"),
            ("{\"a\": \"\t\"}", "1:8-9 invalid JSON: a control character in a string"),
            ("{\"a\": \"\\x\"}", "1:8-10 invalid JSON: an unknown escape"),
            ("{\"a\": \"\\u12\"}", "1:8-10 invalid JSON: an escape without four hexadecimal digits"),
            ("{ // x\n}", "1:3-4 invalid JSON: a comment"),
            ("# x\n{}", "1:1-2 invalid JSON: a comment"),
            ("{\"a\": 系}", "1:7-8 invalid JSON: unknown word `系`"),
            ("{\"a\": \u{a0}1}", "1:7-8 invalid JSON: expected a value, found `\\u{a0}`"),
        ] {
            assert_eq!(messages(text, Json)[0], want, "{text}");
        }
    }

    #[test]
    fn nesting_ends_at_64_levels() {
        let text = |n: usize| format!("{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n));
        value(&text(63), Json);
        assert_eq!(messages(&text(64), Json), ["1:69-70 values are nested more than 64 levels deep"]);
        assert_eq!(messages(&text(1_000_000), Json).len(), 1);
    }

    proptest! {
        /// serde_json as the judge: it accepts what we accept, with the same value, and we refuse for reasons of our
        /// own only what it lets pass.
        #[test]
        fn serde_json_agrees(parts in prop::collection::vec(prop::sample::select(&[
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "1", "-", "0", "1.5", "e2", "9223372036854775808", "true", "null",
            " ", "\n", "\"", "\\", "u", "d800", "\\n", "é", "\"a\":1", "\"b\":[", "\u{1}",
        ][..]), 0..12)) {
            let text = format!("{{{}}}", parts.concat());
            let ours = messages(&text, Json);
            match serde_json::from_str::<serde_json::Value>(&text) {
                Ok(theirs) if ours.is_empty() => prop_assert_eq!(serde_json::to_string(&theirs).unwrap(), value(&text, Json)),
                Ok(_) => prop_assert!(ours.iter().all(|m| m.contains("given twice") || m.contains("64 bits")), "{text}: {ours:?}"),
                Err(_) => prop_assert!(!ours.is_empty(), "{text}"),
            }
        }
    }
}
