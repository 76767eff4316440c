//! What build servers run: ci/review on a change, ci/comment with a `gh` that only writes down what it is asked.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{PROFILE, Project, Run, root};

const MANIFEST: &str = "[inputs]\nis_git = { type = \"bool\", lifetime = \"session\" }\n\n[[section]]\nid = \"a\"\nzone = \"static\"\ntext = \"You help.\"\n\n[[section]]\nid = \"b\"\nzone = \"dynamic\"\nwhen = \"is_git\"\ntext = \"Read the log.\"\n";

fn bash(folder: &Path, script: &str, variables: &[(&str, &str)]) -> Run {
    let run = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .env("PROMPTC", env!("CARGO_BIN_EXE_promptc"))
        .env("SOURCE", root())
        .envs(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"].map(|name| (name, "/dev/null")))
        .envs([
            ("GIT_AUTHOR_NAME", "a"),
            ("GIT_AUTHOR_EMAIL", "a@b"),
            ("GIT_COMMITTER_NAME", "a"),
            ("GIT_COMMITTER_EMAIL", "a@b"),
        ])
        .env_remove("PROMPTC_BASE")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Run {
        code: run.status.code().unwrap(),
        stdout: String::from_utf8(run.stdout).unwrap(),
        stderr: String::from_utf8(run.stderr).unwrap(),
    }
}

/// A repository with the project in a folder, one commit, and its id.
fn repository() -> (Project, String) {
    let project = Project::new();
    project.write("agents/prompts/main.toml", MANIFEST);
    project.write("agents/profiles/main.toml", PROFILE);
    let run = bash(&project.path(""), "git init -q && git add . && git commit -qm one && git rev-parse HEAD", &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    (project, run.stdout.trim().to_owned())
}

fn review(project: &Project, variables: &[(&str, &str)]) -> Run {
    bash(&project.path(""), "bash \"$SOURCE/ci/review\"", &[&[("PROMPTC_ROOT", "agents")], variables].concat())
}

fn read(project: &Project, name: &str) -> String {
    fs::read_to_string(project.path("promptc-review").join(name)).unwrap()
}

#[test]
fn a_review_has_the_change_and_the_findings() {
    let (project, base) = repository();
    let run = review(&project, &[("PROMPTC_BASE", &base)]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(read(&project, "review.md").starts_with("<!-- promptc review -->\n<!-- promptc diff -->\n"));

    // The same bytes for everybody become two: the compiler refuses that already.
    project.write(
        "agents/prompts/main.toml",
        MANIFEST.replace("text = \"You help.\"", "text = \"You help.{% if is_git %} Git.{% endif %}\""),
    );
    let run = review(&project, &[("PROMPTC_BASE", &base), ("PROMPTC_FORMAT", "github")]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("::error file=agents/prompts/main.toml,line=7,"), "{}", run.stdout);
    for (file, part) in [
        ("review.md", "`static-conditional` in `agents/prompts/main.toml:7:"),
        ("promptc.sarif", "\"uri\": \"agents/prompts/main.toml\""),
        ("promptc.xml", "type=\"static-conditional\""),
        ("gitlab.json", "\"check_name\": \"static-conditional\""),
    ] {
        assert!(read(&project, file).contains(part), "{file}: {}", read(&project, file));
    }
    serde_json::from_str::<Value>(&read(&project, "promptc.sarif")).unwrap();
    assert!(!project.path("promptc-review/lint.md").exists() && !project.path("promptc-review/diff.md").exists());
}

#[test]
fn a_change_that_shares_less_fails_until_somebody_says_otherwise() {
    let (project, base) = repository();
    // A section that was shared by all is computed for each session now.
    let moved = MANIFEST.replace("zone = \"static\"", "zone = \"dynamic\"");
    project.write("agents/prompts/main.toml", moved);
    let base = [("PROMPTC_BASE", base.as_str())];
    let run = review(&project, &base);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(read(&project, "review.md").contains("(`demote`)"), "{}", read(&project, "review.md"));
    let run = review(&project, &[&base[..], &[("PROMPTC_LINT_ARGS", "--warn section-demoted")]].concat());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    // Nothing to compare with: the first push of a branch.
    for none in ["", "0000000000000000000000000000000000000000"] {
        assert_eq!(review(&project, &[("PROMPTC_BASE", none)]).code, 0);
        assert!(read(&project, "review.md").starts_with("<!-- promptc review -->\n### promptc: "));
    }
    let run = review(&project, &[("PROMPTC_LINT_ARGS", "--deny no-such-rule")]);
    assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
    assert!(!project.path("promptc-review/review.md").exists(), "nothing of an earlier run is left");
}

/// A checkout as build servers make it has one commit; the base is fetched.
#[test]
fn a_base_that_is_not_there_is_fetched() {
    let (project, base) = repository();
    project.write("agents/prompts/main.toml", MANIFEST.replace("You help.", "You help a lot."));
    let script = "git commit -qam two && git config uploadpack.allowAnySHA1InWant true && git clone -q --depth=1 \"file://$PWD\" shallow";
    assert_eq!(bash(&project.path(""), script, &[]).code, 0);
    let run = bash(
        &project.path("shallow"),
        "bash \"$SOURCE/ci/review\" && cat promptc-review/review.md",
        &[("PROMPTC_ROOT", "agents"), ("PROMPTC_BASE", &base)],
    );
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("fetching ") && run.stdout.contains("(`rewrite`)"), "{}", run.stdout);
}

#[test]
fn long_findings_are_cut_at_a_line() {
    let (project, _) = repository();
    let keys: String = (0..200).map(|n| format!("qqqqqqqqqqqqqq_{n} = 1\n")).collect();
    project.write("agents/prompts/main.toml", format!("{keys}{MANIFEST}"));
    assert_eq!(review(&project, &[]).code, 1);
    let text = read(&project, "review.md");
    assert!(text.len() < 5_000 && text.contains(" lines more are in the log.\n"), "{text}");
    assert!(text.lines().all(|line| line.matches('`').count() % 2 == 0), "{text}");
}

#[test]
fn a_pull_request_has_one_comment() {
    let project = Project::new();
    project.write("review.md", "<!-- promptc review -->\n### promptc: no findings\n");
    project.write("none.md", "### promptc: no findings\n");
    // Answers the question for comments with what the file `ids` says.
    project
        .write("bin/gh", "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$LOG\"\ncase \"$*\" in *--jq*) cat \"$IDS\" ;; esac\n");
    fs::set_permissions(project.path("bin/gh"), fs::Permissions::from_mode(0o755)).unwrap();
    let comment = |ids: &str, file: &str| {
        project.write("ids", ids);
        project.write("log", "");
        let path = format!("{}:{}", project.path("bin").display(), std::env::var("PATH").unwrap());
        let (log, ids) = (project.path("log").display().to_string(), project.path("ids").display().to_string());
        let variables = [
            ("PATH", path.as_str()),
            ("LOG", &log),
            ("IDS", &ids),
            ("REPOSITORY", "a/b"),
            ("NUMBER", "12"),
            ("GH_TOKEN", "x"),
        ];
        let run = bash(&project.path(""), &format!("bash \"$SOURCE/ci/comment\" {file}"), &variables);
        (run.code, fs::read_to_string(project.path("log")).unwrap())
    };
    let (code, asked) = comment("", "review.md");
    assert_eq!(code, 0);
    let lines: Vec<&str> = asked.lines().collect();
    assert!(
        lines[0].starts_with("api --paginate repos/a/b/issues/12/comments --jq ")
            && lines[0].contains("<!-- promptc review -->")
    );
    assert_eq!(lines[1..], ["api --silent --method POST repos/a/b/issues/12/comments --field body=@review.md"]);
    let (code, asked) = comment("77\n78\n", "review.md");
    assert_eq!(code, 0);
    assert!(
        asked.ends_with("api --silent --method PATCH repos/a/b/issues/comments/77 --field body=@review.md\n"),
        "{asked}"
    );
    assert_eq!(
        comment("", "none.md"),
        (2, String::new()),
        "a comment without a marker would be posted again and again"
    );
}
