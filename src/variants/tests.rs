//! Counts of static prefixes, and what is told beside them, of small manifests.

mod facts;
mod looks;

use super::{Count, RouteVariants, count};
use crate::diag::Sink;
use crate::host::memory::Memory;
use crate::input::Datum;
use crate::limits::Limits;
use crate::render::Renderer;
use crate::resolve::{self, Choice, Given, Resolved};
use crate::workspace::{Flags, Wanted, Workspace};

const PROFILE: &str = "[target]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\n\n\
                       [chain]\ndefault = { prompt = \"main\" }\n";

/// A manifest with the counts of its one route.
struct Counted {
    workspace: Workspace,
    resolved: Resolved,
    route: RouteVariants,
}

impl Counted {
    fn new(manifest: &str) -> Counted {
        Counted::limited(manifest, |_| ())
    }

    /// The same under limits of its own.
    fn limited(manifest: &str, lower: impl Fn(&mut Limits)) -> Counted {
        let host = Memory::from_iter([("prompts/main.toml", manifest), ("profiles/main.toml", PROFILE)]);
        let mut workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
        lower(&mut workspace.limits);
        let mut sink = Sink::default();
        let choice = Choice { profile: "main", cell: &Given::new(), simple: false };
        let resolved = resolve::resolve(&workspace, choice, &mut sink).unwrap();
        let said: Vec<String> = sink.into_unsorted().into_iter().map(|d| d.message).collect();
        assert_eq!(said, Vec::<String>::new());
        let route = count(&workspace, &resolved, &Renderer::new(&workspace)).routes.remove(0);
        Counted { workspace, resolved, route }
    }
}

fn route(manifest: &str) -> RouteVariants {
    Counted::new(manifest).route
}

/// Bool inputs of a session.
fn bools(names: &[&str]) -> String {
    let each = |name: &&str| format!("{name} = {{ type = \"bool\", lifetime = \"session\" }}\n");
    format!("[inputs]\n{}\n", names.iter().map(each).collect::<String>())
}

/// A static section with a text, and keys of its own.
fn section(id: &str, keys: &str, text: &str) -> String {
    format!("[[section]]\nid = \"{id}\"\nzone = \"static\"\n{keys}\ntext = '''{text}'''\n\n")
}

/// A static section that stands under a condition.
fn when(id: &str, condition: &str, text: &str) -> String {
    section(id, &format!("when = \"{condition}\""), text)
}

#[test]
fn what_differs_in_no_byte_and_what_cannot_happen_makes_no_prefix() {
    let inputs =
        "[inputs]\na = { type = \"bool\", lifetime = \"session\" }\nb = { type = \"bool\", lifetime = \"session\" }\n";
    let one = section("one", "when = \"a\"", "Same.");
    let other = section("other", "when = \"not a\"", "Same.");
    assert_eq!(route(&[inputs, &one, &other].concat()).count.to_string(), "1");
    let other = section("other", "when = \"b\"", "Same.");
    assert_eq!(route(&[inputs, &one, &other].concat()).count.to_string(), "3", "none, one of them, both");
    let rule = "[[constraint]]\nthat = \"exactly_one(a, b)\"\n\n";
    assert_eq!(route(&[inputs, rule, &one, &other].concat()).count.to_string(), "1");
    let never = "[[constraint]]\nthat = \"a and not a\"\n\n";
    assert_eq!(route(&[inputs, never, &one].concat()).count.to_string(), "0");
}

#[test]
fn tested_strings_and_lists_count_as_what_tests_can_tell() {
    let inputs = "[inputs]\nmode = { type = \"string\", lifetime = \"session\" }\n\
                  tools = { type = \"list\", lifetime = \"session\", sort_by = \"given\" }\n\
                  note = { type = \"string\", lifetime = \"session\", optional = true }\n\
                  depth = { type = \"integer\", lifetime = \"session\" }\n\n";
    let count = |sections: &str| route(&format!("{inputs}{sections}")).count.to_string();
    assert_eq!(count(&section("s", "when = \"mode\"", "X.")), "2");
    let three = [("a", "mode == 'a'"), ("b", "mode == 'b'"), ("c", "mode")];
    let each = three.map(|(id, when)| section(id, &format!("when = \"{when}\""), id));
    assert_eq!(count(&each.concat()), "4", "a and c, b and c, c alone, nothing");
    assert_eq!(count(&section("s", "when = \"tools\"", "X.")), "2");
    assert_eq!(count(&section("s", "when = \"depth == 3 or depth == 4\"", "X.")), "2");
    let missing = [("a", "note is defined"), ("b", "note")];
    let each = missing.map(|(id, when)| section(id, &format!("when = \"{when}\""), id));
    assert_eq!(count(&each.concat()), "3", "missing, empty, something");
}

#[test]
fn what_is_printed_has_no_end() {
    let manifest = "[inputs]\ncwd = { type = \"string\", lifetime = \"session\" }\nb = { type = \"bool\", lifetime = \"session\" }\n\n"
        .to_owned()
        + &section("a", "when = \"b\"\nallow = { static-conditional = \"x\" }", "A.")
        + &section("b", "allow = { static-interpolation = \"it is short\" }", "In {{ cwd }}.");
    let route = route(&manifest);
    assert_eq!(route.count, Count::Unbounded(vec!["cwd".to_owned()]));
    assert_eq!(route.conditional.to_string(), "2");
    assert_eq!(route.sections[0].outcomes.to_string(), "2");
}

#[test]
fn values_for_which_nothing_can_be_rendered_make_no_prefix() {
    let manifest =
        "[inputs]\nos = { type = [\"linux\", \"mac\", \"win\"], lifetime = \"session\", optional = true }\n\n"
            .to_owned()
            + &section("a", "", "On {{ os }}.");
    let counted = route(&manifest);
    assert_eq!(counted.count.to_string(), "3");
    assert_eq!(counted.failures().len(), 1);
    assert_eq!(counted.failures()[0].values, [("os".to_owned(), Datum::Missing)]);
    let asked = "[inputs]\nos = { type = [\"linux\", \"mac\", \"win\"], lifetime = \"session\", optional = true }\n\n"
        .to_owned()
        + &section("a", "when = \"os is defined\"", "On {{ os }}.");
    assert_eq!(route(&asked).count.to_string(), "4");
}
