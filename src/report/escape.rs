//! Text from projects on its way to a terminal: nothing in it can move a cursor, change a colour or hide a letter.

/// The text with control characters and direction marks shown as escapes; line ends and tabs stay.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

fn is_unsafe(c: char) -> bool {
    let direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n' && c != '\t')
        || direction
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown() {
        assert_eq!(escape("a\u{1b}[31mb\r\u{202e}c\n\td"), "a\\u{1b}[31mb\\u{d}\\u{202e}c\n\td");
    }
}
