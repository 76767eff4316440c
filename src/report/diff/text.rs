//! A change for a terminal: a line for each profile, then what happened to each, then a summary.

use super::super::{Colors, tokens};
use super::hunks::{self, Words};
use super::told::{self, Group, Told};
use super::{DiffReport, phrase, sentences, zone};
use crate::diff::{Class, Edit, ProfileChange, SectionChange, State, TextPair};

/// Most lines of one text's difference that are shown.
const SHOWN: usize = 60;

/// The change of every profile.
pub fn text(report: &DiffReport<'_>, colors: Colors) -> String {
    let (base, head) = report.sides();
    let mut out = format!("base  {}\nhead  {}\n\n", phrase::line(&base), phrase::line(&head));
    let profiles = &report.diff.profiles;
    if profiles.is_empty() {
        out.push_str("neither side has a profile\n");
        return out;
    }
    let rows: Vec<[String; 3]> = profiles
        .iter()
        .map(|p| {
            let headline = sentences::headline(p).text();
            [sentences::word(p).to_owned(), phrase::line(&p.profile), headline]
        })
        .collect();
    let table = tokens::columns(&rows, 3);
    for (line, profile) in table.lines().zip(profiles) {
        let word = sentences::word(profile);
        // The word stands first in its line.
        out.push_str(&paint(word, profile, colors));
        out.push_str(&line[word.len()..]);
        out.push('\n');
    }
    let mut told = Told::default();
    for group in &told::groups(profiles) {
        details(group, colors, &mut told, &mut out);
        told.add(group, true);
    }
    out.push_str(&format!("\n{}\n", sentences::summary(profiles)));
    out
}

fn paint(word: &str, profile: &ProfileChange, colors: Colors) -> String {
    let code = match (profile.state, profile.class) {
        (State::Broken { .. }, None) | (_, Some(Class::Fragment | Class::Demote)) => "31;1",
        (State::Added | State::Removed, _) => "36",
        (_, Some(Class::Rewrite)) => "33",
        (_, Some(Class::Tail)) => "32",
        _ => "2",
    };
    colors.paint(word, code)
}

fn details<'a>(group: &Group<'a>, colors: Colors, told: &mut Told<'a>, out: &mut String) {
    out.push_str(&format!("\n{}", group.names(&phrase::line)));
    if let Some(target) = &group.first().target {
        out.push_str(&format!(" ({})", phrase::line(&format!("{} {}", target.provider, target.model))));
    }
    out.push('\n');
    let mut line = |word: &str, said: &str| out.push_str(&format!("  {word:<9} {said}\n"));
    let before = told.causes(group);
    if let Some(before) = before {
        line(sentences::word(group.first()), &told::as_in(before).text());
    }
    let mut last = "";
    let causes = group.first().causes.len();
    for (word, said) in group.lines.iter().skip(if before.is_some() { causes } else { 0 }) {
        line(if *word == last { "" } else { word }, &said.text());
        last = word;
    }
    sections(group, colors, told, out);
}

/// The sections that something happened to, then their texts.
fn sections<'a>(group: &Group<'a>, colors: Colors, told: &mut Told<'a>, out: &mut String) {
    let exact = group.first().target.as_ref().is_some_and(|target| target.exact);
    if group.sections.is_empty() {
        return;
    }
    if let Some(before) = told.sections(group) {
        out.push_str(&format!("  {:<9} {}\n", "sections", told::as_in(before).text()));
        return;
    }
    let rows: Vec<[String; 6]> = group
        .sections
        .iter()
        .map(|section| section.change)
        .map(|section| {
            [
                format!("    {}", sign(section)),
                section.id.clone(),
                edits(section, &phrase::line),
                zones(section),
                sizes(section, exact),
                sentences::place(&section.line).text().replace('`', ""),
            ]
        })
        .collect();
    out.push_str("  sections\n");
    out.push_str(&tokens::columns(&rows, 6));
    for section in group.sections.iter().filter(|_| group.has_other_bytes()) {
        for (pair, lines) in &section.differences {
            out.push_str(&format!("\n  {}\n", told::titled(section.change, pair, &phrase::line)));
            match told.before(group.first(), section.change, pair, lines) {
                Some(before) => out.push_str(&format!("    {}\n", told::as_in(before).text())),
                None => difference(pair, colors, out),
            }
        }
    }
}

fn difference(pair: &TextPair, colors: Colors, out: &mut String) {
    let style = if colors == Colors::On { Words::Coloured } else { Words::Marked };
    let (lines, left_off) = hunks::lines(&pair.before, &pair.after, style, SHOWN);
    for line in lines {
        let painted = match line.chars().next() {
            Some('-') => colors.paint(&line, hunks::WAS),
            Some('+') => colors.paint(&line, hunks::IS),
            _ => line,
        };
        out.push_str(&format!("    {painted}\n"));
    }
    if left_off > 0 {
        out.push_str(&format!("    .. {left_off} more lines: see `promptc build -o -` of both sides\n"));
    }
}

/// The sign before a section.
pub(super) fn sign(section: &SectionChange) -> &'static str {
    match section.change {
        Edit::Added => "+",
        Edit::Removed => "-",
        Edit::Moved => ">",
        _ => "~",
    }
}

/// What happened to a section, in words; names as `shown` shows them.
pub(super) fn edits(section: &SectionChange, shown: &dyn Fn(&str) -> String) -> String {
    let all = std::iter::once(section.change).chain(section.also.iter().copied());
    let all = all.filter(|edit| *edit != Edit::Unchanged);
    let word = |edit: Edit| match (edit, section.lifetime) {
        (Edit::Lifetime, (Some(before), Some(after))) => format!("{} -> {}", before.name(), after.name()),
        _ => edit.name().to_owned(),
    };
    let was = section.was.as_ref().map(|was| format!("was {}", shown(was)));
    was.into_iter().chain(all.map(word)).collect::<Vec<_>>().join(", ")
}

/// The zone of a section, and what it was.
pub(super) fn zones(section: &SectionChange) -> String {
    match section.zone {
        (Some(before), Some(after)) if before != after => format!("{} -> {}", zone(before), zone(after)),
        (before, after) => after.or(before).map_or("", zone).to_owned(),
    }
}

/// The tokens of a section, and what they were.
pub(super) fn sizes(section: &SectionChange, exact: bool) -> String {
    let size = |tokens: Option<u64>| tokens.map_or_else(|| "open".to_owned(), |n| sentences::tokens(n, exact));
    let (before, after) = (size(section.tokens.0), size(section.tokens.1));
    match section.change {
        Edit::Added => after,
        Edit::Removed => before,
        _ if before == after => after,
        _ => format!("{before} -> {after}"),
    }
}
