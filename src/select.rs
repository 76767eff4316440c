//! Values bound: which link wins, which sections live, and why.
//!
//! Owns verdicts. Knows no text. Zones are settled when resolving, since they never hang on run-time values. Main
//! types: [`Selected`], [`Verdict`], [`LinkState`].

use crate::diag::{Diagnostic, RuleInfo, Severity, Sink};
use crate::manifest::Layer;
use crate::resolve::{Appended, Resolved, Route, Section, Values};

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 2] = [&LAYER_NOT_THERE, &NO_LINK_HOLDS];

/// No link of the chain holds.
pub static NO_LINK_HOLDS: RuleInfo = RuleInfo {
    name: "no-link-holds",
    level: Severity::Error,
    summary: "a chain of which no link holds",
    doc: "Every link has a `when`, and none is true. A chain usually ends in a `default` without a `when`.",
};

/// A layer is asked for that the chain does not have.
pub static LAYER_NOT_THERE: RuleInfo = RuleInfo {
    name: "layer-not-there",
    level: Severity::Error,
    summary: "`--route` of a layer that the chain does not have",
    doc: "`--route` builds the artifact of one link. The link must be written in `[chain]`, and must not be ruled out by build values.",
};

/// A route with its sections judged.
#[derive(Debug)]
pub struct Selected<'r> {
    /// The route.
    pub route: &'r Route,
    /// What is known.
    pub values: Values,
    /// A verdict for each section of the route.
    pub verdicts: Vec<Verdict>,
    /// Whether run-time values are known.
    pub complete: bool,
}

/// What becomes of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It lives, and all that its text needs is known.
    Live,
    /// It hangs on a value that is not known.
    Open,
    /// Its condition is false.
    Dropped,
}

/// How a link of the chain stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkState {
    /// Its prompt is sent.
    Won,
    /// It holds, and a stronger one holds too.
    Shadowed,
    /// Its condition is false.
    ConditionFalse,
    /// It is not written.
    Absent,
    /// Its condition hangs on a value that is not known.
    Undecided,
}

/// How an item of `append` stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AppendState {
    /// It is sent.
    Appended,
    /// Its condition is false.
    ConditionFalse,
    /// The override won, and it does not come after one.
    Overridden,
    /// Its condition hangs on a value that is not known.
    Undecided,
}

/// Judges every section of the route that wins, or of the one that is asked for.
pub fn select<'r>(
    resolved: &'r Resolved,
    values: Values,
    complete: bool,
    asked: Option<Layer>,
    sink: &mut Sink,
) -> Option<Selected<'r>> {
    let route = match asked {
        Some(layer) => match resolved.route(layer).filter(|r| r.holds != Some(false)) {
            Some(route) => route,
            None => {
                sink.push(layer_not_there(resolved, layer));
                return None;
            }
        },
        // A link that hangs on values that are not known counts as not holding.
        None => match resolved.routes.iter().find(|r| values.holds(r.when.as_ref()) == Some(true)) {
            Some(route) => route,
            None => {
                if !resolved.routes.is_empty() {
                    sink.push(no_link_holds(resolved));
                }
                return None;
            }
        },
    };
    let verdicts = route.sections.iter().map(|section| judge(section, &values)).collect();
    Some(Selected { route, values, verdicts, complete })
}

fn judge(section: &Section, values: &Values) -> Verdict {
    match values.holds(section.when.as_ref()) {
        Some(false) => Verdict::Dropped,
        None => Verdict::Open,
        Some(true) if section.reads.text.iter().any(|name| values.is_unknown(name)) => Verdict::Open,
        Some(true) => Verdict::Live,
    }
}

impl Selected<'_> {
    /// How each item of `append` stands, in order.
    pub fn appended(&self, resolved: &Resolved) -> Vec<AppendState> {
        let overridden = self.route.layer == Layer::Override;
        let state = |item: &Appended| match self.values.holds(item.when.as_ref()) {
            _ if overridden && !item.after_override => AppendState::Overridden,
            Some(true) => AppendState::Appended,
            Some(false) => AppendState::ConditionFalse,
            None => AppendState::Undecided,
        };
        resolved.appended.iter().map(state).collect()
    }

    /// How each layer stands, strongest first.
    pub fn links(&self, resolved: &Resolved) -> Vec<(Layer, LinkState)> {
        let mut won = false;
        Layer::ALL
            .into_iter()
            .map(|layer| {
                let Some(route) = resolved.route(layer) else { return (layer, LinkState::Absent) };
                if layer == self.route.layer {
                    won = true;
                    return (layer, LinkState::Won);
                }
                let state = match self.values.holds(route.when.as_ref()) {
                    Some(true) => LinkState::Shadowed,
                    Some(false) => LinkState::ConditionFalse,
                    None if won => LinkState::Shadowed,
                    None => LinkState::Undecided,
                };
                (layer, state)
            })
            .collect()
    }
}

fn no_link_holds(resolved: &Resolved) -> Diagnostic {
    let found = Diagnostic::new(&NO_LINK_HOLDS, resolved.chain_span, "no link of the chain holds")
        .label("nothing can be sent")
        .help("add `default = { prompt = \"NAME\" }` without a `when`");
    resolved
        .routes
        .iter()
        .filter_map(|r| r.when.as_ref())
        .fold(found, |found, when| found.also(when.text.whole_span(), "does not hold"))
}

fn layer_not_there(resolved: &Resolved, layer: Layer) -> Diagnostic {
    let name = layer.name();
    let message = match resolved.route(layer) {
        Some(_) => format!("the link `{name}` cannot win with the build values of this profile"),
        None => format!("the chain has no link `{name}`"),
    };
    Diagnostic::new(&LAYER_NOT_THERE, resolved.chain_span, message).label("the chain")
}
