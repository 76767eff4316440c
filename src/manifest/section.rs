//! `[[section]]`.

use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::reader::{Doc, Table};
use super::{Separator, Trim, errors, names, path, reason};
use crate::expr::{self, Condition};
use crate::source::{Located, Span, Spanned};

const KEYS: [&str; 17] = [
    "id",
    "zone",
    "body",
    "text",
    "verbatim",
    "when",
    "DANGEROUS_uncached",
    "freeze",
    "channel",
    "role",
    "required",
    "allow",
    "separator_before",
    "trim",
    "keep_empty",
    "after",
    "before",
];

/// Before or behind the cache boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    /// Before the boundary: shared.
    Static,
    /// Behind it.
    Dynamic,
}

/// Where in a request a section goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Channel {
    /// The system prompt.
    System,
    /// Behind the system prompt.
    SystemContext,
    /// The first user message.
    UserContext,
}

/// What a section is to the provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Text for the model.
    Content,
    /// A billing line: its own block, never cached.
    Attribution,
    /// An identity line that clients are recognised by: its own block.
    Prefix,
}

/// A section as one manifest writes it.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its id.
    pub id: Spanned<String>,
    /// Its zone, as declared.
    pub zone: Spanned<Zone>,
    /// Its text.
    pub content: Content,
    /// Whether the text is no template.
    pub verbatim: bool,
    /// When it lives.
    pub when: Option<Condition>,
    /// The reason why it is recomputed every turn.
    pub dangerous: Option<Spanned<String>>,
    /// The note printed under a turn value that is read once.
    pub freeze: Option<Spanned<String>>,
    /// Where it goes.
    pub channel: Channel,
    /// What it is to the provider.
    pub role: Role,
    /// Whether it must survive every layer.
    pub required: bool,
    /// Findings silenced here.
    pub allow: Vec<Allow>,
    /// Its own separator.
    pub separator_before: Option<Separator>,
    /// Its own trim.
    pub trim: Option<Trim>,
    /// Its own `keep_empty`.
    pub keep_empty: Option<bool>,
    /// The section that it comes after, in a manifest that extends another.
    pub after: Option<Spanned<String>>,
    /// The section that it comes before.
    pub before: Option<Spanned<String>>,
    /// Its header.
    pub span: Span,
}

/// Where a section's text comes from.
#[derive(Clone, Debug)]
pub enum Content {
    /// A file, or files chosen by an axis.
    Body(Body),
    /// Text in the manifest.
    Text(Located),
    /// A section that could not be read; told already.
    Broken,
}

/// A body in files, paths from `prompts/`, normalised.
#[derive(Clone, Debug)]
pub enum Body {
    /// One file.
    File(Spanned<String>),
    /// A file for each value of an axis.
    ByAxis {
        /// The axis.
        by: Spanned<String>,
        /// File by value.
        files: Vec<(Spanned<String>, Spanned<String>)>,
        /// The file for all other values.
        otherwise: Option<Spanned<String>>,
        /// The whole table.
        span: Span,
    },
}

/// A lint silenced with its reason.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The rule.
    pub rule: Spanned<String>,
    /// Why.
    pub reason: Spanned<String>,
}

impl Zone {
    /// The words in manifests.
    pub const WORDS: [(&str, Zone); 2] = [("static", Zone::Static), ("dynamic", Zone::Dynamic)];
}

impl Channel {
    /// The words in manifests.
    pub const WORDS: [(&str, Channel); 3] = [
        ("system", Channel::System),
        ("system_context", Channel::SystemContext),
        ("user_context", Channel::UserContext),
    ];
}

impl Role {
    /// The words in manifests.
    pub const WORDS: [(&str, Role); 3] =
        [("content", Role::Content), ("attribution", Role::Attribution), ("prefix", Role::Prefix)];
}

impl Body {
    /// Every file that the body may use.
    pub fn files(&self) -> Vec<&Spanned<String>> {
        match self {
            Body::File(path) => vec![path],
            Body::ByAxis { files, otherwise, .. } => files.iter().map(|(_, path)| path).chain(otherwise).collect(),
        }
    }
}

/// One section; `inherits` says whether its manifest extends another.
pub(super) fn read(doc: &mut Doc<'_>, table: &Table<'_>, inherits: bool) -> Option<Section> {
    table.refuse_unknown(doc, &KEYS);
    let id = table.require(doc, "id").and_then(|v| doc.string(v, "id"));
    if let Some(id) = &id {
        names::check_section(doc, id);
    }
    let zone = table
        .require(doc, "zone")
        .and_then(|v| doc.word(v, "zone", &Zone::WORDS))
        // Told already; the section stays, so that nothing else seems to be missing.
        .unwrap_or_else(|| Spanned::new(Zone::Dynamic, table.span()));
    let content = read_content(doc, table);
    let flag = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.bool(v, key));
    let string = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.text(v, key));
    let name = |doc: &mut Doc<'_>, key: &str| table.get(key).and_then(|v| doc.string(v, key));
    table.one_of(doc, &["after", "before"]);
    let section = Section {
        content,
        verbatim: flag(doc, "verbatim").unwrap_or(false),
        when: table.get("when").and_then(|v| read_condition(doc, v, "when", expr::Use::Condition)),
        dangerous: read_dangerous(doc, table),
        freeze: string(doc, "freeze").map(|t| Spanned::new(t.text.to_string(), t.whole_span())),
        channel: table
            .get("channel")
            .and_then(|v| doc.word(v, "channel", &Channel::WORDS))
            .map_or(Channel::System, |c| *c),
        role: table.get("role").and_then(|v| doc.word(v, "role", &Role::WORDS)).map_or(Role::Content, |r| *r),
        required: flag(doc, "required").unwrap_or(false),
        allow: table.get("allow").map_or_else(Vec::new, |v| read_allow(doc, v)),
        separator_before: string(doc, "separator_before").map(Separator::from),
        trim: table.get("trim").and_then(|v| doc.word(v, "trim", &Trim::WORDS)).map(|t| *t),
        keep_empty: flag(doc, "keep_empty"),
        after: name(doc, "after"),
        before: name(doc, "before"),
        span: table.span(),
        zone,
        id: id?,
    };
    check_belonging(doc, table, &section, inherits);
    Some(section)
}

/// Keys that contradict one another.
fn check_belonging(doc: &mut Doc<'_>, table: &Table<'_>, section: &Section, inherits: bool) {
    let is_static = section.zone.value == Zone::Static;
    if let (true, Some(zone), Some(channel)) =
        (is_static && section.channel != Channel::System, table.key_span("zone"), table.key_span("channel"))
    {
        doc.say(errors::static_outside_system(zone, channel));
    }
    let mut misplaced = |key: &str, wrong: bool, home: &str| {
        if let (true, Some(at)) = (wrong, table.key_span(key)) {
            doc.say(errors::misplaced(at, key, home));
        }
    };
    misplaced("after", !inherits, super::prompt::INHERITING);
    misplaced("before", !inherits, super::prompt::INHERITING);
    misplaced("freeze", section.dangerous.is_some(), "cached sections: this one is computed anew on every turn");
    misplaced("freeze", is_static, "dynamic sections");
    misplaced("DANGEROUS_uncached", is_static && section.role != Role::Attribution, "dynamic sections");
    misplaced("role", section.role != Role::Content && section.channel != Channel::System, "the channel `system`");
}

fn read_content(doc: &mut Doc<'_>, table: &Table<'_>) -> Content {
    let content = match table.one_of(doc, &["body", "text"]) {
        Some("body") => table.get("body").and_then(|v| read_body(doc, v)).map(Content::Body),
        Some(_) => table.get("text").and_then(|v| doc.text(v, "text")).map(Content::Text),
        None => {
            doc.say(errors::missing_text(table.span(), table.what()));
            None
        }
    };
    content.unwrap_or(Content::Broken)
}

/// A path, or a table of paths by an axis.
pub(super) fn read_body(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Option<Body> {
    if !value.get_ref().is_table() {
        return read_path(doc, value, "body").map(Body::File);
    }
    let table = doc.table(value, "body", "`body`")?;
    table.refuse_unknown(doc, &["by", "files", "else"]);
    let by = table.require(doc, "by").and_then(|v| doc.string(v, "by"));
    let files = table.require(doc, "files").and_then(|v| doc.table(v, "files", "`files`"));
    let otherwise = Doc::optional(table.get("else").map(|v| read_path(doc, v, "else")));
    let files = files?;
    let files = Doc::whole(files.entries().map(|(value, v)| Some((value.clone(), read_path(doc, v, "files")?))));
    Some(Body::ByAxis { by: by?, files: files?, otherwise: otherwise?, span: table.span() })
}

/// A path that stays in the folder from which it is meant.
pub(super) fn read_path(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>, key: &str) -> Option<Spanned<String>> {
    let written = doc.string(value, key)?;
    match path::normalise(&written) {
        Ok(path) => Some(Spanned::new(path, written.span)),
        Err(problem) => {
            doc.say(errors::outside(written.span, &written, problem));
            None
        }
    }
}

/// A condition; its syntax is checked here, its names and types when all inputs are known.
pub(super) fn read_condition(
    doc: &mut Doc<'_>,
    value: &TomlSpanned<DeValue<'_>>,
    key: &str,
    r#use: expr::Use,
) -> Option<Condition> {
    let text = doc.text(value, key)?;
    match expr::parse(text, r#use, doc.limits) {
        Ok(condition) => Some(condition),
        Err(diagnostic) => {
            doc.say(diagnostic);
            None
        }
    }
}

/// The reason of `DANGEROUS_uncached`; a placeholder is told and kept, so that nothing else is told because of it.
pub(super) fn read_dangerous(doc: &mut Doc<'_>, table: &Table<'_>) -> Option<Spanned<String>> {
    let reason = table.get("DANGEROUS_uncached").and_then(|v| doc.string(v, "DANGEROUS_uncached"))?;
    if reason::is_placeholder(&reason) {
        let id = table.get("id").and_then(|id| id.get_ref().as_str());
        doc.say(errors::placeholder_reason(reason.span, &reason, id));
    }
    Some(reason)
}

fn read_allow(doc: &mut Doc<'_>, value: &TomlSpanned<DeValue<'_>>) -> Vec<Allow> {
    let Some(table) = doc.table(value, "allow", "`allow`") else { return Vec::new() };
    let mut out = Vec::new();
    for (rule, value) in table.entries() {
        if let Some(reason) = doc.string(value, rule) {
            if reason::is_placeholder(&reason) {
                doc.say(errors::missing_reason(reason.span, rule));
            }
            out.push(Allow { rule: rule.clone(), reason });
        }
    }
    out
}
