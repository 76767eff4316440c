//! What a plain YAML scalar means: the core schema of YAML 1.2, less what YAML 1.1 reads otherwise as a number.

use crate::input::Value;

/// The meaning of a scalar without quotes.
#[derive(PartialEq, Debug)]
pub(super) enum Plain {
    Value(Value),
    /// An integer past 64 bits.
    TooLarge,
    /// An infinity, not a number, or a number past the largest.
    NotFinite,
    /// A number to some readers, another number or text to others.
    Unclear {
        /// The number as everyone reads it, where there is only one that can be meant.
        plain: Option<String>,
    },
}

/// Reads a plain scalar by the tables of YAML 1.2.2, section 10.3.2.
pub(super) fn plain(text: &str) -> Plain {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Plain::Value(Value::Null),
        "true" | "True" | "TRUE" => return Plain::Value(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Plain::Value(Value::Bool(false)),
        ".nan" | ".NaN" | ".NAN" => return Plain::NotFinite,
        _ => {}
    }
    let (sign, unsigned) = match text.as_bytes() {
        [b'+' | b'-', ..] => text.split_at(1),
        _ => ("", text),
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Plain::NotFinite;
    }
    if let Some(plain) = unclear(sign, unsigned) {
        return Plain::Unclear { plain };
    }
    if let Some((radix, digits)) = radix(unsigned) {
        return i64::from_str_radix(digits, radix).map_or(Plain::TooLarge, |n| Plain::Value(Value::Integer(n)));
    }
    if is_digits(unsigned) {
        return text.parse().map_or(Plain::TooLarge, |n| Plain::Value(Value::Integer(n)));
    }
    if is_float(unsigned) {
        return match text.parse::<f64>() {
            Ok(n) if n.is_finite() => Plain::Value(Value::Number(n)),
            _ => Plain::NotFinite,
        };
    }
    Plain::Value(Value::String(text.to_owned()))
}

/// A number in YAML 1.1, or in many readers of 1.2, and something else in others: `1_000`, `017`, `0b1`, `-0x1F`.
/// Inside is the number as everyone reads it, where only one can be meant.
fn unclear(sign: &str, unsigned: &str) -> Option<Option<String>> {
    let minus = if sign == "-" { "-" } else { "" };
    let bare = unsigned.replace('_', "");
    if bare.len() < unsigned.len() {
        let begins = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let number = begins && (binary(&bare).is_some() || radix(&bare).is_some() || is_float(&bare));
        let sure = matches!(plain(&bare), Plain::Value(_)).then(|| format!("{minus}{bare}"));
        return number.then_some(sure);
    }
    let decimal = |radix: u32, digits: &str| {
        let number = i64::from_str_radix(digits, radix).ok()?;
        Some(format!("{minus}{number}"))
    };
    if let Some(digits) = binary(unsigned) {
        return Some(decimal(2, digits));
    }
    // The core schema has no signs before `0x` and `0o`, and no capitals in them.
    let lower = unsigned.to_ascii_lowercase();
    if let Some((radix, digits)) = radix(&lower) {
        let capital = !unsigned.starts_with(&lower[..2]);
        return (capital || !sign.is_empty()).then(|| decimal(radix, digits));
    }
    // Octal in YAML 1.1: nobody can tell which of the two numbers is meant.
    (unsigned.len() > 1 && unsigned.starts_with('0') && is_digits(unsigned)).then_some(None)
}

fn binary(unsigned: &str) -> Option<&str> {
    let digits = unsigned.strip_prefix("0b").or_else(|| unsigned.strip_prefix("0B"))?;
    (!digits.is_empty() && digits.bytes().all(|b| matches!(b, b'0' | b'1'))).then_some(digits)
}

/// The digits after `0x` or `0o`, when they are digits.
fn radix(unsigned: &str) -> Option<(u32, &str)> {
    let (radix, digits) = match (unsigned.strip_prefix("0x"), unsigned.strip_prefix("0o")) {
        (Some(digits), _) => (16, digits),
        (_, Some(digits)) => (8, digits),
        _ => return None,
    };
    (!digits.is_empty() && digits.chars().all(|c| c.is_digit(radix))).then_some((radix, digits))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`: integers are floats too here.
fn is_float(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent = exponent.is_none_or(|e| is_digits(e.strip_prefix(['-', '+']).unwrap_or(e)));
    let mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    exponent && mantissa
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Plain {
        Plain::Value(Value::String(text.to_owned()))
    }

    #[test]
    fn the_core_schema_is_read() {
        for (text, want) in [
            ("~", Value::Null),
            ("Null", Value::Null),
            ("TRUE", Value::Bool(true)),
            ("False", Value::Bool(false)),
            ("0", Value::Integer(0)),
            ("-0", Value::Integer(0)),
            ("+12", Value::Integer(12)),
            ("0o17", Value::Integer(15)),
            ("0x1F", Value::Integer(31)),
            ("9223372036854775807", Value::Integer(i64::MAX)),
            ("-9223372036854775808", Value::Integer(i64::MIN)),
            ("1.5", Value::Number(1.5)),
            (".5", Value::Number(0.5)),
            ("-.5", Value::Number(-0.5)),
            ("1.", Value::Number(1.0)),
            ("1e3", Value::Number(1000.0)),
            ("+1.5E-3", Value::Number(0.0015)),
        ] {
            assert_eq!(plain(text), Plain::Value(want), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_value_is_text() {
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "tRue",
            "nULL",
            "2024-01-31",
            "2024-01-31T10:00:00Z",
            "12:30",
            "1.2.3",
            "1e",
            "e3",
            ".",
            "-",
            "+",
            "1-2",
            "_1",
            "_",
            "a_1",
            "1_a",
            "0x",
            "0o8",
            "0xfg",
            "0b2",
            "0b",
            "inf",
            "nan",
            "-.nan",
            "٣",
            "1,000",
            "=",
        ] {
            assert_eq!(plain(text), string(text), "{text}");
        }
    }

    #[test]
    fn numbers_that_readers_disagree_on_are_refused() {
        for (text, sure) in [
            ("1_000", Some("1000")),
            ("-1_000", Some("-1000")),
            ("1__0_", Some("10")),
            ("1_0.5", Some("10.5")),
            ("0x_1F", Some("0x1F")),
            ("017", None),
            ("-017", None),
            ("00", None),
            ("09", None),
            ("0_7", None),
            ("0b101", Some("5")),
            ("-0b1", Some("-1")),
            ("0b1_0", None),
            ("-0x1F", Some("-31")),
            ("+0o7", Some("7")),
            ("0X1f", Some("31")),
            ("0xFFFF_FFFF_FFFF_FFFF", None),
        ] {
            assert_eq!(plain(text), Plain::Unclear { plain: sure.map(str::to_owned) }, "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for text in ["9223372036854775808", "-9223372036854775809", "0xFFFFFFFFFFFFFFFF", "99999999999999999999"] {
            assert_eq!(plain(text), Plain::TooLarge, "{text}");
        }
        for text in [".nan", ".NaN", ".inf", "-.INF", "+.Inf", "1e999", "-1e999"] {
            assert_eq!(plain(text), Plain::NotFinite, "{text}");
        }
    }
}
