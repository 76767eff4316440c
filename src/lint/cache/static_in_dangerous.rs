//! `static-in-dangerous`: fixed text that is sent anew on every turn.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Lifetime;
use crate::lint::{Check, Route, Rule};
use crate::manifest::Channel;
use crate::resolve::{How, Section};
use crate::template;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "static-in-dangerous",
    level: Severity::Warning,
    summary: "much fixed text in a section that is recomputed on every turn",
    doc: include_str!("static_in_dangerous.md"),
};

/// Fixed tokens of a section from which on it is worth cutting.
const LARGE: u64 = 100;

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let Some(target) = view.profile.target else { return };
    let counter = target.counter();
    let inputs = &view.profile.resolved.inputs;
    for section in view.route.sections.iter().filter(|s| s.channel != Channel::UserContext && !s.is_layer()) {
        let comes_and_goes =
            section.reads.places.iter().any(|r| r.how == How::When && inputs.lifetime([&*r.input]) == Lifetime::Turn);
        // Text that is there on some turns only has to be sent with them.
        if section.dangerous.is_none() || comes_and_goes {
            continue;
        }
        let syntax = view.route.layout.syntax();
        let fixed = section.bodies().into_iter().map(|text| match section.verbatim {
            true => counter.count(&text.text),
            false => counter.count(&template::fixed(&text.text, syntax)),
        });
        // Of texts chosen by an axis one is sent.
        if let Some(tokens) = fixed.min().filter(|tokens| *tokens >= LARGE) {
            found.push(section.finding(message(section, tokens)));
        }
    }
}

fn message(section: &Section, tokens: u64) -> Diagnostic {
    let message = format!("most turns send the same text of `{}` again", section.id);
    let found = Diagnostic::new(&INFO, section.span, message).label("recomputed on every turn");
    let found = match &section.dangerous {
        Some(reason) => found.also(reason.span, "for this reason"),
        None => found,
    };
    found
        .note(format!("{tokens} tokens of it hang on no value: they need not be sent anew"))
        .help("cut the section in two: the fixed text into a static section, and the rest stays")
        .tokens(tokens)
}
