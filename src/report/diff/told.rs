//! What is told of profiles: what is the same for several of them is told once.

use std::collections::BTreeMap;

use super::hunks::{self, Words};
use super::phrase::Phrase;
use super::sentences;
use crate::diff::{Class, ProfileChange, SectionChange, TextPair};

/// Profiles of which everything that is told is the same.
pub(super) struct Group<'a> {
    /// They.
    pub(super) profiles: Vec<&'a ProfileChange>,
    /// What happened, each sentence under a word: its class, `prefix`, `variants`, `cost`, `files`.
    pub(super) lines: Vec<(&'static str, Phrase)>,
    /// The sections to which something happened.
    pub(super) sections: Vec<Touched<'a>>,
}

/// A section to which something happened.
#[derive(Clone)]
pub(super) struct Touched<'a> {
    /// It.
    pub(super) change: &'a SectionChange,
    /// The lines in which its texts differ, for each of them that does. Texts may differ elsewhere in each profile, and by
    /// the same lines.
    pub(super) differences: Vec<(&'a TextPair, Vec<String>)>,
}

/// The profiles of which there is something to tell, in order.
pub(super) fn groups(profiles: &[ProfileChange]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for profile in profiles {
        let lines = lines(profile);
        if lines.is_empty() {
            continue;
        }
        let sections = changed(profile);
        let is_same = |group: &&mut Group<'_>| {
            let sizes = |all: &[Touched<'_>]| all.iter().map(|s| s.change.tokens).collect::<Vec<_>>();
            group.lines == lines
                && group.first().target == profile.target
                && are_same(&group.sections, &sections)
                && sizes(&group.sections) == sizes(&sections)
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.profiles.push(profile),
            None => groups.push(Group { profiles: vec![profile], lines, sections }),
        }
    }
    groups
}

/// What happened to a profile. None where nothing did.
fn lines(profile: &ProfileChange) -> Vec<(&'static str, Phrase)> {
    let class = profile.class.unwrap_or(Class::None);
    let mut lines: Vec<(&str, Phrase)> = profile.causes.iter().map(|c| (c.class.name(), sentences::told(c))).collect();
    if class > Class::Meta {
        let prefix = profile.prefix.as_ref().map_or_else(Vec::new, |prefix| sentences::prefix(profile, prefix));
        lines.extend(prefix.into_iter().map(|said| ("prefix", said)));
        if let Some((before, after)) = profile.variants.as_ref().filter(|(before, after)| before != after) {
            let counts = format!("{} -> {}", sentences::count(before), sentences::count(after));
            lines.push(("variants", Phrase::new(&counts)));
        }
        let cost = profile.cost.as_ref().map_or_else(Vec::new, sentences::cost);
        lines.extend(cost.into_iter().map(|said| ("cost", said)));
    }
    if class == Class::Meta && !profile.files.is_empty() {
        lines.push(("files", Phrase::default().names(&profile.files)));
    }
    if class == Class::None { Vec::new() } else { lines }
}

/// The sections to which something happened.
fn changed(profile: &ProfileChange) -> Vec<Touched<'_>> {
    let lines = |pair: &TextPair| hunks::lines(&pair.before, &pair.after, Words::Apart, usize::MAX).0;
    let touched = profile.sections.iter().filter(|section| section.is_touched());
    touched
        .map(|change| {
            let differing = change.texts.iter().filter(|pair| pair.before != pair.after);
            Touched { change, differences: differing.map(|pair| (pair, lines(pair))).collect() }
        })
        .collect()
}

/// Whether the same happened to sections, whatever their numbers are.
fn are_same(a: &[Touched<'_>], b: &[Touched<'_>]) -> bool {
    fn differences<'t>(section: &'t Touched<'_>) -> Vec<(&'t str, &'t [String])> {
        section.differences.iter().map(|(pair, lines)| (pair.label.as_str(), lines.as_slice())).collect()
    }
    let same = |(one, other): (&Touched<'_>, &Touched<'_>)| {
        let (a, b) = (one.change, other.change);
        (&a.id, &a.was, a.change, &a.also, a.zone, a.lifetime, &a.line)
            == (&b.id, &b.was, b.change, &b.also, b.zone, b.lifetime, &b.line)
            && differences(one) == differences(other)
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

impl<'a> Group<'a> {
    /// The first of them, by which the others are called.
    pub(super) fn first(&self) -> &'a ProfileChange {
        self.profiles[0]
    }

    /// Their names, of which the first ones are told.
    pub(super) fn names(&self, shown: &dyn Fn(&str) -> String) -> String {
        const SHOWN: usize = 5;
        let names: Vec<String> = self.profiles.iter().take(SHOWN).map(|p| shown(&p.profile)).collect();
        match self.profiles.len().saturating_sub(SHOWN) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// Whether any byte of output is other: else texts are cut otherwise, and no more.
    pub(super) fn has_other_bytes(&self) -> bool {
        self.first().class.is_some_and(|class| class > Class::Meta)
    }
}

/// What was told already.
#[derive(Clone, Default)]
pub(super) struct Told<'a> {
    /// By section, text, and the lines that differ.
    texts: BTreeMap<(&'a str, &'a str, Vec<String>), &'a str>,
    /// By the name of the first profile: causes, sections, and whether their texts were shown.
    groups: Vec<(&'a ProfileChange, Vec<Touched<'a>>, bool)>,
}

impl<'a> Told<'a> {
    /// The profile where the same lines were shown; they count as shown from now on.
    pub(super) fn before(
        &mut self,
        profile: &'a ProfileChange,
        section: &'a SectionChange,
        pair: &'a TextPair,
        lines: &[String],
    ) -> Option<&'a str> {
        let key = (section.id.as_str(), pair.label.as_str(), lines.to_vec());
        match self.texts.get(&key) {
            Some(before) => Some(before),
            None => {
                self.texts.insert(key, &profile.profile);
                None
            }
        }
    }

    /// A group was told, with the texts of its sections or without.
    pub(super) fn add(&mut self, group: &Group<'a>, texts: bool) {
        self.groups.push((group.first(), group.sections.clone(), texts));
    }

    /// The profile that changed by the same causes at the same lines, whatever its numbers are.
    pub(super) fn causes(&self, group: &Group<'_>) -> Option<&'a str> {
        let causes = &group.first().causes;
        let is_same = |other: &ProfileChange| {
            other.causes.len() == causes.len()
                && causes.iter().all(|c| other.causes.iter().any(|o| o.is_same(c) && o.line == c.line))
        };
        let found = self.groups.iter().filter(|_| !causes.is_empty()).find(|(other, _, _)| is_same(other));
        found.map(|(other, _, _)| other.profile.as_str())
    }

    /// The profile to whose sections the same happened.
    pub(super) fn sections(&self, group: &Group<'_>) -> Option<&'a str> {
        let found = self.groups.iter().filter(|_| !group.sections.is_empty());
        let mut found = found.filter(|(_, other, texts)| *texts && are_same(other, &group.sections));
        found.next().map(|(other, _, _)| other.profile.as_str())
    }
}

/// That a profile was told of with the same.
pub(super) fn as_in(profile: &str) -> Phrase {
    Phrase::new("as in ").name(profile)
}

/// The names of a section's text that differs: the section, and what of it, unless it is its own text.
pub(super) fn titled(section: &SectionChange, pair: &TextPair, shown: &dyn Fn(&str) -> String) -> String {
    match pair.label.is_empty() {
        true => shown(&section.id),
        false => format!("{}, {}", shown(&section.id), shown(&pair.label)),
    }
}
