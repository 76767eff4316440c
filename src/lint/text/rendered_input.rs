//! `rendered-input` where the text is the team's own: a value that is taken as a template.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Route, Rule};
use crate::resolve::{RENDERED_INPUT, Source};
use crate::source::Spanned;

pub(in crate::lint) static RULE: Rule = Rule { info: INFO, check: Check::Route(check) };

static INFO: &RuleInfo = &RENDERED_INPUT;

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    for section in view.route.sections.iter().filter(|s| !s.verbatim) {
        if let Source::Input(name) = &section.source {
            let foreign = view.profile.resolved.inputs.get(name).is_none_or(|input| input.is_foreign());
            found.extend((!foreign).then(|| section.finding(message(name))));
        }
    }
}

/// Foreign text is refused by the compiler.
fn message(name: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(INFO, name.span, format!("the value of `{}` runs as a template", name.value))
        .label("`render = true` on a value")
        .note("it can read every other input and every file of the prompts, and fails on a brace that is only a brace")
        .help("drop `render = true`: the text then stands as it is")
        .help("or fill in what may vary alone: `fill` replaces names in data and knows nothing else")
        .level(Severity::Warning)
}
