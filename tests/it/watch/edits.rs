//! Random edits, one after the other: after each one folder, files and messages are those of a fresh build.

use std::fs;

use super::Watch;
use crate::dice::Dice;
use crate::faults::{Files, files};
use crate::support::{PROFILE, Project, skipped};

const FILES: usize = 6;

/// A project in which everything refers to everything else: manifests that extend, bodies that include, by name, by
/// value and if they are there; agents, fixtures, a matrix, and a profile that is warned of.
fn project() -> Project {
    let project = Project::new();
    mend(&project, 0);
    project
}

/// Writes all files anew, so that nothing is wrong.
fn mend(project: &Project, version: usize) {
    for n in 0..FILES {
        for (path, text) in [profile(n), manifest(n, version), body(n, version)] {
            project.write(&path, text);
        }
    }
    project.write("prompts/agents/one.md", "---\nname: one\n---\nAgent one.\n");
    project.write("prompts/parts/x.md", format!("Part x {version}.\n"));
    project.write("prompts/parts/y.md", "Part y.\n");
    project.write("fixtures/some.yaml", "who: ann\n");
    project.write("promptc.toml", "");
}

fn profile(n: usize) -> (String, String) {
    let mut text = PROFILE.replace("main", &format!("p{n}"));
    if n == 1 {
        text = text.replace("opus", "unknown");
    }
    if n == 2 {
        text = text.replace("[chain]\n", "[chain]\nagent = { agent = \"one\" }\n");
    }
    if n.is_multiple_of(3) {
        text += "\n[matrix]\nk = [\"x\", \"y\"]\n";
    }
    text += "\n[fixtures]\nsome = { context = \"fixtures/some.yaml\" }\n";
    (format!("profiles/f{n}.toml"), text)
}

fn manifest(n: usize, version: usize) -> (String, String) {
    let extends = if n > 2 { format!("extends = \"p{}\"\n", n - 3) } else { String::new() };
    let inputs = if n > 2 {
        String::new()
    } else {
        "[inputs]\nk = { type = [\"x\", \"y\"], lifetime = \"build\", default = \"x\" }\nwho = { type = \"string\", lifetime = \"session\", default = \"you\" }\n".to_owned()
    };
    let section = format!(
        "[[section]]\nid = \"s{n}\"\nzone = \"dynamic\"\nbody = \"b{n}.md\"\n\n[[section]]\nid = \"t{n}\"\nzone = \"dynamic\"\ntext = \"Version {version}.\"\n"
    );
    (format!("prompts/p{n}.toml"), format!("{extends}{inputs}{section}"))
}

fn body(n: usize, version: usize) -> (String, String) {
    let text = match n % 3 {
        0 => "{% include \"parts/\" ~ k ~ \".md\" %}",
        1 => "{% include \"parts/maybe.md\" ignore missing %}{{ who }}",
        _ => "{% include \"b0.md\" %}",
    };
    (format!("prompts/b{n}.md"), format!("Body {n}, {version}. {text}\n"))
}

/// One edit, made in both projects.
fn edit(dice: &mut Dice, version: usize, both: [&Project; 2]) -> String {
    let n = dice.below(FILES);
    // In one step: what a build makes of half a file would stand until the file is right.
    let write = |(path, text): (String, String)| {
        both.iter().for_each(|project| project.replace(&path, &text));
        format!("write {path}")
    };
    let remove = |path: String| {
        both.iter().for_each(|project| _ = fs::remove_file(project.path(&path)));
        format!("remove {path}")
    };
    match dice.below(17) {
        0 | 1 => write(body(n, version)),
        2 | 3 => write(manifest(n, version)),
        4 => write(profile(n)),
        5 => write((body(n, 0).0, format!("Broken {version} {{{{ nope }}}}\n"))),
        6 => write((manifest(n, 0).0, format!("version {version} = [\n"))),
        7 => remove(body(n, 0).0),
        8 => remove(manifest(n, 0).0),
        9 if n > 0 => remove(profile(n).0),
        10 => write(("prompts/parts/maybe.md".to_owned(), format!("Maybe {version}.\n"))),
        11 => remove("prompts/parts/maybe.md".to_owned()),
        12 => write((format!("prompts/parts/{}.md", dice.one(&["x", "y"])), format!("Part {version}.\n"))),
        13 => write(("fixtures/some.yaml".to_owned(), format!("who: {}\n", dice.one(&["ann", "bob", "[", "1"])))),
        14 => write((
            "prompts/agents/one.md".to_owned(),
            format!("---\nname: {}\n---\nAgent {version}.\n", dice.one(&["one", "two"])),
        )),
        15 => {
            let what =
                *dice.one(&["[limits]\ntotal = 1\n", "", "nonsense =\n", "[lints]\nunknown-model = \"error\"\n"]);
            write(("promptc.toml".to_owned(), format!("# {version}\n{what}")))
        }
        _ => {
            for project in both {
                let (from, to) = (project.path("prompts/parts"), project.path("gone"));
                _ = fs::remove_dir_all(&to);
                match from.exists() {
                    true => fs::rename(&from, &to).unwrap(),
                    false => fs::create_dir_all(&from).unwrap(),
                }
            }
            "move prompts/parts".to_owned()
        }
    }
}

fn fresh(project: &Project, args: &[&str]) -> (Files, String) {
    let run = project.run(args);
    assert_ne!(run.code, 2, "{}", run.stderr);
    (files(&project.path("dist")), run.stderr)
}

/// After each edit there comes one that a run always tells of, however little the edit changes. Now and then there are many
/// edits at once, without care for half a file, and then what makes everything whole: what is seen in between is left to
/// chance.
fn same_as_fresh(seed: u64, edits: usize, args: &[&str]) {
    let mut dice = Dice(seed);
    let (watched, other) = (project(), project());
    let (wanted, told) = fresh(&other, args);
    let mut watch = Watch::new(&watched.path(""), args);
    watch.settles(&watched.path("dist"), &wanted, &told, "the start");
    for version in 1..=edits {
        let both = [&watched, &other];
        let mut done = format!("{seed}.{version}: ");
        if dice.below(6) > 0 {
            done += &edit(&mut dice, version, both);
        } else {
            for n in 0..10 {
                done += &edit(&mut dice, version * 100 + n, both);
                done += ", ";
            }
            for project in both {
                mend(project, version);
            }
        }
        for project in both {
            project.write("prompts/unread.md", format!("{version}"));
        }
        let (wanted, told) = fresh(&other, args);
        watch.settles(&watched.path("dist"), &wanted, &told, &done);
    }
}

#[test]
fn after_every_edit_all_is_as_after_a_fresh_build() {
    same_as_fresh(11, 25, &["build", "--all"]);
    same_as_fresh(12, 15, &["build"]);
}

#[test]
#[ignore = "takes minutes"]
fn hundreds_of_edits_leave_all_as_a_fresh_build_does() {
    for seed in 0..12 {
        same_as_fresh(seed, 60, if seed % 2 == 0 { &["build", "--all"] } else { &["build"] });
    }
}

/// Memory that a process holds, in KiB.
fn memory(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().split(' ').next()?.parse().ok()
}

#[test]
#[ignore = "takes minutes"]
fn memory_does_not_grow_from_run_to_run() {
    let project = project();
    let mut watch = Watch::new(&project.path(""), &["build", "--all"]);
    watch.round();
    let mut sizes = Vec::new();
    for version in 1..=400 {
        for (path, text) in [body(version % FILES, version), manifest(version % FILES, version)] {
            project.replace(&path, text);
            watch.round_of(&path);
        }
        if version % 100 == 0 {
            let Some(size) = memory(watch.child.id()) else { return skipped("there is no /proc") };
            sizes.push(size);
        }
    }
    assert!(sizes[3] < sizes[0] + sizes[0] / 5 + 4096, "{sizes:?} KiB");
}
