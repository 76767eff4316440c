//! `too-many-marks`: more cache marks than the provider takes.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Rule, errors};
use crate::plan::Capabilities;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "too-many-marks",
    level: Severity::Error,
    summary: "more cache marks than the provider takes",
    doc: include_str!("too_many_marks.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let (target, fitted) = (view.subject.target, view.subject.fitted);
    let Some(written) = &view.subject.resolved.target else { return };
    let place = written.marks_for_messages.map_or(written.provider.span, |marks| marks.span);
    if target.marks_for_messages > target.max_marks {
        found.push(too_many_kept(place, target));
        return;
    }
    // Where there are no marks at all, the provider caches by itself.
    if target.max_marks > 0 && !fitted.unplaced.is_empty() {
        let without: Vec<&str> = fitted.unplaced.iter().map(|kind| kind.name()).collect();
        let blocks = fitted.plan.blocks.iter().filter(|b| fitted.unplaced.contains(&b.kind));
        let tokens = blocks.filter_map(|b| b.text.as_ref()).map(|t| t.tokens).sum();
        found.push(too_many_wanted(place, target, fitted.marks_used(), &without, tokens));
    }
}

fn too_many_kept(place: Span, target: &Capabilities) -> Diagnostic {
    let (kept, most) = (target.marks_for_messages, target.max_marks);
    let message = format!("{kept} marks are kept for messages, and `{}` takes {most}", target.provider);
    let found = Diagnostic::new(&INFO, place, message).label("more than there are");
    match most {
        0 => found.note("this provider finds cached prefixes by itself").help("drop `marks_for_messages`"),
        most => found
            .note("a request with more marks is refused")
            .help(format!("keep fewer than {most}, so that the prompt has one too")),
    }
}

fn too_many_wanted(place: Span, target: &Capabilities, used: usize, without: &[&str], tokens: u64) -> Diagnostic {
    let (kept, most) = (target.marks_for_messages, target.max_marks);
    let wanted = used + without.len();
    let message = format!("the blocks want {wanted} marks, and {} are left for them", most - kept);
    Diagnostic::new(&INFO, place, message)
        .label(format!("{kept} of {most} are kept for messages"))
        .note(format!(
            "without a mark: {}; {} of it are cached with the messages or not at all",
            without.join(", "),
            errors::counted(tokens, "the")
        ))
        .help(format!(
            "keep {} for messages: `marks_for_messages = {}`",
            most.saturating_sub(wanted as u64),
            most.saturating_sub(wanted as u64)
        ))
        .tokens(tokens)
}
