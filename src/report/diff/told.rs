//! What was told already: many profiles may have one section, and one change of it is told once.

use std::collections::BTreeMap;

use crate::diff::{Edit, ProfileChange, SectionChange, TextPair};

/// What was told, with the profile where.
#[derive(Clone, Default)]
pub(super) struct Told<'a> {
    texts: BTreeMap<(&'a str, &'a TextPair), &'a str>,
    /// Each with whether the texts of its sections were shown.
    profiles: Vec<(&'a ProfileChange, bool)>,
}

impl<'a> Told<'a> {
    /// The profile where a difference was shown; it counts as shown from now on.
    pub(super) fn before(
        &mut self,
        profile: &'a ProfileChange,
        section: &'a SectionChange,
        pair: &'a TextPair,
    ) -> Option<&'a str> {
        match self.texts.get(&(section.id.as_str(), pair)) {
            Some(before) => Some(before),
            None => {
                self.texts.insert((&section.id, pair), &profile.profile);
                None
            }
        }
    }

    /// A profile was told, with the texts of its sections or without.
    pub(super) fn add(&mut self, profile: &'a ProfileChange, texts: bool) {
        self.profiles.push((profile, texts));
    }

    /// The profile that changed by the same causes at the same lines, whatever its numbers are.
    pub(super) fn causes(&self, profile: &ProfileChange) -> Option<&'a str> {
        let is_same = |other: &ProfileChange| {
            other.causes.len() == profile.causes.len()
                && profile.causes.iter().all(|c| other.causes.iter().any(|o| o.is_same(c) && o.line == c.line))
        };
        let found = self.profiles.iter().filter(|_| !profile.causes.is_empty()).find(|(other, _)| is_same(other));
        found.map(|(other, _)| other.profile.as_str())
    }

    /// The profile to whose sections the same happened.
    pub(super) fn sections(&self, profile: &ProfileChange) -> Option<&'a str> {
        let own = changed(profile);
        let same = |a: &SectionChange, b: &SectionChange| {
            (&a.id, a.change, &a.also, a.zone, a.lifetime, &a.texts, &a.line)
                == (&b.id, b.change, &b.also, b.zone, b.lifetime, &b.texts, &b.line)
        };
        let is_same = |other: &ProfileChange| {
            let other = changed(other);
            other.len() == own.len() && own.iter().zip(&other).all(|(a, b)| same(a, b))
        };
        let found = self.profiles.iter().find(|(other, texts)| *texts && is_same(other));
        found.map(|(other, _)| other.profile.as_str())
    }
}

/// The sections to which something happened.
pub(super) fn changed(profile: &ProfileChange) -> Vec<&SectionChange> {
    profile.sections.iter().filter(|s| s.change != Edit::Unchanged).collect()
}
