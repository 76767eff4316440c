//! A change as JSON, format `promptc.diff/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::DiffReport;
use super::sentences;
use crate::diff::{
    Cause, Class, Cost, Count, FirstChange, Kept, Line, PrefixChange, Presence, ProfileChange, SectionChange, State,
    Whose,
};
use crate::json;
use crate::manifest::Zone;

/// What a change does to every profile.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "promptc.diff/1")]
pub(in crate::report) struct Document {
    /// Always `promptc.diff/1`.
    #[schemars(extend("const" = "promptc.diff/1"))]
    format: &'static str,
    /// The commit.
    base: String,
    /// The commit; null for the working tree.
    head: Option<String>,
    /// The worst of all profiles.
    #[schemars(extend("enum" = ["fragment", "demote", "rewrite", "tail", "meta", "none"]))]
    class: &'static str,
    /// The worst of what no reason in a manifest allows.
    #[schemars(extend("enum" = ["fragment", "demote", "rewrite", "tail", "meta", "none"]))]
    unallowed: &'static str,
    profiles: Vec<ProfileShape>,
}

#[derive(Serialize, JsonSchema)]
struct ProfileShape {
    profile: String,
    /// The name that it has in the base, when that is another one.
    was: Option<String>,
    /// The worst that happened; null when a side that does not compile hides it.
    #[schemars(extend("enum" = ["fragment", "demote", "rewrite", "tail", "meta", "none", null]))]
    class: Option<&'static str>,
    /// The worst that no reason in a manifest allows.
    #[schemars(extend("enum" = ["fragment", "demote", "rewrite", "tail", "meta", "none", null]))]
    unallowed: Option<&'static str>,
    #[schemars(extend("enum" = ["compared", "added", "removed", "broken"]))]
    state: &'static str,
    /// The sides that do not compile.
    broken: Vec<&'static str>,
    target: Option<TargetShape>,
    causes: Vec<CauseShape>,
    /// The static prefix of the artifact that changed most.
    prefix: PrefixShape,
    /// Static prefixes of that artifact's route.
    variants: VariantsShape,
    sections: Vec<SectionShape>,
    /// Null where prices are not known.
    cost: Option<CostShape>,
    artifacts: Vec<ArtifactShape>,
    /// Files that differ, from the project's root.
    files: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct TargetShape {
    provider: String,
    model: String,
    /// Whether tools are rendered ahead of the prompt.
    tools_first: bool,
    /// `marks`: what differs before a mark is another prefix; `tokens`: up to the first token that differs.
    #[schemars(extend("enum" = ["marks", "tokens"]))]
    caches_up_to: &'static str,
    /// Fewest tokens that are cached.
    min_tokens: u64,
    /// Whether token counts are exact.
    exact: bool,
    /// How far off they may be, as a share.
    band: f64,
}

#[derive(Serialize, JsonSchema)]
struct CauseShape {
    /// What happened, in a word.
    name: &'static str,
    #[schemars(extend("enum" = ["fragment", "demote", "rewrite", "tail", "meta", "none"]))]
    class: &'static str,
    /// What happened, as a sentence.
    message: String,
    section: Option<String>,
    line: Option<LineShape>,
    /// Tokens at stake.
    tokens: Option<u64>,
    allowed: Option<AllowedShape>,
    /// The artifacts in which it was found: cell, fixture, route; an empty name is the profile's only one.
    artifacts: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct AllowedShape {
    rule: String,
    reason: String,
}

#[derive(Serialize, JsonSchema)]
struct LineShape {
    /// From the project's root.
    path: String,
    /// From 1.
    line: u32,
    #[schemars(extend("enum" = ["base", "head"]))]
    side: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct PrefixShape {
    /// Its digest, as in blocks.json; null while it is open, and where there is none.
    before: Option<String>,
    after: Option<String>,
    first_change: Option<FirstShape>,
    /// Tokens ahead of the first byte that differs; all, when none does.
    tokens_kept: u64,
    /// Tokens from there on.
    tokens_rewritten: u64,
    /// Tokens that the provider still reads from the cache: with marks none, where a block differs anywhere.
    cached_kept: u64,
    /// Tokens that every live session writes anew; none when nothing was cached, or nothing is from now on.
    cached_rewritten: u64,
    tokens_before: u64,
    tokens_after: u64,
    /// Tokens of the prompt behind it; null while they are not known.
    tokens_behind: Option<u64>,
    /// Whether sections stand in it as their templates.
    open: bool,
    /// `too-short`: it was below the minimum, or is now, so nothing can be kept.
    #[schemars(extend("enum" = ["marks", "tokens", "too-short"]))]
    kept_by: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct FirstShape {
    /// From 0, in the prefix as one text.
    byte: usize,
    tokens_before: u64,
    section: String,
    /// From the project's root.
    path: String,
    /// From 1.
    line: u32,
    #[schemars(extend("enum" = ["base", "head"]))]
    side: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct VariantsShape {
    /// In decimal digits; null when nothing bounds it, or when there is none.
    before: Option<String>,
    after: Option<String>,
    /// Whether both are the number itself, and not an upper bound.
    exact: bool,
    /// Inputs that nothing bounds.
    unbounded_before: Vec<String>,
    unbounded_after: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct SectionShape {
    id: String,
    /// The id that it has in the base, when that is another one.
    was: Option<String>,
    #[schemars(extend("enum" = ["added", "removed", "edited", "moved", "zone", "lifetime", "cache", "unchanged"]))]
    change: &'static str,
    /// What else happened to it.
    also: Vec<&'static str>,
    #[schemars(extend("enum" = ["static", "dynamic", null]))]
    zone_before: Option<&'static str>,
    #[schemars(extend("enum" = ["static", "dynamic", null]))]
    zone_after: Option<&'static str>,
    #[schemars(extend("enum" = ["build", "org", "user", "session", "turn", null]))]
    lifetime_before: Option<&'static str>,
    #[schemars(extend("enum" = ["build", "org", "user", "session", "turn", null]))]
    lifetime_after: Option<&'static str>,
    /// Null while it is open, and where there is none.
    tokens_before: Option<u64>,
    tokens_after: Option<u64>,
    line: LineShape,
}

#[derive(Serialize, JsonSchema)]
struct CostShape {
    /// What live sessions pay once.
    once: f64,
    /// What 1000 further sessions cost more.
    per_1000_sessions: f64,
    currency: String,
    /// Since when the prices are known.
    as_of: Option<String>,
    /// How many live sessions `once` is for.
    sessions: u64,
    /// What the sessions of a day cost more; null when the profile does not say how many there are.
    per_day: Option<f64>,
    /// Requests in a session.
    turns: u64,
    /// Whether the profile says how many.
    turns_are_given: bool,
    /// The artifact of which the lasting cost is.
    artifact: String,
}

#[derive(Serialize, JsonSchema)]
struct ArtifactShape {
    /// Cell, fixture, route; an empty name is the profile's only one.
    name: String,
    #[schemars(extend("enum" = ["both", "added", "removed"]))]
    state: &'static str,
    #[schemars(extend("enum" = ["fragment", "demote", "rewrite", "tail", "meta", "none"]))]
    class: &'static str,
    tokens_rewritten: u64,
}

/// The report of a change.
pub fn json(report: &DiffReport<'_>) -> String {
    json::to_text(&Document {
        format: "promptc.diff/1",
        base: report.base.id.clone(),
        head: report.head.map(|head| head.id.clone()),
        class: report.diff.class().name(),
        unallowed: report.diff.unallowed().name(),
        profiles: report.diff.profiles.iter().map(profile).collect(),
    })
}

fn profile(change: &ProfileChange) -> ProfileShape {
    ProfileShape {
        profile: change.profile.clone(),
        was: change.was.clone(),
        class: change.class.map(Class::name),
        unallowed: change.unallowed().map(Class::name),
        state: match change.state {
            State::Compared => "compared",
            State::Added => "added",
            State::Removed => "removed",
            State::Broken { .. } => "broken",
        },
        broken: match change.state {
            State::Broken { base, head } => {
                [(base, "base"), (head, "head")].into_iter().filter(|(is, _)| *is).map(|(_, side)| side).collect()
            }
            _ => Vec::new(),
        },
        target: change.target.as_ref().map(|aim| TargetShape {
            provider: aim.provider.clone(),
            model: aim.model.clone(),
            tools_first: aim.tools_first,
            caches_up_to: if aim.marks { "marks" } else { "tokens" },
            min_tokens: aim.minimum,
            exact: aim.exact,
            band: aim.band,
        }),
        causes: change.causes.iter().map(cause).collect(),
        prefix: prefix(change.prefix.as_ref()),
        variants: variants(change.variants.as_ref()),
        sections: change.sections.iter().map(section).collect(),
        cost: change.cost.as_ref().map(cost),
        artifacts: change
            .artifacts
            .iter()
            .map(|artifact| ArtifactShape {
                name: artifact.name.clone(),
                state: match artifact.state {
                    Presence::Both => "both",
                    Presence::Added => "added",
                    Presence::Removed => "removed",
                },
                class: artifact.class.name(),
                tokens_rewritten: artifact.rewritten,
            })
            .collect(),
        files: change.files.clone(),
    }
}

fn cause(cause: &Cause) -> CauseShape {
    CauseShape {
        name: cause.what.name(),
        class: cause.class.name(),
        message: sentences::cause(cause).plain(),
        section: cause.section.clone(),
        line: cause.line.as_ref().map(line),
        tokens: cause.tokens,
        allowed: cause
            .allowed
            .as_ref()
            .map(|allowed| AllowedShape { rule: allowed.rule.clone(), reason: allowed.reason.clone() }),
        artifacts: cause.artifacts.clone(),
    }
}

fn line(line: &Line) -> LineShape {
    LineShape { path: line.path.clone(), line: line.line, side: side(line.whose) }
}

fn side(whose: Whose) -> &'static str {
    match whose {
        Whose::Base => "base",
        Whose::Head => "head",
    }
}

fn prefix(change: Option<&PrefixChange>) -> PrefixShape {
    let first = |first: &FirstChange| FirstShape {
        byte: first.byte,
        tokens_before: first.tokens_before,
        section: first.section.clone(),
        path: first.line.path.clone(),
        line: first.line.line,
        side: side(first.line.whose),
    };
    PrefixShape {
        before: change.and_then(|c| c.before.clone()),
        after: change.and_then(|c| c.after.clone()),
        first_change: change.and_then(|c| c.first_change.as_ref()).map(first),
        tokens_kept: change.map_or(0, |c| c.equal),
        tokens_rewritten: change.map_or(0, |c| c.tokens_after - c.equal.min(c.tokens_after)),
        cached_kept: change.map_or(0, |c| c.kept),
        cached_rewritten: change.map_or(0, |c| c.rewritten),
        tokens_before: change.map_or(0, |c| c.tokens_before),
        tokens_after: change.map_or(0, |c| c.tokens_after),
        tokens_behind: change.and_then(|c| c.behind),
        open: change.is_some_and(|c| c.open),
        kept_by: match change.map(|c| c.how) {
            Some(Kept::Marks) => "marks",
            Some(Kept::Tokens) => "tokens",
            Some(Kept::TooShort | Kept::NowLongEnough | Kept::NoLongerCached) | None => "too-short",
        },
    }
}

fn variants(counts: Option<&(Count, Count)>) -> VariantsShape {
    VariantsShape {
        before: counts.and_then(|(before, _)| before.number.clone()),
        after: counts.and_then(|(_, after)| after.number.clone()),
        exact: counts.is_none_or(|(before, after)| before.exact && after.exact),
        unbounded_before: counts.map_or_else(Vec::new, |(before, _)| before.unbounded.clone()),
        unbounded_after: counts.map_or_else(Vec::new, |(_, after)| after.unbounded.clone()),
    }
}

fn section(change: &SectionChange) -> SectionShape {
    let zone = |zone: Option<Zone>| zone.map(super::zone);
    SectionShape {
        id: change.id.clone(),
        was: change.was.clone(),
        change: change.change.name(),
        also: change.also.iter().map(|edit| edit.name()).collect(),
        zone_before: zone(change.zone.0),
        zone_after: zone(change.zone.1),
        lifetime_before: change.lifetime.0.map(|l| l.name()),
        lifetime_after: change.lifetime.1.map(|l| l.name()),
        tokens_before: change.tokens.0,
        tokens_after: change.tokens.1,
        line: line(&change.line),
    }
}

fn cost(cost: &Cost) -> CostShape {
    CostShape {
        once: cost.once,
        per_1000_sessions: cost.per_1000_sessions,
        currency: cost.currency.clone(),
        as_of: cost.as_of.clone(),
        sessions: cost.sessions,
        per_day: cost.per_day,
        turns: cost.turns,
        turns_are_given: cost.turns_are_given,
        artifact: cost.artifact.clone(),
    }
}
