//! Texts one behind the other: when different texts make the same bytes once they are joined.
//!
//! Owns pieces, functions whose classes are texts, and their fusion. Outcomes of pieces are counted one by one, which is
//! right only if no two vectors of outcomes join to the same bytes. Where they might, a piece is fused with the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kernel::{Mdd, Memo, Node, Stop};

/// Most texts of one piece.
const MAX_TEXTS: usize = 4096;

/// A part of a block: a function of the axes whose classes are places in a list of texts.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) function: Node,
    pub(super) texts: Vec<Arc<str>>,
    /// The part of the model that it belongs to.
    pub(super) part: usize,
}

impl Piece {
    /// A piece that says the same everywhere.
    pub(super) fn fixed(text: &str, part: usize) -> Piece {
        Piece { function: Node::class(0), texts: vec![text.into()], part }
    }

    /// A piece whose texts are made of the classes of two functions.
    pub(super) fn of_pair(
        m: &mut Mdd,
        a: Node,
        b: Node,
        part: usize,
        text: &mut dyn FnMut(u32, u32) -> Arc<str>,
    ) -> Result<Piece, Stop> {
        let pair = m.pair(a, b)?;
        let mut texts: Vec<Arc<str>> = Vec::new();
        let mut known: BTreeMap<Arc<str>, u32> = BTreeMap::new();
        let mut class_of: Memo<u32, u32> = Memo::default();
        for class in m.classes(pair) {
            let (x, y) = m.pair_of(class);
            let text = text(x, y);
            let next = texts.len() as u32;
            let own = *known.entry(text.clone()).or_insert(next);
            if own == next {
                m.spend(1 + text.len() as u64 / 64)?;
                texts.push(text);
            }
            class_of.insert(class, own);
        }
        let function = m.map(pair, &mut |class| class_of.get(&class).copied().unwrap_or(0))?;
        Ok(Piece { function, texts, part })
    }

    /// This piece and the next as one.
    fn fused(&self, m: &mut Mdd, next: &Piece) -> Result<Piece, Stop> {
        Piece::of_pair(m, self.function, next.function, self.part, &mut |x, y| {
            [&*self.texts[x as usize], &*next.texts[y as usize]].concat().into()
        })
    }
}

/// Where fusion gave up: the piece that has too many texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany {
    pub(super) piece: usize,
}

/// The pieces of one block fused so far that different outcomes are different bytes; and how far that came when a piece
/// has too many texts.
pub(super) fn fuse(m: &mut Mdd, pieces: &[Piece]) -> Result<(Vec<Piece>, Option<TooMany>), Stop> {
    let mut list = pieces.to_vec();
    let mut at = 0;
    while at < list.len() {
        if at + 1 < list.len() && is_ambiguous(m, &list, at)? {
            let next = list.remove(at + 1);
            list[at] = list[at].fused(m, &next)?;
            if list[at].texts.len() > MAX_TEXTS {
                return Ok((list, Some(TooMany { piece: at })));
            }
        } else {
            at += 1;
        }
    }
    Ok((list, None))
}

/// Whether some text of a piece begins with another one of it, and what is left over can begin what follows.
pub(super) fn is_ambiguous(m: &mut Mdd, pieces: &[Piece], at: usize) -> Result<bool, Stop> {
    let mut sorted: Vec<&str> = pieces[at].texts.iter().map(|t| &**t).collect();
    sorted.sort_unstable();
    for (n, short) in sorted.iter().enumerate() {
        for long in &sorted[n + 1..] {
            let Some(rest) = long.strip_prefix(short) else { break };
            if can_begin(m, &pieces[at + 1..], rest.as_bytes(), &mut Memo::default())? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether what the pieces join to can begin with these bytes, all outcomes taken to be possible.
fn can_begin(
    m: &mut Mdd,
    pieces: &[Piece],
    wanted: &[u8],
    memo: &mut Memo<(usize, usize), bool>,
) -> Result<bool, Stop> {
    let Some((first, rest)) = pieces.split_first() else { return Ok(wanted.is_empty()) };
    if wanted.is_empty() {
        return Ok(true);
    }
    let key = (pieces.len(), wanted.len());
    if let Some(known) = memo.get(&key) {
        return Ok(*known);
    }
    let mut can = false;
    for text in &first.texts {
        m.spend(1)?;
        let both = text.len().min(wanted.len());
        if text.as_bytes()[..both] == wanted[..both] && can_begin(m, rest, &wanted[both..], memo)? {
            can = true;
            break;
        }
    }
    memo.insert(key, can);
    Ok(can)
}
