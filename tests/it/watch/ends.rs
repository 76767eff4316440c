//! How a watch ends, and what it outlives: every folder is whole, and what cannot be read makes a message.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{Watch, three};
use crate::dice::Dice;
use crate::faults::{beside, done, files, project, seen, set, versions};
use crate::support::skipped;

/// Ends a watch by a signal over and over: at any moment of a run that a change leads to, and while the new folder is being
/// written. A watch that begins on what the one before left makes the new state of it.
fn ended(signals: &[Signal], times: usize) {
    let args = ["build", "main"];
    let wanted = versions(&args, "dist/main");
    let project = project(0);
    let root = project.path("");
    let folder = root.join("dist/main");
    let staged = root.join("dist/.main.promptc-new");
    let mut dice = Dice(9);
    let mut usual = Duration::ZERO;
    let mut killed = 0;
    for time in 0..times {
        let (old, new) = (time & 1, (time + 1) & 1);
        let mut watch = Watch::new(&root, &args);
        let first = watch.round();
        assert_eq!(first.told, "", "{time}");
        assert!(files(&folder) == wanted[old] && beside(&folder).is_empty(), "{time}");
        let start = Instant::now();
        set(&project, new);
        if time == 0 {
            // How long it takes.
            while files(&folder) != wanted[new] {
                watch.round();
            }
            usual = start.elapsed();
        } else if time % 2 == 0 {
            thread::sleep(usual.mul_f64(dice.below(1000) as f64 / 900.0));
        } else {
            while !staged.exists() && files(&folder) != wanted[new] && start.elapsed() < super::PATIENCE {
                thread::yield_now();
            }
            thread::sleep(Duration::from_micros(dice.below(4000) as u64));
        }
        let by = signals[time / 2 % signals.len()];
        watch.signal(by);
        let status = watch.child.wait().unwrap();
        assert_eq!(status.signal(), Some(by.as_raw()), "{time}: {status}");
        while let Some(line) = watch.line() {
            assert!(!line.contains("error"), "{time}: {line}");
        }
        let found = seen(&folder);
        assert!(found == wanted[old] || found == wanted[new], "{time}: a mix of the old and the new");
        killed += usize::from(found == wanted[old]);
        if time % 3 == 0 {
            done(&root, &args);
            assert!(files(&folder) == wanted[new] && beside(&folder).is_empty(), "{time}");
        }
    }
    assert!(times < 20 || killed > 0, "none of {times} was ended ahead of the new state");
}

#[test]
fn a_watch_that_is_killed_leaves_the_old_or_the_new() {
    ended(&[Signal::KILL], 6);
}

#[test]
fn an_interrupt_is_the_usual_end_and_nothing_is_said() {
    ended(&[Signal::INT, Signal::TERM], 6);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_watches_that_are_killed() {
    ended(&[Signal::KILL], 50);
}

#[test]
#[ignore = "takes minutes"]
fn fifty_watches_that_are_interrupted() {
    ended(&[Signal::INT, Signal::TERM], 50);
}

#[test]
fn files_that_vanish_while_they_are_read_make_a_message_or_an_output() {
    let project = three();
    let root = project.path("");
    let mut watch = Watch::new(&root, &["build"]);
    watch.round();
    for n in 0..200usize {
        _ = fs::remove_file(root.join("prompts/a.md"));
        _ = fs::remove_dir_all(root.join("profiles"));
        project.write("prompts/a.md", "longer ".repeat(n * 10));
        for name in ["a", "b", "c"] {
            project.write(&format!("profiles/{name}.toml"), crate::support::PROFILE.replace("main", name));
        }
        thread::sleep(Duration::from_micros(n as u64 * 150));
    }
    project.write("prompts/a.md", "The end.\n");
    let is_made = || fs::read_to_string(root.join("dist/a/blocks.json")).is_ok_and(|text| text.contains("The end."));
    while !is_made() {
        watch.round();
    }
    // A file of which half is written, and then the rest.
    project.write("prompts/b.toml", "[[section]]\nid = \"s\"\nzone = \"sta");
    while !watch.round().told.contains("prompts/b.toml") {}
    project.write("prompts/b.toml", "[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"Whole.\"\n");
    while !watch.round().told.is_empty() {}
    assert!(fs::read_to_string(root.join("dist/b/blocks.json")).unwrap().contains("Whole."));
}

#[test]
fn a_project_that_goes_away_may_come_back() {
    let project = three();
    let inner = project.path("inner");
    fs::create_dir(&inner).unwrap();
    for name in ["prompts", "profiles"] {
        fs::rename(project.path(name), inner.join(name)).unwrap();
    }
    let mut watch = Watch::new(&inner, &["build", "--root", inner.to_str().unwrap()]);
    watch.round();
    fs::rename(&inner, project.path("away")).unwrap();
    while !watch.line().unwrap().contains("cannot read the project's root") {}
    fs::write(project.path("away/prompts/a.md"), "Back.\n").unwrap();
    fs::rename(project.path("away"), &inner).unwrap();
    while !fs::read_to_string(inner.join("dist/a/blocks.json")).unwrap().contains("Back.") {
        watch.round();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_that_watches_no_more_is_told_with_the_way_out() {
    let project = three();
    for (limit, told) in [("watches", "max_user_watches"), ("instances", "max_user_instances")] {
        // The limit of a user's own name space.
        let script = format!("echo 0 > /proc/sys/user/max_inotify_{limit} && exec \"$0\" build --watch");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "sh", "-c", &script, env!("CARGO_BIN_EXE_promptc")]);
        let output = command.current_dir(project.path("")).output();
        let Some(output) = output.ok().filter(|output| output.status.code() == Some(2)) else {
            return skipped("this user may not have a name space");
        };
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("its limit is reached") && stderr.contains(told), "{stderr}");
    }
}
