//! Fenced code in Markdown, line by line.

/// Where in a text a line stands: inside fenced code or not.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Fences {
    /// The letter of the fence that is open, and how many of it.
    open: Option<(char, usize)>,
}

impl Fences {
    /// Takes the next line. Whether it is code, a fence itself included.
    pub(super) fn enters(&mut self, line: &str) -> bool {
        let Some((letter, count, rest)) = fence(line) else { return self.open.is_some() };
        match self.open {
            None => self.open = Some((letter, count)),
            Some((open, least)) if open == letter && count >= least && rest.trim().is_empty() => self.open = None,
            Some(_) => {}
        }
        true
    }
}

/// The fence that a line begins with: its letter, how many, and what follows. Fences in lists stand further in.
fn fence(line: &str) -> Option<(char, usize, &str)> {
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
    fn code_is_what_stands_between_fences_of_a_kind() {
        let text = "a\n```rust\n~~~\n```x\n````\nb\n  ~~~\nc\n~~~~\nd\n```x``` e\n";
        let mut fences = Fences::default();
        let code: Vec<bool> = text.lines().map(|line| fences.enters(line)).collect();
        assert_eq!(code, [false, true, true, true, true, false, true, true, true, false, false]);
    }
}
