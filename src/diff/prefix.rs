//! The static prefix: the first byte that differs, and how many of its tokens a provider can still use.

use super::artifact::{Artifact, Part};
use super::place::{self, Line, Whose};
use crate::plan::{Capabilities, Kind};
use crate::workspace::Workspace;

/// What a change does to the static prefix of an artifact.
#[derive(Clone, PartialEq, Debug)]
pub struct PrefixChange {
    /// Its digest before, as blocks.json has it; `None` while it is open.
    pub before: Option<String>,
    /// Its digest after.
    pub after: Option<String>,
    /// Its tokens before.
    pub tokens_before: u64,
    /// Its tokens after.
    pub tokens_after: u64,
    /// Whether open sections stand in it as their templates.
    pub open: bool,
    /// Where it first differs; `None` when it does not.
    pub first_change: Option<FirstChange>,
    /// Tokens of the new text ahead of the first byte that differs; all of them when none does.
    pub equal: u64,
    /// Tokens that the provider still reads from the cache.
    pub kept: u64,
    /// Tokens that every live session has to send anew. None when nothing was cached.
    pub rewritten: u64,
    /// How the provider keeps what is equal.
    pub how: Kept,
    /// Tokens of the prompt behind it, which a live session sends anew with it, where they are known.
    pub behind: Option<u64>,
}

/// The first byte that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstChange {
    /// Its offset in the prefix, blocks joined as in the form `text`.
    pub byte: usize,
    /// Tokens of the text before it.
    pub tokens_before: u64,
    /// The section that did it.
    pub section: String,
    /// The line that did it.
    pub line: Line,
}

/// How a provider keeps the equal start of two prefixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Up to the first token that differs.
    Tokens,
    /// Only at marks: a prefix that differs anywhere before its mark is another one.
    Marks,
    /// It never cached it: the prefix was shorter than the provider's minimum.
    TooShort,
}

/// Compares the prefixes of one artifact.
pub(super) fn compare(
    base: (&Workspace, &Artifact),
    head: (&Workspace, &Artifact),
    target: (&Capabilities, &Capabilities),
    moved: &dyn Fn(&str) -> bool,
    touched: &dyn Fn(&str) -> bool,
) -> PrefixChange {
    let (old, new) = (&base.1.prefix, &head.1.prefix);
    let (before_aim, aim) = target;
    let counter = aim.counter();
    let same_aim = before_aim.provider == aim.provider && before_aim.model == aim.model;
    let byte = place::common(&old.text, &new.text);
    let same = old.text == new.text;
    let start = place::whole_letters(&new.text, byte);
    let tokens_start = if same { new.tokens } else { counter.count(&new.text[..start]) };
    let culprit = culprit(base, head, byte, moved).filter(|_| !same);
    let culprit = culprit.map(|named| answerable(named, base, head, touched));
    let first_change = culprit.map(|(section, line)| FirstChange { byte, tokens_before: tokens_start, section, line });
    let was_cached = !old.text.is_empty() && old.tokens >= before_aim.min_tokens;
    let how = match aim.max_marks {
        _ if !was_cached => Kept::TooShort,
        0 => Kept::Tokens,
        _ => Kept::Marks,
    };
    let kept = match how {
        _ if !same_aim => 0,
        Kept::TooShort => 0,
        _ if same => new.tokens,
        Kept::Tokens if tokens_start >= aim.min_tokens => tokens_start,
        Kept::Tokens | Kept::Marks => 0,
    };
    let rewritten = if was_cached { new.tokens - kept.min(new.tokens) } else { 0 };
    PrefixChange {
        before: old.digest.clone(),
        after: new.digest.clone(),
        tokens_before: old.tokens,
        tokens_after: new.tokens,
        open: old.open || new.open,
        first_change,
        equal: tokens_start,
        kept,
        rewritten,
        how,
        behind: behind(head.1),
    }
}

/// Tokens of the system prompt behind the boundary.
fn behind(artifact: &Artifact) -> Option<u64> {
    artifact.blocks.iter().filter(|b| matches!(b.kind, Kind::Dynamic | Kind::Tail)).map(|b| b.tokens).sum()
}

/// The section, and its line, that made the prefixes differ at a byte; `None` behind the end of both.
fn culprit(
    base: (&Workspace, &Artifact),
    head: (&Workspace, &Artifact),
    byte: usize,
    moved: &dyn Fn(&str) -> bool,
) -> Option<(String, Line)> {
    let (old, new) = (at(base.1, byte), at(head.1, byte));
    let is_new = |part: &Part| base.1.part(&part.id).is_none();
    let is_gone = |part: &Part| head.1.part(&part.id).is_none();
    // It came from behind the boundary.
    let is_promoted = |part: &Part| base.1.part(&part.id).is_some_and(|part| !part.is_shared());
    let head_did_it = |old: &Part, new: &Part| {
        is_new(new) || (!is_gone(old) && (moved(&new.id) || (!moved(&old.id) && is_promoted(new))))
    };
    let ends = |artifact: &Artifact| byte >= artifact.prefix.text.len();
    match (old, new) {
        (Some(old), Some(new)) if old.id == new.id => {
            Some((new.id.clone(), place::edited((base.0, old), (head.0, new))))
        }
        // Where one of them ends, the other one goes on.
        (Some(old), new) if ends(head.1) || new.is_none_or(|new| !ends(base.1) && !head_did_it(old, new)) => {
            Some(of_base(base, head, old))
        }
        (_, Some(new)) => Some((new.id.clone(), Line::of(head.0, new.span, Whose::Head))),
        (_, None) => None,
    }
}

/// Where texts happen to be equal, a section that nobody touched can stand at the first byte that differs: then the first
/// one that was touched is named.
fn answerable(
    named: (String, Line),
    base: (&Workspace, &Artifact),
    head: (&Workspace, &Artifact),
    touched: &dyn Fn(&str) -> bool,
) -> (String, Line) {
    if touched(&named.0) {
        return named;
    }
    let first = |artifact: &Artifact| {
        let parts = artifact.prefix.starts.iter().map(|(_, part)| *part);
        parts.into_iter().find(|part| touched(&artifact.parts[*part].id))
    };
    match (first(head.1).map(|n| &head.1.parts[n]), first(base.1).map(|n| &base.1.parts[n])) {
        (Some(new), _) => match base.1.part(&new.id) {
            Some(old) => (new.id.clone(), place::edited((base.0, old), (head.0, new))),
            None => (new.id.clone(), Line::of(head.0, new.span, Whose::Head)),
        },
        (None, Some(old)) => of_base(base, head, old),
        (None, None) => named,
    }
}

/// A section of the base. What still is somewhere is shown where it is now.
fn of_base(base: (&Workspace, &Artifact), head: (&Workspace, &Artifact), part: &Part) -> (String, Line) {
    let now = head.1.part(&part.id).map(|part| Line::of(head.0, part.span, Whose::Head));
    (part.id.clone(), now.unwrap_or_else(|| Line::of(base.0, part.span, Whose::Base)))
}

/// The part of a prefix in which a byte stands; the last one for the end, and none in an empty prefix.
fn at(artifact: &Artifact, byte: usize) -> Option<&Part> {
    let found = artifact.prefix.starts.iter().rev().find(|(start, _)| *start <= byte);
    found.map(|(_, part)| &artifact.parts[*part])
}
