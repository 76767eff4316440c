//! Edits of a manifest that leave everything else as it is written: comments, blanks, the order of keys.
//!
//! Ranges are those of the cleaned text. What cannot be edited for certain is not edited. Main type: [`Slot`].

use toml::Spanned as TomlSpanned;
use toml::de::{DeTable, DeValue};

use crate::diag::Edit;
use crate::input::Definition;
use crate::source::{FileId, Span};

/// A section that takes a place: its header, and edits of its own text.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its `[[section]]`.
    pub header: Span,
    /// Edits between its header and the next one.
    pub edits: Vec<Edit>,
}

/// Most bytes that one reordering writes anew: each message that offers one carries it.
const MOST_REORDERED: u32 = 128 << 10;

/// Edits that put sections of one file into this order. Each of the places that they have now is taken by one of them,
/// with its sub-tables and with the comment that stands right above it. Nothing where that writes more than 128 KiB.
pub fn reorder(text: &str, headers: &Headers, order: &[Slot]) -> Option<Vec<Edit>> {
    let file = order.first()?.header.file;
    let headers = headers.0.as_deref()?;
    let regions: Option<Vec<Span>> = order.iter().map(|slot| region(text, file, slot.header, headers)).collect();
    let regions = regions?;
    if regions.iter().map(|r| r.end - r.start).sum::<u32>() > MOST_REORDERED {
        return None;
    }
    let mut places = regions.clone();
    places.sort_unstable();
    if places.windows(2).any(|pair| pair[0].end > pair[1].start) {
        return None;
    }
    let moved = order.iter().zip(&regions).map(|(slot, own)| edited(text, *own, &slot.edits));
    let edits = places.iter().zip(moved).filter(|(place, new)| &text[place.range()] != new);
    Some(edits.map(|(place, text)| Edit { span: *place, text }).collect())
}

/// An edit that gives an input another key: `entry` is the key with its value.
pub fn add_to_input(text: &str, definition: &Definition, key: &str, value: &str) -> Option<Edit> {
    let (file, range) = (definition.span.file, definition.span.range());
    let written = text.get(range.clone())?;
    if let Some(inner) = written.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        // A comment may follow the last value, where the key would vanish in it.
        if inner.contains('#') {
            return None;
        }
        let last = inner.trim_end();
        let at = range.start + 1 + last.len();
        let comma = if last.is_empty() || last.ends_with(',') { "" } else { "," };
        return Some(Edit { span: Span::new(file, at..at), text: format!("{comma} {key} = {value}") });
    }
    if !written.starts_with('[') {
        return None;
    }
    let tree = DeTable::parse(text).ok()?;
    let headers = Headers::of(text, tree.get_ref().iter().map(|(key, value)| (&**key.get_ref(), value))).0?;
    let next = headers.iter().map(|h| h.start).find(|start| *start >= range.end);
    let end = next.map_or(text.len(), |next| lead(text, next));
    let own = &text[range.end..end];
    let last = own.trim_end();
    let at = range.end + last.len();
    // Keys whose values stand under one another keep doing so.
    let column = last.lines().skip(1).find_map(|line| line.find(" = ")).unwrap_or(0);
    Some(Edit { span: Span::new(file, at..at), text: format!("\n{key:column$} = {value}") })
}

/// All headers of a file, in order; none of a file that does not parse.
#[derive(Clone, Debug)]
pub struct Headers(Option<Vec<Header>>);

/// A table that has a header.
#[derive(Clone, Debug)]
struct Header {
    start: usize,
    /// Start of the section's header that it belongs to.
    section: Option<usize>,
}

impl Headers {
    /// None at all.
    pub(super) fn unknown() -> Headers {
        Headers(None)
    }

    /// Those of a text, by the entries of its top table.
    pub(super) fn of<'v, 't: 'v>(
        text: &str,
        entries: impl Iterator<Item = (&'v str, &'v TomlSpanned<DeValue<'t>>)>,
    ) -> Headers {
        let mut out = Vec::new();
        for (key, value) in entries {
            match value.get_ref() {
                DeValue::Array(items) if key == "section" => {
                    for item in items.iter() {
                        collect(text, item, Some(item.span().start), &mut out);
                    }
                }
                _ => collect(text, value, None, &mut out),
            }
        }
        out.sort_by_key(|header| header.start);
        out.dedup_by_key(|header| header.start);
        Headers(Some(out))
    }
}

fn collect(text: &str, value: &TomlSpanned<DeValue<'_>>, section: Option<usize>, out: &mut Vec<Header>) {
    match value.get_ref() {
        DeValue::Table(table) => {
            let start = value.span().start;
            if text[start..].starts_with('[') {
                out.push(Header { start, section });
            }
            table.iter().for_each(|(_, value)| collect(text, value, section, out));
        }
        DeValue::Array(items) => items.iter().for_each(|item| collect(text, item, section, out)),
        _ => {}
    }
}

/// A section from the comment above it to its last line, blank lines behind it left out.
fn region(text: &str, file: FileId, header: Span, headers: &[Header]) -> Option<Span> {
    let start = header.range().start;
    headers.iter().find(|h| h.start == start && h.section == Some(start))?;
    let next = headers.iter().find(|h| h.start > start && h.section != Some(start));
    let end = next.map_or(text.len(), |next| lead(text, next.start));
    let end = start + text[start..end].trim_end().len();
    Some(Span::new(file, lead(text, start)..end))
}

/// Where the comment begins that stands right above a header.
fn lead(text: &str, header: usize) -> usize {
    let mut start = text[..header].rfind('\n').map_or(0, |at| at + 1);
    while start > 0 {
        let above = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        if !text[above..start].trim_start().starts_with('#') {
            break;
        }
        start = above;
    }
    start
}

/// A part of a text with edits in it.
fn edited(text: &str, part: Span, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> =
        edits.iter().filter(|e| part.start <= e.span.start && e.span.end <= part.end).collect();
    sorted.sort_unstable();
    let mut out = String::new();
    let mut at = part.range().start;
    for edit in sorted {
        out.push_str(&text[at..edit.span.range().start]);
        out.push_str(&edit.text);
        at = edit.span.range().end;
    }
    out.push_str(&text[at..part.range().end]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Prompt;
    use crate::source::SourceMap;

    const TEXT: &str = "# Top.\n\n[inputs]\nplain = { type = \"list\", lifetime = \"turn\" }\n\n[inputs.long]\n\
                        type     = \"list\"\nlifetime = \"turn\"   # said\n\n# About one.\n[[section]]\nid   = \"one\"\n\
                        zone = \"static\"\n[section.body]\nby = \"plain\"\n\n[[constraint]]\nthat = \"true\"\n\n# --- Here.\n\n\
                        # About\n# two.\n[[section]]\nid = \"two\"   # 2\nzone = \"static\"\ntext = \"[[section]]\"\n";

    fn prompt() -> (FileId, Prompt) {
        let file = SourceMap::default().add("x.toml", TEXT.as_bytes()).unwrap();
        (file, Prompt::parse(file, TEXT, &crate::limits::Limits::default()).value)
    }

    fn apply(text: &str, edits: &[Edit]) -> String {
        edited(text, Span { file: edits[0].span.file, start: 0, end: text.len() as u32 }, edits)
    }

    #[test]
    fn sections_change_places_with_their_comments_and_tables() {
        let (_, prompt) = prompt();
        let zone = Edit { span: prompt.sections[0].zone.span, text: "\"dynamic\"".to_owned() };
        let slots = [
            Slot { header: prompt.sections[1].span, edits: Vec::new() },
            Slot { header: prompt.sections[0].span, edits: vec![zone] },
        ];
        let edits = reorder(TEXT, &prompt.headers, &slots).unwrap();
        assert_eq!(edits.len(), 2);
        let (one, two) = (TEXT.find("# About one.").unwrap(), TEXT.find("# About\n# two.").unwrap());
        let expected = [
            &TEXT[..one],
            TEXT[two..].trim_end(),
            "\n\n[[constraint]]\nthat = \"true\"\n\n# --- Here.\n\n# About one.\n[[section]]\nid   = \"one\"\n\
             zone = \"dynamic\"\n[section.body]\nby = \"plain\"\n",
        ];
        assert_eq!(apply(TEXT, &edits), expected.concat());
    }

    #[test]
    fn an_order_that_is_there_needs_no_edit() {
        let (_, prompt) = prompt();
        let slots: Vec<Slot> = prompt.sections.iter().map(|s| Slot { header: s.span, edits: Vec::new() }).collect();
        assert_eq!(reorder(TEXT, &prompt.headers, &slots), Some(Vec::new()));
    }

    #[test]
    fn a_key_is_added_where_the_entry_ends() {
        let (_, prompt) = prompt();
        let added = |n: usize| {
            let edit = add_to_input(TEXT, &prompt.inputs[n], "sort_by", "\"name\"").unwrap();
            apply(TEXT, &[edit])
        };
        assert!(added(0).contains("plain = { type = \"list\", lifetime = \"turn\", sort_by = \"name\" }\n"));
        assert!(added(1).contains("lifetime = \"turn\"   # said\nsort_by  = \"name\"\n\n# About one."));
    }
}
