//! Messages about what stands behind the name of an input.

use super::super::lexer::Fault;
use super::syntax::{NO_COMPUTING, OWN_INPUT, boxed, shown, wrong};
use crate::source::Span;

pub(in super::super) fn subscript(span: Span, name: &str) -> Fault {
    boxed(
        wrong(span, format!("subscript of `{name}` in an expression"), "expressions do not look inside lists")
            .help(format!("write `{name} in [..]` to compare it with several values; for a part of it, {OWN_INPUT}")),
    )
}

pub(in super::super) fn call(span: Span, name: &str) -> Fault {
    let found = wrong(span, format!("call of `{name}` in an expression"), "functions are for templates");
    boxed(match name {
        "defined" | "exists" => found.help("write `INPUT is defined`"),
        "len" | "length" | "count" | "bool" => found.help("write the input alone to ask whether it has anything in it"),
        "not" => found.help("write `not (..)`"),
        _ => found.note(NO_COMPUTING).help(OWN_INPUT),
    })
}

pub(in super::super) fn is_without_defined(span: Span, name: &str, negated: bool, found: &str) -> Fault {
    let is = if negated { "is not" } else { "is" };
    let message = match found {
        "" => format!("nothing on the right of `{is}`"),
        _ => format!("no test {} in expressions", shown(&format!("{is} {found}"))),
    };
    let help = match (found, negated) {
        ("undefined", false) | ("none" | "None" | "null", false) => format!("write `{name} is not defined`"),
        ("undefined", true) | ("none" | "None" | "null", true) => format!("write `{name} is defined`"),
        ("true" | "True", false) | ("false" | "False", true) => format!("write `{name}`"),
        ("false" | "False", false) | ("true" | "True", true) => format!("write `not {name}`"),
        ("in", false) => format!("write `{name} in [..]`"),
        ("in", true) => format!("write `{name} not in [..]`"),
        _ => format!("write `{name} {is} defined`, or compare with `==` or `!=`"),
    };
    boxed(wrong(span, message, "`is` asks for `defined` alone").help(help))
}

pub(in super::super) fn not_without_in(span: Span, defined: bool) -> Fault {
    let help = if defined { "write `is not defined`" } else { "write `not in [..]`, or put `and` before `not`" };
    boxed(wrong(span, "`not` after an input", "belongs before a condition, or to `not in`").help(help))
}

pub(in super::super) fn chain(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("`{found}` after a comparison"), "comparisons are not chained")
            .help("write two comparisons and join them with `and`"),
    )
}

pub(in super::super) fn no_value(span: Span, sign: &str, found: &str) -> Fault {
    boxed(
        wrong(span, format!("{} where a value is expected", shown(found)), "no value")
            .help(format!("after `{sign}` stands a string in quotes, an integer, `true` or `false`")),
    )
}

pub(in super::super) fn name_on_the_right(span: Span, name: &str, sign: &str, found: &str) -> Fault {
    let written = if sign == "in" { format!("{name} in ['{found}']") } else { format!("{name} {sign} '{found}'") };
    boxed(
        wrong(span, format!("name {} on the right of `{sign}`", shown(found)), "a value stands here")
            .note("inputs are compared with values, not with one another")
            .help(format!("put it in quotes if it is a text: `{written}`")),
    )
}

pub(in super::super) fn list_after_equals(span: Span, name: &str, sign: &str) -> Fault {
    let right = if sign == "==" { "in" } else { "not in" };
    boxed(
        wrong(span, format!("list on the right of `{sign}`"), "one value stands here")
            .help(format!("write `{name} {right} [..]`")),
    )
}

pub(in super::super) fn input_after_in(span: Span, name: &str, found: &str) -> Fault {
    boxed(
        wrong(span, format!("name {} on the right of `in`", shown(found)), "a list of values stands here")
            .note("expressions do not look inside lists and tables")
            .help(format!(
                "write the values out: `{name} in ['{found}']`, or make the question a bool input of its own"
            )),
    )
}

pub(in super::super) fn one_value_after_in(span: Span, name: &str, found: &str) -> Fault {
    boxed(
        wrong(span, format!("value {} on the right of `in`", shown(found)), "a list of values stands here")
            .help(format!("write `{name} in [{found}]`")),
    )
}

pub(in super::super) fn tuple_after_in(span: Span) -> Fault {
    boxed(wrong(span, "parenthesis on the right of `in`", "a list stands here").help("use brackets: `['a', 'b']`"))
}

pub(in super::super) fn no_list(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("{} where a list is expected", shown(found)), "no list")
            .help("after `in` stands a list of values: `['a', 'b']`"),
    )
}

pub(in super::super) fn no_comma(span: Span, found: &str) -> Fault {
    boxed(wrong(span, format!("{} in a list without a comma before it", shown(found)), "a `,` or `]` stands here"))
}

pub(in super::super) fn none(span: Span, found: &str, name: &str) -> Fault {
    boxed(
        wrong(span, format!("`{found}` is no value"), "nothing is ever equal to it")
            .help(format!("ask whether the input is there: `{name} is not defined`")),
    )
}

pub(in super::super) fn capital_bool(span: Span, found: &str) -> Fault {
    let right = found.to_lowercase();
    boxed(wrong(span, format!("`{found}` is no value"), "begins with a capital").help(format!("write `{right}`")))
}
