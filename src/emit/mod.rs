//! A plan that fits to the bytes of one target. Nothing here can fail.
//!
//! Owns the shape of every artifact: one file a target. Does not know files or diagnostics. Main types: [`Subject`],
//! [`Emitter`].

mod anthropic;
mod bedrock;
pub mod blocks;
mod gemini;
mod openai;
mod parts;
mod text;

use crate::input::Value;
use crate::plan::{Block, Capabilities, DEFAULT_TTL, Fitted};
use crate::resolve::{Inputs, Resolved, Route};
use crate::source::SourceMap;

pub use parts::{Part, source_of, text_parts};
pub use text::{channel_text, section_ids, section_text, shared_bytes};

/// Everything that an artifact is made of.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The profile.
    pub resolved: &'a Resolved,
    /// The route that is sent.
    pub route: &'a Route,
    /// Its blocks.
    pub fitted: &'a Fitted,
    /// The target.
    pub target: &'a Capabilities,
    /// Paths and lines.
    pub sources: &'a SourceMap,
}

/// A form of output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Emitter {
    /// Scope-tagged blocks: the contract of this program.
    Blocks,
    /// The system prompt as one text.
    Text,
    /// The Messages API.
    Anthropic,
    /// The Converse API.
    Bedrock,
    /// The Responses API.
    Openai,
    /// Chat Completions.
    OpenaiChat,
    /// Chat Completions as other servers speak it: one system string.
    OpenaiCompatible,
    /// generateContent.
    Gemini,
}

impl Subject<'_> {
    /// Whether every block has its text.
    pub fn is_closed(&self) -> bool {
        self.fitted.plan.blocks.iter().all(|b| b.text.is_some())
    }

    /// Blocks that have a text, each with the lifetime of its mark.
    fn marked(&self) -> impl Iterator<Item = (&Block, Option<&str>)> {
        let marks = self.fitted.marks.iter().map(Option::as_deref);
        self.fitted.plan.blocks.iter().zip(marks).filter(|(block, _)| block.text.is_some())
    }
}

/// The text of a block. Open blocks have none; whoever asks sees to it that there are none.
fn block_text(block: &Block) -> &str {
    block.text.as_ref().map_or("", |text| &text.text)
}

/// The lifetime that is written on a mark; a default one is not.
fn named_ttl(ttl: &str) -> Option<&str> {
    (ttl != DEFAULT_TTL).then_some(ttl)
}

impl Emitter {
    /// All emitters.
    pub const ALL: [Emitter; 8] = [
        Emitter::Blocks,
        Emitter::Text,
        Emitter::Anthropic,
        Emitter::Bedrock,
        Emitter::Openai,
        Emitter::OpenaiChat,
        Emitter::OpenaiCompatible,
        Emitter::Gemini,
    ];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Emitter::Blocks => "blocks",
            Emitter::Text => "text",
            Emitter::Anthropic => "anthropic",
            Emitter::Bedrock => "bedrock",
            Emitter::Openai => "openai",
            Emitter::OpenaiChat => "openai-chat",
            Emitter::OpenaiCompatible => "openai-compatible",
            Emitter::Gemini => "gemini",
        }
    }

    /// The emitter of this name.
    pub fn from_name(name: &str) -> Option<Emitter> {
        Emitter::ALL.into_iter().find(|e| e.name() == name)
    }

    /// The file that it makes.
    pub fn file(self) -> &'static str {
        match self {
            Emitter::Blocks => "blocks.json",
            Emitter::Text => "prompt.txt",
            Emitter::Anthropic => "anthropic.json",
            Emitter::Bedrock => "bedrock.json",
            Emitter::Openai => "openai.json",
            Emitter::OpenaiChat => "openai-chat.json",
            Emitter::OpenaiCompatible => "openai-compatible.json",
            Emitter::Gemini => "gemini.json",
        }
    }

    /// Whether it can say what is open; others need every text.
    pub fn takes_open_blocks(self) -> bool {
        self == Emitter::Blocks
    }

    /// How many cache marks a body of this form carries.
    pub fn marks_in(self, body: &str) -> usize {
        let key = match self {
            Emitter::Blocks => "\"mark\": \"",
            Emitter::Anthropic => "\"cache_control\": ",
            Emitter::Bedrock => "\"cachePoint\": ",
            Emitter::Openai | Emitter::OpenaiChat => "\"prompt_cache_breakpoint\": ",
            Emitter::Text | Emitter::OpenaiCompatible | Emitter::Gemini => return 0,
        };
        // No text begins a line so: a string of JSON has neither line feeds nor quotes.
        body.lines().filter(|line| line.trim_start().starts_with(key)).count()
    }

    /// The bytes of an artifact.
    pub fn emit(self, subject: &Subject<'_>) -> String {
        match self {
            Emitter::Blocks => blocks::emit(subject),
            Emitter::Text => text::emit(subject.fitted),
            Emitter::Anthropic => anthropic::emit(subject),
            Emitter::Bedrock => bedrock::emit(subject),
            Emitter::Openai => openai::responses(subject),
            Emitter::OpenaiChat => openai::chat(subject),
            Emitter::OpenaiCompatible => openai::compatible(subject),
            Emitter::Gemini => gemini::emit(subject),
        }
    }
}

/// The cell of a matrix as `key=value` pairs, in the matrix's order.
pub fn cell_name(cell: &[(String, Value)]) -> String {
    let value = |v: &Value| match v {
        Value::String(s) => s.clone(),
        other => other.canonical_json(),
    };
    cell.iter().map(|(name, v)| format!("{name}={}", value(v))).collect::<Vec<_>>().join(",")
}

/// Plain inputs that open sections wait for.
pub fn awaited<'a>(subject: &Subject<'a>) -> Vec<&'a str> {
    let inputs: &'a Inputs = &subject.resolved.inputs;
    let open = subject.fitted.plan.blocks.iter().flat_map(|b| &b.sections).filter(|s| s.digest.is_none());
    let names = open.flat_map(|s| &subject.route.sections[s.index].reads.all).map(AsRef::as_ref);
    inputs.open_sources(names).into_iter().collect()
}
