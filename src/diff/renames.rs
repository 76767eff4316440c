//! What is called otherwise and is the same: sections with another id, profiles with another name.

use std::collections::BTreeMap;

use super::artifact::{Artifact, Part};
use super::side::Side;

/// The artifact of the base with the ids that the head has for the same texts; `None` when nothing is called otherwise.
pub(super) fn followed(old: &Artifact, new: &Artifact) -> Option<Artifact> {
    let gone: Vec<(&str, &Part)> = old.parts.iter().filter(|part| new.part(&part.id).is_none()).map(named).collect();
    let come: Vec<(&str, &Part)> = new.parts.iter().filter(|part| old.part(&part.id).is_none()).map(named).collect();
    let pairs = pairs(&gone, &come);
    if pairs.is_empty() {
        return None;
    }
    Some(old.renamed(&pairs.iter().map(|(was, now)| (was.id.as_str(), now.id.as_str())).collect()))
}

/// A section with the text by which it is known again.
fn named(part: &Part) -> (&str, &Part) {
    (part.written.as_ref().map_or(&part.text, |written| &written.template), part)
}

/// For each name of a profile of the head that the base has under another one: that one. The files are the same.
pub(super) fn of_profiles<'a>(base: &'a Side<'_>, head: &'a Side<'_>) -> BTreeMap<&'a str, &'a str> {
    let alone = |side: &'a Side<'_>, other: &Side<'_>| -> Vec<(&'a str, &'a str)> {
        let names = side.names().filter(|name| !other.profiles.contains_key(*name));
        names.filter_map(|name| Some((side.text_of(name)?, name))).collect()
    };
    let (gone, come) = (alone(base, head), alone(head, base));
    pairs(&gone, &come).into_iter().map(|(was, now)| (*now, *was)).collect()
}

/// Those of two lists that one text alone leads from and to. What is blank leads nowhere.
fn pairs<'p, T>(old: &'p [(&str, T)], new: &'p [(&str, T)]) -> Vec<(&'p T, &'p T)> {
    /// What a text leads to; `None` where it is there twice.
    fn by_text<'p, T>(list: &'p [(&str, T)]) -> BTreeMap<&'p str, Option<&'p T>> {
        let mut found = BTreeMap::new();
        for (text, it) in list {
            found.entry(*text).and_modify(|known| *known = None).or_insert(Some(it));
        }
        found
    }
    let (gone, come) = (by_text(old), by_text(new));
    let only = |found: &BTreeMap<&str, Option<&'p T>>, text: &str| found.get(text).copied().flatten();
    let texts = old.iter().map(|(text, _)| *text).filter(|text| !text.trim().is_empty());
    texts.filter_map(|text| Some((only(&gone, text)?, only(&come, text)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_twice_leads_nowhere() {
        let of = |old: &[(&str, u8)], new: &[(&str, u8)]| -> Vec<(u8, u8)> {
            pairs(old, new).into_iter().map(|(a, b)| (*a, *b)).collect()
        };
        assert_eq!(of(&[("a", 1), ("b", 2)], &[("b", 3), ("c", 4)]), [(2, 3)]);
        assert_eq!(of(&[("a", 1), ("a", 2)], &[("a", 3)]), []);
        assert_eq!(of(&[("a", 1)], &[("a", 3), ("a", 4)]), []);
        assert_eq!(of(&[(" ", 1)], &[(" ", 3)]), []);
    }
}
