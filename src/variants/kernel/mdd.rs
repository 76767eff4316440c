//! Decision diagrams: functions from the values of axes to classes, shared and in one canonical form.
//!
//! A node tests one axis and has a child for each of its values; a leaf is the number of a class. Equal functions are
//! equal nodes. Of a condition class 0 is false and class 1 is true. Axes are tested in the order of their numbers.
//! Every operation counts as work, and reaching the limit of work or of nodes is [`Stop`]: the same on every machine.

use super::axes::{Axis, AxisSet};
use super::memo::Memo;

/// The limit of work or of nodes was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::variants) struct Stop;

/// A function: a node of a diagram, or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::variants) struct Node(u32);

const LEAF: u32 = 1 << 31;

impl Node {
    pub(in crate::variants) const FALSE: Node = Node::class(0);
    pub(in crate::variants) const TRUE: Node = Node::class(1);

    /// The function that is this class everywhere.
    pub(in crate::variants) const fn class(class: u32) -> Node {
        Node(LEAF | class)
    }

    /// The class of a function that is the same everywhere.
    pub(in crate::variants) fn leaf(self) -> Option<u32> {
        self.is_leaf().then_some(self.0 & !LEAF)
    }

    pub(in crate::variants) fn is_leaf(self) -> bool {
        self.0 & LEAF != 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Op {
    And,
    Or,
    Equal,
    Pair,
}

/// How much a diagram may do.
#[derive(Clone, Copy, Debug)]
pub(in crate::variants) struct Limits {
    /// Operations on nodes.
    pub(in crate::variants) work: u64,
    /// Children of all nodes together.
    pub(in crate::variants) cells: usize,
}

/// Functions over some axes.
#[derive(Clone, Debug)]
pub(in crate::variants) struct Mdd {
    sizes: Vec<u32>,
    axes: Vec<Axis>,
    starts: Vec<u32>,
    cells: Vec<Node>,
    supports: Vec<AxisSet>,
    unique: Memo<Box<[u32]>, Node>,
    binary: Memo<(Op, Node, Node), Node>,
    restricted: Memo<(Node, Axis, u32), Node>,
    cared: Memo<(Node, Node), Node>,
    tested: Memo<(Node, u32), Node>,
    canonical: Memo<Node, Node>,
    counts: Memo<Node, u32>,
    pairs: Memo<(u32, u32), u32>,
    paired: Vec<(u32, u32)>,
    no_axes: AxisSet,
    limits: Limits,
    work: u64,
}

type Made = Result<Node, Stop>;

impl Mdd {
    /// Functions over axes with these numbers of values.
    pub(in crate::variants) fn new(sizes: Vec<u32>, limits: Limits) -> Mdd {
        Mdd {
            sizes,
            axes: Vec::new(),
            starts: Vec::new(),
            cells: Vec::new(),
            supports: Vec::new(),
            unique: Memo::default(),
            binary: Memo::default(),
            restricted: Memo::default(),
            cared: Memo::default(),
            tested: Memo::default(),
            canonical: Memo::default(),
            counts: Memo::default(),
            pairs: Memo::default(),
            paired: Vec::new(),
            no_axes: AxisSet::default(),
            limits,
            work: 0,
        }
    }

    /// Starts counting work anew, with these limits on what comes.
    pub(in crate::variants) fn allow(&mut self, limits: Limits) {
        let cells = (self.cells.len() + limits.cells).min(u32::MAX as usize);
        self.limits = Limits { work: limits.work, cells };
        self.work = 0;
    }

    /// Counts work that is done elsewhere.
    ///
    /// # Errors
    /// The limit is reached.
    pub(in crate::variants) fn spend(&mut self, work: u64) -> Result<(), Stop> {
        self.work += work;
        if self.work > self.limits.work { Err(Stop) } else { Ok(()) }
    }

    /// Work since it was last allowed.
    pub(in crate::variants) fn work(&self) -> u64 {
        self.work
    }

    /// Whether it was work that stopped it, and not nodes.
    pub(in crate::variants) fn is_out_of_work(&self) -> bool {
        self.work > self.limits.work
    }

    /// Children of all nodes so far.
    pub(in crate::variants) fn cells(&self) -> usize {
        self.cells.len()
    }

    pub(in crate::variants) fn size(&self, axis: Axis) -> u32 {
        self.sizes[usize::from(axis)]
    }

    pub(in crate::variants) fn axis_count(&self) -> usize {
        self.sizes.len()
    }

    /// The axes on which a function hangs.
    pub(in crate::variants) fn support(&self, f: Node) -> &AxisSet {
        if f.is_leaf() { &self.no_axes } else { &self.supports[f.0 as usize] }
    }

    /// The axis that a function tests first.
    pub(in crate::variants) fn axis(&self, f: Node) -> Option<Axis> {
        (!f.is_leaf()).then(|| self.axes[f.0 as usize])
    }

    /// The functions for each value of the first axis.
    pub(in crate::variants) fn children(&self, f: Node) -> &[Node] {
        let axis = self.axes[f.0 as usize];
        let start = self.starts[f.0 as usize] as usize;
        &self.cells[start..start + self.sizes[usize::from(axis)] as usize]
    }

    /// The function that is one of the children, by the value of an axis that stands before all of theirs.
    pub(in crate::variants) fn make(&mut self, axis: Axis, children: &[Node]) -> Made {
        if children.iter().all(|c| *c == children[0]) {
            return Ok(children[0]);
        }
        let key: Box<[u32]> = std::iter::once(u32::from(axis)).chain(children.iter().map(|c| c.0)).collect();
        if let Some(node) = self.unique.get(&key) {
            return Ok(*node);
        }
        if self.cells.len() + children.len() > self.limits.cells {
            return Err(Stop);
        }
        let mut support = AxisSet::of(axis);
        children.iter().for_each(|c| support.add(self.support(*c)));
        let node = Node(self.axes.len() as u32);
        self.axes.push(axis);
        self.starts.push(self.cells.len() as u32);
        self.cells.extend_from_slice(children);
        self.supports.push(support);
        self.unique.insert(key, node);
        Ok(node)
    }

    /// A function of one axis: the class for each of its values.
    pub(in crate::variants) fn literal(&mut self, axis: Axis, class: impl Fn(u32) -> u32) -> Made {
        let children: Vec<Node> = (0..self.size(axis)).map(|v| Node::class(class(v))).collect();
        self.make(axis, &children)
    }

    /// The function that is the child for the value of an axis; children may test any axes.
    pub(in crate::variants) fn choose(&mut self, axis: Axis, children: &[Node]) -> Made {
        self.choose_by(axis, children, &mut Memo::default())
    }

    fn choose_by(&mut self, axis: Axis, children: &[Node], memo: &mut Memo<Vec<Node>, Node>) -> Made {
        if children.iter().all(|c| *c == children[0]) {
            return Ok(children[0]);
        }
        if let Some(done) = memo.get(children) {
            return Ok(*done);
        }
        self.spend(1)?;
        let first = children.iter().filter_map(|c| self.axis(*c)).min();
        let made = match first {
            Some(other) if other < axis => {
                let mut inner = Vec::with_capacity(self.size(other) as usize);
                for value in 0..self.size(other) {
                    let below =
                        children.iter().map(|c| self.restrict(*c, other, value)).collect::<Result<Vec<_>, Stop>>()?;
                    inner.push(self.choose_by(axis, &below, memo)?);
                }
                self.make(other, &inner)?
            }
            _ => {
                let mut own = Vec::with_capacity(children.len());
                for (value, child) in children.iter().enumerate() {
                    own.push(self.restrict(*child, axis, value as u32)?);
                }
                self.make(axis, &own)?
            }
        };
        memo.insert(children.to_vec(), made);
        Ok(made)
    }

    pub(in crate::variants) fn and(&mut self, a: Node, b: Node) -> Made {
        match (a, b) {
            (Node::FALSE, _) | (_, Node::FALSE) => Ok(Node::FALSE),
            (Node::TRUE, other) | (other, Node::TRUE) => Ok(other),
            _ if a == b => Ok(a),
            _ => self.apply(Op::And, a.min(b), a.max(b)),
        }
    }

    pub(in crate::variants) fn or(&mut self, a: Node, b: Node) -> Made {
        match (a, b) {
            (Node::TRUE, _) | (_, Node::TRUE) => Ok(Node::TRUE),
            (Node::FALSE, other) | (other, Node::FALSE) => Ok(other),
            _ if a == b => Ok(a),
            _ => self.apply(Op::Or, a.min(b), a.max(b)),
        }
    }

    pub(in crate::variants) fn not(&mut self, f: Node) -> Made {
        self.is_class(f, 0)
    }

    /// Where two functions are the same class.
    pub(in crate::variants) fn equal(&mut self, a: Node, b: Node) -> Made {
        if a == b {
            return Ok(Node::TRUE);
        }
        if a.is_leaf() && b.is_leaf() {
            return Ok(Node::FALSE);
        }
        self.apply(Op::Equal, a.min(b), a.max(b))
    }

    /// Both functions as one: a class for each pair of classes. What pair a class is, [`Mdd::pair_of`] tells.
    pub(in crate::variants) fn pair(&mut self, a: Node, b: Node) -> Made {
        if let (Some(x), Some(y)) = (a.leaf(), b.leaf()) {
            if let Some(class) = self.pairs.get(&(x, y)) {
                return Ok(Node::class(*class));
            }
            let class = self.paired.len() as u32;
            self.paired.push((x, y));
            self.pairs.insert((x, y), class);
            return Ok(Node::class(class));
        }
        self.apply(Op::Pair, a, b)
    }

    /// The pair behind a class that [`Mdd::pair`] made.
    pub(in crate::variants) fn pair_of(&self, class: u32) -> (u32, u32) {
        self.paired[class as usize]
    }

    fn apply(&mut self, op: Op, a: Node, b: Node) -> Made {
        self.spend(1)?;
        if let Some(done) = self.binary.get(&(op, a, b)) {
            return Ok(*done);
        }
        // A leaf tests nothing: it comes behind all axes.
        let (x, y) = (self.axis(a).unwrap_or(Axis::MAX), self.axis(b).unwrap_or(Axis::MAX));
        let axis = x.min(y);
        let mut children = Vec::with_capacity(self.size(axis) as usize);
        for value in 0..self.size(axis) as usize {
            let below = |f: Node, first: Axis| if first == axis { self.children(f)[value] } else { f };
            let (p, q) = (below(a, x), below(b, y));
            children.push(match op {
                Op::And => self.and(p, q),
                Op::Or => self.or(p, q),
                Op::Equal => self.equal(p, q),
                Op::Pair => self.pair(p, q),
            }?);
        }
        let made = self.make(axis, &children)?;
        self.binary.insert((op, a, b), made);
        Ok(made)
    }

    /// The function with an axis fixed.
    pub(in crate::variants) fn restrict(&mut self, f: Node, axis: Axis, value: u32) -> Made {
        let Some(first) = self.axis(f) else { return Ok(f) };
        if first > axis || !self.support(f).has(axis) {
            return Ok(f);
        }
        if first == axis {
            return Ok(self.children(f)[value as usize]);
        }
        self.spend(1)?;
        if let Some(done) = self.restricted.get(&(f, axis, value)) {
            return Ok(*done);
        }
        let mut children = self.children(f).to_vec();
        for child in &mut children {
            *child = self.restrict(*child, axis, value)?;
        }
        let made = self.make(first, &children)?;
        self.restricted.insert((f, axis, value), made);
        Ok(made)
    }

    /// Where a condition holds for some value of the axis.
    pub(in crate::variants) fn exists(&mut self, f: Node, axis: Axis) -> Made {
        if !self.support(f).has(axis) {
            return Ok(f);
        }
        let mut any = Node::FALSE;
        for value in 0..self.size(axis) {
            let one = self.restrict(f, axis, value)?;
            any = self.or(any, one)?;
        }
        Ok(any)
    }

    /// Where a function is this class.
    pub(in crate::variants) fn is_class(&mut self, f: Node, class: u32) -> Made {
        if let Some(leaf) = f.leaf() {
            return Ok(if leaf == class { Node::TRUE } else { Node::FALSE });
        }
        self.spend(1)?;
        if let Some(done) = self.tested.get(&(f, class)) {
            return Ok(*done);
        }
        let mut children = self.children(f).to_vec();
        for child in &mut children {
            *child = self.is_class(*child, class)?;
        }
        let made = self.make(self.axes[f.0 as usize], &children)?;
        self.tested.insert((f, class), made);
        Ok(made)
    }

    /// A simpler function that is the same wherever a condition holds, and hangs on no more axes (Coudert and Madre's
    /// `restrict`). The condition must hold somewhere.
    pub(in crate::variants) fn care(&mut self, f: Node, condition: Node) -> Made {
        if f.is_leaf() || condition == Node::TRUE || !self.support(f).meets(self.support(condition)) {
            return Ok(f);
        }
        self.spend(1)?;
        if let Some(done) = self.cared.get(&(f, condition)) {
            return Ok(*done);
        }
        let (x, y) = (self.axis(f).unwrap_or(Axis::MAX), self.axis(condition).unwrap_or(Axis::MAX));
        let made = if y < x {
            let wider = self.exists(condition, y)?;
            self.care(f, wider)?
        } else {
            let mut children = Vec::with_capacity(self.size(x) as usize);
            for value in 0..self.size(x) as usize {
                let below = if x == y { self.children(condition)[value] } else { condition };
                let child = self.children(f)[value];
                children.push(if below == Node::FALSE { None } else { Some(self.care(child, below)?) });
            }
            let any = children.iter().flatten().next().copied().unwrap_or(f);
            let children: Vec<Node> = children.into_iter().map(|c| c.unwrap_or(any)).collect();
            self.make(x, &children)?
        };
        self.cared.insert((f, condition), made);
        Ok(made)
    }

    /// The function with its classes numbered by first occurrence: what tells the same values apart is the same node.
    pub(in crate::variants) fn canonical(&mut self, f: Node) -> Made {
        if f.is_leaf() {
            return Ok(Node::class(0));
        }
        self.spend(1)?;
        if let Some(done) = self.canonical.get(&f) {
            return Ok(*done);
        }
        let mut numbers: Memo<u32, u32> = Memo::default();
        let made = self.renumber(f, &mut numbers, &mut Memo::default())?;
        self.canonical.insert(f, made);
        self.canonical.insert(made, made);
        self.counts.insert(made, numbers.len() as u32);
        Ok(made)
    }

    fn renumber(&mut self, f: Node, numbers: &mut Memo<u32, u32>, memo: &mut Memo<Node, Node>) -> Made {
        if let Some(class) = f.leaf() {
            let next = numbers.len() as u32;
            let number = numbers.get(&class).copied().unwrap_or(next);
            numbers.insert(class, number);
            return Ok(Node::class(number));
        }
        if let Some(done) = memo.get(&f) {
            return Ok(*done);
        }
        self.spend(1)?;
        let mut children = self.children(f).to_vec();
        for child in &mut children {
            *child = self.renumber(*child, numbers, memo)?;
        }
        let made = self.make(self.axes[f.0 as usize], &children)?;
        memo.insert(f, made);
        Ok(made)
    }

    /// How many classes a function in canonical form has.
    pub(in crate::variants) fn class_count(&self, canonical: Node) -> u32 {
        if canonical.is_leaf() { 1 } else { self.counts.get(&canonical).copied().unwrap_or(0) }
    }

    /// The function with other classes.
    pub(in crate::variants) fn map(&mut self, f: Node, class: &mut dyn FnMut(u32) -> u32) -> Made {
        self.map_by(f, class, &mut Memo::default())
    }

    fn map_by(&mut self, f: Node, class: &mut dyn FnMut(u32) -> u32, memo: &mut Memo<Node, Node>) -> Made {
        if let Some(done) = memo.get(&f) {
            return Ok(*done);
        }
        let made = match f.leaf() {
            Some(leaf) => Node::class(class(leaf)),
            None => {
                self.spend(1)?;
                let mut children = self.children(f).to_vec();
                for child in &mut children {
                    *child = self.map_by(*child, class, memo)?;
                }
                self.make(self.axes[f.0 as usize], &children)?
            }
        };
        memo.insert(f, made);
        Ok(made)
    }
}
