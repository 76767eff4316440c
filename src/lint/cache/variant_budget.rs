//! `variant-budget`: more static prefixes than a profile allows, those with a reason counted too.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Route, Rule};
use crate::render::Renderer;
use crate::resolve::{How, Section};
use crate::source::Span;
use crate::variants::{self, Count, Moves, RouteVariants};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "variant-budget",
    level: Severity::Error,
    summary: "more static prefixes than `limits.static_variants` allows",
    doc: include_str!("variant_budget.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let Some(counted) = view.variants else { return };
    let resolved = view.profile.resolved;
    let limit = resolved.limits.static_variants.map_or(1, |limit| limit.value);
    let broken = counted.count == Count::Broken;
    if broken || counted.count.is_within(limit) || is_told(view, counted, limit) {
        return;
    }
    let workspace = view.profile.workspace;
    let counter = view.profile.target.map(|target| target.counter());
    let tokens = |text: &str| counter.as_ref().map_or(0, |counter| counter.count(text));
    let details = variants::details(workspace, resolved, counted, &Renderer::new(workspace), limit, &tokens);
    let moves = details.map(|details| details.moves);
    let sections = &view.route.sections;
    let moved: Vec<&Section> = moves.iter().flat_map(|m| &m.sections).map(|index| &sections[*index]).collect();
    let place = resolved.limits.static_variants.map(|limit| limit.span);
    let place = place.or(moved.first().map(|s| s.span)).unwrap_or(view.route.span);
    let told = message(view, place, &counted.count, limit, moves.as_ref(), &moved);
    // A reason on one section of the set speaks for it.
    let has_reason = |s: &&&Section| s.allow.iter().any(|a| a.rule.value == INFO.name);
    let owner = moved.iter().find(has_reason).or(moved.first());
    found.push(owner.map_or(told.clone(), |section| section.finding(told)));
}

/// Whether `static-conditional` or `static-interpolation` tells of some section of the route: it counts likewise.
fn is_told(view: &Route<'_>, counted: &RouteVariants, limit: u64) -> bool {
    let inputs = &view.profile.resolved.inputs;
    let conditions = !counted.conditional.is_within(limit);
    counted.sections.iter().any(|own| {
        let section = &view.route.sections[own.index];
        let allows = |rule: &str| section.allow.iter().any(|a| a.rule.value == rule);
        let run_time = section.reads.places.iter().filter(|r| inputs.lifetime([&*r.input]).is_run_time());
        run_time.into_iter().any(|r| {
            let in_text = matches!(r.how, How::Body(_) | How::Choice);
            match in_text && inputs.domain(&r.input).is_none() {
                true => !allows("static-interpolation"),
                false => conditions && !allows("static-conditional"),
            }
        })
    })
}

fn message(
    view: &Route<'_>,
    place: Span,
    count: &Count,
    limit: u64,
    moves: Option<&Moves>,
    moved: &[&Section],
) -> Diagnostic {
    let layer = view.route.layer.name();
    let allowed = if limit == 1 { "1 is allowed".to_owned() } else { format!("{limit} are allowed") };
    let certain = count.is_beyond(limit);
    let message = match (certain, count) {
        (true, Count::Between { at_least, .. }) => {
            format!("the link `{layer}` has at least {at_least} static prefixes, and {allowed}")
        }
        (true, count) => format!("the link `{layer}` has {count} static prefixes, and {allowed}"),
        (false, _) => format!("nobody can tell whether the link `{layer}` keeps to {limit} static prefixes"),
    };
    let shared = view.route.sections.iter().filter(|s| s.is_shared());
    let tokens = view.tokens(shared);
    let mut found = Diagnostic::new(&INFO, place, message)
        .label("undecided counts as too many")
        .note(format!("there are {count}: an exact count takes too much"))
        .tokens(tokens);
    if certain {
        found.label = "the budget".to_owned();
        found.notes = vec![format!(
            "sections whose conditions have a reason count too; each prefix caches ~{tokens} tokens by itself"
        )];
    }
    for section in moved {
        found = found.also(section.span, "varies");
    }
    let ids = moved.iter().map(|s| format!("`{}`", s.id)).collect::<Vec<_>>().join(", ");
    let way_out = match moves {
        Some(moves) if !moved.is_empty() => {
            let smallest = if moves.proven { "no smaller set does it" } else { "a smaller set may do it" };
            format!("move {ids} behind the boundary, which leaves {}; {smallest}", moves.left)
        }
        _ => "let fewer run-time inputs decide what stands before the boundary".to_owned(),
    };
    found = found.help(way_out).help("or allow as many: `[limits] static_variants`");
    match view.variants.and_then(|v| v.limit).filter(|_| !certain) {
        Some(limit) => found.limit(limit),
        None => found,
    }
}
