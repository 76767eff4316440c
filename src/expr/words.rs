//! Words that no input can be called by.

/// Names that the expression or the template language keeps for itself (R2).
///
/// Three kinds: operators and literals; words that begin, continue or end a statement; names that the engine or the
/// compiler binds. Most statement words could be read as variables by minijinja 3, which decides by position, but not by
/// people: `{% if for %}`. Words that have a meaning in one position only and are ordinary names elsewhere stay free:
/// `as`, `context`, `ignore`, `missing`, `recursive`, `required`, `scoped`, `without`, the names of filters and of
/// tests other than `defined`, and the removed functions `debug` and `dict`.
pub const RESERVED: [&str; 51] = [
    // operators and literals of expressions, and of templates
    "and",
    "defined",
    "else",
    "exactly_one",
    "false",
    "False",
    "if",
    "iff",
    "implies",
    "in",
    "is",
    "none",
    "None",
    "not",
    "or",
    "true",
    "True",
    // statements; `break` and `continue` are off in this build of the engine, and would not be free if they were on
    "autoescape",
    "block",
    "break",
    "call",
    "continue",
    "do",
    "elif",
    "endautoescape",
    "endblock",
    "endcall",
    "endfilter",
    "endfor",
    "endif",
    "endmacro",
    "endraw",
    "endset",
    "endwith",
    "extends",
    "filter",
    "for",
    "from",
    "import",
    "include",
    "macro",
    "raw",
    "set",
    "with",
    // bound by the engine or by the compiler
    "caller",
    "loop",
    "namespace",
    "range",
    "runtime_tools",
    "self",
    "super",
];

/// Whether an input may not have this name.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_both_languages_are_taken_and_ordinary_words_are_free() {
        for word in ["and", "iff", "exactly_one", "none", "for", "endraw", "set", "loop", "super", "runtime_tools"] {
            assert!(is_reserved(word), "{word}");
        }
        for word in ["as", "context", "missing", "required", "recursive", "ignore", "scoped", "without", "debug"] {
            assert!(!is_reserved(word), "{word}");
        }
    }
}
