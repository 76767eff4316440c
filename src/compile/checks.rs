//! Errors of the language that need a whole route: what may stand before the boundary, what may be cached.

use std::collections::BTreeSet;

use super::{errors, order, rules};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::input::{Datum, Lifetime};
use crate::manifest::{Channel, Project, Role};
use crate::plan::Capabilities;
use crate::resolve::{How, Inputs, Reading, Resolved, Route, Section, Source};
use crate::template;
use crate::tokens::{Counter, Encoding};
use crate::variants::{Count, RouteVariants, SectionVariants, VariantSet};
use crate::workspace::Workspace;

/// Checks every route that can win, and every `allow`.
pub(super) fn check(
    workspace: &Workspace,
    resolved: &Resolved,
    variants: &VariantSet,
    target: Option<&Capabilities>,
    sink: &mut Sink,
) {
    let limit = resolved.limits.static_variants.map_or(1, |n| n.value);
    let routes = resolved.routes.iter().filter(|r| r.can_win);
    for (route, variants) in routes.zip(&variants.routes) {
        let mut cost: Option<u64> = None;
        for (index, section) in route.sections.iter().enumerate() {
            let place = Place { workspace, route, section, inputs: &resolved.inputs };
            if let Some(own) = variants.section(index) {
                let mut tokens = || *cost.get_or_insert_with(|| leading_tokens(route, target));
                place.check_shared(&Counted { route: variants, own, limit }, &mut tokens, sink);
            } else {
                place.check_cached(sink);
            }
        }
    }
    for route in &resolved.routes {
        route.sections.iter().chain(&route.folded).for_each(|section| check_allow(section, &resolved.inputs, sink));
    }
}

/// Tokens of the leading run, templates counted as they are written: the size of what each variant repeats.
fn leading_tokens(route: &Route, target: Option<&Capabilities>) -> u64 {
    let Some(target) = target else { return 0 };
    let counter = target.counter();
    route.sections.iter().filter(|s| s.is_shared()).map(|s| written_tokens(s, &counter)).sum()
}

/// Tokens of a section's text as it is written, a template as a template; of a text chosen by an axis those of the
/// first. 0 for a text that arrives later.
pub fn written_tokens(section: &Section, counter: &Counter) -> u64 {
    match &section.source {
        Source::Text(text) => counter.count(&text.text),
        Source::Choice { files, otherwise, .. } => {
            files.first().map(|(_, file)| file).or(otherwise.as_ref()).map_or(0, |(_, text)| counter.count(&text.text))
        }
        Source::Input(_) | Source::Agent(_) | Source::Broken => 0,
    }
}

struct Place<'a> {
    workspace: &'a Workspace,
    route: &'a Route,
    section: &'a Section,
    inputs: &'a Inputs,
}

/// What was counted of a section and its route, and how much is allowed.
pub(super) struct Counted<'a> {
    pub(super) route: &'a RouteVariants,
    pub(super) own: &'a SectionVariants,
    pub(super) limit: u64,
}

/// A run-time input that decides.
pub(super) struct Conditional<'a> {
    pub(super) reading: &'a Reading,
    pub(super) lifetime: Lifetime,
    /// The plain inputs behind it.
    pub(super) behind: Vec<&'a str>,
    pub(super) domain: Vec<Datum>,
}

impl Place<'_> {
    /// The first place at which the section reads each run-time input, in reading order.
    fn run_time_reads(&self) -> Vec<&Reading> {
        let mut seen = BTreeSet::new();
        let places = self.section.reads.places.iter();
        places.filter(|p| self.inputs.lifetime([&*p.input]).is_run_time() && seen.insert(&*p.input)).collect()
    }

    fn check_shared(&self, counted: &Counted<'_>, tokens: &mut dyn FnMut() -> u64, sink: &mut Sink) {
        for reading in self.run_time_reads() {
            let printed = self.printed(&reading.input);
            let lifetime = self.inputs.lifetime([&*reading.input]);
            match printed {
                // A layer whose text arrives later was told when it was resolved.
                Some(printed) if printed.how == How::Choice && self.section.is_layer() => {}
                Some(printed) => {
                    let found = errors::static_interpolation(self.section, printed, lifetime, tokens());
                    sink.push(self.mended(found));
                }
                None => {
                    let reading = Conditional {
                        reading,
                        lifetime,
                        behind: self.inputs.open_sources([&*reading.input]).into_iter().collect(),
                        domain: self.inputs.domain(&reading.input).unwrap_or_default(),
                    };
                    let found = errors::static_conditional(self.section, &reading, counted, tokens());
                    sink.push(match self.is_within(counted) {
                        // Allowed: `lint` tells it, and nothing is to be mended.
                        true => self.section.finding(found.level(Severity::Info)),
                        false => self.mended(found),
                    });
                }
            }
        }
    }

    /// The finding, with the edits that move the section to where its values may stand.
    fn mended(&self, mut found: Diagnostic) -> Diagnostic {
        if self.section.lifetime() > Lifetime::Turn {
            found.fix = order::behind_boundary(self.workspace, self.route, self.section);
        }
        // Much text that is the same for everyone would go along, where a cut would keep it.
        let in_body = |reading: &&Reading| matches!(reading.how, How::Body(_));
        if let Some(fix) = &mut found.fix
            && errors::is_large(self.section)
            && self.run_time_reads().iter().any(in_body)
        {
            fix.safe = false;
        }
        self.section.finding(found)
    }

    /// Whether there are certainly no more variants than are allowed.
    fn is_within(&self, counted: &Counted<'_>) -> bool {
        let route = &counted.route.conditional;
        match &counted.own.outcomes {
            // What it prints has no end; its conditions are counted as if every value made a difference.
            Count::Unbounded(_) => {
                let inputs = counted.own.inputs.iter().filter_map(|name| self.inputs.domain(name));
                let own: Option<u64> = inputs.map(|d| d.len() as u64).try_fold(1u64, u64::checked_mul);
                own.is_some_and(|own| route.is_within(counted.limit / own))
            }
            // What is broken is told already.
            _ => route.is_within(counted.limit) || *route == Count::Broken,
        }
    }

    /// Where a value without a finite domain stands in a body: then nothing bounds the number of prefixes.
    fn printed(&self, name: &str) -> Option<&Reading> {
        if self.inputs.domain(name).is_some() {
            return None;
        }
        let in_text = |p: &&Reading| &*p.input == name && matches!(p.how, How::Body(_) | How::Choice);
        self.section.reads.places.iter().find(in_text)
    }

    fn check_cached(&self, sink: &mut Sink) {
        let section = self.section;
        let exempt = section.dangerous.is_some()
            || section.freeze.is_some()
            || section.role == Role::Attribution
            || section.channel == Channel::UserContext;
        if exempt || section.lifetime() != Lifetime::Turn {
            return;
        }
        let turn = |p: &&Reading| self.inputs.lifetime([&*p.input]) == Lifetime::Turn;
        if let Some(reading) = section.reads.places.iter().find(turn) {
            sink.push(errors::stale_turn_value(section, reading));
        }
    }
}

/// Levels are set for lints that there are, and tokenizers count with encodings that there are.
pub(super) fn check_project(project: &Project, sink: &mut Sink) {
    for base in project.tokenizers.iter().filter_map(|t| t.base.as_ref()) {
        if Encoding::from_name(base).is_none() {
            sink.push(errors::unknown_base(base));
        }
    }
    for (name, _) in &project.lints {
        if !rules::is_allowable(name) {
            match rules::rule(name) {
                Some(_) => sink.push(errors::error_level(name)),
                None => sink.push(errors::unknown_rule(name, rules::lint_names())),
            }
        }
    }
}

/// `allow` silences lints, and two errors of this page; on another error it is itself an error.
fn check_allow(section: &Section, inputs: &Inputs, sink: &mut Sink) {
    for allow in &section.allow {
        let name = allow.rule.value.as_str();
        if rules::is_allowable(name) {
            // What looks like a secret may be an example; an input that says that it is one is never printed.
            if name == template::SECRET_IN_PROMPT.name && prints_secret(section, inputs) {
                sink.push(errors::error_allowed(&allow.rule));
            }
            continue;
        }
        match rules::rule(name) {
            Some(_) => sink.push(errors::error_allowed(&allow.rule)),
            None => sink.push(errors::unknown_rule(&allow.rule, rules::lint_names())),
        }
    }
}

fn prints_secret(section: &Section, inputs: &Inputs) -> bool {
    let secret = |name: &str| inputs.get(name).and_then(|i| i.definition.plain()).is_some_and(|p| p.secret);
    let printed = |how| matches!(how, How::Body(role) if role != template::Role::Tested);
    section.reads.places.iter().any(|p| printed(p.how) && secret(&p.input))
}
