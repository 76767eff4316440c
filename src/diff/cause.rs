//! Why a change has its class.

use super::Class;
use super::counts::Count;
use super::place::Line;
use crate::input::Lifetime;
use crate::manifest::{Allow, Layer};
use crate::plan::{Kind, Scope};
use crate::source::Span;

/// One reason why a change has its class.
#[derive(Clone, Debug)]
pub struct Cause {
    /// What happened.
    pub what: What,
    /// How bad it is.
    pub class: Class,
    /// The section that did it.
    pub section: Option<String>,
    /// The line that did it.
    pub line: Option<Line>,
    /// Tokens at stake.
    pub tokens: Option<u64>,
    /// The reason in the manifest that allows it.
    pub allowed: Option<Allowed>,
    /// The artifacts in which it was found.
    pub artifacts: Vec<String>,
    /// Those of the matrix' cells in which it was found, when it was not in all; the artifacts, when what wins most of the
    /// time is not among them.
    pub only: Vec<String>,
}

/// A reason in a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// The rule that it names.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// Where the rule is named, in the head.
    pub span: Span,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// There are more static prefixes.
    VariantsGrew {
        /// Before.
        before: Count,
        /// After.
        after: Count,
    },
    /// The static prefix depends on a run-time input that it did not depend on.
    NowRuntime {
        /// The input.
        input: String,
        /// Whether it stands in the text, and not in a condition.
        in_text: bool,
    },
    /// A static section was declared dynamic.
    Demoted,
    /// The boundary stands earlier: static sections stand behind a section that is dynamic.
    BoundaryMoved {
        /// They.
        behind: Vec<String>,
    },
    /// A static section was moved behind the boundary.
    MovedBehind,
    /// A section that was cached is recomputed every turn.
    Dangerous {
        /// Why.
        reason: String,
    },
    /// A new section is recomputed every turn.
    NewDangerous {
        /// Why.
        reason: String,
    },
    /// A section is no longer cached because it stands behind one that is recomputed every turn.
    Uncached {
        /// That one.
        by: String,
    },
    /// A section changes sooner than it did.
    LifetimeShortened {
        /// Before.
        before: Lifetime,
        /// After.
        after: Lifetime,
    },
    /// A block changes sooner than it did, by a section that came into it.
    BlockShortened {
        /// The block.
        kind: Kind,
        /// Before.
        before: Lifetime,
        /// After.
        after: Lifetime,
    },
    /// The static prefix is shared by fewer.
    ScopeNarrowed {
        /// Before.
        before: Option<Scope>,
        /// After.
        after: Option<Scope>,
    },
    /// A link that can win drops a required section.
    RequiredLost {
        /// The link.
        layer: Layer,
    },
    /// A section is no longer required.
    RequiredRemoved {
        /// Whether it is gone altogether.
        gone: bool,
    },
    /// The static prefix, which was long enough to be cached, is no longer.
    BelowMinimum {
        /// Tokens before.
        before: u64,
        /// Tokens after.
        after: u64,
        /// The provider's minimum.
        minimum: u64,
    },
    /// A block is no longer marked, though it is long enough.
    MarkLost {
        /// The block.
        kind: Kind,
    },
    /// The static prefix has other bytes.
    Rewritten,
    /// A static section stands elsewhere in the static prefix.
    Moved,
    /// Something else stands between sections.
    Separated {
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// The prompt is for another provider or model.
    TargetChanged {
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// A link can win that could not.
    RouteAdded {
        /// The link.
        layer: Layer,
    },
    /// A link can no longer win.
    RouteRemoved {
        /// The link.
        layer: Layer,
    },
    /// The reason of a section that is recomputed every turn is another one.
    ReasonChanged {
        /// Before.
        before: String,
        /// After.
        after: String,
    },
}

impl Cause {
    pub(super) fn new(what: What, class: Class) -> Cause {
        Cause {
            what,
            class,
            section: None,
            line: None,
            tokens: None,
            allowed: None,
            artifacts: Vec::new(),
            only: Vec::new(),
        }
    }

    pub(super) fn section(mut self, id: &str, line: Line) -> Cause {
        self.section = Some(id.to_owned());
        self.line = Some(line);
        self
    }

    pub(super) fn tokens(mut self, tokens: Option<u64>) -> Cause {
        self.tokens = tokens;
        self
    }

    /// Takes the reason of a section that allows it.
    pub(super) fn allowed_by(mut self, allows: &[Allow]) -> Cause {
        let rules = self.what.rules();
        let found = allows.iter().find(|allow| rules.contains(&allow.rule.value.as_str()));
        self.allowed = self.allowed.or(found.map(|allow| Allowed {
            rule: allow.rule.value.clone(),
            reason: allow.reason.value.clone(),
            span: allow.rule.span,
        }));
        self
    }

    /// Whether it tells the same as another one, in another artifact or of another profile: what happened, by which
    /// section, and whether somebody said why. Numbers are none of it, since each artifact has its own.
    pub fn is_same(&self, other: &Cause) -> bool {
        // Which section is the first is another matter in each artifact.
        let of_any = matches!(self.what, What::Rewritten | What::Separated { .. });
        self.what.is_same(&other.what) && self.allowed == other.allowed && (of_any || self.section == other.section)
    }

    /// Whether more is at stake than with another one that tells the same.
    pub(super) fn is_worse(&self, other: &Cause) -> bool {
        match (&self.what, &other.what) {
            (What::VariantsGrew { after, .. }, What::VariantsGrew { after: other, .. }) => after.grew_from(other),
            _ => self.tokens > other.tokens,
        }
    }
}

impl What {
    /// Whether it is the same but for its numbers.
    fn is_same(&self, other: &What) -> bool {
        match (self, other) {
            (What::VariantsGrew { .. }, What::VariantsGrew { .. })
            | (What::BelowMinimum { .. }, What::BelowMinimum { .. }) => true,
            // In which sections it results is another matter in each artifact.
            (What::BoundaryMoved { .. }, What::BoundaryMoved { .. }) => true,
            _ => self == other,
        }
    }

    /// The word in reports.
    pub fn name(&self) -> &'static str {
        match self {
            What::VariantsGrew { .. } => "variants-grew",
            What::NowRuntime { .. } => "now-runtime",
            What::Demoted => "demoted",
            What::BoundaryMoved { .. } => "boundary-moved",
            What::MovedBehind => "moved-behind",
            What::Dangerous { .. } => "dangerous",
            What::NewDangerous { .. } => "new-dangerous",
            What::Uncached { .. } => "uncached",
            What::LifetimeShortened { .. } => "lifetime-shortened",
            What::BlockShortened { .. } => "block-shortened",
            What::ScopeNarrowed { .. } => "scope-narrowed",
            What::RequiredLost { .. } => "required-lost",
            What::RequiredRemoved { .. } => "required-removed",
            What::BelowMinimum { .. } => "below-minimum",
            What::MarkLost { .. } => "mark-lost",
            What::Rewritten => "rewritten",
            What::Moved => "moved",
            What::Separated { .. } => "separated",
            What::TargetChanged { .. } => "target-changed",
            What::RouteAdded { .. } => "route-added",
            What::RouteRemoved { .. } => "route-removed",
            What::ReasonChanged { .. } => "reason-changed",
        }
    }

    /// The rules whose reason in `allow` allows it; none for what no reason makes good. The error of the language that
    /// stands at the same place has its own reason, and one is enough.
    pub fn rules(&self) -> &'static [&'static str] {
        match self {
            What::VariantsGrew { .. } => {
                &["static-variants-grew", "static-prefix-now-runtime", "static-conditional", "static-interpolation"]
            }
            What::NowRuntime { in_text: true, .. } => &["static-prefix-now-runtime", "static-interpolation"],
            What::NowRuntime { in_text: false, .. } => &["static-prefix-now-runtime", "static-conditional"],
            What::Demoted => &["section-demoted"],
            What::BoundaryMoved { .. } => &["boundary-moved"],
            What::MovedBehind | What::Moved => &["section-moved"],
            What::Dangerous { .. } | What::NewDangerous { .. } | What::Uncached { .. } => &["dangerous-added"],
            What::LifetimeShortened { .. } | What::BlockShortened { .. } => &["lifetime-shortened"],
            What::ScopeNarrowed { .. } => &["scope-narrowed"],
            What::RequiredRemoved { .. } => &["required-removed"],
            What::BelowMinimum { .. } | What::MarkLost { .. } => &["below-minimum"],
            What::ReasonChanged { .. } => &["reason-changed"],
            What::Rewritten | What::Separated { .. } => &["static-prefix-rewritten"],
            What::RequiredLost { .. }
            | What::TargetChanged { .. }
            | What::RouteAdded { .. }
            | What::RouteRemoved { .. } => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(tokens: Option<u64>) -> Cause {
        Cause::new(What::Demoted, Class::Demote).tokens(tokens)
    }

    fn grew(after: u32) -> Cause {
        let count = |number: u32| Count { number: Some(number.to_string()), unbounded: Vec::new(), exact: true };
        Cause::new(What::VariantsGrew { before: count(1), after: count(after) }, Class::Fragment)
    }

    #[test]
    fn more_is_at_stake_with_more_tokens_or_more_prefixes() {
        for (one, other, worse) in [
            (with(Some(2)), with(Some(1)), true),
            (with(Some(1)), with(Some(2)), false),
            (with(Some(1)), with(Some(1)), false),
            (with(Some(1)), with(None), true),
            (grew(9), grew(8), true),
            (grew(9), grew(10), false),
            (grew(9), grew(9), false),
        ] {
            assert_eq!(one.is_worse(&other), worse, "{one:?} {other:?}");
        }
    }
}
