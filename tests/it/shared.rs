//! Data beside the repository that is too large, or not ours, to be part of it: prompts of public agents and reported
//! faults. Where it is absent, so are these tests. Nothing of its text may stand here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Run, root, run_in, skipped};

/// The folder `shared` beside the repository, or a word that it is not there.
pub fn shared(part: &str) -> Option<PathBuf> {
    let folder = root().join("../shared").join(part);
    if !folder.is_dir() {
        skipped("no ../shared");
        return None;
    }
    Some(folder)
}

fn run(project: &Path, args: &[&str]) -> Run {
    run_in(project, args)
}

fn blocks(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The text of a block, empty where it is not.
fn text_of(blocks: &Value, kind: &str) -> String {
    let all = blocks["blocks"].as_array().unwrap();
    let found = all.iter().find(|b| b["kind"] == kind);
    found.map_or_else(String::new, |b| b["text"].as_str().unwrap().to_owned())
}

/// What a case asks for, put together from the artifact: texts of blocks and literals between them.
fn assemble(project: &Path, case: &Value, separator: &str) -> Result<String, String> {
    let word = |key: &str| case[key].as_str().unwrap();
    let build = |form: &str| {
        let run = run(project, &["build", word("profile"), "--context", word("fixture"), "--emit", form, "-o", "-"]);
        if run.code == 0 { Ok(run.stdout) } else { Err(run.stderr) }
    };
    let form: Vec<&str> = case["form"].as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect();
    if form == ["text"] {
        return build("text");
    }
    let blocks: Value = serde_json::from_str(&build("blocks")?).unwrap();
    let mut out = String::new();
    for part in form {
        match (part, part.strip_prefix("lit:")) {
            (_, Some(literal)) => out.push_str(literal),
            ("dynamic", _) => {
                let parts = [text_of(&blocks, "dynamic"), text_of(&blocks, "tail")];
                let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|t| !t.is_empty()).collect();
                out.push_str(&parts.join(separator));
            }
            (kind, _) => out.push_str(&text_of(&blocks, kind)),
        }
    }
    Ok(out)
}

/// Builds every case of one system, and compares with what its authors committed.
fn accept(system: &str, cases: usize) {
    let Some(project) = shared(&format!("acceptance/{system}/project")) else { return };
    let index: Value = serde_json::from_str(&std::fs::read_to_string(project.join("index.json")).unwrap()).unwrap();
    let list = index["cases"].as_array().unwrap();
    assert_eq!(list.len(), cases, "{system}");
    let separator = index["separator"].as_str().unwrap();
    let mut wrong = Vec::new();
    for case in list {
        let want = std::fs::read_to_string(project.join(case["expected"].as_str().unwrap())).unwrap();
        match assemble(&project, case, separator) {
            Ok(text) if text == want => {}
            Ok(text) => {
                let same = text.bytes().zip(want.bytes()).take_while(|(a, b)| a == b).count();
                wrong.push(format!("{}: differs at byte {same} ({} and {} bytes)", case["id"], text.len(), want.len()));
            }
            Err(message) => wrong.push(format!("{}: {message}", case["id"])),
        }
    }
    assert!(wrong.is_empty(), "{system}: {} of {cases} cases are wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn goose_comes_out_byte_for_byte() {
    accept("goose", 5);
}

#[test]
fn openhands_comes_out_byte_for_byte() {
    accept("openhands", 28);
}

/// Forms of output that there are.
fn emitters() -> Vec<&'static str> {
    promptc::emit::Emitter::ALL.iter().map(|e| e.name()).collect()
}

/// Why a check cannot be made yet: it needs a command, a form or a key that is not known here.
fn unable(check: &toml::Table) -> Option<String> {
    let command = check["command"].as_str().unwrap();
    let mut words = command.split(' ');
    let first = words.next().unwrap();
    if !["build", "resolve", "tokens"].contains(&first) {
        return Some(format!("needs `{first}`"));
    }
    if let Some(form) = words.by_ref().skip_while(|w| *w != "--emit").nth(1).filter(|form| !emitters().contains(form)) {
        return Some(format!("needs the form `{form}`"));
    }
    const KNOWN: [&str; 14] = [
        "on",
        "command",
        "exit",
        "exit_not",
        "stdout_has",
        "stdout_lacks",
        "stderr_lacks",
        "out_has",
        "stdout_order",
        "stdout_count",
        "stdout_no_match",
        "stdout_match",
        "same_as",
        "static_same_as",
    ];
    let unknown = check.keys().find(|key| !KNOWN.contains(&key.as_str()) && *key != "facts");
    unknown.map(|key| format!("has the key `{key}`"))
}

/// Makes one check, and says what does not hold.
fn failures(case: &Path, check: &toml::Table) -> Vec<String> {
    let project = case.join(check["on"].as_str().unwrap());
    let words = |key: &str| -> Vec<String> {
        let list = check.get(key).and_then(|v| v.as_array()).cloned().unwrap_or_default();
        list.iter().map(|v| v.as_str().unwrap().to_owned()).collect()
    };
    let run_words = |command: &str| run(&project, &command.split(' ').collect::<Vec<_>>());
    let command = check["command"].as_str().unwrap();
    let it = run_words(command);
    let mut out = Vec::new();
    let mut hold = |holds: bool, what: String| {
        if !holds {
            out.push(format!("`{command}`: {what}"));
        }
    };
    if let Some(exit) = check.get("exit").and_then(toml::Value::as_integer) {
        hold(i64::from(it.code) == exit, format!("exit {} instead of {exit}: {}", it.code, it.stderr));
    }
    if let Some(exit) = check.get("exit_not").and_then(toml::Value::as_integer) {
        hold(i64::from(it.code) != exit, format!("exit {exit}"));
    }
    for text in words("stdout_has") {
        hold(it.stdout.contains(&text), format!("stdout lacks `{text}`"));
    }
    for text in words("stdout_lacks") {
        hold(!it.stdout.contains(&text), format!("stdout has `{text}`"));
    }
    for text in words("stderr_lacks") {
        hold(!it.stderr.contains(&text), format!("stderr has `{text}`"));
    }
    for text in words("out_has") {
        hold(it.stdout.contains(&text) || it.stderr.contains(&text), format!("neither stream has `{text}`"));
    }
    let matches = |pattern: &str| fancy_regex::Regex::new(pattern).unwrap().is_match(&it.stdout).unwrap();
    for pattern in words("stdout_match") {
        hold(matches(&pattern), format!("stdout does not match `{pattern}`"));
    }
    for pattern in words("stdout_no_match") {
        hold(!matches(&pattern), format!("stdout matches `{pattern}`"));
    }
    let mut at = 0;
    for text in words("stdout_order") {
        let found = it.stdout[at..].find(&text);
        hold(found.is_some(), format!("stdout has no `{text}` behind the ones before"));
        at += found.map_or(0, |n| n + text.len());
    }
    for entry in check.get("stdout_count").and_then(|v| v.as_array()).into_iter().flatten() {
        let entry = entry.as_array().unwrap();
        let count = it.stdout.matches(entry[0].as_str().unwrap()).count();
        let want = usize::try_from(entry[2].as_integer().unwrap()).unwrap();
        let op = entry[1].as_str().unwrap();
        hold(compare(op, count as f64, want as f64), format!("{count} times {entry:?}"));
    }
    if let Some(other) = check.get("same_as").and_then(toml::Value::as_str) {
        hold(run_words(other).stdout == it.stdout, format!("`{other}` prints other bytes"));
    }
    if let Some(other) = check.get("static_same_as").and_then(toml::Value::as_str) {
        let text = |run: &Run| text_of(&blocks(run), "static");
        hold(
            !text(&it).is_empty() && text(&it) == text(&run_words(other)),
            format!("`{other}` has another static text"),
        );
    }
    for fact in check.get("facts").and_then(|v| v.as_array()).into_iter().flatten() {
        let fact = fact.as_array().unwrap();
        let root: Value = serde_json::from_str(&it.stdout).unwrap_or_default();
        hold(fact_holds(&root, fact), format!("the fact {fact:?} does not hold"));
    }
    out
}

fn compare(op: &str, left: f64, right: f64) -> bool {
    match op {
        "==" => left == right,
        "!=" => left != right,
        ">=" => left >= right,
        "<=" => left <= right,
        ">" => left > right,
        "<" => left < right,
        other => panic!("no operator `{other}`"),
    }
}

/// The values at a path such as `a/0/id=x/b`: a key, a place (`-1` is the last), the items of which a key has a value,
/// or `*` for all.
fn at<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    path.split('/').fold(vec![value], |found, step| {
        found
            .into_iter()
            .flat_map(|value| -> Vec<&Value> {
                match value {
                    Value::Object(map) => map.get(step).into_iter().collect(),
                    Value::Array(items) if step == "*" => items.iter().collect(),
                    Value::Array(items) => match (step.parse::<isize>(), step.split_once('=')) {
                        (Ok(n), _) if n < 0 => items.iter().rev().nth(n.unsigned_abs() - 1).into_iter().collect(),
                        (Ok(n), _) => items.get(n.unsigned_abs()).into_iter().collect(),
                        (_, Some((key, want))) => items.iter().filter(|item| item[key] == want).collect(),
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                }
            })
            .collect()
    })
}

fn fact_holds(root: &Value, fact: &[toml::Value]) -> bool {
    let (path, op) = (fact[0].as_str().unwrap(), fact[1].as_str().unwrap());
    let found = at(root, path);
    let want = serde_json::to_value(&fact[2]).unwrap();
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let word = text(&want);
    let is_there = found.iter().any(|v| !v.is_null());
    match op {
        "absent" => !is_there,
        "present" => is_there,
        "has" => !found.is_empty() && found.iter().all(|v| text(v).contains(&word)),
        "lacks" | "excludes" => found.iter().all(|v| !text(v).contains(&word)),
        "==" if !want.is_number() => found == [&want],
        "!=" if !want.is_number() => found != [&want],
        _ => {
            let (op, numbers): (&str, Vec<f64>) = match op.strip_prefix("len") {
                Some(op) => (op, found.iter().map(|v| v.as_array().map_or(0, Vec::len) as f64).collect()),
                None => (op, found.iter().filter_map(|v| v.as_f64()).collect()),
            };
            !numbers.is_empty() && numbers.iter().all(|n| compare(op, *n, want.as_f64().unwrap()))
        }
    }
}

#[test]
fn reported_faults_of_output_do_not_happen_here() {
    let Some(folder) = shared("cases/projects") else { return };
    let mut cases = all_cases(&folder);
    cases.retain(|_, case| case["kind"].as_str() == Some("output"));
    assert!(cases.len() >= 14, "{}", cases.len());
    let (mut wrong, mut left_out, mut made) = (Vec::new(), Vec::new(), 0);
    for (id, case) in &cases {
        for check in case["check"].as_array().unwrap() {
            let check = check.as_table().unwrap();
            // Looked at with all other findings of `lint`.
            if check["command"].as_str() == Some("lint") {
                continue;
            }
            match unable(check) {
                Some(why) => left_out.push(format!("{id} `{}`: {why}", check["command"].as_str().unwrap())),
                None => {
                    made += 1;
                    wrong.extend(failures(&folder.join(id), check).into_iter().map(|what| format!("{id} {what}")));
                }
            }
        }
    }
    #[expect(clippy::print_stdout, reason = "whoever runs the tests should know what did not run")]
    {
        println!("{made} checks made, left out:\n{}", left_out.join("\n"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All cases, by id.
fn all_cases(folder: &Path) -> BTreeMap<String, toml::Table> {
    let mut cases = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().join("case.toml");
        if let Ok(text) = std::fs::read_to_string(&path) {
            let case: toml::Table = text.parse().unwrap();
            cases.insert(case["id"].as_str().unwrap().to_owned(), case);
        }
    }
    cases
}

/// What `lint` says of a tree, and its exit code.
fn findings(tree: &Path) -> (Vec<Value>, i32) {
    let run = run(tree, &["lint", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{tree:?}: {}", run.stderr));
    (report["diagnostics"].as_array().unwrap().clone(), run.code)
}

fn level(word: &str) -> usize {
    ["info", "warning", "error"].iter().position(|w| *w == word).unwrap()
}

/// A finding in a few words.
fn shown(finding: &Value) -> String {
    let line = &finding["span"]["start"]["line"];
    format!("{}[{}] {}:{line}", finding["severity"], finding["name"], finding["path"]).replace('"', "")
}

/// Whether a finding is what a check asks for.
fn answers(finding: &Value, check: &toml::Table) -> bool {
    let strings = |key: &str| -> Vec<&str> {
        check.get(key).and_then(|v| v.as_array()).into_iter().flatten().filter_map(|v| v.as_str()).collect()
    };
    let texts = |key: &str| finding[key].as_array().unwrap().iter().map(ToString::to_string).collect::<String>();
    let words =
        format!("{}{}{}{}{}", finding["message"], finding["path"], texts("labels"), texts("notes"), texts("help"));
    let words = words.to_lowercase();
    let has = |word: &&str| words.contains(&word.to_lowercase());
    let line = finding["span"]["start"]["line"].as_u64().unwrap_or(1);
    let at = format!("{}:{line}", finding["path"].as_str().unwrap());
    let (any, places) = (strings("mentions_any"), strings("at"));
    let least = check.get("severity").map_or("info", |v| v.as_str().unwrap());
    strings("expect").contains(&finding["name"].as_str().unwrap())
        && level(finding["severity"].as_str().unwrap()) >= level(least)
        && strings("mentions").iter().all(has)
        && (any.is_empty() || any.iter().any(has))
        && (places.is_empty() || places.contains(&at.as_str()))
}

/// What a check of `lint` asks for and does not get. The inner `None` when no rule that it accepts is there yet.
fn unanswered(case: &Path, check: &toml::Table) -> Option<Vec<String>> {
    let (found, code) = findings(&case.join(check["on"].as_str().unwrap()));
    let told = || found.iter().map(shown).collect::<Vec<_>>().join(", ");
    let mut wrong = Vec::new();
    if let Some(names) = check.get("expect").and_then(|v| v.as_array()) {
        let names: Vec<&str> = names.iter().filter_map(|v| v.as_str()).collect();
        if !names.iter().any(|name| promptc::lint::rule(name).is_some()) {
            return None;
        }
        let is_error = check.get("severity").is_some_and(|v| v.as_str() == Some("error"));
        if !found.iter().any(|finding| answers(finding, check)) || (is_error && code != 1) {
            wrong.push(format!("none of {names:?} as it should be, but: {}", told()));
        }
    }
    for name in check.get("expect_silent").and_then(|v| v.as_array()).into_iter().flatten() {
        let name = name.as_str().unwrap();
        let loud = |f: &&Value| f["name"] == name || (name == "*" && f["severity"] != "info");
        wrong.extend(found.iter().filter(loud).map(|finding| format!("not silent: {}", shown(finding))));
    }
    Some(wrong)
}

#[test]
fn reported_faults_are_found_and_what_is_right_is_not() {
    let Some(folder) = shared("cases/projects") else { return };
    let (mut wrong, mut no_rule, mut made) = (Vec::new(), Vec::new(), 0);
    for (id, case) in all_cases(&folder) {
        for check in case["check"].as_array().unwrap() {
            let check = check.as_table().unwrap();
            if check["command"].as_str() != Some("lint") {
                continue;
            }
            made += 1;
            match unanswered(&folder.join(&id), check) {
                Some(found) => wrong.extend(found.into_iter().map(|what| format!("{id}: {what}"))),
                None => no_rule.push(format!("{id}: {}", check["expect"])),
            }
        }
        let fixed = folder.join(&id).join("fixed");
        if fixed.is_dir() && case["kind"].as_str() != Some("change") {
            let (found, code) = findings(&fixed);
            let loud: Vec<String> = found.iter().filter(|f| f["severity"] != "info").map(shown).collect();
            if code != 0 || !loud.is_empty() {
                wrong.push(format!("{id}: mended, and still: {}", loud.join(", ")));
            }
        }
    }
    assert!(made >= 37, "{made}");
    #[expect(clippy::print_stdout, reason = "whoever runs the tests should know what did not run")]
    {
        println!("{made} checks made; no rule yet for:\n{}", no_rule.join("\n"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
