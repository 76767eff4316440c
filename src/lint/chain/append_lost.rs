//! `append-lost`: what is appended, and does not come out.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Profile, Project, Rule};
use crate::manifest::{AppendItem, Layer};
use crate::resolve::{Resolved, Route, Source};
use crate::source::Span;

pub(in crate::lint) static RULE: Rule =
    Rule { info: &INFO, check: Check::Several(&[Check::Project(check), Check::Artifact(overridden)]) };

static INFO: RuleInfo = RuleInfo {
    name: "append-lost",
    level: Severity::Warning,
    summary: "an item of `append` that does not come out",
    doc: include_str!("append_lost.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let mut profiles: BTreeMap<&str, Vec<Profile<'_>>> = BTreeMap::new();
    for made in view.made.iter().filter(|m| m.is_first) {
        profiles.entry(&made.compiled.resolved.profile).or_default().push(made.profile(view.workspace));
    }
    for cells in profiles.values() {
        let items = cells.first().map_or(&[][..], |profile| &profile.written.chain.append);
        for (n, item) in items.iter().enumerate() {
            found.extend(item_lost(cells, n, item));
        }
    }
}

/// What is wrong with one item, in all cells of its profile.
fn item_lost(cells: &[Profile<'_>], n: usize, item: &AppendItem) -> Option<Diagnostic> {
    let resolved: Vec<&Resolved> = cells.iter().map(|profile| profile.resolved).collect();
    let id = &resolved.first()?.appended.get(n)?.id;
    let winners: Vec<&Route> = resolved.iter().flat_map(|r| r.routes.iter().filter(|route| route.can_win)).collect();
    let overrides: Vec<&&Route> = winners.iter().filter(|route| route.layer == Layer::Override).collect();
    if let Some(when) = &item.when
        && resolved.iter().all(|r| r.build.holds(Some(when)) == Some(false))
    {
        let found = message(item.span, format!("`{id}` is never appended"));
        let found = found.also(when.text.outer_span(), "is false with the build values of this profile");
        return Some(found.help("take the item out of this profile, or mend its `when`"));
    }
    let blank = winners
        .iter()
        .flat_map(|route| &route.sections)
        .find(|s| s.id == *id && matches!(&s.source, Source::Text(text) if text.text.trim().is_empty()));
    if blank.is_some() {
        let found = message(item.span, format!("`{id}` appends nothing"));
        return Some(found.note("its text is nothing but blanks").help("write its text, or take the item out"));
    }
    let strongest = overrides.first().filter(|_| !item.after_override && overrides.len() == winners.len())?;
    let found = message(item.span, format!("`{id}` is never appended"));
    let found = found.also(strongest.span, "always wins, and stands alone");
    Some(found.help("say `after_override = true`, or take the item out"))
}

/// Items that would be sent, but for the override that wins.
fn overridden(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let (resolved, won) = (view.subject.resolved, view.subject.route);
    let Some(profile) = view.workspace.profiles.get(&resolved.profile).filter(|_| won.layer == Layer::Override) else {
        return;
    };
    let always = resolved.routes.iter().filter(|route| route.can_win).count() == 1;
    let values = view.values();
    for (item, appended) in profile.chain.append.iter().zip(&resolved.appended) {
        let lost = !item.says_after_override && values.holds(item.when.as_ref()) == Some(true);
        // An override that always wins is told once for the profile.
        if lost && !always {
            let found_here = message(item.span, format!("`{}` is not sent when the override wins", appended.id));
            found.push(
                found_here
                    .also(won.span, "stands alone: nothing comes after it that does not say so")
                    .help("if it should come after the override too, say `after_override = true`")
                    .help("or, if it is meant so, say `after_override = false`"),
            );
        }
    }
}

fn message(place: Span, message: String) -> Diagnostic {
    Diagnostic::new(&INFO, place, message).label("what is appended is lost")
}
