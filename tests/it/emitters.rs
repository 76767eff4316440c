//! Request bodies against the vendors' own shapes, closed, and by hand: where marks sit, their lifetime, their number.

use std::fs;

use promptc::emit::Emitter;
use serde_json::Value;

use crate::support::{Project, root, run_in};

/// Emitters with the schema of their body.
const BODIES: [(&str, &str); 6] = [
    ("anthropic", "anthropic-messages"),
    ("bedrock", "bedrock-converse"),
    ("openai", "openai-responses"),
    ("openai-chat", "openai-chat"),
    ("openai-compatible", "openai-chat"),
    ("gemini", "gemini-generate-content"),
];

fn schema(name: &str) -> jsonschema::Validator {
    let text = fs::read_to_string(root().join(format!("tests/vendor/{name}.schema.json"))).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

/// Long enough for every model's minimum.
fn long(word: &str) -> String {
    format!("{word} ").repeat(2000)
}

/// A project with a static, a dynamic, a DANGEROUS and a user-context section, for a target.
fn project(target: &str) -> Project {
    let manifest = format!(
        r#"
[inputs]
cwd = {{ type = "string", lifetime = "session" }}
date = {{ type = "string", lifetime = "turn" }}

[[section]]
id = "billing"
zone = "dynamic"
role = "attribution"
text = "client"

[[section]]
id = "who"
zone = "static"
role = "prefix"
text = "You are a tester."

[[section]]
id = "rules"
zone = "static"
text = "{}"

[[section]]
id = "place"
zone = "dynamic"
text = "{{{{ cwd }}}}"

[[section]]
id = "news"
zone = "dynamic"
DANGEROUS_uncached = "the news change between turns"
text = "{{{{ date }}}}"

[[section]]
id = "today"
zone = "dynamic"
channel = "user_context"
text = "{{{{ date }}}}"
"#,
        long("rule")
    );
    Project::new()
        .file("prompts/main.toml", manifest)
        .file("profiles/main.toml", format!("[target]\n{target}\n[chain]\ndefault = {{ prompt = \"main\" }}\n"))
        .file("context.json", r#"{"cwd": "/home/x", "date": "today"}"#)
}

fn emit(project: &Project, emitter: &str) -> Value {
    let run = project.run(&["build", "main", "--context", "context.json", "--emit", emitter, "-o", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn every_body_of_our_own_agents_fits_the_vendors_closed_schema() {
    let validators = BODIES.map(|(emitter, name)| (emitter, schema(name)));
    for profile in ["coding", "coding-user-channel", "coding-proactive", "research", "research-sub", "campus"] {
        let folder = tempfile::tempdir().unwrap();
        let mut line = vec!["build", profile, "--all", "-o", folder.path().to_str().unwrap()];
        line.extend(BODIES.iter().flat_map(|(emitter, _)| ["--emit", emitter]));
        let run = run_in(root(), &line);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let fixtures: Vec<_> = fs::read_dir(folder.path().join(profile).join("fixtures")).unwrap().collect();
        assert!(!fixtures.is_empty(), "{profile}");
        for fixture in fixtures {
            let fixture = fixture.unwrap().path();
            for (emitter, validator) in &validators {
                let body = fs::read_to_string(fixture.join(format!("{emitter}.json"))).unwrap();
                let body: Value = serde_json::from_str(&body).unwrap();
                if let Err(error) = validator.validate(&body) {
                    panic!("{} {emitter}: {error} at {}", fixture.display(), error.instance_path());
                }
            }
        }
    }
}

#[test]
fn the_schemas_take_good_bodies_and_refuse_misspelt_keys() {
    let examples = fs::read_to_string(root().join("tests/vendor/examples.json")).unwrap();
    let examples: Value = serde_json::from_str(&examples).unwrap();
    for (name, cases) in examples.as_object().unwrap() {
        let validator = schema(name.trim_end_matches(".schema.json"));
        for (kind, valid) in [("good", true), ("bad", false)] {
            for case in cases[kind].as_array().unwrap() {
                assert_eq!(validator.is_valid(&case["body"]), valid, "{name}: {}", case["what"]);
            }
        }
    }
    let mut body = emit(&project("provider = \"anthropic\"\nmodel = \"claude-opus-5.5\""), "anthropic");
    assert!(schema("anthropic-messages").is_valid(&body));
    let mark = body["system"][2]["cache_control"].as_object_mut().unwrap();
    let kind = mark.remove("type").unwrap();
    mark.insert("typ".to_owned(), kind);
    assert!(!schema("anthropic-messages").is_valid(&body));
}

#[test]
fn anthropic_marks_the_end_of_each_cached_block_and_no_other() {
    let body = emit(&project("provider = \"anthropic\"\nmodel = \"claude-opus-5.5\""), "anthropic");
    let system = body["system"].as_array().unwrap();
    let texts: Vec<&str> = system.iter().map(|b| b["text"].as_str().unwrap().get(..4).unwrap()).collect();
    assert_eq!(texts, ["clie", "You ", "rule", "/hom", "toda"]);
    // A prefix ahead of a static block takes no mark, an attribution line and a tail never do.
    let marks: Vec<Value> = system.iter().map(|b| b["cache_control"].clone()).collect();
    let mark: Value = serde_json::json!({"type": "ephemeral"});
    assert_eq!(marks, [Value::Null, Value::Null, mark.clone(), mark, Value::Null]);
    assert_eq!(body["messages"][0]["role"], "user");
    assert_eq!(body["messages"][0]["content"][0]["text"], "<system-reminder>\ntoday\n</system-reminder>");
    assert!(body["messages"][0]["content"][0].get("cache_control").is_none());
}

#[test]
fn marks_are_counted_in_bodies_and_not_in_texts() {
    let project = project("provider = \"anthropic\"\nmodel = \"claude-opus-5.5\"");
    let traps: String = ["mark", "cache_control", "cachePoint", "prompt_cache_breakpoint"]
        .map(|key| format!("\n  \"{key}\": \"default\",\n  \"{key}\": {{\n"))
        .concat();
    project.write("context.json", serde_json::json!({"cwd": traps, "date": traps}).to_string());
    // The static and the dynamic block each have a mark, where the form has a place for it.
    for (name, marks) in [
        ("blocks", 2),
        ("anthropic", 2),
        ("bedrock", 2),
        ("openai", 2),
        ("openai-chat", 2),
        ("text", 0),
        ("openai-compatible", 0),
        ("gemini", 0),
    ] {
        let run = project.run(&["build", "main", "--context", "context.json", "--emit", name, "-o", "-"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(Emitter::from_name(name).unwrap().marks_in(&run.stdout), marks, "{name}");
    }
}

#[test]
fn a_lifetime_is_written_where_the_profile_says_one() {
    let target = "provider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\n";
    let all = emit(&project(&format!("{target}ttl = \"1h\"")), "anthropic");
    assert_eq!(all["system"][2]["cache_control"], serde_json::json!({"type": "ephemeral", "ttl": "1h"}));
    assert_eq!(all["system"][3]["cache_control"]["ttl"], "1h");
    let by_block = emit(&project(&format!("{target}ttl = {{ static = \"1h\" }}")), "anthropic");
    assert_eq!(by_block["system"][2]["cache_control"]["ttl"], "1h");
    assert_eq!(by_block["system"][3]["cache_control"], serde_json::json!({"type": "ephemeral"}));
    let points = emit(&project("provider = \"bedrock\"\nmodel = \"claude-opus-5.5\"\nttl = \"1h\""), "bedrock");
    assert_eq!(points["system"][3], serde_json::json!({"cachePoint": {"type": "default", "ttl": "1h"}}));
}

#[test]
fn marks_for_messages_are_kept_back() {
    let target = "provider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\nmarks_for_messages = 3";
    let body = emit(&project(target), "anthropic");
    let marks = body["system"].as_array().unwrap().iter().filter(|b| b.get("cache_control").is_some()).count();
    assert_eq!(marks, 1);
    let blocks = project(target).blocks(&["--context", "context.json"]);
    assert_eq!((&blocks["marks"]["used"], &blocks["marks"]["left"]), (&1.into(), &3.into()));
}

#[test]
fn a_block_below_the_minimum_takes_no_mark() {
    let project = project("provider = \"anthropic\"\nmodel = \"claude-opus-5.5\"");
    let text = fs::read_to_string(project.path("prompts/main.toml")).unwrap().replace(&long("rule"), "Be short.");
    project.write("prompts/main.toml", text);
    let body = emit(&project, "anthropic");
    assert!(body["system"].as_array().unwrap().iter().all(|b| b.get("cache_control").is_none()));
}

#[test]
fn a_scope_is_written_only_where_the_provider_data_names_the_field() {
    let project = project("provider = \"house\"\nmodel = \"claude-opus-5.5\"\nshared_scope = true").file(
        "promptc.toml",
        "[[provider]]\nid = \"house\"\nmax_marks = 4\nscope_field = \"scope\"\nttls = [\"5m\"]\n",
    );
    let body = emit(&project, "anthropic");
    assert_eq!(body["system"][2]["cache_control"], serde_json::json!({"type": "ephemeral", "scope": "global"}));
    // In `boundary` nothing behind the boundary is cached.
    assert!(body["system"][3].get("cache_control").is_none());
}

#[test]
fn openai_has_explicit_breakpoints_for_models_that_have_them() {
    let new = project("provider = \"openai\"\nmodel = \"gpt-6-sol\"");
    let body = emit(&new, "openai");
    let parts = body["input"][0]["content"].as_array().unwrap();
    assert_eq!(body["input"][0]["role"], "developer");
    assert_eq!(parts[2]["prompt_cache_breakpoint"], serde_json::json!({"mode": "explicit"}));
    assert_eq!(parts.iter().filter(|p| p.get("prompt_cache_breakpoint").is_some()).count(), 2);
    assert_eq!(body["prompt_cache_options"], serde_json::json!({"mode": "explicit"}));
    assert!(schema("openai-responses").is_valid(&body));
    let chat = emit(&new, "openai-chat");
    assert_eq!(chat["messages"][0]["content"][2]["prompt_cache_breakpoint"], serde_json::json!({"mode": "explicit"}));
    let old = emit(&project("provider = \"openai\"\nmodel = \"gpt-4.1\""), "openai");
    assert!(!old.to_string().contains("prompt_cache"));
}

#[test]
fn other_servers_get_one_system_string() {
    let project = project("provider = \"openai-compatible\"\nmodel = \"gpt-4.1\"");
    let body = emit(&project, "openai-compatible");
    let text = project.run(&["build", "main", "--context", "context.json", "--emit", "text", "-o", "-"]).stdout;
    assert_eq!(body["messages"][0], serde_json::json!({"role": "system", "content": text}));
    assert_eq!(body["messages"][1]["role"], "user");
}

#[test]
fn gemini_has_a_part_for_each_block() {
    let body = emit(&project("provider = \"gemini\"\nmodel = \"gemini-2.5-pro\""), "gemini");
    assert_eq!(body["systemInstruction"]["parts"].as_array().unwrap().len(), 5);
    assert_eq!(body["contents"][0]["parts"][0]["text"], "<system-reminder>\ntoday\n</system-reminder>");
}
