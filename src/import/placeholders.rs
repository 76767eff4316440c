//! Which braces of a prompt are placeholders, what the inputs that they become are called, and how long their values
//! may live.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::expr;
use crate::input::Lifetime;

/// A placeholder: `{{x}}`, `${x}` or `{x}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placeholder {
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
    /// The name between its braces.
    pub(super) name: String,
}

/// An input that placeholders become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Input {
    /// Its name in the language.
    pub(super) name: String,
    /// The placeholder as it is written. Another spelling is another input, since one value cannot be both.
    pub(super) written: String,
    /// How long its value is guessed to live.
    pub(super) lifetime: Lifetime,
    /// The first input of the same name, when this is another spelling of it.
    pub(super) like: Option<String>,
}

/// Words in a name that speak of one request.
const OF_A_TURN: [&str; 9] = ["clock", "datetime", "input", "message", "now", "query", "question", "time", "timestamp"];

/// First words of a name that speak of a user.
const OF_A_USER: [&str; 6] = ["account", "customer", "member", "patient", "student", "user"];

/// First words of a name that speak of an organisation.
const OF_AN_ORG: [&str; 5] = ["org", "organisation", "organization", "team", "tenant"];

/// Names that speak of the product itself.
const OF_A_BUILD: [&str; 13] = [
    "agent_name",
    "app",
    "app_name",
    "assistant_name",
    "bot_name",
    "brand",
    "company",
    "company_name",
    "model",
    "model_name",
    "product",
    "product_name",
    "version",
];

/// The placeholders of a text, in order. In code, where `{x}` and `${x}` mean something else, only `{{x}}` is one.
/// Names that a template in the text binds itself are none.
pub(super) fn find(text: &str, code: &[Range<usize>]) -> Vec<Placeholder> {
    let bound = bound_names(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|n| at + n) {
        let run = text[open..].bytes().take_while(|b| *b == b'{').count();
        at = open + run;
        let in_code = code.iter().any(|c| c.contains(&open));
        let before = &text[..open];
        let dollars = before.len() - before.trim_end_matches('$').len();
        let placeholder = match (run, dollars) {
            (2, 0) => double(text, open),
            (1, 0) if !in_code => single(text, open, open),
            (1, 1) if !in_code && !before.ends_with("\\$") => single(text, open - 1, open),
            _ => None,
        };
        if let Some(placeholder) = placeholder.filter(|p| !bound.contains(&p.name)) {
            at = placeholder.range.end;
            found.push(placeholder);
        }
    }
    found
}

/// `{{ name }}`, blanks as they come, no brace behind it.
fn double(text: &str, open: usize) -> Option<Placeholder> {
    let inner = &text[open + 2..];
    let blanks = inner.len() - inner.trim_start_matches([' ', '\t']).len();
    let name = name(&inner[blanks..])?;
    let rest = inner[blanks + name.len()..].trim_start_matches([' ', '\t']).strip_prefix("}}")?;
    let range = open..text.len() - rest.len();
    (!rest.starts_with('}')).then(|| Placeholder { range, name: name.to_owned() })
}

/// `{name}`, from `start` on when something stands before the brace.
fn single(text: &str, start: usize, open: usize) -> Option<Placeholder> {
    let name = name(&text[open + 1..])?;
    let end = open + 1 + name.len();
    text[end..].starts_with('}').then(|| Placeholder { range: start..end + 1, name: name.to_owned() })
}

/// The name that a text begins with.
fn name(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let name = &text[..end];
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then_some(name)
}

/// Names that tags of Jinja bind: by `for`, `set`, `with`, `macro`.
fn bound_names(text: &str) -> BTreeSet<String> {
    let mut bound = BTreeSet::new();
    for tag in text.split("{%").skip(1) {
        let tag = tag.split("%}").next().unwrap_or_default().trim_start_matches(['-', '+']).trim_start();
        let (word, rest) = tag.split_once([' ', '\t', '\n']).unwrap_or((tag, ""));
        let names = match word {
            "for" => rest.split(" in ").next().unwrap_or_default(),
            "set" | "with" => rest.split('=').next().unwrap_or_default(),
            "macro" => rest,
            _ => continue,
        };
        let words = names.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        bound.extend(words.filter(|w| !w.is_empty()).map(str::to_owned));
    }
    bound
}

/// Adds the input of a placeholder, and gives its place in the list.
pub(super) fn input_of(inputs: &mut Vec<Input>, name: &str, written: &str) -> usize {
    if let Some(at) = inputs.iter().position(|input| input.written == written) {
        return at;
    }
    let base = input_name(name);
    let like = inputs.iter().find(|input| input.name == base).map(|input| input.name.clone());
    let is_free = |name: &String| !inputs.iter().any(|input| input.name == *name);
    let mut free = base.clone();
    let mut number = 2;
    while !is_free(&free) {
        free = format!("{base}_{number}");
        number += 1;
    }
    inputs.push(Input { name: free, written: written.to_owned(), lifetime: lifetime(&base), like });
    inputs.len() - 1
}

/// A name as inputs have them: `userName` and `USER_NAME` become `user_name`.
fn input_name(name: &str) -> String {
    let mut out = String::new();
    let mut after_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_small {
            out.push('_');
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_lowercase());
    }
    let out = out.trim_start_matches(|c: char| !c.is_ascii_lowercase()).to_owned();
    match out.as_str() {
        "" => "value".to_owned(),
        word if expr::is_reserved(word) => format!("{word}_value"),
        _ => out,
    }
}

/// What a name says of how long its value lives. A guess, which is marked as one wherever it is written.
fn lifetime(name: &str) -> Lifetime {
    let words: Vec<&str> = name.split('_').collect();
    let first = words[0];
    match () {
        () if OF_A_BUILD.contains(&name) => Lifetime::Build,
        () if words.iter().any(|word| OF_A_TURN.contains(word)) => Lifetime::Turn,
        () if OF_AN_ORG.contains(&first) => Lifetime::Org,
        () if OF_A_USER.contains(&first) => Lifetime::User,
        () => Lifetime::Session,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find(text, &[]).into_iter().map(|p| &text[p.range]).collect()
    }

    #[test]
    fn three_spellings_are_placeholders() {
        assert_eq!(found("{{x}} {{ x }} ${x} {x} {_aB9}"), ["{{x}}", "{{ x }}", "${x}", "{x}", "{_aB9}"]);
        assert_eq!(found("é{x}{y}${z}"), ["{x}", "{y}", "${z}"]);
        assert_eq!(found("[{{x}}]({x})"), ["{{x}}", "{x}"]);
    }

    #[test]
    fn other_braces_are_text() {
        for text in [
            "{\"a\": 1}",
            "{}",
            "{ x }",
            "{{}}",
            "{{{x}}}",
            "{{x}}}",
            "{{x.y}}",
            "{{ x | e }}",
            "{{- x }}",
            "{1}",
            "{x",
            "{{x}",
            "$${x}",
            "\\${x}",
            "{% if x %}",
            "{# x #}",
            "${x.y}",
            "{x y}",
            "{\nx}",
            "{{\nx}}",
            "{",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("{\"a\": {x}}"), ["{x}"]);
    }

    #[test]
    fn in_code_only_double_braces_count() {
        let text = "{a} {b} ${c} {{d}} {e}";
        let names = |code: &[Range<usize>]| find(text, code).into_iter().map(|p| p.name).collect::<Vec<_>>();
        assert_eq!(names(std::slice::from_ref(&(4..18))), ["a", "d", "e"]);
    }

    #[test]
    fn names_that_a_template_binds_are_its_own() {
        let text = "{% for k, v in items %}{{ k }}{{v}}{%- endfor %}{% set z = 1 %}{{ z }}{% macro m(p) %}{{p}}{{ q }}";
        assert_eq!(found(text), ["{{ q }}"]);
    }

    #[test]
    fn inputs_have_names_of_the_language_and_one_spelling_each() {
        let mut inputs = Vec::new();
        for (name, written) in
            [("userName", "{userName}"), ("USER_NAME", "${USER_NAME}"), ("userName", "{userName}"), ("for", "{for}")]
        {
            input_of(&mut inputs, name, written);
        }
        input_of(&mut inputs, "_1", "{_1}");
        let names: Vec<&str> = inputs.iter().map(|i| i.name.as_str()).collect();
        assert_eq!(names, ["user_name", "user_name_2", "for_value", "value"]);
        assert_eq!(inputs[1].like.as_deref(), Some("user_name"));
    }

    #[test]
    fn lifetimes_are_guessed_from_names() {
        for (name, wanted) in [
            ("product_name", Lifetime::Build),
            ("org_id", Lifetime::Org),
            ("user_name", Lifetime::User),
            ("user_question", Lifetime::Turn),
            ("current_time", Lifetime::Turn),
            ("cwd", Lifetime::Session),
            ("date", Lifetime::Session),
        ] {
            assert_eq!(lifetime(name), wanted, "{name}");
        }
    }
}
