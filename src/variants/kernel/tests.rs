//! The count against going through all assignments.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

const LIMITS: Limits = Limits { work: 50_000_000, cells: 8_000_000 };

/// A function by its table: its axes, and a class for each combination of their values, the last axis fastest.
#[derive(Clone, Debug)]
struct Table {
    axes: Vec<Axis>,
    classes: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Model {
    sizes: Vec<u32>,
    functions: Vec<Table>,
    conditions: Vec<Table>,
}

impl Table {
    fn build(&self, m: &mut Mdd) -> Node {
        fn below(m: &mut Mdd, axes: &[Axis], classes: &[u32]) -> Node {
            let Some((axis, rest)) = axes.split_first() else { return Node::class(classes[0]) };
            let each = classes.len() / m.size(*axis) as usize;
            let children: Vec<Node> = classes.chunks(each).map(|part| below(m, rest, part)).collect();
            m.make(*axis, &children).unwrap()
        }
        below(m, &self.axes, &self.classes)
    }

    fn at(&self, sizes: &[u32], values: &[u32]) -> u32 {
        let index = self
            .axes
            .iter()
            .fold(0, |index, axis| index * sizes[usize::from(*axis)] as usize + values[usize::from(*axis)] as usize);
        self.classes[index]
    }
}

impl Model {
    fn assignments(&self) -> Vec<Vec<u32>> {
        let all = self.sizes.iter().fold(vec![Vec::new()], |all: Vec<Vec<u32>>, size| {
            all.iter().flat_map(|a| (0..*size).map(move |v| [&a[..], &[v]].concat())).collect()
        });
        let holds = |a: &Vec<u32>| self.conditions.iter().all(|c| c.at(&self.sizes, a) == 1);
        all.into_iter().filter(holds).collect()
    }

    fn problem(&self, m: &mut Mdd) -> Problem {
        Problem {
            functions: self.functions.iter().map(|f| f.build(m)).collect(),
            conditions: self.conditions.iter().map(|c| c.build(m)).collect(),
        }
    }
}

fn table(sizes: Vec<u32>, classes: u32) -> impl Strategy<Value = Table> {
    let axes: Vec<Axis> = (0..sizes.len() as Axis).collect();
    prop::sample::subsequence(axes.clone(), 1..=axes.len().min(4)).prop_flat_map(move |axes| {
        let all: usize = axes.iter().map(|a| sizes[usize::from(*a)] as usize).product();
        prop::collection::vec(0..classes, all).prop_map(move |classes| Table { axes: axes.clone(), classes })
    })
}

fn model() -> impl Strategy<Value = Model> {
    prop::collection::vec(2u32..5, 1..7).prop_flat_map(|sizes| {
        let functions = prop::collection::vec(
            (2u32..5).prop_flat_map({
                let sizes = sizes.clone();
                move |classes| table(sizes.clone(), classes)
            }),
            1..9,
        );
        let condition = table(sizes.clone(), 4)
            .prop_map(|t| Table { classes: t.classes.iter().map(|c| u32::from(*c > 0)).collect(), ..t });
        (Just(sizes), functions, prop::collection::vec(condition, 0..4))
            .prop_map(|(sizes, functions, conditions)| Model { sizes, functions, conditions })
    })
}

/// Every number of functions from the front, every pair, and the bounds.
fn check(model: &Model) {
    let mut m = Mdd::new(model.sizes.clone(), LIMITS);
    let problem = model.problem(&mut m);
    let assignments = model.assignments();
    let (mut counter, mut pairs) = (Counter::default(), Pairs::default());
    let axes: AxisSet = (0..model.sizes.len() as Axis).collect();
    for k in 1..=model.functions.len() {
        let outcome =
            |a: &Vec<u32>| -> Vec<u32> { model.functions[..k].iter().map(|f| f.at(&model.sizes, a)).collect() };
        let outcomes: Vec<Vec<u32>> = assignments.iter().map(outcome).collect();
        let distinct: BTreeSet<&Vec<u32>> = outcomes.iter().collect();
        let part = Problem { functions: problem.functions[..k].to_vec(), conditions: problem.conditions.clone() };
        assert_eq!(counter.count(&mut m, part.clone()).unwrap(), BigUint::from(distinct.len()), "{k} of {model:?}");
        let same: usize = distinct.iter().map(|d| outcomes.iter().filter(|o| o == d).count().pow(2)).sum();
        assert_eq!(pairs.count(&mut m, &part, &axes).unwrap(), BigUint::from(same), "pairs, {k} of {model:?}");
        let (low, high) = bounds(&mut m, &part);
        assert!(
            low <= distinct.len().into() && BigUint::from(distinct.len()) <= high,
            "{low}..{high}, {k} of {model:?}"
        );
        m.allow(LIMITS);
    }
}

proptest! {
    // The same models on every run; `PROPTEST_CASES` asks for more of them.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(4), ..ProptestConfig::default() })]

    #[test]
    fn the_count_is_that_of_all_assignments(model in model()) {
        check(&model);
    }
}

/// Limits are exact, and count anew when work is allowed again.
#[test]
fn work_and_nodes_end_where_they_are_said_to() {
    let mut m = Mdd::new(vec![2, 2, 2], Limits { work: 3, cells: 3 });
    assert!(m.spend(3).is_ok() && !m.is_out_of_work());
    assert!(m.spend(1).is_err() && m.is_out_of_work());
    let leaves = [Node::FALSE, Node::TRUE];
    let first = m.make(0, &leaves).unwrap();
    // Known already: no more cells for it.
    assert_eq!(m.make(0, &leaves), Ok(first));
    assert!(m.make(1, &leaves).is_err());
    assert!(m.is_out_of_work());
    m.allow(Limits { work: 5, cells: 2 });
    assert_eq!((m.work(), m.is_out_of_work()), (0, false));
    assert!(m.make(1, &leaves).is_ok() && m.make(2, &leaves).is_err());
    assert!(m.spend(5).is_ok() && m.spend(1).is_err());
}

/// Axes that overlap like the tiles of a roof are counted by one relation, and those that all hang together are not.
#[test]
fn overlapping_functions_are_counted_by_one_relation() {
    let tiles = |axes: u16, width: u16| Model {
        sizes: vec![2; usize::from(axes)],
        functions: (0..=axes - width)
            .map(|at| Table {
                axes: (at..at + width).collect(),
                classes: (0..1u32 << width).map(|n| u32::from(n.count_ones() % 3 == 1)).collect(),
            })
            .collect(),
        conditions: Vec::new(),
    };
    // No axis is given away by itself: all are hidden.
    let counted = |model: &Model| {
        let mut m = Mdd::new(model.sizes.clone(), LIMITS);
        let mut problem = model.problem(&mut m);
        problem.functions.iter_mut().for_each(|f| *f = m.canonical(*f).unwrap());
        let axes = problem.support(&m);
        relation::relation(&mut m, &problem, &axes, &AxisSet::default()).unwrap()
    };
    for (axes, width) in [(8, 2), (9, 3), (10, 6)] {
        let model = tiles(axes, width);
        let outcome = |a: Vec<u32>| -> Vec<u32> { model.functions.iter().map(|f| f.at(&model.sizes, &a)).collect() };
        let distinct: BTreeSet<Vec<u32>> = model.assignments().into_iter().map(outcome).collect();
        assert_eq!(counted(&model), Some(BigUint::from(distinct.len())), "{axes} {width}");
    }
    // Seven tied together are one too many.
    assert_eq!(counted(&tiles(10, 7)), None);
}

/// What is certain of a disjunction or a restriction is found without work.
#[test]
fn what_is_plain_costs_nothing() {
    let mut m = Mdd::new(vec![2, 2, 2], LIMITS);
    let [a, b] = [0, 1].map(|axis| m.make(axis, &[Node::FALSE, Node::TRUE]).unwrap());
    let both = m.and(a, b).unwrap();
    let spent = m.work();
    assert_eq!(m.and(both, Node::FALSE), Ok(Node::FALSE));
    assert_eq!(m.and(Node::TRUE, both), Ok(both));
    assert_eq!(m.restrict(both, 2, 1), Ok(both));
    assert_eq!(m.restrict(b, 0, 1), Ok(b));
    assert_eq!(m.restrict(both, 0, 1), Ok(b));
    assert_eq!(m.work(), spent);
    assert_eq!(m.restrict(both, 1, 0), Ok(Node::FALSE));
    assert!(m.work() > spent);
}
