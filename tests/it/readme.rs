//! The documents are true: what their `console` fences show is what the program prints.
//!
//! Fences run one after the other in one folder. A `toml` fence whose first line is `# PATH` is that file, with
//! `, at the end` it is added to that file. UPDATE=1 writes the outputs anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::root;

/// Documents that begin in an empty folder, and those that begin in the repository.
const IN_AN_EMPTY_FOLDER: [&str; 7] = [
    "README.md",
    "docs/guide/lifetimes-and-zones.md",
    "docs/guide/diff.md",
    "docs/guide/editors.md",
    "docs/guide/formats.md",
    "docs/guide/migration.md",
    "docs/guide/snapshots.md",
];
const IN_THE_REPOSITORY: [&str; 2] = ["docs/guide/chain.md", "docs/guide/blocks.md"];

struct Shell {
    folder: PathBuf,
    /// The exit code of the last command, for `$?`.
    last: i32,
}

impl Shell {
    fn run(&mut self, command: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_promptc")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let script = format!("(exit {}); {command}\ncode=$?; printf '\\001%s' \"$PWD\"; exit $code", self.last);
        let run = Command::new("bash")
            .args(["-c", &format!("exec 2>&1; {script}")])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("NO_COLOR", "1")
            // Commits have the same ids on every run.
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "Ann")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "ann@example.com")))
            .envs(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].map(|name| (name, "2026-11-30T12:00:00Z")))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env_remove("GIT_DIR")
            .env_remove("COLUMNS")
            .output()
            .unwrap();
        self.last = run.status.code().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        let (output, folder) = text.rsplit_once('\u{1}').unwrap();
        self.folder = PathBuf::from(folder);
        output.trim_end_matches('\n').lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    fn write(&self, heading: &str, body: &str) {
        let (path, adds) = match heading.strip_suffix(", at the end") {
            Some(path) => (path, true),
            None => (heading, false),
        };
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let before = if adds { format!("{}\n", fs::read_to_string(&path).unwrap()) } else { String::new() };
        fs::write(path, before + body).unwrap();
    }
}

/// The document with every output as it is now.
fn replay(document: &str, folder: PathBuf) -> String {
    let mut shell = Shell { folder, last: 0 };
    let mut out = String::new();
    let mut lines = document.split_inclusive('\n');
    while let Some(line) = lines.next() {
        out.push_str(line);
        let fence = line.trim_end();
        if fence != "```console" && fence != "```toml" {
            continue;
        }
        let body: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != "```").collect();
        if fence == "```console" {
            for command in body.iter().filter(|line| line.starts_with("$ ")) {
                out.push_str(command);
                out.push_str(&shell.run(command[2..].trim_end()));
            }
        } else {
            let heading = body[0].trim_end().strip_prefix("# ").filter(|h| h.contains(".toml"));
            heading.iter().for_each(|h| shell.write(h, &body.concat()));
            out.extend(body);
        }
        out.push_str("```\n");
    }
    out
}

#[cfg(unix)]
#[test]
fn documents_show_what_the_program_prints() {
    let mut stale = Vec::new();
    for name in IN_AN_EMPTY_FOLDER.into_iter().chain(IN_THE_REPOSITORY) {
        let path = root().join(name);
        let document = fs::read_to_string(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        if IN_THE_REPOSITORY.contains(&name) {
            // A copy of what the guides build, so that a test writes nothing into the repository.
            for part in ["prompts", "profiles", "fixtures"] {
                copy(&root().join(part), &folder.path().join(part));
            }
        }
        let now = replay(&document, folder.path().to_owned());
        if now != document {
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&path, now).unwrap();
            } else {
                let differs = document.lines().zip(now.lines()).find(|(a, b)| a != b);
                stale.push(format!("{name}: {differs:?}"));
            }
        }
    }
    assert!(stale.is_empty(), "{}\nrefresh: UPDATE=1 cargo test --test it readme", stale.join("\n"));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
