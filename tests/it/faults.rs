//! Runs that are killed, disks that are full, folders that nobody may write to: the old state or the new one, byte for
//! byte, a message, and a next run that works and leaves nothing behind. What a run that dies after each of its steps
//! leaves is tested in src/host/publish, with and without a step that exchanges folders.
//!
//! The long form, fifty kills of each kind: `cargo test --test it -- --ignored faults`.

#![cfg(unix)]

mod many;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::dice::Dice;
use crate::support::{PROFILE, Project, skipped};

pub type Files = BTreeMap<String, Vec<u8>>;

/// All files below a folder, hidden ones too.
pub fn files(folder: &Path) -> Files {
    let mut out = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    out.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    out
}

/// Those that somebody sees who does not look for hidden ones.
pub fn seen(folder: &Path) -> Files {
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    files(folder).into_iter().filter(|(path, _)| !is_hidden(path)).collect()
}

/// One profile of 16 cells with 20 texts each, all of them different from version to version.
pub fn project(version: usize) -> Project {
    let project = Project::new().file(
        "profiles/main.toml",
        PROFILE.to_owned() + "[matrix]\nk = [\"a\", \"b\", \"c\", \"d\"]\nl = [\"a\", \"b\", \"c\", \"d\"]\n",
    );
    set(&project, version);
    project
}

pub fn set(project: &Project, version: usize) {
    let inputs = "[inputs]\nk = { type = [\"a\", \"b\", \"c\", \"d\"], lifetime = \"build\" }\nl = { type = [\"a\", \"b\", \"c\", \"d\"], lifetime = \"build\" }\n";
    let sections: String = (0..20)
        .map(|n| format!("[[section]]\nid = \"s{n}\"\nzone = \"static\"\ntext = \"Version {version} of {n}, {{{{ k }}}} {{{{ l }}}}.\"\n"))
        .collect();
    project.replace("prompts/main.toml", inputs.to_owned() + &sections);
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptc"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = command(folder, args).output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(!stderr.contains("internal error"), "{stderr}");
    (status.code(), stderr)
}

#[track_caller]
pub fn done(folder: &Path, args: &[&str]) {
    assert_eq!(run(folder, args), (Some(0), String::new()), "{args:?}");
}

/// Sends a signal at once: a program that sends it takes longer to start than some builds take.
pub fn signal(child: &Child, signal: Signal) {
    // Whatever has ended already cannot be killed.
    _ = rustix::process::kill_process(Pid::from_child(child), signal);
}

/// How long a command takes when all that it writes is new: the quickest of some runs, so that a moment within this time is
/// most often one at which it runs.
fn usual(root: &Path, args: &[&str], mut set: impl FnMut(usize)) -> Duration {
    let times = [0, 1, 0, 1, 0].map(|version| {
        set(version);
        let start = Instant::now();
        done(root, args);
        start.elapsed()
    });
    times.into_iter().min().unwrap()
}

/// Runs a command and ends it by a signal: some time after its start, or after `staged` is there.
fn struck(root: &Path, args: &[&str], staged: Option<&Path>, after: Duration, by: Signal) -> Output {
    let mut child = command(root, args).spawn().unwrap();
    if let Some(staged) = staged {
        let start = Instant::now();
        while !staged.exists() && child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
            thread::yield_now();
        }
    }
    thread::sleep(after);
    signal(&child, by);
    child.wait_with_output().unwrap()
}

/// Runs are repeated until as many were killed as should be; this many times as many find no moment to kill.
const TRIES: usize = 20;

/// What a command makes of each of the two versions.
pub fn versions(args: &[&str], folder: &str) -> [Files; 2] {
    let wanted = [0, 1].map(|version| {
        let project = project(version);
        done(&project.path(""), args);
        files(&project.path(folder))
    });
    assert!(!wanted[0].is_empty() && wanted[0] != wanted[1]);
    wanted
}

/// What promptc left beside a folder.
pub fn beside(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder.parent().unwrap()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains("promptc-")).collect()
}

/// Runs a command that changes `folder` and ends it by a signal, over and over: at any moment of a run, and while the new
/// folder is being written.
fn ended(args: &[&str], folder: &str, signals: &[Signal], times: usize) {
    let wanted = versions(args, folder);
    let project = project(0);
    let root = project.path("");
    let usual = usual(&root, args, |version| set(&project, version));
    let staged =
        root.join(folder).parent().unwrap().join(format!(".{}.promptc-new", folder.rsplit('/').next().unwrap()));
    let mut dice = Dice(7);
    let (mut old, mut killed, mut time) = (0, 0, 0);
    while killed < times {
        assert!(time < times * TRIES, "{killed} of {time} were killed");
        set(&project, (time + 1) & 1);
        let (before, after) = (&wanted[old], &wanted[(time + 1) & 1]);
        let is_left = staged.exists();
        let moment = usual.mul_f64(dice.below(1000) as f64 / 1000.0);
        let (place, moment) = if time % 2 == 0 { (None, moment) } else { (Some(&*staged), moment / 4) };
        let Output { status, stderr, .. } = struck(&root, args, place, moment, signals[time / 2 % signals.len()]);
        let told = String::from_utf8(stderr).unwrap();
        let is_told = told.starts_with("error: stopped by a signal: ");
        // A process that has only just begun does not listen yet, and one ahead of it may have left the new folder.
        let listens = place.is_some() && !is_left && status.signal().is_some() && signals != [Signal::KILL];
        assert!(is_told || told.is_empty() && !listens, "{time}: {told}");
        killed += usize::from(status.signal().is_some());
        assert!(status.signal().is_some() || status.code() == Some(0), "{time}: {status}");
        let found = seen(&root.join(folder));
        assert!(found == *before || found == *after, "{time}: a mix of the old and the new");
        if time % 3 == 0 {
            // What is killed next stands on what this one left.
            old = if found == *before { old } else { (time + 1) & 1 };
        } else {
            done(&root, args);
            old = (time + 1) & 1;
            assert!(files(&root.join(folder)) == wanted[old], "{time}");
            assert_eq!(beside(&root.join(folder)), [""; 0], "{time}");
        }
        time += 1;
    }
}

#[test]
fn a_build_that_is_killed_leaves_the_old_or_the_new() {
    ended(&["build", "main"], "dist/main", &[Signal::KILL], 6);
}

#[test]
fn accepting_snapshots_may_be_killed() {
    ended(&["snapshot", "accept"], "snapshots", &[Signal::KILL], 6);
}

#[test]
fn interrupts_leave_the_old_or_the_new() {
    ended(&["build", "main"], "dist/main", &[Signal::INT, Signal::TERM], 6);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_builds_that_are_killed() {
    ended(&["build", "main"], "dist/main", &[Signal::KILL], 50);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_times_that_snapshots_are_accepted_and_it_is_killed() {
    ended(&["snapshot", "accept"], "snapshots", &[Signal::KILL], 50);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_interrupts() {
    ended(&["build", "main"], "dist/main", &[Signal::INT, Signal::TERM], 50);
}

/// A small file system of its own; nothing when this user may not mount one.
struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    fn new(size: &str) -> Option<Disk> {
        let disk = Disk { folder: tempfile::tempdir().unwrap() };
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(disk.folder.path())
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(disk);
        }
        skipped("this user may not mount a file system");
        None
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    fn make(&self, option: &str) {
        let status = Command::new("mount").args(["-o", &format!("remount,{option}")]).arg(self.folder.path()).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg(self.folder.path()).stderr(Stdio::null()).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_state() {
    let Some(disk) = Disk::new("1m") else { return };
    let project = project(0);
    let out = disk.path("out/main");
    let args = ["build", "main", "-o", out.to_str().unwrap()];
    done(&project.path(""), &args);
    let before = files(&disk.path(""));
    set(&project, 1);
    // At every number of free blocks on the way to enough.
    let mut refused = 0;
    for free in 0..40 {
        let mut filler = vec![0; 1 << 20];
        while fs::write(disk.path("filler"), &filler).is_err() {
            filler.truncate(filler.len() - 4096);
        }
        filler.truncate(filler.len().saturating_sub(free * 8 * 4096));
        fs::write(disk.path("filler"), &filler).unwrap();
        let (code, told) = run(&project.path(""), &args);
        fs::remove_file(disk.path("filler")).unwrap();
        if code == Some(0) {
            break;
        }
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("no space left on device") && told.contains("what was there still stands"), "{told}");
        assert!(files(&disk.path("")) == before, "{free}");
        refused += 1;
    }
    assert!(refused > 1, "{refused}");
    done(&project.path(""), &args);
    assert!(files(&disk.path("")) != before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_stays_as_it_is() {
    let Some(disk) = Disk::new("4m") else { return };
    let project = project(0);
    let out = disk.path("out/main");
    let args = ["build", "main", "-o", out.to_str().unwrap()];
    done(&project.path(""), &args);
    disk.make("ro");
    // What changes nothing needs no right to write.
    done(&project.path(""), &args);
    let before = files(&disk.path(""));
    set(&project, 1);
    let (code, told) = run(&project.path(""), &args);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("read-only file system"), "{told}");
    assert!(files(&disk.path("")) == before);
    disk.make("rw");
    done(&project.path(""), &args);
}

/// No file may grow beyond 512 bytes: with the signal that this sends, and without.
#[test]
fn files_that_may_not_grow_leave_the_old_state() {
    for (ignore, code) in [("trap '' XFSZ; ", Some(2)), ("", None)] {
        for args in [&["build", "main"][..], &["snapshot", "accept"]] {
            let project = project(0);
            let root = project.path("");
            done(&root, args);
            let before = seen(&root);
            set(&project, 1);
            let changed = seen(&root);
            let script = format!("{ignore}ulimit -f 1; exec \"$0\" \"$@\"");
            let mut command = Command::new("sh");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_promptc")]).args(args).current_dir(&root);
            let output = command.output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), code, "{args:?} {told}");
            if code.is_some() {
                assert!(told.contains("file too large"), "{told}");
            }
            assert!(seen(&root) == changed && before != changed, "{args:?}");
            done(&root, args);
        }
    }
}

#[test]
fn a_build_waits_for_another_one_and_says_so() {
    let project = project(0);
    let root = project.path("");
    done(&root, &["build", "main"]);
    set(&project, 1);
    let before = seen(&root.join("dist"));
    let lock = fs::File::create(root.join("dist/.main.promptc-lock")).unwrap();
    lock.lock().unwrap();
    let mut child = command(&root, &["build", "main"]).spawn().unwrap();
    let mut told = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut told, &mut line).unwrap();
    assert!(line.contains("waiting for another build into `dist/main`"), "{line}");
    assert!(seen(&root.join("dist")) == before);
    drop(lock);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(seen(&root.join("dist")) != before);
    assert!(!root.join("dist/.main.promptc-lock").exists());
}

#[test]
fn builds_at_once_leave_the_folder_of_one_of_them() {
    let projects: Vec<Project> = (0..4).map(project).collect();
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("main");
    let args = ["build", "main", "-o", folder.to_str().unwrap()];
    for _ in 0..3 {
        let children: Vec<Child> = projects.iter().map(|p| command(&p.path(""), &args).spawn().unwrap()).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let found = files(out.path());
        assert!(found.values().all(|bytes| !bytes.is_empty()));
        let ours = |project: &Project| {
            let own = tempfile::tempdir().unwrap();
            let folder = own.path().join("main");
            done(&project.path(""), &["build", "main", "-o", folder.to_str().unwrap()]);
            files(own.path()) == found
        };
        assert!(projects.iter().any(ours), "a mix, or something left over: {:?}", found.keys());
    }
}

/// Another program changes, removes and brings back the files that are read, and the folder that is written.
#[test]
fn what_others_change_meanwhile_makes_a_message_or_an_output() {
    let project = project(0).file("prompts/more.md", "More.").file("prompts/deep/er.md", "x");
    let text = fs::read_to_string(project.path("prompts/main.toml")).unwrap();
    project.write("prompts/main.toml", text + "[[section]]\nid = \"more\"\nzone = \"static\"\nbody = \"more.md\"\n");
    let other = PROFILE.replace("[chain]", "[values]\nk = \"a\"\nl = \"b\"\n\n[chain]");
    project.write("profiles/other.toml", other);
    let root = project.path("");
    let stop = std::sync::atomic::AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0usize.. {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
                _ = fs::remove_file(root.join("prompts/more.md"));
                _ = fs::remove_dir_all(root.join("prompts/deep"));
                _ = fs::remove_dir_all(root.join("dist"));
                fs::write(root.join("prompts/more.md"), "longer ".repeat(n % 5000)).unwrap();
                fs::create_dir_all(root.join("prompts/deep")).unwrap();
                _ = fs::write(root.join("prompts/deep/er.md"), "x");
                thread::sleep(Duration::from_micros(n as u64 % 700));
            }
        });
        // One profile, and both.
        for args in [&["build", "main"][..], &["build"]].into_iter().cycle().take(20) {
            let (code, told) = run(&root, args);
            assert!(matches!(code, Some(0..=2)), "{code:?} {told}");
            assert_eq!(code == Some(0), told.is_empty(), "{code:?} {told}");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    project.write("prompts/more.md", "More.");
    done(&root, &["build"]);
    assert_eq!(fs::read_dir(root.join("dist")).unwrap().count(), 2);
}

/// Links that come with a project, under the names that promptc uses beside an output folder.
#[test]
fn links_beside_an_output_folder_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("precious"), "mine").unwrap();
    for ending in ["lock", "new", "old", "trash"] {
        for target in ["missing", "precious", "."] {
            let project = project(0);
            fs::create_dir(project.path("dist")).unwrap();
            let link = project.path(&format!("dist/.main.promptc-{ending}"));
            symlink(outside.path().join(target), &link).unwrap();
            let (code, told) = run(&project.path(""), &["build", "main"]);
            assert!(code == Some(0) || (code == Some(2) && ending == "lock"), "{ending} {target}: {told}");
            let left = files(outside.path());
            assert_eq!(left, Files::from([("precious".to_owned(), b"mine".to_vec())]), "{ending} {target}");
            assert!(!project.path("dist/main").is_symlink(), "{ending} {target}");
        }
    }
}

/// Each of two runs takes what it was told to, and leaves what the other one took.
#[test]
fn snapshots_that_are_accepted_at_once_are_all_kept() {
    let names = ["a", "b", "c", "d"];
    let start = || {
        let project = Project::new();
        for name in names {
            project.write(&format!("profiles/{name}.toml"), PROFILE.replace("\"main\"", &format!("\"{name}\"")));
            project.write(&format!("prompts/{name}.toml"), section(name, 0));
        }
        project
    };
    let project = start();
    let root = project.path("");
    for version in 1..6 {
        names.iter().for_each(|name| project.write(&format!("prompts/{name}.toml"), section(name, version)));
        let children: Vec<Child> =
            names.iter().map(|name| command(&root, &["snapshot", "accept", name]).spawn().unwrap()).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_eq!(run(&root, &["snapshot", "check"]), (Some(0), String::new()), "{version}");
    }
    // The same bytes as one after the other.
    let other = start();
    names.iter().for_each(|name| other.write(&format!("prompts/{name}.toml"), section(name, 5)));
    names.iter().for_each(|name| assert_eq!(run(&other.path(""), &["snapshot", "accept", name]).0, Some(0)));
    assert!(files(&root.join("snapshots")) == files(&other.path("snapshots")));
}

fn section(name: &str, version: usize) -> String {
    format!("[[section]]\nid = \"{name}\"\nzone = \"static\"\ntext = \"Version {version} of {name}.\"\n")
}
