//! What is shown of a route: the table, the witness, what to move; and of many routes.

use super::{Counted, bools, section, when};
use crate::input::{Datum, Value};
use crate::render::Renderer;
use crate::variants::{Details, Fleet, VariantSet, details};

/// Tokens are bytes here.
fn look(counted: &Counted, budget: u64) -> Details {
    let Counted { workspace, resolved, route } = counted;
    details(workspace, resolved, route, &Renderer::new(workspace), budget, &|text| text.len() as u64).unwrap()
}

/// `Head.` and sections that hang on one bool each, their texts of these lengths.
fn switches(lengths: &[usize]) -> Counted {
    let names: Vec<String> = (0..lengths.len()).map(|n| format!("b{n}")).collect();
    let inputs = bools(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let each = names.iter().zip(lengths).map(|(name, length)| when(&format!("s-{name}"), name, &name.repeat(*length)));
    Counted::new(&(inputs + &section("head", "", "Head.") + &each.collect::<String>()))
}

#[test]
fn the_table_multiplies_from_section_to_section() {
    let shown = look(&switches(&[1, 2, 3]), 1);
    let after: Vec<String> = shown.rows.iter().map(|row| row.after.to_string()).collect();
    let shares: Vec<f64> = shown.rows.iter().filter_map(|row| row.share).collect();
    assert_eq!(after, ["1", "2", "4", "8"]);
    assert_eq!(shares, [1.0, 0.5, 0.25, 0.125]);
    assert_eq!((shown.zone_count.to_string(), shown.naive.to_string()), ("8".to_owned(), "8".to_owned()));
    assert_eq!(shown.invariant_bytes, "Head.".len() as u64);
}

#[test]
fn as_few_sections_are_moved_as_will_do_and_of_equals_the_shortest() {
    let shown = |budget| {
        let moves = look(&switches(&[3, 1, 2]), budget).moves;
        (moves.sections, moves.left.to_string(), moves.proven)
    };
    for (budget, moved, left) in
        [(8, &[][..], "8"), (7, &[2], "4"), (4, &[2], "4"), (3, &[2, 3], "2"), (2, &[2, 3], "2"), (1, &[1, 2, 3], "1")]
    {
        assert_eq!(shown(budget), (moved.to_vec(), left.to_owned(), true), "{budget}");
    }
}

#[test]
fn of_many_sections_those_come_back_that_still_fit() {
    let moves = look(&switches(&[1; 17]), 4).moves;
    assert_eq!((moves.sections.len(), moves.left.to_string(), moves.proven), (15, "4".to_owned(), false));
}

#[test]
fn two_users_of_the_witness_differ_in_one_input() {
    let inputs = bools(&["a", "b", "c", "d"]);
    let manifest = inputs + &section("head", "", "Head.") + &when("s", "(a and b) or (c and d)", "Text.");
    let witness = look(&Counted::new(&manifest), 1).witness.unwrap();
    let differ: Vec<&str> =
        witness.a.iter().zip(&witness.b).filter(|(a, b)| a != b).map(|(a, _)| a.0.as_str()).collect();
    assert_eq!(differ.len(), 1, "{witness:?}");
    let holds = |user: &[(String, Datum)]| {
        let is = |name: &str| user.iter().any(|(n, d)| n == name && *d == Datum::Known(Value::Bool(true)));
        (is("a") && is("b")) || (is("c") && is("d"))
    };
    assert_ne!(holds(&witness.a), holds(&witness.b));
    assert_eq!((witness.section, witness.byte), (1, "Head.".len() as u64));
}

#[test]
fn what_was_not_gone_through_counts_with_all_values_of_its_inputs() {
    // A filter over the whole of a body keeps it from being cut.
    let body = |a: &str, b: &str| {
        format!("{{% filter upper %}}{{% if {a} %}}{a}{{% endif %}}{{% if {b} %}}{b}{{% endif %}}{{% endfilter %}}")
    };
    let sections = section("one", "", &body("a", "b")) + &section("two", "", &body("c", "d"));
    let manifest = bools(&["a", "b", "c", "d"]) + &section("head", "", "Head.") + &sections;
    assert_eq!(super::route(&manifest).count.to_string(), "16");
    let limited = Counted::limited(&manifest, |limits| limits.variant_renders.value = 2);
    assert_eq!(limited.route.count.to_string(), "from 1 to 16");
}

#[test]
fn a_fleet_counts_each_prefix_once() {
    let inputs = bools(&["a", "b"]);
    let one = Counted::new(&(inputs.clone() + &section("head", "", "Head.") + &when("s", "a", "A.")));
    let two = Counted::new(&(inputs + &section("head", "", "Head.") + &when("s", "b", "A.") + &when("t", "a", "B.")));
    let mut fleet = Fleet::default();
    for Counted { workspace, resolved, route } in [&one, &two] {
        let set = VariantSet { routes: vec![route.clone()] };
        fleet.add(workspace, resolved, &set, &Renderer::new(workspace), &|text| text.len() as u64);
    }
    let sum = fleet.sum();
    // Two of the first and four of the second, of which two are those of the first.
    assert_eq!((sum.artifacts, sum.distinct.to_string()), (2, "4".to_owned()));
    assert_eq!((sum.shared_bytes, sum.shared_tokens), (5, 5));
}
