//! Elements and fences in the text of a template, and which prints stand in them.

use super::super::Enclosure;
use super::Spill;

/// What is open at a place of the text.
#[derive(Default)]
pub(super) struct Markup {
    /// Elements that were opened, each with the number of prints ahead of it.
    elements: Vec<(String, usize)>,
    /// A start tag of which the end has not come, a value standing in it.
    in_tag: bool,
    /// The fence that is open: its letters, and the number of prints ahead of it.
    fence: Option<(String, usize)>,
    /// Whether the text so far does not end in a line end.
    in_line: bool,
}

impl Markup {
    /// Takes literal text. Prints inside what it closes are told so; the innermost counts.
    pub(super) fn text(&mut self, text: &str, prints: &mut [Spill]) {
        for line in text.split_inclusive('\n') {
            if !self.in_line {
                self.line_start(line, prints);
            }
            self.tags(line, prints);
            self.in_line = !line.ends_with('\n');
        }
    }

    /// Takes a value that is printed.
    pub(super) fn value(&mut self) {
        self.in_line = true;
    }

    fn line_start(&mut self, line: &str, prints: &mut [Spill]) {
        let line = line.trim_start_matches([' ', '\t']);
        let Some(letter) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else { return };
        let rest = line.trim_start_matches(letter);
        let marks = &line[..line.len() - rest.len()];
        if marks.len() < 3 || (letter == '`' && rest.contains('`')) {
            return;
        }
        match &self.fence {
            None => self.fence = Some((marks.to_owned(), prints.len())),
            Some((open, first)) if marks.starts_with(open.as_str()) && rest.trim().is_empty() => {
                close(&mut prints[*first..], &Enclosure::Fence);
                self.fence = None;
            }
            Some(_) => {}
        }
    }

    fn tags(&mut self, line: &str, prints: &mut [Spill]) {
        let mut rest = line;
        while let Some(at) = rest.find(if self.in_tag { '>' } else { '<' }) {
            let (before, after) = (&rest[..at], &rest[at + 1..]);
            rest = after;
            if self.in_tag {
                self.in_tag = false;
                if before.ends_with('/') {
                    self.elements.pop();
                }
                continue;
            }
            let (closing, name) = match after.strip_prefix('/') {
                Some(name) => (true, name),
                None => (false, after),
            };
            let end = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')));
            let (name, behind) = name.split_at(end.unwrap_or(name.len()));
            if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                continue;
            }
            match (closing, behind.chars().next()) {
                (true, Some('>' | ' ' | '\n')) => self.close(name, prints),
                (false, Some('>' | ' ' | '/' | '\n')) => {
                    self.elements.push((name.to_owned(), prints.len()));
                    self.in_tag = true;
                    rest = behind;
                }
                _ => {}
            }
        }
    }

    /// What was opened inside and not closed was no element.
    fn close(&mut self, name: &str, prints: &mut [Spill]) {
        if let Some(at) = self.elements.iter().rposition(|(open, _)| open == name) {
            let first = self.elements[at].1;
            self.elements.truncate(at);
            close(&mut prints[first..], &Enclosure::Element(name.to_owned()));
        }
    }
}

fn close(prints: &mut [Spill], enclosure: &Enclosure) {
    for print in prints.iter_mut().filter(|print| print.inside.is_none()) {
        print.inside = Some(enclosure.clone());
    }
}
