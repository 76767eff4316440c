//! Static prefixes, as a table and as JSON.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use schemars::JsonSchema;
use serde::Serialize;

use super::escape::escape;
use super::tokens::columns;
use crate::emit::cell_name;
use crate::input::{Datum, Value};
use crate::json;
use crate::resolve::{Resolved, Route};
use crate::source::{SourceMap, Span};
use crate::variants::{Count, Details, FleetSum, RouteVariants, Witness};

/// One route that can win, counted and looked at section by section.
pub struct Counted<'a> {
    /// Its sections.
    pub route: &'a Route,
    /// What was counted.
    pub variants: &'a RouteVariants,
    /// What is shown of it; nothing where an error left nothing to look at.
    pub details: Option<Details>,
}

/// Everything that a run of the command shows.
pub struct Variants<'a> {
    /// The profile, if one was asked for.
    pub resolved: Option<&'a Resolved>,
    /// Its routes, strongest first.
    pub routes: Vec<Counted<'a>>,
    /// All profiles together, if that was asked for.
    pub fleet: Option<FleetSum>,
    /// Most prefixes that are allowed.
    pub budget: u64,
    /// Paths and lines.
    pub sources: &'a SourceMap,
}

/// How many static prefixes there can be.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "promptc.variants/1")]
pub(super) struct Document {
    /// Always `promptc.variants/1`.
    #[schemars(extend("const" = "promptc.variants/1"))]
    format: &'static str,
    /// Null with `--fleet` alone.
    profile: Option<String>,
    /// Every link of the chain that can win, strongest first.
    routes: Vec<RouteShape>,
    /// All profiles and cells together, with `--fleet`.
    #[serde(skip_serializing_if = "Option::is_none")]
    fleet: Option<FleetShape>,
}

#[derive(Serialize, JsonSchema)]
struct RouteShape {
    #[schemars(extend("enum" = ["override", "coordinator", "agent", "custom", "default"]))]
    layer: &'static str,
    /// The manifest; null where the link is no prompt.
    prompt: Option<String>,
    /// Different pairs of prefix block and leading static run; null when it is not known exactly.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    count: Option<String>,
    /// The same as if no static section were demoted.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    zone_count: Option<String>,
    /// Inputs whose values are printed and have no end.
    unbounded: Vec<String>,
    /// Whether the answer is exact: a count, or that there is no end. Otherwise there are bounds.
    exact: bool,
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    at_least: Option<String>,
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    at_most: Option<String>,
    /// Two to the number of conditionals over run-time inputs.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    naive: String,
    /// Bytes that all variants begin with.
    invariant_bytes: u64,
    sections: Vec<SectionShape>,
    witness: Option<WitnessShape>,
    /// The sections to move for the budget.
    r#move: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct SectionShape {
    id: String,
    /// Run-time inputs that it reads.
    inputs: Vec<String>,
    /// Different texts that it has by itself; null when it is not known exactly.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    outcomes: Option<String>,
    /// The count at its end; null when it is not known exactly.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    count_after: Option<String>,
    /// So many at its end at least, when it is not known exactly.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    at_least_after: Option<String>,
    /// So many at its end at most, when it is not known exactly.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    at_most_after: Option<String>,
    /// Bytes ahead of it, of each section those of its longest text.
    bytes_before: Option<u64>,
    /// Tokens of the static text behind it, of each section those of its longest text.
    tokens_behind: Option<u64>,
    /// How likely two users still share everything up to its end.
    share: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct WitnessShape {
    section: String,
    /// Values of one user's inputs; null for a missing one.
    a: BTreeMap<String, ValueShape>,
    /// Another user's.
    b: BTreeMap<String, ValueShape>,
    /// The first byte that differs.
    byte: u64,
    path: Option<String>,
    /// From 1.
    line: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum ValueShape {
    Missing,
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<ValueShape>),
    Table(BTreeMap<String, ValueShape>),
}

#[derive(Serialize, JsonSchema)]
struct FleetShape {
    /// Profiles, each cell of a matrix by itself.
    artifacts: u64,
    /// Different static prefixes; null when it is not known exactly.
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    distinct: Option<String>,
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    at_least: Option<String>,
    #[schemars(extend("pattern" = "^[0-9]+$"))]
    at_most: Option<String>,
    /// Bytes that all of them begin with.
    shared_bytes: u64,
    shared_tokens: u64,
}

/// The report as JSON, format `promptc.variants/1`.
pub fn json(variants: &Variants<'_>) -> String {
    json::to_text(&Document {
        format: "promptc.variants/1",
        profile: variants.resolved.map(|r| r.profile.clone()),
        routes: variants.routes.iter().map(|route| route_shape(route, variants.sources)).collect(),
        fleet: variants.fleet.as_ref().map(|fleet| {
            let (at_least, at_most) = bounds(&fleet.distinct);
            FleetShape {
                artifacts: fleet.artifacts,
                distinct: exact(&fleet.distinct),
                at_least,
                at_most,
                shared_bytes: fleet.shared_bytes,
                shared_tokens: fleet.shared_tokens,
            }
        }),
    })
}

fn route_shape(counted: &Counted<'_>, sources: &SourceMap) -> RouteShape {
    let (variants, details) = (counted.variants, counted.details.as_ref());
    let id = |index: usize| counted.route.sections[index].id.clone();
    let (at_least, at_most) = bounds(&variants.count);
    let row = |index: usize| details.and_then(|d| d.rows.iter().find(|r| r.index == index));
    RouteShape {
        layer: variants.layer.name(),
        prompt: variants.prompt.clone(),
        count: exact(&variants.count),
        zone_count: details.and_then(|d| exact(&d.zone_count)),
        unbounded: match &variants.count {
            Count::Unbounded(names) => names.clone(),
            _ => Vec::new(),
        },
        exact: matches!(variants.count, Count::Exact(_) | Count::Unbounded(_)),
        at_least,
        at_most,
        naive: details.map_or_else(|| "1".to_owned(), |d| d.naive.to_string()),
        invariant_bytes: details.map_or(0, |d| d.invariant_bytes),
        sections: variants
            .sections
            .iter()
            .map(|section| {
                let row = row(section.index);
                let (at_least_after, at_most_after) = row.map_or((None, None), |r| bounds(&r.after));
                SectionShape {
                    id: id(section.index),
                    inputs: section.inputs.clone(),
                    outcomes: exact(&section.outcomes),
                    count_after: row.and_then(|r| exact(&r.after)),
                    at_least_after,
                    at_most_after,
                    bytes_before: row.and_then(|r| r.bytes_before),
                    tokens_behind: row.and_then(|r| r.tokens_behind),
                    share: row.and_then(|r| r.share),
                }
            })
            .collect(),
        witness: details.and_then(|d| d.witness.as_ref()).map(|witness| {
            let place = witness.place.map(|span| place(span, sources));
            let values = |list: &[(String, Datum)]| list.iter().map(|(name, v)| (name.clone(), datum(v))).collect();
            WitnessShape {
                section: id(witness.section),
                a: values(&witness.a),
                b: values(&witness.b),
                byte: witness.byte,
                path: place.as_ref().map(|(path, _)| path.clone()),
                line: place.map(|(_, line)| line),
            }
        }),
        r#move: details.map_or_else(Vec::new, |d| d.moves.sections.iter().map(|index| id(*index)).collect()),
    }
}

fn exact(count: &Count) -> Option<String> {
    count.exact().map(BigUint::to_string)
}

fn bounds(count: &Count) -> (Option<String>, Option<String>) {
    match count {
        Count::Between { at_least, at_most } => (Some(at_least.to_string()), Some(at_most.to_string())),
        _ => (None, None),
    }
}

fn place(span: Span, sources: &SourceMap) -> (String, u32) {
    let file = sources.file(span.file);
    (file.path().to_owned(), file.lines().line(span.start))
}

fn datum(datum: &Datum) -> ValueShape {
    datum.value().map_or(ValueShape::Missing, value)
}

fn value(value: &Value) -> ValueShape {
    match value {
        Value::Null => ValueShape::Missing,
        Value::Bool(b) => ValueShape::Bool(*b),
        Value::Integer(n) => ValueShape::Integer(*n),
        Value::Number(n) => ValueShape::Number(*n),
        Value::String(s) => ValueShape::Text(s.clone()),
        Value::List(items) => ValueShape::List(items.iter().map(self::value).collect()),
        Value::Table(map) => ValueShape::Table(map.iter().map(|(k, v)| (k.clone(), self::value(v))).collect()),
    }
}

/// The report for people.
pub fn text(variants: &Variants<'_>) -> String {
    let mut parts = Vec::new();
    if let Some(resolved) = variants.resolved {
        let mut head = format!("profile   {}\n", escape(&resolved.profile));
        let cell = cell_name(&resolved.cell);
        if !cell.is_empty() {
            head.push_str(&format!("cell      {}\n", escape(&cell)));
        }
        parts.push(head);
    }
    parts.extend(variants.routes.iter().map(|route| route_text(route, variants)));
    parts.extend(variants.fleet.as_ref().map(fleet_text));
    parts.join("\n")
}

fn route_text(counted: &Counted<'_>, variants: &Variants<'_>) -> String {
    let prompt = counted.variants.prompt.as_ref().map_or_else(String::new, |name| format!("  {}", escape(name)));
    let mut out = format!("route     {}{prompt}\n\n", counted.variants.layer.name());
    let Some(details) = &counted.details else {
        out.push_str("nothing can be counted while there are errors\n");
        return out;
    };
    out.push_str(&headline(counted, details, variants));
    if counted.variants.sections.is_empty() {
        return out;
    }
    out.push('\n');
    out.push_str(&table(counted, details));
    if let Some(witness) = &details.witness {
        out.push('\n');
        out.push_str(&witness_text(counted, witness, variants.sources));
    }
    for failure in &details.failures {
        let why = failure.why.first().map_or("", |d| d.message.as_str());
        let id = &counted.route.sections[failure.section].id;
        out.push_str(&format!("\nnot counted: with {} {}\n", assigned(&failure.values), escape(why)));
        if why.is_empty() {
            out.push_str(&format!("`{id}` cannot be rendered\n"));
        }
    }
    if let Some(line) = moves_text(counted, details) {
        out.push('\n');
        out.push_str(&line);
    }
    out
}

/// How many, how many are allowed, what the rule of thumb says, and where the first two users part.
fn headline(counted: &Counted<'_>, details: &Details, variants: &Variants<'_>) -> String {
    let count = &counted.variants.count;
    let id = |index: usize| &counted.route.sections[index].id;
    let many = match count {
        Count::Exact(n) if *n == BigUint::from(1u32) => "1 static prefix".to_owned(),
        Count::Exact(n) => format!("{n} static prefixes"),
        Count::Between { at_least, at_most } => format!("at least {at_least} static prefixes, and at most {at_most}"),
        Count::Unbounded(names) => {
            let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
            format!("static prefixes without end: the values of {} are printed", names.join(", "))
        }
        Count::Broken => "not counted: an error leaves nothing to count".to_owned(),
    };
    let mut out = format!(
        "{many} ({} allowed); the rule of thumb, 2 for each conditional, says {}\n",
        variants.budget, details.naive
    );
    let bytes = details.invariant_bytes;
    let parting = match (&details.witness, count) {
        (Some(witness), _) => {
            format!("the same for everyone up to byte {bytes}; users part in `{}`", id(witness.section))
        }
        (None, Count::Exact(n)) if *n == BigUint::from(1u32) => {
            format!("the same for everyone: all {bytes} bytes of it")
        }
        (None, _) => format!("the same for everyone up to byte {bytes}"),
    };
    out.push_str(&format!("{parting}\n"));
    if let Some(limit) = counted.variants.limit {
        out.push_str(&format!("an exact count takes too much {}\n", limit.way_out()));
    }
    out
}

fn table(counted: &Counted<'_>, details: &Details) -> String {
    let head = ["section", "inputs", "texts", "factor", "prefixes", "bytes ahead", "tokens behind", "shared by"];
    let mut lines = vec![head.map(str::to_owned)];
    let one = Count::one();
    let mut before = &one;
    for row in &details.rows {
        let section = counted.variants.section(row.index);
        let factor = factor(before, &row.after);
        before = &row.after;
        lines.push([
            escape(&counted.route.sections[row.index].id),
            section.map_or_else(String::new, |s| s.inputs.join(", ")),
            section.map_or_else(String::new, |s| short(&s.outcomes)),
            factor,
            short(&row.after),
            row.bytes_before.map_or_else(|| "?".to_owned(), |n| n.to_string()),
            row.tokens_behind.map_or_else(|| "?".to_owned(), |n| n.to_string()),
            row.share.map_or_else(|| "?".to_owned(), |share| format!("{:.1} %", share * 100.0)),
        ]);
    }
    columns(&lines, 2)
}

/// What the count is multiplied with, to three digits.
fn factor(before: &Count, after: &Count) -> String {
    let (Count::Exact(before), Count::Exact(after)) = (before, after) else { return "?".to_owned() };
    if *before == BigUint::ZERO {
        return "?".to_owned();
    }
    let thousandths = (after * 1000u32 + before / 2u32) / before;
    format!("x{}.{:03}", &thousandths / 1000u32, u32::try_from(thousandths % 1000u32).unwrap_or(0))
}

fn short(count: &Count) -> String {
    match count {
        Count::Exact(count) => count.to_string(),
        Count::Between { at_least, at_most } => format!("{at_least}..{at_most}"),
        Count::Unbounded(_) => "no end".to_owned(),
        Count::Broken => "?".to_owned(),
    }
}

fn witness_text(counted: &Counted<'_>, witness: &Witness, sources: &SourceMap) -> String {
    let differs = |n: &usize| witness.a[*n].1 != witness.b[*n].1;
    let (own, same): (Vec<usize>, Vec<usize>) = (0..witness.a.len()).partition(differs);
    let pick = |list: &[(String, Datum)], places: &[usize]| -> String {
        assigned(&places.iter().map(|n| list[*n].clone()).collect::<Vec<_>>())
    };
    let mut out = format!(
        "two users part at byte {}, in `{}`\n  {}\n  {}\n",
        witness.byte,
        escape(&counted.route.sections[witness.section].id),
        pick(&witness.a, &own),
        pick(&witness.b, &own)
    );
    if !same.is_empty() {
        out.push_str(&format!("  both with {}\n", pick(&witness.a, &same)));
    }
    if let Some(span) = witness.place {
        let (path, line) = place(span, sources);
        let text = sources.file(span.file).text().split('\n').nth(line as usize - 1).unwrap_or_default();
        out.push_str(&format!("  --> {}:{line}\n   | {}\n", escape(&path), escape(text)));
    }
    out
}

/// `platform = "linux", is_git = true`.
fn assigned(values: &[(String, Datum)]) -> String {
    let one = |(name, datum): &(String, Datum)| match datum.value() {
        Some(value) => format!("{name} = {}", escape(&value.canonical_json())),
        None => format!("{name} missing"),
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn moves_text(counted: &Counted<'_>, details: &Details) -> Option<String> {
    let moves = &details.moves;
    if moves.sections.is_empty() {
        return None;
    }
    let ids: Vec<String> =
        moves.sections.iter().map(|index| format!("`{}`", escape(&counted.route.sections[*index].id))).collect();
    let how = if moves.proven { "no smaller set does it" } else { "found step by step, a smaller set may do it" };
    Some(format!(
        "to have no more than {}: move {} behind the boundary (`zone = \"dynamic\"`), which leaves {}; {how}\n",
        moves.budget,
        ids.join(", "),
        short(&moves.left)
    ))
}

fn fleet_text(fleet: &FleetSum) -> String {
    let distinct = match &fleet.distinct {
        Count::Exact(count) => count.to_string(),
        other => short(other),
    };
    format!(
        "fleet     {} artifacts\n\n{distinct} different static prefixes; all begin with the same {} bytes, {} tokens\n",
        fleet.artifacts, fleet.shared_bytes, fleet.shared_tokens
    )
}
