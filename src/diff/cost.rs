//! What a change costs, once and from then on, by the dated prices of the target's model.
//!
//! `once`: a live session that would have read the prefix from the cache writes it: `tokens * (write - cached)`.
//! Lasting: the difference of what a session costs before and after. In a session of T turns
//!
//! - what all share is read T times, when the prefix is long enough to be cached; else it is sent T times;
//! - what is computed when the session starts is written once and read T - 1 times;
//! - what is recomputed every turn, and what stands behind it, is sent T times.
//!
//! Messages and tools are the caller's and are not in it.

use super::artifact::{Artifact, Part};
use super::counts::Count;
use crate::input::Lifetime;
use crate::manifest::Traffic;
use crate::plan::{Capabilities, Kind};

/// Requests in a session, when the profile does not say.
pub const DEFAULT_TURNS: u64 = 10;

/// What a change costs.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// What all live sessions pay once.
    pub once: f64,
    /// How many live sessions that is: those of a day, or one when the profile does not say.
    pub sessions: u64,
    /// What a thousand further sessions cost more, or less.
    pub per_1000_sessions: f64,
    /// What the sessions of a day cost more, when the profile says how many there are.
    pub per_day: Option<f64>,
    /// Requests in a session.
    pub turns: u64,
    /// Whether the profile says how many.
    pub turns_are_given: bool,
    /// The artifact of which the lasting cost is: the one that is shown, or one where it is clearly larger.
    pub artifact: String,
    /// The currency.
    pub currency: String,
    /// Since when the prices are known.
    pub as_of: Option<String>,
}

/// Prices of one token.
#[derive(Clone, Copy)]
pub(super) struct Rates {
    input: f64,
    cached: f64,
    write: f64,
}

impl Rates {
    /// The rates of a target; `None` when its input price is not known.
    pub(super) fn of(target: &Capabilities) -> Option<Rates> {
        let prices = &target.prices.as_ref()?.prices;
        let input = prices.input? / 1e6;
        let rate = |price: Option<f64>| price.map_or(input, |price| price / 1e6);
        Some(Rates { input, cached: rate(prices.cached), write: rate(prices.write) })
    }

    /// What it costs to write tokens that would have been read.
    pub(super) fn rewrite(self, tokens: u64) -> f64 {
        tokens as f64 * (self.write - self.cached)
    }

    fn sent(self, turns: f64) -> f64 {
        self.input * turns
    }

    fn read(self, turns: f64) -> f64 {
        self.cached * turns
    }

    fn written_once(self, turns: f64) -> f64 {
        self.write + self.cached * (turns - 1.0)
    }
}

/// What one session's prompt costs, sections left out that are open on either side: an open one has no tokens.
pub(super) fn session(
    artifact: &Artifact,
    target: &Capabilities,
    rates: Rates,
    turns: u64,
    count: Option<&Count>,
    left_out: &dyn Fn(&str) -> bool,
) -> f64 {
    let turns = turns.max(1) as f64;
    let minimum = target.min_tokens;
    let prefix = artifact.prefix.tokens;
    let marks = target.max_marks > 0;
    let of_session: u64 =
        rest(artifact, marks).filter(|(_, live)| *live != Live::Turn).map(|(p, _)| known(p, left_out)).sum();
    let shared = count.is_none_or(|count| count.unbounded.is_empty());
    let in_session = prefix + of_session >= minimum;
    let for_prefix = match () {
        () if shared && prefix >= minimum => rates.read(turns),
        () if in_session => rates.written_once(turns),
        () => rates.sent(turns),
    };
    let mut cost = prefix as f64 * for_prefix;
    for (part, live) in rest(artifact, marks) {
        let each = match live {
            Live::Shared if in_session => rates.read(turns),
            Live::Session if in_session => rates.written_once(turns),
            Live::Shared | Live::Session | Live::Turn => rates.sent(turns),
        };
        cost += known(part, left_out) as f64 * each;
    }
    cost
}

/// For how long what stands behind the prefix can be used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Live {
    /// By all sessions of an organisation.
    Shared,
    /// By the session.
    Session,
    /// By nothing.
    Turn,
}

/// What stands behind the prefix. Whatever stands behind a section that changes changes with it; where a provider caches
/// up to marks, so does what stands before it in its block.
fn rest(artifact: &Artifact, marks: bool) -> impl Iterator<Item = (&Part, Live)> {
    let mut live = Live::Shared;
    let behind = artifact.parts.iter().filter(|p| p.kind > Kind::Static);
    behind.map(move |part| {
        let block = artifact.block(part.kind).map_or(part.lifetime, |block| block.lifetime);
        let lifetime = if marks { block } else { part.lifetime };
        let own = match () {
            () if part.dangerous.is_some() || part.lifetime == Lifetime::Turn => Live::Turn,
            () if lifetime >= Lifetime::Org && part.scope.is_some() => Live::Shared,
            () => Live::Session,
        };
        live = live.max(own);
        (part, live)
    })
}

fn known(part: &Part, left_out: &dyn Fn(&str) -> bool) -> u64 {
    if left_out(&part.id) { 0 } else { part.tokens.unwrap_or(0) }
}

/// The cost of a change, of what it costs once and in one session.
pub(super) fn cost(
    rewritten: u64,
    (lasting, artifact): (f64, String),
    rates: Rates,
    target: &Capabilities,
    traffic: Traffic,
) -> Cost {
    let sessions = traffic.sessions_per_day.unwrap_or(1);
    let priced = target.prices.as_ref();
    Cost {
        once: cents(rates.rewrite(rewritten) * sessions as f64),
        sessions,
        per_1000_sessions: cents(lasting * 1000.0),
        per_day: traffic.sessions_per_day.map(|sessions| cents(lasting * sessions as f64)),
        turns: turns(traffic),
        turns_are_given: traffic.turns_per_session.is_some(),
        artifact,
        currency: priced.map_or_else(String::new, |p| p.prices.currency.clone()),
        as_of: priced.and_then(|p| p.as_of.clone()),
    }
}

/// Requests in a session.
pub(super) fn turns(traffic: Traffic) -> u64 {
    traffic.turns_per_session.unwrap_or(DEFAULT_TURNS).max(1)
}

/// A sum to a millionth, so that no sum shows the noise of its arithmetic. Never a negative nothing.
fn cents(amount: f64) -> f64 {
    (amount * 1e6).round() / 1e6 + 0.0
}
