//! `blocks`: scope-tagged blocks as JSON, format `promptc.blocks/1`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Subject, awaited};
use crate::input::{Type, Value};
use crate::json;
use crate::manifest::Zone;
use crate::plan::{Block, Kind, Placed};
use crate::resolve::Origin;
use crate::source::Span;

/// The format's name and version.
pub const FORMAT: &str = "promptc.blocks/1";

/// About as many bytes as one section takes.
const SECTION: usize = 512;

/// The blocks of a request, in order, with scopes, marks, digests and the origin of every byte.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "promptc.blocks/1")]
pub struct Document<'a> {
    /// Always `promptc.blocks/1`.
    #[schemars(extend("const" = "promptc.blocks/1"))]
    format: &'static str,
    /// The profile.
    profile: String,
    /// The values of the matrix, or null.
    cell: Option<BTreeMap<String, Scalar>>,
    /// Which layer won.
    route: RouteShape,
    /// For whom the blocks are made.
    target: TargetShape,
    /// How the request is cut.
    #[schemars(extend("enum" = ["boundary", "tools", "fallback"]))]
    strategy: &'static str,
    /// Why it is cut so.
    reason: &'static str,
    /// Cache marks.
    marks: Marks,
    /// What open sections wait for.
    inputs: Vec<Awaited>,
    /// The blocks, at most one of a kind.
    blocks: Vec<BlockShape<'a>>,
    /// Tokens; null where a block is open.
    totals: Totals,
}

/// A value of a matrix.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Scalar {
    /// A bool.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
}

/// Which layer won, and what came along.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RouteShape {
    /// The layer.
    #[schemars(extend("enum" = ["override", "coordinator", "agent", "custom", "default"]))]
    winner: &'static str,
    /// Its manifest, or null.
    prompt: Option<String>,
    /// Ids of appended sections.
    appended: Vec<String>,
    /// Ids of kept sections.
    kept: Vec<String>,
}

/// Provider and model.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetShape {
    /// The provider's id.
    provider: String,
    /// The model.
    model: String,
    /// How tokens are counted.
    tokenizer: TokenizerShape,
}

/// How tokens are counted.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenizerShape {
    /// The tokenizer's id.
    pub name: String,
    /// Whether the counts are exact.
    pub exact: bool,
    /// What the base encoding's count is multiplied by.
    pub factor: f64,
    /// How far off a count may be, as a share.
    pub band: f64,
}

/// Cache marks.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// Marks on these blocks.
    used: u64,
    /// Marks that the request can still place.
    left: u64,
}

/// An input that an open section waits for.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Awaited {
    /// Its name.
    name: String,
    /// Its type: a word, or the values of an enum.
    r#type: TypeShape,
    /// When it is fixed.
    #[schemars(extend("enum" = ["turn", "session", "user", "org", "build"]))]
    lifetime: &'static str,
}

/// The type of an input.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TypeShape {
    /// A word.
    Word(#[schemars(extend("enum" = ["bool", "string", "integer", "number", "list", "table"]))] &'static str),
    /// The values of an enum.
    Values(Vec<String>),
}

/// One block.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockShape<'a> {
    /// What it is.
    #[schemars(extend("enum" = ["attribution", "prefix", "static", "dynamic", "tail", "user_context"]))]
    kind: &'static str,
    /// Where in the request it goes.
    #[schemars(extend("enum" = ["system", "user_context"]))]
    channel: &'static str,
    /// Who shares it: `global`, `org`, or null.
    #[schemars(extend("enum" = ["global", "org", null]))]
    scope: Option<&'static str>,
    /// The shortest lifetime of its sections.
    #[schemars(extend("enum" = ["turn", "session", "user", "org", "build"]))]
    lifetime: &'static str,
    /// The lifetime of the cache mark at its end, `default`, or null for no mark.
    mark: Option<&'a str>,
    /// Its text; null while a section is open.
    text: Option<&'a str>,
    /// Bytes of the text.
    bytes: Option<u64>,
    /// Tokens of the text.
    tokens: Option<u64>,
    /// BLAKE3 of the text.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    digest: Option<&'a str>,
    /// BLAKE3 of everything up to the block's end: equal means that the provider can reuse it.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    prefix_digest: Option<&'a str>,
    /// Its sections, in order.
    sections: Vec<SectionShape<'a>>,
}

/// One section.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionShape<'a> {
    /// Its id.
    id: &'a str,
    /// Its zone.
    #[schemars(extend("enum" = ["static", "dynamic"]))]
    zone: &'static str,
    /// The shortest lifetime of what it reads.
    #[schemars(extend("enum" = ["turn", "session", "user", "org", "build"]))]
    lifetime: &'static str,
    /// Where it is defined.
    source: SourceShape<'a>,
    /// First byte in the block's text; null in an open block.
    start: Option<u64>,
    /// One past the last byte.
    end: Option<u64>,
    /// Tokens of its own text.
    tokens: Option<u64>,
    /// BLAKE3 of its own text.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    digest: Option<&'a str>,
    /// The template of an open section, where one template can say it; else null.
    template: Option<&'a str>,
}

/// A place in a file of the project.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceShape<'a> {
    /// The path from the root, or `flag:--NAME` for a layer of the command line.
    path: &'a str,
    /// The line, from 1.
    line: u64,
}

/// Tokens by zone. `static` has the prefix, `dynamic` the attribution and the tail.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Before the boundary.
    pub r#static: Option<u64>,
    /// Behind it.
    pub dynamic: Option<u64>,
    /// In the first user message.
    pub user_context: Option<u64>,
    /// All of it.
    pub all: Option<u64>,
}

pub(super) fn emit(subject: &Subject<'_>) -> String {
    let blocks = &subject.fitted.plan.blocks;
    let bytes =
        |block: &Block| block.text.as_ref().map_or(0, |t| t.text.len() * 9 / 8) + block.sections.len() * SECTION;
    json::to_text_of_about(blocks.iter().map(bytes).sum(), &document(subject))
}

/// The document of an artifact.
pub fn document<'a>(subject: &Subject<'a>) -> Document<'a> {
    let Subject { resolved, route, fitted, target, .. } = subject;
    let plan = &fitted.plan;
    let live = |id: &String| plan.blocks.iter().flat_map(|b| &b.sections).any(|s| route.sections[s.index].id == *id);
    let cell = resolved.cell.iter().map(|(name, value)| (name.clone(), scalar(value))).collect();
    Document {
        format: FORMAT,
        profile: resolved.profile.clone(),
        cell: (!resolved.cell.is_empty()).then_some(cell),
        route: RouteShape {
            winner: route.layer.name(),
            prompt: route.prompt.clone(),
            appended: route
                .sections
                .iter()
                .filter(|s| s.origin == Origin::Append)
                .map(|s| s.id.clone())
                .filter(live)
                .collect(),
            kept: route.kept.iter().filter(|id| live(id)).cloned().collect(),
        },
        target: TargetShape {
            provider: target.provider.clone(),
            model: target.model.clone(),
            tokenizer: tokenizer(subject),
        },
        strategy: plan.strategy.name(),
        reason: plan.reason,
        marks: Marks { used: fitted.marks_used() as u64, left: fitted.marks_left },
        inputs: awaited(subject).into_iter().filter_map(|name| awaited_shape(subject, name)).collect(),
        blocks: plan.blocks.iter().zip(&fitted.marks).map(|(b, mark)| block(subject, b, mark.as_deref())).collect(),
        totals: totals(&plan.blocks),
    }
}

/// How the subject's tokens are counted.
pub fn tokenizer(subject: &Subject<'_>) -> TokenizerShape {
    let tokenizer = &subject.target.tokenizer;
    TokenizerShape {
        name: tokenizer.name.clone(),
        exact: tokenizer.is_exact(),
        factor: tokenizer.factor,
        band: tokenizer.band,
    }
}

/// Tokens by zone.
pub fn totals(blocks: &[Block]) -> Totals {
    let sum = |kinds: &[Kind]| {
        let own = blocks.iter().filter(|b| kinds.contains(&b.kind));
        own.map(|b| b.text.as_ref().map(|t| t.tokens)).sum::<Option<u64>>()
    };
    Totals {
        r#static: sum(&[Kind::Prefix, Kind::Static]),
        dynamic: sum(&[Kind::Attribution, Kind::Dynamic, Kind::Tail]),
        user_context: sum(&[Kind::UserContext]),
        all: sum(&Kind::ALL),
    }
}

fn block<'a>(subject: &Subject<'a>, block: &'a Block, mark: Option<&'a str>) -> BlockShape<'a> {
    let text = block.text.as_ref();
    BlockShape {
        kind: block.kind.name(),
        channel: block.kind.channel(),
        scope: block.scope.map(|s| s.name()),
        lifetime: block.lifetime.name(),
        mark,
        text: text.map(|t| &*t.text),
        bytes: text.map(|t| t.text.len() as u64),
        tokens: text.map(|t| t.tokens),
        digest: text.map(|t| &*t.digest),
        prefix_digest: block.prefix_digest.as_deref(),
        sections: block.sections.iter().map(|placed| section(subject, placed)).collect(),
    }
}

fn section<'a>(subject: &Subject<'a>, placed: &'a Placed) -> SectionShape<'a> {
    let section = &subject.route.sections[placed.index];
    SectionShape {
        id: &section.id,
        zone: match placed.zone {
            Zone::Static => "static",
            Zone::Dynamic => "dynamic",
        },
        lifetime: placed.lifetime.name(),
        source: source(subject, placed.defined),
        start: placed.range.as_ref().map(|r| r.start as u64),
        end: placed.range.as_ref().map(|r| r.end as u64),
        tokens: placed.tokens,
        digest: placed.digest.as_deref(),
        template: placed.template.as_deref(),
    }
}

fn source<'a>(subject: &Subject<'a>, span: Span) -> SourceShape<'a> {
    let file = subject.sources.file(span.file);
    SourceShape { path: file.path(), line: file.lines().line(span.start).into() }
}

fn awaited_shape(subject: &Subject<'_>, name: &str) -> Option<Awaited> {
    let input = subject.resolved.inputs.get(name)?;
    let r#type = match &input.kind {
        Type::Bool => TypeShape::Word("bool"),
        Type::String => TypeShape::Word("string"),
        Type::Integer => TypeShape::Word("integer"),
        Type::Number => TypeShape::Word("number"),
        Type::List => TypeShape::Word("list"),
        Type::Table => TypeShape::Word("table"),
        Type::Enum(values) => TypeShape::Values(values.clone()),
    };
    Some(Awaited { name: name.to_owned(), r#type, lifetime: input.lifetime().name() })
}

fn scalar(value: &Value) -> Scalar {
    match value {
        Value::Bool(b) => Scalar::Bool(*b),
        Value::Integer(n) => Scalar::Integer(*n),
        Value::Number(n) => Scalar::Number(*n),
        Value::String(s) => Scalar::Text(s.clone()),
        other => Scalar::Text(other.canonical_json()),
    }
}
