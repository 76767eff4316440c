//! Counts of static prefixes: against going through all assignments, at the limits, and as they are shown.

mod facts;
mod large;
mod random;
mod shown;

use std::sync::Arc;

use promptc::compile::{Compiled, Compiler, Request};
use promptc::diag::{Diagnostic, Levels, Sink};
use promptc::host::memory::Memory;
use promptc::resolve::Given;
use promptc::variants::{Count, RouteVariants, VariantSet};
use promptc::workspace::{Flags, Wanted, Workspace};

use crate::support::PROFILE;

/// A profile that allows any number of prefixes.
pub fn profile() -> String {
    format!("{PROFILE}\n[limits]\nstatic_variants = 1000000\n")
}

/// A project of the manifest `main`, other files, and a profile that allows any number of prefixes.
pub fn workspace(manifest: &str, files: &[(&str, &str)]) -> Workspace {
    let mut host = Memory::from_iter([("prompts/main.toml", manifest), ("profiles/main.toml", &profile())]);
    for (path, text) in files {
        host.insert(*path, *text);
    }
    Workspace::load(&host, Wanted::All, &Flags::default()).unwrap()
}

/// The profile `main` without a context, of which nothing is wrong but that there are many prefixes.
pub fn compiled(workspace: &Workspace) -> Compiled {
    let (compiled, found) = told(workspace);
    let others: Vec<_> = found.iter().filter(|d| d.rule.name != "static-conditional").map(|d| &d.message).collect();
    assert!(others.is_empty(), "{others:#?}");
    compiled
}

/// The profile `main` without a context, and what is told.
pub fn told(workspace: &Workspace) -> (Compiled, Vec<Diagnostic>) {
    let mut sink = Sink::new(Levels::default().without_info());
    sink.extend(workspace.said_of_project().to_vec());
    let request = Request { profile: "main", cell: &Given::new(), context: None, route: None, simple: false };
    let compiled = Compiler::new(workspace).compile(request, &mut sink).unwrap();
    (compiled, sink.into_unsorted())
}

/// The counts of a manifest.
pub fn counted(manifest: &str) -> Arc<VariantSet> {
    compiled(&workspace(manifest, &[])).variants
}

/// The one route of a manifest.
pub fn route(manifest: &str) -> RouteVariants {
    counted(manifest).routes[0].clone()
}

/// A count as text, bounds as `LOW..HIGH`.
pub fn number(count: &Count) -> String {
    match count {
        Count::Exact(count) => count.to_string(),
        Count::Between { at_least, at_most } => format!("{at_least}..{at_most}"),
        Count::Unbounded(names) => format!("no end of {}", names.join(", ")),
        Count::Broken => "broken".to_owned(),
    }
}

/// Bool inputs of a session: `b0`, `b1` and so on.
pub fn bools(many: usize) -> String {
    let each = |n: usize| format!("b{n} = {{ type = \"bool\", lifetime = \"session\" }}\n");
    format!("[inputs]\n{}\n", (0..many).map(each).collect::<String>())
}

/// A static section with a text, and keys of its own.
pub fn section(id: &str, keys: &str, text: &str) -> String {
    format!("[[section]]\nid = \"{id}\"\nzone = \"static\"\n{keys}\ntext = '''{text}'''\n\n")
}

#[test]
fn what_differs_in_no_byte_and_what_cannot_happen_makes_no_prefix() {
    let inputs =
        "[inputs]\na = { type = \"bool\", lifetime = \"session\" }\nb = { type = \"bool\", lifetime = \"session\" }\n";
    let one = section("one", "when = \"a\"", "Same.");
    let other = section("other", "when = \"not a\"", "Same.");
    assert_eq!(number(&route(&[inputs, &one, &other].concat()).count), "1");
    let other = section("other", "when = \"b\"", "Same.");
    assert_eq!(number(&route(&[inputs, &one, &other].concat()).count), "3", "none, one of them, both");
    let rule = "[[constraint]]\nthat = \"exactly_one(a, b)\"\n\n";
    assert_eq!(number(&route(&[inputs, rule, &one, &other].concat()).count), "1");
    let never = "[[constraint]]\nthat = \"a and not a\"\n\n";
    assert_eq!(number(&route(&[inputs, never, &one].concat()).count), "0");
}

#[test]
fn tested_strings_and_lists_count_as_what_tests_can_tell() {
    let inputs = "[inputs]\nmode = { type = \"string\", lifetime = \"session\" }\n\
                  tools = { type = \"list\", lifetime = \"session\", sort_by = \"given\" }\n\
                  note = { type = \"string\", lifetime = \"session\", optional = true }\n\
                  depth = { type = \"integer\", lifetime = \"session\" }\n\n";
    let count = |sections: &str| number(&route(&format!("{inputs}{sections}")).count);
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
    assert_eq!(number(&route.count), "no end of cwd");
    assert_eq!(number(&route.conditional), "2");
    assert_eq!(number(&route.sections[0].outcomes), "2");
}

#[test]
fn values_for_which_nothing_can_be_rendered_make_no_prefix() {
    let manifest =
        "[inputs]\nos = { type = [\"linux\", \"mac\", \"win\"], lifetime = \"session\", optional = true }\n\n"
            .to_owned()
            + &section("a", "", "On {{ os }}.");
    let route = route(&manifest);
    assert_eq!(number(&route.count), "3");
    assert_eq!(route.failures().len(), 1);
    assert_eq!(route.failures()[0].values, [("os".to_owned(), promptc::input::Datum::Missing)]);
    let asked = "[inputs]\nos = { type = [\"linux\", \"mac\", \"win\"], lifetime = \"session\", optional = true }\n\n"
        .to_owned()
        + &section("a", "when = \"os is defined\"", "On {{ os }}.");
    assert_eq!(number(&super::variants::route(&asked).count), "4");
}
