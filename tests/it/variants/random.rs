//! Random projects: the count against the blocks that come out for every context that there can be.
//!
//! `PROMPTC_PROJECTS` asks for more of them than the usual few, `PROMPTC_SEED` for others.

use std::collections::BTreeSet;

use promptc::compile::{Compiler, Request};
use promptc::diag::{Levels, Sink};
use promptc::host::memory::Memory;
use promptc::input::data::Entry;
use promptc::input::{Datum, Value};
use promptc::manifest::Layer;
use promptc::plan::Kind;
use promptc::render::Renderer;
use promptc::resolve::{Given, Section};
use promptc::source::Span;
use promptc::source::Spanned;
use promptc::variants::{Count, details};
use promptc::workspace::{Context, Flags, Wanted, Workspace};

use super::number;
use crate::dice::Dice;

impl Dice {
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Inputs of every project, and how conditions may ask for them.
const INPUTS: &str = r#"
[inputs]
user = { type = ["ext", "int"], lifetime = "build", default = "ext" }
os   = { type = ["linux", "mac", "win"], lifetime = "session" }
git  = { type = "bool", lifetime = "session" }
box  = { type = "bool", lifetime = "user", default = false }
lang = { type = ["de", ""], lifetime = "session", optional = true }
mode = { type = "string", lifetime = "session" }
list = { type = "list", lifetime = "session", sort_by = "given" }
unix = { by = "os", values = { linux = true, mac = true }, else = false }
word = { by = "os", values = { linux = "L", mac = "M", win = "L" } }
push = { derive = "git and not box or os == 'win'" }
ask  = { derive = "mode == 'a' or git" }
"#;
const ATOMS: [&str; 14] = [
    "git",
    "not git",
    "box",
    "os == 'linux'",
    "os != 'mac'",
    "os in ['mac', 'win']",
    "unix",
    "not unix",
    "word == 'L'",
    "push",
    "user == 'int'",
    "lang is defined",
    "lang == 'de'",
    "ask",
];
/// Conditions that only `when` may have.
const OPEN: [&str; 4] = ["mode", "mode == 'a'", "list", "mode != 'a' and list"];
const TEXTS: [&str; 8] = ["a", "b", "ab", "ba\n", " a", "\n\n", "", "x y"];

struct Project {
    files: Vec<(String, String)>,
}

fn condition(r: &mut Dice, atoms: &[&str]) -> String {
    let mut out = r.one(atoms).to_string();
    for _ in 0..r.below(3) {
        out = format!("({out}) {} {}", r.one(&["and", "or"]), r.one(atoms));
    }
    if r.chance(15) { format!("not ({out})") } else { out }
}

fn piece(r: &mut Dice, depth: usize, files: &mut Vec<(String, String)>) -> String {
    // Templates know no `exactly_one`, and no optional input alone.
    let atoms = &ATOMS[..11];
    match r.below(if depth > 2 { 3 } else { 10 }) {
        0 | 1 => r.one(&TEXTS).to_string(),
        2 => r.one(&["{{ os }}", "{{ word }}", "{{ user }}", "{{ lang | default('-') }}"]).to_string(),
        3..=5 => {
            let mut out = format!("{{% if {} %}}{}", condition(r, atoms), piece(r, depth + 1, files));
            if r.chance(30) {
                out += &format!("{{% elif {} %}}{}", condition(r, atoms), piece(r, depth + 1, files));
            }
            if r.chance(40) {
                out += &format!("{{% else %}}{}", piece(r, depth + 1, files));
            }
            out + "{% endif %}"
        }
        6 => {
            // The name is taken first: what the file includes has another one.
            let (place, path) = (files.len(), format!("part{}.md", files.len()));
            files.push((format!("prompts/{path}"), String::new()));
            files[place].1 = body(r, depth + 1, files);
            format!("{{% include '{path}' %}}")
        }
        7 => format!("{{% set t = {} %}}{{{{ t }}}}", r.one(&["os", "'q'", "word ~ 'z'"])),
        8 => {
            files.push((
                "prompts/macros.md".to_owned(),
                "{% macro m(x) %}[{{ x }}{% if git %}!{% endif %}]{% endmacro %}".to_owned(),
            ));
            format!("{{% from 'macros.md' import m %}}{{{{ m({}) }}}}", r.one(&["os", "'c'"]))
        }
        _ => format!("{{% for w in ['a', 'b'] %}}{{{{ w }}}}{}{{% endfor %}}", piece(r, depth + 1, files)),
    }
}

fn body(r: &mut Dice, depth: usize, files: &mut Vec<(String, String)>) -> String {
    (0..1 + r.below(3)).map(|_| piece(r, depth, files)).collect()
}

fn project(seed: u64) -> Project {
    let mut r = Dice(seed.wrapping_mul(0x1234_5678_9abc_def1));
    let mut files = Vec::new();
    let mut manifest = INPUTS.to_owned();
    if r.chance(50) {
        let rules = [
            "git implies os != 'win'",
            "exactly_one(git, box)",
            "box iff unix",
            "lang is defined or git",
            "not (git and box)",
        ];
        manifest += &format!("\n[[constraint]]\nthat = \"{}\"\n", r.one(&rules));
    }
    manifest += "\n[layout]\n";
    manifest += &format!("separator = {:?}\n", r.one(&["\n\n", "\n", "", "a", " "]));
    manifest += &format!("trim = {:?}\n", r.one(&["both", "none", "start", "end"]));
    manifest += &format!("keep_empty = {}\ncollapse_blank_lines = {}\n", r.chance(30), r.chance(20));
    manifest += &format!("trim_blocks = {}\nlstrip_blocks = {}\n", r.chance(30), r.chance(30));
    if r.chance(30) {
        let with = r.one(&["b", "", "<$0>"]);
        manifest += &format!(
            "[[layout.replace]]\npattern = \"a\"\nwith = \"{with}\"\nwhen = \"{}\"\n",
            condition(&mut r, &ATOMS)
        );
    }
    for n in 0..1 + r.below(6) {
        manifest += &format!("\n[[section]]\nid = \"s{n}\"\nzone = \"static\"\n");
        if n == 0 && r.chance(30) {
            manifest += "role = \"prefix\"\n";
        }
        if r.chance(45) {
            let all: Vec<&str> = ATOMS.iter().chain(&OPEN).copied().collect();
            manifest += &format!("when = \"{}\"\n", condition(&mut r, &all));
        }
        if r.chance(20) {
            manifest += &format!("separator_before = {:?}\n", r.one(&["", "b", "\n"]));
        }
        if r.chance(15) {
            let (one, other) = (body(&mut r, 1, &mut files), body(&mut r, 1, &mut files));
            files.push((format!("prompts/one{n}.md"), one));
            files.push((format!("prompts/other{n}.md"), other));
            manifest += &format!(
                "body = {{ by = \"{}\", files = {{ {} = \"one{n}.md\" }}, else = \"other{n}.md\" }}\n",
                ["os", "git"][n % 2],
                ["linux", "true"][n % 2]
            );
        } else {
            let text = body(&mut r, 0, &mut files);
            files.push((format!("prompts/s{n}.md"), text));
            manifest += &format!("body = \"s{n}.md\"\n");
        }
    }
    manifest += "\n[[section]]\nid = \"end\"\nzone = \"dynamic\"\ntext = \"End.\"\n";
    files.push(("prompts/main.toml".to_owned(), manifest));
    files.push(("profiles/main.toml".to_owned(), super::profile()));
    Project { files }
}

/// Every context that there can be, up to what conditions can tell apart.
fn contexts() -> Vec<Vec<(&'static str, Option<Value>)>> {
    let text = |s: &str| Some(Value::String(s.to_owned()));
    let flag = |b: bool| Some(Value::Bool(b));
    let domains: Vec<(&str, Vec<Option<Value>>)> = vec![
        ("os", vec![text("linux"), text("mac"), text("win")]),
        ("git", vec![flag(false), flag(true)]),
        ("box", vec![flag(false), flag(true)]),
        ("lang", vec![text("de"), text(""), None]),
        ("mode", vec![text(""), text("a"), text("other")]),
        ("list", vec![Some(Value::List(Vec::new())), Some(Value::List(vec![Value::Integer(1)]))]),
    ];
    domains.into_iter().fold(vec![Vec::new()], |all, (name, values)| {
        all.iter().flat_map(|before| values.iter().map(move |v| [&before[..], &[(name, v.clone())]].concat())).collect()
    })
}

/// What comes out under every context: the text of the prefix block, and the static text up to the end of each section.
fn brute(workspace: &Workspace) -> Vec<(String, Vec<String>)> {
    let file = workspace.profiles["main"].file;
    let compiler = Compiler::new(workspace);
    let mut out = Vec::new();
    for context in contexts() {
        let entries = context.into_iter().filter_map(|(name, value)| {
            Some(Entry { key: Spanned::new(name.to_owned(), Span::start_of(file)), value: value? })
        });
        let context = Context { name: "x".to_owned(), file, entries: entries.collect() };
        let mut sink = Sink::new(Levels::default().without_info());
        let cell = Given::new();
        let request = Request {
            profile: "main",
            cell: &cell,
            context: Some(&context),
            route: Some(Layer::Default),
            simple: false,
        };
        let compiled = compiler.compile(request, &mut sink).unwrap();
        let Some(subject) = compiled.subject(workspace) else {
            // Ruled out by the constraint: nothing else is wrong with these projects.
            let found = sink.into_unsorted();
            assert!(found.iter().all(|d| d.rule.name == "broken-constraint"), "{found:#?}");
            continue;
        };
        let blocks = &subject.fitted.plan.blocks;
        let text =
            |kind: Kind| blocks.iter().find(|b| b.kind == kind).and_then(|b| b.text.as_ref()).map_or("", |t| &t.text);
        let block = blocks.iter().find(|b| b.kind == Kind::Static);
        let mut upto = Vec::new();
        let mut end = 0;
        for (index, _) in subject.route.sections.iter().enumerate().filter(|(_, s)| is_static(s)) {
            let placed = block.and_then(|b| b.sections.iter().find(|p| p.index == index));
            if let Some(range) = placed.and_then(|p| p.range.clone()) {
                end = range.end;
            }
            upto.push(text(Kind::Static)[..end].to_owned());
        }
        out.push((text(Kind::Prefix).to_owned(), upto));
    }
    out
}

fn is_static(section: &Section) -> bool {
    section.is_shared() && section.role == promptc::manifest::Role::Content
}

fn check(seed: u64) {
    let host: Memory = project(seed).files.into_iter().collect();
    let workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
    let (compiled, found) = super::told(&workspace);
    let errors: Vec<_> = found.iter().filter(|d| d.severity() == promptc::diag::Severity::Error).collect();
    assert!(errors.is_empty(), "seed {seed}: {errors:#?}");
    let route = &compiled.variants.routes[0];
    let wanted = brute(&workspace);
    let distinct: BTreeSet<(&str, &str)> =
        wanted.iter().map(|(p, upto)| (p.as_str(), upto.last().map_or("", String::as_str))).collect();
    assert_eq!(number(&route.count), distinct.len().to_string(), "seed {seed}");
    let renderer = Renderer::new(&workspace);
    let shown = details(&workspace, &compiled.resolved, route, &renderer, 1, &|text| text.len() as u64).unwrap();
    let sections = &compiled.resolved.routes[0].sections;
    let rows = shown.rows.iter().filter(|row| is_static(&sections[row.index]));
    for (n, row) in rows.enumerate() {
        let texts: Vec<(&str, &str)> = wanted.iter().map(|(p, upto)| (p.as_str(), upto[n].as_str())).collect();
        let distinct: BTreeSet<&(&str, &str)> = texts.iter().collect();
        assert_eq!(number(&row.after), distinct.len().to_string(), "seed {seed}, after {}", sections[row.index].id);
        // All contexts are equally likely, those that no section reads too.
        let same: usize = distinct.iter().map(|d| texts.iter().filter(|t| t == d).count().pow(2)).sum();
        let share = same as f64 / (texts.len() as f64).powi(2);
        let told = row.share.unwrap();
        assert!((told - share).abs() < 0.000_001, "seed {seed}, {}: {told} and {share}", sections[row.index].id);
    }
    let head = wanted.iter().map(|(p, upto)| (p.as_str(), upto.last().map_or("", String::as_str)));
    let longest = common(head);
    assert_eq!(shown.invariant_bytes, longest, "seed {seed}");
    assert_eq!(shown.witness.is_some(), distinct.len() > 1, "seed {seed}");
    if let Some(witness) = &shown.witness {
        assert_eq!(witness.byte, longest, "seed {seed}");
        let place = witness.place.map(|span| workspace.sources.slice(span).len());
        assert!(place.is_some(), "seed {seed}: {witness:?}");
        assert_ne!(witness.a, witness.b);
        assert!(witness.a.iter().zip(&witness.b).all(|(a, b)| a.0 == b.0 && a.1 != Datum::Unknown));
    }
    assert!(matches!(&shown.moves.left, Count::Exact(left) if *left <= 1u32.into()), "seed {seed}: {:?}", shown.moves);
}

/// How many bytes all texts begin with; a prefix block that ends is no byte.
fn common<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> u64 {
    let symbols = |(prefix, text): (&str, &str)| -> Vec<u16> {
        prefix.bytes().map(u16::from).chain([256]).chain(text.bytes().map(u16::from)).chain([257]).collect()
    };
    let all: Vec<Vec<u16>> = texts.map(symbols).collect();
    let Some(first) = all.first() else { return 0 };
    let same = all.iter().map(|t| t.iter().zip(first).take_while(|(a, b)| a == b).count()).min().unwrap_or(0);
    first[..same].iter().filter(|s| **s < 256).count() as u64
}

#[test]
fn counts_of_random_projects_are_those_of_all_contexts() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let first = number("PROMPTC_SEED", 0);
    // 176: a section that is kept without a text decides on the separator of the next one.
    for seed in (first..first + number("PROMPTC_PROJECTS", 12)).chain([176]) {
        check(seed);
    }
}
