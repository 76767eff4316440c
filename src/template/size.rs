//! Tags that are too large, found ahead of parsing: the engine goes through an expression by recursion.

use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// The place of the first tag with more than `most` words and signs, or of the first branch over as many in the
/// conditionals of a file (R6). A text that does not even fall into words has none; the parser says so.
pub(super) fn too_large(text: &str, syntax: SyntaxConfig, most: usize) -> Option<Range<usize>> {
    // Each has a byte at least.
    if text.len() <= most {
        return None;
    }
    let mut terms = 0;
    let mut branches = 0;
    let mut starts = false;
    for item in tokenize(text, false, syntax) {
        let (token, span) = item.ok()?;
        let place = span.start_offset as usize..span.end_offset as usize;
        match token {
            Token::VariableStart | Token::BlockStart => terms = 0,
            Token::Ident("elif") if starts => branches += 1,
            _ => terms += 1,
        }
        starts = matches!(token, Token::BlockStart);
        if terms > most || branches > most {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<Range<usize>> {
        too_large(text, SyntaxConfig::default(), 10_000)
    }

    #[test]
    fn terms_are_counted_in_one_tag_and_branches_in_one_file() {
        assert_eq!(place(&"{{ a ~ b }}\n".repeat(20_000)), None);
        assert!(place(&format!("{{{{ a{} }}}}", " ~ b".repeat(5_001))).is_some());
        assert!(place(&format!("{{% if a %}}{}{{% endif %}}", "{% elif b %}x".repeat(10_001))).is_some());
        assert_eq!(place(&"word ".repeat(20_000)), None);
    }
}
