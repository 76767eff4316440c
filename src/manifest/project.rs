//! The project file `promptc.toml`, and facts about providers and models, which have the same form wherever they stand.

use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::profile::read_limits;
use super::reader::{Doc, Table};
use super::section::read_path;
use super::{Limits, Parsed};
use crate::limits::Limits as Bounds;
use crate::source::{FileId, Spanned};

const KEYS: [&str; 6] = ["paths", "lints", "limits", "provider", "model", "tokenizer"];
const PATH_KEYS: [&str; 4] = ["prompts", "profiles", "snapshots", "dist"];
const PROVIDER_KEYS: [&str; 11] = [
    "id",
    "shared_scope",
    "max_marks",
    "tools_first",
    "min_tokens",
    "ttls",
    "strips_attribution",
    "scope_field",
    "usage",
    "as_of",
    "source",
];
const MODEL_KEYS: [&str; 9] =
    ["match", "provider", "min_tokens", "max_marks", "window", "tokenizer", "prices", "as_of", "source"];
const TOKENIZER_KEYS: [&str; 7] = ["id", "base", "file", "factor", "band", "as_of", "source"];
const PRICE_KEYS: [&str; 5] = ["input", "cached", "write", "output", "currency"];

/// What `promptc.toml` says.
#[derive(Clone, Default, Debug)]
pub struct Project {
    /// Folders.
    pub paths: Paths,
    /// Levels of lints.
    pub lints: Vec<(Spanned<String>, Spanned<LintLevel>)>,
    /// Limits for every profile that does not say its own.
    pub limits: Limits,
    /// Facts about providers.
    pub providers: Vec<ProviderFact>,
    /// Facts about models.
    pub models: Vec<ModelFact>,
    /// Facts about tokenizers.
    pub tokenizers: Vec<TokenizerFact>,
}

/// The folders of a project, from its root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// Manifests, bodies, agents.
    pub prompts: String,
    /// Profiles.
    pub profiles: String,
    /// Goldens.
    pub snapshots: String,
    /// Build output.
    pub dist: String,
}

/// How a lint is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LintLevel {
    /// As an error.
    Error,
    /// As a warning.
    Warn,
    /// As an information.
    Info,
    /// Not at all.
    Allow,
}

/// What is known of a provider; what is not said is not known here.
#[derive(Clone, Debug)]
pub struct ProviderFact {
    /// Its id.
    pub id: Spanned<String>,
    /// Whether it has a scope that all users of a product share.
    pub shared_scope: Option<bool>,
    /// Most cache marks in a request; 0 where there are none.
    pub max_marks: Option<u64>,
    /// Whether tools are rendered ahead of the system prompt.
    pub tools_first: Option<bool>,
    /// Fewest tokens that are cached.
    pub min_tokens: Option<u64>,
    /// The lifetimes of entries, the default first.
    pub ttls: Option<Vec<Spanned<String>>>,
    /// Whether an attribution line is no part of what is cached.
    pub strips_attribution: Option<bool>,
    /// The field of a mark that takes a scope, where the provider has one.
    pub scope_field: Option<String>,
    /// The fields of a response that say what was cached.
    pub usage: Vec<String>,
    /// Since when the fact is known.
    pub as_of: Option<String>,
    /// Where it is written.
    pub source: Option<String>,
}

/// What is known of the models whose names begin in a certain way.
#[derive(Clone, Debug)]
pub struct ModelFact {
    /// The beginning of the name; dots and dashes are alike.
    pub prefix: Spanned<String>,
    /// The provider, when the fact holds there only.
    pub provider: Option<Spanned<String>>,
    /// Fewest tokens that are cached.
    pub min_tokens: Option<u64>,
    /// Most cache marks in a request, where that differs from the provider's number.
    pub max_marks: Option<u64>,
    /// Tokens of the context window.
    pub window: Option<u64>,
    /// The tokenizer.
    pub tokenizer: Option<Spanned<String>>,
    /// Prices.
    pub prices: Option<Prices>,
    /// Since when the fact is known.
    pub as_of: Option<String>,
    /// Where it is written.
    pub source: Option<String>,
}

/// Prices for a million tokens.
#[derive(Clone, PartialEq, Debug)]
pub struct Prices {
    /// Uncached input.
    pub input: Option<f64>,
    /// Input read from the cache.
    pub cached: Option<f64>,
    /// Input written to the cache.
    pub write: Option<f64>,
    /// Output.
    pub output: Option<f64>,
    /// The currency, such as `USD`.
    pub currency: String,
}

/// How tokens are counted.
#[derive(Clone, Debug)]
pub struct TokenizerFact {
    /// Its id.
    pub id: Spanned<String>,
    /// The encoding that is counted with.
    pub base: Option<Spanned<String>>,
    /// The `tokenizer.json` that is counted with, from the project's root.
    pub file: Option<Spanned<String>>,
    /// What its count is multiplied by.
    pub factor: f64,
    /// How far off the result may be, as a share; 0 where it is exact.
    pub band: f64,
    /// Since when the fact is known.
    pub as_of: Option<String>,
    /// Where it is written.
    pub source: Option<String>,
}

impl LintLevel {
    /// The words in the project file.
    pub const WORDS: [(&str, LintLevel); 4] = [
        ("error", LintLevel::Error),
        ("warn", LintLevel::Warn),
        ("info", LintLevel::Info),
        ("allow", LintLevel::Allow),
    ];
}

impl Default for Paths {
    fn default() -> Paths {
        Paths {
            prompts: "prompts".to_owned(),
            profiles: "profiles".to_owned(),
            snapshots: "snapshots".to_owned(),
            dist: "dist".to_owned(),
        }
    }
}

impl Project {
    /// Reads a project file's text, or the built-in facts.
    pub fn parse(file: FileId, text: &str, limits: &Bounds) -> Parsed<Project> {
        Doc::parse(file, text, "promptc.toml", limits, read)
    }
}

fn read(doc: &mut Doc<'_>, top: &Table<'_>) -> Project {
    top.refuse_unknown(doc, &KEYS);
    let mut project = Project::default();
    if let Some(table) = top.get("paths").and_then(|v| doc.table(v, "paths", "`[paths]`")) {
        table.refuse_unknown(doc, &PATH_KEYS);
        let mut path = |key: &str, to: &mut String| {
            if let Some(path) = table.get(key).and_then(|v| read_path(doc, v, key)) {
                *to = path.value;
            }
        };
        path("prompts", &mut project.paths.prompts);
        path("profiles", &mut project.paths.profiles);
        path("snapshots", &mut project.paths.snapshots);
        path("dist", &mut project.paths.dist);
    }
    if let Some(table) = top.get("lints").and_then(|v| doc.table(v, "lints", "`[lints]`")) {
        for (rule, value) in table.entries() {
            if let Some(level) = doc.word(value, rule, &LintLevel::WORDS) {
                project.lints.push((rule.clone(), level));
            }
        }
    }
    if let Some(value) = top.get("limits") {
        project.limits = read_limits(doc, value);
    }
    let mut each = |key: &str, what: &str, read: &mut dyn FnMut(&mut Doc<'_>, &Table<'_>)| {
        if let Some(value) = top.get(key) {
            for table in doc.tables(value, key, what) {
                read(doc, &table);
            }
        }
    };
    each("provider", "[[provider]]", &mut |doc, t| project.providers.extend(read_provider(doc, t)));
    each("model", "[[model]]", &mut |doc, t| project.models.extend(read_model(doc, t)));
    each("tokenizer", "[[tokenizer]]", &mut |doc, t| project.tokenizers.extend(read_tokenizer(doc, t)));
    project
}

fn read_provider(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<ProviderFact> {
    table.refuse_unknown(doc, &PROVIDER_KEYS);
    let (as_of, source) = dated(doc, table);
    let flag = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.bool(v, key));
    let count = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.count(v, key));
    let id = table.require(doc, "id").and_then(|v| doc.string(v, "id"));
    Some(ProviderFact {
        shared_scope: flag(doc, "shared_scope"),
        max_marks: count(doc, "max_marks"),
        tools_first: flag(doc, "tools_first"),
        min_tokens: count(doc, "min_tokens"),
        ttls: table.get("ttls").and_then(|v| doc.strings(v, "ttls")),
        strips_attribution: flag(doc, "strips_attribution"),
        scope_field: table.get("scope_field").and_then(|v| doc.string(v, "scope_field")).map(|s| s.value),
        usage: table
            .get("usage")
            .and_then(|v| doc.strings(v, "usage"))
            .map_or_else(Vec::new, |fields| fields.into_iter().map(|f| f.value).collect()),
        as_of,
        source,
        id: id?,
    })
}

fn read_model(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<ModelFact> {
    table.refuse_unknown(doc, &MODEL_KEYS);
    let (as_of, source) = dated(doc, table);
    let count = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.count(v, key));
    let name = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.string(v, key));
    let prefix = table.require(doc, "match").and_then(|v| doc.string(v, "match"));
    Some(ModelFact {
        provider: name(doc, "provider"),
        min_tokens: count(doc, "min_tokens"),
        max_marks: count(doc, "max_marks"),
        window: count(doc, "window"),
        tokenizer: name(doc, "tokenizer"),
        prices: table.get("prices").and_then(|v| read_prices(doc, v)),
        as_of,
        source,
        prefix: prefix?,
    })
}

fn read_prices(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Option<Prices> {
    let table = doc.table(value, "prices", "`prices`")?;
    table.refuse_unknown(doc, &PRICE_KEYS);
    let price = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.number(v, key));
    Some(Prices {
        input: price(doc, "input"),
        cached: price(doc, "cached"),
        write: price(doc, "write"),
        output: price(doc, "output"),
        currency: table
            .get("currency")
            .and_then(|v| doc.string(v, "currency"))
            .map_or_else(|| "USD".to_owned(), |c| c.value),
    })
}

fn read_tokenizer(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<TokenizerFact> {
    table.refuse_unknown(doc, &TOKENIZER_KEYS);
    let (as_of, source) = dated(doc, table);
    let number = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.number(v, key));
    let id = table.require(doc, "id").and_then(|v| doc.string(v, "id"));
    let name = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.string(v, key));
    let (base, file) = match table.one_of(doc, &["base", "file"]) {
        Some("file") => (None, name(doc, "file")),
        Some(_) => (name(doc, "base"), None),
        None => (table.require(doc, "base").and_then(|v| doc.string(v, "base")), None),
    };
    let factor = number(doc, "factor").unwrap_or(1.0);
    let band = number(doc, "band").unwrap_or(0.0);
    Some(TokenizerFact { id: id?, base, file, factor, band, as_of, source })
}

/// Every fact may say since when it is known, and from where.
fn dated(doc: &mut Doc<'_>, table: &Table<'_>) -> (Option<String>, Option<String>) {
    let text = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.string(v, key)).map(|s| s.value);
    (text(doc, "as_of"), text(doc, "source"))
}
