//! The repository's own prompts: they compile without a word, and the coding agent's blocks are what its comments promise.
//!
//! What is expected is written here by hand from the rules; nothing is taken from the program's output.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use promptc::compile::{Compiler, Request, cells};
use promptc::diag::Sink;
use promptc::host::Host;
use promptc::host::memory::Memory;
use promptc::input::Lifetime;
use promptc::manifest::Layer;
use promptc::workspace::{Flags, Wanted, Workspace};
use serde_json::Value;

use crate::manifests::{self, Outcome};
use crate::support::{root, run_in};

/// Profiles of the coding agent.
const CODING: [&str; 4] = ["coding", "coding-fleet", "coding-proactive", "coding-user-channel"];

/// The sections of the static run, in order.
const STATIC: [&str; 7] = ["identity", "system", "tasks", "care", "tools", "tone", "efficiency"];

#[test]
fn own_prompts_compile_without_a_word() {
    let host = project();
    let outcome = manifests::compile(&host, Wanted::All, None, false);
    assert!(outcome.found.is_empty(), "{:#?}", told(&outcome));
    // Each profile ahead of time and with each fixture, each of these in every cell.
    let workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
    let count = |profile: &str| cells(&workspace, profile).len();
    let expected: usize = workspace.profiles.iter().map(|(name, p)| count(name) * (1 + p.fixtures.len())).sum();
    assert_eq!(outcome.artifacts.len(), expected);
    assert!(CODING.iter().all(|name| workspace.profiles.contains_key(*name)));
    assert!(workspace.profiles.values().all(|p| !p.fixtures.is_empty()), "every profile has a fixture");
}

#[test]
fn every_route_compiles_without_a_word() {
    let host = project();
    for layer in Layer::ALL {
        let outcome = manifests::compile(&host, Wanted::Named(&CODING.map(str::to_owned)), Some(layer), false);
        // Without a name or a text there is no agent and no prompt of the user: told, and nothing else.
        let expected: &[&str] = match layer {
            Layer::Agent => &["agent-not-there"],
            Layer::Custom => &["empty-layer"],
            _ => &[],
        };
        assert!(outcome.found.iter().all(|d| expected.contains(&d.rule.name)), "{layer:?}: {:#?}", told(&outcome));
        assert!(!outcome.artifacts.is_empty(), "{layer:?}");
    }
}

#[test]
fn simple_gives_what_the_prompt_calls_simple() {
    let outcome = manifests::compile(&project(), Wanted::Named(&CODING.map(str::to_owned)), None, true);
    assert!(outcome.found.is_empty(), "{:#?}", told(&outcome));
    for artifact in &outcome.artifacts {
        let blocks = blocks_of(&artifact.json);
        let ids: Vec<&str> = blocks.iter().flat_map(|b| ids(b)).collect();
        assert_eq!(ids, ["prefix", "identity", "cwd"], "{}", artifact.name);
    }
}

#[test]
fn snapshots_are_what_the_prompts_compile_to() {
    let run = run_in(root(), &["snapshot", "check"]);
    assert_eq!(run.code, 0, "see the change, then: cargo run -- snapshot accept\n{}{}", run.stdout, run.stderr);
}

fn told(outcome: &Outcome) -> Vec<String> {
    outcome.found.iter().map(|d| format!("{}: {}", d.rule.name, d.message)).collect()
}

#[test]
fn every_fixture_and_every_prompt_file_is_used() {
    let host = project();
    let profiles: String = host.list("profiles", 99).unwrap().iter().map(|path| text(&host, path)).collect();
    for fixture in host.list("fixtures", 99).unwrap() {
        assert!(profiles.contains(&format!("\"{fixture}\"")), "no profile has {fixture}");
    }
    let manifests: String = host.list("prompts", 999).unwrap().iter().map(|path| text(&host, path)).collect();
    for path in host.list("prompts/coding", 99).unwrap() {
        let name = path.strip_prefix("prompts/").unwrap();
        let computed = name.starts_with("coding/comments-");
        assert!(computed || manifests.contains(name), "no prompt uses {path}");
    }
}

#[test]
fn one_shared_prefix_when_no_tools_come_at_run_time() {
    let host = without_line(&project(), "fixtures/coding/git-repo.yaml", "runtime_tools: true");
    let document = blocks(&host, "coding/git-repo");
    assert_eq!(document["strategy"], "boundary");
    assert_eq!(
        outline(&document),
        [
            ("attribution", "-", "-", vec!["attribution"]),
            ("prefix", "-", "-", vec!["prefix"]),
            ("static", "global", "default", STATIC.to_vec()),
            (
                "dynamic",
                "-",
                "-",
                vec![
                    "session_guidance",
                    "subagents",
                    "skills",
                    "cwd",
                    "environment",
                    "mcp_instructions",
                    "append-1",
                    "git_status"
                ]
            ),
            ("user_context", "-", "-", vec!["project_instructions", "date"]),
        ]
    );
    assert_eq!((&document["marks"]["used"], &document["marks"]["left"]), (&1.into(), &3.into()));
}

#[test]
fn run_time_tools_leave_the_organisation_and_a_tail() {
    let document = blocks(&project(), "coding/git-repo");
    assert_eq!(document["strategy"], "tools");
    assert_outline_with_tail(&document);
}

#[test]
fn a_target_that_shares_nothing_falls_back() {
    let host = without_line(&project(), "fixtures/coding/git-repo.yaml", "runtime_tools: true");
    let host = without_line(&host, "profiles/coding.toml", "shared_scope");
    let document = blocks(&host, "coding/git-repo");
    assert_eq!(document["strategy"], "fallback");
    assert_outline_with_tail(&document);
}

fn assert_outline_with_tail(document: &Value) {
    assert_eq!(
        outline(document),
        [
            ("attribution", "-", "-", vec!["attribution"]),
            ("prefix", "org", "-", vec!["prefix"]),
            ("static", "org", "default", STATIC.to_vec()),
            ("dynamic", "org", "default", vec!["session_guidance", "subagents", "skills", "cwd", "environment"]),
            ("tail", "-", "-", vec!["mcp_instructions", "append-1", "git_status"]),
            ("user_context", "-", "-", vec!["project_instructions", "date"]),
        ]
    );
    assert_eq!((&document["marks"]["used"], &document["marks"]["left"]), (&2.into(), &2.into()));
}

#[test]
fn lifetimes_are_those_of_what_is_read() {
    let document = blocks(&project(), "coding/git-repo");
    let lifetimes: BTreeMap<&str, &str> = document["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|b| b["sections"].as_array().unwrap())
        .map(|s| (s["id"].as_str().unwrap(), s["lifetime"].as_str().unwrap()))
        .collect();
    for (id, lifetime) in [
        ("attribution", "session"),
        ("prefix", "build"),
        ("session_guidance", "session"),
        ("cwd", "session"),
        ("mcp_instructions", "turn"),
        ("append-1", "build"),
        // A turn value that is frozen is read once: it lives as long as the session.
        ("git_status", "session"),
        ("project_instructions", "session"),
        ("date", "turn"),
    ] {
        assert_eq!(lifetimes[id], lifetime, "{id}");
    }
    let of = |kind: &str| block(&document, kind)["lifetime"].clone();
    assert_eq!([of("attribution"), of("static"), of("dynamic"), of("tail")], ["session", "build", "session", "turn"]);
}

#[test]
fn nothing_in_the_shared_run_is_known_only_at_run_time() {
    let host = project();
    let workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
    let compiler = Compiler::new(&workspace);
    let mut shared = BTreeSet::new();
    for profile in workspace.profiles.keys() {
        for cell in cells(&workspace, profile) {
            let request = Request { profile, cell: &cell, context: None, route: None, simple: false };
            let compiled = compiler.compile(request, &mut Sink::default()).unwrap();
            for route in &compiled.resolved.routes {
                for section in route.sections.iter().filter(|s| s.is_shared()) {
                    assert_eq!(section.lifetime(), Lifetime::Build, "{profile} {:?} {}", route.layer, section.id);
                    if CODING.contains(&profile.as_str()) {
                        shared.insert(section.id.clone());
                    }
                }
            }
        }
    }
    let expected =
        STATIC.into_iter().chain(["prefix", "coordinator_role", "coordinator_workflow", "coordinator_briefs"]);
    let expected: BTreeSet<String> = expected.chain(["loop_role", "loop_run"]).map(str::to_owned).collect();
    assert_eq!(shared, expected);
}

#[test]
fn the_shared_text_is_the_same_in_every_session() {
    let host = project();
    let outcome = manifests::compile(&host, Wanted::All, None, false);
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for artifact in &outcome.artifacts {
        let document: Value = serde_json::from_str(&artifact.json).unwrap();
        if let Some(found) = document["blocks"].as_array().unwrap().iter().find(|b| b["kind"] == "static") {
            let layer = document["route"]["winner"].as_str().unwrap();
            // Per profile, cell and winning link: a custom prompt or an agent keeps less of the default.
            let key = format!("{} {} {layer}", artifact.name.split('/').next().unwrap(), document["cell"]);
            texts.entry(key).or_default().insert(found["text"].as_str().expect("the static text is closed").to_owned());
        }
    }
    assert!(texts.len() >= 4 + 2 + 4, "{:?}", texts.keys());
    for (key, texts) in texts {
        assert_eq!(texts.len(), 1, "{key} has several static texts");
    }
}

#[test]
fn the_attribution_line_is_no_part_of_what_is_cached() {
    let host = project();
    let other = replaced(&host, "fixtures/coding/git-repo.yaml", "cli-7f3a", "another-client");
    let (one, two) = (blocks(&host, "coding/git-repo"), blocks(&other, "coding/git-repo"));
    assert_eq!(block(&one, "attribution")["text"], "client=quoin; build=cli-7f3a");
    assert_eq!(block(&two, "attribution")["text"], "client=quoin; build=another-client");
    for kind in ["prefix", "static", "dynamic", "tail", "user_context"] {
        assert_eq!(block(&one, kind), block(&two, kind), "{kind}");
    }
    assert_eq!(block(&one, "attribution")["mark"], Value::Null);
    // By hand: each block as its byte length in decimal, a line feed, its text; the attribution is not among them.
    let texts: Vec<&str> =
        ["prefix", "static"].iter().map(|kind| block(&one, kind)["text"].as_str().unwrap()).collect();
    let prefix: String = texts.iter().map(|text| format!("{}\n{text}", text.len())).collect();
    assert_eq!(block(&one, "static")["prefix_digest"], blake3::hash(prefix.as_bytes()).to_hex().as_str());
    assert_eq!(block(&one, "static")["digest"], blake3::hash(texts[1].as_bytes()).to_hex().as_str());
    // On a target that does not strip the line, every client has a prefix of its own.
    let kept = without_line(&host, "profiles/coding.toml", "strips_attribution");
    let other = without_line(&other, "profiles/coding.toml", "strips_attribution");
    let (one, two) = (blocks(&kept, "coding/git-repo"), blocks(&other, "coding/git-repo"));
    assert_eq!(block(&one, "static")["digest"], block(&two, "static")["digest"]);
    assert_ne!(block(&one, "static")["prefix_digest"], block(&two, "static")["prefix_digest"]);
    let attribution = block(&one, "attribution")["text"].as_str().unwrap();
    let prefix = format!("{}\n{attribution}{prefix}", attribution.len());
    assert_eq!(block(&one, "static")["prefix_digest"], blake3::hash(prefix.as_bytes()).to_hex().as_str());
}

#[test]
fn ranges_cover_what_stands_in_the_block() {
    for artifact in manifests::compile(&project(), Wanted::All, None, false).artifacts {
        for block in blocks_of(&artifact.json) {
            let Some(text) = block["text"].as_str() else { continue };
            assert_eq!(block["bytes"], text.len(), "{}", artifact.name);
            assert_eq!(block["digest"], blake3::hash(text.as_bytes()).to_hex().as_str());
            let mut at = 0;
            for section in block["sections"].as_array().unwrap() {
                let offset = |key: &str| section[key].as_u64().unwrap() as usize;
                let own = &text[offset("start")..offset("end")];
                assert!(offset("start") >= at && !own.is_empty(), "{}: {section}", artifact.name);
                assert_eq!(section["digest"], blake3::hash(own.as_bytes()).to_hex().as_str());
                at = offset("end");
            }
        }
    }
}

#[test]
fn a_prompt_without_dangerous_sections_has_no_tail() {
    let host = project();
    assert!(text(&host, "prompts/coding.toml").contains("DANGEROUS_uncached ="));
    let workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
    let request =
        Request { profile: "coding-user-channel", cell: &Vec::new(), context: None, route: None, simple: false };
    let compiled = Compiler::new(&workspace).compile(request, &mut Sink::default()).unwrap();
    let default = compiled.resolved.route(Layer::Default).unwrap();
    assert!(default.sections.len() > 15 && default.sections.iter().all(|s| s.dangerous.is_none()));
    let document = blocks(&host, "coding-user-channel/git-repo");
    assert_eq!(document["strategy"], "tools");
    assert_eq!(
        outline(&document),
        [
            ("attribution", "-", "-", vec!["attribution"]),
            ("prefix", "org", "-", vec!["prefix"]),
            ("static", "org", "default", STATIC.to_vec()),
            (
                "dynamic",
                "org",
                "default",
                vec!["session_guidance", "subagents", "skills", "cwd", "environment", "append-1", "git_status"]
            ),
            ("user_context", "-", "-", vec!["project_instructions", "mcp_instructions", "date"]),
        ]
    );
    let with_tail = blocks(&host, "coding/git-repo");
    assert_eq!(block(&document, "static"), block(&with_tail, "static"), "the same shared text as coding");
}

#[test]
fn three_user_types_are_three_prefixes_and_no_condition() {
    let host = project();
    let cells = ["external", "internal", "partner"].map(|user| format!("user_type={user}"));
    let mut prefixes = BTreeSet::new();
    for cell in &cells {
        let ahead = blocks(&host, &format!("coding-fleet/{cell}"));
        let session = blocks(&host, &format!("coding-fleet/git-repo/{cell}"));
        assert_eq!(ahead["cell"]["user_type"], cell["user_type=".len()..]);
        let text = block(&ahead, "static")["text"].as_str().expect("known when compiling").to_owned();
        assert_eq!(block(&session, "static")["text"], text, "{cell}");
        assert!(!text.contains("{%") && !text.contains("{{"), "{cell}");
        prefixes.insert(block(&ahead, "static")["digest"].as_str().unwrap().to_owned());
    }
    assert_eq!(prefixes.len(), 3);
    let external = blocks(&host, "coding-fleet/user_type=external");
    assert_eq!(
        block(&external, "static"),
        block(&blocks(&host, "coding"), "static"),
        "the public build is one of them"
    );
}

#[test]
fn a_session_costs_a_few_thousand_tokens() {
    let document = blocks(&project(), "coding/git-repo");
    let totals = |key: &str| document["totals"][key].as_u64().unwrap();
    assert!((3_000..=5_500).contains(&totals("all")), "{}", totals("all"));
    assert_eq!(totals("all"), totals("static") + totals("dynamic") + totals("user_context"));
    let sum: u64 = document["blocks"].as_array().unwrap().iter().map(|b| b["tokens"].as_u64().unwrap()).sum();
    assert_eq!(totals("all"), sum);
}

#[test]
fn each_way_through_the_chain_keeps_what_must_stay() {
    let host = project();
    for (fixture, winner, own) in [
        ("git-repo", "default", "identity"),
        ("windows-no-git", "default", "identity"),
        ("chinese-with-memory", "default", "identity"),
        ("reviewer-agent", "agent", "agent"),
        ("coordinator", "coordinator", "coordinator_role"),
        ("loop", "override", "loop_role"),
        ("custom-prompt", "custom", "custom"),
    ] {
        let document = blocks(&host, &format!("coding/{fixture}"));
        assert_eq!(document["route"]["winner"], winner, "{fixture}");
        let all: Vec<&str> = document["blocks"].as_array().unwrap().iter().flat_map(ids).collect();
        for id in [own, "care", "cwd", "date", "append-1"] {
            assert_eq!(all.iter().filter(|found| **found == id).count(), 1, "{fixture}: {id} in {all:?}");
        }
        assert_eq!(all.contains(&"identity"), winner == "default", "{fixture}");
        let given = ["reviewer-agent", "coordinator", "custom-prompt"].contains(&fixture);
        assert_eq!(all.contains(&"append-2"), given, "{fixture}: the caller's text");
    }
    let whole = |name: &str| blocks(&host, name).to_string();
    assert!(!whole("coding/loop").contains("Answer in rhyme"), "the caller's text does not reach a loop");
    assert!(whole("coding/coordinator").contains("# Instructions of the caller\\n\\nReport progress"));
    let extended = blocks(&host, "coding-proactive/reviewer-agent");
    let dynamic = block(&extended, "dynamic");
    assert!(dynamic["text"].as_str().unwrap().contains("\n\n# Custom Agent Instructions\n\n"));
    assert_eq!(ids(block(&extended, "static")), STATIC);
}

#[test]
fn what_others_wrote_stays_inside_its_element() {
    let document = blocks(&project(), "coding/git-repo");
    let tail = block(&document, "tail")["text"].as_str().unwrap();
    let count = |what: &str| tail.matches(what).count();
    assert_eq!((count("<mcp_instructions>"), count("</mcp_instructions>")), (2, 2));
    assert_eq!(count("&lt;/mcp_instructions>"), 1);
    assert!(tail.find("`docs`").unwrap() < tail.find("`tracker`").unwrap(), "servers are in the order of their names");
    assert!(tail.ends_with("\n\nThis is the state at the start of the session and is not updated. Run `git status` for the present state or a list that was cut."));
    let user = block(&document, "user_context")["text"].as_str().unwrap();
    assert!(user.starts_with("<system-reminder>\n") && user.ends_with("Today is 2026-11-30.\n</system-reminder>"));
    let cut = blocks(&project(), "coding/reviewer-agent").to_string();
    assert!(cut.contains(" more characters]"), "a long status says that it was cut");
}

/// The own project's files, in memory.
pub fn project() -> Memory {
    let mut host = Memory::default();
    for folder in ["prompts", "profiles", "fixtures"] {
        read(&root().join(folder), folder, &mut host);
    }
    if let Ok(bytes) = fs::read(root().join("promptc.toml")) {
        host.insert("promptc.toml", bytes);
    }
    host
}

fn read(folder: &Path, name: &str, host: &mut Memory) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{name}/{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => read(&entry.path(), &path, host),
            false => host.insert(path, fs::read(entry.path()).unwrap()),
        }
    }
}

/// The project without the one line that begins so.
pub fn without_line(host: &Memory, path: &str, start: &str) -> Memory {
    let text = text(host, path);
    let (gone, kept): (Vec<&str>, Vec<&str>) = text.split_inclusive('\n').partition(|line| line.starts_with(start));
    assert_eq!(gone.len(), 1, "{path} has one line `{start}`");
    let mut host = host.clone();
    host.insert(path, kept.concat());
    host
}

fn replaced(host: &Memory, path: &str, from: &str, to: &str) -> Memory {
    let text = text(host, path);
    assert_eq!(text.matches(from).count(), 1, "{path} has `{from}` once");
    let mut host = host.clone();
    host.insert(path, text.replace(from, to));
    host
}

fn text(host: &Memory, path: &str) -> String {
    String::from_utf8(host.read(path, u64::MAX).unwrap()).unwrap()
}

/// The blocks.json of PROFILE[/FIXTURE][/CELL].
pub fn blocks(host: &Memory, name: &str) -> Value {
    let profile = name.split('/').next().unwrap().to_owned();
    let outcome = manifests::compile(host, Wanted::Named(&[profile]), None, false);
    let found = outcome.artifacts.iter().find(|a| a.name == name);
    let found = found.unwrap_or_else(|| panic!("no artifact `{name}`: {:#?}", outcome.found));
    serde_json::from_str(&found.json).unwrap()
}

fn blocks_of(json: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(json).unwrap();
    document["blocks"].as_array().unwrap().clone()
}

fn block<'a>(document: &'a Value, kind: &str) -> &'a Value {
    let blocks = document["blocks"].as_array().unwrap();
    blocks.iter().find(|b| b["kind"] == kind).unwrap_or_else(|| panic!("no block `{kind}`"))
}

fn ids(block: &Value) -> Vec<&str> {
    block["sections"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect()
}

/// Kind, scope, mark and sections of each block; `-` for null.
fn outline(document: &Value) -> Vec<(&str, &str, &str, Vec<&str>)> {
    let blocks = document["blocks"].as_array().unwrap();
    blocks.iter().map(|b| (word(&b["kind"]), word(&b["scope"]), word(&b["mark"]), ids(b))).collect()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}
