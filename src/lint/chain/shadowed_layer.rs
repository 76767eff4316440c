//! `shadowed-layer`: a link that holds, and whose text is not sent.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule};
use crate::manifest::Layer;
use crate::resolve::Route;
use crate::select::LinkState;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "shadowed-layer",
    level: Severity::Info,
    summary: "a link that holds, and that a stronger one keeps from being sent",
    doc: include_str!("shadowed_layer.md"),
};

/// The default holds in most chains, for want of anything else. Without a context it is not known what holds.
fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    if view.context.is_none() {
        return;
    }
    let (resolved, won) = (view.subject.resolved, view.subject.route);
    let shadowed =
        view.links.iter().filter(|(layer, state, _)| *state == LinkState::Shadowed && *layer != Layer::Default);
    found.extend(shadowed.filter_map(|(layer, ..)| resolved.route(*layer)).map(|route| message(route, won)));
}

fn message(route: &Route, won: &Route) -> Diagnostic {
    let (name, winner) = (route.layer.name(), won.layer.name());
    Diagnostic::new(&INFO, route.span, format!("`{name}` holds, and `{winner}` is sent in its place"))
        .label("its text is not sent")
        .also(won.span, "stronger, and holds too")
        .help("if both should be sent, make one of them an item of `append`, or keep them apart by `when`")
}
