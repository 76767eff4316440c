//! What a run does to the machine that it runs on, seen from outside: which programs it starts, which files it opens, and
//! whether it asks for a socket. And the page that promises it: docs/security.md names a test for each promise.

use std::fs;
use std::path::Path;

use crate::support::{root, skipped};

/// A line of strace: `123 openat(AT_FDCWD, "path", O_RDONLY) = 3`.
#[cfg(target_os = "linux")]
struct Call<'t> {
    name: &'t str,
    args: &'t str,
}

#[cfg(target_os = "linux")]
impl<'t> Call<'t> {
    fn of(line: &'t str) -> Option<Call<'t>> {
        let (head, args) = line.split_once('(')?;
        Some(Call { name: head.rsplit(' ').next()?, args })
    }

    /// The path that it is about, its first string.
    fn path(&self) -> &'t str {
        self.args.split('"').nth(1).unwrap_or_default()
    }

    fn writes(&self) -> bool {
        ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| self.args.contains(flag))
    }
}

/// A repository that wants to do harm, in every part that comes with a pull request.
#[cfg(target_os = "linux")]
fn hostile(top: &Path) {
    let write = |path: &str, text: &str| {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let done = std::process::Command::new("git").arg("-C").arg(top).args(identity).args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    let section = "[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n";
    write("prompts/main.toml", section);
    write("prompts/s.md", "one\n");
    write("prompts/agents/a.md", "---\nname: a\n---\n{% include '/etc/passwd' ignore missing %}");
    let profile =
        crate::support::PROFILE.to_owned() + "agent = { from = \"agents\", name = \"a\", when = \"false\" }\n";
    write("profiles/main.toml", &(profile + "[[fixture]]\nname = \"f\"\ncontext = \"f.yaml\"\n"));
    write("f.yaml", "{}\n");
    write("promptc.toml", "[lints]\nblank-section = \"warn\"\n");
    write(".gitattributes", "* diff=evil filter=evil merge=evil\n");
    write(".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ext::touch% ran\n\tupdate = !touch ran\n");
    write("promptc-review/.keep", "");
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "one"]);
    write("prompts/s.md", "two\n{% include '../../../../etc/passwd' ignore missing %}\n");
    std::os::unix::fs::symlink("/etc", top.join("prompts/etc")).unwrap();
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "$(touch ran) `touch ran` ; touch ran"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_starts_git_alone_opens_the_project_alone_and_asks_for_no_socket() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap().join("project");
    fs::create_dir(&top).unwrap();
    let log = folder.path().join("log");
    let strace = |args: &[&str]| {
        let calls = "--trace=execve,execveat,openat,open,creat,openat2,socket,connect,bind,sendto,unlink,unlinkat,rename,renameat,renameat2,mkdir,link,linkat,symlink";
        let mut command = Command::new("strace");
        command.args(["--follow-forks", "--quiet=all", "--string-limit=400", calls, "-o"]).arg(&log).args(args);
        // What a person's own git is set to is no part of the project.
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.current_dir(&top).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    if !strace(&["true"]).is_ok_and(|status| status.success()) {
        skipped("there is no strace, or it may not look");
        return;
    }
    hostile(&top);
    let mut programs = 0;
    for args in [
        &["build", "--all", "--emit", "anthropic"][..],
        &["lint", "--base", "HEAD~1"],
        &["diff", "HEAD~1", "HEAD"],
        &["snapshot", "accept"],
        &["variants", "main"],
        &["resolve", "main", "--context", "f"],
        &["tokens", "main"],
    ] {
        let status = strace(&[&[env!("CARGO_BIN_EXE_promptc")], args].concat()).unwrap();
        assert!(matches!(status.code(), Some(0 | 1)), "{args:?}: {status}");
        let log = fs::read_to_string(&log).unwrap();
        for line in log.lines() {
            let Some(call) = Call::of(line) else { continue };
            let path = call.path();
            match call.name {
                // The system looks for git along the search path.
                "execve" if path == env!("CARGO_BIN_EXE_promptc") || path.ends_with("/git") => {
                    programs += usize::from(line.ends_with("= 0"));
                }
                "execve" | "execveat" | "socket" | "connect" | "bind" | "sendto" => panic!("{args:?}: {line}"),
                // Folders are made with those above them, which are there.
                "mkdir" if line.contains("= -1 EEXIST") => {}
                "openat" | "open" | "openat2" if !call.writes() => {
                    let system = ["/etc/ld.so.", "/lib", "/usr", "/proc/", "/sys/", "/dev/null"];
                    let is_known = path.starts_with(top.to_str().unwrap()) || !path.starts_with('/');
                    // `/proc` and `/sys` tell of the machine, `/usr` and `/lib` are its own.
                    let is_system = system.iter().any(|start| path.starts_with(start));
                    let is_missing = line.contains("= -1 ENOENT");
                    assert!(is_known || is_system || is_missing, "{args:?}: {line}");
                }
                _ => {
                    let below =
                        path.strip_prefix(top.to_str().unwrap()).map_or(path, |below| below.trim_start_matches('/'));
                    let is_output = ["dist", "snapshots", ".snapshots.promptc-"].iter().any(|at| below.starts_with(at));
                    assert!(is_output || path == "/dev/null", "{args:?}: {line}");
                }
            }
        }
    }
    assert!(programs > 10, "{programs}");
    assert!(!top.join("ran").exists());
}

/// A folder of the project may look like a repository, with settings of its own.
#[cfg(unix)]
#[test]
fn a_repository_that_comes_with_a_project_is_not_believed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    let script = folder.path().join("evil.sh");
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n", ran.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let project = crate::support::Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"x\"\n");
    let evil = script.display();
    project.write("HEAD", "ref: refs/heads/main\n");
    project.write("objects/.keep", "");
    project.write("refs/heads/.keep", "");
    let config = "[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\n";
    project.write("config", format!("{config}fsmonitor = {evil}\npager = {evil}\nsshCommand = {evil}\n"));
    for name in ["post-checkout", "reference-transaction", "fsmonitor-watchman"] {
        project.write(&format!("hooks/{name}"), format!("#!/bin/sh\ntouch '{}'\n", ran.display()));
        fs::set_permissions(project.path(&format!("hooks/{name}")), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for args in [&["diff"][..], &["diff", "HEAD"], &["lint", "--base", "HEAD"]] {
        let run = project.run(args);
        assert_eq!(run.code, 2, "{args:?} {}", run.stderr);
        assert!(run.stderr.contains("is in no git repository that can be read"), "{args:?} {}", run.stderr);
    }
    assert!(!ran.exists(), "a program was run");
}

/// Objects that the clone borrows from another one are read as its own; nothing there is changed.
#[cfg(unix)]
#[test]
fn borrowed_objects_are_read_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let git = |folder: &Path, args: &[&str]| -> String {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let done = std::process::Command::new("git").arg("-C").arg(folder).args(identity).args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    let lender = folder.path().join("lender");
    fs::create_dir_all(lender.join("prompts")).unwrap();
    fs::create_dir_all(lender.join("profiles")).unwrap();
    fs::write(lender.join("prompts/main.toml"), "[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"one\"\n")
        .unwrap();
    fs::write(lender.join("profiles/main.toml"), crate::support::PROFILE).unwrap();
    git(&lender, &["init", "--quiet", "--initial-branch=main"]);
    git(&lender, &["add", "--all"]);
    git(&lender, &["commit", "--quiet", "--message", "one"]);
    git(folder.path(), &["clone", "--quiet", "--shared", "lender", "clone"]);
    let clone = folder.path().join("clone");
    assert!(clone.join(".git/objects/info/alternates").exists());
    fs::write(clone.join("prompts/main.toml"), "[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"two\"\n").unwrap();
    let states = || git(&lender, &["count-objects", "-v"]) + &git(&lender, &["for-each-ref"]);
    let before = states();
    let run = crate::support::run_in(&clone, &["diff", "HEAD"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("- one") && run.stdout.contains("+ two"), "{}", run.stdout);
    assert_eq!(states(), before);
}

/// Every promise of the page names tests, and each of them is there.
#[test]
fn the_page_names_tests_that_there_are() {
    let page = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let (_, promises) = page.split_once("\n## What it can never do\n").unwrap();
    let (promises, _) = promises.split_once("\n## ").unwrap();
    let rows: Vec<&str> =
        promises.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).skip(1).collect();
    assert!(rows.len() >= 10, "{}", rows.len());
    for row in rows {
        let tests = row.trim_end_matches('|').rsplit('|').next().unwrap();
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names {
            let (module, test) = name.rsplit_once("::").unwrap_or_else(|| panic!("`{name}` has no module"));
            let path = module.replace("::", "/");
            let files = [
                format!("tests/it/{path}.rs"),
                format!("src/{path}.rs"),
                format!("src/{path}/mod.rs"),
                format!("src/{path}/tests.rs"),
            ];
            let is_there = |file: &String| {
                fs::read_to_string(root().join(file)).is_ok_and(|text| text.contains(&format!("fn {test}(")))
            };
            assert!(files.iter().any(is_there), "there is no test `{name}`");
        }
    }
}
