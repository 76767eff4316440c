//! What follows from conditions and constraints.

use super::{Counted, section};
use crate::input::{Datum, Value};
use crate::variants::{Decided, Facts, Redundant, Unreachable, facts};

/// The facts of a manifest with these inputs and rules ahead of its sections.
fn of(inputs: &str, rules: &[&str], sections: &[String]) -> Facts {
    let rules: String = rules.iter().map(|that| format!("[[constraint]]\nthat = \"{that}\"\n\n")).collect();
    let counted = Counted::new(&format!("[inputs]\n{inputs}\n\n{rules}{}", sections.concat()));
    facts(&counted.workspace, &counted.resolved, &counted.route).unwrap()
}

fn when(id: &str, condition: &str) -> String {
    super::when(id, condition, &format!("Text of {id}."))
}

const BOOLS: &str = "a = { type = \"bool\", lifetime = \"session\" }\nb = { type = \"bool\", lifetime = \"session\" }\n\
                     c = { type = \"bool\", lifetime = \"session\" }\nos = { type = [\"linux\", \"mac\", \"win\"], lifetime = \"session\" }\n\
                     build = { type = \"bool\", lifetime = \"build\", default = true }";

#[test]
fn conditions_that_never_or_always_hold_are_told_with_what_decides_them() {
    let sections = [
        when("head", "a or not a"),
        when("dead", "a and b"),
        when("live", "a and c"),
        when("always", "os == 'linux' or os != 'linux'"),
        when("ruled", "not (a and b)"),
        when("build", "build"),
    ];
    let facts = of(BOOLS, &["os != 'win'", "not (a and b)", "c or not c"], &sections);
    let decided = |section: usize, because: &[usize]| Decided { section, because: because.to_vec() };
    assert_eq!(facts.dead, [decided(1, &[1])]);
    assert_eq!(facts.always, [decided(0, &[]), decided(3, &[]), decided(4, &[1])]);
    assert_eq!(facts.redundant_constraints, [Redundant { constraint: 2, because: Vec::new() }]);
    let win = Datum::Known(Value::String("win".to_owned()));
    assert_eq!(facts.unreachable, [Unreachable { input: "os".to_owned(), value: win, because: vec![0] }]);
}

#[test]
fn constraints_that_cannot_all_hold_are_told_by_a_smallest_set() {
    let facts = of(BOOLS, &["c", "a or b", "not a", "os == 'mac'", "not b"], &[when("head", "a")]);
    assert_eq!(facts.unsatisfiable, [1, 2, 4]);
    assert_eq!(facts.dead, [], "nothing else is told");
}

#[test]
fn inputs_that_others_fix_and_bools_that_exclude_one_another_are_told() {
    let facts = of(BOOLS, &["a iff os == 'win'"], &[when("head", "os == 'mac'"), when("s", "a")]);
    let told: Vec<(&str, &str)> = facts.determined.iter().map(|d| (d.input.as_str(), d.by.as_str())).collect();
    assert_eq!(told, [("a", "os")]);
    let facts = of(BOOLS, &["exactly_one(a, b, c)"], &[when("head", "a")]);
    assert_eq!(facts.one_hot.len(), 1);
    assert_eq!((facts.one_hot[0].inputs.join(" "), facts.one_hot[0].always_one), ("a b c".to_owned(), true));
    let pairs = ["not (a and b)", "not (b and c)", "not (a and c)"];
    let facts = of(BOOLS, &pairs, &[when("head", "a")]);
    assert_eq!((facts.one_hot[0].because.as_slice(), facts.one_hot[0].always_one), (&[0, 1, 2][..], false));
    assert_eq!(of(BOOLS, &pairs[..2], &[when("head", "a")]).one_hot, []);
}

#[test]
fn what_changes_nothing_is_told() {
    let sections = [
        section("same", "", "{% if a %}One.{% else %}One.{% endif %}"),
        section("idle", "", "{% if a or not a %}{% if b %}Two.{% endif %}{% endif %}Rest."),
        when("again", "b"),
        when("other", "c"),
    ];
    let facts = of(BOOLS, &[], &sections);
    let told: Vec<(usize, String, bool)> =
        facts.without_effect.iter().map(|w| (w.section, w.inputs.join(" "), w.is_fixed)).collect();
    assert_eq!(told, [(0, "a".to_owned(), true), (1, "a".to_owned(), false)]);
    assert_eq!(facts.repeated, [2]);
}

#[test]
fn neighbours_under_one_condition_or_its_opposite_are_told() {
    let twin = |id: &str, condition: &str| section(id, &format!("when = \"{condition}\""), "The same text.");
    let sections = [
        twin("one", "os == 'mac'"),
        twin("other", "os in ['linux', 'win']"),
        when("first", "a and b"),
        when("second", "b and a"),
        when("third", "a or b"),
        when("build", "build"),
        when("too", "build"),
    ];
    let facts = of(BOOLS, &[], &sections);
    assert_eq!(facts.complementary, [(0, 1)]);
    assert_eq!(facts.mergeable, [(2, 3)]);
}

#[test]
fn an_input_with_one_value_left_is_fixed_by_none_and_one_with_many_may_be() {
    let inputs = "a = { type = [\"1\", \"2\", \"3\"], lifetime = \"session\" }\n\
                  b = { type = [\"1\", \"2\", \"3\"], lifetime = \"session\" }";
    let read = [when("head", "a == '1'"), when("other", "b == '1'")];
    let told = |rules: &[&str]| -> Vec<(String, String)> {
        of(inputs, rules, &read).determined.into_iter().map(|d| (d.input, d.by)).collect()
    };
    assert_eq!(told(&["a == '2'"]), []);
    assert_eq!(told(&["a == '1' iff b == '1'", "a == '2' iff b == '2'"]), [("b".to_owned(), "a".to_owned())]);
}

#[test]
fn a_pair_that_excludes_one_another_hides_no_larger_group() {
    let inputs = ["a", "b", "c", "d"].map(|name| format!("{name} = {{ type = \"bool\", lifetime = \"session\" }}\n"));
    let rules = ["not (a and d)", "not (b and c)", "not (b and d)", "not (c and d)"];
    let facts = of(&inputs.concat(), &rules, &[when("head", "a")]);
    // In the order in which they are read.
    let told: Vec<(String, &[usize])> = facts.one_hot.iter().map(|o| (o.inputs.join(" "), &*o.because)).collect();
    assert_eq!(told, [("d b c".to_owned(), &[1, 2, 3][..])]);
}

#[test]
fn neighbours_that_are_sent_apart_are_not_to_be_merged() {
    let (fixed, open) = ("zone = \"static\"", "zone = \"dynamic\"");
    let prefix = "zone = \"static\"\nrole = \"prefix\"";
    let user = "zone = \"dynamic\"\nchannel = \"user_context\"";
    let of_keys =
        |id: &str, keys: &str| format!("[[section]]\nid = \"{id}\"\n{keys}\nwhen = \"a\"\ntext = \"{id}\"\n\n");
    for (first, second, merged) in [
        (fixed, fixed, &[(0, 1)][..]),
        (open, open, &[(0, 1)]),
        (fixed, open, &[]),
        (prefix, fixed, &[]),
        (open, user, &[]),
    ] {
        let facts = of(BOOLS, &[], &[of_keys("one", first), of_keys("two", second)]);
        assert_eq!(facts.mergeable, merged, "{first}, {second}");
    }
}
