//! Fenced code in Markdown, line by line.

use std::ops::Range;

/// Where in a text a line stands: inside fenced code or not.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::lint) struct Fences {
    /// The letter of the fence that is open, and how many of it.
    open: Option<(char, usize)>,
}

impl Fences {
    /// Takes the next line. Whether it is code, a fence itself included.
    pub(in crate::lint) fn enters(&mut self, line: &str) -> bool {
        let Some((letter, count, rest)) = fence(line) else { return self.open.is_some() };
        match self.open {
            None => self.open = Some((letter, count)),
            Some((open, least)) if open == letter && count >= least && rest.trim().is_empty() => self.open = None,
            Some(_) => {}
        }
        true
    }
}

/// The parts of a text that are code: fenced, or between backticks on one line.
pub(in crate::lint) fn code(text: &str) -> Vec<Range<usize>> {
    let mut fences = Fences::default();
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if fences.enters(line) {
            out.push(at..at + line.len());
        } else {
            out.extend(spans(line).into_iter().map(|span| at + span.start..at + span.end));
        }
        at += line.len();
    }
    out
}

/// Code spans of one line: between as many backticks as open them.
fn spans(line: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(start) = line[from..].find('`').map(|n| from + n) {
        let ticks = line[start..].len() - line[start..].trim_start_matches('`').len();
        let mark = &line[start..start + ticks];
        let behind = start + ticks;
        let end = line[behind..].match_indices(mark).map(|(n, _)| behind + n).find(|&at| {
            let longer = line[at + ticks..].starts_with('`');
            !longer && !line[..at].ends_with('`')
        });
        match end {
            Some(end) => {
                out.push(start..end + ticks);
                from = end + ticks;
            }
            None => from = behind,
        }
    }
    out
}

/// The fence that a line begins with: its letter, how many, and what follows. Fences in lists stand further in.
pub(in crate::lint) fn fence(line: &str) -> Option<(char, usize, &str)> {
    let line = line.trim_start();
    let letter = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(letter);
    let count = line.len() - rest.len();
    // Three in a line of text are a code span.
    (count >= 3 && !(letter == '`' && rest.contains('`'))).then_some((letter, count, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_end_with_as_many_backticks() {
        let shown = |text: &str| code(text).into_iter().map(|r| text[r].to_owned()).collect::<Vec<_>>();
        assert_eq!(shown("a `b` c ``d ` e`` f ` g"), ["`b`", "``d ` e``"]);
        assert_eq!(shown("`a\nb`\n```\nc\n```\n"), ["```\n", "c\n", "```\n"]);
    }

    #[test]
    fn code_is_what_stands_between_fences_of_a_kind() {
        let text = "a\n```rust\n~~~\n```x\n````\nb\n  ~~~\nc\n~~~~\nd\n```x``` e\n";
        let mut fences = Fences::default();
        let code: Vec<bool> = text.lines().map(|line| fences.enters(line)).collect();
        assert_eq!(code, [false, true, true, true, true, false, true, true, true, false, false]);
    }
}
