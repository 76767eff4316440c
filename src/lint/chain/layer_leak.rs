//! `layer-leak`: text of a layer that lost, in what is sent.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::paragraphs::paragraphs;
use crate::lint::{Artifact, Check, Rule, Told};
use crate::manifest::Layer;
use crate::resolve::{Origin, Section, Source, Values};
use crate::source::{Located, Span};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "layer-leak",
    level: Severity::Warning,
    summary: "text of a layer that lost, in what is sent",
    doc: include_str!("layer_leak.md"),
};

/// A section of a weaker layer: the winner takes its place.
#[derive(Clone, Copy)]
struct Lost<'a> {
    layer: Layer,
    section: &'a Section,
}

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let (resolved, won) = (view.subject.resolved, view.subject.route);
    let values = view.values();
    let sent: Vec<Told<'_>> = view.sections().into_iter().filter(|told| is_own(told.section)).collect();
    // What the winner is made of by itself is its own, whoever else uses it.
    let own: BTreeSet<Span> = won.sections.iter().flat_map(Section::bodies).map(Located::whole_span).collect();
    let included: BTreeSet<&str> = won.sections.iter().flat_map(|s| &s.reads.files).map(String::as_str).collect();
    let mut lost: BTreeMap<String, Lost<'_>> = BTreeMap::new();
    for route in resolved.routes.iter().filter(|route| route.layer > won.layer) {
        for section in route.sections.iter().filter(|section| is_own(section)) {
            let is_shared = |text: &&Located| {
                let path = view.workspace.sources.path(text.file());
                own.contains(&text.whole_span()) || included.iter().any(|file| path.ends_with(&format!("/{file}")))
            };
            let written =
                section.bodies().into_iter().filter(|text| !is_shared(text)).map(|text| text.text.to_string());
            for paragraph in written.chain(value(section, &values)).flat_map(|text| paragraphs(&text)) {
                // What holds a template comes out as something else.
                if section.verbatim || !["{{", "{%", "{#"].iter().any(|tag| paragraph.contains(tag)) {
                    lost.entry(paragraph).or_insert(Lost { layer: route.layer, section });
                }
            }
        }
    }
    for told in sent {
        let all = paragraphs(told.text);
        let leaked: Vec<(&String, &Lost<'_>)> = all.iter().filter_map(|p| Some((p, lost.get(p)?))).collect();
        if let Some((paragraph, first)) = leaked.first() {
            found.push(told.section.finding(message(told.section, won.layer, first, paragraph, leaked.len())));
        }
    }
}

/// Whether a section is a link's own text: neither kept nor appended.
fn is_own(section: &Section) -> bool {
    matches!(section.origin, Origin::Prompt(_) | Origin::Layer)
}

/// The text of a layer that arrives as a value.
fn value(section: &Section, values: &Values) -> Option<String> {
    match &section.source {
        Source::Input(name) => values.string(name).map(str::to_owned),
        _ => None,
    }
}

fn message(section: &Section, won: Layer, lost: &Lost<'_>, paragraph: &str, count: usize) -> Diagnostic {
    let (winner, loser) = (won.name(), lost.layer.name());
    let begins: String = paragraph.chars().take(48).collect();
    let paragraphs = if count == 1 { "one paragraph".to_owned() } else { format!("{count} paragraphs") };
    Diagnostic::new(&INFO, section.span, format!("`{winner}` is sent, and says what `{loser}` says"))
        .label("has text of a layer that lost")
        .also(lost.section.span, format!("the text of `{loser}`"))
        .note(format!("{paragraphs}, the first of which begins `{begins}`"))
        .note("a copy does not follow when the other one changes")
        .help("keep the section by `keep = [\"ID\"]`, or let both use one file")
        .help("or, if the default should stay as a whole, append to it: `append`, or `mode = \"extend\"` for an agent")
}
