//! Regular expressions of `layout.replace`: those of fancy-regex, with one reading settled (decision 002).
//!
//! A `$` outside `(?m)` is the end of the text or the place ahead of its final line feed, as in Perl, PCRE and Python.
//! Bodies are files and end in a line feed, and replacements work ahead of `trim`: a strict `$` would match no body.

use fancy_regex::{Regex, RegexBuilder};

/// What `$` stands for.
const END: &str = r"(?=\n?\z)";

/// Compiles a pattern.
///
/// # Errors
/// What the engine says of it.
pub(super) fn compile(pattern: &str, steps: usize) -> Result<Regex, String> {
    let build = |text: &str| RegexBuilder::new(text).backtrack_limit(steps).build().map_err(|e| e.to_string());
    // The pattern as written is judged first, so that a message speaks of what stands in the file.
    let as_written = build(pattern)?;
    match settle_end(pattern) {
        Some(settled) => build(&settled),
        None => Ok(as_written),
    }
}

/// The pattern with every `$` that is not under `(?m)` spelt out; `None` when there is none.
fn settle_end(pattern: &str) -> Option<String> {
    let mut out = String::with_capacity(pattern.len());
    let mut multi_line = vec![false];
    let mut found = false;
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' => class_length(rest),
            '(' => group_length(rest, &mut multi_line),
            ')' => {
                multi_line.pop();
                1
            }
            '$' if multi_line.last() != Some(&true) => {
                out.push_str(END);
                found = true;
                rest = &rest[1..];
                continue;
            }
            c => c.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    found.then_some(out)
}

/// The length of a character class, nested ones included.
fn class_length(text: &str) -> usize {
    let mut depth = 0;
    let mut first = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            '[' => {
                depth += 1;
                first = true;
                continue;
            }
            '^' if first => continue,
            ']' if !first => depth -= 1,
            _ => {}
        }
        first = false;
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// The length of a group's opening, of a flag setting, or of a whole comment. Keeps track of `(?m)`.
fn group_length(text: &str, multi_line: &mut Vec<bool>) -> usize {
    let now = multi_line.last().copied().unwrap_or(false);
    let Some(inside) = text.strip_prefix("(?") else {
        multi_line.push(now);
        return 1;
    };
    if inside.starts_with('#') {
        return inside.find(')').map_or(text.len(), |end| end + 3);
    }
    let flags = inside.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(inside.len());
    let (on, off) = inside[..flags].split_once('-').unwrap_or((&inside[..flags], ""));
    let after = (now || on.contains('m')) && !off.contains('m');
    match inside[flags..].chars().next() {
        Some(')') => {
            if let Some(last) = multi_line.last_mut() {
                *last = after;
            }
            flags + 3
        }
        Some(':') => {
            multi_line.push(after);
            flags + 3
        }
        _ => {
            multi_line.push(now);
            2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dollar_that_means_the_end_is_spelt_out() {
        assert_eq!(settle_end("a$"), Some(format!("a{END}")));
        assert_eq!(settle_end(r"(a$|[$]\$)$"), Some(format!(r"(a{END}|[$]\$){END}")));
        for same in
            [r"\$", "[$]", "[]$]", "[^]$]", "[a[$]b$]", "(?m)a$", "(?m:a$)", "(?i)(?m)(b$)", "(?#$)", "(?<name>x)"]
        {
            assert_eq!(settle_end(same), None, "{same}");
        }
        assert_eq!(settle_end("(?m:a$)b$"), Some(format!("(?m:a$)b{END}")));
        assert_eq!(settle_end("(?m)(?-m:a$)"), Some(format!("(?m)(?-m:a{END})")));
        assert_eq!(settle_end("(?<n>a$)(?=b$)"), Some(format!("(?<n>a{END})(?=b{END})")));
    }

    #[test]
    fn the_end_is_ahead_of_a_final_line_feed() {
        let regex = compile("[.] *$", 1000).unwrap();
        assert_eq!(regex.replace_all("a. b.\n", "!"), "a. b!\n");
        assert_eq!(regex.replace_all("a.", "!"), "a!");
        assert_eq!(regex.replace_all("a.\n\n", "!"), "a.\n\n");
        assert!(compile("a(", 1000).unwrap_err().contains("parenthes"));
    }
}
