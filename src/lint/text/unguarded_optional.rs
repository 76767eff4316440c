//! `unguarded-optional`: a value that may be missing is used as if it were always there.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Datum;
use crate::lint::{Check, Route, Rule};
use crate::resolve::{How, Section, Source};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "unguarded-optional",
    level: Severity::Warning,
    summary: "an optional input used without asking whether it is there",
    doc: include_str!("unguarded_optional.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let build = &view.profile.resolved.build;
    for section in &view.route.sections {
        // Whether the section, or the whole route, is out when the input is missing.
        let is_out = |missing: &str| {
            let values = build.with([(missing, Datum::Missing)]);
            [section.when.as_ref(), view.route.when.as_ref()].into_iter().any(|w| values.holds(w) == Some(false))
        };
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for place in &section.reads.unguarded {
            // One message for each input: with a guard around the first place the others are seen.
            if !is_out(&place.missing) && told.insert(&place.missing) {
                found.push(section.finding(message(section, &place.input, &place.missing, place.span)));
            }
        }
        if let Source::Input(name) | Source::Agent(name) = &section.source {
            let optional = view.profile.resolved.inputs.get(name).is_some_and(|input| input.optional);
            if optional && build.may_be_missing(name) && !is_out(name) {
                let layer = section.reads.places.iter().any(|p| p.how == How::Choice && *p.input == *name.value);
                found.extend(layer.then(|| section.finding(layer_message(section, name, name.span))));
            }
        }
    }
}

fn message(section: &Section, input: &str, missing: &str, place: Span) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("`{input}` may be missing, and this would fail"))
        .label("used as if it were always there")
        .also(section.span, "nothing that this section asks for makes it sure")
        .note("without the value the section cannot be rendered, and nothing is sent")
        .help(format!(
            "ask first: `{{% if {input} is defined %}}`, or `when = \"{missing} is defined\"` on the section"
        ))
        .help(format!("or give a value: `{{{{ {input} | default(\"..\") }}}}`"));
    match input == missing {
        true => found,
        false => found.note(format!("`{input}` is derived from `{missing}`, which is optional")),
    }
}

fn layer_message(section: &Section, input: &str, place: Span) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("`{input}` may be missing, and `{}` would have no text", section.id))
        .label("used as if it were always there")
        .note("a link or an item that holds and has no text is an error, and nothing is sent")
        .help(format!("say `when = \"{input} is defined\"`"))
}
