//! A sentence in which every word of the project is known to be one.

use super::super::escape::escape;

/// A sentence.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Phrase(Vec<Piece>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    /// Our words.
    Ours(String),
    /// A word of the project: a name, a path, a reason.
    Theirs(String),
}

impl Phrase {
    /// A sentence that begins so.
    pub(super) fn new(words: &str) -> Phrase {
        Phrase::default().say(words)
    }

    /// Adds words of ours.
    pub(super) fn say(mut self, words: impl Into<String>) -> Phrase {
        self.0.push(Piece::Ours(words.into()));
        self
    }

    /// Adds a word of the project.
    pub(super) fn name(mut self, name: impl Into<String>) -> Phrase {
        self.0.push(Piece::Theirs(name.into()));
        self
    }

    /// Adds another sentence.
    pub(super) fn then(mut self, other: Phrase) -> Phrase {
        self.0.extend(other.0);
        self
    }

    /// Adds words of the project, commas between them; more than a few are counted.
    pub(super) fn names<'n>(mut self, names: impl IntoIterator<Item = &'n String>) -> Phrase {
        const SHOWN: usize = 5;
        let names: Vec<&String> = names.into_iter().collect();
        for (n, name) in names.iter().take(SHOWN).enumerate() {
            self = self.say(if n > 0 { ", " } else { "" }).name(*name);
        }
        match names.len().saturating_sub(SHOWN) {
            0 => self,
            more => self.say(format!(" and {more} more")),
        }
    }

    /// For a terminal.
    pub(super) fn text(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Ours(words) => words.clone(),
            Piece::Theirs(name) => format!("`{}`", line(name)),
        };
        self.0.iter().map(piece).collect()
    }

    /// For programs: words of the project as they are.
    pub(super) fn plain(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Ours(words) => words.clone(),
            Piece::Theirs(name) => format!("`{name}`"),
        };
        self.0.iter().map(piece).collect()
    }

    /// For Markdown.
    pub(super) fn markdown(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Ours(words) => words.clone(),
            Piece::Theirs(name) => code(name),
        };
        self.0.iter().map(piece).collect()
    }
}

/// A word of the project on one line: nothing in it can move a cursor, and nothing can end the line.
pub(super) fn line(word: &str) -> String {
    escape(word).replace('\n', "\\n").replace('\t', "\\t")
}

/// A word of the project as a code span, in which nothing is a mention, a link or HTML. It ends where it is meant to,
/// and a bar in it parts no cells of a table.
pub(super) fn code(word: &str) -> String {
    let word = line(word).replace('|', "\\u{7c}");
    if word.is_empty() {
        return String::new();
    }
    let longest = word.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if word.starts_with(['`', ' ']) || word.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{word}{pad}{fence}")
}

/// A word of the project as HTML in which nothing is a mention.
pub(super) fn html(word: &str) -> String {
    let mut out = String::from("<code>");
    for c in line(word).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Signs that Markdown could take for its own.
            '`' | '*' | '_' | '[' | ']' | '\\' | '|' | '~' | '!' => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "</code>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_span_ends_where_it_is_meant_to() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "```a``b```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a|b\n@x \u{202e}"), "`a\\u{7c}b\\n@x \\u{202e}`");
        assert_eq!(html("</code><b>@x"), "<code>&lt;/code&gt;&lt;b&gt;@x</code>");
    }

    #[test]
    fn words_of_the_project_are_told_from_ours() {
        let phrase = Phrase::new("the section ").name("a|b").say(" is gone");
        assert_eq!(phrase.text(), "the section `a|b` is gone");
        assert_eq!(phrase.markdown(), "the section `a\\u{7c}b` is gone");
        let many: Vec<String> = (1..8).map(|n| n.to_string()).collect();
        assert_eq!(Phrase::default().names(&many).text(), "`1`, `2`, `3`, `4`, `5` and 2 more");
    }
}
