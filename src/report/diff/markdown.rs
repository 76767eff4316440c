//! A change as a comment on a pull request: the verdict first, details folded, short enough to be posted.
//!
//! No word of the project can make a mention, a link, a row or HTML: all of them stand in code.

use super::hunks::{self, Words};
use super::phrase::{self, Phrase, code};
use super::text::{edits, sign, sizes, zones};
use super::told::{self, Told};
use super::{DiffReport, sentences};
use crate::diff::{Class, ProfileChange, SectionChange, State};

/// The first line of a comment, by which it is found again.
pub const MARKER: &str = "<!-- promptc diff -->";

/// Most bytes of a comment. Hosts take 65,536 characters; a little is left for what others put around it.
pub const MAX_MARKDOWN: usize = 60_000;

/// Room for what is said at the end.
const FOOT: usize = 1_000;

/// Most lines of one text's difference that are shown.
const SHOWN: usize = 40;

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
    let (base, head) = report.sides();
    out.push_str(&format!("{}, {} against {}.\n\n", sentences::summary(&diff.profiles), code(&head), code(&base)));
    let told: Vec<&ProfileChange> = diff.profiles.iter().filter(|p| p.class != Some(Class::None)).collect();
    let room = MAX_MARKDOWN - FOOT;
    let rows = table(&told, room / 2, &mut out);
    let mut left_off: Vec<String> = Vec::new();
    let mut shown = Told::default();
    for profile in told.iter().filter(|p| has_details(p)) {
        let mut with_these = shown.clone();
        let whole = details(profile, &mut with_these, true);
        let short = details(profile, &mut shown.clone(), false);
        match [whole, short].into_iter().enumerate().find(|(_, text)| out.len() + text.len() <= room) {
            Some((0, text)) => {
                out.push_str(&text);
                shown = with_these;
                shown.add(profile, true);
            }
            Some((_, text)) => {
                out.push_str(&text);
                shown.add(profile, false);
                left_off.push(format!("the texts of {}", clipped(&profile.profile)));
            }
            None => left_off.push(format!("all details of {}", clipped(&profile.profile))),
        }
    }
    if rows > 0 {
        left_off.insert(0, format!("{rows} rows of the table"));
    }
    foot(&left_off, &mut out);
    out
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
    let sum = |amount: f64| match amount {
        0.0 => "0".to_owned(),
        amount => code(&sentences::money(amount, cost.map_or("", |c| &c.currency))),
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
        cost.map_or_else(String::new, |c| sum(c.once)),
        cost.map_or_else(String::new, |c| sum(c.per_1000_sessions)),
    ];
    format!("| {} |\n", cells.join(" | "))
}

fn has_details(profile: &ProfileChange) -> bool {
    matches!(profile.state, State::Compared | State::Broken { .. }) && profile.class.is_some_and(|c| c > Class::Meta)
}

/// What happened to a profile, folded; with the texts of its sections or without.
fn details<'a>(profile: &'a ProfileChange, told: &mut Told<'a>, texts: bool) -> String {
    let mut out =
        format!("<details><summary>{}: {}</summary>\n\n", phrase::html(&profile.profile), sentences::word(profile));
    let mut point = |said: Phrase| out.push_str(&format!("- {}\n", said.markdown()));
    let before = told.causes(profile);
    if let Some(before) = before {
        point(Phrase::new(&format!("`{}` as in ", sentences::word(profile))).name(before));
    }
    for cause in profile.causes.iter().filter(|_| before.is_none()) {
        let mut said = Phrase::new(&format!("`{}` ", cause.class.name())).then(sentences::cause(cause));
        if let Some(line) = &cause.line {
            said = said.say(", ").then(sentences::place(line));
        }
        if let Some(allowed) = &cause.allowed {
            said = said.say("; allowed: ").name(&allowed.reason);
        }
        point(said);
    }
    if let Some(prefix) = &profile.prefix {
        for said in sentences::prefix(profile, prefix) {
            point(Phrase::new("static prefix: ").then(said));
        }
    }
    for said in profile.cost.as_ref().map_or_else(Vec::new, sentences::cost) {
        point(Phrase::new("cost: ").then(said));
    }
    let exact = profile.target.as_ref().is_some_and(|target| target.exact);
    let changed = told::changed(profile);
    if let Some(before) = told.sections(profile).filter(|_| !changed.is_empty()) {
        out.push_str(&format!("- sections: as in {}\n\n</details>\n\n", code(before)));
        return out;
    }
    if !changed.is_empty() {
        out.push_str("\n| | section | change | zone | tokens | line |\n| --- | --- | --- | --- | --- | --- |\n");
        for section in changed.iter().take(SECTIONS) {
            out.push_str(&format!(
                "| `{}` | {} | {} | {} | {} | {} |\n",
                sign(section),
                code(&section.id),
                edits(section),
                zones(section),
                sizes(section, exact),
                sentences::place(&section.line).markdown()
            ));
        }
        if let more @ 1.. = changed.len().saturating_sub(SECTIONS) {
            out.push_str(&format!("\n{more} more sections changed.\n"));
        }
    }
    for section in changed.iter().filter(|_| texts) {
        fences(profile, section, told, &mut out);
    }
    out.push_str("\n</details>\n\n");
    out
}

/// The difference of a section's texts, in fences that no line of them can end.
fn fences<'a>(profile: &'a ProfileChange, section: &'a SectionChange, shown: &mut Told<'a>, out: &mut String) {
    for pair in section.texts.iter().filter(|pair| pair.before != pair.after) {
        if let Some(before) = shown.before(profile, section, pair) {
            out.push_str(&format!("\n{}: as in {}\n", code(&section.id), code(before)));
            continue;
        }
        let (lines, left_off) = hunks::lines(&pair.before, &pair.after, Words::Apart, SHOWN);
        let text = lines.join("\n");
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat((longest + 1).max(3));
        let label = if pair.label.is_empty() { String::new() } else { format!(", {}", code(&pair.label)) };
        out.push_str(&format!("\n{}{label}\n\n{fence}diff\n{text}\n{fence}\n", code(&section.id)));
        if left_off > 0 {
            out.push_str(&format!("{left_off} more lines of this difference.\n"));
        }
    }
}
