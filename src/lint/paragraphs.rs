//! A text as its long paragraphs, to be found again in another.

use super::text::fences::Fences;

/// Fewest characters of a paragraph that is worth a word. Shorter ones are headings, labels and lines of lists.
const LONG: usize = 60;

/// The long paragraphs of a text, blanks made one. Code is one paragraph up to its end.
pub(super) fn paragraphs(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut fences = Fences::default();
    for line in text.lines() {
        let code = fences.enters(line);
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        match (words.is_empty() && !code, out.last_mut()) {
            (false, Some(last)) => {
                last.push_str(if last.is_empty() { "" } else { " " });
                last.push_str(&words);
            }
            _ => out.push(String::new()),
        }
    }
    out.retain(|paragraph| paragraph.chars().count() >= LONG);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_long_and_code_is_one() {
        let long = "word ".repeat(20);
        assert_eq!(paragraphs(&format!("# Head\n\n{long}\n  {long}\n\nshort\n")).len(), 1);
        assert_eq!(paragraphs(&format!("```\n{long}\n\n{long}\n```\n{long}\n\n{long}")).len(), 2);
    }
}
