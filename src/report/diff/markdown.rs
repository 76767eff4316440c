//! A change as a comment on a pull request: the verdict first, details folded, short enough to be posted.
//!
//! No word of the project can make a mention, a link, a row or HTML: all of them stand in code.

use super::phrase::{self, Phrase, code};
use super::text::{edits, sign, sizes, zones};
use super::told::{self, Group, Told, Touched};
use super::{DiffReport, sentences};
use crate::diff::{Cause, Class, ProfileChange, State};

/// The first line of a comment, by which it is found again.
pub const MARKER: &str = "<!-- promptc diff -->";

/// Most bytes of a comment. Hosts take 65,536 characters; a little is left for what others put around it.
pub const MAX_MARKDOWN: usize = 60_000;

/// Room for what is said at the end.
const FOOT: usize = 1_000;

/// Most lines of one text's difference that are shown.
const SHOWN: usize = 40;

/// Most causes that stand ahead of everything else.
const REASONS: usize = 5;

/// Most sections of a profile that are listed.
const SECTIONS: usize = 100;

/// The change of every profile.
pub fn markdown(report: &DiffReport<'_>) -> String {
    let diff = report.diff;
    let (class, unallowed) = (diff.class(), diff.unallowed());
    let mut out = format!("{MARKER}\n### Prompts: {} (`{}`)\n\n", sentences::verdict(diff), class.name());
    let broken = diff.profiles.iter().filter(|p| matches!(p.state, State::Broken { .. })).count();
    if broken > 0 {
        out.push_str(&format!("**A side does not compile**, for {broken} of {} profiles.\n\n", diff.profiles.len()));
    }
    if class >= Class::Demote {
        out.push_str(match unallowed >= Class::Demote {
            true => "It needs a reason: `allow` on the section that is named, or another way.\n\n",
            false => "The reasons for it stand in the manifest.\n\n",
        });
    }
    out.push_str(&reasons(&diff.profiles, class));
    let (base, head) = report.sides();
    out.push_str(&format!("{}, {} against {}.\n\n", sentences::summary(&diff.profiles), code(&head), code(&base)));
    let told: Vec<&ProfileChange> = diff.profiles.iter().filter(|p| p.class != Some(Class::None)).collect();
    let room = MAX_MARKDOWN - FOOT;
    let rows = table(&told, room / 2, &mut out);
    let mut left_off: Vec<String> = Vec::new();
    let mut shown = Told::default();
    for group in told::groups(&diff.profiles).iter().filter(|group| group.has_other_bytes()) {
        let mut with_these = shown.clone();
        let whole = details(group, &mut with_these, true);
        let short = details(group, &mut shown.clone(), false);
        match [whole, short].into_iter().enumerate().find(|(_, text)| out.len() + text.len() <= room) {
            Some((0, text)) => {
                out.push_str(&text);
                shown = with_these;
                shown.add(group, true);
            }
            Some((_, text)) => {
                out.push_str(&text);
                shown.add(group, false);
                left_off.push(format!("the texts of {}", group.names(&clipped)));
            }
            None => left_off.push(format!("all details of {}", group.names(&clipped))),
        }
    }
    if rows > 0 {
        left_off.insert(0, format!("{rows} rows of the table"));
    }
    foot(&left_off, &mut out);
    out
}

/// What made it the class that it is, and in how many profiles: the first few causes.
fn reasons(profiles: &[ProfileChange], class: Class) -> String {
    let mut found: Vec<(&Cause, usize)> = Vec::new();
    for cause in profiles.iter().flat_map(|p| &p.causes).filter(|c| c.class == class && class >= Class::Rewrite) {
        match found.iter_mut().find(|(known, _)| known.is_same(cause) && known.line == cause.line) {
            Some((_, count)) => *count += 1,
            None => found.push((cause, 1)),
        }
    }
    let mut out: String = found
        .iter()
        .take(REASONS)
        .map(|(cause, count)| {
            let count =
                if profiles.len() > 1 { format!("; {count} of {} profiles", profiles.len()) } else { String::new() };
            format!("- {}{count}\n", sentences::told(cause).markdown())
        })
        .collect();
    if let more @ 1.. = found.len().saturating_sub(REASONS) {
        out.push_str(&format!("- and {more} more\n"));
    }
    if out.is_empty() { out } else { out + "\n" }
}

/// What was left off, as far as there is room to say it.
fn foot(left_off: &[String], out: &mut String) {
    const NAMED: usize = 8;
    if left_off.is_empty() {
        return;
    }
    let mut named = left_off.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if let more @ 1.. = left_off.len().saturating_sub(NAMED) {
        named.push_str(&format!(", and {more} more"));
    }
    out.push_str(&format!("\nLeft off for length: {named}. `promptc diff` shows everything.\n"));
}

/// A name that takes little room.
fn clipped(name: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = phrase::line(name).chars().take(LONGEST).collect();
    code(&short)
}

/// The table; the number of rows that found no room.
fn table(profiles: &[&ProfileChange], room: usize, out: &mut String) -> usize {
    if profiles.is_empty() {
        return 0;
    }
    out.push_str("| class | profile | target | static prefix | written anew | variants | once | for 1000 sessions |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (n, profile) in profiles.iter().enumerate() {
        let row = row(profile);
        if out.len() + row.len() > room {
            return profiles.len() - n;
        }
        out.push_str(&row);
    }
    out.push('\n');
    0
}

fn row(profile: &ProfileChange) -> String {
    let target = profile.target.as_ref();
    let exact = target.is_some_and(|t| t.exact);
    let tokens = |n: u64| sentences::tokens(n, exact);
    let compared = profile.class.is_some() && !matches!(profile.state, State::Added | State::Removed);
    let prefix = profile.prefix.as_ref().filter(|_| compared);
    let size = prefix.map(|p| match p.tokens_before == p.tokens_after {
        true => tokens(p.tokens_after),
        false => format!("{} → {}", tokens(p.tokens_before), tokens(p.tokens_after)),
    });
    let variants = profile.variants.as_ref().filter(|_| compared).map(|(before, after)| match before == after {
        true => sentences::count(after),
        false => format!("{} → {}", sentences::count(before), sentences::count(after)),
    });
    let cost = profile.cost.as_ref().filter(|_| compared);
    let sum = |amount: f64, money: fn(f64, &str) -> String| match amount {
        0.0 => "0".to_owned(),
        amount => code(&money(amount, cost.map_or("", |c| &c.currency))),
    };
    let cells = [
        format!("`{}`", sentences::word(profile)),
        code(&profile.profile),
        target.map_or_else(String::new, |t| code(&format!("{} {}", t.provider, t.model))),
        size.unwrap_or_default(),
        prefix.map_or_else(String::new, |p| match p.how.is_cached() {
            true => tokens(p.rewritten),
            false => "not cached".to_owned(),
        }),
        variants.unwrap_or_default(),
        cost.map_or_else(String::new, |c| sum(c.once, sentences::money)),
        cost.map_or_else(String::new, |c| sum(c.per_1000_sessions, sentences::signed)),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// What happened to profiles, folded; with the texts of their sections or without.
fn details<'a>(group: &Group<'a>, told: &mut Told<'a>, texts: bool) -> String {
    let word = sentences::word(group.first());
    let mut out = format!("<details><summary>{}: {word}</summary>\n\n", group.names(&phrase::html));
    let mut point = |word: &str, said: &Phrase| out.push_str(&format!("- {word}{}\n", said.markdown()));
    let before = told.causes(group);
    if let Some(before) = before {
        point(&format!("`{word}` "), &told::as_in(before));
    }
    let causes = group.first().causes.len();
    for (n, (word, said)) in group.lines.iter().enumerate() {
        match *word {
            _ if n < causes && before.is_some() => {}
            class if n < causes => point(&format!("`{class}` "), said),
            "prefix" => point("static prefix: ", said),
            word => point(&format!("{word}: "), said),
        }
    }
    let exact = group.first().target.as_ref().is_some_and(|target| target.exact);
    if let Some(before) = told.sections(group) {
        out.push_str(&format!("- sections: {}\n\n</details>\n\n", told::as_in(before).markdown()));
        return out;
    }
    if !group.sections.is_empty() {
        out.push_str("\n| | section | change | zone | tokens | line |\n| --- | --- | --- | --- | --- | --- |\n");
        for section in group.sections.iter().map(|section| section.change).take(SECTIONS) {
            out.push_str(&format!(
                "| `{}` | {} | {} | {} | {} | {} |\n",
                sign(section),
                code(&section.id),
                edits(section, &code),
                zones(section),
                sizes(section, exact),
                sentences::place(&section.line).markdown()
            ));
        }
        if let more @ 1.. = group.sections.len().saturating_sub(SECTIONS) {
            out.push_str(&format!("\n{more} more sections changed.\n"));
        }
    }
    for section in group.sections.iter().filter(|_| texts) {
        fences(group.first(), section, told, &mut out);
    }
    out.push_str("\n</details>\n\n");
    out
}

/// The difference of a section's texts, in fences that no line of them can end.
fn fences<'a>(profile: &'a ProfileChange, section: &Touched<'a>, shown: &mut Told<'a>, out: &mut String) {
    for (pair, lines) in &section.differences {
        if let Some(before) = shown.before(profile, section.change, pair, lines) {
            out.push_str(&format!("\n{}: {}\n", code(&section.change.id), told::as_in(before).markdown()));
            continue;
        }
        let text = lines.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n");
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat((longest + 1).max(3));
        let title = told::titled(section.change, pair, &code);
        out.push_str(&format!("\n{title}\n\n{fence}diff\n{text}\n{fence}\n"));
        if let left_off @ 1.. = lines.len().saturating_sub(SHOWN) {
            out.push_str(&format!("{left_off} more lines of this difference.\n"));
        }
    }
}
