//! What a snapshot becomes when some of what was compiled is accepted.

use std::collections::BTreeSet;

use super::state::{Combination, Entry, Matrix, Snapshot};

/// The snapshot after accepting: each artifact is what was compiled where `pick` says so, and what was stored elsewhere.
/// Profiles in `unknown` could not be compiled, and stay as they were stored. An artifact is never a mixture of both.
pub(super) fn merge(
    stored: &Snapshot,
    compiled: &Snapshot,
    unknown: &BTreeSet<String>,
    pick: &dyn Fn(&str, &Combination) -> bool,
) -> Snapshot {
    let mut merged = Snapshot { texts: stored.texts.clone(), ..Snapshot::default() };
    merged.texts.extend(compiled.texts.iter().map(|(key, text)| (key.clone(), text.clone())));
    let names: BTreeSet<&String> = stored.profiles.keys().chain(compiled.profiles.keys()).collect();
    for name in names {
        let (was, is) = (stored.profiles.get(name), compiled.profiles.get(name));
        let matrix = match (was, is) {
            (Some(was), None) if unknown.contains(name) => was.clone(),
            _ => of_profile(was, is, &|combination| pick(name, combination)),
        };
        if !matrix.entries.is_empty() {
            merged.profiles.insert(name.clone(), matrix);
        }
    }
    merged
}

fn of_profile(was: Option<&Matrix>, is: Option<&Matrix>, pick: &dyn Fn(&Combination) -> bool) -> Matrix {
    let entries = |matrix: Option<&'_ Matrix>| matrix.map_or_else(Vec::new, |m| m.entries.clone());
    let (stored, compiled) = (entries(was), entries(is));
    let find = |list: &[Entry], wanted: &Combination| list.iter().find(|e| e.combination == *wanted).cloned();
    let mut merged: Vec<Entry> = Vec::new();
    let mut is_whole = true;
    for entry in &compiled {
        match pick(&entry.combination) {
            true => merged.push(entry.clone()),
            false => {
                is_whole = false;
                merged.extend(find(&stored, &entry.combination));
            }
        }
    }
    for entry in stored.iter().filter(|e| find(&compiled, &e.combination).is_none()) {
        if !pick(&entry.combination) {
            is_whole = false;
            merged.push(entry.clone());
        }
    }
    let head = if is_whole { is.or(was) } else { was.or(is) };
    Matrix { entries: merged, ..head.cloned().unwrap_or_default() }
}
