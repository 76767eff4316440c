//! Messages about data files: contexts, fixtures, front matter.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::limits::Limit;
use crate::source::Span;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 1] = [&CONTEXT_SYNTAX];

/// A data file that does not parse, or holds what a context may not.
pub static CONTEXT_SYNTAX: RuleInfo = RuleInfo {
    name: "context-syntax",
    level: Severity::Error,
    summary: "a context, fixture or front matter that cannot be read",
    doc: "Contexts are JSON, YAML (1.2 core schema) or TOML; the top level is a table. Refused are duplicate keys, \
          integers past 64 bits, infinities, nesting past 64 levels, dates in TOML, and in YAML tags, merge keys, \
          `1_000` and `017`: each of them means different things to different readers. Quote what is meant as text.",
};

/// Letters of a file that are shown in a headline.
const SHOWN: usize = 40;

pub(super) fn syntax(span: Span, language: &str, problem: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("invalid {language}: {problem}"))
}

pub(super) fn empty_json(span: Span) -> Diagnostic {
    syntax(span, "JSON", "the file is empty").label("nothing here").help("write `{}` for no values")
}

pub(super) fn trailing_comma(span: Span) -> Diagnostic {
    syntax(span, "JSON", "a comma before a closing bracket")
        .label("nothing follows this comma")
        .help("remove the comma")
}

pub(super) fn json_comment(span: Span) -> Diagnostic {
    syntax(span, "JSON", "a comment")
        .label("JSON has no comments")
        .help("remove the comment, or write the file in YAML or TOML")
}

pub(super) fn json_quote(span: Span) -> Diagnostic {
    syntax(span, "JSON", "a string in single quotes").label("not a quote in JSON").help("use double quotes")
}

pub(super) fn json_word(span: Span, word: &str) -> Diagnostic {
    let problem = syntax(span, "JSON", &format!("unknown word `{}`", shown(word))).label("not a JSON value");
    match word.to_ascii_lowercase().as_str() {
        "none" | "nil" | "undefined" | "null" => problem.help("write `null`"),
        "true" => problem.help("write `true`"),
        "false" => problem.help("write `false`"),
        "nan" | "infinity" | "inf" => problem.help("give a finite number, or text in double quotes"),
        _ => problem.help("put text in double quotes"),
    }
}

pub(super) fn top_level(span: Span, kind: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("the top level is {kind}, not a table"))
        .label(format!("this is {kind}"))
        .help("give a table: names, each with its value")
}

pub(super) fn duplicate_key(key: &str, again: Span, first: Option<Span>) -> Diagnostic {
    let problem = Diagnostic::new(&CONTEXT_SYNTAX, again, format!("the key `{}` is given twice", shown(key)))
        .label("again here")
        .help("remove one of the two");
    match first {
        Some(first) => problem.also(first, "first here"),
        None => problem,
    }
}

pub(super) fn integer_too_large(span: Span, digits: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("the integer `{}` does not fit in 64 bits", shown(digits)))
        .label("past 64 bits")
        .help("put it in quotes, if its digits are what matters")
}

pub(super) fn not_finite(span: Span, text: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("`{}` is not a finite number", shown(text)))
        .label("not finite")
        .help("give a finite number, or put the text in quotes")
}

pub(super) fn unclear_number(span: Span, text: &str, plain: Option<&str>) -> Diagnostic {
    let text = shown(text);
    let problem = Diagnostic::new(&CONTEXT_SYNTAX, span, format!("`{text}` means different things to YAML readers"))
        .label("a number or a string")
        .note("YAML 1.1 and 1.2 read it differently");
    match plain {
        Some(plain) => problem.help(format!("write `{plain}` for the number, or `\"{text}\"` for the text")),
        None => problem.help(format!("write `\"{text}\"` for the text, or the number in plain digits")),
    }
}

pub(super) fn yaml_colon(span: Span) -> Diagnostic {
    syntax(span, "YAML", "a `:` where no key can be")
        .label("not a key")
        .help("put text that holds `: ` in quotes, or mend the indentation")
}

pub(super) fn yaml_character(span: Span, found: char) -> Diagnostic {
    syntax(span, "YAML", &format!("`{}` cannot begin a value", found.escape_debug()))
        .label("a reserved character")
        .help("put the text in quotes")
}

pub(super) fn yaml_tab(span: Span) -> Diagnostic {
    syntax(span, "YAML", "a tab in the indentation").label("a tab").help("indent with spaces")
}

pub(super) fn tag(span: Span, tag: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("the YAML tag `{}` is not allowed", shown(tag)))
        .label("a tag")
        .help("remove the tag; quote the value to make it a string")
}

pub(super) fn merge_key(span: Span) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, "the YAML merge key `<<` is not allowed")
        .label("YAML 1.2 has no merge keys")
        .help("write the keys out, or quote `\"<<\"` if that is the key's name")
}

pub(super) fn key_kind(span: Span, kind: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("a key must be a string, not {kind}"))
        .label(format!("this key is {kind}"))
        .help("put the key in quotes")
}

pub(super) fn second_document(span: Span) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, "the file holds more than one YAML document")
        .label("a second document begins here")
        .help("put each document in a file of its own")
}

pub(super) fn yaml_version(span: Span, major: u32, minor: u32) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("YAML {major}.{minor} is not read, only YAML 1.2"))
        .label("this document declares another version")
        .help("remove the `%YAML` line")
}

pub(super) fn unknown_anchor<'a>(span: Span, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("there is no anchor `&{}` before this alias", shown(name)))
        .label("an alias of nothing")
        .suggest(name, known)
}

pub(super) fn alias_in_itself(span: Span, alias: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("the alias `{}` stands inside its own anchor", shown(alias)))
        .label("this would have no end")
}

pub(super) fn aliases_too_large(span: Span, values: Limit, bytes: Limit) -> Diagnostic {
    let limit = format!("{} values or {} of text", values.amount(), bytes.amount());
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("anchors and aliases repeat more than {limit}"))
        .label("here the limit is reached")
        .help("write the values out, or give less of them")
        .limit(values)
        .limit(bytes)
}

pub(super) fn too_deep(span: Span, limit: Limit) -> Diagnostic {
    toml_too_deep(span, limit.value).limit(limit)
}

/// TOML has a bound of its own.
pub(super) fn toml_too_deep(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("values are nested more than {limit} levels deep"))
        .label(format!("level {} begins here", limit + 1))
}

pub(super) fn date(span: Span, text: &str) -> Diagnostic {
    Diagnostic::new(&CONTEXT_SYNTAX, span, format!("the TOML date `{}` is not allowed", shown(text)))
        .label("a date, not a string")
        .help(format!("put it in quotes: `\"{}\"`", shown(text)))
}

/// An error of the TOML parser, in its words.
pub(super) fn toml_syntax(span: Span, message: &str) -> Diagnostic {
    syntax(span, "TOML", message.trim_end_matches(", expected nothing"))
}

pub(super) fn expected(span: Span, language: &str, expected: &str, found: Option<char>) -> Diagnostic {
    let found = match found {
        Some(quote @ ('"' | '\'')) => format!("`{quote}`"),
        Some(c) => format!("`{}`", c.escape_debug()),
        None => "the end of the file".to_owned(),
    };
    syntax(span, language, &format!("expected {expected}, found {found}")).label(format!("expected {expected}"))
}

/// Text of a file inside a headline: on one line, and not too long.
fn shown(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(SHOWN) {
        if c.is_control() { out.extend(c.escape_debug()) } else { out.push(c) }
    }
    out.push_str(if text.chars().nth(SHOWN).is_some() { "…" } else { "" });
    out
}
