//! Questions about functions that make no new ones.

use num_bigint::BigUint;

use super::axes::{Axis, AxisSet};
use super::mdd::{Mdd, Node};
use super::memo::Memo;

impl Mdd {
    /// The classes of a function, lowest first.
    pub(in crate::variants) fn classes(&self, f: Node) -> Vec<u32> {
        let mut seen: Memo<Node, ()> = Memo::default();
        let mut found = Vec::new();
        let mut left = vec![f];
        while let Some(node) = left.pop() {
            if seen.get(&node).is_some() {
                continue;
            }
            seen.insert(node, ());
            match node.leaf() {
                Some(class) => found.push(class),
                None => left.extend_from_slice(self.children(node)),
            }
        }
        found.sort_unstable();
        found
    }

    /// Values for which a condition holds, the lowest ones in the order of axes; `None` when it holds nowhere.
    pub(in crate::variants) fn model(&self, condition: Node) -> Option<Vec<(Axis, u32)>> {
        let mut out = Vec::new();
        let mut node = condition;
        while let Some(axis) = self.axis(node) {
            let value = self.children(node).iter().position(|c| *c != Node::FALSE)?;
            out.push((axis, value as u32));
            node = self.children(node)[value];
        }
        (node != Node::FALSE).then_some(out)
    }

    /// For how many values of some axes a condition holds; it hangs on no others.
    pub(in crate::variants) fn models(&self, condition: Node, axes: &AxisSet) -> BigUint {
        let axes: Vec<Axis> = axes.iter().collect();
        self.models_from(condition, &axes, 0, &mut Memo::default())
    }

    fn models_from(&self, f: Node, axes: &[Axis], at: usize, memo: &mut Memo<(Node, usize), BigUint>) -> BigUint {
        if f == Node::FALSE {
            return BigUint::ZERO;
        }
        let Some(&axis) = axes.get(at) else { return BigUint::from(1u32) };
        if let Some(done) = memo.get(&(f, at)) {
            return done.clone();
        }
        let count = match self.axis(f) {
            Some(first) if first == axis => {
                let children = self.children(f).iter();
                children.map(|c| self.models_from(*c, axes, at + 1, memo)).sum()
            }
            _ => self.models_from(f, axes, at + 1, memo) * self.size(axis),
        };
        memo.insert((f, at), count.clone());
        count
    }

    /// The class for the values of all axes.
    pub(in crate::variants) fn class_at(&self, f: Node, values: &[u32]) -> u32 {
        let mut node = f;
        loop {
            match node.leaf() {
                Some(class) => return class,
                None => {
                    let axis = self.axis(node).expect("what is no leaf tests an axis");
                    node = self.children(node)[values[usize::from(axis)] as usize];
                }
            }
        }
    }
}
