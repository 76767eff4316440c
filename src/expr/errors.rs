//! Messages about expressions: the kinds, and those about names, types and sizes.

pub(super) mod comparison;
pub(super) mod syntax;

use super::Literal;
use super::lexer::Fault;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Type;
use crate::limits::Limit;
use crate::source::Span;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 6] = [
    &CONSTRAINT_READS_OPEN_VALUE,
    &EXPRESSION_SYNTAX,
    &EXPRESSION_TOO_LARGE,
    &TYPE_MISMATCH,
    &UNDEFINED_INPUT,
    &UNKNOWN_VALUE,
];

/// Most values of an enum that a message lists.
const LISTED: usize = 12;

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    CONSTRAINT_READS_OPEN_VALUE,
    "constraint-reads-open-value",
    "a constraint about an input that is no bool and no enum",
    "Constraints rule out combinations, so that variants are counted without them. What can be counted are bools and enums, derived ones too. A fact about another value becomes a bool input of its own.

```toml
[[constraint]]
that = \"sandboxed implies approval == 'never'\"
```"
);
rule!(
    EXPRESSION_SYNTAX,
    "expression-syntax",
    "a `when`, `derive` or `that` that is no expression",
    "Expressions have `and`, `or`, `not`, parentheses, `==`, `!=`, `in [..]`, `not in [..]`, `is defined`, `is not defined`, and an input alone; constraints also `implies`, `iff` and `exactly_one(..)`. On the left of a comparison stands an input, on the right a value: a string in quotes, an integer, `true` or `false`. Filters, calls and arithmetic are not there: what they would compute is an input of its own.

```toml
when = \"is_git and user_type in ['internal', 'partner']\"
```"
);
rule!(
    EXPRESSION_TOO_LARGE,
    "expression-too-large",
    "an expression with more than 10,000 terms, or nested more than 200 deep",
    "Names and values are terms; parentheses, `not` and the right sides of `implies` and `iff` nest. An expression of this size was written by a program: a derived input with a table says the same.

```toml
small = { by = \"model_family\", values = { nano = true, mini = true }, else = false }
```"
);
rule!(
    TYPE_MISMATCH,
    "type-mismatch",
    "a question that an input of this type cannot answer",
    "Values are compared with values of their own type, a number also with integers. A bool stands alone; so does a string, list or table, and is then true when it is not empty. An enum or a number alone is neither true nor false.

```toml
when = \"family == 'gpt'\"      # not: family
```"
);
rule!(UNDEFINED_INPUT, "undefined-input", "a name that is no input", include_str!("undefined_input.md"));
rule!(
    UNKNOWN_VALUE,
    "unknown-value",
    "a value outside the ones that are possible",
    "An enum input has the values that its definition lists, and a key of the language the words that it knows. A condition on any other value never holds, which is nearly always a misspelling.

```toml
[inputs]
family = { type = [\"gpt\", \"claude\"], lifetime = \"build\" }
# when = \"family == 'gtp'\": did you mean `gpt`?
```"
);

/// The type in words; the values of an enum are told apart from it.
fn describe(kind: &Type) -> String {
    match kind {
        Type::Enum(_) => "an enum".to_owned(),
        other => other.describe(),
    }
}

pub(super) fn too_deep(span: Span, limit: Limit) -> Fault {
    Box::new(
        Diagnostic::new(&EXPRESSION_TOO_LARGE, span, format!("expression nested more than {} deep", limit.amount()))
            .label("one too deep")
            .help("give parts of it names: derived inputs")
            .limit(limit),
    )
}

pub(super) fn too_many_terms(span: Span, limit: Limit) -> Fault {
    Box::new(
        Diagnostic::new(
            &EXPRESSION_TOO_LARGE,
            span,
            format!("expression of more than {} names and values", limit.amount()),
        )
        .label("one too many")
        .help("give parts of it names: derived inputs, or a table with `by`")
        .limit(limit),
    )
}

pub(super) fn undefined_input(span: Span, name: &str, known: Vec<&str>) -> Diagnostic {
    let found = Diagnostic::new(&UNDEFINED_INPUT, span, format!("`{name}` is not an input")).label("not declared");
    let suggested = found.suggest(name, known);
    if suggested.help.is_empty() { suggested.help(format!("define `{name}` under `[inputs]`")) } else { suggested }
}

pub(super) fn not_true_or_false(span: Span, name: &str, kind: &Type, optional: bool) -> Diagnostic {
    let example = match kind {
        Type::Enum(domain) => {
            let first = domain.first().map_or("..", String::as_str);
            format!("{name} == {}", Literal::Text(first.to_owned()))
        }
        _ => format!("{name} != 0"),
    };
    let what = describe(kind);
    let found = Diagnostic::new(&TYPE_MISMATCH, span, format!("`{name}` is {what} and stands alone"))
        .label(format!("{what} is neither true nor false"))
        .help(format!("compare it: `{example}`"));
    if optional { found.help(format!("or ask whether it is there: `{name} is defined`")) } else { found }
}

pub(super) fn not_comparable(span: Span, name: &str, kind: &Type) -> Diagnostic {
    let what = describe(kind);
    Diagnostic::new(&TYPE_MISMATCH, span, format!("`{name}` is {what} and is compared"))
        .label(format!("{what} has no single value"))
        .note("expressions do not look inside lists and tables")
        .help(format!("write `{name}` alone to ask whether it has anything in it"))
}

pub(super) fn type_mismatch(span: Span, name: &str, kind: &Type, literal: &Literal) -> Diagnostic {
    let given = match literal {
        Literal::Bool(_) => "a bool",
        Literal::Integer(_) => "an integer",
        Literal::Text(_) => "a string",
    };
    let what = describe(kind);
    let found =
        Diagnostic::new(&TYPE_MISMATCH, span, format!("`{name}` is {what} and is compared with {given}")).label(given);
    match (kind, literal) {
        (Type::Bool, _) => found.help(format!("write `{name}` or `not {name}`")),
        (Type::String | Type::Enum(_), Literal::Bool(_) | Literal::Integer(_)) => {
            found.help(format!("put the value in quotes: `'{literal}'`"))
        }
        (Type::Integer | Type::Number, Literal::Text(text)) if text.parse::<i64>().is_ok() => {
            found.help(format!("take the quotes away: `{text}`"))
        }
        _ => found.help(format!("compare it with {what}")),
    }
}

/// A text that an enum never is.
pub fn unknown_value(span: Span, name: &str, value: &str, domain: &[String]) -> Diagnostic {
    let mut values: Vec<String> =
        domain.iter().take(LISTED).map(|v| format!("`{}`", Literal::Text(v.clone()))).collect();
    if domain.len() > LISTED {
        values.push(format!("{} more", domain.len() - LISTED));
    }
    Diagnostic::new(&UNKNOWN_VALUE, span, format!("`{name}` is never `{}`", Literal::Text(value.to_owned())))
        .label("not one of its values")
        .note(format!("its values are {}", values.join(", ")))
        .suggest(value, domain.iter().map(String::as_str))
}

pub(super) fn constraint_reads_open_value(span: Span, name: &str, kind: &Type) -> Diagnostic {
    let what = describe(kind);
    Diagnostic::new(&CONSTRAINT_READS_OPEN_VALUE, span, format!("constraint reads `{name}`, {what}"))
        .label("not a bool or an enum")
        .note("constraints are part of counting variants, and only bools and enums have values that can be counted")
        .help("make what the constraint asks a bool input of its own")
}
