//! The chain's trace: which link won, why, what came along, where each section came from.

use std::collections::BTreeMap;

use serde::Serialize;

use super::escape::escape;
use super::tokens::columns;
use crate::compile::Compiled;
use crate::emit::{Subject, cell_name};
use crate::input::Value;
use crate::json;
use crate::manifest::Layer;
use crate::resolve::{Carried, Origin, Section};
use crate::select::{AppendState, LinkState};
use crate::source::SourceMap;

#[derive(Serialize)]
struct Report {
    format: &'static str,
    profile: String,
    winner: &'static str,
    links: Vec<LinkShape>,
    appended: Vec<AppendedShape>,
    kept: Vec<String>,
    sections: Vec<SectionShape>,
    /// The agent that is sent, with its front matter.
    agent: Option<AgentShape>,
}

#[derive(Serialize)]
struct AgentShape {
    name: String,
    front_matter: BTreeMap<String, DataShape>,
}

/// Data as it stands in a file.
#[derive(Serialize)]
#[serde(untagged)]
enum DataShape {
    Null,
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<DataShape>),
    Table(BTreeMap<String, DataShape>),
}

#[derive(Serialize)]
struct LinkShape {
    link: &'static str,
    state: &'static str,
    when: Option<String>,
    source: Option<String>,
}

#[derive(Serialize)]
struct AppendedShape {
    id: String,
    source: String,
    state: &'static str,
}

#[derive(Serialize)]
struct SectionShape {
    id: String,
    from: String,
    carrier: &'static str,
}

/// The trace as JSON, format `promptc.route/1`.
pub fn json(compiled: &Compiled, subject: &Subject<'_>) -> String {
    let when = |layer: Layer| compiled.resolved.route(layer).and_then(|r| r.when.as_ref());
    json::to_text(&Report {
        format: "promptc.route/1",
        profile: compiled.resolved.profile.clone(),
        winner: subject.route.layer.name(),
        links: compiled
            .links
            .iter()
            .map(|(layer, state, carried)| LinkShape {
                link: layer.name(),
                state: state_word(*state),
                when: when(*layer).map(|w| w.text.text.to_string()),
                source: carried.as_ref().map(|c| c.source.clone()),
            })
            .collect(),
        appended: compiled
            .resolved
            .appended
            .iter()
            .zip(&compiled.appended)
            .map(|(item, state)| AppendedShape {
                id: item.id.clone(),
                source: item.carrier.source.clone(),
                state: appended_word(*state),
            })
            .collect(),
        kept: subject.route.kept.clone(),
        sections: live(subject)
            .map(|section| SectionShape {
                id: section.id.clone(),
                from: from(section, subject.route.layer),
                carrier: carrier(section, compiled, subject).kind,
            })
            .collect(),
        agent: compiled.agent.as_ref().map(|agent| AgentShape {
            name: agent.name.value.clone(),
            front_matter: agent.front.iter().map(|(key, value)| (key.clone(), data(value))).collect(),
        }),
    })
}

fn data(value: &Value) -> DataShape {
    match value {
        Value::Null => DataShape::Null,
        Value::Bool(b) => DataShape::Bool(*b),
        Value::Integer(n) => DataShape::Integer(*n),
        Value::Number(n) => DataShape::Number(*n),
        Value::String(s) => DataShape::Text(s.clone()),
        Value::List(items) => DataShape::List(items.iter().map(data).collect()),
        Value::Table(map) => DataShape::Table(map.iter().map(|(k, v)| (k.clone(), data(v))).collect()),
    }
}

/// The trace for people.
pub fn text(compiled: &Compiled, subject: &Subject<'_>, sources: &SourceMap) -> String {
    let mut out = format!("profile   {}\n", escape(&compiled.resolved.profile));
    let cell = cell_name(&compiled.resolved.cell);
    if !cell.is_empty() {
        out.push_str(&format!("cell      {}\n", escape(&cell)));
    }
    out.push_str(&format!("winner    {}\n\n", subject.route.layer.name()));
    let mut lines = vec![["layer", "state", "when", "carrier", "source"].map(str::to_owned)];
    for (layer, state, carrier) in &compiled.links {
        let route = compiled.resolved.route(*layer);
        let when = route.and_then(|r| r.when.as_ref()).map(|w| one_line(&w.text.text));
        lines.push([
            layer.name().to_owned(),
            state_word(*state).to_owned(),
            when.unwrap_or_else(|| if route.is_some() { "always".to_owned() } else { "-".to_owned() }),
            carrier.as_ref().map_or("-", |c| c.kind).to_owned(),
            carrier.as_ref().map_or_else(|| "-".to_owned(), |c| escape(&c.source)),
        ]);
    }
    for (item, state) in compiled.resolved.appended.iter().zip(&compiled.appended) {
        lines.push([
            item.id.clone(),
            appended_word(*state).to_owned(),
            item.when.as_ref().map_or_else(|| "always".to_owned(), |w| one_line(&w.text.text)),
            item.carrier.kind.to_owned(),
            escape(&item.carrier.source),
        ]);
    }
    out.push_str(&columns(&lines, 5));
    if let Some(agent) = &compiled.agent {
        out.push_str(&format!("\nagent     {}\n", escape(&agent.name.value)));
        for (key, value) in agent.front.iter().filter(|(key, _)| key != "name") {
            let shown = match value {
                Value::String(s) => s.clone(),
                other => other.canonical_json(),
            };
            out.push_str(&format!("  {}: {}\n", escape(key), one_line(&shown)));
        }
    }
    if !subject.route.kept.is_empty() {
        out.push_str(&format!("\nkept from the default: {}\n", subject.route.kept.join(", ")));
    }
    if !subject.route.folded.is_empty() {
        let ids: Vec<&str> = subject.route.folded.iter().map(|s| s.id.as_str()).collect();
        out.push_str(&format!("dropped by build values: {}\n", ids.join(", ")));
    }
    out.push('\n');
    let mut lines = vec![["block", "section", "lifetime", "from", "carrier", "defined at"].map(str::to_owned)];
    for block in &subject.fitted.plan.blocks {
        for placed in &block.sections {
            let section = &subject.route.sections[placed.index];
            let file = sources.file(placed.defined.file);
            lines.push([
                block.kind.name().to_owned(),
                section.id.clone(),
                placed.lifetime.name().to_owned(),
                from(section, subject.route.layer),
                carrier(section, compiled, subject).kind.to_owned(),
                escape(&format!("{}:{}", file.path(), file.lines().line(placed.defined.start))),
            ]);
        }
    }
    out.push_str(&columns(&lines, 6));
    out
}

fn one_line(text: &str) -> String {
    escape(text).replace('\n', " ")
}

fn live<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a Section> {
    let (blocks, sections) = (&subject.fitted.plan.blocks, &subject.route.sections);
    blocks.iter().flat_map(|b| &b.sections).map(|placed| &sections[placed.index])
}

/// The manifest that defines a section, or the layer that gives it.
fn from(section: &Section, winner: Layer) -> String {
    match &section.origin {
        Origin::Prompt(name) => name.clone(),
        Origin::Kept(name) => format!("{name} (kept)"),
        Origin::Layer => winner.name().to_owned(),
        Origin::Append => "append".to_owned(),
    }
}

fn carrier(section: &Section, compiled: &Compiled, subject: &Subject<'_>) -> Carried {
    let prompt = || Carried { kind: "prompt", source: String::new() };
    match &section.origin {
        Origin::Prompt(_) | Origin::Kept(_) => prompt(),
        Origin::Layer => subject.route.carrier.clone(),
        Origin::Append => {
            let item = compiled.resolved.appended.iter().find(|a| a.id == section.id);
            item.map_or_else(prompt, |a| a.carrier.clone())
        }
    }
}

fn state_word(state: LinkState) -> &'static str {
    match state {
        LinkState::Won => "won",
        LinkState::Shadowed => "shadowed",
        LinkState::ConditionFalse => "condition-false",
        LinkState::Absent => "absent",
        LinkState::Undecided => "undecided",
    }
}

fn appended_word(state: AppendState) -> &'static str {
    match state {
        AppendState::Appended => "appended",
        AppendState::ConditionFalse => "condition-false",
        AppendState::Overridden => "overridden",
        AppendState::Undecided => "undecided",
    }
}
