//! `[chain]`: override → coordinator → agent → custom → default, and what is appended.

use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::reader::{Doc, Table};
use super::section::{Zone, read_condition, read_dangerous, read_path};
use super::{Separator, Trim, errors, names};
use crate::expr::{self, Condition};
use crate::source::{Located, Span, Spanned};

/// The layers, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// Replaces everything.
    Override,
    /// The coordinator of several agents.
    Coordinator,
    /// A custom agent.
    Agent,
    /// A prompt given by the user.
    Custom,
    /// The product's own prompt.
    Default,
}

/// The chain of a profile.
#[derive(Clone, Default, Debug)]
pub struct Chain {
    /// The links that are written, strongest first.
    pub links: Vec<Link>,
    /// What comes last.
    pub append: Vec<AppendItem>,
}

/// One link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its layer.
    pub layer: Layer,
    /// Where its text comes from.
    pub carrier: Carrier,
    /// When it holds; always, if nothing is said.
    pub when: Option<Condition>,
    /// Whether its condition could not be read; told already. It then neither holds nor fails.
    pub unreadable: bool,
    /// Sections of the default that stay.
    pub keep: Vec<Spanned<String>>,
    /// What an agent does to the default.
    pub mode: Mode,
    /// How its text is made a section.
    pub shape: Shape,
    /// Where it is written.
    pub span: Span,
}

/// One item of `append`.
#[derive(Clone, Debug)]
pub struct AppendItem {
    /// Where its text comes from: never a prompt.
    pub carrier: Carrier,
    /// When it lives.
    pub when: Option<Condition>,
    /// How its text is made a section.
    pub shape: Shape,
    /// Whether it comes after an override too.
    pub after_override: bool,
    /// Whether the manifest says so, or says that it does not.
    pub says_after_override: bool,
    /// Stands before its text.
    pub heading: String,
    /// The reason why it is recomputed every turn.
    pub dangerous: Option<Spanned<String>>,
    /// Where it is written.
    pub span: Span,
}

/// How the text of a layer is made a section.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Whether the text is a template.
    pub render: bool,
    /// Its zone.
    pub zone: Spanned<Zone>,
    /// Its own separator.
    pub separator_before: Option<Separator>,
    /// Which ends lose their blanks.
    pub trim: Trim,
}

/// Where the text of a layer comes from.
#[derive(Clone, Debug)]
pub enum Carrier {
    /// A manifest.
    Prompt(Spanned<String>),
    /// A file below `prompts/`.
    File(Spanned<String>),
    /// A file named on the command line, by its flag.
    Flag(String, Located),
    /// Text in the profile.
    Text(Located),
    /// The value of an input.
    Input(Spanned<String>),
    /// An agent.
    Agent(AgentName),
}

/// Which agent.
#[derive(Clone, Debug)]
pub enum AgentName {
    /// This one.
    Literal(Spanned<String>),
    /// The one that an input names.
    Input(Spanned<String>),
}

/// What an agent does to the default prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Takes its place.
    Replace,
    /// Comes behind it.
    Extend,
}

impl Layer {
    /// All layers, strongest first.
    pub const ALL: [Layer; 5] = [Layer::Override, Layer::Coordinator, Layer::Agent, Layer::Custom, Layer::Default];

    /// The word in manifests and reports.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Override => "override",
            Layer::Coordinator => "coordinator",
            Layer::Agent => "agent",
            Layer::Custom => "custom",
            Layer::Default => "default",
        }
    }

    /// The layer with this word.
    pub fn from_name(name: &str) -> Option<Layer> {
        Layer::ALL.into_iter().find(|l| l.name() == name)
    }
}

impl Mode {
    /// The words in manifests.
    pub const WORDS: [(&str, Mode); 2] = [("replace", Mode::Replace), ("extend", Mode::Extend)];
}

impl Chain {
    /// The link of a layer.
    pub fn link(&self, layer: Layer) -> Option<&Link> {
        self.links.iter().find(|l| l.layer == layer)
    }
}

impl Shape {
    /// Text as it is, in the dynamic zone.
    pub fn plain(span: Span) -> Shape {
        Shape { render: false, zone: Spanned::new(Zone::Dynamic, span), separator_before: None, trim: Trim::None }
    }
}

const CARRIERS: [&str; 5] = ["prompt", "file", "text", "input", "from"];
const SHAPE_KEYS: [&str; 4] = ["render", "zone", "separator_before", "trim"];

pub(super) fn read(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Chain {
    let Some(table) = doc.table(value, "chain", "`[chain]`") else { return Chain::default() };
    let known: Vec<&str> = Layer::ALL.iter().map(|l| l.name()).chain(["append"]).collect();
    table.refuse_unknown(doc, &known);
    let mut chain = Chain::default();
    for layer in Layer::ALL {
        if let Some(value) = table.get(layer.name())
            && let Some(link) = read_link(doc, value, layer)
        {
            chain.links.push(link);
        }
    }
    if let Some(value) = table.get("append") {
        for item in doc.tables(value, "append", "append") {
            if let Some(item) = read_append(doc, &item) {
                chain.append.push(item);
            }
        }
    }
    chain
}

fn read_link(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>, layer: Layer) -> Option<Link> {
    let table = doc.table(value, layer.name(), &format!("the link `{}`", layer.name()))?;
    let mut known: Vec<&str> = CARRIERS.to_vec();
    known.extend(SHAPE_KEYS);
    known.extend(["name", "when", "keep", "mode"]);
    table.refuse_unknown(doc, &known);
    let carrier = read_carrier(doc, &table, &CARRIERS);
    let mode = table.get("mode").and_then(|v| doc.word(v, "mode", &Mode::WORDS)).map_or(Mode::Replace, |m| *m);
    let when = table.get("when").map(|v| read_condition(doc, v, "when", expr::Use::Condition));
    let link = Link {
        layer,
        unreadable: matches!(when, Some(None)),
        when: when.flatten(),
        keep: table.get("keep").and_then(|v| doc.strings(v, "keep")).unwrap_or_default(),
        mode,
        shape: read_shape(doc, &table),
        span: table.span(),
        carrier: carrier?,
    };
    let is_prompt = matches!(link.carrier, Carrier::Prompt(_));
    let mut misplaced = |key: &str, wrong: bool, home: &str| {
        if let (true, Some(at)) = (wrong, table.key_span(key)) {
            doc.say(errors::misplaced(at, key, home));
        }
    };
    for key in SHAPE_KEYS {
        misplaced(key, is_prompt, "links whose text is no manifest");
    }
    misplaced("mode", layer != Layer::Agent, "the link `agent`");
    misplaced("mode", is_prompt && mode == Mode::Extend, "an agent that is no manifest");
    misplaced("keep", layer == Layer::Default, "links that replace the default");
    misplaced("keep", mode == Mode::Extend, "links that replace the default");
    misplaced("name", !matches!(link.carrier, Carrier::Agent(_)), "`from = \"agents\"`");
    Some(link)
}

fn read_append(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<AppendItem> {
    let carriers = &CARRIERS[1..];
    let mut known: Vec<&str> = carriers.to_vec();
    known.extend(SHAPE_KEYS);
    known.extend(["name", "when", "after_override", "heading", "DANGEROUS_uncached"]);
    table.refuse_unknown(doc, &known);
    let carrier = read_carrier(doc, table, carriers);
    if let (Some(at), false) = (table.key_span("name"), table.get("from").is_some()) {
        doc.say(errors::misplaced(at, "name", "`from = \"agents\"`"));
    }
    let after_override = table.get("after_override").and_then(|v| doc.bool(v, "after_override"));
    Some(AppendItem {
        when: table.get("when").and_then(|v| read_condition(doc, v, "when", expr::Use::Condition)),
        shape: read_shape(doc, table),
        after_override: after_override.unwrap_or(false),
        says_after_override: after_override.is_some(),
        heading: table
            .get("heading")
            .and_then(|v| doc.text(v, "heading"))
            .map_or_else(String::new, |t| t.text.to_string()),
        dangerous: read_dangerous(doc, table),
        span: table.span(),
        carrier: carrier?,
    })
}

fn read_carrier(doc: &mut Doc<'_>, table: &Table<'_>, carriers: &[&str]) -> Option<Carrier> {
    let Some(kind) = table.one_of(doc, carriers) else {
        doc.say(errors::missing_key(table.span(), &carriers.join("` or `"), table.what()));
        return None;
    };
    let value = table.get(kind)?;
    match kind {
        "prompt" => {
            let name = doc.string(value, kind)?;
            names::check_file(doc, "a prompt", &name);
            Some(Carrier::Prompt(name))
        }
        "file" => read_path(doc, value, kind).map(Carrier::File),
        "text" => doc.text(value, kind).map(Carrier::Text),
        "input" => doc.string(value, kind).map(Carrier::Input),
        _ => {
            doc.word(value, "from", &[("agents", ())])?;
            let name = table.require(doc, "name")?;
            if !name.get_ref().is_table() {
                return doc.string(name, "name").map(|n| Carrier::Agent(AgentName::Literal(n)));
            }
            let name = doc.table(name, "name", "`name`")?;
            name.refuse_unknown(doc, &["input"]);
            let input = name.require(doc, "input")?;
            doc.string(input, "input").map(|n| Carrier::Agent(AgentName::Input(n)))
        }
    }
}

fn read_shape(doc: &mut Doc<'_>, table: &Table<'_>) -> Shape {
    Shape {
        render: table.get("render").and_then(|v| doc.bool(v, "render")).unwrap_or(false),
        zone: table
            .get("zone")
            .and_then(|v| doc.word(v, "zone", &Zone::WORDS))
            .unwrap_or_else(|| Spanned::new(Zone::Dynamic, table.span())),
        separator_before: table
            .get("separator_before")
            .and_then(|v| doc.text(v, "separator_before"))
            .map(Separator::from),
        trim: table.get("trim").and_then(|v| doc.word(v, "trim", &Trim::WORDS)).map_or(Trim::None, |t| *t),
    }
}
