//! Counts over a model: exact, or between bounds, or without end.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::Count;
use super::cost::Lack;
use super::kernel::{AxisSet, Counter, Limits, Mdd, Node, Pairs, Problem, Stop, bounds};
use super::model::{Model, Text};
use super::pieces::{Piece, TooMany, fuse, is_ambiguous};

/// Counts over one model that remember what was counted before. Together they may cost what one count may.
pub(super) struct Counting<'a> {
    model: &'a Model,
    pub(super) m: Mdd,
    pub(super) pairs: Pairs,
    counter: Counter,
    /// What is left for all of them, and how many cells there were when it was last looked at.
    left: Limits,
    cells: usize,
    /// What the last exact count ran out of.
    pub(super) lack: Option<Lack>,
}

/// The pieces of both blocks, fused as far as that came.
struct Fused {
    pieces: Vec<Piece>,
    /// The first piece that has too many texts, and all behind it.
    from: Option<usize>,
}

impl<'a> Counting<'a> {
    pub(super) fn new(model: &'a Model) -> Counting<'a> {
        let mut m = model.m.clone();
        m.allow(model.cost.one);
        let cells = m.cells();
        Counting {
            model,
            m,
            pairs: Pairs::default(),
            counter: Counter::default(),
            left: model.cost.one,
            cells,
            lack: None,
        }
    }

    /// Allows what is left.
    fn allow_rest(&mut self) {
        self.left.work = self.left.work.saturating_sub(self.m.work());
        self.left.cells = self.left.cells.saturating_sub(self.m.cells() - self.cells);
        self.cells = self.m.cells();
        self.m.allow(self.left);
    }

    /// How many different pairs of texts some parts join to.
    pub(super) fn count(&mut self, keep: &[usize]) -> Count {
        self.settled(keep).unwrap_or_else(|| self.between(keep))
    }

    /// The same where it is not between bounds.
    pub(super) fn settled(&mut self, keep: &[usize]) -> Option<Count> {
        let parts = || keep.iter().map(|n| &self.model.parts[*n]);
        if parts().any(|p| matches!(p.text, Text::Broken)) {
            return Some(Count::Broken);
        }
        let open: BTreeSet<&String> = parts()
            .filter_map(|p| if let Text::Open(names) = &p.text { Some(names) } else { None })
            .flatten()
            .collect();
        if !open.is_empty() {
            return Some(Count::Unbounded(open.into_iter().cloned().collect()));
        }
        if parts().any(|p| matches!(p.text, Text::Unknown { .. })) {
            self.lack = Some(Lack::Renders);
            return None;
        }
        let counted = match self.problem(keep) {
            Ok(Some(problem)) => self.counter.count(&mut self.m, problem),
            Ok(None) => return None,
            Err(Stop) => Err(Stop),
        };
        match counted {
            Ok(count) => Some(Count::Exact(count)),
            Err(Stop) => {
                self.lack = Some(if self.m.is_out_of_work() { Lack::Steps } else { Lack::Nodes });
                None
            }
        }
    }

    /// What a part hangs on and how many texts it has: the narrower, the smaller.
    pub(super) fn shape(&self, part: usize) -> (usize, AxisSet, usize) {
        let Text::Pieces(pieces) = &self.model.parts[part].text else { return (usize::MAX, AxisSet::default(), 0) };
        let mut axes = AxisSet::default();
        pieces.iter().for_each(|p| axes.add(self.m.support(p.function)));
        (axes.len(), axes, pieces.iter().map(|p| p.texts.len()).max().unwrap_or(0))
    }

    /// Whether a part says the same everywhere, and stands everywhere or nowhere.
    pub(super) fn is_fixed(&self, part: usize) -> bool {
        let part = &self.model.parts[part];
        let Text::Pieces(pieces) = &part.text else { return false };
        part.live.is_leaf() && pieces.iter().all(|p| p.function.is_leaf())
    }

    /// For each of some parts, whether as the last one behind those ahead of it it lengthens every text by the same
    /// bytes: then it changes neither count nor share. It says the same everywhere, and so does the separator ahead of
    /// it, which stands only where something lives before in its block.
    pub(super) fn add_the_same(&self, run: &[usize]) -> Vec<bool> {
        let (mut always, mut ever) = ([false; 2], [false; 2]);
        let one = |part: &usize| {
            let live = self.model.parts[*part].live;
            let block = usize::from(self.model.parts[*part].is_prefix);
            let is_settled = always[block] || !ever[block];
            always[block] |= live == Node::TRUE;
            ever[block] |= live != Node::FALSE;
            self.is_fixed(*part) && (live == Node::FALSE || is_settled)
        };
        run.iter().map(one).collect()
    }

    /// Whether no two outcomes of these parts join to the same bytes.
    pub(super) fn is_injective(&mut self, keep: &[usize]) -> bool {
        self.allow_rest();
        let Ok(blocks) = self.model.blocks(&mut self.m, keep, false) else { return false };
        blocks.iter().all(|block| (0..block.len()).all(|at| is_ambiguous(&mut self.m, block, at) == Ok(false)))
    }

    /// The functions whose joint outcomes are the different texts of some parts; `None` where a piece has too many.
    pub(super) fn problem(&mut self, keep: &[usize]) -> Result<Option<Problem>, Stop> {
        self.allow_rest();
        let blocks = self.model.blocks(&mut self.m, keep, false)?;
        let fused = fused(&mut self.m, &blocks)?;
        if fused.from.is_some() {
            return Ok(None);
        }
        let functions = fused.pieces.iter().map(|p| p.function).collect();
        Ok(Some(Problem { functions, conditions: self.model.conditions.clone() }))
    }

    /// What is certain where the exact count takes too much.
    ///
    /// At most: every outcome of what was gone through with every value of the axes of what was not. At least: the count
    /// over some assignments alone, those in which whatever stands in the way is fixed.
    fn between(&mut self, keep: &[usize]) -> Count {
        let m = &mut self.m;
        let conditions = &self.model.conditions;
        let mut unknown = AxisSet::default();
        let mut factor = BigUint::from(1u32);
        for part in keep.iter().map(|n| &self.model.parts[*n]) {
            if let Text::Unknown { axes, .. } = &part.text {
                unknown.add(axes);
                factor *= axes.iter().map(|axis| BigUint::from(m.size(axis))).product::<BigUint>();
            }
        }
        let all: BigUint = (0..m.axis_count()).map(|n| BigUint::from(m.size(n as u16))).product();
        m.allow(self.model.cost.one);
        let Ok(blocks) = self.model.blocks(m, keep, false) else {
            return Count::Between { at_least: BigUint::ZERO, at_most: all };
        };
        let functions = blocks.iter().flatten().map(|p| p.function).collect();
        let (_, high) = bounds(m, &Problem { functions, conditions: conditions.clone() });
        let low = self.low(keep, unknown).unwrap_or(BigUint::ZERO);
        Count::Between { at_least: low, at_most: (high * factor).min(all) }
    }

    /// The count over the assignments in which `still` and whatever else must be is fixed to the sample.
    fn low(&mut self, keep: &[usize], mut still: AxisSet) -> Result<BigUint, Stop> {
        let m = &mut self.m;
        let mut model = self.model.clone();
        let sample = model.sample()?;
        for (n, part) in model.parts.iter_mut().enumerate() {
            if let Text::Unknown { sample, .. } = &part.text {
                part.live = if sample.is_some() { Node::TRUE } else { Node::FALSE };
                part.text = Text::Pieces(vec![Piece::fixed(sample.as_deref().unwrap_or_default(), n)]);
            }
        }
        if model.conditions.iter().any(|c| m.class_at(*c, &sample) == 0) {
            return Ok(BigUint::ZERO);
        }
        m.allow(model.cost.one);
        let blocks = model.blocks(m, keep, false)?;
        loop {
            m.allow(model.cost.one);
            let mut conditions = model.conditions.clone();
            for condition in &mut conditions {
                *condition = fixed(m, *condition, &still, &sample)?;
            }
            let mut some = [Vec::new(), Vec::new()];
            for (from, to) in blocks.iter().zip(&mut some) {
                for piece in from {
                    let function = fixed(m, piece.function, &still, &sample)?;
                    to.push(pruned(m, function, piece)?);
                }
            }
            let fused = fused(m, &some)?;
            match fused.from {
                None => {
                    let functions = fused.pieces.iter().map(|p| p.function).collect();
                    return Ok(bounds(m, &Problem { functions, conditions }).0);
                }
                Some(from) => fused.pieces[from..].iter().for_each(|p| still.add(m.support(p.function))),
            }
        }
    }
}

/// Both blocks fused. What stands in different blocks never joins.
fn fused(m: &mut Mdd, blocks: &[Vec<Piece>; 2]) -> Result<Fused, Stop> {
    let mut pieces = Vec::new();
    let mut from = None;
    for block in blocks {
        let (mut own, stuck) = fuse(m, block)?;
        if let Some(TooMany { piece }) = stuck {
            from = from.or(Some(pieces.len() + piece));
        }
        pieces.append(&mut own);
    }
    Ok(Fused { pieces, from })
}

/// A function with some axes fixed.
fn fixed(m: &mut Mdd, f: Node, axes: &AxisSet, values: &[u32]) -> Result<Node, Stop> {
    let mut f = f;
    for axis in axes.iter() {
        f = m.restrict(f, axis, values[usize::from(axis)])?;
    }
    Ok(f)
}

/// A piece without the texts that its function no longer has.
fn pruned(m: &mut Mdd, function: Node, piece: &Piece) -> Result<Piece, Stop> {
    let classes = m.classes(function);
    let place = |class: u32| classes.binary_search(&class).unwrap_or(0) as u32;
    let function = m.map(function, &mut |class| place(class))?;
    let texts = classes.iter().map(|class| piece.texts[*class as usize].clone()).collect();
    Ok(Piece { function, texts, part: piece.part })
}
