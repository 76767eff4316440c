//! How far all variants are the same, and two assignments that part there.
//!
//! All variants are read at once: threads, each with the condition under which it is there, go forward byte by byte as
//! long as they agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kernel::{Axis, Mdd, Node, Stop};
use super::model::Model;
use super::pieces::Piece;

/// Most threads: variants that agree so far in more ways are not followed further.
const THREADS: usize = 4096;

/// Most pairs of threads that are tried for assignments that differ in one axis.
const PAIRS: usize = 256;

/// How far all variants agree.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// What they agree in.
    pub(super) head: Head,
    /// Where they part; nothing when there is one variant.
    pub(super) parting: Option<Parting>,
}

/// Bytes that variants begin with: of the prefix block, and behind it of the static text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Head {
    pub(super) prefix: Vec<u8>,
    /// The static text, when all of the prefix block is the same.
    pub(super) content: Option<Vec<u8>>,
}

impl Head {
    /// Both, one behind the other.
    pub(super) fn bytes(&self) -> u64 {
        (self.prefix.len() + self.content.as_ref().map_or(0, Vec::len)) as u64
    }

    fn push(&mut self, bytes: &[u8]) {
        self.content.as_mut().unwrap_or(&mut self.prefix).extend_from_slice(bytes);
    }

    /// What two heads have in common.
    pub(super) fn shared(&self, other: &Head) -> Head {
        let same =
            |a: &[u8], b: &[u8]| -> Vec<u8> { a.iter().zip(b).take_while(|(x, y)| x == y).map(|(x, _)| *x).collect() };
        let content = match (&self.content, &other.content) {
            (Some(a), Some(b)) if self.prefix == other.prefix => Some(same(a, b)),
            _ => None,
        };
        Head { prefix: same(&self.prefix, &other.prefix), content }
    }
}

/// Where variants part.
#[derive(Clone, Debug)]
pub(super) struct Parting {
    /// The first part that differs.
    pub(super) part: usize,
    /// Two assignments whose variants part there, differing in as few axes as was found.
    pub(super) a: Vec<u32>,
    pub(super) b: Vec<u32>,
}

/// What comes next in a block.
enum Item {
    Piece(Piece),
    /// The block ends: no byte is equal to that.
    End,
}

/// Variants that are the same so far.
struct Thread {
    care: Node,
    /// What is being read, and how much of it was.
    text: Arc<str>,
    read: usize,
    /// The item behind that.
    next: usize,
}

impl Thread {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.read..]
    }
}

/// Walks along some parts, of which none is open.
pub(super) fn walk(model: &Model, keep: &[usize]) -> Result<Walk, Stop> {
    let mut m = model.m.clone();
    m.allow(model.cost.all);
    let mut items = Vec::new();
    for block in model.blocks(&mut m, keep, true)? {
        items.extend(block.into_iter().map(Item::Piece));
        items.push(Item::End);
    }
    let care = model.conditions.iter().try_fold(Node::TRUE, |all, c| m.and(all, *c))?;
    let mut head = Head::default();
    if care == Node::FALSE {
        return Ok(Walk { head, parting: None });
    }
    let mut threads = vec![Thread { care, text: "".into(), read: 0, next: 0 }];
    loop {
        settle(&mut m, &items, &mut threads)?;
        let shared = shared_bytes(&threads);
        if let [only] = &mut threads[..] {
            // At the end of a block, or alone in a text.
            match (only.rest().is_empty(), only.next + 1 < items.len()) {
                (true, true) => {
                    only.next += 1;
                    head.content = Some(Vec::new());
                }
                (true, false) => return Ok(Walk { head, parting: None }),
                (false, _) => {
                    head.push(only.rest());
                    only.read += shared;
                }
            }
            continue;
        }
        if shared == 0 || threads.len() > THREADS {
            return Ok(Walk { head, parting: parting(&mut m, &items, &threads)? });
        }
        head.push(&threads[0].rest()[..shared]);
        threads.iter_mut().for_each(|t| t.read += shared);
    }
}

/// Takes every thread that has nothing left to read on to the next piece that says something, or to the end of the
/// block. Threads at the same place become one.
fn settle(m: &mut Mdd, items: &[Item], threads: &mut Vec<Thread>) -> Result<(), Stop> {
    let mut waiting: BTreeMap<usize, Node> = BTreeMap::new();
    let mut reading = Vec::new();
    for thread in threads.drain(..) {
        match thread.rest().is_empty() {
            true => wait(m, &mut waiting, thread.next, thread.care)?,
            false => reading.push(thread),
        }
    }
    while let Some((next, care)) = waiting.pop_first() {
        let Item::Piece(piece) = &items[next] else {
            reading.push(Thread { care, text: "".into(), read: 0, next });
            continue;
        };
        let mut said = Vec::new();
        for class in m.classes(piece.function) {
            let text = &piece.texts[class as usize];
            let is = m.is_class(piece.function, class)?;
            let here = m.and(care, is)?;
            if here == Node::FALSE {
                continue;
            }
            match text.is_empty() {
                true => wait(m, &mut waiting, next + 1, here)?,
                false => said.push(Thread { care: here, text: text.clone(), read: 0, next: next + 1 }),
            }
        }
        reading.append(&mut said);
    }
    *threads = reading;
    Ok(())
}

fn wait(m: &mut Mdd, waiting: &mut BTreeMap<usize, Node>, next: usize, care: Node) -> Result<(), Stop> {
    let known = waiting.get(&next).copied().unwrap_or(Node::FALSE);
    waiting.insert(next, m.or(known, care)?);
    Ok(())
}

/// How many bytes all threads have in common from here. A thread at an end has none.
fn shared_bytes(threads: &[Thread]) -> usize {
    let first = threads[0].rest();
    let same = |t: &Thread| first.iter().zip(t.rest()).take_while(|(a, b)| a == b).count();
    threads.iter().map(same).min().unwrap_or(0)
}

/// Two assignments of threads that go on with different bytes.
fn parting(m: &mut Mdd, items: &[Item], threads: &[Thread]) -> Result<Option<Parting>, Stop> {
    let part = |t: &Thread| match t.next.checked_sub(1).map(|n| &items[n]) {
        Some(Item::Piece(piece)) if !t.rest().is_empty() => piece.part,
        _ => usize::MAX,
    };
    // The earliest section first.
    let mut order: Vec<usize> = (0..threads.len()).collect();
    order.sort_by_key(|n| part(&threads[*n]));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (n, x) in order.iter().enumerate() {
        let goes_on = |y: &&usize| threads[*x].rest().first() != threads[**y].rest().first();
        pairs.extend(order[n + 1..].iter().filter(goes_on).map(|y| (*x, *y)));
        if pairs.len() > PAIRS {
            pairs.truncate(PAIRS);
            break;
        }
    }
    let Some(first) = pairs.first().copied() else { return Ok(None) };
    let mut best: Option<((usize, usize), Neighbours)> = None;
    for (x, y) in pairs {
        if best.as_ref().is_some_and(|((known, _), _)| part(&threads[*known]) < part(&threads[x])) {
            break;
        }
        if let Some(found) = one_axis(m, threads[x].care, threads[y].care)?
            && best.as_ref().is_none_or(|(_, known)| found.needs < known.needs)
        {
            best = Some(((x, y), found));
        }
    }
    let ((x, y), a, b) = match best {
        Some((pair, found)) => (pair, found.a, found.b),
        None => {
            let a = completed(m, m.model(threads[first.0].care).unwrap_or_default());
            let b = nearest(m, threads[first.1].care, &a)?;
            (first, a, b)
        }
    };
    Ok(Some(Parting { part: part(&threads[x]).min(part(&threads[y])), a, b }))
}

/// Two assignments that differ in one axis.
struct Neighbours {
    a: Vec<u32>,
    b: Vec<u32>,
    /// How many other axes must have their values.
    needs: usize,
}

/// Two assignments, one of each condition, that differ in one axis; of several those that need the fewest other values.
fn one_axis(m: &mut Mdd, p: Node, q: Node) -> Result<Option<Neighbours>, Stop> {
    let mut best: Option<Neighbours> = None;
    let axes = m.support(p).with(m.support(q));
    for axis in axes.iter() {
        for u in 0..m.size(axis) {
            let left = m.restrict(p, axis, u)?;
            for v in (0..m.size(axis)).filter(|v| *v != u) {
                let right = m.restrict(q, axis, v)?;
                let both = m.and(left, right)?;
                let Some(values) = m.model(both) else { continue };
                let needs = values.len();
                if best.as_ref().is_none_or(|known| needs < known.needs) {
                    let mut a = completed(m, values);
                    let mut b = a.clone();
                    a[usize::from(axis)] = u;
                    b[usize::from(axis)] = v;
                    best = Some(Neighbours { a, b, needs });
                }
            }
        }
    }
    Ok(best)
}

/// Values for which a condition holds, as many as possible those of another assignment.
pub(super) fn nearest(m: &mut Mdd, condition: Node, to: &[u32]) -> Result<Vec<u32>, Stop> {
    let mut left = condition;
    let mut values = to.to_vec();
    for axis in 0..m.axis_count() as Axis {
        let wanted = values[usize::from(axis)];
        let same = m.restrict(left, axis, wanted)?;
        if same != Node::FALSE {
            left = same;
            continue;
        }
        for other in 0..m.size(axis) {
            let below = m.restrict(left, axis, other)?;
            if below != Node::FALSE {
                values[usize::from(axis)] = other;
                left = below;
                break;
            }
        }
    }
    Ok(values)
}

/// All axes, the first value where nothing is said.
fn completed(m: &Mdd, values: Vec<(Axis, u32)>) -> Vec<u32> {
    let mut all = vec![0; m.axis_count()];
    for (axis, value) in values {
        all[usize::from(axis)] = value;
    }
    all
}
