//! What is said about a change, for people.

use super::phrase::Phrase;
use crate::diff::{Cause, Class, Cost, Count, Diff, Kept, Line, PrefixChange, ProfileChange, State, What, Whose};
use crate::plan::Scope;

/// What happened, as a sentence.
pub(super) fn cause(cause: &Cause) -> Phrase {
    let section = || cause.section.clone().unwrap_or_default();
    match &cause.what {
        What::VariantsGrew { before, after } => {
            let at_most = if after.exact { "" } else { "up to " };
            match &after.number {
                Some(number) => Phrase::new(&format!("{at_most}{number} static prefixes instead of {}", count(before))),
                None => Phrase::new("nothing bounds the number of static prefixes: ").names(&after.unbounded),
            }
        }
        What::NowRuntime { input, in_text: true } => {
            Phrase::default().name(input).say(", a run-time value, stands in the static prefix")
        }
        What::NowRuntime { input, in_text: false } => {
            Phrase::default().name(input).say(", a run-time value, decides what stands in the static prefix")
        }
        What::Demoted => Phrase::default().name(section()).say(" was static and is dynamic"),
        What::BoundaryMoved { behind } => Phrase::default()
            .name(section())
            .say(" is dynamic, so the boundary stands before it; behind it is what was shared: ")
            .names(behind),
        What::MovedBehind => Phrase::default().name(section()).say(" was moved behind the boundary"),
        What::Dangerous { reason } => {
            Phrase::default().name(section()).say(" was cached and is recomputed every turn: ").name(reason)
        }
        What::NewDangerous { reason } => {
            Phrase::new("the new ").name(section()).say(" is recomputed every turn: ").name(reason)
        }
        What::Uncached { by } => {
            Phrase::default().name(section()).say(" is no longer cached: it stands behind ").name(by)
        }
        What::LifetimeShortened { before, after } => Phrase::default().name(section()).say(format!(
            " changes with the {} instead of the {}",
            after.name(),
            before.name()
        )),
        What::BlockShortened { kind, before, after } => Phrase::new(&format!(
            "the block {} changes with the {} instead of the {}, by ",
            kind.name(),
            after.name(),
            before.name()
        ))
        .name(section()),
        What::ScopeNarrowed { before, after } => {
            Phrase::new(&format!("the static prefix is shared by {} instead of {}", scope(*after), scope(*before)))
        }
        What::RequiredLost { layer } => {
            Phrase::new("the link ").name(layer.name()).say(" drops the required ").name(section())
        }
        What::RequiredRemoved { gone: true } => Phrase::new("the required ").name(section()).say(" is gone"),
        What::RequiredRemoved { gone: false } => Phrase::default().name(section()).say(" is no longer required"),
        What::BelowMinimum { before, after, minimum } => Phrase::new(&format!(
            "the static prefix has {after} tokens, {before} before, and is not cached below {minimum}"
        )),
        What::MarkLost { kind } => Phrase::new(&format!("the block {} has no cache mark any more", kind.name())),
        What::Rewritten => Phrase::new("the static prefix has other bytes, from ").name(section()).say(" on"),
        What::Separated { before, after } => {
            Phrase::new("between sections stands ").name(after).say(" instead of ").name(before)
        }
        What::Moved => Phrase::default().name(section()).say(" stands elsewhere in the static prefix"),
        What::TargetChanged { before, after } => {
            Phrase::new("the target is ").name(after).say(" instead of ").name(before)
        }
        What::RouteAdded { layer } => Phrase::new("the link ").name(layer.name()).say(" can win"),
        What::RouteRemoved { layer } => Phrase::new("the link ").name(layer.name()).say(" can no longer win"),
        What::ReasonChanged { after, .. } => {
            Phrase::default().name(section()).say(" has another reason to be recomputed every turn: ").name(after)
        }
    }
}

/// What happened, with the line that did it, and why it is allowed.
pub(super) fn told(cause: &Cause) -> Phrase {
    let mut said = self::cause(cause);
    if let Some(line) = &cause.line {
        said = said.say(", ").then(place(line));
    }
    if !cause.only.is_empty() {
        said = said.say(", in ").names(&cause.only);
    }
    if let Some(allowed) = &cause.allowed {
        said = said.say("; allowed: ").name(&allowed.reason);
    }
    said
}

/// The line that did it.
pub(super) fn place(line: &Line) -> Phrase {
    let where_ = Phrase::default().name(format!("{}:{}", line.path, line.line));
    match line.whose {
        Whose::Head => where_,
        Whose::Base => where_.say(" of the base"),
    }
}

/// A number of static prefixes.
pub(super) fn count(count: &Count) -> String {
    match &count.number {
        Some(number) if count.exact => number.clone(),
        Some(number) => format!("up to {number}"),
        None if count.is_broken() => "unknown".to_owned(),
        None => "unbounded".to_owned(),
    }
}

fn scope(scope: Option<Scope>) -> &'static str {
    match scope {
        Some(Scope::Global) => "everyone",
        Some(Scope::Org) => "one organisation",
        None => "nobody",
    }
}

/// A number of tokens, marked when it is an estimate.
pub(super) fn tokens(number: u64, exact: bool) -> String {
    if exact || number == 0 { number.to_string() } else { format!("~{number}") }
}

/// What becomes of the static prefix, a sentence a line.
pub(super) fn prefix(profile: &ProfileChange, prefix: &PrefixChange) -> Vec<Phrase> {
    let Some(target) = &profile.target else { return Vec::new() };
    let tokens = |n: u64| tokens(n, target.exact);
    let (before, after) = (tokens(prefix.tokens_before), tokens(prefix.tokens_after));
    let size = if prefix.tokens_before == prefix.tokens_after { after } else { format!("{before} -> {after}") };
    let minimum = target.minimum;
    let is_same = prefix.first_change.is_none();
    let mut out = vec![Phrase::new(&match prefix.how {
        Kept::Marks | Kept::Tokens | Kept::TooShort if is_same && prefix.rewritten == 0 => {
            return vec![Phrase::new(&format!("{size} tokens, unchanged"))];
        }
        Kept::Marks | Kept::Tokens if prefix.other_target => {
            format!(
                "{size} tokens: none kept, {} written anew, since this target has nothing of it",
                tokens(prefix.rewritten)
            )
        }
        Kept::Marks | Kept::Tokens => format!(
            "{size} tokens: {} kept, {} written anew by each live session",
            tokens(prefix.kept),
            tokens(prefix.rewritten)
        ),
        Kept::TooShort => {
            format!("{size} tokens: too few to be cached, before as after; the model caches from {minimum} on")
        }
        Kept::NowLongEnough => {
            format!("{size} tokens: enough to be cached, from {minimum} on; before there was nothing to lose")
        }
        Kept::NoLongerCached => {
            format!("{size} tokens: too few to be cached from now on; the model caches from {minimum} on")
        }
    })];
    if let Some(first) = &prefix.first_change {
        let at = format!("first other byte {}, behind {} tokens, in ", first.byte, tokens(first.tokens_before));
        out.push(Phrase::new(&at).name(&first.section).say(", ").then(place(&first.line)));
    }
    if prefix.open {
        out.push(Phrase::new("sections that wait for run-time values are compared and counted as their templates"));
    }
    if !prefix.how.is_cached() && !is_same {
        out.push(Phrase::new("what a live session has cached for itself, prompt and messages, is written anew once"));
    }
    if prefix.how.is_cached() && !prefix.other_target {
        let equal = prefix.first_change.as_ref().map(|first| first.tokens_before).filter(|_| prefix.kept == 0);
        out.push(match equal {
            _ if target.marks => {
                Phrase::new("the provider caches up to marks: a block that differs anywhere is written anew as a whole")
            }
            Some(equal) if equal > 0 => Phrase::new(&format!(
                "the provider caches by itself, from {} tokens on: {} that are equal are too few",
                target.minimum,
                tokens(equal)
            )),
            _ => Phrase::new("the provider caches by itself, up to the first token that differs"),
        });
        let behind = match prefix.behind {
            Some(0) => String::new(),
            Some(behind) => format!("{} tokens of the prompt and ", tokens(behind)),
            None => "the rest of the prompt and ".to_owned(),
        };
        out.push(Phrase::new(&match target.tools_first {
            true => {
                format!("{behind}all messages behind it are written anew too; tools stand before it and stay cached")
            }
            false => format!("{behind}all tools and messages behind it are written anew too"),
        }));
    }
    out
}

/// What it costs, a sentence a line.
pub(super) fn cost(cost: &Cost) -> Vec<Phrase> {
    let mut out = Vec::new();
    let sessions = match cost.sessions {
        1 => "for each live session".to_owned(),
        n => format!("for {n} live sessions, those of a day"),
    };
    if cost.once != 0.0 {
        out.push(Phrase::new(&format!("once {} {sessions}", money(cost.once, &cost.currency))));
    }
    if cost.per_1000_sessions != 0.0 {
        let turns = if cost.turns_are_given { "" } else { ", assumed" };
        let day = cost.per_day.map_or_else(String::new, |day| format!(", {} a day", signed(day, &cost.currency)));
        let lasting = signed(cost.per_1000_sessions, &cost.currency);
        let said =
            Phrase::new(&format!("from then on {lasting} for 1000 sessions of {} turns{turns}{day}", cost.turns));
        out.push(if cost.artifact.is_empty() { said } else { said.say(", with ").name(&cost.artifact) });
    }
    if let (Some(as_of), false) = (&cost.as_of, out.is_empty()) {
        out.push(Phrase::new("prices as of ").name(as_of));
    }
    out
}

/// A sum with as many digits as it needs.
pub(super) fn money(amount: f64, currency: &str) -> String {
    let digits = match amount.abs() {
        a if a >= 100.0 => 0,
        a if a >= 1.0 => 2,
        a if a >= 0.01 => 4,
        _ => 6,
    };
    // A currency is a word of the project, and stands in no backticks here.
    let is_plain = currency.len() <= 8 && currency.chars().all(|c| c.is_alphanumeric() || "$€£¥".contains(c));
    format!("{amount:.digits$} {}", if is_plain { currency } else { "of the prices' currency" })
}

/// A sum with its sign.
pub(super) fn signed(amount: f64, currency: &str) -> String {
    if amount > 0.0 { format!("+{}", money(amount, currency)) } else { money(amount, currency) }
}

/// The word in front of a profile.
pub(super) fn word(profile: &ProfileChange) -> &'static str {
    match profile.state {
        State::Added => "added",
        State::Removed => "removed",
        State::Broken { .. } => profile.class.map_or("broken", Class::name),
        State::Compared => profile.class.map_or("broken", Class::name),
    }
}

/// What is said of a profile in one line.
pub(super) fn headline(profile: &ProfileChange) -> Phrase {
    match profile.state {
        State::Added => Phrase::new("a new profile"),
        State::Removed => Phrase::new("the profile is gone"),
        State::Broken { base, head } => {
            let side = match (base, head) {
                (true, true) => "neither side compiles",
                (true, false) => "the base does not compile",
                _ => "the head does not compile",
            };
            match profile.class {
                None => Phrase::new(side),
                Some(_) => worst(profile).say("; in part, ").say(side),
            }
        }
        State::Compared => match &profile.was {
            None => worst(profile),
            Some(was) if profile.class == Some(Class::Meta) => Phrase::new("was ").name(was),
            Some(was) => Phrase::new("was ").name(was).say("; ").then(worst(profile)),
        },
    }
}

fn worst(profile: &ProfileChange) -> Phrase {
    match (profile.class, profile.causes.first()) {
        (Some(class), Some(first)) if first.class == class => {
            let said = cause(first);
            match profile.causes.iter().filter(|c| c.class == class).count() - 1 {
                0 => said,
                more => said.say(format!(", and {more} more")),
            }
        }
        (Some(Class::None), _) => Phrase::default(),
        (Some(Class::Meta), _) => Phrase::new("files changed, no byte of output did"),
        _ => Phrase::new("only what stands behind the boundary is other"),
    }
}

/// What its class means for the whole change.
pub(super) fn verdict(diff: &Diff) -> &'static str {
    let is_written = |p: &ProfileChange| p.prefix.as_ref().is_some_and(|prefix| prefix.rewritten > 0);
    match diff.class() {
        Class::Rewrite if !diff.profiles.iter().any(is_written) => {
            "other bytes in static prefixes that no model caches"
        }
        Class::Fragment => "the shared prefix is split",
        Class::Demote => "something shared is shared less",
        Class::Rewrite => "live sessions write their prefix anew, once",
        Class::Tail => "only what stands behind the boundary is other",
        Class::Meta => "files changed, no byte of output did",
        Class::None => "nothing changed",
    }
}

/// How many profiles have which class, worst first.
pub(super) fn summary(profiles: &[ProfileChange]) -> String {
    let words = ["fragment", "demote", "rewrite", "tail", "meta", "none", "broken", "added", "removed"];
    let count = |wanted: &&str| profiles.iter().filter(|p| word(p) == *wanted).count();
    let parts: Vec<String> =
        words.iter().map(|w| (count(w), w)).filter(|(n, _)| *n > 0).map(|(n, w)| format!("{n} {w}")).collect();
    let profiles = match profiles.len() {
        1 => "1 profile".to_owned(),
        n => format!("{n} profiles"),
    };
    if parts.is_empty() { profiles } else { format!("{profiles}: {}", parts.join(", ")) }
}
