//! Messages about texts that are no expression: letters, signs, and how conditions are put together.

use super::super::lexer::Fault;
use super::EXPRESSION_SYNTAX;
use crate::diag::Diagnostic;
use crate::source::Span;

/// Most characters of the text in a headline.
const SHOWN: usize = 40;

pub(super) const NO_COMPUTING: &str = "expressions compare and combine inputs; they do not compute";
pub(super) const OWN_INPUT: &str = "make what you ask an input of its own";

pub(super) fn wrong(span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&EXPRESSION_SYNTAX, span, message).label(label)
}

/// A piece of the text for a headline: one line, not too long; nothing is the end of the text.
pub(super) fn shown(found: &str) -> String {
    match found.char_indices().nth(SHOWN) {
        _ if found.is_empty() => "the end".to_owned(),
        Some((cut, _)) => format!("`{}…`", found[..cut].replace('\n', "\\n")),
        None => format!("`{}`", found.replace('\n', "\\n")),
    }
}

pub(super) fn boxed(diagnostic: Diagnostic) -> Fault {
    Box::new(diagnostic)
}

// ---- the text as a whole

pub(in super::super) fn empty(span: Span) -> Fault {
    boxed(wrong(span, "empty expression", "nothing is asked here").help("take the key away, or write `true`"))
}

pub(in super::super) fn ends_early(span: Span) -> Fault {
    boxed(wrong(span, "expression ends too early", "a condition is missing here"))
}

pub(in super::super) fn no_condition_here(span: Span, found: &str) -> Fault {
    boxed(wrong(span, format!("{} where a condition is expected", shown(found)), "no condition begins here"))
}

pub(in super::super) fn left_over(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("{} after a whole condition", shown(found)), "does not belong to what stands before it")
            .help("join conditions with `and` or `or`, compare with `==`, `!=`, `in` or `not in`"),
    )
}

pub(in super::super) fn unclosed(open: Span, sign: &str) -> Fault {
    boxed(wrong(open, format!("`{sign}` is never closed"), "opened here"))
}

pub(in super::super) fn unopened(span: Span, sign: &str) -> Fault {
    boxed(wrong(span, format!("`{sign}` closes nothing"), "nothing was opened before"))
}

// ---- letters and literals

pub(in super::super) fn unknown_character(span: Span, found: char) -> Fault {
    let shown = if found.is_alphanumeric() || found.is_ascii_graphic() {
        format!("`{found}`")
    } else {
        format!("U+{:04X}", u32::from(found))
    };
    boxed(wrong(span, format!("no {shown} in expressions"), "has no meaning here"))
}

pub(in super::super) fn typographic_quote(span: Span, found: &str) -> Fault {
    boxed(wrong(span, format!("`{found}` is no quote"), "begins no string").help("write `'` or `\"`"))
}

pub(in super::super) fn unclosed_string(span: Span, quote: char) -> Fault {
    boxed(wrong(span, "string is never closed", "opened here").help(format!("end it with `{quote}`")))
}

pub(in super::super) fn unknown_escape(span: Span, escaped: char) -> Fault {
    let shown = escaped.escape_debug();
    boxed(
        wrong(span, format!("unknown escape `\\{shown}`"), "means nothing in a string")
            .help(r#"write `\\` for a backslash; `\'`, `\"`, `\n` and `\t` are the others"#),
    )
}

pub(in super::super) fn fraction(span: Span) -> Fault {
    boxed(wrong(span, "number with a fraction in an expression", "not an integer").note(NO_COMPUTING).help(OWN_INPUT))
}

pub(in super::super) fn integer_too_large(span: Span) -> Fault {
    boxed(wrong(span, "integer beyond 64 bits", "no input has this value"))
}

pub(in super::super) fn not_a_number(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("{} is neither a number nor a name", shown(found)), "begins with a digit")
            .help(format!("put it in quotes if it is a text: `'{found}'`")),
    )
}

pub(in super::super) fn dash_in_name(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("{} is not a name", shown(found)), "names have no dashes")
            .help(format!("write `{}`, or put it in quotes if it is a text", found.replace('-', "_"))),
    )
}

// ---- signs and words of other languages

pub(in super::super) fn foreign_operator(span: Span, found: &str, right: &str) -> Fault {
    boxed(wrong(span, format!("no operator `{found}` in expressions"), "unknown").help(format!("write `{right}`")))
}

pub(in super::super) fn capital_operator(span: Span, found: &str) -> Fault {
    foreign_operator(span, found, &found.to_lowercase())
}

pub(in super::super) fn order(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("no operator `{found}` in expressions"), "values are not ordered")
            .note(NO_COMPUTING)
            .help("make it a bool input, computed where the number is known"),
    )
}

pub(in super::super) fn arithmetic(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("no operator `{found}` in expressions"), "would compute a value")
            .note(NO_COMPUTING)
            .help(OWN_INPUT),
    )
}

pub(in super::super) fn filter(span: Span) -> Fault {
    boxed(wrong(span, "filter in an expression", "filters are for templates").note(NO_COMPUTING).help(
        "write a string, list or table alone to ask whether it has anything in it; for more, use an input of its own",
    ))
}

pub(in super::super) fn attribute(span: Span) -> Fault {
    boxed(
        wrong(span, "attribute in an expression", "expressions do not look inside tables")
            .note("a condition on a whole input has a lifetime and values that can be counted")
            .help(OWN_INPUT),
    )
}

pub(in super::super) fn choice(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("no `{found}` in expressions"), "chooses a value")
            .help("say when it holds with `and`, `or`, `not`; a table with `by` chooses values"),
    )
}

pub(in super::super) fn braces(span: Span, found: &str) -> Fault {
    boxed(wrong(span, format!("no `{found}` in expressions"), "for templates").help("write the expression alone"))
}

// ---- words in the wrong place

pub(in super::super) fn operator_without_left(span: Span, word: &str) -> Fault {
    boxed(wrong(span, format!("nothing on the left of `{word}`"), "a condition or an input is missing before it"))
}

pub(in super::super) fn constraint_word(span: Span, word: &str) -> Fault {
    let help = match word {
        "implies" => "write `not a or b` for `a implies b`",
        "iff" => "write `a and b or not a and not b` for `a iff b`",
        _ => "write the cases out with `and`, `or`, `not`",
    };
    boxed(wrong(span, format!("`{word}` outside a constraint"), "only for `that` of a `[[constraint]]`").help(help))
}

pub(in super::super) fn exactly_one_without_parentheses(span: Span) -> Fault {
    boxed(wrong(span, "`exactly_one` without its conditions", "needs a list").help("write `exactly_one(a, b, c)`"))
}

// ---- comparisons

pub(in super::super) fn compared_parentheses(span: Span, found: &str) -> Fault {
    boxed(
        wrong(span, format!("`{found}` after parentheses"), "on its left stands an input, not a condition")
            .help("take the parentheses away; in a constraint, `iff` says that two conditions are equal"),
    )
}

pub(in super::super) fn literal_alone(span: Span, literal: &str) -> Fault {
    boxed(
        wrong(span, format!("value {} where a condition is expected", shown(literal)), "neither true nor false")
            .help("compare an input with it: `INPUT == ..`"),
    )
}

pub(in super::super) fn literal_on_the_left(span: Span, literal: &str, sign: &str, right: &str) -> Fault {
    boxed(
        wrong(span, format!("value {} on the left of `{sign}`", shown(literal)), "an input stands here")
            .help(format!("swap the sides: `{right} {sign} {literal}`")),
    )
}

pub(in super::super) fn literal_in(span: Span, literal: &str) -> Fault {
    boxed(
        wrong(span, format!("value {} on the left of `in`", shown(literal)), "an input stands here")
            .note("`INPUT in [..]` compares an input with several values; expressions do not look inside lists")
            .help("make it a bool input whether a list has a value"),
    )
}
