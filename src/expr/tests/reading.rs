//! What the parser reads, and what it says of what it cannot read.

use super::*;
use crate::expr::{EXPRESSION_SYNTAX, EXPRESSION_TOO_LARGE};
use crate::source::Span;

/// All that can be said, fully parenthesised, so that the shape of the tree is seen.
fn shape(expr: &Expr) -> String {
    let list = |parts: &[Expr]| parts.iter().map(shape).collect::<Vec<_>>().join(" ");
    match expr {
        Expr::And(parts) => format!("(and {})", list(parts)),
        Expr::Or(parts) => format!("(or {})", list(parts)),
        Expr::Not(inner) => format!("(not {})", shape(inner)),
        Expr::Implies(a, b) => format!("(implies {} {})", shape(a), shape(b)),
        Expr::Iff(a, b) => format!("(iff {} {})", shape(a), shape(b)),
        Expr::ExactlyOne(parts) => format!("(one {})", list(parts)),
        test => format!("<{}>", print(test)),
    }
}

#[test]
fn precedence_and_shapes() {
    for (text, want) in [
        ("a", "<a>"),
        ("true", "<true>"),
        ("not a", "(not <a>)"),
        ("not not a", "(not (not <a>))"),
        ("a or b and c", "(or <a> (and <b> <c>))"),
        ("(a or b) and c", "(and (or <a> <b>) <c>)"),
        ("a and b and c", "(and <a> <b> <c>)"),
        ("a and (b and c)", "(and <a> <b> <c>)"),
        ("(a or b) or (c or d)", "(or <a> <b> <c> <d>)"),
        ("not a and b", "(and (not <a>) <b>)"),
        ("not (a and b)", "(not (and <a> <b>))"),
        ("not a == 'x'", "(not <a == 'x'>)"),
        ("not a in ['x', 'y']", "(not <a in ['x', 'y']>)"),
        ("a implies b implies c", "(implies <a> (implies <b> <c>))"),
        ("(a implies b) implies c", "(implies (implies <a> <b>) <c>)"),
        ("a or b implies c and d", "(implies (or <a> <b>) (and <c> <d>))"),
        ("a iff b implies c", "(iff <a> (implies <b> <c>))"),
        ("a implies b iff c", "(iff (implies <a> <b>) <c>)"),
        ("a iff b iff c", "(iff <a> (iff <b> <c>))"),
        ("not a implies b", "(implies (not <a>) <b>)"),
        ("exactly_one(a)", "(one <a>)"),
        (
            "exactly_one(a, b == 'x' or c, exactly_one(d, e)) and f",
            "(and (one <a> (or <b == 'x'> <c>) (one <d> <e>)) <f>)",
        ),
        ("a is defined and b is not defined", "(and <a is defined> (not <b is defined>))"),
        ("not a is not defined", "(not (not <a is defined>))"),
        ("a in []", "<a in []>"),
        ("a not in [1,-2,]", "<a not in [1, -2]>"),
        ("a in ['x']", "<a == 'x'>"),
        ("a==true", "<a == true>"),
        ("a!=\"it's\"", "<a != 'it\\'s'>"),
        ("a == -9223372036854775808", "<a == -9223372036854775808>"),
        ("a == 007", "<a == 7>"),
        ("a == ''", "<a == ''>"),
        (" \n\t a\u{a0}and\n b ", "(and <a> <b>)"),
        ("a == 'x\ny'", "<a == 'x\\ny'>"),
        (r#"a == "\\ \' \" \n \t""#, r#"<a == '\\ \' " \n \t'>"#),
        ("android or inner or island or nothing", "(or <android> <inner> <island> <nothing>)"),
        ("defined is defined", "<defined is defined>"),
    ] {
        assert_eq!(shape(&constraint(text).expr), want, "{text}");
    }
}

/// Text, headline, a part of the help.
const FAULTS: &[(&str, &str, &str)] = &[
    ("", "empty expression", "write `true`"),
    ("  ", "empty expression", "write `true`"),
    ("a and", "expression ends too early", ""),
    ("not", "expression ends too early", ""),
    ("()", "`)` where a condition is expected", ""),
    ("(a", "`(` is never closed", ""),
    ("a)", "`)` closes nothing", ""),
    ("a]", "`]` closes nothing", ""),
    ("a b", "`b` after a whole condition", "join conditions with `and`"),
    ("a 'x'", "`'x'` after a whole condition", "compare with `==`"),
    ("a, b", "`,` after a whole condition", ""),
    ("and a", "nothing on the left of `and`", ""),
    ("a or or b", "nothing on the left of `or`", ""),
    ("a AND b", "no operator `AND` in expressions", "write `and`"),
    ("a && b", "no operator `&&` in expressions", "write `and`"),
    ("a || b", "no operator `||` in expressions", "write `or`"),
    ("!a", "no operator `!` in expressions", "write `not`"),
    ("a = 'x'", "no operator `=` in expressions", "write `==`"),
    ("a === 'x'", "no operator `===` in expressions", "write `==`"),
    ("a <> 'x'", "no operator `<>` in expressions", "write `!=`"),
    ("a -> b", "no operator `->` in expressions", "write `implies`"),
    ("a < 3", "no operator `<` in expressions", "make it a bool input"),
    ("a >= 3", "no operator `>=` in expressions", "make it a bool input"),
    ("a + 1", "no operator `+` in expressions", "an input of its own"),
    ("a - 1", "no operator `-` in expressions", "an input of its own"),
    ("a | length", "filter in an expression", "alone"),
    ("a.b", "attribute in an expression", "an input of its own"),
    ("a[0]", "subscript of `a` in an expression", "`a in [..]`"),
    ("f(x)", "call of `f` in an expression", "an input of its own"),
    ("defined(x)", "call of `defined` in an expression", "`INPUT is defined`"),
    ("{{ a }}", "no `{{` in expressions", "write the expression alone"),
    ("a if b else c", "no `if` in expressions", "`and`, `or`, `not`"),
    ("a ? b : c", "no `?` in expressions", ""),
    ("a == ‘x’", "`‘` is no quote", "write `'`"),
    ("a == 'x", "string is never closed", "end it with `'`"),
    ("a == 'x\\'", "string is never closed", "end it with `'`"),
    ("a == '\\d'", "unknown escape `\\d`", "write `\\\\` for a backslash"),
    ("a == 1.5", "number with a fraction in an expression", ""),
    ("a == 9223372036854775808", "integer beyond 64 bits", ""),
    ("a == 5x", "`5x` is neither a number nor a name", "`'5x'`"),
    ("is-git", "`is-git` is not a name", "write `is_git`"),
    ("a § b", "no U+00A7 in expressions", ""),
    ("a @ b", "no `@` in expressions", ""),
    ("a \u{200b}", "no U+200B in expressions", ""),
    ("True", "`True` is no value", "write `true`"),
    ("a == False", "`False` is no value", "write `false`"),
    ("a == none", "`none` is no value", "`a is not defined`"),
    ("a is none", "no test `is none` in expressions", "`a is not defined`"),
    ("a is not none", "no test `is not none` in expressions", "`a is defined`"),
    ("a is undefined", "no test `is undefined` in expressions", "`a is not defined`"),
    ("a is true", "no test `is true` in expressions", "write `a`"),
    ("a is false", "no test `is false` in expressions", "write `not a`"),
    ("a is 'x'", "no test `is 'x'` in expressions", "compare with `==`"),
    ("a is", "nothing on the right of `is`", "is defined"),
    ("a is not in ['x']", "no test `is not in` in expressions", "`a not in [..]`"),
    ("a not b", "`not` after an input", "`not in [..]`"),
    ("a not defined", "`not` after an input", "`is not defined`"),
    ("a == b", "name `b` on the right of `==`", "`a == 'b'`"),
    ("a in ['x', b]", "name `b` on the right of `in`", "`a in ['b']`"),
    ("a == b == c", "`==` after a comparison", "join them with `and`"),
    ("a == 'x' == 'y'", "`==` after a comparison", "join them with `and`"),
    ("a in ['x'] == true", "`==` after a comparison", "join them with `and`"),
    ("a is defined is defined", "`is` after a comparison", "join them with `and`"),
    ("a != 'x' not in ['y']", "`not` after a comparison", "join them with `and`"),
    ("'x' == a", "value `'x'` on the left of `==`", "`a == 'x'`"),
    ("true != a", "value `true` on the left of `!=`", "`a != true`"),
    ("5 == 5", "value `5` on the left of `==`", "`INPUT == 5`"),
    ("'x' in a", "value `'x'` on the left of `in`", "a bool input"),
    ("'x' and a", "value `'x'` where a condition is expected", "`INPUT == ..`"),
    ("5", "value `5` where a condition is expected", ""),
    ("(a) == 'x'", "`==` after parentheses", "take the parentheses away"),
    ("a ==", "the end where a value is expected", "a string in quotes"),
    ("a == and b", "`and` where a value is expected", ""),
    ("a == ('x')", "`(` where a value is expected", ""),
    ("a == ['x']", "list on the right of `==`", "`a in [..]`"),
    ("a != ['x']", "list on the right of `!=`", "`a not in [..]`"),
    ("a in b", "name `b` on the right of `in`", "`a in ['b']`"),
    ("a in 'x'", "value `'x'` on the right of `in`", "`a in ['x']`"),
    ("a in ('x', 'y')", "parenthesis on the right of `in`", "`['a', 'b']`"),
    ("a in", "the end where a list is expected", ""),
    ("a in and", "`and` where a list is expected", ""),
    ("a in ['x'", "`[` is never closed", ""),
    ("a in [", "`[` is never closed", ""),
    ("a in ['x' 'y']", "`'y'` in a list without a comma before it", ""),
    ("a in [,]", "`,` where a value is expected", ""),
    ("a in [['x']]", "`[` where a value is expected", ""),
    ("exactly_one", "`exactly_one` without its conditions", "exactly_one(a, b, c)"),
    ("exactly_one()", "`)` where a condition is expected", ""),
    ("exactly_one(a,)", "`)` where a condition is expected", ""),
    ("exactly_one(a b)", "`b` after a whole condition", ""),
];

#[test]
fn each_fault_has_its_own_words() {
    for &(text, message, help) in FAULTS {
        let found = fault(text, Use::Constraint);
        assert_eq!(found.message, message, "{text}");
        assert!(found.help.is_empty() == help.is_empty() || help.is_empty(), "{text}: {:?}", found.help);
        assert!(help.is_empty() || found.help.iter().any(|h| h.contains(help)), "{text}: {:?}", found.help);
        assert_eq!(found.rule, &EXPRESSION_SYNTAX);
        assert!(!found.label.is_empty() && !found.message.ends_with('.'), "{text}");
    }
}

#[test]
fn words_of_constraints_are_refused_elsewhere() {
    for (text, help) in [
        ("a implies b", "write `not a or b` for `a implies b`"),
        ("a iff b", "write `a and b or not a and not b` for `a iff b`"),
        ("exactly_one(a, b)", "write the cases out with `and`, `or`, `not`"),
        ("a and (b implies c)", "write `not a or b` for `a implies b`"),
    ] {
        let fault = fault(text, Use::Condition);
        assert!(fault.message.ends_with("outside a constraint"), "{text}");
        assert_eq!(fault.help, [help], "{text}");
        constraint(text);
    }
}

fn bytes(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

#[test]
fn spans_are_of_the_bytes_in_the_file() {
    let condition = constraint("größe == 'é' and b in [1, true]");
    let mut seen = Vec::new();
    condition.expr.visit_tests(&mut |test| {
        seen.extend(test.name().map(|n| bytes(n.span)));
        if let Expr::OneOf { literals, .. } = test {
            seen.extend(literals.iter().map(|l| bytes(l.span)));
        }
    });
    assert_eq!(seen, [(0, 7), (11, 15), (20, 21), (26, 27), (29, 33)]);
    assert_eq!(bytes(condition.span()), (0, 34));
    assert_eq!(condition.names().into_iter().collect::<Vec<_>>(), ["b", "größe"]);
}

#[test]
fn spans_lead_through_escapes_of_the_text_around() {
    // when = "a == \"x\" and b"  with the text from byte 8
    let text: Arc<str> = Arc::from("a == \"x\" and b");
    let steps = vec![(0, 8), (5, 13), (6, 15), (7, 16), (8, 18)];
    let condition = parse(
        Located::literal(text.clone(), steps.clone(), 24, Span::new(file(), 7..25)),
        Use::Condition,
        &Limits::default(),
    )
    .unwrap();
    let Expr::And(parts) = &condition.expr else { panic!("{:?}", condition.expr) };
    let Expr::OneOf { literals, .. } = &parts[0] else { panic!() };
    assert_eq!(bytes(literals[0].span), (13, 18));
    assert_eq!(condition.mentions().iter().map(|n| bytes(n.span)).collect::<Vec<_>>(), [(8, 9), (23, 24)]);

    let broken: Arc<str> = Arc::from("a == \"x\" and .");
    let found =
        parse(Located::literal(broken, steps, 24, Span::new(file(), 7..25)), Use::Condition, &Limits::default())
            .unwrap_err();
    assert_eq!(found.place, crate::diag::Place::Span(Span { file: file(), start: 23, end: 24 }));
}

#[test]
fn faults_point_at_what_is_wrong() {
    for (text, start, end) in [
        ("a and", 5, 5),
        ("(a and b", 0, 1),
        ("a == 'x\\q'", 7, 9),
        ("a == 'xyz", 5, 9),
        ("a == b", 5, 6),
        ("a == b != c", 7, 9),
        ("a && b", 2, 4),
        ("  ", 0, 2),
        ("is-git and b", 0, 6),
        ("a in ['x', 1.25]", 11, 15),
    ] {
        let found = fault(text, Use::Condition);
        assert_eq!(found.place, crate::diag::Place::Span(Span { file: file(), start, end }), "{text}");
    }
}

#[test]
fn limits_are_exact_and_have_names() {
    let limits = Limits::default();
    let (most_terms, most_deep) = (limits.expression_terms.value, limits.expression_depth.value);
    let terms = |n: usize| format!("a in [{}]", vec!["1"; n - 1].join(","));
    constraint(&terms(most_terms));
    let found = fault(&terms(most_terms + 1), Use::Condition);
    assert_eq!(found.rule, &EXPRESSION_TOO_LARGE);
    assert!(found.message.contains("10000"));

    let deep: [fn(usize) -> String; 6] = [
        |n| format!("{}a{}", "(".repeat(n), ")".repeat(n)),
        |n| format!("{}a", "not ".repeat(n)),
        |n| format!("{}a", "a implies ".repeat(n)),
        |n| format!("{}a", "a iff ".repeat(n)),
        |n| format!("{}a{}", "exactly_one(".repeat(n), ")".repeat(n)),
        |n| format!("{}a{}", "not (".repeat(n / 2), ")".repeat(n / 2)),
    ];
    for make in deep {
        constraint(&make(most_deep));
        let found = fault(&make(most_deep + 2), Use::Constraint);
        assert_eq!(found.rule, &EXPRESSION_TOO_LARGE);
        assert!(found.message.contains("200"));
        assert_eq!(fault(&make(3_000_000), Use::Constraint).rule, &EXPRESSION_TOO_LARGE);
    }
    // long is not deep
    for part in ["(not a)", "not a", "(a implies a)", "(a iff a)", "exactly_one(a, a)"] {
        constraint(&vec![part; most_terms / 2].join(" or "));
    }
    constraint(&vec!["(not a)"; most_terms].join(" or "));
}

#[test]
fn equal_trees_are_the_same_whatever_they_look_like() {
    for (a, b, same) in [
        ("a and b", "(a)and  b", true),
        ("a == 'x'", "a == \"x\"", true),
        ("a in ['x']", "a == 'x'", true),
        ("a and (b and c)", "a and b and c", true),
        ("a != 'x'", "not a == 'x'", false),
        ("a and b", "b and a", false),
        ("a == '1'", "a == 1", false),
    ] {
        assert_eq!(constraint(a).same_as(&constraint(b)), same, "{a} / {b}");
    }
}
