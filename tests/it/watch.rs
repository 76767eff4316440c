//! `build --watch`: what it makes is what a fresh build makes, whatever is edited in whatever order; only what a change
//! touches is compiled; it outlives every fault of the files that it reads.

#![cfg(unix)]

mod edits;
mod ends;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::faults::{Files, files};
use crate::support::{PROFILE, Project};

/// Longer than any machine takes for a run.
const PATIENCE: Duration = Duration::from_secs(120);

/// A `build --watch` under way.
pub struct Watch {
    pub child: Child,
    lines: Receiver<String>,
    /// What was told since the last run.
    told: String,
}

/// What a run told.
#[derive(Debug)]
pub struct Round {
    /// Messages, before the line.
    pub told: String,
    /// The line at the end.
    pub line: String,
}

impl Watch {
    pub fn new(folder: &Path, args: &[&str]) -> Watch {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promptc"));
        command.args(args).arg("--watch").current_dir(folder).env_remove("NO_COLOR");
        Watch::of(command)
    }

    pub fn of(mut command: Command) -> Watch {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(child.stderr.take().unwrap());
        let (send, lines) = mpsc::channel();
        thread::spawn(move || told.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Watch { child, lines, told: String::new() }
    }

    /// The next line that it writes; `None` at its end.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                assert!(!line.contains("internal error"), "{line}");
                Some(line)
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("nothing more after {:?}", self.told),
        }
    }

    /// What the next run tells.
    pub fn round(&mut self) -> Round {
        loop {
            let line = self.line().unwrap_or_else(|| panic!("it ended: {}", self.told));
            if is_end(&line) {
                return Round { told: std::mem::take(&mut self.told), line };
            }
            self.told += &(line + "\n");
        }
    }

    /// The first run from here on whose line is about these files.
    pub fn round_of(&mut self, what: &str) -> Round {
        loop {
            let round = self.round();
            if round.line.starts_with(what) {
                return round;
            }
        }
    }

    /// Waits until a run has left a folder and messages as they should be.
    pub fn settles(&mut self, dist: &Path, wanted: &Files, told: &str, after: &str) {
        let start = Instant::now();
        loop {
            let round = self.round();
            let found = files(dist);
            if found == *wanted && round.told == told {
                return;
            }
            if start.elapsed() > PATIENCE {
                assert_eq!(round.told, told, "{after}");
                assert!(found == *wanted, "{after}: {:?} {:?}", found.keys(), wanted.keys());
            }
        }
    }

    pub fn signal(&self, by: Signal) {
        crate::faults::signal(&self.child, by);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn is_end(line: &str) -> bool {
    line.contains(" compiled in ")
}

/// Profiles `a`, `b` and `c`, each with a prompt and a body of its own, and one more body that all include.
fn three() -> Project {
    let mut project = Project::new().file("prompts/shared.md", "Shared.\n");
    for name in ["a", "b", "c"] {
        let manifest = format!("[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"{name}.md\"\n");
        project = project
            .file(&format!("prompts/{name}.toml"), manifest)
            .file(&format!("prompts/{name}.md"), format!("This is {name}.\n{{% include \"shared.md\" %}}\n"))
            .file(&format!("profiles/{name}.toml"), PROFILE.replace("main", name));
    }
    project
}

#[test]
fn only_what_a_change_touches_is_compiled() {
    let project = three();
    let mut watch = Watch::new(&project.path(""), &["build"]);
    assert!(watch.round().line.starts_with("3 profiles compiled in "));
    let times =
        |name: &str| fs::metadata(project.path(&format!("dist/{name}/blocks.json"))).unwrap().modified().unwrap();
    let before = ["a", "b", "c"].map(times);
    project.replace("prompts/b.md", "Other.\n");
    assert!(watch.round_of("prompts/b.md changed: ").line.contains(": 1 of 3 profiles compiled in "));
    let after = ["a", "b", "c"].map(times);
    assert!(before[0] == after[0] && before[1] != after[1] && before[2] == after[2]);
    assert!(fs::read_to_string(project.path("dist/b/blocks.json")).unwrap().contains("Other."));
    // `b` does not include it any more.
    project.replace("prompts/shared.md", "New.\n");
    assert!(watch.round_of("prompts/shared.md changed: ").line.contains(": 2 of 3 "));
    project.replace("prompts/nobody.md", "x");
    assert!(watch.round_of("prompts/nobody.md changed: ").line.contains(": 0 of 3 "));
    project.replace("profiles/d.toml", PROFILE.replace("main", "a"));
    assert!(watch.round_of("profiles/d.toml changed: ").line.contains(": 1 of 4 "));
    project.replace("promptc.toml", "[limits]\ntotal = 5000\n");
    assert!(watch.round_of("promptc.toml changed: ").line.contains(": 4 of 4 "));
}

#[test]
fn what_was_missing_is_found_when_it_comes() {
    let text = "{% include [\"maybe.md\", \"other.md\"] ignore missing %}Text.\n";
    let project = three().file("prompts/b.md", text);
    let mut watch = Watch::new(&project.path(""), &["build"]);
    watch.round();
    project.replace("prompts/maybe.md", "Now.\n");
    assert!(watch.round_of("prompts/maybe.md changed: ").line.contains(": 1 of 3 "));
    assert!(fs::read_to_string(project.path("dist/b/blocks.json")).unwrap().contains("Now."));
    fs::remove_file(project.path("prompts/maybe.md")).unwrap();
    assert!(watch.round_of("prompts/maybe.md changed: ").line.contains(": 1 of 3 "));
    assert!(!fs::read_to_string(project.path("dist/b/blocks.json")).unwrap().contains("Now."));
}

#[test]
fn messages_of_all_profiles_are_told_each_time() {
    let project = three()
        .file("prompts/a.md", "{{ nope }}")
        .file("profiles/c.toml", PROFILE.replace("main", "c").replace("opus", "unknown"));
    let fresh = |project: &Project| project.run(&["build", "-o", "other"]).stderr;
    let mut watch = Watch::new(&project.path(""), &["build"]);
    let first = watch.round();
    assert_eq!(first.told, fresh(&project));
    assert!(first.told.contains("nope") && first.told.contains("warning[unknown-model]"), "{}", first.told);
    project.replace("prompts/b.md", "Other.\n");
    let second = watch.round_of("prompts/b.md changed: ");
    assert_eq!(second.told, first.told);
    // The one with an error is looked at again, since another file may have mended it; the one with a warning is not.
    assert!(second.line.contains(": 2 of 3 "), "{}", second.line);
    // Ids of files are others now.
    project.replace("prompts/a.md", "Fine.\n");
    project.replace("prompts/0.md", "First of all.\n");
    project.replace("profiles/0.toml", PROFILE.replace("main", "b"));
    while watch.round().told != fresh(&project) {}
}

#[test]
fn folders_come_and_go() {
    let project = three();
    let mut watch = Watch::new(&project.path(""), &["build"]);
    watch.round();
    for n in 0..3 {
        fs::rename(project.path("prompts"), project.path("away")).unwrap();
        while !watch.round().told.contains("error") {}
        fs::rename(project.path("away"), project.path("prompts")).unwrap();
        while !watch.round().told.is_empty() {}
        let deep = format!("prompts/deep{n}/er/x.md");
        project.write(&deep, "x");
        project.write("prompts/a.md", format!("{{% include \"deep{n}/er/x.md\" %}}"));
        project.write(&deep, format!("Deep {n}.\n"));
        let is_there =
            || fs::read_to_string(project.path("dist/a/blocks.json")).unwrap().contains(&format!("Deep {n}."));
        while !is_there() {
            watch.round();
        }
        fs::remove_dir_all(project.path(&format!("prompts/deep{n}"))).unwrap();
        while !watch.round().told.contains("er/x.md") {}
        project.write(&deep, format!("Again {n}.\n"));
        let is_there =
            || fs::read_to_string(project.path("dist/a/blocks.json")).unwrap().contains(&format!("Again {n}."));
        while !is_there() {
            watch.round();
        }
    }
}

#[test]
fn files_outside_the_project_are_watched_when_they_are_read() {
    let outside = tempfile::tempdir().unwrap();
    let custom = outside.path().join("custom.md");
    fs::write(&custom, "First.\n").unwrap();
    let project = three();
    let out = outside.path().join("out");
    let args = ["build", "a", "--custom", custom.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let mut watch = Watch::new(&project.path(""), &args);
    watch.round();
    let is_there = |text: &str| fs::read_to_string(out.join("a/blocks.json")).unwrap().contains(text);
    assert!(is_there("First."));
    // As editors do.
    let new = outside.path().join(".custom.md.new");
    fs::write(&new, "Second.\n").unwrap();
    fs::rename(&new, &custom).unwrap();
    while !is_there("Second.") {
        watch.round();
    }
    fs::remove_file(&custom).unwrap();
    while !watch.line().unwrap().contains("there is no such file") {}
    fs::write(&custom, "Third.\n").unwrap();
    while !is_there("Third.") {
        watch.round();
    }
}

#[test]
fn what_makes_one_document_is_refused() {
    let project = three();
    let refused = |args: &[&str], what: &str| {
        let run = project.run(&[&["build", "--watch"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains(what), "{}", run.stderr);
    };
    refused(&["a", "-o", "-"], "stdout takes one artifact");
    refused(&["a", "--section", "s"], "stdout takes one artifact");
    refused(&["--format", "json"], "`--format json` is one document");
    refused(&["--format", "sarif"], "--format sarif=PATH");
    refused(&["nope"], "there is no profile `nope`");
    assert!(!project.path("dist").exists());
}

#[test]
fn files_that_nobody_sees_are_not_worth_a_line() {
    let project = three();
    let mut watch = Watch::new(&project.path(""), &["build"]);
    watch.round();
    for name in ["prompts/.a.md.swp", "prompts/a.md~", "dist/a/x", ".git/HEAD", "notes.md"] {
        project.replace(name, "x");
    }
    let mut told = Vec::new();
    for n in 0..3 {
        project.replace(&format!("prompts/seen{n}.md"), "x");
        told.push(watch.round().line);
    }
    // The first may be told together with what came just before.
    assert!(
        told[0].contains(" 0 of 3 ") && !told[0].contains("swp changed") && !told[0].contains("~ changed"),
        "{told:?}"
    );
    for n in 1..3 {
        assert!(told[n].starts_with(&format!("prompts/seen{n}.md changed: 0 of 3 ")), "{told:?}");
    }
}

#[test]
fn links_are_followed_to_what_they_lead_to() {
    use std::os::unix::fs::symlink;
    let project = three().file("parts/one/x.md", "One.\n").file("parts/two/x.md", "Two.\n");
    symlink("../parts/one", project.path("prompts/linked")).unwrap();
    symlink("../parts/one/x.md", project.path("prompts/file.md")).unwrap();
    project.write("prompts/a.md", "{% include \"linked/x.md\" %}");
    project.write("prompts/b.md", "{% include \"file.md\" %}");
    let has = |profile: &str, text: &str| {
        fs::read_to_string(project.path(&format!("dist/{profile}/blocks.json"))).is_ok_and(|found| found.contains(text))
    };
    let mut watch = Watch::new(&project.path(""), &["build"]);
    watch.round();
    assert!(has("a", "One.") && has("b", "One."));
    project.replace("parts/one/x.md", "New.\n");
    while !(has("a", "New.") && has("b", "New.")) {
        watch.round();
    }
    for (link, target) in [("linked", "../parts/two"), ("file.md", "../parts/two/x.md")] {
        symlink(target, project.path("new")).unwrap();
        fs::rename(project.path("new"), project.path(&format!("prompts/{link}"))).unwrap();
    }
    while !(has("a", "Two.") && has("b", "Two.")) {
        watch.round();
    }
    project.replace("parts/two/x.md", "Last.\n");
    while !(has("a", "Last.") && has("b", "Last.")) {
        watch.round();
    }
}

#[test]
fn many_files_at_once_are_few_runs() {
    let project = three();
    let mut watch = Watch::new(&project.path(""), &["build"]);
    watch.round();
    for n in 0..300 {
        project.write(&format!("prompts/many/{n}.md"), "x");
    }
    project.write("prompts/a.md", "The last one.\n");
    let mut runs = 0;
    while !fs::read_to_string(project.path("dist/a/blocks.json")).unwrap().contains("The last one.") {
        watch.round();
        runs += 1;
    }
    assert!(runs < 100, "{runs}");
}

#[test]
fn findings_are_told_again_and_again() {
    let project = three();
    let mut watch = Watch::new(&project.path(""), &["lint"]);
    assert!(watch.round().told.contains("no findings"));
    project.replace("prompts/a.md", "{{ nope }}\n");
    let round = watch.round_of("prompts/a.md changed: 3 of 3 profiles compiled in ");
    assert!(round.told.contains("1 error"), "{}", round.told);
    project.replace("prompts/a.md", "The end.\n");
    assert!(watch.round_of("prompts/a.md changed: ").told.contains("no findings"));
}
