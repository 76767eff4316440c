//! Static prefixes over many artifacts: how many different ones there are, and what all of them begin with.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::counts::Counting;
use super::kernel::{Node, Stop};
use super::model::{Model, Text};
use super::walk::{Head, walk};
use super::{Count, VariantSet};
use crate::digest::Growing;
use crate::manifest::Role;
use crate::render::Renderer;
use crate::resolve::Resolved;
use crate::workspace::Workspace;

/// Most prefixes of one route that are told apart one by one.
const EACH: u64 = 4096;

/// The prefixes of many artifacts.
#[derive(Default, Debug)]
pub struct Fleet {
    artifacts: u64,
    /// Digests of prefixes that were told apart.
    known: BTreeSet<(String, String)>,
    /// Counts of routes that have too many for that.
    others: Vec<Count>,
    head: Option<Head>,
    tokens: u64,
}

/// What a fleet comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FleetSum {
    /// Profiles, each cell of a matrix by itself.
    pub artifacts: u64,
    /// Different static prefixes.
    pub distinct: Count,
    /// Bytes that all of them begin with.
    pub shared_bytes: u64,
    /// The tokens of those bytes; where profiles count differently, the fewest.
    pub shared_tokens: u64,
}

impl Fleet {
    /// Adds an artifact: every route of it that can win and has static text. `tokens` counts a text as its target does.
    pub fn add(
        &mut self,
        workspace: &Workspace,
        resolved: &Resolved,
        set: &VariantSet,
        renderer: &Renderer,
        tokens: &dyn Fn(&str) -> u64,
    ) {
        self.artifacts += 1;
        for route in &set.routes {
            let Some(sent) = resolved.route(route.layer) else { continue };
            if !sent.sections.iter().any(|s| s.is_shared() && s.role == Role::Content) {
                continue;
            }
            let made;
            let model = match &route.model {
                Some(model) => Some(model),
                None => {
                    made = Model::new(workspace, sent, resolved, &renderer.probe(workspace, &sent.layout)).ok();
                    made.as_ref()
                }
            };
            match model.and_then(|model| prefixes(model, &route.count).ok()?) {
                Some(found) => self.known.extend(found),
                None => self.others.push(route.count.clone()),
            }
            let head = model.and_then(head).unwrap_or_default();
            self.narrow(&head, tokens);
        }
    }

    /// What all have in common is at most this head.
    fn narrow(&mut self, head: &Head, tokens: &dyn Fn(&str) -> u64) {
        let before = self.head.take();
        let shared = before.as_ref().map_or_else(|| head.clone(), |known| known.shared(head));
        let text = [&shared.prefix[..], shared.content.as_deref().unwrap_or_default()].concat();
        let counted = tokens(&String::from_utf8_lossy(&text));
        self.tokens = if before.as_ref() == Some(&shared) { self.tokens.min(counted) } else { counted };
        self.head = Some(shared);
    }

    /// The sum.
    pub fn sum(&self) -> FleetSum {
        let known = BigUint::from(self.known.len());
        let distinct = match self.others.is_empty() {
            true => Count::Exact(known),
            false => together(known, &self.others),
        };
        FleetSum {
            artifacts: self.artifacts,
            distinct,
            shared_bytes: self.head.as_ref().map_or(0, Head::bytes),
            shared_tokens: self.tokens,
        }
    }
}

/// Prefixes that were told apart and counts of others: at least the most of one, at most all of them.
fn together(known: BigUint, others: &[Count]) -> Count {
    let (mut low, mut high) = (known.clone(), known);
    for count in others {
        match count {
            Count::Exact(count) => {
                low = low.max(count.clone());
                high += count;
            }
            Count::Between { at_least, at_most } => {
                low = low.max(at_least.clone());
                high += at_most;
            }
            other => return other.clone(),
        }
    }
    Count::Between { at_least: low, at_most: high }
}

/// What the variants of a route begin with, as far as it is known.
fn head(model: &Model) -> Option<Head> {
    let run = run(model);
    let closed = run.iter().take_while(|n| matches!(model.parts[**n].text, Text::Pieces(_))).count();
    Some(walk(model, &run[..closed]).ok()?.head)
}

fn run(model: &Model) -> Vec<usize> {
    (0..model.parts.len()).filter(|n| model.parts[*n].is_shared).collect()
}

/// The digests of the prefix blocks and static texts of a route, each pair once; `None` when there are too many.
fn prefixes(model: &Model, count: &Count) -> Result<Option<BTreeSet<(String, String)>>, Stop> {
    if !count.is_within(EACH) {
        return Ok(None);
    }
    let run = run(model);
    let mut m = Counting::new(model).m;
    m.allow(model.cost.all);
    let mut care = Node::TRUE;
    for condition in &model.conditions {
        care = m.and(care, *condition)?;
    }
    // Texts so far, by digest: where a text can come about in several ways, the ways are one.
    let mut texts: BTreeMap<(String, String), (Growing, Node)> = BTreeMap::new();
    texts.insert((String::new(), Growing::default().digest()), (Growing::default(), care));
    for (n, block) in model.blocks(&mut m, &run, true)?.into_iter().enumerate() {
        if n > 0 {
            texts = texts
                .into_iter()
                .map(|((_, prefix), (_, care))| ((prefix, Growing::default().digest()), (Growing::default(), care)))
                .collect();
        }
        for piece in block {
            let mut longer: BTreeMap<(String, String), (Growing, Node)> = BTreeMap::new();
            for ((prefix, _), (text, care)) in texts {
                for class in m.classes(piece.function) {
                    let is = m.is_class(piece.function, class)?;
                    let here = m.and(care, is)?;
                    if here == Node::FALSE {
                        continue;
                    }
                    let mut text = text.clone();
                    text.push(&piece.texts[class as usize]);
                    let key = (prefix.clone(), text.digest());
                    let known = longer.get(&key).map_or(Node::FALSE, |(_, care)| *care);
                    let care = m.or(known, here)?;
                    longer.insert(key, (text, care));
                }
            }
            if longer.len() as u64 > 2 * EACH {
                return Ok(None);
            }
            texts = longer;
        }
    }
    Ok(Some(texts.into_keys().collect()))
}
