//! What is compared of an artifact: its sections in the order of the request, its blocks, and the text of its prefix.

use std::collections::BTreeMap;

use super::written::Written;
use crate::emit::Subject;
use crate::input::Lifetime;
use crate::manifest::{Allow, Layer, Separator, Zone};
use crate::plan::{Block, Kind, Placed, Scope};
use crate::resolve::{How, Inputs, Route, Section, Source};
use crate::source::{Located, Span};
use crate::template;
use crate::tokens::Counter;
use crate::workspace::{Context, Workspace};

/// Which artifact of a profile: the same one on both sides has the same key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    /// The cell of the matrix.
    pub(super) cell: String,
    /// The fixture; without one the artifact is ahead of time.
    pub(super) context: Option<String>,
    /// The link that is taken. With a fixture it is whichever wins.
    pub(super) layer: Option<Layer>,
}

/// One artifact.
#[derive(Clone)]
pub(super) struct Artifact {
    /// The link that is sent.
    pub(super) layer: Layer,
    /// The run-time values, in one line: equal for equal values.
    pub(super) values: String,
    /// Sections that stand, in the order of the request.
    pub(super) parts: Vec<Part>,
    /// The place of each part in them, by its id.
    places: BTreeMap<String, usize>,
    /// Blocks, in order.
    pub(super) blocks: Vec<Cut>,
    /// What stands before the boundary, joined.
    pub(super) prefix: Prefix,
}

/// A section that stands.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) id: String,
    /// Of the base: the id that it has there, when the head calls it otherwise.
    pub(super) was: Option<String>,
    /// What stands before it; `None` for the first one of a block.
    pub(super) separator: Option<Separator>,
    pub(super) kind: Kind,
    /// The zone that it has.
    pub(super) zone: Zone,
    /// The zone that it claims.
    pub(super) declared: Zone,
    pub(super) lifetime: Lifetime,
    pub(super) scope: Option<Scope>,
    /// Why it is recomputed every turn.
    pub(super) dangerous: Option<String>,
    /// Its text; the template of an open section.
    pub(super) text: String,
    /// Whether it waits for run-time values.
    pub(super) open: bool,
    /// As it is written; `None` with a context, where nothing waits.
    pub(super) written: Option<Written>,
    pub(super) tokens: Option<u64>,
    /// Where it is declared.
    pub(super) span: Span,
    /// The files or literals that its text comes from, each under a name that both sides have.
    pub(super) bodies: Vec<(String, Located)>,
    /// Files that its bodies include, from `prompts/`.
    pub(super) includes: Vec<String>,
    pub(super) allow: Vec<Allow>,
}

/// A block.
#[derive(Clone)]
pub(super) struct Cut {
    pub(super) kind: Kind,
    pub(super) scope: Option<Scope>,
    pub(super) lifetime: Lifetime,
    pub(super) mark: Option<String>,
    /// Its tokens; `None` while it is open.
    pub(super) tokens: Option<u64>,
    /// Its text, and what it is made of while it is open: whatever differs here is sent otherwise.
    pub(super) print: Vec<String>,
}

/// The shared prefix as one text: an attribution line that is not stripped, the prefix block, the static block. Open
/// sections stand in it as their templates.
#[derive(Clone)]
pub(super) struct Prefix {
    pub(super) text: String,
    /// For each part that stands in it, where it begins, the separator before it included.
    pub(super) starts: Vec<(usize, usize)>,
    /// Whether a section in it is open.
    pub(super) open: bool,
    pub(super) tokens: u64,
    /// The digest of everything up to the end of its last block, as blocks.json has it.
    pub(super) digest: Option<String>,
}

/// What compiling has to be read from.
pub(super) struct From<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) subject: Subject<'a>,
    pub(super) context: Option<&'a Context>,
}

impl Artifact {
    pub(super) fn new(from: &From<'_>) -> Artifact {
        let subject = &from.subject;
        let plan = &subject.fitted.plan;
        let mut parts = Vec::new();
        let mut blocks = Vec::new();
        for (block, mark) in plan.blocks.iter().zip(&subject.fitted.marks) {
            let own: Vec<Part> =
                block.sections.iter().enumerate().map(|(n, placed)| part(from, block, placed, n > 0)).collect();
            blocks.push(Cut {
                kind: block.kind,
                scope: block.scope,
                lifetime: block.lifetime,
                mark: mark.clone(),
                tokens: block.text.as_ref().map(|t| t.tokens),
                print: print(subject.route, block, &own),
            });
            parts.extend(own);
        }
        let prefix = prefix(subject, &parts);
        Artifact {
            layer: subject.route.layer,
            values: values(from.context),
            places: places(&parts),
            parts,
            blocks,
            prefix,
        }
    }

    /// The same artifact with other ids for some parts.
    pub(super) fn renamed(&self, now: &BTreeMap<&str, &str>) -> Artifact {
        let mut renamed = self.clone();
        for part in &mut renamed.parts {
            if let Some(now) = now.get(part.id.as_str()) {
                part.was = Some(std::mem::replace(&mut part.id, (*now).to_owned()));
            }
        }
        renamed.places = places(&renamed.parts);
        renamed
    }

    /// The part of an id.
    pub(super) fn part(&self, id: &str) -> Option<&Part> {
        self.places.get(id).map(|at| &self.parts[*at])
    }

    /// The block of a kind.
    pub(super) fn block(&self, kind: Kind) -> Option<&Cut> {
        self.blocks.iter().find(|b| b.kind == kind)
    }

    /// The last block of the shared prefix: the one that a mark sits on.
    pub(super) fn shared(&self) -> Option<&Cut> {
        self.block(Kind::Static).or(self.block(Kind::Prefix))
    }
}

/// Of one id the first is meant.
fn places(parts: &[Part]) -> BTreeMap<String, usize> {
    parts.iter().enumerate().rev().map(|(at, part)| (part.id.clone(), at)).collect()
}

impl Part {
    /// Whether it waits for values on both sides, and is made of something else besides its template.
    pub(super) fn is_made_otherwise(&self, new: &Part) -> bool {
        match (&self.written, &new.written) {
            (Some(was), Some(is)) if self.open && new.open => {
                !was.differences(is).is_empty() || !was.fixed_otherwise(is).is_empty()
            }
            _ => false,
        }
    }

    /// Whether something else stands before it than before the same section of the base.
    pub(super) fn separates_otherwise(&self, old: &Part) -> bool {
        match (&old.separator, &self.separator) {
            (Some(before), Some(after)) => before.text != after.text,
            _ => false,
        }
    }

    /// Whether it stands before the boundary.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.kind, Kind::Prefix | Kind::Static)
    }
}

/// The texts by which a section of both sides is compared: what is sent; its template where a side has nothing else.
pub(super) fn compared<'p>(old: &'p Part, new: &'p Part) -> (&'p str, &'p str) {
    match (&old.written, &new.written) {
        (Some(was), Some(is)) if old.open != new.open => (&was.template, &is.template),
        _ => (&old.text, &new.text),
    }
}

fn part(from: &From<'_>, block: &Block, placed: &Placed, is_behind: bool) -> Part {
    let subject = &from.subject;
    let section = &subject.route.sections[placed.index];
    let closed = match (&block.text, &placed.range) {
        (Some(text), Some(range)) => text.text.get(range.clone()).map(str::to_owned),
        _ => placed.text.clone(),
    };
    Part {
        id: section.id.clone(),
        was: None,
        separator: is_behind.then(|| subject.route.separator(section).clone()),
        kind: block.kind,
        zone: placed.zone,
        declared: section.declared,
        lifetime: placed.lifetime,
        scope: block.scope,
        dangerous: section.dangerous.as_ref().map(|reason| reason.value.clone()),
        open: closed.is_none(),
        written: from.context.is_none().then(|| Written::new(from, section)),
        text: closed.or_else(|| placed.template.clone()).unwrap_or_default(),
        tokens: placed.tokens,
        span: section.span,
        bodies: bodies(from.workspace, section),
        includes: section.reads.files.iter().cloned().collect(),
        allow: section.allow.clone(),
    }
}

/// What a block sends.
fn print(route: &Route, block: &Block, parts: &[Part]) -> Vec<String> {
    if let Some(text) = &block.text {
        return vec![text.text.clone()];
    }
    let mut out = Vec::new();
    for (n, (placed, part)) in block.sections.iter().zip(parts).enumerate() {
        let before = if n > 0 { route.separator(&route.sections[placed.index]).text.as_str() } else { "" };
        let waiting = part.written.as_ref().filter(|_| part.open).map_or_else(String::new, Written::print);
        out.extend([before.to_owned(), part.text.clone(), waiting]);
    }
    out
}

fn prefix(subject: &Subject<'_>, parts: &[Part]) -> Prefix {
    let counter = subject.target.counter();
    let stripped = subject.target.strips_attribution;
    let mut prefix = Prefix { text: String::new(), starts: Vec::new(), open: false, tokens: 0, digest: None };
    let mut index = 0;
    let mut closed_tokens = Some(0);
    for block in &subject.fitted.plan.blocks {
        let belongs = block.kind <= Kind::Static && !(block.kind == Kind::Attribution && stripped);
        for (n, placed) in block.sections.iter().enumerate() {
            let part = &parts[index];
            if belongs {
                prefix.starts.push((prefix.text.len(), index));
                if !prefix.text.is_empty() {
                    let between = subject.route.separator(&subject.route.sections[placed.index]);
                    prefix.text.push_str(if n == 0 { &block.separator } else { &between.text });
                }
                prefix.text.push_str(&part.text);
                prefix.open |= part.open;
            }
            index += 1;
        }
        if belongs {
            closed_tokens = closed_tokens.zip(block.text.as_ref()).map(|(sum, text)| sum + text.tokens);
            prefix.digest.clone_from(&block.prefix_digest);
        }
    }
    prefix.tokens = closed_tokens.unwrap_or_else(|| counter.count(&prefix.text));
    prefix
}

impl Prefix {
    /// The same with the templates of some sections in place of their texts.
    pub(super) fn as_written(&self, parts: &[Part], which: &dyn Fn(&Part) -> bool, counter: &Counter) -> Prefix {
        let mut out = Prefix { text: String::new(), starts: Vec::new(), digest: self.digest.clone(), ..*self };
        let ends = self.starts.iter().skip(1).map(|(start, _)| *start).chain([self.text.len()]);
        for ((start, index), end) in self.starts.iter().zip(ends) {
            let part = &parts[*index];
            out.starts.push((out.text.len(), *index));
            out.text.push_str(&self.text[*start..end - part.text.len()]);
            let template = part.written.as_ref().map(|written| written.template.as_str()).filter(|_| which(part));
            out.open |= template.is_some();
            out.text.push_str(template.unwrap_or(&part.text));
        }
        out.tokens = counter.count(&out.text);
        out
    }
}

/// The texts that a section is made of, as written.
fn bodies(workspace: &Workspace, section: &Section) -> Vec<(String, Located)> {
    let named = |text: &Located| (workspace.sources.path(text.file()).to_owned(), text.clone());
    match &section.source {
        Source::Text(text) => vec![named(text)],
        Source::Choice { files, otherwise, .. } => files
            .iter()
            .map(|(_, (_, text))| named(text))
            .chain(otherwise.iter().map(|(_, text)| named(text)))
            .collect(),
        Source::Agent(_) => workspace.agents.iter().map(|agent| named(&agent.body)).collect(),
        Source::Input(_) | Source::Broken => Vec::new(),
    }
}

fn values(context: Option<&Context>) -> String {
    let mut entries: Vec<String> = context
        .iter()
        .flat_map(|context| &context.entries)
        .map(|entry| format!("{:?}={}", entry.key.value, entry.value.canonical_json()))
        .collect();
    entries.sort_unstable();
    entries.join("\n")
}

/// Run-time inputs that the shared prefix of a route reads, as written, each with the section and the place that does.
pub(super) fn prefix_reads(route: &Route, inputs: &Inputs, stripped: bool) -> BTreeMap<String, Read> {
    let mut reads = BTreeMap::new();
    let attribution = |s: &Section| s.role == crate::manifest::Role::Attribution && !stripped;
    for section in route.sections.iter().filter(|s| s.is_shared() || attribution(s)) {
        for place in &section.reads.places {
            for source in inputs.open_sources([&*place.input]) {
                if inputs.lifetime([source]).is_run_time() {
                    let in_text = match place.how {
                        How::Body(role) => role != template::Role::Tested,
                        How::Choice => inputs.domain(&place.input).is_none(),
                        How::When | How::Replace => false,
                    };
                    let read = Read {
                        section: section.id.clone(),
                        span: place.span,
                        in_text,
                        values: inputs.domain(source).map(|domain| domain.len()),
                        allow: section.allow.clone(),
                    };
                    match reads.get(source) {
                        Some(Read { in_text: true, .. }) => {}
                        // Where it is printed says more than where it is tested.
                        Some(_) if !in_text => {}
                        _ => _ = reads.insert(source.to_owned(), read),
                    }
                }
            }
        }
    }
    reads
}

/// One place where the prefix reads a run-time input.
#[derive(Clone)]
pub(super) struct Read {
    pub(super) section: String,
    pub(super) span: Span,
    /// Whether it stands in the text, and not in a condition.
    pub(super) in_text: bool,
    /// How many values the input has, if that is bounded.
    pub(super) values: Option<usize>,
    pub(super) allow: Vec<Allow>,
}

impl Key {
    /// The name for people, without the profile's.
    pub(super) fn name(&self, winner: Option<Layer>) -> String {
        let layer = self.layer.filter(|layer| Some(*layer) != winner).map(|layer| format!("route {}", layer.name()));
        let parts = [Some(self.cell.clone()).filter(|c| !c.is_empty()), self.context.clone(), layer];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
