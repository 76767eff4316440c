//! Schemas for editors say what the reader says: the same keys, the same words, the same mistakes.
//!
//! The reader is the truth: a file is given to both, as it is and with every value, key and word changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use jsonschema::Validator;
use promptc::diag::Diagnostic;
use promptc::host::Host;
use promptc::host::memory::Memory;
use promptc::limits::Limits;
use promptc::manifest::{Profile, Project, Prompt};
use promptc::report::schema;
use promptc::source::SourceMap;
use serde_json::{Map, Value, json};

use crate::dogfood;
use crate::manifests;
use crate::support;

/// Files that have a schema.
const KINDS: [&str; 3] = ["prompt", "profile", "project"];

/// Every table that the reader has: the file, the name in the schema, and a text in which `@` is a key of it.
const TABLES: [(&str, &str, &str); 26] = [
    ("prompt", "a prompt", "@"),
    ("prompt", "[[section]]", "[[section]]\n@"),
    ("prompt", "a body", "[[section]]\n[section.body]\n@"),
    ("prompt", "[layout]", "[layout]\n@"),
    ("prompt", "[[layout.replace]]", "[[layout.replace]]\n@"),
    ("prompt", "[[variant]]", "[[variant]]\n@"),
    ("prompt", "[[constraint]]", "[[constraint]]\n@"),
    ("prompt", "an input", "[inputs.x]\ntype = 'bool'\n@"),
    ("prompt", "a derived input", "[inputs.x]\nby = 'y'\n@"),
    ("prompt", "a derived input", "[inputs.x]\nderive = 'y'\n@"),
    ("profile", "a profile", "@"),
    ("profile", "[target]", "[target]\n@"),
    ("profile", "ttl", "[target.ttl]\n@"),
    ("profile", "[chain]", "[chain]\n@"),
    ("profile", "a link", "[chain.agent]\n@"),
    ("profile", "the name of an agent", "[chain.agent]\nfrom = 'agents'\n[chain.agent.name]\n@"),
    ("profile", "an append item", "[[chain.append]]\n@"),
    ("profile", "[limits]", "[limits]\n@"),
    ("profile", "[traffic]", "[traffic]\n@"),
    ("profile", "[[fixture]]", "[[fixture]]\n@"),
    ("project", "promptc.toml", "@"),
    ("project", "[paths]", "[paths]\n@"),
    ("project", "[[provider]]", "[[provider]]\n@"),
    ("project", "[[model]]", "[[model]]\n@"),
    ("project", "prices", "[[model]]\n[model.prices]\n@"),
    ("project", "[[tokenizer]]", "[[tokenizer]]\n@"),
];

/// Mistakes of form: what the reader tells by one of these names, the schema must refuse.
const OF_FORM: [&str; 7] =
    ["conflicting-keys", "invalid-name", "misplaced-key", "missing-key", "unknown-key", "unknown-value", "wrong-type"];

#[test]
fn a_schema_has_the_keys_that_the_reader_has() {
    let mut known = BTreeSet::new();
    for (kind, title, text) in TABLES {
        let found = read(kind, &text.replace('@', "qqqqqqqq = 1"));
        let help = found.iter().find(|d| d.rule.name == "unknown-key").map(|d| d.help[0].clone());
        let help = help.unwrap_or_else(|| panic!("{title}: no unknown key among {found:?}"));
        let list = help.strip_prefix("the keys are ").unwrap_or_else(|| panic!("{title}: {help}"));
        known.insert((title.to_owned(), list.split('`').skip(1).step_by(2).map(str::to_owned).collect()));
    }
    let mut described: BTreeSet<(String, BTreeSet<String>)> = BTreeSet::new();
    for kind in KINDS {
        each_table(&value(kind), &mut |title, keys| {
            described.insert((title.to_owned(), keys.keys().cloned().collect()));
        });
    }
    assert_eq!(described, known, "the tables of the schemas (left) and of the reader (right) differ");
}

#[test]
fn every_key_is_explained_where_it_is_written() {
    let mut silent = Vec::new();
    for kind in KINDS {
        each_table(&value(kind), &mut |title, keys| {
            let without = |(_, value): &(&String, &Value)| value["description"].as_str().is_none_or(str::is_empty);
            silent.extend(keys.iter().filter(without).map(|(key, _)| format!("{kind}: {title}: {key}")));
        });
    }
    assert!(silent.is_empty(), "keys without a word of `explain`: {silent:#?}");
}

#[test]
fn what_the_reader_takes_is_valid() {
    let files = valid_files();
    let count = |kind| files.iter().filter(|file| file.kind == kind).count();
    assert!(count("prompt") > 20 && count("profile") > 20 && count("project") > 2);
    for file in files {
        assert_eq!(read(file.kind, &file.text), [], "{}", file.name);
        let wrong = wrong(file.kind, &file.value());
        assert!(wrong.is_empty(), "{}: {wrong:#?}", file.name);
    }
}

#[test]
fn what_the_reader_refuses_is_not_valid() {
    let mut refused = BTreeMap::<&str, usize>::new();
    for file in manifests::cases("invalid").iter().flat_map(|case| files(&case.name, &case.host)) {
        let Ok(document) = toml::from_str::<toml::Table>(&file.text) else { continue };
        if document.values().any(is_no_json) {
            continue;
        }
        for name in agree(&file.name, file.kind, &file.value()) {
            *refused.entry(name).or_default() += 1;
        }
    }
    for name in OF_FORM {
        assert!(refused.contains_key(name), "no file with [{name}]: {refused:?}");
    }
}

/// Every value of every valid file as each other kind of value, every key left out, and every other key added.
#[test]
fn schema_and_reader_agree_on_every_change() {
    let mut seen = BTreeSet::new();
    let mut refused = BTreeMap::<&str, usize>::new();
    for file in valid_files() {
        let document = file.value();
        walk(&document, "", &mut |pointer, value| {
            let form = (file.kind, general(pointer), siblings(&document, pointer));
            if !seen.insert(form) {
                return;
            }
            for changed in changes(file.kind, &document, pointer, value) {
                for name in agree(&format!("{}{pointer}", file.name), file.kind, &changed) {
                    *refused.entry(name).or_default() += 1;
                }
            }
        });
    }
    for name in OF_FORM {
        assert!(refused.get(name).is_some_and(|n| *n > 20), "[{name}] is hardly met: {refused:?}");
    }
}

#[test]
fn words_are_those_of_the_reader() {
    let cases = [
        ("prompt", "[[section]]", "zone", "[[section]]\nid = 'a'\ntext = ''\nzone = '@'"),
        ("prompt", "[[section]]", "channel", "[[section]]\nid = 'a'\ntext = ''\nzone = 'dynamic'\nchannel = '@'"),
        ("prompt", "[[section]]", "role", "[[section]]\nid = 'a'\ntext = ''\nzone = 'static'\nrole = '@'"),
        ("prompt", "[[section]]", "trim", "[[section]]\nid = 'a'\ntext = ''\nzone = 'static'\ntrim = '@'"),
        ("prompt", "an input", "lifetime", "inputs.a = { type = 'bool', lifetime = '@' }"),
        ("prompt", "an input", "trust", "inputs.a = { type = 'bool', lifetime = 'turn', trust = '@' }"),
        ("profile", "a link", "from", "[chain.agent]\nname = 'a'\nfrom = '@'"),
        ("profile", "a link", "mode", "[chain.agent]\ntext = 'a'\nmode = '@'"),
        ("profile", "a link", "zone", "[chain.agent]\ntext = 'a'\nzone = '@'"),
        ("project", "[lints]", "", "[lints]\nx = '@'"),
    ];
    for (kind, title, key, text) in cases {
        let found = read(kind, &text.replace('@', "qqqqqqqq"));
        let help = found.iter().find(|d| d.rule.name == "unknown-value").map(|d| d.help[0].clone());
        let help = help.unwrap_or_else(|| panic!("{title} {key}: {found:?}"));
        let told: BTreeSet<&str> = help.split('`').skip(1).step_by(2).collect();
        let schema = value(kind);
        let mut words = BTreeSet::new();
        each_table(&schema, &mut |name, keys| {
            if name == title && keys.contains_key(key) {
                words.extend(keys[key]["enum"].as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()));
            }
        });
        if key.is_empty() {
            let levels = &schema["properties"]["lints"]["additionalProperties"]["enum"];
            words.extend(levels.as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()));
        }
        assert_eq!(words.iter().map(String::as_str).collect::<BTreeSet<_>>(), told, "{title} {key}");
    }
}

/// Where a lint is named an editor offers all names, and leaves it to the compiler to refuse others.
#[test]
fn names_of_lints_are_offered() {
    let all: BTreeSet<&str> = promptc::compile::lint_names().iter().copied().collect();
    let offered = |schema: &Value| -> BTreeSet<String> {
        assert_ne!(schema["additionalProperties"], json!(false));
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let names: BTreeSet<String> = all.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(offered(&value("project")["properties"]["lints"]), names);
    each_table(&value("prompt"), &mut |title, keys| {
        if title == "[[section]]" {
            assert_eq!(offered(&keys["allow"]), names);
        }
    });
}

/// Each TOML file of a new project names its schema, which lies in the project.
#[test]
fn a_new_project_has_its_schemas() {
    let project = support::Project::new();
    let run = project.run(&["init", "new"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let mut named = BTreeSet::new();
    for (path, kind) in
        [("promptc.toml", "project"), ("prompts/assistant.toml", "prompt"), ("profiles/assistant.toml", "profile")]
    {
        let path = project.path("new").join(path);
        let text = fs::read_to_string(&path).unwrap();
        let schema_path = text.lines().next().unwrap().strip_prefix("#:schema ").unwrap();
        let written = fs::read_to_string(path.parent().unwrap().join(schema_path)).unwrap();
        assert_eq!(written, schema(kind).unwrap(), "{schema_path}");
        named.insert(kind);
    }
    assert_eq!(named, KINDS.into());
    let build = support::run_in(&project.path("new"), &["build", "--all"]);
    assert_eq!((build.code, build.stderr.as_str()), (0, ""));
}

/// After an upgrade one command makes the schemas those of the new version.
#[test]
fn schemas_of_a_project_are_written_anew() {
    let project = support::Project::of("[[section]]\nid = \"a\"\nzone = \"static\"\ntext = \"A.\"\n");
    project.write(".promptc/prompt.schema.json", "{}");
    let run = project.run(&["schema", "--write"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for kind in KINDS {
        let path = format!(".promptc/{kind}.schema.json");
        assert!(run.stdout.contains(&path), "{}", run.stdout);
        assert_eq!(fs::read_to_string(project.path(&path)).unwrap(), schema(kind).unwrap());
    }
    assert_eq!(project.run(&["schema"]).code, 2);
    assert_eq!(project.run(&["schema", "prompt", "--write"]).code, 2);
}

/// A file that has a schema.
struct File {
    name: String,
    kind: &'static str,
    text: String,
}

impl File {
    fn value(&self) -> Value {
        toml::from_str(&self.text).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
}

fn files(name: &str, host: &Memory) -> Vec<File> {
    let mut out = Vec::new();
    for path in host.list("", 10_000).unwrap() {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        let kind = match folder {
            _ if !path.ends_with(".toml") => continue,
            "prompts" => "prompt",
            "profiles" => "profile",
            _ if path == "promptc.toml" => "project",
            _ => continue,
        };
        let bytes = host.read(&path, u64::MAX).unwrap();
        if let Ok(text) = String::from_utf8(bytes) {
            let text = text.trim_start_matches('\u{feff}').to_owned();
            out.push(File { name: format!("{name}: {path}"), kind, text });
        }
    }
    out
}

/// Valid projects, our own, and the one that `init` writes.
fn valid_files() -> Vec<File> {
    let mut all: Vec<File> = manifests::cases("valid").iter().flat_map(|case| files(&case.name, &case.host)).collect();
    all.extend(files("own", &dogfood::project()));
    let folder = support::root().join("src/cli/init");
    for (path, kind) in
        [("promptc.toml", "project"), ("prompts/assistant.toml", "prompt"), ("profiles/assistant.toml", "profile")]
    {
        let text = fs::read_to_string(folder.join(path)).unwrap();
        all.push(File { name: format!("init: {path}"), kind, text });
    }
    let facts = fs::read_to_string(support::root().join("src/plan/providers.toml")).unwrap();
    all.push(File { name: "facts".to_owned(), kind: "project", text: facts });
    all
}

fn value(kind: &str) -> Value {
    serde_json::from_str(&schema(kind).unwrap()).unwrap()
}

thread_local! {
    static VALIDATORS: BTreeMap<&'static str, Validator> =
        KINDS.map(|kind| (kind, jsonschema::validator_for(&value(kind)).unwrap())).into();
}

fn wrong(kind: &str, document: &Value) -> Vec<String> {
    VALIDATORS.with(|all| all[kind].iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).collect())
}

/// What the reader says of one file by itself.
fn read(kind: &str, text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let file = sources.add("x.toml", text.as_bytes()).unwrap();
    match kind {
        "prompt" => Prompt::parse(file, text, &Limits::default()).diagnostics,
        "profile" => Profile::parse(file, text, &Limits::default()).diagnostics,
        _ => Project::parse(file, text, &Limits::default()).diagnostics,
    }
}

/// Checks that the schema refuses what is wrong in form, and nothing that the reader takes. The names that the reader
/// told.
fn agree(name: &str, kind: &str, document: &Value) -> BTreeSet<&'static str> {
    let text = toml::to_string(document).unwrap();
    let told: BTreeSet<&str> = read(kind, &text).iter().map(|d| d.rule.name).collect();
    let wrong = wrong(kind, document);
    let of_form = told.iter().any(|name| OF_FORM.contains(name));
    assert!(!of_form || !wrong.is_empty(), "{name}: the reader tells {told:?}, the schema takes:\n{text}");
    assert!(wrong.is_empty() || !told.is_empty(), "{name}: the reader takes, the schema says {wrong:#?}:\n{text}");
    told
}

/// The document with one change each.
fn changes(kind: &str, document: &Value, pointer: &str, value: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    let replacements = [
        json!(true),
        json!(7),
        json!(-1),
        json!(1.5),
        json!("qqqqqqqq"),
        json!(""),
        json!([]),
        json!(["q", 7]),
        json!({}),
        json!({ "q": "q" }),
    ];
    if !pointer.is_empty() {
        for replacement in replacements {
            let mut changed = document.clone();
            *changed.pointer_mut(pointer).unwrap() = replacement;
            out.push(changed);
        }
    }
    let Some(table) = value.as_object() else { return out };
    for key in table.keys() {
        let mut changed = document.clone();
        changed.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key);
        out.push(changed);
    }
    for (key, sample) in samples(kind) {
        if !table.contains_key(&key) {
            let mut changed = document.clone();
            changed.pointer_mut(pointer).unwrap()[&key] = sample;
            out.push(changed);
        }
    }
    out
}

/// A right value for every key that occurs in a file, and one key that does not.
fn samples(kind: &str) -> Vec<(String, Value)> {
    let mut all = BTreeMap::from([("qqqqqqqq".to_owned(), json!(true))]);
    each_table(&value(kind), &mut |_, keys| {
        for (key, schema) in keys {
            let sample = match (schema["enum"].as_array(), schema["type"].as_str()) {
                (Some(words), _) => words.last().unwrap().clone(),
                (None, Some("boolean")) => json!(true),
                (None, Some("integer" | "number")) => json!(3),
                (None, Some("array")) => json!([]),
                (None, Some("object")) => json!({}),
                _ => json!("sample"),
            };
            all.insert(key.clone(), sample);
        }
    });
    all.into_iter().collect()
}

/// A place with the names and numbers that make no difference taken out.
fn general(pointer: &str) -> String {
    let mut out = Vec::new();
    let mut parts = pointer.split('/').peekable();
    while let Some(part) = parts.next() {
        let is_number = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        out.push(if is_number { "0" } else { part });
        if ["inputs", "values", "matrix", "allow", "lints", "files", "separator_before"].contains(&part) {
            parts.next();
            out.push("*");
        }
    }
    out.join("/")
}

/// The keys at a place and beside it: they decide what else may stand there.
fn siblings(document: &Value, pointer: &str) -> Vec<String> {
    let keys = |pointer: &str| -> Vec<String> {
        let object = document.pointer(pointer).and_then(Value::as_object);
        object.map_or_else(Vec::new, |object| object.keys().cloned().collect())
    };
    let is_named = pointer.is_empty() || general(pointer).ends_with('*');
    let beside = if is_named { Vec::new() } else { keys(pointer.rsplit_once('/').unwrap().0) };
    [keys(pointer), beside].concat()
}

fn walk(value: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &Value)) {
    visit(pointer, value);
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                walk(value, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), visit);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, value)| walk(value, &format!("{pointer}/{n}"), visit));
        }
        _ => {}
    }
}

/// Calls `visit` with the title and the keys of every closed table of a schema.
fn each_table(schema: &Value, visit: &mut dyn FnMut(&str, &Map<String, Value>)) {
    match schema {
        Value::Object(map) => {
            if map.get("additionalProperties") == Some(&json!(false)) {
                let title = map.get("title").and_then(Value::as_str).expect("a closed table has a name");
                visit(title, map["properties"].as_object().unwrap());
            }
            map.values().for_each(|value| each_table(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|value| each_table(value, visit)),
        _ => {}
    }
}

/// Whether a value is one that JSON does not have.
fn is_no_json(value: &toml::Value) -> bool {
    match value {
        toml::Value::Datetime(_) => true,
        toml::Value::Float(number) => !number.is_finite(),
        toml::Value::Array(items) => items.iter().any(is_no_json),
        toml::Value::Table(table) => table.values().any(is_no_json),
        _ => false,
    }
}
