//! Counts of static prefixes: against going through all assignments, at the limits, and as they are shown.

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
