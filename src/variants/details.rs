//! Everything that is shown of one route: the table, the witness, what to move.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::counts::Counting;
use super::ends::ends;
use super::model::{Model, Text};
use super::moves::{Moves, moves};
use super::shares::Shares;
use super::walk::{Parting, walk};
use super::{Count, Failure, RouteVariants};
use crate::input::Datum;
use crate::render::{Probe, Renderer};
use crate::resolve::{How, Resolved, Route};
use crate::source::Span;
use crate::workspace::Workspace;

/// A route looked at section by section.
#[derive(Clone, Debug)]
pub struct Details {
    /// Different pairs when all sections of the static zone as declared count, none of them demoted.
    pub zone_count: Count,
    /// What the rule of thumb says: two to the number of conditionals over run-time inputs.
    pub naive: BigUint,
    /// Bytes that all variants begin with: the prefix block and the static run, one behind the other.
    pub invariant_bytes: u64,
    /// One for each section that the route counts, in the order of [`RouteVariants::sections`].
    pub rows: Vec<Row>,
    /// Two users whose texts part as early as any.
    pub witness: Option<Witness>,
    /// What to move for the budget.
    pub moves: Moves,
    /// Sections that cannot be rendered for some values.
    pub failures: Vec<Failure>,
}

/// One section of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its place among the sections of the route.
    pub index: usize,
    /// The count at its end.
    pub after: Count,
    /// Bytes ahead of it, of each section those of its longest text; `None` behind a section of which that is not known.
    pub bytes_before: Option<u64>,
    /// Tokens of the static text behind it, counted likewise.
    pub tokens_behind: Option<u64>,
    /// How likely two users still share everything up to its end, all values taken to be equally likely; `None` where
    /// that takes too much.
    pub share: Option<f64>,
}

/// Two assignments and where their texts part.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The section, by its place among those of the route.
    pub section: usize,
    /// Values of the inputs that the shared sections read.
    pub a: Vec<(String, Datum)>,
    /// The same inputs.
    pub b: Vec<(String, Datum)>,
    /// The first byte that differs.
    pub byte: u64,
    /// What makes them differ: a condition, or the place in a body.
    pub place: Option<Span>,
}

/// Looks at a route section by section. `tokens` counts a text; `budget` is how many prefixes there may be.
pub fn details(
    workspace: &Workspace,
    resolved: &Resolved,
    route: &RouteVariants,
    renderer: &Renderer,
    budget: u64,
    tokens: &dyn Fn(&str) -> u64,
) -> Option<Details> {
    let sent = resolved.route(route.layer)?;
    let probe = renderer.probe(workspace, &sent.layout);
    let made;
    let model = match &route.model {
        Some(model) => model,
        None => {
            made = Model::new(workspace, sent, resolved, &probe).ok()?;
            &made
        }
    };
    let run: Vec<usize> = (0..model.parts.len()).filter(|n| model.parts[*n].is_shared).collect();
    let zone: Vec<usize> = (0..model.parts.len()).collect();
    let zone_count = if zone == run { route.count.clone() } else { Counting::new(model).count(&zone) };
    let sizes = sizes(model, &run, tokens);
    let known = run.iter().take_while(|n| matches!(model.parts[**n].text, Text::Pieces(_))).count();
    let walked = walk(model, &run[..known]).ok();
    let witness = walked.as_ref().and_then(|walk| {
        let parting = walk.parting.as_ref()?;
        Some(witness(model, sent, resolved, &run, parting, walk.head.bytes(), &probe))
    });
    let mut all_tokens = vec![0; model.parts.len()];
    run.iter().zip(&sizes).for_each(|(part, size)| all_tokens[*part] = size.map_or(0, |(_, tokens)| tokens));
    Some(Details {
        zone_count,
        naive: naive(resolved, sent),
        invariant_bytes: walked.map_or(0, |walk| walk.head.bytes()),
        rows: rows(model, &run, &sizes, &route.count),
        witness,
        moves: moves(model, &mut Counting::new(model), &run, budget, &route.count, &all_tokens),
        failures: model.failures.clone(),
    })
}

/// Bytes and tokens of each part of a run at most, its separator among them; `None` of what has no end.
fn sizes(model: &Model, run: &[usize], tokens: &dyn Fn(&str) -> u64) -> Vec<Option<(u64, u64)>> {
    let mut m = model.m.clone();
    let blocks = model.blocks(&mut m, run, true).unwrap_or_default();
    let mut sizes: Vec<Option<(u64, u64)>> =
        run.iter().map(|n| matches!(model.parts[*n].text, Text::Pieces(_)).then_some((0, 0))).collect();
    let places: BTreeMap<usize, usize> = run.iter().enumerate().map(|(at, part)| (*part, at)).collect();
    for piece in blocks.iter().flatten() {
        let longest = piece.texts.iter().max_by_key(|t| t.len()).map_or("", |t| &**t);
        if let Some(at) = places.get(&piece.part)
            && let Some((bytes, counted)) = &mut sizes[*at]
        {
            *bytes += longest.len() as u64;
            *counted += tokens(longest);
        }
    }
    sizes
}

/// A row for each part, as declared; a prefix section counts from its place on, wherever the request has it. `all` is the
/// count at the end.
fn rows(model: &Model, run: &[usize], sizes: &[Option<(u64, u64)>], all: &Count) -> Vec<Row> {
    let mut declared = run.to_vec();
    declared.sort_by_key(|part| model.parts[*part].index);
    let mut shares = Shares::new(model, &declared);
    let places: BTreeMap<usize, usize> = run.iter().enumerate().map(|(at, part)| (*part, at)).collect();
    let ahead = sums(sizes.iter());
    let mut behind = sums(sizes.iter().rev());
    behind.reverse();
    let counts = ends(model, &declared, all);
    let mut rows = Vec::new();
    for (at, (part, after)) in declared.iter().zip(counts).enumerate() {
        let sent = places.get(part).copied().unwrap_or(at);
        rows.push(Row {
            index: model.parts[*part].index,
            share: shares.next(at, &after),
            after,
            bytes_before: ahead[sent].map(|(bytes, _)| bytes),
            tokens_behind: behind[sent + 1].map(|(_, tokens)| tokens),
        });
    }
    rows
}

/// Bytes and tokens of the first sizes of a list, from none to all; `None` from one on that is not known.
fn sums<'s>(sizes: impl Iterator<Item = &'s Option<(u64, u64)>>) -> Vec<Option<(u64, u64)>> {
    let mut sum = Some((0, 0));
    let mut out = vec![sum];
    for size in sizes {
        sum = sum.zip(*size).map(|((b, t), (bytes, tokens))| (b + bytes, t + tokens));
        out.push(sum);
    }
    out
}

fn witness(
    model: &Model,
    route: &Route,
    resolved: &Resolved,
    run: &[usize],
    parting: &Parting,
    byte: u64,
    probe: &Probe<'_>,
) -> Witness {
    let index = model.parts[parting.part].index;
    let section = &route.sections[index];
    let (a, b) = (model.space.values(&parting.a), model.space.values(&parting.b));
    let reads = run.iter().flat_map(|n| &route.sections[model.parts[*n].index].reads.all).map(AsRef::as_ref);
    let constraints = resolved.inputs.constraints.iter().flat_map(|c| c.names());
    let mut axes = model.space.sources(reads.chain(constraints));
    axes.sort_unstable();
    let shown = |values: &[u32]| -> Vec<(String, Datum)> {
        let one = |axis: &u16| {
            (model.space.name(*axis).to_owned(), model.space.value(*axis, values[usize::from(*axis)]).clone())
        };
        axes.iter().map(one).collect()
    };
    Witness { section: index, a: shown(&parting.a), b: shown(&parting.b), byte, place: probe.parting(section, &a, &b) }
}

/// Two to the number of conditionals over run-time inputs in the run: conditions of sections and replacements, bodies
/// chosen by an axis, and conditionals in bodies.
fn naive(resolved: &Resolved, route: &Route) -> BigUint {
    let is_open = |name: &str| resolved.inputs.lifetime([name]).is_run_time();
    let mut conditionals = 0u32;
    for section in route.sections.iter().filter(|s| s.is_shared()) {
        let conditions = section.when.iter().chain(section.replacements(&route.layout).filter_map(|r| r.when.as_ref()));
        conditionals += conditions.filter(|c| c.names().into_iter().any(is_open)).count() as u32;
        let choices = section.reads.places.iter().filter(|p| p.how == How::Choice);
        conditionals += choices.filter(|p| is_open(&p.input)).count() as u32;
        let bodies = section.reads.conditionals.iter();
        conditionals += bodies.filter(|names| names.iter().any(|name| is_open(name))).count() as u32;
    }
    BigUint::from(1u32) << conditionals
}
