//! A repository that wants to do harm: nothing of it is run, and nothing outside of it is read.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::repo::{Repo, git, profile};
use crate::support::Run;

const MANIFEST: &str = "[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n";
const PROFILE: &str =
    "[target]\nprovider = \"openai\"\nmodel = \"gpt-5.5\"\n[chain]\ndefault = { prompt = \"main\" }\n";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("prompts/main.toml", MANIFEST);
    repo.write("prompts/s.md", "one\n");
    repo.write("profiles/main.toml", PROFILE);
    repo.commit("first");
    repo
}

#[test]
fn options_are_no_revisions() {
    let repo = repo();
    for name in ["--output=stolen", "--help", "-p", "--upload-pack=touch stolen", ""] {
        let run = repo.run(&["diff", "--", name]);
        assert_eq!(run.code, 2, "{name}: {}", run.stdout);
        assert!(run.stderr.contains(&format!("`{name}` is no revision")), "{}", run.stderr);
        assert_eq!(repo.run(&["diff", "--", "HEAD", name]).code, 2, "{name}");
    }
    assert_eq!(fs::read_dir(repo.top()).unwrap().count(), 3);
}

#[cfg(unix)]
#[test]
fn no_program_of_the_repository_is_run() {
    use std::os::unix::fs::PermissionsExt;
    let repo = repo();
    repo.write("prompts/s.md", "two\n");
    // Each would leave a file.
    let script = repo.top().join("evil.sh");
    fs::write(&script, format!("#!/bin/sh\ntouch '{}/ran'\ncat\n", repo.top().display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let evil = script.to_str().unwrap();
    for hook in ["post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"] {
        let path = repo.top().join(".git/hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(&script, path).unwrap();
    }
    for (key, value) in [
        ("core.fsmonitor", evil),
        ("core.pager", evil),
        ("pager.cat-file", evil),
        ("core.editor", evil),
        ("core.sshCommand", evil),
        ("core.gitProxy", evil),
        ("core.alternateRefsCommand", evil),
        ("diff.evil.textconv", evil),
        ("diff.evil.command", evil),
        ("diff.external", evil),
        ("filter.evil.smudge", evil),
        ("filter.evil.clean", evil),
        ("filter.evil.process", evil),
        ("alias.rev-parse", "!touch ran"),
        ("remote.origin.url", &format!("ext::{evil}")),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
        ("extensions.partialClone", "origin"),
        ("protocol.ext.allow", "always"),
    ] {
        git(repo.top(), &["config", key, value]);
    }
    repo.write(".git/info/attributes", "* diff=evil filter=evil\n");
    repo.write(".gitattributes", "* diff=evil filter=evil\n");
    fs::remove_file(repo.top().join("ran")).ok();
    let found = repo.json(&["HEAD"]);
    assert_eq!(found["class"], "rewrite");
    assert!(!repo.top().join("ran").exists(), "a program was run");

    // An object that is not there is not fetched: a fetch would run the remote's program.
    let blob = git(repo.top(), &["-c", "core.fsmonitor=false", "rev-parse", "HEAD:prompts/s.md"]);
    let object = repo.top().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    fs::remove_file(repo.top().join("ran")).ok();
    fs::remove_file(object).unwrap();
    let run = repo.run(&["diff", "HEAD"]);
    assert!(run.stderr.contains("cannot be read: this clone does not have it"), "{}", run.stderr);
    assert!(run.stdout.contains("main  the base does not compile\n"), "{}", run.stdout);
    assert!(!repo.top().join("ran").exists(), "a program was run");
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    use std::os::unix::fs::symlink;
    let repo = repo();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "the secret").unwrap();
    fs::remove_file(repo.root().join("prompts/s.md")).unwrap();
    for target in [outside.path().join("secret.md").to_str().unwrap(), "../../secret.md", "../.git/config"] {
        symlink(target, repo.root().join("prompts/s.md")).unwrap();
        repo.commit("a link");
        fs::remove_file(repo.root().join("prompts/s.md")).unwrap();
        repo.write("prompts/s.md", "one\n");
        let run = repo.run(&["diff", "HEAD"]);
        assert!(!run.stdout.contains("secret") && !run.stdout.contains("[core]"), "{}", run.stdout);
        // `.git` is in no commit.
        let why = if target.starts_with("../.git") { "there is no file" } else { "leads out of the project" };
        assert!(run.stderr.contains(why), "{target}: {}", run.stderr);
        assert!(run.stdout.contains("the base does not compile"), "{}", run.stdout);
        fs::remove_file(repo.root().join("prompts/s.md")).unwrap();
    }
}

#[test]
fn files_that_are_too_large_or_no_text_are_said() {
    let repo = repo();
    repo.write("prompts/s.md", "x".repeat((16 << 20) + 1));
    repo.commit("large");
    repo.write("prompts/s.md", b"no \xff text");
    repo.commit("no text");
    repo.write("prompts/s.md", "one\n");
    for (base, why) in [("HEAD~1", "has 16777217 bytes"), ("HEAD", "is not UTF-8: bad byte at offset 3")] {
        let run = repo.run(&["diff", base]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(why), "{}", run.stderr);
        assert!(run.stdout.contains("main  the base does not compile\n"), "{}", run.stdout);
        let run = repo.run(&["diff", base, "HEAD"]);
        assert_eq!(run.code, 1, "the head does not compile");
    }
    // A file below the limit, all of it other, takes no time worth speaking of, and is not printed whole.
    repo.write("prompts/s.md", (0..200_000).map(|n| format!("line {n}\n")).collect::<String>());
    repo.commit("long");
    repo.write("prompts/s.md", (0..200_000).map(|n| format!("row {n}\n")).collect::<String>());
    let run = repo.run(&["diff", "HEAD"]);
    assert!(run.stdout.contains("too long to show: ") && run.stdout.len() < 4000, "{}", run.stdout);
}

#[test]
fn texts_do_not_move_the_cursor() {
    let repo = repo();
    repo.write("prompts/s.md", "one \u{1b}[2J\u{202e}two\n");
    repo.write("profiles/x\u{1b}]0;y\u{7}.toml", PROFILE);
    for format in ["text", "markdown"] {
        let run: Run = repo.run(&["diff", "HEAD", "--format", format]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let bad = run.stdout.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(bad, None, "{format}");
        assert!(run.stdout.contains("\\u{1b}[2J"), "{}", run.stdout);
    }
    // A branch may have any name that git allows.
    repo.git(&["branch", "a|b`c<d@e"]);
    let run = repo.run(&["diff", "a|b`c<d@e", "--format", "markdown"]);
    assert!(run.stdout.contains("against ``a\\u{7c}b`c<d@e ("), "{}", run.stdout);
}

#[test]
fn the_same_bytes_on_every_run_whatever_git_is_told() {
    let repo = repo();
    repo.write("prompts/s.md", "two\n");
    let run = |variables: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_promptc"))
            .args(["diff", "HEAD", "--format", "json"])
            .current_dir(repo.root())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = run(&[]);
    let settings = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.quotePath"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_LITERAL_PATHSPECS", "1"),
    ];
    let surroundings = [
        ("LC_ALL", "de_DE.UTF-8"),
        ("GIT_PAGER", "cat -n"),
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_TRACE2_EVENT", "0"),
        ("TZ", "Asia/Tokyo"),
    ];
    assert_eq!(run(&settings), plain);
    assert_eq!(run(&surroundings), plain);
    let found: serde_json::Value = serde_json::from_str(&plain).unwrap();
    assert_eq!((&found["head"], &profile(&found, "main")["class"]), (&json!(null), &json!("rewrite")));
    assert_eq!(found["base"].as_str().unwrap().len(), 40);
}
