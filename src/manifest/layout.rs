//! `[layout]`: how texts are shaped and joined.

use std::sync::Arc;

use fancy_regex::Regex;
use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::reader::{Doc, Table};
use super::{errors, pattern};
use crate::expr::{self, Condition};
use crate::source::{Located, Span, Spanned};
use crate::template::Syntax;

const KEYS: [&str; 8] = [
    "separator",
    "trim",
    "keep_empty",
    "collapse_blank_lines",
    "trim_blocks",
    "lstrip_blocks",
    "keep_trailing_newline",
    "replace",
];
const REPLACE_KEYS: [&str; 4] = ["pattern", "with", "when", "sections"];

/// Which ends of a text lose their blanks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trim {
    /// Neither.
    None,
    /// The start.
    Start,
    /// The end.
    End,
    /// Both.
    Both,
}

/// What stands between two sections.
#[derive(Clone, Debug)]
pub struct Separator {
    /// It.
    pub text: String,
    /// Where it is written; nowhere, when nobody said otherwise.
    pub span: Option<Span>,
}

/// What one manifest says about layout; what it does not say comes from its parent or is the default.
#[derive(Clone, Default, Debug)]
pub struct LayoutPart {
    separator: Option<Separator>,
    trim: Option<Trim>,
    keep_empty: Option<bool>,
    collapse_blank_lines: Option<bool>,
    trim_blocks: Option<bool>,
    lstrip_blocks: Option<bool>,
    keep_trailing_newline: Option<bool>,
    replace: Vec<Replace>,
}

/// The layout of an artifact.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Stands between two sections that live.
    pub separator: Separator,
    /// Which ends of a section's text lose their blanks.
    pub trim: Trim,
    /// Whether a section of no text lives.
    pub keep_empty: bool,
    /// Whether runs of blank lines become one.
    pub collapse_blank_lines: bool,
    /// The engine's `trim_blocks`.
    pub trim_blocks: bool,
    /// The engine's `lstrip_blocks`.
    pub lstrip_blocks: bool,
    /// The engine's `keep_trailing_newline`.
    pub keep_trailing_newline: bool,
    /// Replacements, parents' first.
    pub replace: Vec<Replace>,
}

/// One `[[layout.replace]]`.
#[derive(Clone, Debug)]
pub struct Replace {
    /// What is replaced.
    pub pattern: Arc<Regex>,
    /// The pattern as it is written.
    pub source: Located,
    /// What stands there afterwards.
    pub with: Vec<Piece>,
    /// The sections on which it works; all, if none are named.
    pub sections: Option<Vec<Spanned<String>>>,
    /// When it works.
    pub when: Option<Condition>,
}

/// A part of a replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Letters as they are.
    Text(String),
    /// What a group matched; nothing, if it took no part.
    Group(usize),
}

impl Trim {
    /// The words in manifests.
    pub const WORDS: [(&str, Trim); 4] =
        [("none", Trim::None), ("start", Trim::Start), ("end", Trim::End), ("both", Trim::Both)];
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            separator: Separator { text: "\n\n".to_owned(), span: None },
            trim: Trim::Both,
            keep_empty: false,
            collapse_blank_lines: false,
            trim_blocks: false,
            lstrip_blocks: false,
            keep_trailing_newline: true,
            replace: Vec::new(),
        }
    }
}

impl Layout {
    /// The engine's switches for blanks.
    pub fn syntax(&self) -> Syntax {
        Syntax {
            trim_blocks: self.trim_blocks,
            lstrip_blocks: self.lstrip_blocks,
            keep_trailing_newline: self.keep_trailing_newline,
        }
    }

    /// Lays a child's words over this one's: key by key, replacements appended.
    pub fn overlay(&mut self, part: &LayoutPart) {
        fn set<T: Clone>(to: &mut T, from: &Option<T>) {
            if let Some(value) = from {
                *to = value.clone();
            }
        }
        set(&mut self.separator, &part.separator);
        set(&mut self.trim, &part.trim);
        set(&mut self.keep_empty, &part.keep_empty);
        set(&mut self.collapse_blank_lines, &part.collapse_blank_lines);
        set(&mut self.trim_blocks, &part.trim_blocks);
        set(&mut self.lstrip_blocks, &part.lstrip_blocks);
        set(&mut self.keep_trailing_newline, &part.keep_trailing_newline);
        self.replace.extend(part.replace.iter().cloned());
    }
}

impl From<Located> for Separator {
    fn from(text: Located) -> Separator {
        Separator { text: text.text.to_string(), span: Some(text.whole_span()) }
    }
}

impl LayoutPart {
    /// The replacements that this manifest itself adds.
    pub fn replacements(&self) -> &[Replace] {
        &self.replace
    }
}

pub(super) fn read(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> LayoutPart {
    let Some(table) = doc.table(value, "layout", "`[layout]`") else { return LayoutPart::default() };
    table.refuse_unknown(doc, &KEYS);
    let flag = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.bool(v, key));
    LayoutPart {
        separator: table.get("separator").and_then(|v| doc.text(v, "separator")).map(Separator::from),
        trim: table.get("trim").and_then(|v| doc.word(v, "trim", &Trim::WORDS)).map(|t| t.value),
        keep_empty: flag(doc, "keep_empty"),
        collapse_blank_lines: flag(doc, "collapse_blank_lines"),
        trim_blocks: flag(doc, "trim_blocks"),
        lstrip_blocks: flag(doc, "lstrip_blocks"),
        keep_trailing_newline: flag(doc, "keep_trailing_newline"),
        replace: table.get("replace").map_or_else(Vec::new, |v| {
            let tables = doc.tables(v, "replace", "[[layout.replace]]");
            tables.iter().filter_map(|t| read_replace(doc, t)).collect()
        }),
    }
}

fn read_replace(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<Replace> {
    table.refuse_unknown(doc, &REPLACE_KEYS);
    let source = table.require(doc, "pattern").and_then(|v| doc.text(v, "pattern"));
    let with = table.require(doc, "with").and_then(|v| doc.text(v, "with"));
    let sections = table.get("sections").and_then(|v| doc.strings(v, "sections"));
    let when = table.get("when").and_then(|v| super::section::read_condition(doc, v, "when", expr::Use::Condition));
    let source = source?;
    let regex = match pattern::compile(&source.text, doc.limits.pattern_steps.value) {
        Ok(regex) => regex,
        Err(why) => {
            doc.say(errors::invalid_pattern(source.whole_span(), &why));
            return None;
        }
    };
    let with = with?;
    match pieces(&with.text, &regex) {
        Ok(with) => Some(Replace { pattern: Arc::new(regex), source, with, sections, when }),
        Err((range, group)) => {
            doc.say(errors::unknown_group(with.span(range), &group));
            None
        }
    }
}

type UnknownGroup = (std::ops::Range<usize>, String);

/// Cuts a replacement at `$0`..`$9`, `${name}` and `$$`. Any other `$` stands for itself.
fn pieces(with: &str, regex: &Regex) -> Result<Vec<Piece>, UnknownGroup> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while let Some(dollar) = with[at..].find('$').map(|n| n + at) {
        text.push_str(&with[at..dollar]);
        let rest = &with[dollar + 1..];
        let next = rest.chars().next();
        let (group, length) = match next {
            Some('$') => (None, 2),
            Some(c) if c.is_ascii_digit() => {
                let number = c as usize - '0' as usize;
                if number >= regex.captures_len() {
                    return Err((dollar..dollar + 2, number.to_string()));
                }
                (Some(number), 2)
            }
            Some('{') if rest.contains('}') => {
                let name = &rest[1..rest.find('}').unwrap_or(1)];
                let range = dollar..dollar + name.len() + 3;
                let by_name = regex.capture_names().position(|n| n == Some(name));
                let by_number = name.parse::<usize>().ok().filter(|n| *n < regex.captures_len());
                let number = by_name.or(by_number).ok_or_else(|| (range.clone(), name.to_owned()))?;
                (Some(number), range.len())
            }
            _ => (None, 1),
        };
        match group {
            Some(number) => {
                out.push(Piece::Text(std::mem::take(&mut text)));
                out.push(Piece::Group(number));
            }
            None => text.push('$'),
        }
        at = dollar + length;
    }
    text.push_str(&with[at..]);
    out.push(Piece::Text(text));
    out.retain(|p| *p != Piece::Text(String::new()));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_are_cut_at_groups() {
        let regex = Regex::new("(a)(?<tail>b)?").unwrap();
        let text = |s: &str| Piece::Text(s.to_owned());
        assert_eq!(
            pieces("<$10${tail}$$ $x>", &regex),
            Ok(vec![text("<"), Piece::Group(1), text("0"), Piece::Group(2), text("$ $x>")])
        );
        assert_eq!(pieces("$3", &regex), Err((0..2, "3".to_owned())));
        assert_eq!(pieces("a${no}", &regex), Err((1..6, "no".to_owned())));
    }
}
