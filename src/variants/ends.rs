//! The count at the end of every section of a route.
//!
//! Each is a count of its own. Where they take too much together, the rest is told as bounds that follow from what is
//! known: a section multiplies with its texts at most.

use num_bigint::BigUint;

use super::Count;
use super::counts::Counting;
use super::model::{Model, Text};

/// The counts at the ends of some parts, one behind the other. `all` is the count at the end of the last.
pub(super) fn ends(model: &Model, parts: &[usize], all: &Count) -> Vec<Count> {
    let mut counting = Counting::new(model);
    let same = counting.add_the_same(parts);
    let mut ends: Vec<Count> = Vec::new();
    while let Some(last) = parts.len().checked_sub(ends.len() + 1) {
        let own = &parts[..=ends.len()];
        let after = match ends.last() {
            Some(before) if same[ends.len()] => Some(before.clone()),
            _ if last == 0 => Some(all.clone()),
            _ => counting.settled(own),
        };
        match after {
            Some(after) => ends.push(after),
            None => break,
        }
    }
    if ends.len() < parts.len() {
        let rest = between(model, parts, &ends, all);
        ends.extend(rest);
    }
    ends
}

/// Bounds on the counts that are missing between those at the first ends and the last.
///
/// At most: as many as ahead of a section, times its texts. At least: so many that the texts of all sections behind can
/// make of them what there is at the end. Where different outcomes never join to the same bytes, what is told apart once
/// stays apart.
fn between(model: &Model, parts: &[usize], known: &[Count], all: &Count) -> Vec<Count> {
    let first = known.len();
    let texts = texts(model, parts);
    let only_grows = Counting::new(model).is_injective(parts);
    let (mut low, mut high) = match known.last() {
        None => (BigUint::from(1u32), Some(BigUint::from(1u32))),
        Some(count) => range(count),
    };
    let (all_low, all_high) = range(all);
    let mut counts = Vec::new();
    for at in first..parts.len() {
        high = high.zip(texts[at].as_ref()).map(|(high, texts)| high * texts);
        if only_grows && let Some(most) = &all_high {
            high = Some(high.map_or_else(|| most.clone(), |high| high.min(most.clone())));
        }
        let behind = texts[at + 1..].iter().try_fold(BigUint::from(1u32), |product, n| Some(product * n.as_ref()?));
        let needed = behind.map_or(BigUint::from(1u32), |behind| (&all_low + &behind - 1u32) / behind);
        low = if only_grows { low.max(needed) } else { needed };
        counts.push(match (&high, at + 1 == parts.len()) {
            (_, true) => all.clone(),
            (Some(high), _) if *high == low => Count::Exact(low.clone()),
            (Some(high), _) => Count::Between { at_least: low.clone(), at_most: high.clone() },
            (None, _) => all.clone(),
        });
    }
    counts
}

/// At least and at most; without an end at most nothing.
fn range(count: &Count) -> (BigUint, Option<BigUint>) {
    match count {
        Count::Exact(count) => (count.clone(), Some(count.clone())),
        Count::Between { at_least, at_most } => (at_least.clone(), Some(at_most.clone())),
        Count::Unbounded(_) | Count::Broken => (BigUint::ZERO, None),
    }
}

/// Texts of each part with what stands ahead of it; nothing where they have no end. Whether a separator stands behind a
/// text that is not known is not known either.
fn texts(model: &Model, parts: &[usize]) -> Vec<Option<BigUint>> {
    let mut m = model.m.clone();
    m.allow(model.cost.all);
    let blocks = model.blocks(&mut m, parts, true).ok();
    let of_part = |part: &usize| -> Option<BigUint> {
        match &model.parts[*part].text {
            Text::Pieces(_) => {
                let pieces = blocks.as_ref()?.iter().flatten().filter(|piece| piece.part == *part);
                Some(pieces.map(|piece| BigUint::from(piece.texts.len())).product())
            }
            Text::Unknown { axes, .. } => Some(axes.iter().map(|axis| BigUint::from(model.m.size(axis))).product()),
            Text::Open(_) | Text::Broken => None,
        }
    };
    let is_unknown = |part: &usize| matches!(model.parts[*part].text, Text::Unknown { .. });
    let separators = |at: usize| 1 + u32::from(parts[..=at].iter().any(is_unknown));
    parts.iter().enumerate().map(|(at, part)| Some(of_part(part)? * separators(at))).collect()
}
