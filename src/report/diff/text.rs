//! A change for a terminal: a line for each profile, then what happened to each, then a summary.

use super::super::{Colors, tokens};
use super::hunks::{self, Words};
use super::phrase::{self, Phrase};
use super::told::{self, Told};
use super::{DiffReport, sentences, zone};
use crate::diff::{Class, Edit, ProfileChange, SectionChange, State};

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
    for profile in profiles {
        details(profile, colors, &mut told, &mut out);
        told.add(profile, true);
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

fn details<'a>(profile: &'a ProfileChange, colors: Colors, told: &mut Told<'a>, out: &mut String) {
    let class = profile.class.unwrap_or(Class::None);
    if class == Class::None {
        return;
    }
    let mut lines: Vec<(&str, String)> = Vec::new();
    if let Some(before) = told.causes(profile) {
        lines.push((class.name(), as_in(before)));
    } else if class > Class::Meta || !profile.causes.is_empty() {
        for cause in &profile.causes {
            let mut said = sentences::cause(cause);
            if let Some(line) = &cause.line {
                said = said.say(", ").then(sentences::place(line));
            }
            if let Some(allowed) = &cause.allowed {
                said = said.say("; allowed: ").name(&allowed.reason);
            }
            lines.push((cause.class.name(), said.text()));
        }
    }
    if class > Class::Meta {
        if let Some(prefix) = &profile.prefix {
            lines.extend(sentences::prefix(profile, prefix).iter().map(|said| ("prefix", said.text())));
        }
        if let Some((before, after)) = profile.variants.as_ref().filter(|(before, after)| before != after) {
            lines.push(("variants", format!("{} -> {}", sentences::count(before), sentences::count(after))));
        }
        let cost = profile.cost.as_ref().map_or_else(Vec::new, sentences::cost);
        lines.extend(cost.iter().map(|said| ("cost", said.text())));
    }
    if class == Class::Meta && !profile.files.is_empty() {
        lines.push(("files", Phrase::default().names(&profile.files).text()));
    }
    if lines.is_empty() {
        return;
    }
    out.push_str(&format!("\n{}", phrase::line(&profile.profile)));
    if let Some(target) = &profile.target {
        out.push_str(&format!(" ({})", phrase::line(&format!("{} {}", target.provider, target.model))));
    }
    out.push('\n');
    let mut last = "";
    for (word, said) in &lines {
        let shown = if *word == last { "" } else { word };
        out.push_str(&format!("  {shown:<9} {said}\n"));
        last = word;
    }
    sections(profile, colors, told, out);
}

/// The sections that something happened to, then their texts.
fn sections<'a>(profile: &'a ProfileChange, colors: Colors, told: &mut Told<'a>, out: &mut String) {
    let exact = profile.target.as_ref().is_some_and(|target| target.exact);
    let changed = told::changed(profile);
    if changed.is_empty() {
        return;
    }
    if let Some(before) = told.sections(profile) {
        out.push_str(&format!("  {:<9} {}\n", "sections", as_in(before)));
        return;
    }
    let rows: Vec<[String; 6]> = changed
        .iter()
        .map(|section| {
            [
                format!("    {}", sign(section)),
                section.id.clone(),
                edits(section),
                zones(section),
                sizes(section, exact),
                sentences::place(&section.line).text().replace('`', ""),
            ]
        })
        .collect();
    out.push_str("  sections\n");
    out.push_str(&tokens::columns(&rows, 6));
    for section in changed.iter().filter(|section| has_text_to_show(section)) {
        for pair in &section.texts {
            let label = Some(&pair.label).filter(|label| !label.is_empty());
            let label = label.map_or_else(String::new, |label| format!(", {}", phrase::line(label)));
            out.push_str(&format!("\n  {}{label}\n", phrase::line(&section.id)));
            if let Some(before) = told.before(profile, section, pair) {
                out.push_str(&format!("    {}\n", as_in(before)));
                continue;
            }
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
    }
}

/// That a profile was told of with the same.
fn as_in(profile: &str) -> String {
    Phrase::new("as in ").name(profile).text()
}

/// Whether a section's texts say something that its line does not: one that is only treated otherwise has the same text.
fn has_text_to_show(section: &SectionChange) -> bool {
    section.texts.iter().any(|pair| pair.before != pair.after)
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

/// What happened to a section, in words.
pub(super) fn edits(section: &SectionChange) -> String {
    let all = std::iter::once(section.change).chain(section.also.iter().copied());
    let word = |edit: Edit| match (edit, section.lifetime) {
        (Edit::Lifetime, (Some(before), Some(after))) => format!("{} -> {}", before.name(), after.name()),
        _ => edit.name().to_owned(),
    };
    all.map(word).collect::<Vec<_>>().join(", ")
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
