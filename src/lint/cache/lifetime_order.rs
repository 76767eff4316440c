//! `lifetime-order`: what changes soon stands ahead of what stays.

use crate::compile::reordered;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Lifetime;
use crate::lint::{Check, Route, Rule, errors};
use crate::manifest::{Channel, Role, Zone};
use crate::resolve::{Origin, Section};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "lifetime-order",
    level: Severity::Warning,
    summary: "something that changes soon stands before something that stays longer",
    doc: include_str!("lifetime_order.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    for channel in [Channel::System, Channel::SystemContext, Channel::UserContext] {
        // The chain puts kept sections behind a link's own: there is nothing to choose between the two.
        for kept in [false, true] {
            let group: Vec<&Section> = view
                .route
                .sections
                .iter()
                .filter(|s| s.channel == channel && is_movable(s) && matches!(s.origin, Origin::Kept(_)) == kept)
                .collect();
            check_group(view, &group, found);
        }
    }
}

fn check_group(view: &Route<'_>, group: &[&Section], found: &mut Vec<Diagnostic>) {
    let mut right = group.to_vec();
    right.sort_by_key(|s| std::cmp::Reverse(lifetime(s)));
    for (at, section) in group.iter().enumerate() {
        let longer: Vec<&Section> =
            group[at + 1..].iter().filter(|s| lifetime(s) > lifetime(section)).copied().collect();
        let (Some(first), Some(last)) = (longer.first(), longer.last()) else { continue };
        let mut told = message(section, first, last, view.tokens(longer.iter().copied()));
        told.fix = reordered(view.profile.workspace, &right, None);
        found.push(section.finding(told));
    }
}

/// Static sections are `static-after-boundary`'s, the place of a layer is the chain's, that of a role the provider's; and
/// a section of blanks belongs to its neighbours.
fn is_movable(section: &Section) -> bool {
    section.role == Role::Content && section.declared == Zone::Dynamic && !section.is_layer() && !section.is_blank()
}

/// How long its text stands: of one that is recomputed every turn no longer than that, whatever it reads.
fn lifetime(section: &Section) -> Lifetime {
    if section.dangerous.is_some() { Lifetime::Turn } else { section.lifetime() }
}

fn message(section: &Section, first: &Section, last: &Section, tokens: u64) -> Diagnostic {
    let (short, long) = (lifetime(section).name(), lifetime(first).name());
    let message = format!("`{}` ({short}) stands before `{}` ({long})", section.id, first.id);
    Diagnostic::new(&INFO, section.span, message)
        .label(format!("changes with the {short}"))
        .also(first.span, if long == "build" { "never changes".to_owned() } else { format!("stays for the {long}") })
        .note(format!("when it changes, {} behind it that did not change are sent anew", errors::about(tokens, "the")))
        .help(format!("put `{}` behind `{}`", section.id, last.id))
        .tokens(tokens)
}
