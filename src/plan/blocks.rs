//! Sections joined into blocks.

use std::ops::Range;

use super::meter::Measured;
use super::{Block, BlockPlan, BlockText, Capabilities, Kind, Meter, Placed, Scope, Strategy};
use crate::digest;
use crate::input::{Datum, Lifetime, Value};
use crate::manifest::{Channel, Role, Zone};
use crate::render::{Rendered, RenderedSection};
use crate::resolve::{RUNTIME_TOOLS, Route, Section};
use crate::select::Selected;

const REMINDER_HEAD: &str = "<system-reminder>\n";
const REMINDER_FOOT: &str = "\n</system-reminder>";

/// Cuts a request into blocks.
pub fn plan(selected: &Selected<'_>, rendered: Rendered, target: &Capabilities, meter: &Meter) -> BlockPlan {
    let route = selected.route;
    let runtime_tools = selected.values.get(RUNTIME_TOOLS) == Datum::Known(Value::Bool(true));
    let (strategy, reason) = strategy(route, target.shared_scope, runtime_tools);
    let kinds = kinds(route, strategy);
    let mut blocks = Vec::new();
    let mut prefix = Some(digest::Prefix::default());
    let mut sections = rendered.sections;
    for kind in Kind::ALL {
        let (own, rest): (Vec<_>, Vec<_>) = sections.into_iter().partition(|s| kinds[s.index] == kind);
        sections = rest;
        let Some(first) = own.first() else { continue };
        let separator = route.separator(&route.sections[first.index]).text.clone();
        let is_open = own.iter().any(|s| s.text.is_none());
        let measured: Vec<Option<Measured>> =
            own.iter().map(|s| s.text.as_deref().map(|text| meter.measure(text))).collect();
        let both = own.iter().zip(&measured);
        let mut placed: Vec<Placed> = both.map(|(s, m)| place(s, m.as_ref(), &route.sections[s.index])).collect();
        let lifetime = placed.iter().map(|p| p.lifetime).min().unwrap_or(Lifetime::Build);
        let scope = scope(strategy, kind);
        let stripped = kind == Kind::Attribution && target.strips_attribution;
        if is_open {
            // What is stripped is no part of the prefix, whatever its text will be.
            prefix = prefix.filter(|_| stripped);
            for (placed, own) in placed.iter_mut().zip(own) {
                placed.text = own.text;
            }
            blocks.push(Block { kind, scope, lifetime, text: None, prefix_digest: None, sections: placed, separator });
            continue;
        }
        let (text, ranges) = join(&own, route);
        if text.is_empty() {
            continue;
        }
        let (text, shift) = match kind {
            Kind::UserContext => (format!("{REMINDER_HEAD}{text}{REMINDER_FOOT}"), REMINDER_HEAD.len()),
            _ => (text, 0),
        };
        let mut parts = Vec::with_capacity(ranges.len());
        for ((placed, measured), range) in placed.iter_mut().zip(&measured).zip(ranges) {
            parts.extend(measured.as_ref().map(|m| (range.start + shift, &*m.counted)));
            placed.range = Some(range.start + shift..range.end + shift);
        }
        if let (Some(prefix), false) = (&mut prefix, stripped) {
            prefix.push(&text);
        }
        let prefix_digest = prefix.as_ref().map(digest::Prefix::digest);
        let (tokens, digest) = meter.measure_parts(&text, &parts);
        let text = BlockText { text, tokens, digest };
        blocks.push(Block { kind, scope, lifetime, text: Some(text), prefix_digest, sections: placed, separator });
    }
    BlockPlan { strategy, reason, blocks }
}

fn strategy(route: &Route, shared: bool, runtime_tools: bool) -> (Strategy, &'static str) {
    let has_boundary = route.sections.iter().any(|s| s.role == Role::Content && s.is_shared());
    match (has_boundary, shared, runtime_tools) {
        (false, _, _) => (Strategy::Fallback, "nothing stands before a boundary"),
        (true, false, _) => (Strategy::Fallback, "the target has no scope that all users share"),
        (true, true, true) => (Strategy::Tools, "run-time tools change the prefix ahead of the text"),
        (true, true, false) => {
            (Strategy::Boundary, "the target shares what is static, and no run-time tools stand ahead of it")
        }
    }
}

/// The kind of each section, from the declared order alone.
fn kinds(route: &Route, strategy: Strategy) -> Vec<Kind> {
    let mut tail = false;
    route
        .sections
        .iter()
        .map(|section| {
            let kind = match (section.channel, section.role) {
                (Channel::UserContext, _) => Kind::UserContext,
                (_, Role::Attribution) => Kind::Attribution,
                (_, Role::Prefix) => Kind::Prefix,
                (_, Role::Content) if section.is_shared() => Kind::Static,
                (_, Role::Content) => Kind::Dynamic,
            };
            tail |= kind == Kind::Dynamic && section.dangerous.is_some() && strategy != Strategy::Boundary;
            if kind == Kind::Dynamic && tail { Kind::Tail } else { kind }
        })
        .collect()
}

fn scope(strategy: Strategy, kind: Kind) -> Option<Scope> {
    match (strategy, kind) {
        (_, Kind::Attribution | Kind::Tail | Kind::UserContext) => None,
        (Strategy::Boundary, Kind::Static) => Some(Scope::Global),
        (Strategy::Boundary, Kind::Prefix | Kind::Dynamic) => None,
        (Strategy::Tools | Strategy::Fallback, Kind::Prefix | Kind::Static | Kind::Dynamic) => Some(Scope::Org),
    }
}

fn join(sections: &[RenderedSection], route: &Route) -> (String, Vec<Range<usize>>) {
    let separator = |section: &RenderedSection| &route.separator(&route.sections[section.index]).text;
    let bytes = |s: &RenderedSection| separator(s).len() + s.text.as_ref().map_or(0, String::len);
    let mut out = String::with_capacity(sections.iter().map(bytes).sum());
    let mut ranges = Vec::with_capacity(sections.len());
    for (n, section) in sections.iter().enumerate() {
        if n > 0 {
            out.push_str(separator(section));
        }
        let start = out.len();
        out.push_str(section.text.as_deref().unwrap_or_default());
        ranges.push(start..out.len());
    }
    (out, ranges)
}

fn place(rendered: &RenderedSection, measured: Option<&Measured>, section: &Section) -> Placed {
    let zone = if section.role == Role::Content { section.zone } else { section.declared };
    let zone = if section.channel == Channel::System { zone } else { Zone::Dynamic };
    Placed {
        index: rendered.index,
        defined: rendered.defined,
        zone,
        lifetime: section.lifetime(),
        range: None,
        text: None,
        bytes: rendered.text.as_ref().map(String::len),
        tokens: measured.map(|m| m.tokens),
        digest: measured.map(|m| m.digest.clone()),
        template: rendered.template.clone(),
        dangerous: section.dangerous.is_some(),
    }
}
