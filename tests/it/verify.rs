//! `promptc verify`: output against goldens of other tools, byte for byte.

use std::fs;

use serde_json::Value;

use crate::support::{PROFILE, Project, Run, root, run_in};

const MANIFEST: &str = r#"
[inputs]
cwd   = { type = "string", lifetime = "session" }
hints = { type = "bool",   lifetime = "session", default = false }

[[section]]
id = "identity"
zone = "static"
body = "identity.md"

[[section]]
id = "hints"
zone = "dynamic"
when = "hints"
text = "Give hints."

[[section]]
id = "place"
zone = "dynamic"
text = "You are in {{ cwd }}.\nStay there."
"#;

const IDENTITY: &str = "You are Pip.\n\n# Rules\n\n- Read first.\n- Then write.\n";

/// The text of both fixtures; neither ends in a newline.
const GIT_REPO: &str = "You are Pip.\n\n# Rules\n\n- Read first.\n- Then write.\n\nYou are in /srv/app.\nStay there.";
const EMPTY_FOLDER: &str =
    "You are Pip.\n\n# Rules\n\n- Read first.\n- Then write.\n\nGive hints.\n\nYou are in /tmp/x.\nStay there.";

fn project() -> Project {
    let fixture = |name: &str| format!("\n[[fixture]]\nname = \"{name}\"\ncontext = \"fixtures/{name}.json\"\n");
    Project::of(MANIFEST)
        .file("profiles/main.toml", [PROFILE, &fixture("git-repo"), &fixture("empty-folder")].concat())
        .file("prompts/identity.md", IDENTITY)
        .file("fixtures/git-repo.json", r#"{ "cwd": "/srv/app" }"#)
        .file("fixtures/empty-folder.json", r#"{ "cwd": "/tmp/x", "hints": true }"#)
}

fn verify(project: &Project, args: &[&str]) -> Run {
    project.run(&[&["verify", "main", "--against"], args].concat())
}

fn json(project: &Project, args: &[&str]) -> Value {
    let run = verify(project, &[args, &["--format", "json"]].concat());
    assert!(run.code < 2, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_folder_has_a_golden_for_each_fixture() {
    let project = project().file("goldens/git-repo.txt", GIT_REPO).file("goldens/empty-folder.md", EMPTY_FOLDER);
    let run = verify(&project, &["goldens"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "same  git-repo      goldens/git-repo.txt\n\
         same  empty-folder  goldens/empty-folder.md\n\
         \n2 compared: 2 same, 0 different\n"
    );
}

#[test]
fn a_difference_is_shown_with_its_section_and_line() {
    let golden = GIT_REPO.replace("Then write", "Then run").replace("Stay there.", "Stay.");
    let project = project().file("goldens/git-repo.txt", golden).file("goldens/empty-folder.txt", EMPTY_FOLDER);
    let run = verify(&project, &["goldens"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(
        run.stdout,
        "differs  git-repo      goldens/git-repo.txt\n\
         same     empty-folder  goldens/empty-folder.txt\n\
         \n\
         git-repo differs from goldens/git-repo.txt at byte 44, line 6, column 8\n\
         \n\
         in `identity` (prompts/identity.md:6), in `place` (prompts/main.toml:20)\n\
         \x20\n\
         \x20 - Read first.\n\
         - - Then run.\n\
         + - Then write.\n\
         \x20\n\
         \x20 You are in /srv/app.\n\
         - Stay.\n\
         + Stay there.\n\
         \n2 compared: 1 same, 1 different\n"
            .replace("\n \n", "\n\n")
    );
    let document = json(&project, &["goldens"]);
    let check = &document["checks"][0];
    assert_eq!(
        (&check["verdict"], &check["byte"], &check["line"], &check["column"]),
        (&Value::from("differs"), &Value::from(44), &Value::from(6), &Value::from(8))
    );
    let sections = check["changes"][0]["sections"].as_array().unwrap();
    assert_eq!(sections[0]["id"], "identity");
    assert_eq!((&sections[0]["path"], &sections[0]["line"]), (&Value::from("prompts/identity.md"), &Value::from(6)));
    assert_eq!(document["summary"], serde_json::json!({"compared": 2, "same": 1, "different": 1, "missing": 0}));
}

#[test]
fn what_stands_between_sections_belongs_to_none() {
    let project = project().file("golden.txt", GIT_REPO.replace("write.\n\n", "write.\n"));
    let run = verify(&project, &["golden.txt", "--context", "git-repo"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("\nbehind `identity` (prompts/main.toml:7)\n"), "{}", run.stdout);
}

#[test]
fn bytes_that_are_no_text_are_told_as_such() {
    let crlf = GIT_REPO.replace('\n', "\r\n");
    for (golden, words) in [
        (format!("{GIT_REPO}\n"), "the golden ends in a newline that the output has not"),
        (crlf.clone(), "the golden has carriage returns in its line ends"),
        (format!("\u{feff}{GIT_REPO}"), "the golden begins with a byte order mark"),
        (
            format!("\u{feff}{crlf}\r\n"),
            "the golden begins with a byte order mark, and the golden has carriage returns in its line ends, and the \
             golden ends in a newline that the output has not",
        ),
    ] {
        let project = project().file("git-repo.txt", golden);
        let run = verify(&project, &["git-repo.txt"]);
        assert_eq!(run.code, 1);
        let want = format!("\ngit-repo differs from git-repo.txt in nothing but its bytes: {words}\n");
        assert!(run.stdout.contains(&want), "{}", run.stdout);
    }
    let ended =
        project().file("prompts/main.toml", MANIFEST.replace("Stay there.\"", "Stay there.\\n\"\ntrim = \"none\""));
    ended.write("git-repo.txt", GIT_REPO);
    let run = verify(&ended, &["git-repo.txt"]);
    assert!(run.stdout.contains("the output ends in a newline that the golden has not"), "{}", run.stdout);
}

#[test]
fn insta_files_are_read() {
    let snap = |text: &str| format!("---\nsource: src/prompt.rs\nexpression: prompt\n---\n{text}\n");
    let project = project()
        .file("snaps/app__prompt__git_repo.snap", snap(GIT_REPO))
        .file("snaps/app__prompt__empty_folder.snap", snap(&EMPTY_FOLDER.replace("hints", "no hints")))
        .file("snaps/app__other.snap", snap("x"));
    let run = verify(&project, &["snaps"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("same     git-repo      snaps/app__prompt__git_repo.snap\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\n- Give no hints.\n+ Give hints.\n"), "{}", run.stdout);
    assert!(run.stderr.ends_with("is called so: snaps/app__other.snap\n"), "{}", run.stderr);
}

#[test]
fn exports_of_vitest_and_jest_are_read() {
    let literal = |text: &str| text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    let special = "\n\n`${x}` is \\ \"quoted\".\n\n";
    let project = project().file("prompts/identity.md", IDENTITY.replace("\n\n# Rules\n\n", special));
    let [git_repo, empty] = [GIT_REPO, EMPTY_FOLDER].map(|text| text.replace("\n\n# Rules\n\n", special));
    project.write(
        "prompt.test.ts.snap",
        format!(
            "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\n\
             exports[`prompts > git repo 1`] = `\n\"{}\"\n`;\n\nexports[`prompts > empty-folder 1`] = `\n\"{}\"\n`;\n\n\
             exports[`prompts > else 1`] = `3`;\n",
            literal(&git_repo),
            literal(&empty.replace('"', "\\\"")),
        ),
    );
    let run = verify(&project, &["prompt.test.ts.snap"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("same  git-repo      prompt.test.ts.snap `prompts > git repo`\n"), "{}", run.stdout);
    project.write("bad.snap", "exports[`git-repo 1`] = `${x}`;\n");
    let run = verify(&project, &["bad.snap"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`bad.snap`: an export has a placeholder"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_compared_is_said_with_a_way_out() {
    let project = project().file("one.txt", GIT_REPO).file("none/readme.txt", "").file("two/git-repo.txt", "");
    project.write("two/git-repo.md", "");
    project.write("one/git-repo.txt", GIT_REPO);
    for (args, words) in [
        (&["one.txt"][..], "error: `one.txt` is one golden, and `main` has 2 artifacts\n  help: name the fixture"),
        (
            &["none"],
            "error: `none` has no golden for any artifact of `main`\n  help: name goldens after fixtures: git-repo",
        ),
        (&["two"], "error: `git-repo` has 2 goldens: two/git-repo.md, two/git-repo.txt\n"),
        (&["gone"], "error: there is no file and no folder `gone`\n"),
    ] {
        let run = verify(&project, args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
    }
    // A fixture without a golden is a finding: what was not compared was not verified.
    let run = verify(&project, &["one"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.starts_with("same       git-repo      one/git-repo.txt\nno golden  empty-folder  -\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("\n1 compared: 1 same, 0 different; 1 without a golden\n"), "{}", run.stdout);
}

#[test]
fn hostile_goldens_do_no_harm() {
    let project = project();
    project.write("git-repo.txt", b"You are \xff");
    let run = verify(&project, &["git-repo.txt"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("git-repo.txt: the golden is not UTF-8 from byte 8 on\n"), "{}", run.stdout);

    project.write("git-repo.txt", format!("{GIT_REPO}\u{1b}[2J\u{202e}"));
    let run = verify(&project, &["git-repo.txt"]);
    assert!(run.stdout.contains("Stay there.\\u{1b}[2J\\u{202e}"), "{}", run.stdout);

    project.write("git-repo.txt", "");
    assert_eq!(verify(&project, &["git-repo.txt"]).code, 1);

    project.write("git-repo.txt", vec![b'x'; (16 << 20) + 1]);
    let run = verify(&project, &["git-repo.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("it has more than 16 MiB"), "{}", run.stderr);

    // Very many different lines: a bounded time, and nothing left out without a word.
    project.write("git-repo.txt", "x\n".repeat(1 << 17));
    let run = verify(&project, &["git-repo.txt"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("\n- x\n- x\n"));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_a_folder_of_goldens() {
    let project = project().file("outside.txt", GIT_REPO).file("goldens/empty-folder.txt", EMPTY_FOLDER);
    std::os::unix::fs::symlink("../outside.txt", project.path("goldens/git-repo.txt")).unwrap();
    let run = verify(&project, &["goldens"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`goldens/git-repo.txt`: it is a link that leads out of the folder"), "{}", run.stderr);
}

#[test]
fn a_profile_that_waits_for_nothing_has_a_golden_of_its_own_name() {
    let project =
        Project::of("[[section]]\nid = \"a\"\nzone = \"static\"\ntext = \"A.\"\n").file("goldens/main.txt", "A.");
    assert_eq!(verify(&project, &["goldens"]).code, 0);
    assert_eq!(verify(&project, &["goldens/main.txt"]).code, 0);
    project.write("any.md", "B.");
    let run = verify(&project, &["any.md"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("differs  main  any.md\n"), "{}", run.stdout);
}

#[test]
fn a_broken_project_is_told_before_anything_is_compared() {
    let project = project().file("prompts/identity.md", "{{ nope }}").file("git-repo.txt", GIT_REPO);
    let run = verify(&project, &["git-repo.txt"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("error[undefined-input]"), "{}", run.stderr);
}

#[test]
fn json_is_what_its_schema_says() {
    let text = fs::read_to_string(root().join("schemas/verify.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let project = project()
        .file("goldens/git-repo.txt", GIT_REPO.replace("Pip", "Pop").replace("write.\n", "write.\n\nMore."))
        .file("goldens/x.txt", "");
    for golden in [GIT_REPO.to_owned(), format!("{GIT_REPO}\n"), "\u{fffd}".to_owned()] {
        project.write("other/git-repo.txt", golden);
        for folder in ["goldens", "other"] {
            let document = json(&project, &[folder]);
            let wrong: Vec<String> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
            assert!(wrong.is_empty(), "{wrong:#?}");
        }
    }
}

/// Goldens that the authors of a public agent keep for theirs.
#[test]
fn goldens_of_a_real_agent_are_the_same() {
    let project = root().join("../shared/acceptance/goose/project");
    if !project.is_dir() {
        #[expect(clippy::print_stdout, reason = "whoever runs the tests should know what did not run")]
        {
            println!("skipped: no ../shared");
        }
        return;
    }
    let run = run_in(&project, &["verify", "goose", "--against", "expected"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.ends_with("5 compared: 5 same, 0 different\n"), "{}", run.stdout);
}
