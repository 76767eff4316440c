//! The static prefix: the first byte that differs, and how many of its tokens a provider can still use.

use super::artifact::{Artifact, Part, Prefix};
use super::place::{self, Line, Whose};
use crate::plan::{Capabilities, Kind};
use crate::tokens::Counter;
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
    /// Whether it goes to another provider or model, which has nothing of it.
    pub other_target: bool,
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
    /// Neither is cached: both are shorter than the provider's minimum.
    TooShort,
    /// It was shorter than the minimum and is not any more: nothing is there that could be kept.
    NowLongEnough,
    /// It is shorter than the minimum and was not: nothing is cached from now on.
    NoLongerCached,
}

impl Kept {
    fn of(was_cached: bool, is_cached: bool, aim: &Capabilities) -> Kept {
        match (was_cached, is_cached) {
            (false, false) => Kept::TooShort,
            (false, true) => Kept::NowLongEnough,
            (true, false) => Kept::NoLongerCached,
            (true, true) if aim.max_marks == 0 => Kept::Tokens,
            (true, true) => Kept::Marks,
        }
    }

    /// Whether the prefix is cached before and after: else none of it is kept, and none is written anew.
    pub fn is_cached(self) -> bool {
        matches!(self, Kept::Tokens | Kept::Marks)
    }
}

/// One side: its files, its artifact, and the prefix as it is compared.
#[derive(Clone, Copy)]
struct Half<'a> {
    workspace: &'a Workspace,
    artifact: &'a Artifact,
    prefix: &'a Prefix,
}

/// Compares the prefixes of one artifact.
pub(super) fn compare(
    base: (&Workspace, &Artifact),
    head: (&Workspace, &Artifact),
    target: (&Capabilities, &Capabilities),
    moved: &dyn Fn(&str) -> bool,
    touched: &dyn Fn(&str) -> bool,
) -> PrefixChange {
    let (before_aim, aim) = target;
    let counter = aim.counter();
    let is_half_open = |part: &Part| match (base.1.part(&part.id), head.1.part(&part.id)) {
        (Some(old), Some(new)) => old.open != new.open,
        _ => false,
    };
    let as_compared = |artifact: &Artifact, counter: &Counter| match artifact.parts.iter().any(&is_half_open) {
        true => Some(artifact.prefix.as_written(&artifact.parts, &is_half_open, counter)),
        false => None,
    };
    let (of_base, of_head) = (as_compared(base.1, &before_aim.counter()), as_compared(head.1, &counter));
    let (base, head) = (Half::new(base, of_base.as_ref()), Half::new(head, of_head.as_ref()));
    let (old, new) = (base.prefix, head.prefix);
    let same_aim = before_aim.provider == aim.provider && before_aim.model == aim.model;
    let opens = [base, head].iter().filter_map(|half| half.opens(&is_half_open)).min();
    // Templates may be the same where what they are made of is not.
    let made_otherwise =
        head.starts_of(&|new| base.artifact.part(&new.id).is_some_and(|old| old.is_made_otherwise(new)));
    let hidden = opens.into_iter().chain(made_otherwise).min();
    let same = old.text == new.text && hidden.is_none();
    let byte = place::common(&old.text, &new.text).min(hidden.unwrap_or(usize::MAX));
    let start = place::whole_letters(&new.text, byte);
    let tokens_start = if same { new.tokens } else { counter.count(&new.text[..start]) };
    let culprit = culprit(base, head, byte, moved).filter(|_| !same);
    let culprit = culprit.map(|named| answerable(named, base, head, touched));
    let first_change = culprit.map(|(section, line)| FirstChange { byte, tokens_before: tokens_start, section, line });
    let is_cached = |half: Half<'_>, aim: &Capabilities| {
        let prefix = &half.artifact.prefix;
        !prefix.text.is_empty() && prefix.tokens >= aim.min_tokens
    };
    let how = Kept::of(is_cached(base, before_aim), is_cached(head, aim), aim);
    let kept = match how {
        _ if !same_aim => 0,
        Kept::Marks | Kept::Tokens if same => new.tokens,
        Kept::Tokens if tokens_start >= aim.min_tokens => tokens_start,
        _ => 0,
    };
    let rewritten = if how.is_cached() { new.tokens - kept.min(new.tokens) } else { 0 };
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
        other_target: !same_aim,
        behind: behind(head.artifact),
    }
}

/// Tokens of the system prompt behind the boundary.
fn behind(artifact: &Artifact) -> Option<u64> {
    artifact.blocks.iter().filter(|b| matches!(b.kind, Kind::Dynamic | Kind::Tail)).map(|b| b.tokens).sum()
}

/// The section, and its line, that made the prefixes differ at a byte; `None` behind the end of both.
fn culprit(base: Half<'_>, head: Half<'_>, byte: usize, moved: &dyn Fn(&str) -> bool) -> Option<(String, Line)> {
    let (old, new) = (base.at(byte), head.at(byte));
    let is_new = |part: &Part| base.artifact.part(&part.id).is_none();
    let is_gone = |part: &Part| head.artifact.part(&part.id).is_none();
    // It came from behind the boundary.
    let is_promoted = |part: &Part| base.artifact.part(&part.id).is_some_and(|part| !part.is_shared());
    let head_did_it = |old: &Part, new: &Part| {
        is_new(new) || (!is_gone(old) && (moved(&new.id) || (!moved(&old.id) && is_promoted(new))))
    };
    let stays = |part: &Part| {
        let in_both = [base, head].iter().all(|half| half.parts().any(|other| other.id == part.id));
        in_both && !moved(&part.id)
    };
    let ends = |half: Half<'_>| byte >= half.prefix.text.len();
    match (old, new) {
        (Some(old), Some(new)) if old.id == new.id && new.separates_otherwise(old) => {
            Some((new.id.clone(), place::separator((base.workspace, old), (head.workspace, new))))
        }
        (Some(old), Some(new)) if old.id == new.id => {
            Some((new.id.clone(), place::edited((base.workspace, old), (head.workspace, new))))
        }
        // One goes on where the other has come to the next: it is longer or shorter than it was.
        (Some(old), Some(new)) if stays(old) && stays(new) => {
            let place = |id: &str| head.parts().position(|part| part.id == id);
            let id = if place(&old.id) < place(&new.id) { &old.id } else { &new.id };
            let (before, after) = (base.artifact.part(id)?, head.artifact.part(id)?);
            Some((id.clone(), place::edited((base.workspace, before), (head.workspace, after))))
        }
        // Where one of them ends, the other one goes on.
        (Some(old), new) if ends(head) || new.is_none_or(|new| !ends(base) && !head_did_it(old, new)) => {
            Some(of_base(base, head, old))
        }
        (_, Some(new)) => Some((new.id.clone(), Line::of(head.workspace, new.span, Whose::Head))),
        (_, None) => None,
    }
}

/// Where texts happen to be equal, a section that nobody touched can stand at the first byte that differs: then the first
/// one that was touched is named.
fn answerable(named: (String, Line), base: Half<'_>, head: Half<'_>, touched: &dyn Fn(&str) -> bool) -> (String, Line) {
    if touched(&named.0) {
        return named;
    }
    match (head.parts().find(|part| touched(&part.id)), base.parts().find(|part| touched(&part.id))) {
        (Some(new), _) => match base.artifact.part(&new.id) {
            Some(old) => (new.id.clone(), place::edited((base.workspace, old), (head.workspace, new))),
            None => (new.id.clone(), Line::of(head.workspace, new.span, Whose::Head)),
        },
        (None, Some(old)) => of_base(base, head, old),
        (None, None) => named,
    }
}

/// A section of the base. What still is somewhere is shown where it is now.
fn of_base(base: Half<'_>, head: Half<'_>, part: &Part) -> (String, Line) {
    let now = head.artifact.part(&part.id).map(|part| Line::of(head.workspace, part.span, Whose::Head));
    (part.id.clone(), now.unwrap_or_else(|| Line::of(base.workspace, part.span, Whose::Base)))
}

impl<'a> Half<'a> {
    fn new((workspace, artifact): (&'a Workspace, &'a Artifact), as_written: Option<&'a Prefix>) -> Half<'a> {
        Half { workspace, artifact, prefix: as_written.unwrap_or(&artifact.prefix) }
    }

    /// The sections of the prefix.
    fn parts(self) -> impl Iterator<Item = &'a Part> {
        self.prefix.starts.iter().map(move |(_, part)| &self.artifact.parts[*part])
    }

    /// The section in which a byte stands; the last one for the end, and none in an empty prefix.
    fn at(self, byte: usize) -> Option<&'a Part> {
        let found = self.prefix.starts.iter().rev().find(|(start, _)| *start <= byte);
        found.map(|(_, part)| &self.artifact.parts[*part])
    }

    /// Where the text of the first of some sections begins.
    fn starts_of(self, which: &dyn Fn(&Part) -> bool) -> Option<usize> {
        let ends = self.prefix.starts.iter().skip(1).map(|(start, _)| *start).chain([self.prefix.text.len()]);
        self.parts().zip(ends).find(|(part, _)| which(part)).map(|(part, end)| end - part.text.len())
    }

    /// The first byte from which the text hangs on a run-time value as the other side's does not.
    fn opens(self, is_half_open: &dyn Fn(&Part) -> bool) -> Option<usize> {
        let ends = self.prefix.starts.iter().skip(1).map(|(start, _)| *start).chain([self.prefix.text.len()]);
        let parts = self.parts().zip(ends).filter(|(part, _)| part.open && is_half_open(part));
        let at = parts.filter_map(|(part, end)| {
            let written = part.written.as_ref()?;
            Some(end - written.template.len() + written.opens.map_or(0, |(at, _)| at))
        });
        at.min()
    }
}
