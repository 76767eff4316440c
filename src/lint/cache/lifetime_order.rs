//! `lifetime-order`: what changes soon stands ahead of what stays.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Route, Rule};
use crate::manifest::{Role, Zone};
use crate::resolve::Section;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "lifetime-order",
    level: Severity::Warning,
    summary: "something that changes soon stands before something that stays longer",
    doc: include_str!("lifetime_order.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let sections: Vec<&Section> = view
        .route
        .sections
        .iter()
        .filter(|s| s.role == Role::Content && s.declared == Zone::Dynamic && !s.is_layer())
        .collect();
    for (at, section) in sections.iter().enumerate() {
        let behind = sections[at + 1..].iter().filter(|s| s.channel == section.channel);
        let longer: Vec<&Section> = behind.filter(|s| s.lifetime() > section.lifetime()).copied().collect();
        if let Some(first) = longer.first() {
            let tokens = view.tokens(longer.iter().copied());
            found.push(section.finding(message(section, first, tokens)));
        }
    }
}

fn message(section: &Section, behind: &Section, tokens: u64) -> Diagnostic {
    let (short, long) = (section.lifetime().name(), behind.lifetime().name());
    let message = format!("`{}` ({short}) stands before `{}` ({long})", section.id, behind.id);
    Diagnostic::new(&INFO, section.span, message)
        .label(format!("changes with the {short}"))
        .also(behind.span, format!("would stay the same for the {long}"))
        .note(format!("when it changes, the {tokens} tokens behind it that have not changed are sent anew"))
        .help(format!("put `{}` behind everything that stays longer", section.id))
        .tokens(tokens)
}
