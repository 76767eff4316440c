//! From the letters of a TOML string literal to its text, and back to the place of each letter.

use crate::source::{FileId, Located, Span, clean_newlines};

/// The text of a literal (`raw`, quotes included, from `start` in the file) whose decoded value is known. Line ends of
/// the text become LF.
pub(super) fn locate(file: FileId, raw: &str, start: usize, decoded: &str) -> Located {
    if is_plain(raw, decoded) {
        let outer = Span::new(file, start..start + raw.len());
        let steps = vec![(0, start as u32 + 1)];
        return Located::literal(decoded.into(), steps, (start + raw.len()) as u32 - 1, outer);
    }
    let (text, steps, end) = decode(raw);
    let outer = Span::new(file, start..start + raw.len());
    if text != clean_newlines(decoded) {
        // Only for a literal that does not parse: the whole of it is then the best place there is.
        return Located::spread(clean_newlines(decoded).into(), outer);
    }
    let steps = steps.into_iter().map(|(t, r)| (t, r + start as u32)).collect();
    Located::literal(text.into(), steps, (start + end) as u32, outer)
}

/// Whether a literal says, letter by letter, what it means: the most do.
fn is_plain(raw: &str, decoded: &str) -> bool {
    let inner = |quote: char| raw.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')) == Some(decoded) && !decoded.contains('\r')
}

/// The text, the steps `(offset in the text, offset in the literal)`, and the offset of the closing quotes.
fn decode(raw: &str) -> (String, Vec<(u32, u32)>, usize) {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else { return (String::new(), vec![(0, 0)], raw.len()) };
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let width = if raw.len() >= 6 && raw.starts_with(&triple) && raw.ends_with(&triple) { 3 } else { 1 };
    let end = raw.len().saturating_sub(width).max(width);
    let mut at = width;
    if width == 3 && raw[at..].starts_with('\n') {
        at += 1;
    }
    let mut out = Writer { text: String::new(), steps: vec![(0, at as u32)], after_cr: false };
    while at < end {
        let rest = &raw[at..end];
        let c = rest.chars().next().unwrap_or('\0');
        if c != '\\' || quote == '\'' {
            out.push(c, at);
            at += c.len_utf8();
            continue;
        }
        let (decoded, length) = escape(rest);
        if let Some(decoded) = decoded {
            out.push(decoded, at);
        }
        at += length;
    }
    (out.text, out.steps, end)
}

struct Writer {
    text: String,
    steps: Vec<(u32, u32)>,
    after_cr: bool,
}

impl Writer {
    fn push(&mut self, c: char, at: usize) {
        if c == '\n' && self.after_cr {
            self.after_cr = false;
            return;
        }
        self.after_cr = c == '\r';
        let offset = self.text.len() as u32;
        if let Some(&(text, file)) = self.steps.last()
            && file + (offset - text) != at as u32
        {
            self.steps.push((offset, at as u32));
        }
        self.text.push(if c == '\r' { '\n' } else { c });
    }
}

/// The letter that an escape stands for (none for a line that goes on), and how many bytes it takes.
fn escape(rest: &str) -> (Option<char>, usize) {
    let Some(kind) = rest[1..].chars().next() else { return (None, 1) };
    let hex = |digits: usize| {
        let code = rest.get(2..2 + digits).and_then(|h| u32::from_str_radix(h, 16).ok()).and_then(char::from_u32);
        (code, 2 + digits)
    };
    match kind {
        'b' => (Some('\u{8}'), 2),
        't' => (Some('\t'), 2),
        'n' => (Some('\n'), 2),
        'f' => (Some('\u{c}'), 2),
        'r' => (Some('\r'), 2),
        'e' => (Some('\u{1b}'), 2),
        'x' => hex(2),
        'u' => hex(4),
        'U' => hex(8),
        c if c.is_ascii_whitespace() => {
            let blank = rest[1..].find(|c: char| !c.is_ascii_whitespace()).unwrap_or(rest.len() - 1);
            (None, 1 + blank)
        }
        c => (Some(c), 1 + c.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn place(literal: &str, decoded: &str, part: &str) -> String {
        let mut sources = SourceMap::default();
        let source = format!("key = {literal}\n");
        let file = sources.add("x.toml", source.as_bytes()).unwrap();
        let located = locate(file, literal, 6, decoded);
        assert_eq!(&*located.text, clean_newlines(decoded));
        let at = located.text.find(part).unwrap();
        sources.slice(located.span(at..at + part.len())).to_owned()
    }

    #[test]
    fn places_lead_through_escapes_and_folded_lines() {
        assert_eq!(place("'a b'", "a b", "b"), "b");
        assert_eq!(place(r#""é\n\u00e9x""#, "é\néx", "x"), "x");
        assert_eq!(place(r#""é\n\u00e9x""#, "é\néx", "éx"), r"\u00e9x");
        assert_eq!(place("\"\"\"\nab \\\n   cd\"\"\"", "ab cd", "cd"), "cd");
        assert_eq!(place(r#""a\r\nb""#, "a\r\nb", "b"), "b");
        assert_eq!(place("'''it''s'''", "it''s", "s"), "s");
        assert_eq!(place(r#""""""""#, "", ""), "");
        assert_eq!(place(r#""""#, "", ""), "");
        assert_eq!(place("'a\\b'", "a\\b", "b"), "b");
        assert_eq!(place("\"a b\"", "a b", "b"), "b");
    }
}
