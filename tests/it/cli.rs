//! The command line: exit codes, what goes to which stream, folders of output, help.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{PROFILE, Project, Run, run_in};

const FINE: &str = "[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"fine\"\n";

/// Prints `who`, which a context must give.
const OPEN: &str = "[inputs]\nwho = { type = \"string\", lifetime = \"session\" }\n\
    [[section]]\nid = \"rules\"\nzone = \"static\"\ntext = \"rules\"\n\
    [[section]]\nid = \"hello\"\nzone = \"dynamic\"\ntext = \"hello {{ who }}\"\n\
    [[section]]\nid = \"facts\"\nzone = \"dynamic\"\nchannel = \"system_context\"\ntext = \"facts\"\n\
    [[section]]\nid = \"notes\"\nzone = \"dynamic\"\nchannel = \"user_context\"\ntext = \"notes\"\n";

/// A project with an open prompt, a fixture, and a profile with a matrix.
fn project() -> Project {
    let matrix = "matrix = { size = [\"small\", \"a/b\"], on = [true, false] }\n".to_owned()
        + PROFILE
        + "[inputs]\nsize = { type = [\"small\", \"a/b\"], lifetime = \"build\" }\non = { type = \"bool\", lifetime = \"build\" }\n";
    let fixtures =
        "[[fixture]]\nname = \"ann\"\ncontext = \"ann.json\"\n[[fixture]]\nname = \"bob\"\ncontext = \"bob.yaml\"\n";
    Project::of(OPEN)
        .file("profiles/main.toml", PROFILE.to_owned() + fixtures)
        .file("ann.json", r#"{"who": "ann"}"#)
        .file("bob.yaml", "who: bob\n")
        .file("prompts/closed.toml", FINE)
        .file("profiles/closed.toml", PROFILE.replace("\"main\"", "\"closed\""))
        .file("profiles/wide.toml", matrix.replace("\"main\"", "\"closed\""))
}

/// A project with one error.
fn broken() -> Project {
    Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"{{ nope }}\"\n")
}

/// A project with one warning.
fn warned() -> Project {
    Project::of(FINE).file("profiles/main.toml", PROFILE.replace("claude-opus-5.5", "something-new"))
}

/// Runs the program on a project, with variables set.
fn run_with(project: &Project, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_promptc"))
        .args(args)
        .current_dir(project.path(""))
        .env_remove("NO_COLOR")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Every path below a folder, sorted.
fn tree(folder: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => out.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    out.sort();
    out
}

/// Every file below a folder with its bytes.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    tree(folder).into_iter().map(|path| (path.clone(), fs::read(folder.join(path)).unwrap())).collect()
}

#[test]
fn exit_codes_say_clean_wrong_or_not_run() {
    let fine = project();
    for args in [
        &["build"][..],
        &["build", "main", "--context", "ann"],
        &["resolve", "main"],
        &["tokens", "main"],
        &["explain"],
        &["explain", "static-conditional"],
        &["schema", "blocks"],
        &["schema", "report"],
        &["schema", "context", "main"],
        &["--help"],
        &["build", "-h"],
        &["help", "build"],
        &["--version"],
    ] {
        let run = fine.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        assert!(!run.stdout.is_empty(), "{args:?}");
    }
    // What stands in files is wrong: 1.
    for args in [&["build"][..], &["build", "main", "-o", "-"], &["resolve", "main"], &["tokens", "main"]] {
        assert_eq!(broken().run(args).code, 1, "{args:?}");
    }
    fine.write("ann.json", r#"{"whom": "ann"}"#);
    assert_eq!(fine.run(&["build", "main", "--context", "ann"]).code, 1);
    assert_eq!(fine.run(&["build", "main", "--context", "ann.json"]).code, 1);
    fine.write("ann.json", "{");
    assert_eq!(fine.run(&["build", "main", "--context", "ann"]).code, 1);
    // A warning is no failure.
    assert_eq!(warned().run(&["build"]).code, 0);
    // What stands on the command line is wrong: 2.
    for args in [
        &[][..],
        &["nope"],
        &["build", "--nope"],
        &["build", "nope"],
        &["build", "--emit", "nope"],
        &["build", "main", "--context", "nope"],
        &["build", "main", "--route", "nope"],
        &["build", "main", "--route", "custom"],
        &["build", "main", "--channel", "nope"],
        &["build", "closed", "--section", "nope"],
        &["build", "closed", "--section", "s", "--channel", "system"],
        &["build", "main", "--cell", "size=small"],
        &["build", "wide", "--cell", "size=small,on=true,x=1"],
        &["build", "closed", "--agent", "nobody"],
        &["build", "closed", "--coordinator", "nothing"],
        &["build", "closed", "--custom", "none.md"],
        &["build", "closed", "-o", "-", "--emit", "text", "--emit", "blocks"],
        &["build", "--all", "--context", "ann"],
        &["build", "--root", "nowhere"],
        &["resolve"],
        &["resolve", "nope"],
        &["resolve", "wide"],
        &["tokens", "nope"],
        &["explain", "nope"],
        &["schema", "nope"],
        &["schema"],
        &["schema", "context", "nope"],
    ] {
        let run = fine.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn stdout_is_the_result_and_stderr_all_else() {
    let it = project();
    let run = it.run(&["build", "main", "--context", "ann", "-o", "-"]);
    assert_eq!(run.stderr, "");
    let blocks: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(blocks["format"], "promptc.blocks/1");
    assert!(run.stdout.ends_with("}\n") && !run.stdout.ends_with("\n\n"));
    // A text has no newline of the program's own.
    let run = it.run(&["build", "main", "--context", "ann", "-o", "-", "--emit", "text"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("rules\n\nhello ann\n\nfacts", ""));
    let run = warned().run(&["build", "-o", "-", "--emit", "text"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "fine"));
    assert!(
        run.stderr.starts_with("warning[unknown-model]") && run.stderr.ends_with("\n1 warning\n"),
        "{}",
        run.stderr
    );
    for args in
        [&["build", "-o", "-"][..], &["build", "-o", "-", "--emit", "text"], &["tokens", "main", "--format", "json"]]
    {
        let run = broken().run(args);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{args:?}");
        assert!(run.stderr.contains("undefined-input"), "{args:?}: {}", run.stderr);
    }
    assert!(!it.path("dist").exists());
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let long = Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n")
        .file("prompts/s.md", "long text\n".repeat(100_000));
    for args in [&["build", "-o", "-"][..], &["build", "-o", "-", "--emit", "text"], &["build", "--section", "s"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_promptc"))
            .args(args)
            .current_dir(long.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    }
    // Nor is one that never was there.
    for args in [&["--help"][..], &["explain"], &["schema", "blocks"], &["completions", "bash"]] {
        let script = format!("exec \"$0\" {} | true", args.join(" "));
        let output = Command::new("bash")
            .args(["-c", &format!("set -o pipefail; {script}"), env!("CARGO_BIN_EXE_promptc")])
            .output()
            .unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_an_error() {
    let it = project();
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_promptc"))
        .args(["build", "closed", "-o", "-"])
        .current_dir(it.path(""))
        .stdout(full())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write to stdout"));
}

#[test]
fn messages_as_json_have_lines_from_one_and_bytes_from_zero() {
    let manifest = "[[section]]\r\nid = \"s\"\r\nzone = \"static\"\r\ntext = \"é {{ nope }}\"\r\n";
    let it = Project::of(manifest).file("profiles/main.toml", PROFILE.replace("shared_scope", "shard_scope"));
    let run = it.run(&["build", "--format", "json", "-o", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(report["format"], "promptc.report/1");
    assert_eq!(report["summary"], json!({"errors": 2, "warnings": 0}));
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["diagnostics", "format", "summary"]);
    let list = report["diagnostics"].as_array().unwrap();
    let of = |name: &str| list.iter().find(|d| d["name"] == name).unwrap();
    let unknown = of("unknown-key");
    assert_eq!((&unknown["path"], &unknown["severity"]), (&json!("profiles/main.toml"), &json!("error")));
    let byte = PROFILE.find("shared_scope").unwrap();
    let (start, end) =
        (json!({"line": 4, "column": 1, "byte": byte}), json!({"line": 4, "column": 12, "byte": byte + 11}));
    assert_eq!(unknown["span"], json!({"start": start, "end": end}));
    let nope = of("undefined-input");
    // Columns are characters, bytes those of the file on disk with its CRLF.
    let line = manifest.lines().nth(3).unwrap();
    let column = line.chars().position(|c| c == '{').unwrap() + 4;
    assert_eq!(nope["span"]["start"], json!({"line": 4, "column": column, "byte": manifest.find("nope").unwrap()}));
    assert_eq!(nope["labels"][0]["span"], nope["span"]);
    // Where stdout is free, the report is the result.
    let run = it.run(&["build", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap(), report);
    let fine = Project::of(FINE).run(&["build", "--format", "json"]);
    let clean: Value = serde_json::from_str(&fine.stdout).unwrap();
    assert_eq!(
        clean,
        json!({"format": "promptc.report/1", "diagnostics": [], "summary": {"errors": 0, "warnings": 0}})
    );
}

#[test]
fn concise_messages_are_a_line_each() {
    let run = broken().run(&["build", "--format", "concise"]);
    assert_eq!(run.stderr, "prompts/main.toml:4:12: error[undefined-input]: `nope` is not an input\n");
    let it = Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n").file("prompts/s.md", b"\xff");
    let run = it.run(&["build", "--format", "concise"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.starts_with("prompts/s.md:1:1: error[invalid-utf8]: "), "{}", run.stderr);
}

#[test]
fn colours_are_used_when_they_are_asked_for() {
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let run = run_with(&broken(), &[&["build", "-o", "-"], args].concat(), variables);
        assert_eq!(run.code, 1);
        run.stderr.contains('\u{1b}')
    };
    // Streams of tests are no terminals.
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&["--color=always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(!coloured(&["--color", "auto"], &[("CLICOLOR", "1")]));
    let run = run_with(&broken(), &["--color", "always", "build", "--format", "json", "-o", "-"], &[]);
    assert!(!run.stderr.contains('\u{1b}'));
    // An artifact has none in any case.
    let run = run_with(&project(), &["build", "closed", "-o", "-", "--color", "always"], &[]);
    assert!(!run.stdout.contains('\u{1b}'));
}

#[test]
fn names_that_are_nearly_right_are_suggested_and_others_listed() {
    let it = project();
    let says = |args: &[&str], lines: &[&str]| {
        let run = it.run(args);
        assert_eq!(run.code, 2, "{args:?}");
        for line in lines {
            assert!(run.stderr.lines().any(|l| l.trim() == *line), "no `{line}` in {}", run.stderr);
        }
    };
    says(&["build", "mian"], &["error: there is no profile `mian`", "help: did you mean `main`?"]);
    says(&["build", "xyzzy"], &["help: profiles: closed, main, wide"]);
    says(&["resolve", "closd"], &["help: did you mean `closed`?"]);
    says(&["tokens", "closd"], &["help: did you mean `closed`?"]);
    says(
        &["build", "main", "--context", "xyzzy"],
        &["error: there is no fixture and no file `xyzzy`", "help: fixtures of `main`: ann, bob"],
    );
    says(&["build", "closed", "--context", "xyzzy"], &["help: the profile `closed` has no fixtures"]);
    says(&["build", "main", "--context", "ann", "--section", "xyzzy"], &["help: sections: rules, hello, facts, notes"]);
    says(&["explain", "static-conditonal"], &["help: did you mean `static-conditional`?"]);
    says(
        &["schema", "block"],
        &["help: schemas: prompt, profile, project, blocks, report, variants, diff, verify, context PROFILE"],
    );
}

#[test]
fn a_fixture_goes_before_a_file_of_its_name() {
    let it = project().file("ann", r#"{"who": "the file"}"#);
    let text = |context: &str| it.run(&["build", "main", "-o", "-", "--emit", "text", "--context", context]).stdout;
    assert_eq!(text("ann"), "rules\n\nhello ann\n\nfacts");
    assert_eq!(text("./ann"), "rules\n\nhello the file\n\nfacts");
    // Fixtures are from the root, files from the working folder.
    fs::create_dir(it.path("below")).unwrap();
    it.write("below/own.json", r#"{"who": "own"}"#);
    let run = |args: &[&str]| {
        run_in(&it.path("below"), &[&["build", "main", "-o", "-", "--section", "hello", "--context"], args].concat())
    };
    assert_eq!(run(&["bob"]).stdout, "hello bob");
    assert_eq!(run(&["own.json"]).stdout, "hello own");
    assert_eq!(run(&["bob.yaml"]).code, 2);
}

#[test]
fn stdout_takes_one_artifact() {
    let it = project();
    for args in [
        &["build", "wide", "-o", "-"][..],
        &["build", "-o", "-"],
        &["build", "closed", "wide", "-o", "-"],
        &["build", "main", "--all", "-o", "-"],
    ] {
        let run = it.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains("stdout takes one artifact"), "{}", run.stderr);
    }
    assert!(it.run(&["build", "wide", "-o", "-"]).stderr.contains("--cell"));
    let run = it.run(&["build", "wide", "-o", "-", "--cell", "on=false,size=a/b"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let blocks: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(blocks["cell"], json!({"on": false, "size": "a/b"}));
    let run = it.run(&["build", "wide", "-o", "-", "--cell", "size=large"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("size=small,on=true"), "{}", run.stderr);
}

#[test]
fn dist_has_a_folder_for_each_profile_cell_and_fixture() {
    let it = project();
    assert_eq!(it.run(&["build"]).code, 0);
    let want = [
        "closed/blocks.json",
        "main/blocks.json",
        "wide/size=a%2Fb,on=false/blocks.json",
        "wide/size=a%2Fb,on=true/blocks.json",
        "wide/size=small,on=false/blocks.json",
        "wide/size=small,on=true/blocks.json",
    ];
    assert_eq!(tree(&it.path("dist")), want);
    let ahead: Value = serde_json::from_slice(&fs::read(it.path("dist/main/blocks.json")).unwrap()).unwrap();
    assert_eq!(ahead["blocks"][1]["text"], Value::Null);
    // What one run does not make is gone from the folder.
    assert_eq!(it.run(&["build", "main", "--context", "ann", "--emit", "text", "--emit", "anthropic"]).code, 0);
    assert_eq!(tree(&it.path("dist/main")), ["anthropic.json", "blocks.json", "prompt.txt"]);
    assert_eq!(fs::read_to_string(it.path("dist/main/prompt.txt")).unwrap(), "rules\n\nhello ann\n\nfacts");
    assert_eq!(it.run(&["build", "main", "--all"]).code, 0);
    assert_eq!(tree(&it.path("dist/main")), ["blocks.json", "fixtures/ann/blocks.json", "fixtures/bob/blocks.json"]);
    assert_eq!(it.run(&["build", "main"]).code, 0);
    assert_eq!(tree(&it.path("dist/main")), ["blocks.json"]);
    // One cell alone leaves the others.
    fs::remove_file(it.path("dist/wide/size=small,on=true/blocks.json")).unwrap();
    assert_eq!(it.run(&["build", "wide", "--cell", "size=small,on=true", "--emit", "text"]).code, 0);
    assert_eq!(tree(&it.path("dist/wide")).len(), 5);
    // Elsewhere, from the working folder.
    let run = run_in(&it.path("prompts"), &["build", "closed", "-o", "../out/x"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(tree(&it.path("out")), ["x/closed/blocks.json"]);
}

#[test]
fn an_artifact_with_open_values_is_written_as_blocks_only() {
    let it = project();
    for args in [
        &["build", "main", "--emit", "text"][..],
        &["build", "main", "--emit", "anthropic", "-o", "-"],
        &["build", "main", "--section", "hello"],
        &["build", "main", "--channel", "system"],
    ] {
        let run = it.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains("`who`") && run.stderr.contains("--context"), "{}", run.stderr);
    }
    assert!(!it.path("dist").exists());
}

#[test]
fn a_section_that_is_not_open_can_be_had_without_a_context() {
    let run = project().run(&["build", "main", "--section", "rules"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "rules"), "{}", run.stderr);
}

#[test]
fn one_channel_or_one_section_is_printed_alone() {
    let it = project();
    let print = |args: &[&str]| {
        let run = it.run(&[&["build", "main", "--context", "bob"], args].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        run.stdout
    };
    assert_eq!(print(&["--channel", "system"]), "rules\n\nhello bob");
    assert_eq!(print(&["--channel", "system_context"]), "facts");
    assert_eq!(print(&["--channel", "user_context"]), "<system-reminder>\nnotes\n</system-reminder>");
    assert_eq!(print(&["--section", "hello"]), "hello bob");
    assert_eq!(print(&["--section", "notes"]), "notes");
    assert_eq!(print(&["--channel", "system", "-o", "-"]), "rules\n\nhello bob");
    assert!(!it.path("dist").exists());
}

#[test]
fn outside_a_project_it_is_said_how_to_get_one() {
    let nowhere = tempfile::tempdir().unwrap();
    for args in [&["build"][..], &["resolve", "main"], &["tokens", "main"]] {
        let run = run_in(nowhere.path(), args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        for words in ["no project", "`promptc.toml`", "`prompts/`", "`profiles/`", "promptc init"] {
            assert!(run.stderr.contains(words), "no `{words}` in {}", run.stderr);
        }
    }
    // These need none.
    for args in [&["explain", "static-conditional"][..], &["schema", "blocks"], &["--help"]] {
        assert_eq!(run_in(nowhere.path(), args).code, 0, "{args:?}");
    }
}

#[test]
fn every_name_in_brackets_is_explained() {
    let nowhere = tempfile::tempdir().unwrap();
    let run = run_in(nowhere.path(), &["explain"]);
    let names: Vec<&str> = run.stdout.lines().collect();
    for rule in promptc::compile::rules() {
        assert!(names.contains(&rule.name), "{}", rule.name);
        let run = run_in(nowhere.path(), &["explain", rule.name]);
        assert!(
            run.code == 0 && run.stdout.starts_with(rule.name) && run.stdout.contains(rule.summary),
            "{}",
            rule.name
        );
    }
    for name in names {
        assert_eq!(run_in(nowhere.path(), &["explain", name]).code, 0, "{name}");
    }
}

#[test]
fn what_is_written_obeys_its_schema() {
    let it = project();
    let validator = |args: &[&str]| {
        let schema: Value = serde_json::from_str(&it.run(args).stdout).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    let blocks = validator(&["schema", "blocks"]);
    for args in [&["main"][..], &["main", "--context", "ann"], &["wide", "--cell", "size=small,on=true"]] {
        let run = it.run(&[&["build", "-o", "-"], args].concat());
        let artifact: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(blocks.is_valid(&artifact), "{args:?}");
        let mut more = artifact;
        more["generated_at"] = json!("now");
        assert!(!blocks.is_valid(&more));
    }
    let report = validator(&["schema", "report"]);
    for project in [broken(), warned()] {
        let run = project.run(&["build", "--format", "json"]);
        assert!(report.is_valid(&serde_json::from_str(&run.stdout).unwrap()));
    }
    let context = validator(&["schema", "context", "main"]);
    assert!(context.is_valid(&json!({"who": "ann"})));
    assert!(!context.is_valid(&json!({"who": 1})));
    assert!(!context.is_valid(&json!({"who": "ann", "whom": "ann"})));
    assert!(!context.is_valid(&json!({})));
}

#[test]
fn a_build_that_fails_leaves_the_old_folder_as_it_is() {
    let it = project();
    assert_eq!(it.run(&["build", "--all"]).code, 0);
    let before = bytes(&it.path("dist"));
    // An error in a body, in a manifest, in a profile, in a fixture: the profile's folder stays, whatever is wrong.
    for (path, text) in [
        ("prompts/main.toml", OPEN.replace("hello {{ who }}", "changed {{ nope }}")),
        ("prompts/main.toml", OPEN.replace("text = \"rules\"", "text = \"changed").clone()),
        ("profiles/main.toml", PROFILE.replace("provider", "provder")),
        ("ann.json", "{\"who\": 1}".to_owned()),
        ("bob.yaml", "who: [".to_owned()),
    ] {
        let good = fs::read(it.path(path)).unwrap();
        it.write(path, text);
        let run = it.run(&["build", "main", "--all"]);
        assert_eq!(run.code, 1, "{path}: {}", run.stderr);
        assert_eq!(bytes(&it.path("dist")), before, "{path}");
        it.write(path, good);
    }
    // Profiles without an error are written all the same.
    it.write("prompts/main.toml", "oops");
    it.write("prompts/closed.toml", FINE.replace("fine", "changed"));
    assert_eq!(it.run(&["build", "--all"]).code, 1);
    let after = bytes(&it.path("dist"));
    for (path, bytes) in &before {
        assert_eq!(path.starts_with("main/"), after[path] == *bytes, "{path}");
    }
}

#[test]
fn an_unknown_emitter_or_open_value_in_one_profile_writes_nothing_of_any() {
    let it = project();
    assert_eq!(it.run(&["build", "--emit", "text"]).code, 2);
    assert!(!it.path("dist").exists());
}

#[test]
fn builds_at_once_into_one_place_all_succeed() {
    let it = project();
    for round in 0..3 {
        it.write("prompts/closed.toml", FINE.replace("fine", &format!("round {round}")));
        let children: Vec<_> = (0..6)
            .map(|_| {
                Command::new(env!("CARGO_BIN_EXE_promptc"))
                    .args(["build", "closed", "wide", "--emit", "text"])
                    .current_dir(it.path(""))
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_eq!(fs::read_to_string(it.path("dist/closed/prompt.txt")).unwrap(), format!("round {round}"));
        assert_eq!(tree(&it.path("dist")).len(), 10);
    }
    // Nothing is left beside the folders.
    let mut beside: Vec<_> =
        fs::read_dir(it.path("dist")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    beside.sort();
    assert_eq!(beside, ["closed", "wide"]);
}

#[test]
fn a_folder_with_other_peoples_files_is_refused() {
    let it = project();
    it.write("dist/closed/notes.txt", "mine");
    let run = it.run(&["build", "closed"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("`dist/closed` holds what promptc did not write: `notes.txt`"), "{}", run.stderr);
    assert_eq!(tree(&it.path("dist")), ["closed/notes.txt"]);
}

/// Profiles may lie in folders, also in one that is called like another profile.
#[test]
fn profiles_in_folders_are_built_beside_one_another() {
    let it = project().file("profiles/closed/inner.toml", PROFILE.replace("\"main\"", "\"closed\""));
    for _ in 0..2 {
        let run = it.run(&["build", "closed", "closed/inner"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(tree(&it.path("dist")).len(), 2);
    }
}

#[test]
fn a_matrix_without_a_value_is_told() {
    let input = "[inputs]\nk = { type = \"bool\", lifetime = \"build\" }\n";
    let it = Project::of(FINE).file("profiles/main.toml", format!("matrix = {{ k = [] }}\n{PROFILE}{input}"));
    for args in [&["build"][..], &["build", "main", "-o", "-"], &["resolve", "main"]] {
        let run = it.run(args);
        assert_ne!(run.code, 0, "{args:?}");
        assert!(run.stderr.contains("profiles/main.toml:1:"), "{args:?}: {}", run.stderr);
    }
}

/// What is wrong with a manifest is no reason to call a context's keys unknown.
#[test]
fn a_broken_manifest_does_not_make_its_context_wrong() {
    let it = project();
    for (path, text) in [
        ("profiles/main.toml", PROFILE.replace("\"main\"", "\"mian\"")),
        ("profiles/main.toml", PROFILE.replace("\"main\" }", "\"main }")),
        ("prompts/main.toml", OPEN.replace("\"hello\"", "\"hello")),
        ("prompts/main.toml", OPEN.replace("[inputs]", "[input]")),
    ] {
        let good = fs::read(it.path(path)).unwrap();
        it.write(path, text);
        let run = it.run(&["build", "main", "--context", "ann.json", "--format", "concise"]);
        assert_eq!(run.code, 1, "{path}");
        assert!(!run.stderr.contains("ann.json"), "{}", run.stderr);
        assert!(run.stderr.contains(path), "{}", run.stderr);
        it.write(path, good);
    }
}

/// The table has a line for what was written.
#[test]
fn the_table_does_not_show_what_was_not_written() {
    let it = project();
    let wide = fs::read_to_string(it.path("profiles/wide.toml")).unwrap();
    it.write("profiles/wide.toml", wide.replace("[true, false]", "[true, 5]"));
    let run = it.run(&["build"]);
    assert_eq!(run.code, 1);
    assert!(!it.path("dist/wide").exists());
    assert!(run.stdout.contains("closed") && !run.stdout.contains("wide"), "{}", run.stdout);
}

/// The help of every command, as a terminal of 100 columns shows it.
#[test]
fn help_says_what_each_command_does() {
    let it = Project::new();
    let help = |args: &[&str]| {
        let run = run_with(&it, args, &[("COLUMNS", "100")]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        assert!(run.stdout.lines().all(|l| l.chars().count() <= 100), "{}", run.stdout);
        run.stdout
    };
    let all = help(&["--help"]);
    let commands: Vec<&str> = all
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter_map(|l| l.strip_prefix("  ")?.split(' ').next().filter(|w| !w.is_empty()))
        .collect();
    assert!(commands.contains(&"build") && commands.contains(&"explain"), "{commands:?}");
    insta::assert_snapshot!("help", all);
    for command in commands.iter().filter(|c| **c != "help") {
        let text = help(&[command, "--help"]);
        assert_eq!(text, help(&["help", command]));
        insta::assert_snapshot!(format!("help-{command}"), text);
    }
}
