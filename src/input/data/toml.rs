//! TOML, by the crate `toml`.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned as InToml;
use toml::de::{DeInteger, DeTable, DeValue};

use super::{Problems, Stop, Table};
use crate::diag::Diagnostic;
use crate::input::{Value, errors};
use crate::source::{LineIndex, Located, Spanned};

/// Lists and tables within one another, the top level counted. The parser's own bound is close to it, so nobody can
/// raise it.
const DEPTH: usize = 64;

pub(super) fn read(text: &Located, problems: &mut Problems) -> Result<Table, Stop> {
    let (table, failures) = DeTable::parse_recoverable(&text.text);
    let mut reader = Reader { text, lines: LineIndex::new(&text.text), told: BTreeSet::new(), problems };
    reader.syntax(failures);
    reader.table(table.into_inner(), 1)
}

struct Reader<'a> {
    text: &'a Located,
    lines: LineIndex,
    /// Lines with a syntax error: what else seems wrong on them is mostly its echo.
    told: BTreeSet<u32>,
    problems: &'a mut Problems,
}

impl<'a> Reader<'a> {
    /// Tells the parser's errors, of each line the first.
    fn syntax(&mut self, mut failures: Vec<toml::de::Error>) {
        failures.sort_by_key(|f| f.span().map(|s| s.start));
        for failure in failures {
            // Only a dotted key with too many parts has no place.
            let range = failure.span().unwrap_or_else(|| self.longest_key());
            if !self.told.insert(self.lines.line(range.start as u32)) {
                continue;
            }
            let span = self.text.span(range.clone());
            let message = failure.message();
            self.problems.push(if message == "duplicate key" {
                errors::duplicate_key(self.text.text[range].trim_matches(['"', '\'']), span, None)
            } else if message.contains("recur") {
                errors::toml_too_deep(span, DEPTH)
            } else {
                errors::toml_syntax(span, message)
            });
        }
    }

    /// The first line with the dots of a key that is too deep.
    fn longest_key(&self) -> Range<usize> {
        let mut start = 0;
        for line in self.text.text.split('\n') {
            if line.matches('.').count() >= DEPTH {
                return start..start + line.len();
            }
            start += line.len() + 1;
        }
        0..0
    }

    fn table(&mut self, table: DeTable<'_>, depth: usize) -> Result<Table, Stop> {
        let mut out = Table::default();
        for (key, value) in table {
            let span = self.text.span(key.span());
            let value = self.value(value, depth)?;
            out.insert(Spanned::new(key.into_inner().into_owned(), span), value, self.problems);
        }
        Ok(out)
    }

    /// A value below `depth` lists and tables.
    fn value(&mut self, value: InToml<DeValue<'_>>, depth: usize) -> Result<Value, Stop> {
        let range = value.span();
        let span = self.text.span(range.clone());
        let value = value.into_inner();
        let text: &'a Located = self.text;
        let written = &text.text[range.clone()];
        let mut refused = |problem| self.refuse(range.start, problem);
        Ok(match value {
            DeValue::String(s) => Value::String(s.into_owned()),
            DeValue::Boolean(b) => Value::Bool(b),
            DeValue::Integer(n) => integer(&n).unwrap_or_else(|| refused(errors::integer_too_large(span, written))),
            DeValue::Float(n) => match n.as_str().parse::<f64>() {
                Ok(number) if number.is_finite() => Value::Number(number),
                _ => refused(errors::not_finite(span, written)),
            },
            DeValue::Datetime(_) => refused(errors::date(span, written)),
            DeValue::Array(_) | DeValue::Table(_) if depth == DEPTH => {
                refused(errors::toml_too_deep(span, DEPTH));
                return Err(Stop);
            }
            DeValue::Array(items) => {
                Value::List(items.into_iter().map(|item| self.value(item, depth + 1)).collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => self.table(table, depth + 1)?.into_value(),
        })
    }

    fn refuse(&mut self, at: usize, problem: Diagnostic) -> Value {
        if !self.told.contains(&self.lines.line(at as u32)) {
            self.problems.push(problem);
        }
        Value::Null
    }
}

fn integer(n: &DeInteger<'_>) -> Option<Value> {
    i64::from_str_radix(n.as_str(), n.radix()).ok().map(Value::Integer)
}

#[cfg(test)]
mod tests {
    use crate::input::data::Format::Toml;
    use crate::input::data::tests::{messages, value};

    #[test]
    fn every_kind_of_value_is_read() {
        let text = "s = \"a\\r\\nb\"\nn = 0x1f\nbig = 9_223_372_036_854_775_807\nf = 1.0\n\
                    e = 1e3\nb = true\nl = [1, [\"x\"]]\na.b.c = 1\n[t.u]\nv = {w = 1}\n[[x]]\n[[x]]\n";
        let want = r#"{"a":{"b":{"c":1}},"b":true,"big":9223372036854775807,"e":1000.0,"f":1.0,"l":[1,["x"]],"n":31,"#
            .to_owned()
            + r#""s":"a\nb","t":{"u":{"v":{"w":1}}},"x":[{},{}]}"#;
        assert_eq!(value(text, Toml), want);
        assert_eq!(value("", Toml), "{}");
        assert_eq!(value("# nothing\n", Toml), "{}");
    }

    #[test]
    fn dates_and_numbers_out_of_range_are_told_together() {
        let text = "a = 2020-01-01\nb = -inf\nc = nan\nd = 99999999999999999999\ne = 1e400\nf = [07:32:00]\n";
        let want = [
            "1:5-15 the TOML date `2020-01-01` is not allowed",
            "2:5-9 `-inf` is not a finite number",
            "3:5-8 `nan` is not a finite number",
            "4:5-25 the integer `99999999999999999999` does not fit in 64 bits",
            "5:5-10 `1e400` is not a finite number",
            "6:6-14 the TOML date `07:32:00` is not allowed",
        ];
        assert_eq!(messages(text, Toml), want);
    }

    #[test]
    fn syntax_errors_and_duplicate_keys_are_told_once_a_line_beside_the_rest() {
        let text = "a = 1\na = 2\n[t]\nx = yes\ny = 01\nz = 2020-01-01\n[t]\n\"a b\" = 1\n'a b' = 2\n";
        let want = [
            "2:1-2 the key `a` is given twice",
            "4:5-8 invalid TOML: string values must be quoted, expected literal string",
            "5:5-6 invalid TOML: unexpected leading zero",
            "6:5-15 the TOML date `2020-01-01` is not allowed",
            "7:2-3 the key `t` is given twice",
            "9:1-6 the key `a b` is given twice",
        ];
        assert_eq!(messages(text, Toml), want);
    }

    #[test]
    fn nesting_ends_at_64_levels_by_brackets_and_by_dots() {
        let brackets = |n: usize| format!("a = {}{}", "[".repeat(n), "]".repeat(n));
        value(&brackets(63), Toml);
        assert_eq!(messages(&brackets(64), Toml), ["1:68-70 values are nested more than 64 levels deep"]);
        assert_eq!(messages(&brackets(5000), Toml), ["1:85-86 values are nested more than 64 levels deep"]);
        let dots = |n: usize| format!("b = 1\n{} = 1\n", vec!["a"; n].join("."));
        value(&dots(64), Toml);
        assert_eq!(messages(&dots(65), Toml), ["2:127-128 values are nested more than 64 levels deep"]);
        assert_eq!(messages(&dots(5000), Toml), ["2:1-10004 values are nested more than 64 levels deep"]);
    }
}
