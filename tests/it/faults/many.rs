//! The same with many profiles, whose folders are made together: each is the old one or the new one.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

#[cfg(target_os = "linux")]
use super::{Disk, run};
use super::{Files, TRIES, command, done, files, seen, struck, usual};
use crate::dice::Dice;
use crate::support::{PROFILE, Project};

/// Five profiles, each with a prompt of its own and of another size.
fn many(version: usize) -> Project {
    let project = Project::new();
    for n in 0..5 {
        project.write(&format!("profiles/p{n}.toml"), PROFILE.replace("\"main\"", &format!("\"p{n}\"")));
    }
    set_many(&project, version);
    project
}

fn set_many(project: &Project, version: usize) {
    for n in 0..5 {
        let text = format!("Version {version} of {n}. ").repeat(20 + 60 * n);
        let section = format!("[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"{}\"\n", text.trim_end());
        project.write(&format!("prompts/p{n}.toml"), section);
    }
}

/// What each profile's folder may hold: the old files or the new ones. How many are new.
fn each_is_whole(out: &Path, old: &Files, new: &Files) -> usize {
    let found = seen(out);
    let of = |all: &Files, n: usize| -> Files {
        let own = all.iter().filter(|(path, _)| path.starts_with(&format!("p{n}/")));
        own.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    let is_new = |n: usize| {
        let folder = of(&found, n);
        assert!(folder == of(old, n) || folder == of(new, n), "p{n}: a mix of the old and the new");
        folder == of(new, n)
    };
    (0..5).filter(|n| is_new(*n)).count()
}

/// The files of both versions.
fn versions() -> [Files; 2] {
    [0, 1].map(|version| {
        let project = many(version);
        done(&project.path(""), &["build"]);
        seen(&project.path("dist"))
    })
}

#[cfg(target_os = "linux")]
#[test]
fn many_profiles_on_a_full_disk_are_each_old_or_new() {
    let [old, new] = versions();
    let Some(disk) = Disk::new("1m") else { return };
    let project = many(0);
    let out = disk.path("out");
    let args = ["build", "-o", out.to_str().unwrap()];
    let (mut refused, mut some) = (0, 0);
    for free in 0..60 {
        set_many(&project, 0);
        done(&project.path(""), &args);
        set_many(&project, 1);
        let mut filler = vec![0; 1 << 20];
        while fs::write(disk.path("filler"), &filler).is_err() {
            filler.truncate(filler.len() - 4096);
        }
        filler.truncate(filler.len().saturating_sub(free * 4096));
        fs::write(disk.path("filler"), &filler).unwrap();
        let (code, told) = run(&project.path(""), &args);
        fs::remove_file(disk.path("filler")).unwrap();
        let fresh = each_is_whole(&out, &old, &new);
        if code == Some(0) {
            assert_eq!(fresh, 5);
            break;
        }
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("no space left on device") && told.contains("what was there still stands"), "{told}");
        assert!(fresh < 5, "{free}");
        refused += 1;
        some += usize::from(fresh > 0);
        done(&project.path(""), &args);
        assert!(files(&out) == new, "{free}");
    }
    assert!(refused > 1 && some > 0, "{refused} {some}");
}

#[cfg(target_os = "linux")]
#[test]
fn many_profiles_in_a_folder_that_cannot_be_written_stay_as_they_are() {
    let Some(disk) = Disk::new("4m") else { return };
    let project = many(0);
    let out = disk.path("out");
    let args = ["build", "-o", out.to_str().unwrap()];
    done(&project.path(""), &args);
    disk.make("ro");
    let before = files(&out);
    set_many(&project, 1);
    let (code, told) = run(&project.path(""), &args);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("read-only file system"), "{told}");
    assert!(files(&out) == before);
    disk.make("rw");
    done(&project.path(""), &args);
}

#[test]
fn many_profiles_whose_files_may_not_grow_are_each_old_or_new() {
    let [old, new] = versions();
    // In blocks of 512 bytes: the smallest profiles fit, the largest do not.
    for blocks in [1, 4, 8] {
        for (ignore, code) in [("trap '' XFSZ; ", Some(2)), ("", None)] {
            let project = many(0);
            let root = project.path("");
            done(&root, &["build"]);
            set_many(&project, 1);
            let script = format!("{ignore}ulimit -f {blocks}; exec \"$0\" build");
            let output =
                Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_promptc")]).current_dir(&root).output();
            let output = output.unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), code, "{blocks} {told}");
            assert!(code.is_none() || told.contains("file too large"), "{told}");
            assert!(each_is_whole(&root.join("dist"), &old, &new) < 5, "{blocks}");
            done(&root, &["build"]);
            assert!(files(&root.join("dist")) == new, "{blocks}");
        }
    }
}

#[test]
fn many_profiles_that_are_killed_are_each_old_or_new() {
    let [old, new] = versions();
    let project = many(0);
    let root = project.path("");
    let usual = usual(&root, &["build"], |version| set_many(&project, version));
    let mut dice = Dice(11);
    let (mut killed, mut time) = (0, 0);
    while killed < 10 {
        assert!(time < 10 * TRIES, "{killed} of {time} were killed");
        set_many(&project, 0);
        done(&root, &["build"]);
        set_many(&project, 1);
        let by = [Signal::KILL, Signal::TERM][time / 3 % 2];
        let moment = usual.mul_f64(dice.below(1000) as f64 / 1000.0);
        let staged = root.join(format!("dist/.p{}.promptc-new", dice.below(5)));
        let (place, moment) = if time % 3 == 0 { (None, moment) } else { (Some(&*staged), moment / 4) };
        killed += usize::from(struck(&root, &["build"], place, moment, by).status.signal().is_some());
        each_is_whole(&root.join("dist"), &old, &new);
        done(&root, &["build"]);
        assert!(files(&root.join("dist")) == new, "{time}");
        time += 1;
    }
}

/// A pipe whose reader goes away ahead of the table that a build prints: the folders are written all the same.
#[test]
fn many_profiles_are_written_when_nobody_reads_the_table() {
    let [_, new] = versions();
    let project = many(1);
    let mut child = command(&project.path(""), &["build"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(files(&project.path("dist")) == new);
}
