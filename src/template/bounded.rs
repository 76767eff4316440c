//! That nothing a template can say works or grows without end: each operator, filter and test on operands that are
//! huge, and that cost nothing to make.

use std::sync::Arc;

use super::{Engine, Library, RenderError, Syntax, Templates, Values, known};
use crate::diag::Diagnostic;
use crate::input::Value;
use crate::limits::Limits;
use crate::source::{Located, SourceMap, Span};

#[derive(Default)]
struct NoFiles(Templates);

impl Library for NoFiles {
    fn get(&self, _: &str) -> Option<Located> {
        None
    }

    fn problem(&self, _: &str, _: Span) -> Option<Diagnostic> {
        None
    }

    fn templates(&self) -> &Templates {
        &self.0
    }
}

/// Fuel that is spent at once, so that the whole file takes a moment.
const FUEL: usize = 20_000;

/// What a text gives. `big` is a list of 100 million, `deep` one of as many of those, `text` 600 thousand characters of
/// two bytes, `texts` a list of 100 million times that text.
fn render(text: &str) -> Result<String, RenderError> {
    let mut limits = Limits::default();
    limits.template_fuel.value = FUEL;
    limits.section_bytes.value = 1 << 20;
    let syntax = Syntax { trim_blocks: false, lstrip_blocks: false, keep_trailing_newline: true };
    let engine = Engine::new(Arc::new(NoFiles::default()), syntax, limits);
    let mut sources = SourceMap::default();
    let made = "{% set big = [0] * 100000000 %}{% set deep = [big] * 100000000 %}{% set texts = [text] * 100000000 %}\
                {% set pairs = [{'k': 1, 'l': [0]}] * 100000000 %}";
    let file = sources.add("s", format!("{made}{text}").as_bytes()).unwrap();
    let text = Value::String("é".repeat(600_000));
    engine.render(&sources.located(file), &Values::new([("text", &text)]))
}

#[track_caller]
fn stopped(text: &str) {
    let error = render(text).map(|text| text.len()).expect_err(text);
    let names = error.limit.map(|limit| limit.name);
    let is_deep = error.message.contains("nested more than");
    assert!(matches!(names, Some("template-fuel" | "section-bytes")) || is_deep, "{text}: {error:?}");
}

#[test]
fn operators_pay_for_their_operands() {
    for operator in ["==", "!=", "<", "<=", ">", ">=", "in", "not in", "~", "+"] {
        for (a, b) in [("big", "big * 1"), ("deep", "deep * 1"), ("[[big]]", "[[big * 1]]"), ("big", "1"), ("1", "big")]
        {
            // The sum of a list and a number is an error at once, and what is in no list is an error too.
            if matches!((operator, a, b), ("+", "1", _) | ("+", _, "1") | ("in" | "not in", _, "1")) {
                continue;
            }
            stopped(&format!("{{% if ({a}) {operator} ({b}) %}}{{% endif %}}"));
        }
        let repeated =
            format!("{{% for i in range(1000) %}}{{% if text {operator} text %}}{{% endif %}}{{% endfor %}}");
        stopped(&repeated);
    }
    stopped("{% if 1 < 2 < big %}{% endif %}");
    stopped("{{ text * 100000 }}");
    stopped("{{ big }}");
    stopped("{% set x = (big ~ '') %}");
    stopped("{{ {big: 1} | length }}");
    stopped("{{ {1: 1}[big] }}");
    stopped("{{ big[50000000:50000001] }}");
    stopped("{{ big[::-1] }}");
    stopped("{% for i in range(1000) %}{{ text[599999] }}{% endfor %}");
    stopped("{% for i in range(1000) %}{% set x = text[599999:] %}{% endfor %}");
    stopped("{% for i in range(1000) %}{% if loop.changed(big) %}{% endif %}{% endfor %}");
    stopped("{{ 'a' | format(*big) }}");
    stopped("{% set a, b = big %}");
    stopped("{% for a, b in [big] %}{% endfor %}");
    stopped("{% with (a, b) = big %}{% endwith %}");
    // Constants are computed while compiling.
    stopped("{{ ([[0] * 100000000] * 100000000) == ([[0] * 100000000] * 100000000) }}");
    stopped("{{ ([0] * 100000000) ~ '' }}");
}

#[test]
fn lists_that_grow_by_themselves_pay() {
    for step in [
        "x + x",
        "x | chain(x)",
        "x * 2",
        "[x, x]",
        "x ~ x",
        "(x, x)",
        "{'a': x, 'b': x}",
        "x[0:]",
        "[x]",
        "x | reverse | list",
    ] {
        let step = step.replace('x', "ns.x");
        let loops = "{% for i in range(300) %}{% for j in range(300) %}";
        let text = format!(
            "{{% set ns = namespace(x=[0], y=[0]) %}}{loops}{{% set ns.x = {step} %}}{{% endfor %}}{{% endfor %}}{{{{ ns.x }}}}"
        );
        // Of lists that are multiplied the engine bounds the length.
        match step.contains('*') {
            true => assert_eq!(render(&text).unwrap_err().message, "repeated sequence is too large"),
            false => stopped(&text),
        }
    }
    let circle = "{% set ns = namespace() %}{% set ns.x = [ns] %}";
    for use_of in [
        "{{ ns }}",
        "{{ ns.x == ns.x }}",
        "{{ ns | tojson }}",
        "{{ ns.x | sort }}",
        "{{ ns.x ~ '' }}",
        "{{ ns | pprint }}",
    ] {
        stopped(&format!("{circle}{use_of}"));
    }
}

/// Filters, each used so that it would work or grow without end.
const USES: [(&str, &str); 47] = [
    ("attr", "{{ {1: 1} | attr(big) }}"),
    ("batch", "{{ [1, 2] | batch(999999999999, 'x') | list }}"),
    ("bullets", "{{ texts | bullets }}"),
    ("capitalize", "{{ deep | capitalize }}"),
    ("chain", "{{ big | chain(big) | list }}"),
    ("dictsort", "{% for i in range(1000) %}{% set x = {'a': texts} | dictsort(by='value') %}{% endfor %}"),
    ("e", "{{ deep | e }}"),
    ("escape", "{{ deep | escape }}"),
    ("fill", "{{ ('{{a}}' * 10000) | fill({'a': text}) }}"),
    ("format", "{{ ('%s' * 1000) | format(*([text] * 1000)) }}"),
    ("groupby", "{{ [{'k': deep}, {'k': deep * 1}] | groupby('k') }}"),
    ("indent", "{{ ('a\n' * 1000) | indent(99999) }}"),
    (
        "items",
        "{% for i in range(300) %}{% for j in range(300) %}{{ {'a': i} | items | list }}{% endfor %}{% endfor %}",
    ),
    ("join", "{{ big | join(text) }}"),
    ("last", "{{ big | last }}"),
    ("limit", "{% for i in range(1000) %}{% set x = text | limit(599999, text) %}{% endfor %}"),
    ("lines", "{% for i in range(1000) %}{% set x = text | lines %}{% endfor %}"),
    ("list", "{{ big | list }}"),
    ("lower", "{{ deep | lower }}"),
    ("map", "{{ big | map('string') | list }}"),
    ("max", "{{ [deep, deep * 1] | max }}"),
    ("min", "{{ [deep, deep * 1] | min }}"),
    ("one_line", "{% for i in range(1000) %}{% set x = text | one_line %}{% endfor %}"),
    ("pprint", "{{ big | pprint }}"),
    ("reject", "{{ [1] | reject(deep) | list }}"),
    ("rejectattr", "{{ [1] | rejectattr(deep) | list }}"),
    ("replace", "{{ text | replace('', text) }}"),
    ("reverse", "{{ big | reverse }}"),
    ("safe", "{{ deep | safe }}"),
    ("select", "{{ [1] | select(deep) | list }}"),
    ("selectattr", "{{ [1] | selectattr(deep) | list }}"),
    ("slice", "{{ [1, 2] | slice(999999999) | list }}"),
    ("sort", "{{ [deep, deep * 1] | sort }}"),
    ("split", "{% for i in range(1000) %}{% set x = text | split('') %}{% endfor %}"),
    ("string", "{{ deep | string }}"),
    ("strip_invisible", "{% for i in range(1000) %}{% set x = text | strip_invisible %}{% endfor %}"),
    ("sum", "{{ [deep, deep * 1] | sum }}"),
    ("summary", "{% for i in range(1000) %}{% set x = text | summary(599999) %}{% endfor %}"),
    ("title", "{{ deep | title }}"),
    ("tojson", "{{ deep | tojson }}"),
    ("trim", "{% for i in range(1000) %}{% set x = text | trim %}{% endfor %}"),
    ("unique", "{{ [deep, deep * 1] | unique | list }}"),
    ("upper", "{{ deep | upper }}"),
    ("xml", "{% for i in range(1000) %}{% set x = text | xml('t') %}{% endfor %}"),
    ("zip", "{{ big | zip(big) | list }}"),
    ("int", "{% for i in range(1000) %}{% set x = text | int(default=0) %}{% endfor %}"),
    ("float", "{% for i in range(1000) %}{% set x = text | float(default=0) %}{% endfor %}"),
];

/// Filters that look at one value only, or at the first of a list: what they do does not grow.
const CHEAP: [&str; 8] = ["abs", "bool", "count", "d", "default", "first", "length", "round"];

#[test]
fn every_filter_pays_or_does_not_grow() {
    let mut told: Vec<&str> = USES.iter().map(|(name, _)| *name).chain(CHEAP).collect();
    told.sort_unstable();
    assert_eq!(told, known::FILTERS);
    for (_, text) in USES {
        stopped(text);
    }
    for name in CHEAP.iter().filter(|name| **name != "round" && **name != "abs") {
        let used = render(&format!("{{% set x = deep | {name} %}}ok"));
        assert_eq!(used.as_deref(), Ok("ok"), "{name}");
    }
}

#[test]
fn every_test_pays_or_does_not_grow() {
    for name in known::TESTS {
        let text = match name {
            "in" => "{% if deep is in([deep * 1]) %}{% endif %}".to_owned(),
            "eq" | "equalto" | "ne" | "lt" | "lessthan" | "le" | "gt" | "greaterthan" | "ge" | "startingwith"
            | "endingwith" => {
                format!("{{% if deep is {name}(deep * 1) %}}{{% endif %}}")
            }
            "divisibleby" | "sameas" => {
                let ended = render(&format!("{{% if text is {name}(text) %}}{{% endif %}}ok"));
                assert!(ended.is_ok() || ended.is_err_and(|e| e.limit.is_none()), "{name}");
                continue;
            }
            _ => {
                let ended = render(&format!("{{% if deep is {name} %}}{{% endif %}}ok"));
                assert!(ended.is_ok() || ended.is_err_and(|e| e.limit.is_none()), "{name}");
                continue;
            }
        };
        stopped(&text);
    }
}

#[test]
fn what_is_usual_stays_far_below_the_bound() {
    let mut text =
        "{% set ns = namespace(all=[]) %}{% for i in range(100) %}{% set ns.all = ns.all + [i] %}{% endfor %}"
            .to_owned();
    text += "{% for i in ns.all if i in ns.all and i == ns.all[i] %}{{ i ~ ',' }}{% endfor %}";
    assert_eq!(render(&text).unwrap().matches(',').count(), 100);
}

#[test]
fn what_is_not_finite_is_not_joined() {
    for text in ["{{ 1e308 * 10 ~ '' }}", "{{ [1e308 * 10] ~ 'x' }}", "{% set x = 'x' ~ (1e308 * 10) %}"] {
        let error = render(text).unwrap_err();
        assert_eq!(error.message, "a number that is not finite cannot be printed", "{text}");
    }
}
