//! Counts far beyond what can be gone through, and what happens where even that is too much.

use promptc::render::Renderer;
use promptc::variants::{Count, RouteVariants, details};

use crate::dice::Dice;

use super::{bools, compiled, number, route, section, workspace};

/// Sections `s0` and so on, each under its condition.
fn sections(conditions: impl IntoIterator<Item = String>) -> String {
    let each = conditions.into_iter().enumerate();
    each.map(|(n, when)| section(&format!("s{n}"), &format!("when = \"{when}\""), &format!("Section {n}."))).collect()
}

impl Dice {
    /// A condition over some bools.
    fn condition(&mut self, axes: &[usize]) -> String {
        let mut out = String::new();
        for (n, axis) in axes.iter().enumerate() {
            let sign = if self.below(3) == 0 { "not " } else { "" };
            let joint = if n == 0 { "" } else { [" and ", " or "][self.below(2)] };
            out = format!("{out}{joint}{sign}b{axis}");
            if n > 0 {
                out = format!("({out})");
            }
        }
        out
    }
}

#[test]
fn sixty_four_conditions_are_two_to_the_sixty_fourth() {
    let manifest = bools(64) + &section("head", "", "Head.") + &sections((0..64).map(|n| format!("b{n}")));
    assert_eq!(number(&route(&manifest).count), "18446744073709551616");
    // Without a section that always lives no separator is certain.
    let manifest = bools(64) + &sections((0..64).map(|n| format!("b{n}")));
    assert_eq!(number(&route(&manifest).count), "18446744073709551616");
}

#[test]
fn sixty_four_conditionals_in_one_body_are_rendered_one_by_one() {
    let body: String = (0..64).map(|n| format!("- Line {n}.\n{{% if b{n} %}}- With {n}.\n{{% endif %}}")).collect();
    let workspace = workspace(&(bools(64) + &section("all", "", &body)), &[]);
    let route = &compiled(&workspace).variants.routes[0];
    assert_eq!(number(&route.count), "18446744073709551616");
    assert_eq!(number(&route.sections[0].outcomes), "18446744073709551616");
    assert!(route.renders() <= 192, "{} renders", route.renders());
    // The same in an included file, behind a macro and a name that the body sets, in a branch.
    let manifest = bools(65)
        + &section(
            "all",
            "",
            "{% set q = 'x' %}{% macro m(t) %}[{{ t }}{{ q }}]{% endmacro %}\n{% if b64 %}{% include 'lines.md' %}{% else %}None{{ m('y') }}.{% endif %}\nEnd.",
        );
    let workspace = super::workspace(&manifest, &[("prompts/lines.md", &body)]);
    let route = &compiled(&workspace).variants.routes[0];
    assert_eq!(number(&route.count), "18446744073709551617");
    assert!(route.renders() < 500, "{} renders", route.renders());
}

#[test]
fn a_chain_of_twelve_branches_is_rendered_thirteen_times() {
    let mut body = String::from("{% if b0 %}Zero.");
    (1..12).for_each(|n| body += &format!("{{% elif b{n} %}}Branch {n}."));
    body += "{% else %}None.{% endif %}";
    let route = route(&(bools(12) + &section("chain", "", &body)));
    assert_eq!(number(&route.count), "13");
    assert_eq!(route.renders(), 13);
}

#[test]
fn two_hundred_sections_over_sixty_four_inputs_are_counted() {
    let mut dice = Dice(7);
    let conditions: Vec<String> = (0..200)
        .map(|_| {
            let many = [1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4][dice.below(12)];
            let axes = dice.some(64, many);
            dice.condition(&axes)
        })
        .collect();
    let manifest = bools(64) + &section("head", "", "Head.") + &sections(conditions);
    let route = route(&manifest);
    let count = number(&route.count);
    assert!(count.parse::<u128>().is_ok_and(|n| n > 1 << 50), "{count}");
}

#[test]
fn conditions_that_hang_together_like_roof_tiles_are_counted() {
    let conditions = (0..63).map(|n| format!("b{n} and b{}", n + 1));
    let manifest = bools(64) + &section("head", "", "Head.") + &sections(conditions);
    assert_eq!(number(&route(&manifest).count), "3093215881333057");
}

#[test]
fn a_dense_tangle_is_told_as_bounds_and_the_same_ones_on_every_run() {
    let mut dice = Dice(3);
    let conditions: Vec<String> = (0..200)
        .map(|_| {
            let many = 3 + dice.below(2);
            let axes = dice.some(40, many);
            dice.condition(&axes)
        })
        .collect();
    let manifest = bools(40) + &section("head", "", "Head.") + &sections(conditions);
    // The usual limit is the same, ten times over.
    let count = || limited(&manifest, |limits| limits.variant_steps.value = 300_000).0.count;
    let first = count();
    assert_eq!(count(), first);
    let Count::Between { at_least, at_most } = first else { panic!("{first}") };
    assert!(at_least > 1000u32.into() && at_least < at_most, "{at_least} {at_most}");
    assert!(at_most <= (1u64 << 40).into());
}

#[test]
fn a_body_with_too_many_ways_is_told_as_bounds() {
    // A filter over the whole of it keeps it from being cut.
    let lines: String = (0..30).map(|n| format!("{{% if b{n} %}}{n} {{% endif %}}")).collect();
    let body = format!("{{% filter upper %}}{lines}{{% endfilter %}}");
    let manifest = bools(31) + &section("whole", "", &body) + &section("one", "when = \"b30\"", "One.");
    let route = route(&manifest);
    assert_eq!(number(&route.count), "2..2147483648");
    assert_eq!(route.sections[1].outcomes, Count::Exact(2u32.into()));
}

/// A manifest counted with limits of its own: its route, and the counts at the ends of its sections.
fn limited(manifest: &str, lower: impl Fn(&mut promptc::limits::Limits)) -> (RouteVariants, Vec<Count>) {
    let mut workspace = workspace(manifest, &[]);
    lower(&mut workspace.limits);
    let compiled = compiled(&workspace);
    let route = compiled.variants.routes[0].clone();
    let renderer = Renderer::new(&workspace);
    let shown = details(&workspace, &compiled.resolved, &route, &renderer, 1, &|text| text.len() as u64).unwrap();
    (route, shown.rows.into_iter().map(|row| row.after).collect())
}

#[test]
fn past_a_limit_there_are_bounds_that_hold_the_count_and_name_the_limit() {
    let mut dice = Dice(11);
    let conditions: Vec<String> = (0..30)
        .map(|_| {
            let axes = dice.some(12, 3);
            dice.condition(&axes)
        })
        .collect();
    let lines = "{% filter upper %}{% if b1 %}1 {% endif %}{% if b2 %}2 {% endif %}{% endfilter %}";
    let manifest = bools(12) + &section("head", "", "Head.") + &sections(conditions) + &section("filtered", "", lines);
    let (exact, exact_ends) = limited(&manifest, |_| ());
    assert_eq!(exact.limit, None);
    type Lower = fn(&mut promptc::limits::Limits);
    let lowered: [(&str, Lower); 3] = [
        ("variant-steps", |limits| limits.variant_steps.value = 2_000),
        ("variant-nodes", |limits| limits.variant_nodes.value = 400),
        ("variant-renders", |limits| limits.variant_renders.value = 2),
    ];
    for (name, lower) in lowered {
        let (route, ends) = limited(&manifest, lower);
        assert_eq!(route.limit.map(|l| l.name), Some(name), "{}", number(&route.count));
        assert!(matches!(route.count, Count::Between { .. }), "{name}: {}", number(&route.count));
        assert_eq!(ends.len(), exact_ends.len(), "{name}");
        let mut between = 0;
        for (end, exact) in ends.iter().zip(&exact_ends) {
            let exact = exact.exact().unwrap();
            match end {
                Count::Exact(count) => assert_eq!(count, exact, "{name}"),
                Count::Between { at_least, at_most } => {
                    between += 1;
                    assert!(at_least <= exact && exact <= at_most, "{name}: {exact} is not in {at_least}..{at_most}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
        assert!(between > 0 && ends.last() == Some(&route.count), "{name}");
        assert_eq!(limited(&manifest, lower).1, ends, "{name}: the same on every run");
    }
}
