//! Tiny projects in a folder of their own, and the program run on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A project in a temporary folder.
pub struct Project {
    dir: tempfile::TempDir,
}

/// What a run of the program gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A profile that needs nothing but the prompt `main`.
pub const PROFILE: &str = "[target]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\nshared_scope = true\n\n[chain]\ndefault = { prompt = \"main\" }\n";

impl Project {
    /// An empty project with `prompts/` and `profiles/`.
    pub fn new() -> Project {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("prompts")).unwrap();
        fs::create_dir_all(dir.path().join("profiles")).unwrap();
        Project { dir }
    }

    /// A project of one prompt `main` and one profile `main`.
    pub fn of(manifest: &str) -> Project {
        Project::new().file("prompts/main.toml", manifest).file("profiles/main.toml", PROFILE)
    }

    /// Adds or replaces a file.
    pub fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Project {
        self.write(path, bytes);
        self
    }

    /// Adds or replaces a file.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Adds or replaces a file in one step: nobody sees half of it.
    pub fn replace(&self, path: &str, bytes: impl AsRef<[u8]>) {
        self.write("new", bytes);
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::rename(self.path("new"), path).unwrap();
    }

    /// A path in the project.
    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Runs the program in the project's root.
    pub fn run(&self, args: &[&str]) -> Run {
        run_in(self.dir.path(), args)
    }

    /// Builds the profile `main` to stdout and parses the blocks.
    pub fn blocks(&self, args: &[&str]) -> serde_json::Value {
        let run = self.run(&[&["build", "main", "-o", "-"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    }
}

/// Runs the program in a folder.
pub fn run_in(folder: &Path, args: &[&str]) -> Run {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_promptc"))
        .args(args)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    assert!(!String::from_utf8_lossy(&stderr).contains("internal error"), "{}", String::from_utf8_lossy(&stderr));
    Run {
        code: status.code().expect("the program is never ended by a signal"),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Says why a test does nothing here.
#[expect(clippy::print_stdout, reason = "whoever runs the tests should know what did not run")]
pub fn skipped(why: &str) {
    println!("skipped: {why}");
}
