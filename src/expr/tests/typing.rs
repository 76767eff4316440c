//! What the type check says, and where.

use std::collections::BTreeMap;

use super::*;
use crate::diag::Sink;
use crate::expr::{Literal, Names, check, check_axes_only, evaluate};
use crate::input::{Datum, Type, Value};

struct Inputs {
    domain: Type,
    empty: Type,
}

impl Names for Inputs {
    fn kind(&self, name: &str) -> Option<(&Type, bool)> {
        Some(match name {
            "flag" => (&Type::Bool, false),
            "text" => (&Type::String, false),
            "count" => (&Type::Integer, false),
            "ratio" => (&Type::Number, false),
            "items" => (&Type::List, false),
            "table" => (&Type::Table, false),
            "family" => (&self.domain, false),
            "maybe" => (&self.domain, true),
            "odd" => (&self.empty, false),
            _ => return None,
        })
    }

    fn known(&self) -> Vec<&str> {
        vec!["flag", "text", "count", "ratio", "items", "table", "family", "maybe", "odd"]
    }
}

fn inputs() -> Inputs {
    let own = |values: &[&str]| Type::Enum(values.iter().map(|v| (*v).to_owned()).collect());
    Inputs { domain: own(&["gpt", "claude", "other"]), empty: own(&["", "5"]) }
}

fn said(text: &str, check: fn(&Condition, &dyn Names, &mut Sink)) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    check(&constraint(text), &inputs(), &mut sink);
    sink.into_sorted(&{
        let mut sources = SourceMap::default();
        sources.add("test", text.as_bytes()).unwrap();
        sources
    })
}

#[test]
fn what_may_be_asked() {
    for text in [
        "flag and text and items and table",
        "flag == true and flag != false and flag in [true, false]",
        "text == 'x' and text in ['a', ''] and text not in []",
        "count == 3 and count in [-1, 2] and ratio == 3 and ratio != 0",
        "family == 'gpt' and family not in ['claude', 'other'] and odd == ''",
        "flag is defined and items is defined and family is not defined and maybe is defined and count is defined",
        "true or false",
    ] {
        assert_eq!(said(text, check), [], "{text}");
    }
}

#[test]
fn what_may_not_be_asked() {
    for (text, rule, message, help) in [
        ("flagg", "undefined-input", "`flagg` is not an input", "did you mean `flag`?"),
        ("temperature is defined", "undefined-input", "`temperature` is not an input", "define `temperature` under"),
        ("famly == 'x'", "undefined-input", "`famly` is not an input", "did you mean `family`?"),
        ("family", "type-mismatch", "`family` is an enum and stands alone", "`family == 'gpt'`"),
        ("maybe", "type-mismatch", "`maybe` is an enum and stands alone", "`maybe is defined`"),
        ("not count", "type-mismatch", "`count` is an integer and stands alone", "`count != 0`"),
        ("ratio", "type-mismatch", "`ratio` is a number and stands alone", "`ratio != 0`"),
        ("family == 'gtp'", "unknown-value", "`family` is never `'gtp'`", "did you mean `gpt`?"),
        ("family != ''", "unknown-value", "`family` is never `''`", ""),
        ("family == true", "type-mismatch", "`family` is an enum and is compared with a bool", "`'true'`"),
        ("odd == 5", "type-mismatch", "`odd` is an enum and is compared with an integer", "`'5'`"),
        ("flag == 'true'", "type-mismatch", "`flag` is a bool and is compared with a string", "write `flag`"),
        ("flag == 1", "type-mismatch", "`flag` is a bool and is compared with an integer", "write `flag`"),
        ("text == 1", "type-mismatch", "`text` is a string and is compared with an integer", "`'1'`"),
        ("count == '12'", "type-mismatch", "`count` is an integer and is compared with a string", "`12`"),
        ("count == 'x'", "type-mismatch", "`count` is an integer and is compared with a string", "with an integer"),
        ("ratio == true", "type-mismatch", "`ratio` is a number and is compared with a bool", "with a number"),
        ("items == 'x'", "type-mismatch", "`items` is a list and is compared", "write `items` alone"),
        ("table in []", "type-mismatch", "`table` is a table and is compared", "write `table` alone"),
    ] {
        let found = said(text, check);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!((found[0].rule.name, found[0].message.as_str()), (rule, message), "{text}");
        assert!(help.is_empty() || found[0].help.iter().any(|h| h.contains(help)), "{text}: {:?}", found[0].help);
    }
}

#[test]
fn all_faults_of_a_condition_are_told_each_at_its_place() {
    let found = said("nope and family in ['gpt', 'x', 'y', 3] or nope", check);
    let places: Vec<(&str, u32)> = found
        .iter()
        .map(|d| match d.place {
            crate::diag::Place::Span(span) => (d.rule.name, span.start),
            _ => panic!(),
        })
        .collect();
    let want = [
        ("undefined-input", 0),
        ("unknown-value", 27),
        ("unknown-value", 32),
        ("type-mismatch", 37),
        ("undefined-input", 43),
    ];
    assert_eq!(places, want);
}

#[test]
fn constraints_speak_of_axes_only() {
    assert_eq!(said("flag implies family == 'gpt' or maybe is defined or nope", check_axes_only), []);
    let found = said("flag implies items and text and items", check_axes_only);
    let told: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(told, ["constraint reads `items`, a list", "constraint reads `text`, a string"]);
    assert!(found.iter().all(|d| d.rule.name == "constraint-reads-open-value"));
}

#[test]
fn rules_are_well_formed() {
    for rule in crate::expr::RULES {
        assert!(rule.summary.chars().count() <= 80 && !rule.summary.ends_with('.'), "{}", rule.name);
        assert!(rule.doc.contains("```"), "{}", rule.name);
    }
    assert!(crate::expr::RULES.is_sorted_by_key(|r| r.name));
}

/// `t`, `f`, `u` are bools that are true, false, unknown; `m` is missing; the rest as named.
fn datum(name: &str) -> Datum {
    Datum::Known(match name {
        "t" => Value::Bool(true),
        "f" => Value::Bool(false),
        "s" => Value::String("gpt".to_owned()),
        "empty" => Value::String(String::new()),
        "one" => Value::Integer(1),
        "three" => Value::Number(3.0),
        "half" => Value::Number(0.5),
        "large" => Value::Number(9_007_199_254_740_992.0),
        "huge" => Value::Number(9_223_372_036_854_775_808.0),
        "list" => Value::List(vec![Value::Null]),
        "nolist" => Value::List(vec![]),
        "table" => Value::Table(BTreeMap::from([("k".to_owned(), Value::Null)])),
        "notable" => Value::Table(BTreeMap::new()),
        "m" => return Datum::Missing,
        _ => return Datum::Unknown,
    })
}

fn truth(text: &str) -> char {
    match evaluate(&constraint(text).expr, &datum) {
        Some(true) => 't',
        Some(false) => 'f',
        None => 'u',
    }
}

#[test]
fn three_valued_tables() {
    // rows and columns: t, f, u
    for (op, want) in
        [("and", "tfu fff ufu"), ("or", "ttt tfu tuu"), ("implies", "tfu ttt tuu"), ("iff", "tfu ftu uuu")]
    {
        let table: Vec<String> =
            ["t", "f", "u"].map(|a| ["t", "f", "u"].map(|b| truth(&format!("{a} {op} {b}"))).iter().collect()).to_vec();
        assert_eq!(table.join(" "), want, "{op}");
    }
    for (text, want) in [
        ("not t", 'f'),
        ("not u", 'u'),
        ("u or not u", 'u'),
        ("u and u and f", 'f'),
        ("u or u or t", 't'),
        ("exactly_one(t)", 't'),
        ("exactly_one(t, f, f)", 't'),
        ("exactly_one(t, t, f)", 'f'),
        ("exactly_one(f, f)", 'f'),
        ("exactly_one(t, u)", 'u'),
        ("exactly_one(t, t, u)", 'u'),
        ("t iff f iff f", 't'),
        ("true", 't'),
        ("false and u", 'f'),
    ] {
        assert_eq!(truth(text), want, "{text}");
    }
}

#[test]
fn questions_about_values() {
    for (text, want) in [
        ("s", 't'),
        ("empty", 'f'),
        ("list", 't'),
        ("nolist", 'f'),
        ("table", 't'),
        ("notable", 'f'),
        ("s == 'gpt'", 't'),
        ("s in ['a', 'gpt']", 't'),
        ("s in []", 'f'),
        ("s not in []", 't'),
        ("s == 'GPT'", 'f'),
        ("t == true", 't'),
        ("t == 1", 'f'),
        ("one == true", 'f'),
        ("one == 1", 't'),
        ("s == 1", 'f'),
        ("three == 3", 't'),
        ("half == 0", 'f'),
        ("large == 9007199254740992", 't'),
        ("large == 9007199254740993", 'f'),
        ("huge == 9223372036854775807", 'f'),
        ("m", 'f'),
        ("not m", 't'),
        ("m is defined", 'f'),
        ("m is not defined", 't'),
        ("m == 'x'", 'f'),
        ("m in ['x']", 'f'),
        ("m != 'x'", 't'),
        ("m not in ['x']", 't'),
        ("s is defined", 't'),
        ("u is defined", 'u'),
        ("u is not defined", 'u'),
        ("u == 'x'", 'u'),
        ("u != 'x'", 'u'),
        ("u in []", 'u'),
        ("u", 'u'),
    ] {
        assert_eq!(truth(text), want, "{text}");
    }
}

#[test]
fn literals_are_values() {
    for literal in [Literal::Bool(true), Literal::Integer(-3), Literal::Text("a'\\\n".to_owned())] {
        assert!(literal.is(&literal.value()));
        let written = constraint(&format!("a == {literal}"));
        let Expr::OneOf { literals, .. } = &written.expr else { panic!() };
        assert_eq!(literals[0].value, literal);
    }
}
