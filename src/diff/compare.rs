//! One artifact before and after.

use std::collections::BTreeMap;

use super::Class;
use super::artifact::{Artifact, Part};
use super::cause::{Cause, What};
use super::place::{self, Line, Whose};
use super::prefix::{self, PrefixChange};
use super::sections::{self, Edit, SectionChange};
use crate::manifest::Zone;
use crate::plan::{Capabilities, Kind};
use crate::workspace::Workspace;

/// One side of one artifact.
#[derive(Clone, Copy)]
pub(super) struct One<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) artifact: &'a Artifact,
    pub(super) target: &'a Capabilities,
}

/// What happened to an artifact.
pub(super) struct Pair {
    pub(super) class: Class,
    pub(super) causes: Vec<Cause>,
    pub(super) prefix: PrefixChange,
    pub(super) sections: Vec<SectionChange>,
}

/// What is alike on both sides by its meaning.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    /// The run-time values: else what differs may be their doing.
    pub(super) values: bool,
    /// The link: else it is another prompt altogether.
    pub(super) prompt: bool,
}

/// Compares an artifact.
pub(super) fn compare(base: One<'_>, head: One<'_>, alike: Alike) -> Pair {
    let (old, new) = ((base.workspace, base.artifact), (head.workspace, head.artifact));
    let sections = sections::compare(old, new);
    let by_id: BTreeMap<&str, &SectionChange> = sections.iter().map(|s| (s.id.as_str(), s)).collect();
    let moved = |id: &str| by_id.get(id).is_some_and(|s| s.is(Edit::Moved));
    let is_set_apart = |id: &str| match (base.artifact.part(id), head.artifact.part(id)) {
        (Some(old), Some(new)) => new.separates_otherwise(old),
        _ => false,
    };
    let touched = |id: &str| is_set_apart(id) || by_id.get(id).is_some_and(|s| s.change != Edit::Unchanged);
    let prefix = prefix::compare(old, new, (base.target, head.target), &moved, &touched);
    let mut causes = Vec::new();
    if alike.values && alike.prompt {
        of_sections(base, head, &sections, &mut causes);
        of_separators(base, head, &mut causes);
        of_blocks(base, head, &prefix, &mut causes);
        of_prefix(base, head, &prefix, &mut causes);
    }
    let is_sent_otherwise = || {
        let sent = |a: &Artifact| {
            a.blocks.iter().map(|b| (b.kind, b.scope, b.mark.clone(), b.print.clone())).collect::<Vec<_>>()
        };
        sent(base.artifact) != sent(head.artifact)
    };
    let least = match () {
        () if alike.values && prefix.first_change.is_some() => Class::Rewrite,
        () if is_sent_otherwise() => Class::Tail,
        () => Class::None,
    };
    // What only follows from the bytes is no worse than what became of them.
    for cause in causes.iter_mut().filter(|c| matches!(c.what, What::Moved | What::Separated { .. })) {
        cause.class = cause.class.min(least.max(Class::Meta));
    }
    let class = causes.iter().map(|cause| cause.class).max().unwrap_or(Class::None).max(least);
    Pair { class, causes, prefix, sections }
}

fn of_sections(base: One<'_>, head: One<'_>, sections: &[SectionChange], causes: &mut Vec<Cause>) {
    let mut behind: Vec<&Part> = Vec::new();
    for change in sections {
        let Some(new) = head.artifact.part(&change.id) else { continue };
        let line = || Line::of(head.workspace, new.span, Whose::Head);
        let mut add = |what: What, class: Class| {
            causes.push(Cause::new(what, class).section(&new.id, line()).tokens(new.tokens).allowed_by(&new.allow));
        };
        let Some(old) = base.artifact.part(&change.id) else {
            if let Some(reason) = &new.dangerous {
                add(What::NewDangerous { reason: reason.clone() }, Class::Tail);
            }
            continue;
        };
        if old.is_shared() && !new.is_shared() {
            match new.declared {
                Zone::Dynamic => add(What::Demoted, Class::Demote),
                Zone::Static if change.is(Edit::Moved) => add(What::MovedBehind, Class::Demote),
                Zone::Static => behind.push(new),
            }
        } else if old.is_shared() && change.is(Edit::Moved) {
            add(What::Moved, Class::Rewrite);
        }
        match (&old.dangerous, &new.dangerous) {
            (None, Some(reason)) => add(What::Dangerous { reason: reason.clone() }, Class::Demote),
            (Some(before), Some(after)) if before != after => {
                add(What::ReasonChanged { before: before.clone(), after: after.clone() }, Class::Meta);
            }
            (None, None) => {
                let first = head.artifact.parts.iter().find(|p| p.kind == Kind::Tail && p.dangerous.is_some());
                if let (Kind::Tail, Kind::Dynamic, Some(first)) = (new.kind, old.kind, first) {
                    let cause = Cause::new(What::Uncached { by: first.id.clone() }, Class::Demote);
                    let cause = cause.section(&new.id, line()).tokens(new.tokens);
                    causes.push(cause.allowed_by(&new.allow).allowed_by(&first.allow));
                } else if new.kind > Kind::Static && old.kind > Kind::Static && new.lifetime < old.lifetime {
                    add(What::LifetimeShortened { before: old.lifetime, after: new.lifetime }, Class::Demote);
                }
            }
            (Some(_), _) => {}
        }
    }
    let first = head.artifact.parts.iter().find(|p| matches!(p.kind, Kind::Dynamic | Kind::Tail));
    if let (Some(by), false) = (first, behind.is_empty()) {
        let tokens = behind.iter().map(|part| part.tokens).sum();
        let what = What::BoundaryMoved { behind: behind.iter().map(|part| part.id.clone()).collect() };
        let line = Line::of(head.workspace, by.span, Whose::Head);
        causes.push(Cause::new(what, Class::Demote).section(&by.id, line).tokens(tokens).allowed_by(&by.allow));
    }
}

/// What stands between sections, once for each separator that is another one.
fn of_separators(base: One<'_>, head: One<'_>, causes: &mut Vec<Cause>) {
    for new in &head.artifact.parts {
        let Some(old) = base.artifact.part(&new.id).filter(|old| new.separates_otherwise(old)) else { continue };
        let text = |part: &Part| part.separator.as_ref().map_or_else(String::new, |between| between.text.clone());
        let what = What::Separated { before: text(old), after: text(new) };
        let class = if new.is_shared() { Class::Rewrite } else { Class::Tail };
        let line = place::separator((base.workspace, old), (head.workspace, new));
        let cause = Cause::new(what, class).section(&new.id, line).allowed_by(&new.allow);
        if !causes.iter().any(|known| known.is_same(&cause)) {
            causes.push(cause);
        }
    }
}

fn of_blocks(base: One<'_>, head: One<'_>, prefix: &PrefixChange, causes: &mut Vec<Cause>) {
    let (old, new) = (base.artifact, head.artifact);
    let culprit = prefix.first_change.as_ref();
    let at = |cause: Cause| match culprit {
        Some(first) => cause.section(&first.section, first.line.clone()),
        None => cause,
    };
    // What concerns the whole prefix may be allowed by any of its sections.
    let allows: Vec<_> = new.parts.iter().filter(|p| p.is_shared()).flat_map(|p| p.allow.clone()).collect();
    let mut is_short = false;
    if let (Some(before), Some(after)) = (old.shared(), new.shared()) {
        if before.kind == after.kind && after.scope < before.scope {
            let what = What::ScopeNarrowed { before: before.scope, after: after.scope };
            causes.push(Cause::new(what, Class::Demote).tokens(Some(prefix.tokens_after)).allowed_by(&allows));
        }
        let was = old.prefix.tokens >= base.target.min_tokens;
        if was && new.prefix.tokens < head.target.min_tokens && !prefix.open {
            let what = What::BelowMinimum {
                before: old.prefix.tokens,
                after: new.prefix.tokens,
                minimum: head.target.min_tokens,
            };
            is_short = true;
            causes.push(at(Cause::new(what, Class::Demote).tokens(Some(new.prefix.tokens)).allowed_by(&allows)));
        }
    }
    // A target that caches by itself takes none, and a mark behind a block holds for it too.
    let takes_marks = head.target.max_marks > 0;
    let is_cached = |kind: Kind| new.blocks.iter().any(|b| b.kind >= kind && b.mark.is_some());
    for before in old.blocks.iter().filter(|b| b.mark.is_some() && takes_marks && !is_short) {
        let Some(after) = new.block(before.kind).filter(|b| b.scope.is_some() && !is_cached(b.kind)) else { continue };
        let cause = Cause::new(What::MarkLost { kind: after.kind }, Class::Demote).tokens(after.tokens);
        let own = || new.parts.iter().filter(|part| part.kind == after.kind);
        let cause = match own().next_back() {
            Some(last) => cause.section(&last.id, Line::of(head.workspace, last.span, Whose::Head)),
            None => cause,
        };
        causes.push(own().fold(cause, |cause, part| cause.allowed_by(&part.allow)));
    }
    if let (Some(before), Some(after)) = (old.block(Kind::Dynamic), new.block(Kind::Dynamic)) {
        let shared = before.scope.is_some() && after.scope.is_some();
        let is_told = causes.iter().any(|c| matches!(c.what, What::LifetimeShortened { .. }));
        let is_new = |part: &&Part| old.part(&part.id).is_none_or(|old| old.kind != Kind::Dynamic);
        let in_block = |part: &&Part| part.kind == Kind::Dynamic && part.lifetime == after.lifetime;
        let by = new.parts.iter().filter(in_block).find(is_new);
        if let (true, true, false, Some(by)) = (shared, after.lifetime < before.lifetime, is_told, by) {
            let what = What::BlockShortened { kind: Kind::Dynamic, before: before.lifetime, after: after.lifetime };
            let line = Line::of(head.workspace, by.span, Whose::Head);
            causes
                .push(Cause::new(what, Class::Demote).section(&by.id, line).tokens(after.tokens).allowed_by(&by.allow));
        }
    }
}

fn of_prefix(base: One<'_>, head: One<'_>, prefix: &PrefixChange, causes: &mut Vec<Cause>) {
    let aim = |one: One<'_>| format!("{} {}", one.target.provider, one.target.model);
    let (before, after) = (aim(base), aim(head));
    if before != after {
        let what = What::TargetChanged { before, after };
        causes.push(Cause::new(what, Class::Rewrite).tokens(Some(prefix.rewritten)));
    }
    if let Some(first) = &prefix.first_change {
        let cause = Cause::new(What::Rewritten, Class::Rewrite).section(&first.section, first.line.clone());
        let allows = head.artifact.part(&first.section).map_or(&[][..], |part| &part.allow);
        causes.push(cause.tokens(Some(prefix.rewritten)).allowed_by(allows));
    }
}
