//! What is compared of an artifact: its sections in the order of the request, its blocks, and the text of its prefix.

use std::collections::BTreeMap;

use crate::emit::Subject;
use crate::input::{Form, Lifetime};
use crate::manifest::{Allow, Layer, Piece, Zone};
use crate::plan::{Block, Kind, Placed, Scope};
use crate::resolve::{How, Input, Inputs, Route, Section, Source};
use crate::source::{Located, Span};
use crate::template;
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
pub(super) struct Artifact {
    /// The link that is sent.
    pub(super) layer: Layer,
    /// The run-time values, in one line: equal for equal values.
    pub(super) values: String,
    /// Sections that stand, in the order of the request.
    pub(super) parts: Vec<Part>,
    /// Blocks, in order.
    pub(super) blocks: Vec<Cut>,
    /// What stands before the boundary, joined.
    pub(super) prefix: Prefix,
}

/// A section that stands.
pub(super) struct Part {
    pub(super) id: String,
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
    /// Of an open section everything else that its text hangs on; `None` for a closed one.
    pub(super) waiting: Option<String>,
    pub(super) tokens: Option<u64>,
    /// Where it is declared.
    pub(super) span: Span,
    /// The files or literals that its text comes from, each under a name that both sides have.
    pub(super) bodies: Vec<(String, Located)>,
    /// Files that its bodies include, from `prompts/`.
    pub(super) includes: Vec<String>,
    /// Its condition as written.
    pub(super) when: String,
    pub(super) allow: Vec<Allow>,
}

/// A block.
pub(super) struct Cut {
    pub(super) kind: Kind,
    pub(super) scope: Option<Scope>,
    pub(super) lifetime: Lifetime,
    pub(super) mark: Option<String>,
    /// Its tokens; `None` while it is open.
    pub(super) tokens: Option<u64>,
    /// Its text, and what stands for it while it is open: whatever differs here is sent otherwise.
    pub(super) print: String,
}

/// The shared prefix as one text: an attribution line that is not stripped, the prefix block, the static block. Open
/// sections stand in it as their templates.
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
            let own: Vec<Part> = block.sections.iter().map(|placed| part(from, block, placed)).collect();
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
        Artifact { layer: subject.route.layer, values: values(from.context), parts, blocks, prefix }
    }

    /// The part of an id.
    pub(super) fn part(&self, id: &str) -> Option<&Part> {
        self.parts.iter().find(|p| p.id == id)
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

impl Part {
    /// Whether it stands before the boundary.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.kind, Kind::Prefix | Kind::Static)
    }
}

fn part(from: &From<'_>, block: &Block, placed: &Placed) -> Part {
    let subject = &from.subject;
    let section = &subject.route.sections[placed.index];
    let closed = match (&block.text, &placed.range) {
        (Some(text), Some(range)) => text.text.get(range.clone()).map(str::to_owned),
        _ => placed.text.clone(),
    };
    let waiting = closed.is_none().then(|| waiting(from, section));
    Part {
        id: section.id.clone(),
        kind: block.kind,
        zone: placed.zone,
        declared: section.declared,
        lifetime: placed.lifetime,
        scope: block.scope,
        dangerous: section.dangerous.as_ref().map(|reason| reason.value.clone()),
        text: closed.or_else(|| placed.template.clone()).unwrap_or_default(),
        waiting,
        tokens: placed.tokens,
        span: section.span,
        bodies: bodies(from.workspace, section),
        includes: section.reads.files.iter().cloned().collect(),
        when: section.when.as_ref().map_or_else(String::new, |when| when.text.text.to_string()),
        allow: section.allow.clone(),
    }
}

fn separator(route: &Route, index: usize) -> &str {
    route.sections[index].separator_before.as_deref().unwrap_or(&route.layout.separator)
}

/// What a block sends, as one text.
fn print(route: &Route, block: &Block, parts: &[Part]) -> String {
    if let Some(text) = &block.text {
        return text.text.clone();
    }
    let mut out = String::new();
    for (n, (placed, part)) in block.sections.iter().zip(parts).enumerate() {
        if n > 0 {
            out.push_str(separator(route, placed.index));
        }
        out.push_str(&part.text);
        if let Some(waiting) = &part.waiting {
            // No text of a project has this letter in front of a number.
            out.push_str(&format!("\u{0}{}:{waiting}", waiting.len()));
        }
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
                    let first = if n == 0 { &block.separator } else { separator(subject.route, placed.index) };
                    prefix.text.push_str(first);
                }
                prefix.text.push_str(&part.text);
                prefix.open |= part.waiting.is_some();
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

/// Everything but its template that the text of an open section hangs on, in one line.
fn waiting(from: &From<'_>, section: &Section) -> String {
    let (workspace, route) = (from.workspace, from.subject.route);
    let inputs = &from.subject.resolved.inputs;
    let layout = &route.layout;
    let mut out = format!(
        "{:?} {:?} {:?} {:?} {} {:?}",
        section.verbatim,
        section.trim.unwrap_or(layout.trim),
        section.keep_empty.unwrap_or(layout.keep_empty),
        layout.syntax(),
        layout.collapse_blank_lines && !section.is_layer(),
        section.heading,
    );
    let mut add = |what: &str, text: &str| out.push_str(&format!("\n{what} {}:{text}", text.len()));
    if let Some(when) = &section.when {
        add("when", &when.text.text);
    }
    if let Some(note) = &section.freeze {
        add("freeze", note);
    }
    for replace in section.replacements(layout) {
        add("replace", &replace.source.text);
        add("with", &replace.with.iter().map(piece).collect::<String>());
        add("when", replace.when.as_ref().map_or("", |when| &when.text.text));
    }
    if let Source::Choice { by, files, otherwise } = &section.source {
        add("by", by);
        files.iter().for_each(|(value, (_, text))| add(value, &text.text));
        otherwise.iter().for_each(|(_, text)| add("else", &text.text));
    }
    if let Source::Agent(_) = &section.source {
        workspace.agents.iter().for_each(|agent| add(&agent.name, &agent.body.text));
    }
    for path in &section.reads.files {
        if let Ok(text) = workspace.text(path) {
            add(path, &text.text);
        }
    }
    let names: BTreeMap<&str, &Input> = names_behind(inputs, section);
    for (name, input) in names {
        add(name, &definition(input));
    }
    out
}

/// The inputs that a section reads, and those that they are derived from.
fn names_behind<'a>(inputs: &'a Inputs, section: &Section) -> BTreeMap<&'a str, &'a Input> {
    let mut names: BTreeMap<&str, &Input> = BTreeMap::new();
    for (name, input) in inputs.iter() {
        let reads = |read: &String| inputs.get(read).is_some_and(|i| i.sources.contains(name));
        if section.reads.all.contains(name) || section.reads.all.iter().any(reads) {
            names.insert(name, input);
        }
    }
    names
}

/// What an input does to a text, in one line. Its description does nothing.
fn definition(input: &Input) -> String {
    let fixed = format!("{:?}", input.fixed);
    match &input.definition.form {
        Form::Plain(plain) => {
            let default = plain.default.as_ref().map(|value| value.value.canonical_json());
            let limits = (plain.max_items, plain.max_chars);
            format!("{:?} {default:?} {} {:?} {limits:?} {fixed}", plain.kind, plain.optional, plain.sort_by)
        }
        Form::Table { by, values, otherwise } => {
            let values: Vec<_> = values.iter().map(|(value, result)| (&value.value, &result.value)).collect();
            format!("{} {values:?} {:?}", by.value, otherwise.as_ref().map(|o| &o.value))
        }
        Form::Expression(text) => text.text.to_string(),
    }
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => format!("{text:?}"),
        Piece::Group(n) => format!("${n}"),
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
            for source in inputs.open_sources([place.input.as_str()]) {
                if inputs.lifetime([source]).is_run_time() {
                    let in_text = match place.how {
                        How::Body(role) => role != template::Role::Tested,
                        How::Choice => inputs.domain(&place.input).is_none(),
                        How::When | How::Replace => false,
                    };
                    let read =
                        Read { section: section.id.clone(), span: place.span, in_text, allow: section.allow.clone() };
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
