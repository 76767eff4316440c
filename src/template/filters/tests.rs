//! Each rule of T5 as a table, through an engine that is strict as the real one.

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, context};

use super::*;

fn engine() -> Environment<'static> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_fuel(Some(100_000));
    register(&mut env, &Limits::default());
    env
}

fn render(filter: &str, value: impl Into<Value>) -> Result<String, Error> {
    engine().render_str(&format!("{{{{ value | {filter} }}}}"), context! { value => value.into() })
}

fn detail(error: &Error) -> String {
    error.detail().unwrap_or_default().to_owned()
}

fn json(text: &str) -> Value {
    Value::from(Serde(serde_json::from_str::<serde_json::Value>(text).unwrap()))
}

#[test]
fn summary_is_the_first_sentence_within_n() {
    for (text, n, want) in [
        ("One. Two.", 99, "One."),
        ("One.", 99, "One."),
        ("One", 99, "One"),
        ("One.Two. Three", 99, "One.Two."),
        ("One.\tTwo", 99, "One.\tTwo"),
        ("One\nTwo.", 99, "One"),
        ("One. \nTwo", 99, "One."),
        ("One  \nTwo", 99, "One"),
        ("\n  One.\n  Two.", 99, "One."),
        ("第一句。第二句。", 99, "第一句。"),
        ("Use 3.5 or e.g. this.", 99, "Use 3.5 or e.g."),
        ("Why? Because.", 99, "Why? Because."),
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("abcdef", 1, "…"),
        ("abcdef", 0, ""),
        ("", 5, ""),
        ("a", 1, "a"),
        ("abc. def", 4, "abc."),
        ("abc. def", 3, "ab…"),
        ("Hello world", 7, "Hello…"),
        ("ééééé", 3, "éé…"),
        ("\u{1F600}\u{1F600}\u{1F600}", 2, "\u{1F600}…"),
    ] {
        let found = render(&format!("summary({n})"), text).unwrap();
        assert_eq!(found, want, "{text:?} {n}");
        assert!(found.chars().count() <= n);
    }
    assert_eq!(render("summary(n=3)", "abcdef").unwrap(), "ab…");
}

#[test]
fn one_line_leaves_single_blanks() {
    for (text, want) in [
        ("  a \n\t b\u{a0}\u{2028}c\u{3000}", "a b c"),
        ("a", "a"),
        ("", ""),
        (" \n ", ""),
        ("a\r\nb\u{85}c", "a b c"),
        ("a\u{200b}b", "a\u{200b}b"),
    ] {
        assert_eq!(render("one_line", text).unwrap(), want, "{text:?}");
    }
}

#[test]
fn limit_counts_characters_and_not_the_note() {
    for (args, text, want) in [
        ("5, '..'", "abcde", "abcde"),
        ("4, '..'", "abcde", "abcd.."),
        ("0, '..'", "abcde", ".."),
        ("0, '..'", "", ""),
        ("2", "äöü", "äö"),
        ("2, note='\n[cut]'", "日本語", "日本\n[cut]"),
        ("note='!', n=1", "ab", "a!"),
        ("99999999999, 'x'", "a", "a"),
        ("1, 7", "ab", "a7"),
    ] {
        assert_eq!(render(&format!("limit({args})"), text).unwrap(), want, "{args}");
    }
}

#[test]
fn xml_wraps_and_closing_tags_lose_their_bracket() {
    for (tag, text, want) in [
        ("t", "v", "<t>\nv\n</t>"),
        ("t", "", "<t>\n\n</t>"),
        ("data", "a</data>b", "<data>\na&lt;/data>b\n</data>"),
        ("data", "</DaTa ></database></dat></datá", "<data>\n&lt;/DaTa >&lt;/database></dat></datá\n</data>"),
        ("data", "<data></ data>", "<data>\n<data></ data>\n</data>"),
        ("t", "</</t</T", "<t>\n</&lt;/t&lt;/T\n</t>"),
        ("a-B_1", "</A-b_1>", "<a-B_1>\n&lt;/A-b_1>\n</a-B_1>"),
        ("t", "</", "<t>\n</\n</t>"),
        ("tt", "é</t", "<tt>\né</t\n</tt>"),
    ] {
        assert_eq!(render(&format!("xml('{tag}')"), text).unwrap(), want, "{text}");
    }
    assert_eq!(render("xml(tag='n')", 3).unwrap(), "<n>\n3\n</n>");
    for tag in ["", "1a", "a b", "a>", "-a", "é", "a.b", "a:b", "a\\n"] {
        assert!(detail(&render(&format!("xml('{tag}')"), "v").unwrap_err()).contains("name of an element"), "{tag}");
    }
}

#[test]
fn bullets_nest_two_deeper() {
    for (list, want) in [
        (r#"[]"#, ""),
        (r#"["a"]"#, " - a"),
        (r#"["a", ["b", ["c"], "d"], "e"]"#, " - a\n   - b\n     - c\n   - d\n - e"),
        (r#"[["a"], [], "b"]"#, "   - a\n - b"),
        (r#"[1, 2.5, 3.0, true, null]"#, " - 1\n - 2.5\n - 3.0\n - True\n - None"),
        (r#"["", "x"]"#, " - \n - x"),
        (r#"["a\nb\n\nc\n\n", "d"]"#, " - a\n   b\n\n   c\n - d"),
        (r#"["a", ["b\nc"]]"#, " - a\n   - b\n     c"),
    ] {
        assert_eq!(render("bullets", json(list)).unwrap(), want, "{list}");
    }
    // lists that the engine makes are lists too
    assert_eq!(render("map('upper') | bullets", json(r#"["a", "b"]"#)).unwrap(), " - A\n - B");
    for (value, want) in
        [(r#"["a", {"b": 1}]"#, "a table"), (r#"{"b": 1}"#, "a table"), (r#""a""#, "a string"), ("null", "none")]
    {
        let error = render("bullets", json(value)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidOperation);
        assert!(detail(&error).contains(want), "{value}: {}", detail(&error));
    }
    let undefined = engine().render_str("{{ [a.b] | bullets }}", context! { a => json("{}") }).unwrap_err();
    assert_eq!(undefined.kind(), ErrorKind::UndefinedError);
}

#[test]
fn bullets_are_bounded() {
    let deep = "{% set ns = namespace(x=['a']) %}{% for i in range(N) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | bullets }}";
    let ok = engine().render_str(&deep.replace('N', "63"), ()).unwrap();
    assert_eq!(ok, format!("{} - a", " ".repeat(126)));
    assert!(detail(&engine().render_str(&deep.replace('N', "64"), ()).unwrap_err()).contains("64 deep"));
    // 2^60 empty lists in 60 small ones
    let wide = "{% set ns = namespace(x=[]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | bullets }}";
    assert_eq!(engine().render_str(wide, ()).unwrap_err().kind(), ErrorKind::OutOfFuel);
}

#[test]
fn fill_replaces_once() {
    let map = json(r#"{"a": "A", "b c": "{{a}}", "n": 3, "": "empty", "d": "{{", "list": [1]}"#);
    for (text, want) in [
        ("{{a}} {{ a }} {{\ta  }}", "A A A"),
        ("{{b c}}{{a}}", "{{a}}A"),
        ("{{ unknown }} {a} {{A}}", "{{ unknown }} {a} {{A}}"),
        ("{{n}}", "3"),
        ("{{}}{{ }}", "emptyempty"),
        ("{{{a}}}", "{A}"),
        ("{{{{a}}}}", "{{A}}"),
        ("{{ {{a}} }}", "{{ A }}"),
        ("{{d}}a}}", "{{a}}"),
        ("{{a} }{{a", "{{a} }{{a"),
        ("{{a\n}}", "{{a\n}}"),
        ("{{a}}é{{a}}", "AéA"),
        ("", ""),
    ] {
        let found = engine().render_str("{{ text | fill(map) }}", context! { text, map => map.clone() }).unwrap();
        assert_eq!(found, want, "{text}");
    }
    let error = engine().render_str("{{ '{{list}}' | fill(map) }}", context! { map }).unwrap_err();
    assert!(detail(&error).contains("`list` is a list"), "{}", detail(&error));
    let error = engine().render_str("{{ '{{a}}' | fill({'a': x.y}) }}", context! { x => json("{}") }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UndefinedError);
}

#[test]
fn strip_invisible_leaves_emoji_whole() {
    for (text, want) in [
        ("plain ä 系统", "plain ä 系统"),
        ("a\u{E0041}\u{E007F}b", "ab"),
        ("a\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}b", "ab"),
        ("\u{FEFF}a\u{200B}\u{200C}\u{200D}\u{2060}\u{180E}\u{2064}b", "ab"),
        // a family; a heart on fire; a woman with a skin tone and a laptop; a rainbow flag
        ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"),
        ("\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}"),
        ("\u{1F469}\u{1F3FD}\u{200D}\u{1F4BB}", "\u{1F469}\u{1F3FD}\u{200D}\u{1F4BB}"),
        ("\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}"),
        (
            "\u{1F6B6}\u{1F3FF}\u{200D}\u{2640}\u{FE0F}\u{200D}\u{27A1}\u{FE0F}",
            "\u{1F6B6}\u{1F3FF}\u{200D}\u{2640}\u{FE0F}\u{200D}\u{27A1}\u{FE0F}",
        ),
        // the flag of England is written with tags
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", "\u{1F3F4}"),
        // joiners at an end, doubled, between letters, behind a style without an emoji
        ("\u{1F468}\u{200D}", "\u{1F468}"),
        ("\u{200D}\u{1F468}", "\u{1F468}"),
        ("\u{1F468}\u{200D}\u{200D}\u{1F469}", "\u{1F468}\u{1F469}"),
        ("\u{1F468}\u{200B}\u{200D}\u{1F469}", "\u{1F468}\u{1F469}"),
        ("a\u{FE0F}\u{200D}\u{1F469}", "a\u{FE0F}\u{1F469}"),
        ("\u{1F468}\u{200D}a", "\u{1F468}a"),
        ("क\u{200D}ष", "कष"),
    ] {
        let found = render("strip_invisible", text).unwrap();
        assert_eq!(found, want, "{}", text.escape_unicode());
        assert_eq!(render("strip_invisible", found.clone()).unwrap(), found);
    }
}

#[test]
fn numbers_are_text_and_nothing_else_is() {
    assert_eq!(render("one_line", 5).unwrap(), "5");
    assert_eq!(render("limit(2, '')", 1.25).unwrap(), "1.");
    for filter in ["summary(3)", "one_line", "limit(3, '')", "xml('t')", "strip_invisible", "fill({})"] {
        for (value, what) in
            [(json("true"), "a bool"), (json("null"), "none"), (json("[1]"), "a list"), (json("{}"), "a table")]
        {
            let error = render(filter, value).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidOperation);
            assert!(detail(&error).ends_with(&format!("takes text, not {what}")), "{filter}: {}", detail(&error));
        }
        assert!(detail(&render(filter, f64::INFINITY).unwrap_err()).contains("not finite"), "{filter}");
        let error =
            engine().render_str(&format!("{{{{ x.y | {filter} }}}}"), context! { x => json("{}") }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UndefinedError, "{filter}");
        let error = engine().render_str(&format!("{{{{ ('a' if false) | {filter} }}}}"), ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UndefinedError, "{filter}");
    }
}

#[test]
fn wrong_arguments_are_told_with_the_right_form() {
    for (filter, want) in [
        ("summary", "filter `summary(n)` needs `n`"),
        ("summary(-1)", "filter `summary(n)` takes for `n` a whole number from 0, not -1"),
        ("summary(2.0)", "filter `summary(n)` takes for `n` a whole number from 0, not 2.0"),
        ("summary(true)", "filter `summary(n)` takes for `n` a whole number from 0, not a bool"),
        ("summary('3')", "filter `summary(n)` takes for `n` a whole number from 0, not a string"),
        ("summary(1, 2)", "filter `summary(n)` was given too many arguments"),
        ("summary(length=1)", "filter `summary(n)` has no argument `length`"),
        ("summary(1, n=1)", "filter `summary(n)` was given `n` twice"),
        ("one_line(1)", "filter `one_line` was given too many arguments"),
        ("limit", "filter `limit(n, note)` needs `n`"),
        ("limit('x', 1)", "filter `limit(n, note)` takes for `n` a whole number from 0, not a string"),
        ("limit(1, [1])", "filter `limit(n, note)` takes text, not a list"),
        ("xml", "filter `xml(tag)` needs `tag`"),
        ("xml(1)", "filter `xml(tag)` takes for `tag` a string, not 1"),
        ("fill", "filter `fill(map)` needs `map`"),
        ("fill([1])", "filter `fill(map)` takes for `map` a table, not a list"),
        ("bullets(1)", "filter `bullets` was given too many arguments"),
    ] {
        let error = render(filter, "text").unwrap_err();
        assert_eq!((error.kind(), detail(&error).as_str()), (ErrorKind::InvalidOperation, want), "{filter}");
    }
}

#[test]
fn undefined_values_keep_the_message_of_the_engine() {
    let own = engine().render_str("{{ x.y | one_line }}", context! { x => json("{}") }).unwrap_err();
    let builtin = engine().render_str("{{ x.y | upper }}", context! { x => json("{}") }).unwrap_err();
    assert_eq!(own.to_string(), builtin.to_string());
}

#[test]
fn what_is_made_is_paid_for() {
    let spent = |template: &str, text: &str| {
        let mut env = engine();
        env.add_filter("left", |state: &State<'_, '_>, _: &Value| state.fuel_levels().map_or(0, |levels| levels.0));
        env.render_str(template, context! { text }).unwrap().parse::<u64>().unwrap()
    };
    let long = "a ".repeat(32_000);
    for filter in ["summary(99999)", "one_line", "limit(64000, '')", "xml('t')", "strip_invisible", "fill({})"] {
        let template = format!("{{{{ text | {filter} | left }}}}");
        let paid = spent(&template, &long) - spent(&template, "a");
        assert!((2 * 900..=5 * 1000).contains(&paid), "{filter}: {paid}");
    }
    // a small text that would become a large one
    let error = engine().render_str("{{ ('{{a}}' * 5000) | fill({'a': 'x' * 5000}) }}", ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfFuel);
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_a_filter(text in "(?s).{0,60}|[<>/tT{}a .\\u{200d}\\u{1f468}\\u{fe0f}\n]{0,40}", n in 0usize..20) {
        let closed = render("xml('t')", text.clone()).unwrap();
        let inside = closed.strip_prefix("<t>\n").and_then(|rest| rest.strip_suffix("\n</t>")).unwrap();
        proptest::prop_assert!(!inside.to_ascii_lowercase().contains("</t"));
        let summary = render(&format!("summary({n})"), text.clone()).unwrap();
        proptest::prop_assert!(summary.chars().count() <= n);
        let start = render(&format!("limit({n})"), text.clone()).unwrap();
        proptest::prop_assert!(text.starts_with(&start) && (start == text || start.chars().count() == n));
        let stripped = render("strip_invisible", text.clone()).unwrap();
        proptest::prop_assert_eq!(&render("strip_invisible", stripped.clone()).unwrap(), &stripped);
        proptest::prop_assert!(!render("one_line", text.clone()).unwrap().contains('\n'));
        proptest::prop_assert_eq!(render("fill({})", text.clone()).unwrap(), text);
    }
}

/// What is looked at or paid for first reaches the engine's filter as it was given.
#[test]
fn filters_of_the_engine_keep_their_named_arguments() {
    let list = || json(r#"[{"k": 2}, {"k": 1}]"#);
    for (filter, want) in [
        ("sort(attribute='k') | map(attribute='k') | join(',')", "1,2"),
        ("sort(attribute='k', reverse=true) | map(attribute='k') | join(',')", "2,1"),
        ("join(',', attribute='k')", "2,1"),
        ("sum(attribute='k')", "3"),
        ("max(attribute='k') | tojson", r#"{"k": 2}"#),
        ("groupby(attribute='k') | length", "2"),
        ("unique(attribute='k') | list | length", "2"),
        ("first | dictsort(by='value') | length", "1"),
    ] {
        assert_eq!(render(filter, list()).unwrap(), want, "{filter}");
    }
    assert_eq!(render("indent(width=2, first=true)", "a\nb").unwrap(), "  a\n  b");
    assert_eq!(render("tojson(indent=1)", json("[1]")).unwrap(), "[\n 1\n]");
}
