//! `static-after-boundary`: text that is the same for everyone, behind text that is not.

use crate::compile::reordered;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Lifetime;
use crate::lint::{Check, Route, Rule, errors};
use crate::manifest::{Channel, Role, Zone};
use crate::resolve::Section;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "static-after-boundary",
    level: Severity::Error,
    summary: "static text behind a dynamic section, where nobody shares it",
    doc: include_str!("static_after_boundary.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let content: Vec<&Section> =
        view.route.sections.iter().filter(|s| s.role == Role::Content && s.channel == Channel::System).collect();
    let Some(boundary) = content.iter().position(|s| s.zone == Zone::Dynamic) else { return };
    let is_late = |s: &Section| s.declared == Zone::Static && s.zone == Zone::Dynamic && !s.is_blank();
    let can_move = |s: &Section| is_late(s) && !s.is_layer() && s.lifetime() == Lifetime::Build;
    // From the first dynamic section to the last that is to come before it.
    let end = content.iter().rposition(|s| can_move(s)).map_or(boundary, |last| last + 1);
    let (early, rest): (Vec<&Section>, Vec<&Section>) =
        content[boundary..end.max(boundary)].iter().copied().partition(|s| can_move(s));
    let order: Vec<&Section> = early.iter().chain(&rest).copied().collect();
    let shared = content[..boundary].iter().chain(&early).map(|s| s.id.as_str()).collect::<Vec<_>>().join(", ");
    for section in content.iter().copied().filter(|s| is_late(s)) {
        let tokens = view.tokens([section]);
        let mut told = message(section, content[boundary], tokens);
        told = match (section.is_layer(), section.lifetime()) {
            (true, _) => told.help("drop `zone = \"static\"`: the chain puts this text behind the boundary"),
            (false, Lifetime::Build) => told
                .note(format!("the order that would share it: {shared}, and then `{}`", content[boundary].id))
                .help(format!("put `{}` before `{}`", section.id, content[boundary].id))
                .help("or say what it is here: `zone = \"dynamic\"`"),
            (false, lifetime) => told
                .help(format!("say what it is here, `zone = \"dynamic\"`: a value that it reads {}", lifetime.known())),
        };
        if can_move(section) {
            told.fix = reordered(view.profile.workspace, &order, None);
        }
        found.push(section.finding(told));
    }
}

fn message(section: &Section, boundary: &Section, tokens: u64) -> Diagnostic {
    let message = format!("`{}` is static and stands behind `{}`, which is dynamic", section.id, boundary.id);
    Diagnostic::new(&INFO, section.span, message)
        .label("cannot be shared here")
        .also(boundary.span, "the boundary is here")
        .note(format!("ahead of the boundary everyone would share {}; here nobody does", errors::about(tokens, "its")))
        .tokens(tokens)
}
