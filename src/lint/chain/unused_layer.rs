//! `unused-layer`: a link that can never win.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::manifest::Layer;
use crate::resolve::{Resolved, Route};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "unused-layer",
    level: Severity::Warning,
    summary: "a link of the chain that can never win",
    doc: include_str!("unused_layer.md"),
};

/// A link is of use when it can win in one cell of its profile's matrix. The default is: what stronger links keep,
/// extend and are laid out by comes from there.
fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let mut links: BTreeMap<(&str, Layer), Vec<(&Resolved, &Route)>> = BTreeMap::new();
    for made in view.made.iter().filter(|m| m.is_first) {
        let resolved = &made.compiled.resolved;
        for route in resolved.routes.iter().filter(|r| r.layer != Layer::Default) {
            links.entry((&resolved.profile, route.layer)).or_default().push((resolved, route));
        }
    }
    for cells in links.values().filter(|cells| cells.iter().all(|(_, route)| !route.can_win)) {
        found.extend(cells.first().map(|(resolved, route)| message(resolved, route, cells)));
    }
}

fn message(resolved: &Resolved, route: &Route, cells: &[(&Resolved, &Route)]) -> Diagnostic {
    let name = route.layer.name();
    let found = Diagnostic::new(&INFO, route.span, format!("the link `{name}` can never win"));
    let never = cells.iter().all(|(_, route)| route.holds == Some(false));
    let stronger = resolved.routes.iter().find(|r| r.layer < route.layer && r.holds == Some(true));
    match (&route.when, stronger) {
        (Some(when), _) if never => found
            .label("its text is never sent")
            .also(when.text.outer_span(), "is false with the build values of this profile")
            .help("take the link out of this profile, or mend its `when`"),
        (_, Some(stronger)) => found
            .label("its text is never sent")
            .also(stronger.span, format!("`{}` is stronger and always holds", stronger.layer.name()))
            .help(format!("give `{}` a `when`, or take one of the two out", stronger.layer.name())),
        _ => found.label("its text is never sent").help("take the link out, or mend its `when`"),
    }
}
