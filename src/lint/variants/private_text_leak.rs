//! `private-text-leak`: text that is private to one build value, in the artifact of another.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::key_of;
use crate::lint::{Check, Made, Profile, Project, Rule};
use crate::plan::{BlockText, Kind};
use crate::resolve::{Route, Section, Source};
use crate::source::{Located, Span};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "private-text-leak",
    level: Severity::Warning,
    summary: "text that is private to one build value, in the artifact of another",
    doc: include_str!("private_text_leak.md"),
};

/// Fewest characters of a line that is a text of its own and not a phrase.
const LINE: usize = 24;

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let mut told: BTreeMap<Span, Diagnostic> = BTreeMap::new();
    for made in view.made {
        let resolved = &made.compiled.resolved;
        let Some(layer) = made.compiled.winner() else { continue };
        let Some(route) = resolved.route(layer) else { continue };
        let texts = Texts::of(made.profile(view.workspace), route);
        let open: BTreeSet<&str> = texts.open.into_iter().flat_map(lines).map(|(line, _)| line).collect();
        for (section, text) in texts.private {
            for (line, place) in lines(text).into_iter().filter(|(line, _)| !open.contains(line)) {
                let leak = sent(made, view).into_iter().find(|(_, text)| text.contains(line));
                if let Some((kind, _)) = leak {
                    let message = || section.finding(message(place, section, kind, &made.name()));
                    told.entry(section.span).or_insert_with(message);
                }
            }
        }
    }
    found.extend(told.into_values());
}

/// Texts of manifests: those that the build values keep out of an artifact, and those that may be sent on purpose.
struct Texts<'a> {
    private: Vec<(&'a Section, &'a Located)>,
    open: Vec<&'a Located>,
}

impl<'a> Texts<'a> {
    fn of(profile: Profile<'a>, route: &'a Route) -> Texts<'a> {
        let gone = route.folded.iter().flat_map(|s| profile.texts(s).into_iter().map(move |text| (s, text)));
        let mut texts = Texts { private: gone.collect(), open: Vec::new() };
        for section in route.sections.iter().filter(|s| !s.is_layer()) {
            let chosen = match &section.source {
                Source::Choice { by, .. } => profile.resolved.build.get(by).value().and_then(key_of),
                _ => None,
            };
            match (&section.source, chosen) {
                (Source::Choice { files, otherwise, .. }, Some(key)) => {
                    let named = files.iter().any(|(value, _)| *value == key);
                    for (value, (_, text)) in files {
                        match *value == key {
                            true => texts.open.push(text),
                            false => texts.private.push((section, text)),
                        }
                    }
                    match otherwise {
                        Some((_, text)) if named => texts.private.push((section, text)),
                        Some((_, text)) => texts.open.push(text),
                        None => {}
                    }
                }
                _ => texts.open.extend(profile.texts(section)),
            }
        }
        texts
    }
}

/// The long lines of a text without template marks, each with its place.
fn lines(text: &Located) -> Vec<(&str, Span)> {
    let mut start = 0;
    let mut out = Vec::new();
    for line in text.text.split_inclusive('\n') {
        let shown = line.trim();
        if shown.chars().count() >= LINE && !shown.contains("{{") && !shown.contains("{%") {
            let at = start + (line.len() - line.trim_start().len());
            out.push((shown, text.span(at..at + shown.len())));
        }
        start += line.len();
    }
    out
}

/// The texts of an artifact's blocks.
fn sent<'a>(made: &'a Made, view: &Project<'a>) -> Vec<(Kind, &'a str)> {
    let Some(subject) = made.compiled.subject(view.workspace) else { return Vec::new() };
    let text = |text: &'a BlockText| text.text.as_str();
    subject.fitted.plan.blocks.iter().filter_map(|b| Some((b.kind, text(b.text.as_ref()?)))).collect()
}

fn message(place: Span, section: &Section, kind: Kind, artifact: &str) -> Diagnostic {
    Diagnostic::new(&INFO, place, format!("a line of section `{}` is sent where the section is not", section.id))
        .label("stands in an artifact that must not have it")
        .also(section.span, "its condition is false under the build values there")
        .note(format!(
            "artifact `{artifact}`, in the {} block: a value, an agent or an appended text brings it in",
            kind.name()
        ))
        .help("take it out of the text that brings it in, or send the section there on purpose")
}
