//! One profile before and after: all its artifacts together.

use std::collections::{BTreeMap, BTreeSet};

use super::artifact::{Artifact, Key, Read};
use super::cause::{Cause, What};
use super::compare::{self, Alike, One, Pair};
use super::cost::{self, Cost, Rates};
use super::counts::Count;
use super::place::{Line, Whose};
use super::sections::{Edit, SectionChange};
use super::side::{Compiles, Declared, Seen, Side};
use super::{Aim, ArtifactChange, Class, Presence, ProfileChange, State, renames};
use crate::manifest::Layer;
use crate::plan::Capabilities;
use crate::workspace::Workspace;

/// How much more a change must cost in another artifact than in the one that is shown, to be told of that one.
const MUCH_MORE: f64 = 1.1;

/// Both sides of one profile.
struct Sides<'a> {
    base: (&'a Workspace, &'a Compiles),
    head: (&'a Workspace, &'a Compiles),
    /// For each cell of the head the one of the base from which its sessions come.
    cells: BTreeMap<String, String>,
}

/// An artifact that was compared.
struct Compared {
    key: Key,
    name: String,
    pair: Pair,
    state: Presence,
    /// What one session costs more than before.
    lasting: Option<f64>,
}

/// Compares a profile, under the name that each side has for it.
pub(super) fn compare(base: (&str, &Side<'_>), head: (&str, &Side<'_>)) -> ProfileChange {
    let (before, after) = (base.1.profiles.get(base.0), head.1.profiles.get(head.0));
    let was = (base.0 != head.0).then(|| base.0.to_owned());
    match (before, after) {
        (Some(before), Some(after)) => {
            let cells = cells(before, after);
            let sides = Sides { base: (base.1.workspace, before), head: (head.1.workspace, after), cells };
            ProfileChange { was, ..sides.compare(head.0) }
        }
        (before, after) => {
            let broken = before.or(after).is_some_and(|compiles| compiles.broken);
            let state = match (broken, before.is_some()) {
                (true, is_base) => State::Broken { base: is_base, head: !is_base },
                (false, true) => State::Removed,
                (false, false) => State::Added,
            };
            alone(head.0, state, before.or(after))
        }
    }
}

/// For each cell of the head the one of the base from which its sessions come: the same; or, where a matrix has got or
/// lost an axis, the only one that is gone and knows no other value of what both know.
fn cells(before: &Compiles, after: &Compiles) -> BTreeMap<String, String> {
    let is_alike = |old: &BTreeMap<String, String>, new: &BTreeMap<String, String>| {
        old.iter().all(|(name, value)| new.get(name).is_none_or(|now| now == value))
    };
    let from = |(cell, new): (&String, &BTreeMap<String, String>)| {
        if before.values.contains_key(cell) {
            return Some((cell.clone(), cell.clone()));
        }
        let gone = before.values.iter().filter(|(old, _)| !after.values.contains_key(*old));
        let mut alike = gone.filter(|(_, old)| is_alike(old, new)).map(|(old, _)| old);
        let only = alike.next().filter(|_| alike.next().is_none())?;
        Some((cell.clone(), only.clone()))
    };
    after.values.iter().filter_map(from).collect()
}

/// A profile of one side. Nobody's session is touched by it.
fn alone(name: &str, state: State, compiles: Option<&Compiles>) -> ProfileChange {
    ProfileChange {
        profile: name.to_owned(),
        was: None,
        state,
        class: (!matches!(state, State::Broken { .. })).then_some(Class::Meta),
        causes: Vec::new(),
        target: compiles.and_then(|c| c.target.as_ref()).map(aim),
        prefix: None,
        variants: None,
        sections: Vec::new(),
        cost: None,
        artifacts: Vec::new(),
        files: Vec::new(),
    }
}

fn aim(target: &Capabilities) -> Aim {
    Aim {
        provider: target.provider.clone(),
        model: target.model.clone(),
        tools_first: target.tools_first,
        marks: target.max_marks > 0,
        minimum: target.min_tokens,
        exact: target.tokenizer.is_exact(),
        band: target.tokenizer.band,
    }
}

impl Sides<'_> {
    fn compare(&self, name: &str) -> ProfileChange {
        let (before, after) = (self.base.1, self.head.1);
        let mut compared = self.artifacts();
        let mut causes = self.of_routes();
        for one in &mut compared {
            for cause in one.pair.causes.drain(..) {
                add(&mut causes, cause, &one.name);
            }
        }
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.class));
        causes.iter_mut().for_each(|cause| cause.only = self.only(cause, &compared));
        let files = self.files();
        let is_broken = before.broken || after.broken;
        let of_causes = causes.iter().map(|cause| cause.class);
        let worst = of_causes.chain(compared.iter().map(|one| one.pair.class)).max().unwrap_or(Class::None);
        let least = if files.is_empty() { Class::None } else { Class::Meta };
        let nothing_to_compare = is_broken && !compared.iter().any(|one| one.state == Presence::Both);
        let most = |one: &&Compared| (one.pair.class, !one.pair.prefix.open, one.pair.prefix.rewritten);
        // Of equals the first.
        let shown = compared.iter().rev().max_by_key(most);
        ProfileChange {
            profile: name.to_owned(),
            was: None,
            state: match is_broken {
                true => State::Broken { base: before.broken, head: after.broken },
                false => State::Compared,
            },
            class: (!nothing_to_compare).then(|| worst.max(least)),
            causes,
            target: after.target.as_ref().or(before.target.as_ref()).map(aim),
            prefix: shown.map(|one| one.pair.prefix.clone()),
            variants: shown.and_then(|one| self.variants(&one.key)),
            sections: sections(&compared, shown),
            cost: shown.and_then(|one| self.cost(one, &compared)),
            artifacts: compared
                .iter()
                .map(|one| ArtifactChange {
                    name: one.name.clone(),
                    state: one.state,
                    class: one.pair.class,
                    rewritten: one.pair.prefix.rewritten,
                })
                .collect(),
            files,
        }
    }

    /// The base's key of an artifact of the head.
    fn key_before(&self, key: &Key) -> Key {
        Key { cell: self.cell_before(&key.cell).to_owned(), ..key.clone() }
    }

    /// The base's name of a cell of the head.
    fn cell_before<'c>(&'c self, cell: &'c str) -> &'c str {
        self.cells.get(cell).map_or(cell, String::as_str)
    }

    /// Artifacts of both sides, in order. One that a side lacks is another prompt for the sessions that had it.
    fn artifacts(&self) -> Vec<Compared> {
        let (before, after) = (self.base.1, self.head.1);
        let mut keys: Vec<Key> = after.artifacts.keys().cloned().collect();
        let known: BTreeSet<Key> = keys.iter().map(|key| self.key_before(key)).collect();
        keys.extend(before.artifacts.keys().filter(|key| !known.contains(*key)).cloned());
        // What most sessions get comes first: ahead of time what wins, then the fixtures, then other links.
        let rank = |key: &Key| match (key.layer, &key.context) {
            (Some(layer), _) if after.winners.get(&key.cell) == Some(&layer) => 0,
            (_, Some(_)) => 1,
            _ => 2,
        };
        keys.sort_by(|a, b| (&a.cell, rank(a), a).cmp(&(&b.cell, rank(b), b)));
        let mut out = Vec::new();
        for key in keys {
            let was = self.key_before(&key);
            let (old, new) = (before.artifacts.get(&was), after.artifacts.get(&key));
            let state = match (old, new) {
                (Some(_), Some(_)) => Presence::Both,
                (None, _) => Presence::Added,
                (_, None) => Presence::Removed,
            };
            let (old, new) = (old.or(before.winner(&was)), new.or(after.winner(&key)));
            // What a side that does not compile lacks may well be there.
            let is_unknown = state != Presence::Both && (before.broken || after.broken);
            let (Some(old), Some(new), false) = (old, new, is_unknown) else { continue };
            let followed = renames::followed(old, new).filter(|_| state == Presence::Both);
            let Some((base, head)) = self.ones(followed.as_ref().unwrap_or(old), new) else { continue };
            let alike = Alike { values: old.values == new.values, prompt: state == Presence::Both };
            let mut pair = compare::compare(base, head, alike);
            // A fixture more or less is nobody's session.
            if state != Presence::Both && key.layer.is_none() {
                pair = Pair { class: Class::Meta, sections: Vec::new(), ..pair };
            }
            let name = key.name(after.winners.get(&key.cell).copied());
            let lasting = (alike.values && alike.prompt).then(|| self.lasting(&key, base, head)).flatten();
            out.push(Compared { key, name, pair, state, lasting });
        }
        out
    }

    fn ones<'a>(&'a self, old: &'a Artifact, new: &'a Artifact) -> Option<(One<'a>, One<'a>)> {
        let base = One { workspace: self.base.0, artifact: old, target: self.base.1.target.as_ref()? };
        let head = One { workspace: self.head.0, artifact: new, target: self.head.1.target.as_ref()? };
        Some((base, head))
    }

    /// Where a cause was found, when that is not everywhere.
    fn only(&self, cause: &Cause, compared: &[Compared]) -> Vec<String> {
        let winners = &self.head.1.winners;
        let of = |name: &String| compared.iter().find(|one| one.name == *name);
        let mut cells: Vec<String> =
            cause.artifacts.iter().map(|name| of(name).map_or(name, |one| &one.key.cell).clone()).collect();
        cells.sort_unstable();
        cells.dedup();
        let is_of_another_link =
            |one: &Compared| one.key.layer.is_some() && winners.get(&one.key.cell) != one.key.layer.as_ref();
        match () {
            () if cells.len() < winners.len() => cells,
            () if cause.artifacts.iter().all(|name| of(name).is_some_and(is_of_another_link)) => {
                cause.artifacts.clone()
            }
            () => Vec::new(),
        }
    }

    /// What hangs on no context: variants, run-time inputs, links, required sections.
    fn of_routes(&self) -> Vec<Cause> {
        let (before, after) = (self.base.1, self.head.1);
        let mut causes = Vec::new();
        for ((cell, layer), seen) in &after.routes {
            let cell_before = self.cell_before(cell);
            let old = before.routes.get(&(cell_before.to_owned(), *layer));
            let Some(was) = old.or_else(|| before.winning(cell_before)) else { continue };
            let mut found = self.of_variants(was, seen);
            let line = || Line::of(self.head.0, seen.span, Whose::Head);
            for id in seen.lost.iter().filter(|id| !old.is_some_and(|old| old.lost.contains(*id))) {
                found.push(Cause::new(What::RequiredLost { layer: *layer }, Class::Demote).section(id, line()));
            }
            if old.is_none() && !before.broken {
                let class = self.other_prompt(cell, *layer);
                let mut cause = Cause::new(What::RouteAdded { layer: *layer }, class);
                cause.line = Some(line());
                found.push(cause);
            }
            found.into_iter().for_each(|cause| add(&mut causes, cause, cell));
        }
        for cell in after.winners.keys().filter(|_| !after.broken) {
            let of_cell = before.routes.keys().filter(|(was, _)| was == self.cell_before(cell));
            for (_, layer) in of_cell.filter(|(_, layer)| !after.routes.contains_key(&(cell.clone(), *layer))) {
                let class = self.other_prompt(cell, *layer);
                add(&mut causes, Cause::new(What::RouteRemoved { layer: *layer }, class), cell);
            }
        }
        after.winners.keys().for_each(|cell| self.of_required(cell, &mut causes));
        causes
    }

    /// Sections that no longer have to survive every layer.
    fn of_required(&self, cell: &str, causes: &mut Vec<Cause>) {
        let (before, after) = (self.base.1.declared_in(self.cell_before(cell)), self.head.1.declared_in(cell));
        for (id, old) in before.iter().filter(|(_, declared)| declared.required) {
            let new = after.get(id);
            // Under another id it is the same one.
            let is_it =
                |other: &str, new: &Declared| other == *id || (!before.contains_key(other) && new.text == old.text);
            if after.iter().any(|(other, new)| new.required && is_it(other, new)) {
                continue;
            }
            let line = match new {
                Some(new) => Line::of(self.head.0, new.span, Whose::Head),
                None => Line::of(self.base.0, old.span, Whose::Base),
            };
            let cause = Cause::new(What::RequiredRemoved { gone: new.is_none() }, Class::Demote).section(id, line);
            add(causes, cause.allowed_by(new.map_or(&[][..], |new| &new.allow)), cell);
        }
    }

    fn of_variants(&self, was: &Seen, seen: &Seen) -> Vec<Cause> {
        let mut causes = Vec::new();
        let fresh: Vec<_> = seen.reads.iter().filter(|(input, _)| !was.reads.contains_key(*input)).collect();
        for (input, read) in &fresh {
            let what = What::NowRuntime { input: (*input).clone(), in_text: read.in_text };
            let line = Line::of(self.head.0, read.span, Whose::Head);
            causes.push(Cause::new(what, Class::Fragment).section(&read.section, line).allowed_by(&read.allow));
        }
        if seen.count.grew_from(&was.count) {
            let what = What::VariantsGrew { before: was.count.clone(), after: seen.count.clone() };
            let mut cause = Cause::new(what, Class::Fragment);
            // New inputs did it, or those that have more values; without one, something about all of them.
            let has_more = |(input, read): &(&String, &Read)| {
                was.reads.get(*input).is_some_and(|was| match (was.values, read.values) {
                    (Some(before), Some(after)) => after > before,
                    (before, after) => before.is_some() && after.is_none(),
                })
            };
            let all = || seen.reads.iter();
            let reads: Vec<_> = [fresh, all().filter(has_more).collect(), all().collect()]
                .into_iter()
                .find(|reads: &Vec<_>| !reads.is_empty())
                .unwrap_or_default();
            if let Some((_, first)) = reads.first() {
                cause = cause.section(&first.section, Line::of(self.head.0, first.span, Whose::Head));
            }
            let is_allowed = |allow| cause.clone().allowed_by(allow).allowed.is_some();
            if reads.iter().all(|(_, read)| is_allowed(&read.allow)) {
                cause = cause.clone().allowed_by(reads.first().map_or(&[][..], |(_, read)| &read.allow));
            }
            causes.push(cause);
        }
        causes
    }

    /// The class for sessions that get another link's prompt than before.
    fn other_prompt(&self, cell: &str, layer: Layer) -> Class {
        let key = Key { cell: cell.to_owned(), context: None, layer: Some(layer) };
        let was = self.key_before(&key);
        let (before, after) = (self.base.1, self.head.1);
        let (of_base, of_head) = (before.artifacts.get(&was), after.artifacts.get(&key));
        let is_new_or_gone = of_base.is_some() != of_head.is_some();
        match (of_base.or(before.winner(&was)), of_head.or(after.winner(&key))) {
            (Some(old), Some(new)) if is_new_or_gone => match old.prefix.text == new.prefix.text {
                true => Class::Tail,
                false => Class::Rewrite,
            },
            _ => Class::Meta,
        }
    }

    /// Counts of an artifact's route before and after.
    fn variants(&self, key: &Key) -> Option<(Count, Count)> {
        let count = |compiles: &Compiles, key: &Key| Some(compiles.seen(key)?.count.clone());
        count(self.base.1, &self.key_before(key)).zip(count(self.head.1, key))
    }

    /// What one session costs more than before.
    fn lasting(&self, key: &Key, base: One<'_>, head: One<'_>) -> Option<f64> {
        let (before, after) = (self.base.1, self.head.1);
        let turns = cost::turns(after.traffic);
        let open = |artifact: &Artifact, id: &str| artifact.part(id).is_some_and(|part| part.open);
        let left_out = |id: &str| open(base.artifact, id) || open(head.artifact, id);
        let of = |one: One<'_>, compiles: &Compiles, key: &Key| {
            let rates = Rates::of(one.target)?;
            let count = compiles.seen(key).map(|seen| &seen.count);
            let session = cost::session(one.artifact, one.target, rates, turns, count, &left_out);
            // Each prefix is written at least once by a thousand sessions.
            let writers = count.and_then(Count::size).map_or(0.0, |n| n.min(1000.0) / 1000.0);
            Some(session + writers * rates.rewrite(one.artifact.prefix.tokens))
        };
        Some(of(head, after, key)? - of(base, before, &self.key_before(key))?)
    }

    fn cost(&self, shown: &Compared, compared: &[Compared]) -> Option<Cost> {
        let after = self.head.1;
        let target = after.target.as_ref()?;
        let rates = Rates::of(target)?;
        let mut most = (shown.lasting.unwrap_or(0.0), shown.name.clone());
        for one in compared {
            if let Some(lasting) = one.lasting.filter(|lasting| lasting.abs() > most.0.abs() * MUCH_MORE) {
                most = (lasting, one.name.clone());
            }
        }
        Some(cost::cost(shown.pair.prefix.rewritten, most, rates, target, after.traffic))
    }

    /// Files of the profile that differ.
    fn files(&self) -> Vec<String> {
        let (base, head) = (self.base, self.head);
        let paths: BTreeSet<&String> = base.1.files.keys().chain(head.1.files.keys()).collect();
        let text = |(workspace, compiles): (&'_ Workspace, &'_ Compiles), path: &str| {
            let file = compiles.files.get(path).copied().or_else(|| workspace.sources.find(path))?;
            Some(workspace.sources.text(file).clone())
        };
        paths.into_iter().filter(|path| text(base, path) != text(head, path)).cloned().collect()
    }
}

impl Compiles {
    /// The sections of the default in a cell, by id.
    fn declared_in(&self, cell: &str) -> BTreeMap<&str, &Declared> {
        let all = self.declared.iter().filter(|((of, _), _)| of == cell);
        all.map(|((_, id), declared)| (id.as_str(), declared)).collect()
    }

    /// The artifact that a session gets ahead of time where this one is not.
    fn winner(&self, key: &Key) -> Option<&Artifact> {
        let layer = *self.winners.get(&key.cell)?;
        self.artifacts.get(&Key { cell: key.cell.clone(), context: None, layer: Some(layer) })
    }

    fn winning(&self, cell: &str) -> Option<&Seen> {
        self.routes.get(&(cell.to_owned(), *self.winners.get(cell)?))
    }

    /// What is known of the link that an artifact is of.
    fn seen(&self, key: &Key) -> Option<&Seen> {
        let layer = key.layer.or_else(|| self.artifacts.get(key).map(|artifact| artifact.layer))?;
        self.routes.get(&(key.cell.clone(), layer)).or_else(|| self.winning(&key.cell))
    }
}

/// Adds a cause, or the artifact to one that is known.
fn add(causes: &mut Vec<Cause>, mut cause: Cause, artifact: &str) {
    match causes.iter_mut().find(|known| known.is_same(&cause)) {
        Some(known) => {
            let mut artifacts = std::mem::take(&mut known.artifacts);
            // It is told with the numbers of the artifact where most is at stake, which is named first.
            match cause.is_worse(known) {
                true => {
                    artifacts.insert(0, artifact.to_owned());
                    *known = cause;
                }
                false => artifacts.push(artifact.to_owned()),
            }
            known.artifacts = artifacts;
        }
        None => {
            cause.artifacts.push(artifact.to_owned());
            causes.push(cause);
        }
    }
}

/// The sections of the artifact that is shown, and of the others those that something else happened to.
fn sections(compared: &[Compared], shown: Option<&Compared>) -> Vec<SectionChange> {
    let Some(shown) = shown else { return Vec::new() };
    let mut out = shown.pair.sections.clone();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (n, section) in out.iter().enumerate() {
        known.insert((section.id.clone(), section.home.clone()), n);
    }
    let others = compared.iter().filter(|one| one.state == Presence::Both && one.key != shown.key);
    for section in others.flat_map(|one| &one.pair.sections) {
        let key = (section.id.clone(), section.home.clone());
        match known.get(&key) {
            Some(&at) if out[at].change == Edit::Unchanged && section.change != Edit::Unchanged => {
                out[at] = section.clone();
            }
            Some(_) => {}
            None if section.change == Edit::Unchanged => {}
            None => {
                known.insert(key, out.len());
                out.push(section.clone());
            }
        }
    }
    out
}
