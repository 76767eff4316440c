//! `section-moved`: a section stands elsewhere.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::{Edit, PrefixChange, SectionChange, What};
use crate::lint::{Change, Check, Rule, errors};
use crate::manifest::Zone;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "section-moved",
    level: Severity::Warning,
    summary: "a section that stands elsewhere than before",
    doc: include_str!("section_moved.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in &view.change.causes {
        let Some(id) = &cause.section else { continue };
        let place = view.place(cause);
        match &cause.what {
            What::MovedBehind => {
                found.push(view.finding(cause, behind(place, id, cause.tokens)).level(Severity::Error));
            }
            What::Moved => {
                found.push(view.finding(cause, inside(place, id, view.change.prefix.as_ref())));
            }
            _ => {}
        }
    }
    let dynamic = |s: &&SectionChange| s.is(Edit::Moved) && s.zone == (Some(Zone::Dynamic), Some(Zone::Dynamic));
    for section in view.change.sections.iter().filter(dynamic) {
        let reason = section.allow.iter().find(|allow| allow.rule.value == INFO.name).map(|allow| allow.rule.span);
        let message = elsewhere(section.declared.unwrap_or_else(|| view.start()), &section.id);
        found.push(view.of_profile(message).level(Severity::Info).allowed(reason));
    }
}

fn behind(place: Span, id: &str, tokens: Option<u64>) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("the static section `{id}` was moved behind the boundary"))
        .label("stands behind a dynamic section")
        .note(format!("{} were shared, and belong to each session alone", errors::counted(tokens.unwrap_or(0), "its")))
        .help("put it before the first dynamic section")
        .help("or say why: `allow = { section-moved = \"..\" }` on this section")
}

fn inside(place: Span, id: &str, prefix: Option<&PrefixChange>) -> Diagnostic {
    let is_cached = prefix.is_none_or(|prefix| prefix.how.is_cached());
    let tokens = errors::counted(prefix.map_or(0, |prefix| prefix.rewritten), "the");
    Diagnostic::new(&INFO, place, format!("the static section `{id}` stands elsewhere"))
        .label("was moved")
        .note(match is_cached {
            true => format!("every live session writes {tokens} anew, once"),
            false => "the prefix is too short to be cached, so nothing is written anew".to_owned(),
        })
        .help("if the order means nothing to the model, leave it as it was")
        .help("or say why: `allow = { section-moved = \"..\" }` on this section")
}

fn elsewhere(place: Span, id: &str) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("the section `{id}` stands elsewhere"))
        .label("was moved behind the boundary's text")
}
