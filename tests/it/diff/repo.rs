//! A git repository in a temporary folder, and `diff` run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Run, run_in};

/// A repository with a project at `root`.
pub struct Repo {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Repo {
    /// An empty repository whose project is at its top.
    pub fn new() -> Repo {
        Repo::at("")
    }

    /// An empty repository whose project is in a folder of it.
    pub fn at(folder: &str) -> Repo {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join(folder);
        fs::create_dir_all(&root).unwrap();
        let repo = Repo { folder: dir, root };
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    /// Runs git in the top folder; what it prints, without the last line end.
    pub fn git(&self, args: &[&str]) -> String {
        git(self.folder.path(), args)
    }

    /// The folder of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the repository.
    pub fn top(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file of the project.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A file of the project.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Puts something else where something stands, which must be there once.
    pub fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert_eq!(text.matches(old).count(), 1, "{path}: {old}");
        self.write(path, text.replace(old, new));
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs `promptc` in the project.
    pub fn run(&self, args: &[&str]) -> Run {
        run_in(&self.root, args)
    }

    /// The comparison as JSON, which is valid.
    pub fn json(&self, args: &[&str]) -> Value {
        let run = self.run(&[&["diff", "--format", "json"], args].concat());
        assert!(run.code < 2, "{}", run.stderr);
        valid(&run.stdout)
    }
}

/// Runs git as a person would, whose own settings do not matter here.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"])
        .args(["-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false"])
        .args(args)
        .current_dir(folder)
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// A document of the format.
pub fn valid(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap();
    let schema: Value = serde_json::from_str(&promptc::report::schema("diff").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    document
}

/// A profile of a comparison.
pub fn profile<'v>(document: &'v Value, name: &str) -> &'v Value {
    let all = document["profiles"].as_array().unwrap();
    all.iter().find(|p| p["profile"] == name).unwrap_or_else(|| panic!("no {name} in {document:#}"))
}

/// A section of a profile.
pub fn section<'v>(profile: &'v Value, id: &str) -> &'v Value {
    let all = profile["sections"].as_array().unwrap();
    all.iter().find(|s| s["id"] == id).unwrap_or_else(|| panic!("no {id} in {profile:#}"))
}

/// Each section to which something happened, as `id change`, with what else happened to it.
pub fn changes(profile: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let all = profile["sections"].as_array().unwrap().iter().filter(|s| s["change"] != "unchanged");
    all.map(|s| {
        let also: Vec<String> = s["also"].as_array().unwrap().iter().map(word).collect();
        format!("{} {}", word(&s["id"]), [vec![word(&s["change"])], also].concat().join("+"))
    })
    .collect()
}

/// The causes, as `class name section`.
pub fn causes(profile: &Value) -> Vec<String> {
    let all = profile["causes"].as_array().unwrap().iter();
    all.map(|c| {
        let word = |key: &str| c[key].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}", word("class"), word("name"), word("section"))
    })
    .collect()
}
