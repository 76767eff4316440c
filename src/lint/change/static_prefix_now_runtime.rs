//! `static-prefix-now-runtime`: the shared prefix depends on a run-time input that it did not depend on.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::What;
use crate::lint::{Change, Check, Rule, errors};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "static-prefix-now-runtime",
    level: Severity::Error,
    summary: "a static prefix that newly depends on a run-time input",
    doc: include_str!("static_prefix_now_runtime.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    let causes = &view.change.causes;
    let grew = causes.iter().find_map(|cause| match &cause.what {
        What::VariantsGrew { before, after } => Some(errors::grew(before, after)),
        _ => None,
    });
    for cause in causes {
        if let (What::NowRuntime { input, in_text }, Some(id)) = (&cause.what, &cause.section) {
            let message = message(view.place(cause), id, input, *in_text);
            found.push(view.finding(cause, grew.iter().fold(message, |message, grew| message.note(grew.as_str()))));
        }
    }
}

fn message(place: Span, id: &str, input: &str, in_text: bool) -> Diagnostic {
    let does = if in_text { "stands" } else { "decides what stands" };
    Diagnostic::new(&INFO, place, format!("`{input}` newly {does} in the static prefix"))
        .label(format!("read in the static section `{id}`"))
        .note("before this change no run-time value of that name could change what all sessions share")
        .help(format!("put what reads `{input}` into a section behind the boundary"))
        .help("or say why: `allow = { static-prefix-now-runtime = \"..\" }` on this section")
}
