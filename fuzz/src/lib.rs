//! What each fuzz target does with bytes, and what must hold whatever they are.
//!
//! `tests/it/fuzzed.rs` runs the same functions over the files that `corpus/` keeps.

use std::collections::BTreeSet;
use std::sync::Arc;

use promptc::compile::{Contexts, tasks};
use promptc::diag::Sink;
use promptc::diff::{self, Class, Side};
use promptc::expr::{self, Use};
use promptc::host::memory::Memory;
use promptc::import::import as import_file;
use promptc::input::data::{self, Format};
use promptc::limits::Limits;
use promptc::manifest::Prompt;
use promptc::snapshot;
use promptc::source::{Located, SourceMap};
use promptc::workspace::{Flags, Wanted, Workspace};

const PROMPT: &str = r#"
[inputs]
kind = { type = ["a", "b"], lifetime = "build", default = "a" }
os   = { type = ["linux", "mac"], lifetime = "session", optional = true }
git  = { type = "bool", lifetime = "session", default = false }
name = { type = "string", lifetime = "session", default = "n", trust = "foreign" }
list = { type = "list", lifetime = "session", sort_by = ".", default = ["x", "y"] }
map  = { type = "table", lifetime = "build", default = { k = 1 } }

[[section]]
id = "head"
zone = "static"
text = "Head."

[[section]]
id = "body"
zone = "dynamic"
body = "body.md"
"#;

const PROFILE: &str = r#"
[target]
provider = "anthropic"
model = "claude-sonnet-4-5"

[chain]
default = { prompt = "main" }

[limits]
static_variants = 100

[[fixture]]
name = "one"
context = "fixtures/one.yaml"
"#;

/// A small project.
fn project() -> Memory {
    Memory::from_iter([
        ("prompts/main.toml", PROMPT),
        ("prompts/body.md", "Body."),
        ("prompts/part.md", "Part {{ name }}."),
        ("profiles/main.toml", PROFILE),
        ("fixtures/one.yaml", "os: mac\ngit: true\n"),
    ])
}

/// Bounds under which no input takes long.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.template_fuel.value = 20_000;
    limits.variant_steps.value = 20_000;
    limits.variant_renders.value = 64;
    limits.section_bytes.value = 1 << 20;
    limits.pattern_steps.value = 10_000;
    limits
}

/// Loads a project, and compiles all of it.
fn with_side<T>(host: &Memory, then: impl FnOnce(&Side<'_>) -> T) -> Option<T> {
    let mut workspace = Workspace::load(host, Wanted::All, &Flags::default()).ok()?;
    workspace.limits = limits();
    let mut sink = Sink::default();
    let list = tasks(&mut workspace, host, Contexts::All, &mut sink).ok()?;
    Some(then(&Side::compile(&workspace, &list, sink.into_unsorted())))
}

/// Compiles all of a project twice. It says the same both times, and each place that it names can be shown.
fn compile(host: &Memory) {
    let say = |side: &Side<'_>| {
        let place = |d: &promptc::diag::Diagnostic| match d.place {
            promptc::diag::Place::Span(span) => side.sources().slice(span).len(),
            _ => 0,
        };
        side.said.iter().map(|d| (d.message.clone(), place(d))).collect::<Vec<_>>()
    };
    assert_eq!(with_side(host, say), with_side(host, say));
}

/// A manifest of any bytes.
pub fn manifest(data: &[u8]) {
    let mut sources = SourceMap::default();
    if let Ok(file) = sources.add("prompts/main.toml", data) {
        Prompt::parse(file, sources.text(file), &limits());
    }
    let mut host = project();
    host.insert("prompts/main.toml", data);
    compile(&host);
}

/// A profile of any bytes.
pub fn profile(data: &[u8]) {
    let mut host = project();
    host.insert("profiles/main.toml", data);
    compile(&host);
}

/// A condition: one that can be read has places within its text.
pub fn expression(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut sources = SourceMap::default();
    let Ok(file) = sources.add("x.toml", data) else { return };
    for r#use in [Use::Condition, Use::Constraint] {
        let located = Located::whole(file, Arc::clone(sources.text(file)));
        if let Ok(condition) = expr::parse(located, r#use, &limits()) {
            assert!(condition.span().range().end <= text.len());
            condition.mentions().iter().for_each(|name| assert_eq!(sources.slice(name.span), name.value));
        }
    }
}

/// A body of any bytes, with values.
pub fn template(data: &[u8]) {
    let mut host = project();
    host.insert("prompts/body.md", data);
    compile(&host);
}

/// An agent's file with any front matter.
pub fn front_matter(data: &[u8]) {
    let mut host = project();
    host.insert("prompts/agents/x.md", data);
    host.insert(
        "profiles/main.toml",
        PROFILE.replace("[chain]", "[chain]\nagent = { from = \"agents\", name = \"x\" }"),
    );
    compile(&host);
}

/// A context of any bytes, in each format: what can be read is read again from its canonical form.
pub fn context(data: &[u8]) {
    let mut sources = SourceMap::default();
    let Ok(file) = sources.add("c", data) else { return };
    for format in [Format::Json, Format::Yaml, Format::Toml] {
        let Ok(entries) = data::read(&sources.located(file), format, &limits()) else { continue };
        let members: Vec<String> = entries
            .iter()
            .map(|e| {
                format!(
                    "{}:{}",
                    promptc::input::Value::String(e.key.value.clone()).canonical_json(),
                    e.value.canonical_json()
                )
            })
            .collect();
        let text = format!("{{{}}}", members.join(","));
        let mut again = SourceMap::default();
        let file = again.add("c.json", text.as_bytes()).expect("UTF-8");
        let back = data::read(&again.located(file), Format::Json, &Limits::default()).expect("canonical JSON is read");
        let values = |list: &[data::Entry]| -> Vec<_> {
            list.iter().map(|e| (e.key.value.clone(), e.value.canonical_json())).collect()
        };
        assert_eq!(values(&entries), values(&back));
    }
}

/// A folder of snapshots whose files say anything, and nothing that is compiled: to accept all of it leaves nothing, and
/// what to accept nothing of it leaves is whole, and stays as it is.
pub fn snapshot(data: &[u8]) {
    let paths = ["main.toml", "texts/head.txt", "texts/body.txt", "x.toml"];
    let read = |files: Vec<(&str, Vec<u8>)>| {
        let host = Memory::from_iter(files.into_iter().map(|(path, bytes)| (format!("snapshots/{path}"), bytes)));
        snapshot::read(&host, "snapshots", &snapshot::Files::new()).expect("small files are read")
    };
    let accept = |stored: &snapshot::Stored, all: bool| {
        let (compiled, unknown) = (snapshot::Snapshot::default(), BTreeSet::new());
        let review = snapshot::Review { folder: "snapshots", stored, compiled: &compiled, unknown: &unknown };
        review.accept(&|_, _| all)
    };
    let stored = read(paths.into_iter().zip(data.split(|b| *b == 0).map(<[u8]>::to_vec)).collect());
    assert!(accept(&stored, true).is_ok_and(|accepted| accepted.files.is_empty()));
    let Ok(kept) = accept(&stored, false) else { return };
    let again = read(kept.files.iter().map(|(path, text)| (path.as_str(), text.clone().into_bytes())).collect());
    let same = accept(&again, false).expect("what was written can be read");
    assert_eq!((same.files, same.findings.len()), (kept.files, 0));
}

/// Two projects that differ by bodies and manifests of any bytes. A change of nothing is none, and what is none one way
/// is none the other way.
pub fn diff(data: &[u8]) {
    let parts: Vec<&[u8]> = data.split(|b| *b == 0).collect();
    let side = |n: usize| {
        let mut host = project();
        if let Some(body) = parts.get(2 * n) {
            host.insert("prompts/body.md", *body);
        }
        if let Some(more) = parts.get(2 * n + 1) {
            host.insert("prompts/main.toml", [PROMPT.as_bytes(), more].concat());
        }
        host
    };
    let (base, head) = (side(0), side(1));
    with_side(&base, |a| {
        assert_eq!(diff::compare(a, a).class(), Class::None);
        with_side(&head, |b| {
            let (there, back) = (diff::compare(a, b).class(), diff::compare(b, a).class());
            assert_eq!(there == Class::None, back == Class::None);
        });
    });
}

/// A prompt of any bytes makes a project that gives it back.
pub fn import(data: &[u8]) {
    let Ok(imported) = import_file("x.md", None, data) else { return };
    let host = Memory::from_iter(imported.files);
    assert!(Workspace::load(&host, Wanted::All, &Flags::default()).is_ok());
    compile(&host);
}
