//! Schemas in schemas/ are what the program prints, and what the program writes is what they say.

use std::collections::BTreeSet;
use std::fs;

use jsonschema::Validator;
use promptc::host::Host;
use promptc::report::{WHATS, json_report, schema};
use promptc::workspace::Wanted;
use serde_json::{Value, json};

use crate::dogfood;
use crate::manifests::{self, Artifact, Case};
use crate::support::{Project, root, run_in};

/// Keys of blocks.json whose value may be null: what is open, and what there is none of.
const NULLABLE: [&str; 16] = [
    "all",
    "bytes",
    "cell",
    "digest",
    "dynamic",
    "end",
    "mark",
    "prefix_digest",
    "prompt",
    "scope",
    "start",
    "static",
    "template",
    "text",
    "tokens",
    "user_context",
];

#[test]
fn schemas_are_as_the_program_prints_them() {
    for what in WHATS {
        let run = run_in(root(), &["schema", what]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "promptc schema {what}");
        let path = root().join(format!("schemas/{what}.schema.json"));
        if std::env::var_os("UPDATE").is_some_and(|v| v == "1") {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &run.stdout).unwrap();
        }
        let file = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            file == run.stdout,
            "schemas/{what}.schema.json is not what `promptc schema {what}` prints.\n\
             See what changed in the format, then refresh it: UPDATE=1 cargo test --test it generated"
        );
    }
}

#[test]
fn schemas_are_schemas() {
    for what in WHATS {
        let schema: Value = serde_json::from_str(&schema(what).unwrap()).unwrap();
        assert!(jsonschema::meta::is_valid(&schema), "{what}");
        let dialect = match what {
            // What TOML tools read.
            "prompt" | "profile" | "project" => "http://json-schema.org/draft-07/schema#",
            _ => "https://json-schema.org/draft/2020-12/schema",
        };
        assert_eq!(schema["$schema"], dialect, "{what}");
    }
}

#[test]
fn every_artifact_validates() {
    let validator = validator("blocks");
    let mut strategies = BTreeSet::new();
    let mut count = 0;
    for artifact in artifacts() {
        let document: Value = serde_json::from_str(&artifact.json).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", artifact.name);
        assert_eq!(document["format"], "promptc.blocks/1");
        strategies.insert(document["strategy"].as_str().unwrap().to_owned());
        count += 1;
    }
    assert_eq!(strategies, BTreeSet::from(["boundary", "fallback", "tools"].map(str::to_owned)));
    assert!(count > 60, "{count} artifacts");
}

#[test]
fn a_document_with_a_key_too_many_does_not_validate() {
    let validator = validator("blocks");
    each_object(&full_document(), &mut |document, pointer| {
        let mut changed = document.clone();
        changed.pointer_mut(pointer).unwrap()["colour"] = json!("red");
        assert!(!validator.is_valid(&changed), "`{pointer}/colour` passes");
    });
}

#[test]
fn a_document_with_a_value_of_another_kind_does_not_validate() {
    let validator = validator("blocks");
    each_value(&full_document(), &mut |document, pointer| {
        let was = document.pointer(pointer).unwrap();
        for other in [json!(null), json!(true), json!(1.5), json!(-1), json!("red"), json!([[]]), json!({ "a": [] })] {
            if kind(was) == kind(&other) || may_be(pointer, &other) {
                continue;
            }
            let mut changed = document.clone();
            *changed.pointer_mut(pointer).unwrap() = other.clone();
            assert!(!validator.is_valid(&changed), "`{pointer}`, {was}, passes as {other}");
        }
    });
}

#[test]
fn a_word_that_the_format_does_not_have_does_not_validate() {
    for pointer in [
        "/format",
        "/inputs/0/type",
        "/strategy",
        "/route/winner",
        "/blocks/0/kind",
        "/blocks/0/channel",
        "/blocks/0/scope",
        "/blocks/0/lifetime",
        "/blocks/0/digest",
        "/blocks/0/prefix_digest",
        "/blocks/0/sections/0/zone",
        "/blocks/0/sections/0/lifetime",
        "/inputs/0/lifetime",
    ] {
        assert!(!may_be_purple(pointer), "`{pointer}` may be purple");
    }
}

fn may_be_purple(pointer: &str) -> bool {
    let mut changed = full_document();
    *changed.pointer_mut(pointer).unwrap() = json!("purple");
    validator("blocks").is_valid(&changed)
}

/// Nulls are written, so they are there to be read.
#[test]
fn a_document_without_a_key_does_not_validate() {
    let optional = keys_that_may_be_left_out();
    assert!(optional.is_empty(), "may be left out: {optional:?}");
}

fn keys_that_may_be_left_out() -> BTreeSet<String> {
    let validator = validator("blocks");
    let mut passing = BTreeSet::new();
    each_value(&full_document(), &mut |document, pointer| {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let mut changed = document.clone();
        let Some(object) = changed.pointer_mut(parent).unwrap().as_object_mut() else { return };
        object.remove(key).unwrap();
        if validator.is_valid(&changed) {
            passing.insert(key.to_owned());
        }
    });
    passing
}

#[test]
fn reports_validate_and_have_their_places() {
    let validator = validator("report");
    let mut no_text = 0;
    for case in manifests::cases("invalid") {
        let outcome = case.compile();
        let report: Value = serde_json::from_str(&json_report(&outcome.found, &outcome.sources)).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&report).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", case.name);
        for finding in report["diagnostics"].as_array().unwrap() {
            check_places(finding, &case);
        }
        no_text += outcome.found.iter().filter(|d| d.file().is_none()).count();
    }
    assert!(no_text > 0, "files that are no text are among them");
    let full = json!({ "format": "promptc.report/1", "diagnostics": [], "summary": { "errors": 0, "warnings": 0 } });
    assert!(validator.is_valid(&full));
    for key in ["format", "diagnostics", "summary"] {
        let mut changed = full.clone();
        changed.as_object_mut().unwrap().remove(key);
        assert!(!validator.is_valid(&changed), "`{key}` may be left out");
    }
}

#[test]
fn messages_as_json_validate() {
    let case = manifests::cases("invalid").into_iter().find(|c| c.name == "invalid/seven-mistakes").unwrap();
    let project = Project::new();
    for path in case.host.list("", 100).unwrap() {
        project.write(&path, case.host.read(&path, u64::MAX).unwrap());
    }
    let run = project.run(&["build", "--all", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(validator("report").is_valid(&report), "{}", run.stdout);
    assert_eq!(report["format"], "promptc.report/1");
    assert_eq!(report["summary"], json!({ "errors": 7, "warnings": 0 }));
    let found = report["diagnostics"].as_array().unwrap();
    let colour = found.iter().find(|f| f["message"].as_str().unwrap().contains("`colour`")).unwrap();
    let text = String::from_utf8(case.host.read("prompts/main.toml", u64::MAX).unwrap()).unwrap();
    let byte = text.find("colour").unwrap();
    let line = text[..byte].matches('\n').count() + 1;
    let span = json!({
        "start": { "line": line, "column": 1, "byte": byte },
        "end": { "line": line, "column": 7, "byte": byte + 6 },
    });
    assert_eq!((&colour["path"], &colour["span"]), (&json!("prompts/main.toml"), &span));
    assert_eq!((&colour["name"], &colour["severity"]), (&json!("unknown-key"), &json!("error")));
}

fn validator(what: &str) -> Validator {
    let schema: Value = serde_json::from_str(&schema(what).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// Artifacts of all valid projects and of our own prompts, in every strategy.
fn artifacts() -> Vec<Artifact> {
    let own = dogfood::project();
    let plain = dogfood::without_line(&own, "fixtures/coding/git-repo.yaml", "runtime_tools: true");
    let alone = dogfood::without_line(&plain, "profiles/coding.toml", "shared_scope");
    let mut all: Vec<Artifact> = [own, plain, alone]
        .iter()
        .flat_map(|host| manifests::compile(host, Wanted::All, None, false).artifacts)
        .collect();
    all.extend(manifests::cases("valid").iter().flat_map(|case| case.compile().artifacts));
    all
}

/// A document that has something in every list, and a value for most keys that may be null.
fn full_document() -> Value {
    let open = dogfood::blocks(&dogfood::project(), "coding-fleet/user_type=partner");
    let mut document = dogfood::blocks(&dogfood::project(), "coding/custom-prompt");
    document["cell"] = open["cell"].clone();
    document["inputs"] = open["inputs"].clone();
    let one = document["blocks"].as_array().unwrap().iter().find(|b| !b["mark"].is_null()).unwrap().clone();
    document["blocks"].as_array_mut().unwrap().insert(0, one);
    document["blocks"].as_array_mut().unwrap().truncate(2);
    for list in ["/inputs", "/blocks", "/route/appended", "/route/kept"] {
        assert_ne!(document.pointer(list).unwrap(), &json!([]), "{list}");
    }
    assert!(validator("blocks").is_valid(&document));
    document
}

/// Calls `visit` with the place of every object.
fn each_object(document: &Value, visit: &mut dyn FnMut(&Value, &str)) {
    walk(document, "", &mut |pointer, value| {
        if value.is_object() && pointer != "/cell" {
            visit(document, pointer);
        }
    });
}

/// Calls `visit` with the place of every value in an object or list. The keys of `cell` are free.
fn each_value(document: &Value, visit: &mut dyn FnMut(&Value, &str)) {
    walk(document, "", &mut |pointer, _| {
        if !pointer.is_empty() && !pointer.starts_with("/cell/") {
            visit(document, pointer);
        }
    });
}

fn walk(value: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &Value)) {
    visit(pointer, value);
    match value {
        Value::Object(map) => map.iter().for_each(|(key, v)| walk(v, &format!("{pointer}/{key}"), visit)),
        Value::Array(items) => {
            // Items are alike: the first stands for all.
            items.iter().take(1).for_each(|v| walk(v, &format!("{pointer}/0"), visit));
        }
        _ => {}
    }
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// Whether a value that may be null, or that is null here, may be this one.
fn may_be(pointer: &str, value: &Value) -> bool {
    let key = pointer.rsplit('/').next().unwrap();
    match value {
        Value::Null => NULLABLE.contains(&key),
        Value::String(_) => ["mark", "text", "template", "prompt"].contains(&key),
        Value::Object(_) => key == "cell",
        _ => false,
    }
}

/// Lines and columns are from 1, bytes from 0 in the file as it is on disk, and the first label is the finding's own.
fn check_places(finding: &Value, case: &Case) {
    if finding["span"].is_null() {
        return;
    }
    let path = finding["path"].as_str().unwrap();
    let raw = case.host.read(path, u64::MAX).unwrap();
    // Of a file that is no text, what is good of it; the bad byte is the end of that.
    let good = std::str::from_utf8(&raw).map_or_else(|bad| bad.valid_up_to(), str::len);
    let text = std::str::from_utf8(&raw[..good]).unwrap();
    let clean = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    for end in ["start", "end"] {
        let point = &finding["span"][end];
        let (line, column) = (point["line"].as_u64().unwrap() as usize, point["column"].as_u64().unwrap() as usize);
        let byte = point["byte"].as_u64().unwrap() as usize;
        let lines: Vec<&str> = clean.split('\n').collect();
        let rest: String = lines[line - 1].chars().skip(column - 1).collect();
        let on_disk = text[byte..].trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
        assert_eq!(rest, on_disk, "{}: {finding}", case.name);
    }
    if good < raw.len() {
        return;
    }
    assert_eq!((&finding["labels"][0]["path"], &finding["labels"][0]["span"]), (&finding["path"], &finding["span"]));
}
