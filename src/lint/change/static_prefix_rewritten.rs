//! `static-prefix-rewritten`: the shared prefix has other bytes, and what that costs.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::diff::{Cost, Kept, PrefixChange, What};
use crate::lint::{Change, Check, Rule};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Change(check) };

static INFO: RuleInfo = RuleInfo {
    name: "static-prefix-rewritten",
    level: Severity::Info,
    summary: "a static prefix with other bytes, which live sessions write anew",
    doc: include_str!("static_prefix_rewritten.md"),
};

fn check(view: &Change<'_>, found: &mut Vec<Diagnostic>) {
    for cause in view.change.causes.iter().filter(|cause| cause.what == What::Rewritten) {
        if let (Some(id), Some(prefix)) = (&cause.section, &view.change.prefix) {
            let message = message(view.place(cause), id, prefix, view.change.cost.as_ref());
            found.push(view.finding(cause, message));
        }
    }
}

fn message(place: Span, id: &str, prefix: &PrefixChange, cost: Option<&Cost>) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("the static prefix has other bytes, from `{id}` on"))
        .label("the first that differs");
    let found = found.note(match prefix.how {
        Kept::TooShort => "it is too short to be cached, so nothing is written anew".to_owned(),
        Kept::NowLongEnough => "it was too short to be cached, so nothing is written anew".to_owned(),
        Kept::NoLongerCached => "it is too short to be cached now, so nothing of it is kept".to_owned(),
        Kept::Marks | Kept::Tokens => format!(
            "of {} tokens {} are kept; every live session writes {} anew, once",
            prefix.tokens_after, prefix.kept, prefix.rewritten
        ),
    });
    match cost.filter(|cost| cost.once > 0.0) {
        None => found,
        Some(cost) => {
            let sessions =
                if cost.sessions == 1 { "a session".to_owned() } else { format!("{} sessions", cost.sessions) };
            let since = cost.as_of.as_ref().map_or_else(String::new, |date| format!(", prices as of {date}"));
            found.note(format!("for {sessions} that is {:.6} {}{since}", cost.once, cost.currency))
        }
    }
}
