//! `model-identity`: the name of a model in shared text.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::plan::Facts;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "model-identity",
    level: Severity::Info,
    summary: "the name of a model in shared text",
    doc: include_str!("model_identity.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let facts = Facts::new(&view.workspace.project);
    let known: BTreeSet<String> = facts.model_names().into_iter().map(plain).collect();
    let mut seen = BTreeSet::new();
    for route in view.routes() {
        let profile = route.profile;
        let target = profile.target.map(|t| t.model.as_str()).unwrap_or_default();
        let mut names: Vec<String> = known.iter().cloned().chain([plain(target)]).filter(|n| is_name(n)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for section in route.route.sections.iter().filter(|s| s.is_shared()) {
            for text in profile.texts(section) {
                if !seen.insert((section.span, text.whole_span(), target.to_owned())) {
                    continue;
                }
                for range in mentions(&text.text, &names) {
                    let name = &text.text[range.clone()];
                    let told = message(text.span(range.clone()), name, target, &profile.resolved.profile);
                    found.push(section.finding(told));
                }
            }
        }
    }
}

/// Letters small, and blanks, dots, dashes and underscores alike. As many bytes as before.
fn plain(name: &str) -> String {
    name.chars().map(|c| if matches!(c, ' ' | '.' | '_') { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Whether it can be nothing but a name: several parts, and a number.
fn is_name(name: &str) -> bool {
    name.contains('-') && name.bytes().any(|b| b.is_ascii_digit())
}

/// Where a text names one of some models, the longest name first.
fn mentions(text: &str, names: &[String]) -> Vec<Range<usize>> {
    let alike = plain(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for name in names {
        for (start, _) in alike.match_indices(name.as_str()) {
            let end = with_version(text, start + name.len());
            let before = text[..start].chars().next_back();
            let after = text[end..].chars().next();
            let inside = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.'))
                || after.is_some_and(|c| c.is_alphanumeric());
            if !inside && !found.iter().any(|f| f.start < end && start < f.end) {
                found.push(start..end);
            }
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// The end of a name with the numbers that follow it: a date, a smaller version.
fn with_version(text: &str, mut end: usize) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    while text[end..].starts_with(['.', '-']) && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    end
}

fn message(place: Span, name: &str, target: &str, profile: &str) -> Diagnostic {
    let found = Diagnostic::new(&INFO, place, format!("shared text names the model `{name}`"))
        .label("has to be edited when the model changes");
    let found = match plain(target).starts_with(&plain(name)) {
        true => found.note("caches are kept by model, so the name costs nothing as long as the model stays"),
        false => found.note(format!("the profile `{profile}` is built for `{target}`")),
    };
    found
        .help("say what the agent is, and leave its model out")
        .help("or print a build value, so that each profile says its own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        let names = ["alpha-large-5-5", "alpha-large-5", "beta-4"].map(str::to_owned);
        let text = "Alpha Large 5.5, alpha_large.5 and a BETA-4. Not beta-40, xbeta-4, prompts/beta-4 or alpha.";
        let found: Vec<&str> = mentions(text, &names).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["Alpha Large 5.5", "alpha_large.5", "BETA-4"]);
        assert!(is_name("beta-4") && !is_name("plain") && !is_name("own-model"));
    }
}
