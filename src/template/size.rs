//! Tags that are too large, found ahead of parsing: the engine goes through an expression by recursion.

use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Most words and signs in one tag, and most branches of the conditionals of one file (R6).
pub(super) const MAX_TERMS: usize = 10_000;

/// The place of the first tag that is too large. A text that does not even fall into words has none; the parser says so.
pub(super) fn too_large(text: &str, syntax: SyntaxConfig) -> Option<Range<usize>> {
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
        if terms > MAX_TERMS || branches > MAX_TERMS {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<Range<usize>> {
        too_large(text, SyntaxConfig::default())
    }

    #[test]
    fn terms_are_counted_in_one_tag_and_branches_in_one_file() {
        assert_eq!(place(&"{{ a ~ b }}\n".repeat(20_000)), None);
        assert!(place(&format!("{{{{ a{} }}}}", " ~ b".repeat(5_001))).is_some());
        assert!(place(&format!("{{% if a %}}{}{{% endif %}}", "{% elif b %}x".repeat(10_001))).is_some());
        assert_eq!(place(&"word ".repeat(20_000)), None);
    }
}
