//! Messages about templates.

use minijinja::Error;

use super::RenderError;
use super::engine::INLINE;
use super::includes::Problem;
use super::known;
use crate::diag::{Diagnostic, RuleInfo, Severity, nearest};
use crate::expr::UNDEFINED_INPUT;
use crate::input::Type;
use crate::limits::Limit;
use crate::source::{Located, Span};

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 9] = [
    &INCLUDE_CYCLE,
    &INCLUDE_NAME,
    &LIMIT_REACHED,
    &MISSING_INCLUDE,
    &RAW_VALUE_PRINTED,
    &RENDER_FAILED,
    &SECRET_IN_PROMPT,
    &TEMPLATE_SYNTAX,
    &UNKNOWN_FILTER,
];

macro_rules! rule {
    ($id:ident, $name:literal, $level:ident, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::$level, summary: $summary, doc: $doc };
    };
}

rule!(
    INCLUDE_CYCLE,
    "include-cycle",
    Error,
    "a file that includes itself, directly or through others",
    "Includes, imports and `extends` of templates form no circle and are at most 32 deep."
);
rule!(
    INCLUDE_NAME,
    "include-name",
    Error,
    "an include whose name hangs on a value that is not known when compiling",
    "The name of an included file may be computed from literals, from bool and enum inputs, and from build inputs, so that every file it can name is known. Choose by an enum instead of a free string."
);
rule!(
    LIMIT_REACHED,
    "limit-reached",
    Error,
    "a text that takes more work or space than allowed",
    "A section may use 2 million units of work (an instruction, or 64 bytes made) and make 8 MiB of text; an artifact 64 MiB."
);
rule!(
    MISSING_INCLUDE,
    "missing-include",
    Error,
    "an include of a file that is not there",
    "Paths of includes start from `prompts/`. `ignore missing` says that the file may be absent."
);
rule!(
    RAW_VALUE_PRINTED,
    "raw-value-printed",
    Warning,
    "a bool, list or table printed as it is",
    include_str!("raw_value_printed.md")
);
rule!(
    RENDER_FAILED,
    "render-failed",
    Error,
    "a template that fails with the given values",
    "The message is the engine's. A value that may be missing is asked for with `is defined` or given a `default`."
);
rule!(
    SECRET_IN_PROMPT,
    "secret-in-prompt",
    Error,
    "a secret that would be sent: an input that is one, a key, a password in an address",
    include_str!("secret_in_prompt.md")
);
rule!(TEMPLATE_SYNTAX, "template-syntax", Error, "a template that does not parse", include_str!("template_syntax.md"));
rule!(UNKNOWN_FILTER, "unknown-filter", Error, "a filter or test that there is not", include_str!("unknown_filter.md"));

pub(super) fn syntax(text: &Located, error: &Error) -> Diagnostic {
    let span = error.range().map_or_else(|| line_span(text, error.line()), |range| text.span(range));
    let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    Diagnostic::new(&TEMPLATE_SYNTAX, span, format!("the template does not parse: {what}"))
        .label("here")
        .help("for literal braces, say `verbatim = true` or wrap them in `{% raw %}` and `{% endraw %}`")
}

/// The line that the engine names, where it names no range.
fn line_span(text: &Located, line: Option<usize>) -> Span {
    let Some(line) = line else { return text.whole_span() };
    let start = text.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let end = text.text[start..].find('\n').map_or(text.text.len(), |n| start + n);
    text.span(start..end)
}

pub(super) fn undefined<'a>(span: Span, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let found = Diagnostic::new(&UNDEFINED_INPUT, span, format!("`{name}` is not an input")).label("not declared");
    match nearest(name, known) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if crate::expr::is_reserved(name) => {
            found.help("this word means something only where the language gives it")
        }
        None if name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') => {
            found.help(format!("declare it: `[inputs] {name} = {{ type = \"string\", lifetime = \"session\" }}`"))
        }
        None => {
            found.help("text in quotes is text; a name without quotes is an input, of small letters, digits and `_`")
        }
    }
}

pub(super) fn raw_value(span: Span, name: &str, kind: &Type) -> Diagnostic {
    let (shown, way) = match kind {
        Type::Bool => ("`True` or `False`", format!("write `{{% if {name} %}}..{{% endif %}}`")),
        Type::List => ("`['a', 'b']`", format!("write `{{{{ {name} | join(\", \") }}}}`, or `| bullets`, or a loop")),
        _ => ("`{'key': 'value'}`", "print its values one by one, or use `| tojson`".to_owned()),
    };
    Diagnostic::new(&RAW_VALUE_PRINTED, span, format!("`{name}` is {} and is printed as it is", kind.describe()))
        .label(format!("the model reads {shown}"))
        .help(way)
}

pub(super) fn secret(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&SECRET_IN_PROMPT, span, format!("the secret `{name}` would be rendered"))
        .label("may be tested, never printed")
        .help("name the place where the value can be found instead of the value")
        .firm()
}

pub(super) fn unknown_filter(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_FILTER, span, format!("there is no filter `{name}`"))
        .label("unknown filter")
        .suggest(name, known::FILTERS)
}

pub(super) fn unknown_test(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_FILTER, span, format!("there is no test `{name}`"))
        .label("unknown test")
        .suggest(name, known::TESTS)
}

pub(super) fn open_include(span: Span, name: &str, local: bool) -> Diagnostic {
    let why = if local { "made inside the template" } else { "neither known when compiling nor of a finite set" };
    Diagnostic::new(&INCLUDE_NAME, span, format!("the included file hangs on `{name}`"))
        .label(format!("`{name}` is {why}"))
        .note("every file that can be included must be known when compiling")
        .help("choose by an enum or a bool input, or write the name out")
}

pub(super) fn include_name(span: Span, problem: &Problem) -> Diagnostic {
    let found =
        Diagnostic::new(&INCLUDE_NAME, span, format!("the included file's name cannot be computed: {}", problem.text))
            .label("here");
    problem.limit.into_iter().fold(found, Diagnostic::limit)
}

pub(super) fn missing_include(span: Span, path: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_INCLUDE, span, format!("there is no file `{}` to include", path.escape_debug()))
        .label("named here")
        .help("paths start from `prompts/`; say `ignore missing` if the file may be absent")
}

pub(super) fn include_cycle(span: Span, stack: &[String], path: &str) -> Diagnostic {
    let from = stack.iter().position(|p| p == path).unwrap_or(0);
    let circle: Vec<String> =
        stack[from..].iter().map(String::as_str).chain([path]).map(|p| format!("`{p}`")).collect();
    Diagnostic::new(&INCLUDE_CYCLE, span, format!("`{path}` includes itself"))
        .label("closes the circle")
        .note(circle.join(" → "))
}

pub(super) fn include_depth(span: Span, limit: Limit) -> Diagnostic {
    Diagnostic::new(&INCLUDE_CYCLE, span, format!("includes are more than {} deep", limit.amount()))
        .label("this one is too deep")
        .limit(limit)
}

pub(super) fn tag_too_large(span: Span, limit: Limit) -> Diagnostic {
    let most = limit.amount();
    Diagnostic::new(
        &LIMIT_REACHED,
        span,
        format!("an expression has more than {most} terms, or a file more than {most} branches"),
    )
    .label("one too many")
    .help("give the data as a list, and loop over it")
    .limit(limit)
}

pub(super) fn too_many_parts(span: Span, limit: Limit) -> Diagnostic {
    let message = format!("the template has more than {} parts, with all files that it includes", limit.amount());
    Diagnostic::new(&LIMIT_REACHED, span, message)
        .label("one too many")
        .help("include a file once, ahead of what differs, or give the data as a list")
        .limit(limit)
}

/// A section that could not be rendered.
pub fn render_failed(section: &str, path: &str, error: &RenderError) -> Diagnostic {
    // The engine knows a section's own text by a name that means nothing to people.
    let message = error.message.replace(INLINE, path);
    match error.limit {
        Some(limit) => {
            Diagnostic::new(&LIMIT_REACHED, error.span, format!("the section `{section}` takes too much: {}", message))
                .label("while rendering this")
                .help("bound the list or the loop, for example by `max_items` on its input")
                .limit(limit)
        }
        None => {
            let found = Diagnostic::new(
                &RENDER_FAILED,
                error.span,
                format!("the section `{section}` cannot be rendered: {}", message),
            )
            .label("fails here");
            if error.undefined { found.help("ask first by `is defined`, or give a value by `default`") } else { found }
        }
    }
}
