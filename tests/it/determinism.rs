//! The same bytes on every machine and in every run: whatever surrounds a build leaves no trace in it.
//!
//! What a feature of a dependency could change is the matter of tests/preserve-order.sh.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::support::{PROFILE, Project, root, run_in};

/// Every file below a folder, by path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                out.insert(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    out
}

impl Dice {
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for n in (1..items.len()).rev() {
            items.swap(n, self.below(n + 1));
        }
    }
}

/// Manifests in which much could come in another order: inputs, values, tables, lists, agents, includes.
fn parts() -> Vec<(&'static str, String)> {
    let main = r#"
[inputs]
kind  = { type = ["a", "b"], lifetime = "build" }
name  = { type = "string", lifetime = "session" }
tools = { type = "list", lifetime = "session", sort_by = "name" }
tags  = { type = "list", lifetime = "session", sort_by = "." }
extra = { type = "table", lifetime = "session" }
pick  = { by = "kind", values = { a = "x", b = "y" } }

[[section]]
id = "rules"
zone = "static"
body = { by = "pick", files = { y = "y.md", x = "x.md" } }

[[section]]
id = "tools"
zone = "dynamic"
text = "{% for t in tools %}{{ t.name }}={{ t.n }};{% endfor %} {{ tags | join(',') }}"
allow = { raw-value-printed = "in tests" }

[[section]]
id = "extra"
zone = "dynamic"
text = "{{ name }} {% for k, v in extra | items %}{{ k }}:{{ v }} {% endfor %}{{ extra }} {{ extra | tojson }}"
allow = { raw-value-printed = "in tests" }
"#;
    let profile = PROFILE.replace(
        "[chain]",
        "[values]\nkind = \"a\"\n\n[chain]\nagent = { from = \"agents\", name = \"one\", when = \"name == 'one'\", keep = [\"extra\", \"rules\"] }",
    );
    vec![
        ("prompts/main.toml", main.to_owned()),
        ("prompts/x.md", "{% include 'z.md' %}".to_owned()),
        ("prompts/y.md", "y".to_owned()),
        ("prompts/z.md", "z".to_owned()),
        ("prompts/agents/one.md", "---\nz: 1\na: [3, 1]\nname: one\n---\nagent".to_owned()),
        ("prompts/agents/b/two.md", "two".to_owned()),
        ("profiles/main.toml", profile),
        ("profiles/other.toml", PROFILE.replace("[chain]", "[values]\nkind = \"b\"\n\n[chain]")),
    ]
}

fn project(order: &[(&str, String)]) -> Project {
    order.iter().fold(Project::new(), |project, (path, text)| project.file(path, text))
}

/// What the project prints, all of it, of everything that it can be asked for.
fn everything(project: &Project) -> Vec<String> {
    project.write("c.json", context(&mut Dice(1)).to_string());
    let commands: [&[&str]; 6] = [
        &["build", "main", "-o", "-"],
        &["build", "main", "-o", "-", "--context", "c.json"],
        &["build", "other", "-o", "-", "--context", "c.json", "--emit", "text"],
        &["resolve", "main", "--context", "c.json", "--format", "json"],
        &["resolve", "main", "--agent", "one"],
        &["tokens", "main", "--context", "c.json"],
    ];
    commands
        .iter()
        .map(|args| {
            let run = project.run(args);
            assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
            run.stdout + &run.stderr
        })
        .collect()
}

/// One context, its keys and its sorted lists in an order that the dice give.
fn context(dice: &mut Dice) -> Value {
    let mut tools: Vec<Value> = (0..9).map(|n| json!({ "name": format!("tool-{}", n % 7), "n": n })).collect();
    let mut tags = vec!["b", "a", "é", "Z", "z", "10", "9", "a"];
    dice.shuffle(&mut tools);
    dice.shuffle(&mut tags);
    let mut extra: Vec<(&str, Value)> =
        vec![("z", json!(1)), ("a", json!("x")), ("ß", json!(null)), ("m", json!([2, 1]))];
    dice.shuffle(&mut extra);
    let mut keys: Vec<(&str, Value)> = vec![
        ("tools", Value::from(tools)),
        ("tags", json!(tags)),
        ("name", json!("n")),
        ("extra", extra.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<serde_json::Map<_, _>>().into()),
    ];
    dice.shuffle(&mut keys);
    keys.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<serde_json::Map<_, _>>().into()
}

/// A value as text with table entries in a given order, as no serialiser writes them.
fn written(value: &Value, dice: &mut Dice, yaml: bool) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<String> = map
                .iter()
                .map(|(key, value)| {
                    let value = written(value, dice, yaml);
                    if yaml { format!("{key:?}: {value}") } else { format!("{key:?} : {value}") }
                })
                .collect();
            dice.shuffle(&mut entries);
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item, dice, yaml)).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

fn as_toml(value: &Value, dice: &mut Dice) -> String {
    fn inline(value: &Value, dice: &mut Dice) -> String {
        match value {
            Value::Object(map) => {
                let mut entries: Vec<String> =
                    map.iter().map(|(key, value)| format!("{key:?} = {}", inline(value, dice))).collect();
                dice.shuffle(&mut entries);
                format!("{{ {} }}", entries.join(", "))
            }
            Value::Array(items) => {
                format!("[{}]", items.iter().map(|i| inline(i, dice)).collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }
    let mut lines: Vec<String> =
        value.as_object().unwrap().iter().map(|(key, value)| format!("{key} = {}\n", inline(value, dice))).collect();
    dice.shuffle(&mut lines);
    lines.concat()
}

#[test]
fn the_order_in_which_files_were_made_leaves_no_trace() {
    let mut order = parts();
    let want = everything(&project(&order));
    order.reverse();
    assert_eq!(everything(&project(&order)), want);
    let mut dice = Dice(7);
    for _ in 0..3 {
        dice.shuffle(&mut order);
        assert_eq!(everything(&project(&order)), want);
    }
}

#[test]
fn messages_of_many_files_come_in_one_order() {
    let mut order: Vec<(String, String)> = (0..6)
        .flat_map(|n| {
            let section = "[[section]]\nid = \"s\"\nzone = \"oops\"\nbody = \"none.md\"\nwhen = \"nope\"\n";
            [
                (format!("prompts/p{n}.toml"), section.to_owned()),
                (format!("profiles/q{n}.toml"), PROFILE.replace("\"main\"", &format!("\"p{n}\"")) + "nope = 1\n"),
            ]
        })
        .collect();
    let messages = |order: &[(String, String)]| {
        let project = order.iter().fold(Project::new(), |project, (path, text)| project.file(path, text));
        let run = project.run(&["build"]);
        assert_eq!(run.code, 1);
        run.stderr
    };
    let want = messages(&order);
    assert!(want.contains("profiles/q0.toml") && want.contains("prompts/p5.toml"), "{want}");
    order.reverse();
    assert_eq!(messages(&order), want);
}

#[test]
fn the_order_of_keys_in_manifests_leaves_no_trace() {
    let want = everything(&project(&parts()));
    let mut order = parts();
    let main = &mut order[0].1;
    let mut lines: Vec<&str> = main.lines().collect();
    // The inputs, and the entries of two tables.
    lines[2..8].reverse();
    *main = lines.join("\n");
    *main = main
        .replace("{ a = \"x\", b = \"y\" }", "{ b = \"y\", a = \"x\" }")
        .replace("y = \"y.md\", x = \"x.md\"", "x = \"x.md\", y = \"y.md\"");
    let profile = &mut order[6].1;
    *profile = profile.replace("[\"extra\", \"rules\"]", "[\"rules\", \"extra\"]");
    assert_eq!(everything(&project(&order)), want);
}

#[test]
fn contexts_may_be_written_in_any_order_and_any_language() {
    let project = project(&parts());
    let build = |name: &str| {
        let run = project.run(&["build", "main", "-o", "-", "--context", name]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        run.stdout
    };
    // TOML has no null, and the others must say the same.
    let plain = |dice: &mut Dice| {
        let mut value = context(dice);
        value["extra"]["ß"] = json!(false);
        value
    };
    project.write("want.json", plain(&mut Dice(1)).to_string());
    let want = build("want.json");
    let mut dice = Dice(3);
    for n in 0..8 {
        let value = plain(&mut dice);
        project.write(&format!("c{n}.json"), written(&value, &mut dice, false));
        project.write(&format!("c{n}.yaml"), written(&value, &mut dice, true));
        project.write(&format!("c{n}.toml"), as_toml(&value, &mut dice));
        for ending in ["json", "yaml", "toml"] {
            assert_eq!(build(&format!("c{n}.{ending}")), want, "c{n}.{ending}");
        }
    }
}

#[test]
fn a_list_whose_order_is_given_keeps_it() {
    let manifest = "[inputs]\nl = { type = \"list\", lifetime = \"session\", sort_by = \"given\" }\n[[section]]\nid = \"s\"\nzone = \"dynamic\"\ntext = \"{{ l | join(',') }}\"\n";
    let project = Project::of(manifest).file("c.json", r#"{"l": ["b", "a", "c", "a"]}"#);
    assert_eq!(project.blocks(&["--context", "c.json"])["blocks"][0]["text"], "b,a,c,a");
}

#[test]
fn where_a_project_lies_leaves_no_trace() {
    let (one, two) = (project(&parts()), project(&parts()));
    assert_eq!(everything(&one), everything(&two));
    let deep = two.path("a/very/long/way/down");
    fs::create_dir_all(&deep).unwrap();
    let build = |folder: &Path, args: &[&str]| {
        let run = run_in(folder, &[&["build", "main", "-o", "-"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let want = build(&one.path(""), &[]);
    assert_eq!(build(&deep, &[]), want);
    assert_eq!(build(&deep, &["--root", "../../../../.."]), want);
    assert_eq!(build(&one.path(""), &["--root", two.path("").to_str().unwrap()]), want);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(two.path(""), one.path("way")).unwrap();
        assert_eq!(build(&one.path(""), &["--root", "way"]), want);
        assert_eq!(build(&one.path("way"), &[]), want);
    }
}

#[cfg(unix)]
#[test]
fn the_environment_leaves_no_trace() {
    let project = project(&parts());
    let run = |script: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            &format!("{script} exec \"$0\" build -o out --emit text --format json && cat out/*/*"),
            env!("CARGO_BIN_EXE_promptc"),
        ]);
        let Output { status, stdout, stderr } =
            command.current_dir(project.path("")).envs(variables.iter().copied()).output().unwrap();
        assert!(stderr.is_empty() && status.success(), "{}", String::from_utf8_lossy(&stderr));
        _ = fs::remove_dir_all(project.path("out"));
        stdout
    };
    // An artifact without a context cannot be one text.
    project.write("profiles/main.toml", PROFILE);
    project.write("profiles/other.toml", PROFILE);
    project.write("prompts/main.toml", "[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"x.md\"\n");
    let run = |script: &str, variables: &[(&str, &str)]| run(&script.replace("exec", ""), variables);
    let want = run("", &[]);
    let settings: [&[(&str, &str)]; 7] = [
        &[("TZ", "Pacific/Kiritimati")],
        &[("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8")],
        &[("LANG", "C"), ("LC_ALL", "C")],
        &[("HOME", "/nonexistent"), ("USER", "nobody"), ("XDG_CONFIG_HOME", "/nonexistent")],
        &[("COLUMNS", "40"), ("TERM", "dumb"), ("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1")],
        &[("SOURCE_DATE_EPOCH", "0"), ("CI", "true"), ("GITHUB_ACTIONS", "true")],
        &[("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace"), ("PROMPTC_ROOT", "/nonexistent")],
    ];
    for variables in settings {
        assert_eq!(run("", variables), want, "{variables:?}");
    }
    assert_eq!(run("umask 077;", &[]), want);
    assert_eq!(run("umask 000;", &[]), want);
    assert_eq!(run("unset HOME PATH_INFO; ulimit -s 65536;", &[]), want);
}

/// Everything that is printed and written, under everything that a machine may be set to. Help and drawn messages alone are
/// as wide as the terminal.
#[cfg(unix)]
#[test]
fn no_setting_of_a_machine_changes_a_byte_of_any_command() {
    let project = project(&parts());
    project.write("c.json", context(&mut Dice(1)).to_string());
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let done = Command::new("git").args(identity).args(args).current_dir(project.path("")).output().unwrap();
        assert!(done.status.success(), "{args:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "one"]);
    project.write("prompts/x.md", "{% include 'z.md' %} and more");
    let commands = [
        "build --context c.json --emit anthropic --emit gemini --emit text",
        "lint --format json",
        "lint --format sarif",
        "diff HEAD",
        "diff HEAD --format json",
        "diff HEAD --format markdown",
        "snapshot accept",
        "snapshot check",
        "variants main",
        "resolve main --context c.json --format json",
        "tokens main",
        "schema context main",
        "explain static-conditional",
    ];
    let run = |before: &str, variables: &[(&str, &str)]| {
        let mut told = Vec::new();
        for command in commands {
            let mut sh = Command::new("sh");
            sh.args(["-c", &format!("{before} exec \"$0\" {command}"), env!("CARGO_BIN_EXE_promptc")]);
            let Output { status, stdout, stderr } =
                sh.current_dir(project.path("")).envs(variables.iter().copied()).output().unwrap();
            assert!(status.code().is_some_and(|code| code < 2), "{command}: {}", String::from_utf8_lossy(&stderr));
            told.push((command, status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap()));
        }
        let written = ["dist", "snapshots"].map(|folder| {
            let found = files(&project.path(folder));
            fs::remove_dir_all(project.path(folder)).unwrap();
            found
        });
        (told, written)
    };
    let want = run("", &[]);
    assert!(want.1.iter().all(|folder| folder.len() > 2));
    let said = |text: &str| want.0.iter().any(|(_, _, out, _)| out.contains(text));
    assert!(said("and more") && said("\"version\""));
    let settings: [(&str, &[(&str, &str)]); 11] = [
        ("", &[("TZ", "Pacific/Kiritimati"), ("SOURCE_DATE_EPOCH", "0")]),
        ("", &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("LANGUAGE", "tr:de")]),
        ("", &[("LC_ALL", "POSIX"), ("LC_NUMERIC", "de_DE.UTF-8"), ("LC_COLLATE", "C")]),
        ("umask 077;", &[]),
        ("umask 000;", &[]),
        ("unset HOME USER LOGNAME SHELL TERM LANG LC_ALL PWD OLDPWD;", &[]),
        ("", &[("HOME", "/nonexistent"), ("XDG_CONFIG_HOME", "/nonexistent"), ("TMPDIR", "/nonexistent")]),
        ("", &[("COLUMNS", "40"), ("LINES", "5"), ("TERM", "dumb")]),
        ("", &[("NO_COLOR", "1"), ("PAGER", "cat -n"), ("GIT_PAGER", "cat -n"), ("LESS", "x")]),
        ("", &[("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace"), ("RAYON_NUM_THREADS", "3"), ("PROMPTC_ROOT", "/x")]),
        ("", &[("CI", "true"), ("GITHUB_ACTIONS", "true"), ("GITLAB_CI", "true"), ("GITHUB_WORKSPACE", "/x")]),
    ];
    for (before, variables) in settings {
        let found = run(before, variables);
        for (want, found) in want.0.iter().zip(&found.0) {
            assert_eq!(want, found, "{before} {variables:?}");
        }
        assert!(want.1 == found.1, "files under {before} {variables:?}");
    }
    // Where it was written is nowhere in it.
    for (path, bytes) in want.1.iter().flatten().filter(|(path, _)| !path.ends_with("prompt.txt")) {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(!text.contains(project.path("").to_str().unwrap()), "{path}: {text}");
    }
}

#[test]
fn messages_and_tables_have_no_trace_of_the_environment() {
    let project = project(&parts()).file("prompts/z.md", "{{ nope }}");
    let messages = |variables: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_promptc"))
            .args(["build", "--format", "json", "-o", "-", "main"])
            .current_dir(project.path(""))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let want = messages(&[]);
    assert!(want.contains("undefined-input"), "{want}");
    assert_eq!(messages(&[("TZ", "Asia/Tokyo"), ("LANG", "de_DE"), ("COLUMNS", "50"), ("HOME", "/")]), want);
}

#[cfg(unix)]
/// Many profiles of two kinds, a matrix, fixtures, and mistakes: some the same in several profiles, some their own.
fn fleet() -> Project {
    let mut project = project(&parts()).file("ann.yaml", "who: Ann\n");
    let manifest = "[inputs]\nwho = { type = \"string\", lifetime = \"session\", default = \"you\" }\n\
        n = { type = \"integer\", lifetime = \"build\" }\nbig = { type = \"bool\", lifetime = \"build\", default = false }\n\
        [[section]]\nid = \"rules\"\nzone = \"static\"\ntext = \"Rules {{ n }} {% include 'z.md' %}{% if big %}, big{% endif %}\"\n\
        [[section]]\nid = \"hello\"\nzone = \"dynamic\"\ntext = \"hello {{ who }}\"\n";
    project = project.file("prompts/many.toml", manifest);
    project = project.file("prompts/wrong.toml", format!("{manifest}when = \"nope\"\n"));
    for n in 0..40 {
        let prompt = if n % 7 == 3 { "wrong" } else { "many" };
        // An integer that is none is a mistake of that profile alone, an unknown model a warning.
        let value = if n % 11 == 5 { "\"x\"".to_owned() } else { n.to_string() };
        let model = if n % 5 == 2 { "something-new" } else { "claude-opus-5.5" };
        let profile = PROFILE.replace("\"main\"", &format!("\"{prompt}\"")).replace("claude-opus-5.5", model);
        let matrix = if n % 3 == 0 { "matrix = { big = [true, false] }\n" } else { "" };
        let fixture = "[[fixture]]\nname = \"ann\"\ncontext = \"ann.yaml\"\n";
        let text = format!("{matrix}{profile}\n[values]\nn = {value}\n\n{fixture}");
        project = project.file(&format!("profiles/p{n:02}.toml"), text);
    }
    project
}

#[test]
fn the_number_of_threads_leaves_no_trace() {
    let project = fleet();
    let commands: [&[&str]; 7] = [
        &["build", "--all"],
        &["build", "--all", "--format", "json", "-o", "other"],
        &["build", "--limit", "messages=5"],
        &["lint", "--format", "json"],
        &["lint", "--limit", "messages=7"],
        &["snapshot", "accept"],
        &["variants", "--fleet", "p01"],
    ];
    let run = |threads: &str| {
        let outputs: Vec<(Option<i32>, String, String)> = commands
            .iter()
            .map(|args| {
                let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_promptc"))
                    .args(*args)
                    .current_dir(project.path(""))
                    .env("RAYON_NUM_THREADS", threads)
                    .output()
                    .unwrap();
                let text = |bytes| String::from_utf8(bytes).unwrap();
                (status.code(), text(stdout), text(stderr))
            })
            .collect();
        let mut written = BTreeMap::new();
        for folder in ["dist", "other", "snapshots"] {
            written.insert(folder, files(&project.path(folder)));
            fs::remove_dir_all(project.path(folder)).unwrap();
        }
        (outputs, written)
    };
    let one = run("1");
    // There is something to be put in order.
    assert!(one.1["dist"].len() > 50, "{:?}", one.1["dist"].keys());
    assert!(one.0[0].2.matches("error[").count() > 3, "{}", one.0[0].2);
    for threads in ["2", "7"] {
        let many = run(threads);
        for (args, (one, many)) in commands.iter().zip(one.0.iter().zip(&many.0)) {
            assert_eq!(one, many, "{args:?} on {threads} threads");
        }
        assert!(one.1 == many.1, "files written on {threads} threads");
    }
}

#[test]
fn a_second_build_writes_nothing() {
    use std::os::unix::fs::MetadataExt;
    let project = project(&parts());
    project.write("c.json", context(&mut Dice(1)).to_string());
    let state = || {
        let mut found = BTreeMap::new();
        let mut folders = vec![project.path("")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let data = fs::symlink_metadata(&path).unwrap();
                if data.is_dir() {
                    folders.push(path.clone());
                }
                found.insert(path, (data.ino(), data.mtime(), data.mtime_nsec(), data.ctime_nsec(), data.len()));
            }
        }
        found
    };
    let build = || {
        let run = project.run(&["build", "--context", "c.json", "--emit", "text"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let table = build();
    let before = state();
    assert!(before.keys().any(|path| path.ends_with("dist/main/prompt.txt")));
    assert_eq!(build(), table);
    assert_eq!(state(), before);
    // A change of one profile leaves the other's folder alone.
    project.write("profiles/other.toml", PROFILE.replace("[chain]", "[values]\nkind = \"a\"\n\n[chain]"));
    build();
    let after = state();
    let of = |state: &BTreeMap<_, _>, name: &str| -> Vec<_> {
        let folder = project.path(&format!("dist/{name}"));
        state
            .iter()
            .filter(|(path, _): &(&std::path::PathBuf, _)| path.starts_with(&folder))
            .map(|(p, s)| (p.clone(), *s))
            .collect::<Vec<(_, (u64, i64, i64, i64, u64))>>()
    };
    assert_eq!(of(&before, "main"), of(&after, "main"));
    assert_ne!(of(&before, "other"), of(&after, "other"));
}

/// The repository's own profiles, in every form, twice.
#[test]
fn two_processes_write_the_same() {
    let out = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let forms: Vec<&str> = promptc::emit::Emitter::ALL.iter().map(|e| e.name()).collect();
    let emit: Vec<&str> = forms.iter().flat_map(|form| ["--emit", form]).collect();
    let mut profiles: Vec<(String, String)> = Vec::new();
    for entry in fs::read_dir(root().join("profiles")).unwrap() {
        let path = entry.unwrap().path();
        let text: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let fixtures = text.get("fixture").and_then(|f| f.as_array()).cloned().unwrap_or_default();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        profiles.extend(fixtures.iter().map(|f| (name.clone(), f["name"].as_str().unwrap().to_owned())));
    }
    assert!(!profiles.is_empty());
    for folder in &out {
        for (profile, fixture) in &profiles {
            let folder = folder.path().join(fixture);
            let args = ["build", profile, "--context", fixture, "-o", folder.to_str().unwrap()];
            let run = run_in(root(), &[&args[..], &emit].concat());
            assert_eq!(run.code, 0, "{profile} {fixture}: {}", run.stderr);
        }
    }
    let (one, two) = (files(out[0].path()), files(out[1].path()));
    assert!(one.len() >= forms.len() * profiles.len());
    assert!(one == two);
    for (path, bytes) in &one {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(!text.contains('\r') && !text.starts_with('\u{feff}'), "{path}");
        assert!(!text.contains(root().to_str().unwrap()), "{path}");
        assert!(path.ends_with("prompt.txt") || text.ends_with("}\n") && !text.ends_with("\n\n"), "{path}");
    }
}
