//! Findings of `snapshot` for people.

use std::collections::BTreeMap;

use super::escape::escape;
use super::hunks;
use super::text::Colors;
use crate::snapshot::{Combination, Finding, Shift, Size, State, Unit};

/// Combinations that a line names.
const NAMED: usize = 3;

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// More lines than any file has.
const EVERYTHING: usize = 1 << 30;

/// Lines of a new or old file that are shown.
const LINES: usize = 12;

/// All findings, each with what differs, and their count.
pub fn text(folder: &str, findings: &[Finding], colors: Colors) -> String {
    let mut out: String = findings.iter().map(|f| format!("{}\n", finding(folder, f, colors))).collect();
    let count = |state| findings.iter().filter(|f| f.state == state).count();
    out.push_str(&format!(
        "{} changed, {} missing, {} orphaned\n",
        count(State::Changed),
        count(State::Missing),
        count(State::Orphan)
    ));
    out
}

/// A line for each file that accepting has changed.
pub fn accepted(folder: &str, findings: &[Finding]) -> String {
    let line = |f: &Finding| {
        let word = match f.state {
            State::Changed => "changed",
            State::Missing => "written",
            State::Orphan => "removed",
        };
        format!("{word}  {}\n", escape(&format!("{folder}/{}", f.path)))
    };
    findings.iter().map(line).collect()
}

/// One finding with what differs.
pub fn finding(folder: &str, finding: &Finding, colors: Colors) -> String {
    shown(folder, finding, Some(NAMED), colors)
}

/// One finding with everything that differs, and all combinations that it is in.
pub fn details(folder: &str, finding: &Finding, colors: Colors) -> String {
    shown(folder, finding, None, colors)
}

/// `named` is how many combinations stand on a line; all of them, and every line, without it.
fn shown(folder: &str, finding: &Finding, named: Option<usize>, colors: Colors) -> String {
    let (word, color) = match finding.state {
        State::Changed => ("changed", "33"),
        State::Missing => ("missing", hunks::IS),
        State::Orphan => ("orphan ", hunks::WAS),
    };
    let mut out = format!("{}  {}\n", colors.paint(word, color), escape(&format!("{folder}/{}", finding.path)));
    match &finding.about {
        Unit::Profile(_) => {
            for (shift, combinations) in &finding.shifts {
                let names =
                    if combinations.is_empty() { String::new() } else { format!(": {}", names(combinations, named)) };
                out.push_str(&format!("  {}{names}\n", shift_words(shift)));
            }
            if finding.shifts.is_empty() || named.is_none() {
                out.push_str(&lines(finding, named, colors));
            }
        }
        Unit::Section(_) | Unit::File(_) => {
            if !finding.users.is_empty() {
                out.push_str(&format!("  in {}\n", users(&finding.users, named)));
            }
            out.push_str(&lines(finding, named, colors));
        }
    }
    out
}

/// The lines that differ; of a whole file that comes or goes the first ones. The whole file when all is wanted.
fn lines(finding: &Finding, named: Option<usize>, colors: Colors) -> String {
    let context = if named.is_some() { CONTEXT } else { EVERYTHING };
    let parts: Vec<String> = finding.hunks(context).iter().map(|hunk| hunks::text(hunk, colors)).collect();
    let text = parts.join("..\n");
    let all = text.lines().count();
    if finding.state == State::Changed || named.is_none() || all <= LINES + 1 {
        return text;
    }
    let first: String = text.split_inclusive('\n').take(LINES).collect();
    format!("{first}  and {} more lines\n", all - LINES)
}

fn users(users: &BTreeMap<String, Vec<Combination>>, named: Option<usize>) -> String {
    let all: Vec<String> =
        users.iter().map(|(profile, list)| format!("{} ({})", escape(profile), names(list, named))).collect();
    cut(&all, named).join(", ")
}

fn names(combinations: &[Combination], named: Option<usize>) -> String {
    let all: Vec<String> = combinations.iter().map(name).collect();
    cut(&all, named).join(", ")
}

/// The first words of a list, and how many more there are.
fn cut(all: &[String], named: Option<usize>) -> Vec<String> {
    let most = named.unwrap_or(all.len());
    // One more is as short as its name.
    if all.len() <= most + 1 {
        return all.to_vec();
    }
    all.iter().take(most).cloned().chain([format!("and {} more", all.len() - most)]).collect()
}

fn name(combination: &Combination) -> String {
    let fixture = combination.fixture.as_deref().unwrap_or("ahead of time");
    let parts = [combination.cell.as_str(), fixture];
    escape(&parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" "))
}

fn shift_words(shift: &Shift) -> String {
    let or_none = |word: &Option<String>| word.clone().unwrap_or_else(|| "none".to_owned());
    match shift {
        Shift::Head(key, before, after) => escape(&format!("{key} {before} -> {after}")),
        Shift::Added => "new".to_owned(),
        Shift::Gone => "gone".to_owned(),
        Shift::Winner(before, after) => format!("winner {before} -> {after}"),
        Shift::Strategy(before, after) => format!("strategy {before} -> {after}"),
        Shift::Scope(kind, before, after) => format!("scope of {kind} {} -> {}", or_none(before), or_none(after)),
        Shift::Mark(kind, before, after) => format!("mark of {kind} {} -> {}", or_none(before), or_none(after)),
        Shift::Cut(kind, from) => {
            let from = from.as_ref().map_or_else(String::new, |section| format!(", from `{}` on", escape(section)));
            format!("{kind} has the same text, of other sections{from}")
        }
        Shift::Prefix(kind) => format!("prefix up to {kind}"),
        Shift::Block { kind, before, after, from } => {
            let size = |size: &Option<Size>| match size {
                None => "none".to_owned(),
                Some(None) => "open".to_owned(),
                Some(Some(1)) => "1 token".to_owned(),
                Some(Some(tokens)) => format!("{tokens} tokens"),
            };
            let from = match (from, before.is_some() && after.is_some()) {
                (Some(section), true) => format!(", from `{}` on", escape(section)),
                (None, true) => ", between its sections".to_owned(),
                _ => String::new(),
            };
            match before == after {
                true => format!("{kind} changed, {} as before{from}", size(after)),
                false => format!("{kind} {} -> {}{from}", size(before), size(after)),
            }
        }
    }
}
