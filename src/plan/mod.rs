//! Blocks: which sections go together, what each block's scope is, where cache marks sit.
//!
//! Owns the strategy, digests, and the fit to what a provider can do. Does not know JSON. Main types: [`BlockPlan`],
//! [`Block`], [`Fitted`], [`Capabilities`].

mod blocks;
mod built_in;
mod errors;
mod facts;
mod fit;
mod meter;

use std::ops::Range;

pub use blocks::plan;
pub use errors::{RULES, UNKNOWN_MODEL};
pub use facts::{Capabilities, Facts, Priced, TokenizerUse};
pub use fit::fit;
pub use meter::Meter;

use crate::input::Lifetime;
use crate::manifest::Zone;
use crate::source::Span;

/// The lifetime of a mark that says none.
pub const DEFAULT_TTL: &str = "default";

/// How a request is cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strategy {
    /// The static run is shared by everyone.
    Boundary,
    /// Run-time tools stand ahead of the text: nothing is shared beyond the organisation.
    Tools,
    /// Everything is shared within the organisation at most.
    Fallback,
}

/// What a block is. In the order of the request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A billing line, never cached.
    Attribution,
    /// An identity line.
    Prefix,
    /// What stands before the boundary.
    Static,
    /// What stands behind it.
    Dynamic,
    /// From the first section that changes every turn.
    Tail,
    /// The first user message.
    UserContext,
}

/// Who shares a cached block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// Everyone in an organisation.
    Org,
    /// Everyone.
    Global,
}

/// The blocks of an artifact.
#[derive(Debug)]
pub struct BlockPlan {
    /// How the request is cut.
    pub strategy: Strategy,
    /// Why it is cut so.
    pub reason: &'static str,
    /// In order, at most one of a kind.
    pub blocks: Vec<Block>,
}

/// One block.
#[derive(Debug)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Who shares it; nobody, if nothing is said.
    pub scope: Option<Scope>,
    /// The shortest lifetime of its sections.
    pub lifetime: Lifetime,
    /// Its text, unless one of its sections is open.
    pub text: Option<BlockText>,
    /// BLAKE3 of everything up to its end; none behind an open block.
    pub prefix_digest: Option<String>,
    /// Its sections, in order.
    pub sections: Vec<Placed>,
    /// Stands before the block when blocks are joined to one text.
    pub separator: String,
}

/// The text of a block.
#[derive(Debug)]
pub struct BlockText {
    /// The text.
    pub text: String,
    /// Its tokens.
    pub tokens: u64,
    /// BLAKE3 of the text.
    pub digest: String,
}

/// A section in its block.
#[derive(Debug)]
pub struct Placed {
    /// Its place among the sections of the route.
    pub index: usize,
    /// Where it is defined.
    pub defined: Span,
    /// Its zone.
    pub zone: Zone,
    /// Its lifetime.
    pub lifetime: Lifetime,
    /// Its own text, unless its block is open.
    pub range: Option<Range<usize>>,
    /// Its own text, while its block is open and it is not.
    pub text: Option<String>,
    /// The bytes of its own text, unless it is open.
    pub bytes: Option<usize>,
    /// Its tokens, unless it is open.
    pub tokens: Option<u64>,
    /// BLAKE3 of its text, unless it is open.
    pub digest: Option<String>,
    /// Its template, if it is open.
    pub template: Option<String>,
    /// Whether it is recomputed every turn.
    pub dangerous: bool,
}

/// A plan that fits the target: every mark can be placed.
#[derive(Debug)]
pub struct Fitted {
    /// The blocks.
    pub plan: BlockPlan,
    /// A mark for each block: its lifetime in the provider's word, or `default`.
    pub marks: Vec<Option<String>>,
    /// Blocks that would take a mark, had the target enough of them.
    pub unplaced: Vec<Kind>,
    /// Marks that the request can still place on messages.
    pub marks_left: u64,
}

impl Strategy {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Boundary => "boundary",
            Strategy::Tools => "tools",
            Strategy::Fallback => "fallback",
        }
    }
}

impl Kind {
    /// All kinds, in the order of a request.
    pub const ALL: [Kind; 6] =
        [Kind::Attribution, Kind::Prefix, Kind::Static, Kind::Dynamic, Kind::Tail, Kind::UserContext];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Attribution => "attribution",
            Kind::Prefix => "prefix",
            Kind::Static => "static",
            Kind::Dynamic => "dynamic",
            Kind::Tail => "tail",
            Kind::UserContext => "user_context",
        }
    }

    /// The channel of a request that the block goes to.
    pub fn channel(self) -> &'static str {
        if self == Kind::UserContext { "user_context" } else { "system" }
    }
}

impl Scope {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Org => "org",
            Scope::Global => "global",
        }
    }
}

impl Fitted {
    /// Marks that the blocks use.
    pub fn marks_used(&self) -> usize {
        self.marks.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests;
