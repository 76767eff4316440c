//! Which operands are charged, that nothing else changes, and that places stay those of the text as written.

use minijinja::machinery::parse;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};
use proptest::prelude::*;

use super::operands::SHORT;
use super::*;
use crate::limits::Limits;

/// Each of these is found again in a text, whatever stands ahead of it.
#[test]
fn an_expression_of_a_text_is_what_is_written() {
    let expressions = [
        "a",
        "not a",
        "-a == b",
        "a not in b",
        "not a in b",
        "not a not in b",
        "a is not defined",
        "not a is not defined",
        "a not in ['x', 'y'] and c",
        "not (a in b) and c",
        "(a or b) and c",
        "(a not in b) or (c not in d)",
        "(a not in b)",
        "a.b not in c",
        "a ~ '.md'",
        "(a, b)[0] not in c",
        "nothing not in b",
    ];
    for expression in expressions {
        let bare = parse_expr(expression).unwrap();
        for ahead in ["{% if ", "{%- if ", "{% if x %}{% elif ", "{% if (x) %}(y){% elif not (z) %}{% elif "] {
            let text = format!("{ahead}{expression} %}}{{% endif %}}");
            let tree = parse(&text, "", SyntaxConfig::default()).unwrap();
            let found = innermost(&tree, &text);
            let again = parse_expr(&found).unwrap_or_else(|e| panic!("{text}: {found}: {e}"));
            let said = |expr: &Expr<'_>| -> String {
                // Without places.
                let shown = format!("{expr:?}");
                shown
                    .split(" @ ")
                    .map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit() || ":-".contains(c)))
                    .collect()
            };
            assert_eq!(said(&again), said(&bare), "{text}: {found}");
        }
    }
}

/// The condition of the last branch, as it is written.
fn innermost(tree: &Stmt<'_>, text: &str) -> String {
    let mut found = None;
    let mut todo = vec![tree];
    while let Some(statement) = todo.pop() {
        if let Stmt::IfCond(branch) = statement {
            found = Some(written(text, &branch.expr).to_owned());
        }
        todo.extend(crate::template::tree::bodies(statement).into_iter().flatten());
    }
    found.unwrap()
}

/// A text that does not parse, or has nothing that is charged for, stays as it is.
fn guarded(text: &str) -> Guarded {
    let tree = parse(text, "", SyntaxConfig::default());
    let found = tree.ok().and_then(|tree| Guarded::of(text, &tree));
    found.unwrap_or_else(|| Guarded::new(text, Vec::new()))
}

#[test]
fn operands_of_comparisons_sums_and_joins_are_charged() {
    for (text, want) in [
        ("{{ a ~ b }}", "{{ a|_print ~ b|_print }}"),
        ("{{ a ~ b ~ c }}", "{{ a|_print ~ b|_print ~ c|_print }}"),
        ("{{ a == b }}", "{{ a|_pay == b|_pay }}"),
        ("{{ a < b <= c }}", "{{ a|_pay < b|_pay <= c|_pay }}"),
        ("{{ a in b }}", "{{ a|_pay in b|_pay }}"),
        ("{{ a not in b }}", "{{ a|_pay not in b|_pay }}"),
        ("{{ not a == b }}", "{{ not a|_pay == b|_pay }}"),
        ("{{ a + b - c }}", "{{ a|_pay + b|_pay - c }}"),
        ("{{ a * b ~ 'x' }}", "{{ (a * b)|_print ~ 'x' }}"),
        ("{{ a + b ~ c * 2 == d }}", "{{ a|_pay + b|_print ~ (c * 2)|_print == d|_pay }}"),
        ("{{ -a ~ b }}", "{{ (-a)|_print ~ b|_print }}"),
        (
            "{{ a.b[c ~ d](e == f, g=h + 1) ~ 'x' }}",
            "{{ (a.b|_at)[c|_print ~ d|_print](e|_pay == f|_pay, g=h|_pay + 1)|_print ~ 'x' }}",
        ),
        ("{{ a | f(b ~ c) | g ~ d }}", "{{ a | f(b|_print ~ c|_print) | g|_print ~ d|_print }}"),
        ("{{ a is defined and b ~ c }}", "{{ a is defined and b|_print ~ c|_print }}"),
        ("{{ a is eq 3 ~ b }}", "{{ a is eq 3 ~ b|_print }}"),
        ("{{ a is not in [b] == c }}", "{{ a is not in [b] == c|_pay }}"),
        ("{{ [a ~ 1, {b: c == d}] }}", "{{ [a|_print ~ 1, {b|_pay: c|_pay == d|_pay}] }}"),
        ("{{ {'a': b, c + d: e, 1: f} }}", "{{ {'a': b, c|_pay + d|_pay: e, 1: f} }}"),
        ("{{ a[b][0][c if d else e]['f'] }}", "{{ (((a|_at)[b|_pay]|_at)[0]|_at)[c|_pay if d else e|_pay]['f'] }}"),
        ("{{ -a.b[1:c][::2] }}", "{{ -((a.b|_flat)[1:c]|_flat)[::2] }}"),
        ("{{ a | f(1, *b * 2) }}", "{{ a | f(1, *(b * 2)|_pay) }}"),
        ("{{ loop.changed(a, b ~ c, *d) }}", "{{ loop.changed(a|_pay, b|_print ~ c|_print, *d|_pay) }}"),
        ("{{ a is eq b[c] and d }}", "{{ a is eq ((b|_at)[c|_pay]) and d }}"),
        ("{{ a is eq [b, c][d] }}", "{{ a is eq (([b, c]|_at)[d|_pay]) }}"),
        ("{{ a is eq(b)[c] }}", "{{ a is eq(b)[c] }}"),
        ("{{ [a, b][c] }}", "{{ ([a, b]|_at)[c|_pay] }}"),
        ("{{ a if b == c else d ~ e }}", "{{ a if b|_pay == c|_pay else d|_print ~ e|_print }}"),
        (
            "{% for x in a + b if x == c %}{% endfor %}",
            "{% for x in a|_pay + b|_pay if x|_pay == c|_pay %}{% endfor %}",
        ),
        ("{% for a, b in c if d == e %}{% endfor %}", "{% for a, b in c|_pay if d|_pay == e|_pay %}{% endfor %}"),
        ("{% for a, b in c.d(e) recursive %}{% endfor %}", "{% for a, b in c.d(e)|_pay recursive %}{% endfor %}"),
        ("{% set a, b = c + d %}", "{% set a, b = c|_pay + d|_pay %}"),
        ("{% set x = a ~ b %}", "{% set x = a|_print ~ b|_print %}"),
        ("{% set x | f(a ~ b) %}y{% endset %}", "{% set x | f(a|_print ~ b|_print) %}y{% endset %}"),
        (
            "{% if (a) == b %}{% elif -c == d %}{% endif %}",
            "{% if (a|_pay) == b|_pay %}{% elif -c == d|_pay %}{% endif %}",
        ),
        ("{% include (a ~ '.md') ignore missing %}", "{% include (a|_print ~ '.md') ignore missing %}"),
        ("{% macro m(a, b=c ~ d) %}{% endmacro %}", "{% macro m(a, b=c|_print ~ d|_print) %}{% endmacro %}"),
        ("{% call(x) m(a ~ b) %}{% endcall %}", "{% call(x) m(a|_print ~ b|_print) %}{% endcall %}"),
        ("{% with a = b ~ c, d = e %}{% endwith %}", "{% with a = b|_print ~ c|_print, d = e %}{% endwith %}"),
        ("a ~ b {# c ~ d #}{% raw %}{{ e ~ f }}{% endraw %}", "a ~ b {# c ~ d #}{% raw %}{{ e ~ f }}{% endraw %}"),
        (
            "{{ 'a' ~ 1 }} {{ a * b }} {{ a ** b }} {{ f(*a, **b) }}",
            "{{ 'a' ~ 1 }} {{ a * b }} {{ a ** b }} {{ f(*a|_pay, **b|_pay) }}",
        ),
    ] {
        assert_eq!(guarded(text).text, want);
    }
    let long = "x".repeat(SHORT + 1);
    assert_eq!(guarded(&format!("{{{{ a == '{long}' }}}}")).text, format!("{{{{ a|_pay == '{long}'|_pay }}}}"));
}

#[test]
fn places_are_those_of_the_text_as_written() {
    let text = "é {{ a * b ~ c }} {{ d == e }}";
    let guarded = guarded(text);
    for word in ["a * b", "c", "d", "e", "}} {{"] {
        let at = guarded.text.find(word).unwrap();
        assert_eq!(&text[guarded.range(at..at + word.len())], word);
    }
    // What stands in a filter belongs to its operand.
    let at = guarded.text.find(")|_print").unwrap();
    assert_eq!(&text[guarded.range(at + 2..at + 8)], "a * b");
    let at = guarded.text.rfind("_pay").unwrap();
    assert_eq!(&text[guarded.range(at..at + 4)], "e");
}

/// Expressions of all kinds; `v0` to `v5` are values of all kinds.
fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "v0", "v1", "v2", "v3", "v4", "v5", "1", "2.5", "'s'", "'a b'", "true", "none", "[]", "nope"
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let binary = prop::sample::select(vec![
            "+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or",
        ]);
        prop_oneof![
            4 => (inner.clone(), binary, inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            1 => inner.clone().prop_map(|a| format!("({a})")),
            1 => inner.clone().prop_map(|a| format!("-{a}")),
            1 => inner.clone().prop_map(|a| format!("(not {a})")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("{a} if {b} else {c}")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {b}]")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}, {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{{a}: {b}}}")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[({b})]")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a})[({b}):({c})]")),
            1 => inner.clone().prop_map(|a| format!("v2[({a}):][1:]")),
            1 => inner.clone().prop_map(|a| format!("'%s %s' | format(*[{a}, 1])")),
            1 => inner.clone().prop_map(|a| format!("v1[{a}]")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} is eq [{b}, 1][0]")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} is ne v2[{b}]")),
            1 => Just("v4['k']".to_owned()),
            1 => inner.clone().prop_map(|a| format!("{a}.k")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} | default({b})")),
            1 => inner.clone().prop_map(|a| format!("{a} | string | upper")),
            1 => inner.clone().prop_map(|a| format!("{a} is defined")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} is not eq({b})")),
            1 => inner.clone().prop_map(|a| format!("{a} is in [1, 's']")),
            1 => inner.prop_map(|a| format!("{a} is divisibleby 3")),
        ]
    })
}

/// What a text gives, by an engine without fuel; an error by its kind, its words and its place.
fn outcome(compiled: &str, place: impl Fn(Range<usize>) -> Range<usize>) -> Result<String, String> {
    let mut env = Environment::new();
    env.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    env.set_debug(true);
    crate::template::filters::register(&mut env, &Limits::default());
    let values = context! {
        v0 => 3, v1 => "text", v2 => vec![1, 2], v3 => 0.5, v4 => context! { k => "v" }, v5 => Value::from_safe_string("<".into()),
    };
    env.render_str(compiled, values).map_err(|error| {
        let range = error.range().map(&place);
        format!("{:?} {:?} {range:?}", error.kind(), error.detail())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// The filters change neither what comes out nor what is said of an error and where.
    #[test]
    fn nothing_changes_but_what_is_paid(expression in expressions()) {
        for text in [format!("ä{{{{ {expression} }}}}"), format!("{{% if {expression} %}}a{{% else %}}b{{% endif %}}")] {
            let guarded = guarded(&text);
            let written = outcome(&text, |range| range);
            // A text that does not parse is told as written, and never compiled.
            if written.as_ref().is_err_and(|words| words.starts_with("SyntaxError")) {
                return Ok(());
            }
            let compiled = outcome(&guarded.text, |range| guarded.range(range));
            // Only `~` says more than the plain engine, which prints an undefined value inside of a list.
            if compiled.as_ref().is_err_and(|words| words.contains("a value in the list or table is undefined")) {
                return Ok(());
            }
            let plain = |outcome: &Result<String, String>| match outcome {
                Ok(text) => Ok(text.clone()),
                Err(words) => Err(words.split(" Some(").next().unwrap_or_default().to_owned()),
            };
            prop_assert_eq!(plain(&compiled), plain(&written), "{} | {} | {:?} | {:?}", &text, &guarded.text, compiled, written);
        }
    }

    /// Whatever the text is, no panic, and what is taken out again is what was written.
    #[test]
    fn any_text_is_kept(parts in prop::collection::vec(prop::sample::select(vec![
        "{{", "}}", "{%", "%}", "a", "b", " ", "~", "==", "in", "not", "is", "if", "else", "(", ")", "[", "]", "{", "}", "|", ".", ",", "-", "+",
        "*", "'x'", "1", "for", "set", "=", "é", "{#", "#}", ":", "raw", "endraw", "\"", "\n", "-%}", "{%-",
    ]), 0..40)) {
        let text = parts.concat();
        let guarded = guarded(&text);
        let added: usize = guarded.added.iter().map(|a| a.words.len()).sum();
        prop_assert_eq!(guarded.text.len(), text.len() + added);
        let mut back = guarded.text.clone();
        for at in (0..guarded.added.len()).rev() {
            let start = guarded.added[at].at + guarded.added[..at].iter().map(|a| a.words.len()).sum::<usize>();
            back.replace_range(start..start + guarded.added[at].words.len(), "");
        }
        prop_assert_eq!(&back, &text);
        for start in 0..guarded.text.len() {
            let range = guarded.range(start..guarded.text.len());
            prop_assert!(range.start <= range.end && range.end <= text.len());
        }
    }
}
