//! Text from projects on its way to a terminal: nothing in it can move a cursor, change a colour or hide a letter.

/// The text with control characters and direction marks shown as escapes; line ends and tabs stay.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// The text as one line: [`escape`], and line ends shown too.
pub fn one_line(text: &str) -> String {
    escape(text).replace('\n', "\\n")
}

/// The text without what build servers take for an instruction in a log: `::` at the start of a line, and `##[`,
/// `##vso[` or the like anywhere. One of the letters is shown as an escape.
pub fn without_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        // ` ::: path` is how excerpts of a second file begin, and no instruction.
        let line = match line[start..].strip_prefix("::") {
            Some(rest) if !rest.starts_with(": ") => format!("{}\\u{{3a}}:{rest}", &line[..start]),
            _ => line.to_owned(),
        };
        let mut rest = line.as_str();
        while let Some(at) = rest.find("##") {
            let (before, after) = (&rest[..=at], &rest[at + 1..]);
            let word = after[1..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
            out.push_str(before);
            rest = match word.starts_with('[') {
                true => {
                    out.push_str("\\u{23}");
                    &after[1..]
                }
                false => after,
            };
        }
        out.push_str(rest);
    }
    out
}

/// JSON text with every character that [`escape`] shows, and the second of two `#`, written as `\uXXXX`: the same
/// values, and nothing in them that a terminal or a build server would obey.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = '\0';
    for c in text.chars() {
        // Outside strings JSON has line feeds, blanks and ASCII signs alone: what is unsafe stands in a string.
        if is_unsafe(c) || (c == '#' && last == '#') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
        last = c;
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
        assert_eq!(one_line("a\n\u{9b}b"), "a\\n\\u{9b}b");
    }

    #[test]
    fn instructions_to_build_servers_are_shown() {
        for same in ["a ::error::b", "  ::: a/b.toml:1:2\n", "# a\n## b [c]\n### [d]", "##", "## [", "#a["] {
            assert_eq!(without_commands(same), same);
        }
        assert_eq!(without_commands("a\n  ::error::b\n"), "a\n  \\u{3a}:error::b\n");
        assert_eq!(without_commands("x ##[error]a###vso[b]##"), "x #\\u{23}[error]a##\\u{23}vso[b]##");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = "a\u{9b}\u{7f}###[\u{e0041}\u{202e}\n";
        let text = json(&serde_json::to_string(value).unwrap());
        assert_eq!(text, "\"a\\u009b\\u007f#\\u0023\\u0023[\\udb40\\udc41\\u202e\\n\"");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
    }
}
