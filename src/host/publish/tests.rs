//! Tests of publishing: the same on every state in which a run may be killed.

#![expect(clippy::disallowed_methods, reason = "looks at what was written")]

use std::fs;
use std::sync::mpsc;

use camino::Utf8PathBuf;

use super::*;

const PROOF: &str = "{\n  \"format\": \"promptc.blocks/1\"";

struct Project {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Project {
    fn new() -> Project {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap().join("project");
        for source in ["prompts", "profiles"] {
            fs::create_dir_all(root.join(source)).unwrap();
        }
        Project { _folder: folder, root }
    }

    fn target<'a>(&'a self, folder: &'a str) -> Target<'a> {
        Target {
            root: &self.root,
            folder: Utf8Path::new(folder),
            sources: &["prompts", "profiles"],
            own: Own {
                proof: Some(("blocks.json", "promptc.blocks/")),
                names: &["prompt.txt"],
                is_folder: |name| name.contains('='),
            },
        }
    }

    fn publish(&self, folder: &str, files: &Files) -> Result<Published, Error> {
        publish(&self.target(folder), files, &mut |_| panic!("nothing to wait for"))
    }

    fn refused(&self, folder: &str) -> String {
        self.publish(folder, &files("1")).unwrap_err().message
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// All files below a folder, hidden ones too; none when it is not there.
    fn read(&self, folder: &str) -> Option<Files> {
        let folder = self.root.join(folder);
        let mut out = Files::new();
        let mut todo = vec![folder.clone()];
        while let Some(next) = todo.pop() {
            for entry in next.read_dir_utf8().ok()? {
                let path = entry.unwrap().into_path();
                if path.is_dir() {
                    todo.push(path);
                } else {
                    out.insert(path.strip_prefix(&folder).unwrap().to_string(), fs::read(&path).unwrap());
                }
            }
        }
        Some(out)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = self.root.join(folder).read_dir_utf8().unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }
}

/// An artifact: one file that is the same in all of them, one that is not, one in a folder.
fn files(version: &str) -> Files {
    let mut files = Files::new();
    files.insert("blocks.json".to_owned(), format!("{PROOF} {version}").into_bytes());
    files.insert("prompt.txt".to_owned(), b"same".to_vec());
    files.insert(format!("a={version}/blocks.json"), PROOF.as_bytes().to_vec());
    files
}

#[test]
fn a_folder_holds_exactly_the_files() {
    let project = Project::new();
    let written = Published { written: true, waited: false };
    assert_eq!(project.publish("dist/coding", &files("1")), Ok(written));
    assert_eq!(project.read("dist/coding"), Some(files("1")));
    assert_eq!(project.publish("dist/coding", &files("2")), Ok(written));
    assert_eq!(project.read("dist/coding"), Some(files("2")));
    assert_eq!(project.names("dist"), ["coding"]);
    let absolute = project.root.join("../elsewhere");
    assert_eq!(project.publish(absolute.as_str(), &files("1")), Ok(written));
    assert_eq!(project.read("../elsewhere"), Some(files("1")));
}

#[cfg(unix)]
#[test]
fn a_lock_that_a_killed_run_left_goes_with_the_next_run_that_changes_nothing() {
    let project = Project::new();
    project.publish("dist/coding", &files("1")).unwrap();
    let lock = project.root.join("dist/.coding.promptc-lock");
    let same = Published { written: false, waited: false };
    let held = Lock::take(&lock, &mut || {}).unwrap();
    assert_eq!(project.publish("dist/coding", &files("1")), Ok(same));
    assert!(lock.exists(), "somebody holds it");
    drop(held);
    project.put("dist/.coding.promptc-lock", "");
    assert_eq!(project.publish("dist/coding", &files("1")), Ok(same));
    assert_eq!(project.names("dist"), ["coding"]);
}

#[test]
fn nothing_is_written_when_no_byte_differs_and_same_files_stay_themselves() {
    use std::os::unix::fs::MetadataExt;
    let project = Project::new();
    let inode = |path: &str| fs::metadata(project.root.join(path)).unwrap().ino();
    project.publish("dist/coding", &files("1")).unwrap();
    let (folder, same) = (inode("dist/coding"), inode("dist/coding/prompt.txt"));
    project.put("dist/coding/.DS_Store", "strewn");
    assert_eq!(project.publish("dist/coding", &files("1")), Ok(Published { written: false, waited: false }));
    assert_eq!(inode("dist/coding"), folder);
    project.publish("dist/coding", &files("2")).unwrap();
    assert_ne!(inode("dist/coding"), folder);
    assert_eq!(inode("dist/coding/prompt.txt"), same);
    assert_eq!(fs::metadata(project.root.join("dist/coding/prompt.txt")).unwrap().nlink(), 1);
}

#[cfg(unix)]
#[test]
fn modes_are_those_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    let mode = |path: &str| fs::metadata(project.root.join(path)).unwrap().permissions().mode();
    project.put("plain/file", "");
    project.publish("dist/coding", &files("1")).unwrap();
    assert_eq!(mode("dist/coding/blocks.json"), mode("plain/file"));
    assert_eq!(mode("dist/coding"), mode("plain"));
    assert_eq!(mode("dist"), mode("plain"));
}

/// Kills a build after each of its steps, and looks at what is left then and after the next build.
fn killed_anywhere(exchange: bool, before: Option<&str>) {
    for steps in 0.. {
        let project = Project::new();
        if let Some(version) = before {
            project.publish("dist/coding", &files(version)).unwrap();
        }
        let dying = Steps { exchange, left: steps.into() };
        let done = run(&project.target("dist/coding"), &files("2"), &dying, &mut |_| {});
        let (old, new) = (before.map(files), Some(files("2")));
        let found = project.read("dist/coding");
        // Where two renames are needed, there is a moment without a folder; the old one then stands beside, whole.
        let beside = project.read("dist/.coding.promptc-old");
        let between = !exchange && found.is_none() && beside == old;
        assert!(found == old || found == new || between, "{steps}: {found:?}");

        // The next run, killed or not, leads to its own state, and leaves nothing beside.
        let again = Steps { exchange, left: steps.into() };
        _ = run(&project.target("dist/coding"), &files("3"), &again, &mut |_| {});
        project.put("dist/.coding.promptc-lock", "");
        assert_eq!(project.publish("dist/coding", &files("3")).map(|_| ()), Ok(()), "{steps}");
        assert_eq!(project.read("dist/coding"), Some(files("3")), "{steps}");
        let left: Vec<String> = project.names("dist").into_iter().filter(|n| n != ".coding.promptc-lock").collect();
        assert_eq!(left, ["coding"], "{steps}");
        if done.is_ok() && dying.left.get() > 0 {
            assert!(steps > 8);
            break;
        }
    }
}

#[test]
fn a_first_build_may_be_killed_anywhere() {
    killed_anywhere(true, None);
}

#[test]
fn an_exchange_may_be_killed_anywhere() {
    killed_anywhere(true, Some("1"));
}

#[test]
fn two_renames_may_be_killed_anywhere() {
    killed_anywhere(false, Some("1"));
}

#[test]
fn an_interrupted_pair_of_renames_is_finished() {
    let project = Project::new();
    for (path, bytes) in files("2") {
        project.put(&format!("dist/.coding.promptc-new/{path}"), std::str::from_utf8(&bytes).unwrap());
    }
    for (path, bytes) in files("1") {
        project.put(&format!("dist/.coding.promptc-old/{path}"), std::str::from_utf8(&bytes).unwrap());
    }
    // The state of the pair is the one wanted: finishing it is all that is done.
    assert_eq!(project.publish("dist/coding", &files("2")), Ok(Published { written: false, waited: false }));
    assert_eq!(project.read("dist/coding"), Some(files("2")));
    assert_eq!(project.names("dist"), ["coding"]);
}

#[test]
fn other_peoples_files_are_not_deleted() {
    let project = Project::new();
    project.publish("dist/coding", &files("1")).unwrap();
    project.put("dist/coding/notes.md", "mine");
    let error = project.publish("dist/coding", &files("2")).unwrap_err();
    assert_eq!(error.message, "`dist/coding` holds what promptc did not write: `notes.md`");
    assert!(!error.help.is_empty());
    assert!(project.read("dist/coding").unwrap().contains_key("notes.md"));

    project.put("mine/prompt.txt", "not by promptc");
    assert_eq!(project.refused("mine"), "`mine` was not made by promptc, and is not empty");
    project.put("mine/blocks.json", "{\"format\": \"other\"}");
    assert_eq!(project.refused("mine"), "`mine` was not made by promptc, and is not empty");

    // The folder above the artifacts is not an artifact's.
    assert_eq!(project.refused("dist"), "`dist` holds what promptc did not write: `coding`");
    for name in ["a", "b", "c", "d", "e"] {
        project.put(&format!("many/{name}"), "");
    }
    assert_eq!(project.refused("many"), "`many` holds what promptc did not write: `a`, `b`, `c` and more");
    assert_eq!(project.names("many").len(), 5);
    assert_eq!(project.names(".").iter().filter(|n| n.contains("promptc-")).count(), 0);
}

#[test]
fn empty_folders_and_old_cells_are_replaced() {
    let project = Project::new();
    fs::create_dir_all(project.root.join("dist/coding/empty")).unwrap();
    project.put("dist/coding/Thumbs.db", "strewn");
    project.put("dist/coding/b=x/blocks.json", PROOF);
    project.publish("dist/coding", &files("1")).unwrap();
    assert_eq!(project.read("dist/coding"), Some(files("1")));
}

#[test]
fn places_that_are_not_for_output_are_refused() {
    let project = Project::new();
    project.put("file", "");
    for (folder, want) in [
        ("", "the project's root cannot be an output folder"),
        (".", "the project's root cannot be an output folder"),
        ("dist/../prompts", "cannot reach"),
        ("prompts/../profiles/x", "output into `profiles/x` would mix with the sources in `profiles`"),
        ("prompts", "output into `prompts` would mix with the sources in `prompts`"),
        ("prompts/dist", "output into `prompts/dist` would mix with the sources in `prompts`"),
        ("file", "`file` is a file where a folder must be"),
        ("file/dist/x", "`file` is a file where a folder must be"),
    ] {
        assert!(project.refused(folder).starts_with(want), "{folder}: {}", project.refused(folder));
    }
    let above = project.root.parent().unwrap();
    assert!(project.refused(above.as_str()).contains("which holds the project"));
    assert!(project.refused("..").contains("which holds the project"));
    for name in ["", "/x", "a//b", "../x", "a/./b", "a\0b", "a\\b", "c:x"] {
        let one = Files::from([(name.to_owned(), Vec::new())]);
        assert!(project.publish("dist/coding", &one).is_err(), "{name:?}");
    }
    assert!(!project.root.join("dist").exists());
}

#[cfg(unix)]
#[test]
fn links_are_refused() {
    use std::os::unix::fs::symlink;
    let project = Project::new();
    let outside = project.root.join("../outside");
    fs::create_dir(&outside).unwrap();
    symlink("../outside", project.root.join("dist")).unwrap();
    assert_eq!(project.refused("dist"), "`dist` is a link: output is not written through links");
    assert_eq!(project.refused("dist/coding"), "`dist` is a link: output is not written through links");
    symlink("nothing", project.root.join("dangling")).unwrap();
    assert_eq!(project.refused("dangling/coding"), "`dangling` is a link: output is not written through links");
    symlink("project/prompts", project.root.join("../sources")).unwrap();
    let sources = project.root.join("../sources");
    assert!(project.refused(sources.as_str()).ends_with("is a link: output is not written through links"));
    assert!(project.refused(sources.join("x").as_str()).ends_with("would mix with the sources in `prompts`"));
    assert!(fs::read_dir(&outside).unwrap().next().is_none());

    // The root itself, and folders above an output outside the project, may be reached through links.
    symlink("project", project.root.join("../link")).unwrap();
    let root = project.root.join("../link");
    let target = Target { root: &root, ..project.target("out/coding") };
    publish(&target, &files("1"), &mut |_| {}).unwrap();
    assert_eq!(project.read("out/coding"), Some(files("1")));
    symlink("outside", project.root.join("../way")).unwrap();
    project.publish(project.root.join("../way/coding").as_str(), &files("1")).unwrap();
    assert!(outside.join("coding/blocks.json").is_file());

    assert!(refuse_links(&project.root, Utf8Path::new("dist/x")).is_err());
    assert!(refuse_links(&project.root, Utf8Path::new("prompts/x")).is_ok());
    assert!(refuse_links(&root, Utf8Path::new("prompts/x")).is_ok());
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_folder_is_replaced_and_its_target_left_alone() {
    let project = Project::new();
    project.publish("dist/coding", &files("1")).unwrap();
    project.put("precious", "same");
    fs::remove_file(project.root.join("dist/coding/prompt.txt")).unwrap();
    std::os::unix::fs::symlink("../../precious", project.root.join("dist/coding/prompt.txt")).unwrap();
    assert!(project.publish("dist/coding", &files("1")).unwrap().written);
    assert!(fs::symlink_metadata(project.root.join("dist/coding/prompt.txt")).unwrap().is_file());
    assert!(project.root.join("precious").is_file());
}

#[test]
fn builds_into_one_place_wait_for_one_another() {
    let project = Project::new();
    let target = project.target("dist/coding");
    let place = Ground::new(&target).unwrap().place(target.folder).unwrap();
    fs::create_dir_all(&place.parent).unwrap();
    let lock = Lock::take(&place.sibling("lock"), &mut || {}).unwrap();
    let (told, hear) = mpsc::channel();
    std::thread::scope(|scope| {
        let build = scope
            .spawn(|| publish(&project.target("dist/coding"), &files("1"), &mut |s| told.send(s.to_owned()).unwrap()));
        assert_eq!(hear.recv().unwrap(), "waiting for another build into `dist/coding`");
        assert_eq!(project.read("dist/coding"), None);
        drop(lock);
        assert_eq!(build.join().unwrap(), Ok(Published { written: true, waited: true }));
    });
    assert_eq!(project.names("dist"), ["coding"]);
}

#[test]
fn many_builds_at_once_leave_one_of_their_states() {
    let project = Project::new();
    std::thread::scope(|scope| {
        for version in ["1", "2", "3", "4"] {
            let project = &project;
            scope.spawn(move || {
                for _ in 0..20 {
                    publish(&project.target("dist/coding"), &files(version), &mut |_| {}).unwrap();
                }
            });
        }
    });
    let found = project.read("dist/coding");
    assert!(["1", "2", "3", "4"].iter().any(|v| found == Some(files(v))));
    assert_eq!(project.names("dist"), ["coding"]);
}

#[test]
fn long_names_have_siblings_too() {
    let project = Project::new();
    let folder = format!("dist/{}", "k".repeat(255));
    project.publish(&folder, &files("1")).unwrap();
    project.publish(&folder, &files("2")).unwrap();
    assert_eq!(project.read(&folder), Some(files("2")));
}

#[test]
fn errors_say_the_cause_and_a_way_out() {
    let of = |kind: std::io::ErrorKind| place::failed("write", "dist/coding", &kind.into());
    let full = of(std::io::ErrorKind::StorageFull);
    assert_eq!(full.message, "cannot write `dist/coding`: no storage space");
    assert_eq!(full.help, ["free some space; what was there still stands"]);
    assert!(of(std::io::ErrorKind::ReadOnlyFilesystem).help[0].contains("-o"));
    let system = std::io::Error::from_raw_os_error(28);
    assert_eq!(place::failed("write", "d", &system).message, "cannot write `d`: no space left on device");
}

/// Many folders, some old, some new, one as it is: a run that dies after each of its steps, alone and once more.
fn killed_among_many(exchange: bool) {
    let names = ["a", "b", "c", "d"];
    let paths: Vec<String> = names.iter().map(|name| format!("dist/{name}")).collect();
    let wanted = |version: &str| -> Vec<Files> { names.map(|name| files(&format!("{version}{name}"))).to_vec() };
    let publish_many = |project: &Project, wanted: &[Files], steps: &Steps| {
        let target = project.target("");
        let folders: Vec<(&Utf8Path, &Files)> = paths.iter().map(|p| Utf8Path::new(p.as_str())).zip(wanted).collect();
        together(&Ground::new(&target).unwrap(), target.own, &folders, steps, &mut |_| {})
    };
    let mut mixed = 0;
    for steps in 0.. {
        let project = Project::new();
        let (mut old, new) = (wanted("1"), wanted("2"));
        old[3].clone_from(&new[3]);
        // The second is not there yet, the last one changes nothing.
        for at in [0, 2, 3] {
            project.publish(&paths[at], &old[at]).unwrap();
        }
        let dying = Steps { exchange, left: steps.into() };
        let done = publish_many(&project, &new, &dying);
        let mut ends = Vec::new();
        for (at, path) in paths.iter().enumerate() {
            let was = (at != 1).then(|| old[at].clone());
            let found = project.read(path);
            let beside = project.read(&format!("dist/.{}.promptc-old", names[at]));
            let between = !exchange && found.is_none() && beside == was;
            assert!(found == was || found.as_ref() == Some(&new[at]) || between, "{steps} {path}: {found:?}");
            ends.push(found.as_ref() == Some(&new[at]));
        }
        assert!(ends[3], "{steps}");
        mixed += usize::from(ends[0] != ends[2]);
        assert_eq!(done.is_ok(), dying.left.get() > 0 || ends.iter().all(|new| *new), "{steps}");

        // Another run, killed or not, and one that is not.
        _ = publish_many(&project, &wanted("3"), &Steps { exchange, left: steps.into() });
        assert!(publish_many(&project, &wanted("4"), &Steps { exchange, ..Steps::default() }).is_ok(), "{steps}");
        let found: Vec<Files> = paths.iter().map(|path| project.read(path).unwrap()).collect();
        assert!(found == wanted("4"), "{steps}");
        assert_eq!(project.names("dist"), names, "{steps}");
        if dying.left.get() > 0 {
            assert!(steps > 30, "{steps}");
            break;
        }
    }
    // Folders take their places one by one.
    assert!(mixed > 0);
}

#[test]
fn many_folders_may_be_killed_anywhere_by_exchange() {
    killed_among_many(true);
}

#[test]
fn many_folders_may_be_killed_anywhere_by_two_renames() {
    killed_among_many(false);
}

#[test]
fn what_was_written_while_waiting_is_seen() {
    let project = Project::new();
    let mut calls = 0;
    let mut make = || {
        calls += 1;
        // Somebody else is quicker.
        if calls == 2 {
            project.put("dist/coding/blocks.json", PROOF);
            project.put("dist/coding/a=theirs/theirs.json", "theirs");
        }
        let mut made = project.read("dist/coding").unwrap_or_default();
        made.extend(files("1"));
        Ok((made, vec!["theirs.json".to_owned()]))
    };
    let done = update(&project.target("dist/coding"), &mut make, &mut |_| {});
    assert_eq!(done, Ok(Published { written: true, waited: false }));
    let mut both = files("1");
    both.insert("a=theirs/theirs.json".to_owned(), b"theirs".to_vec());
    assert_eq!(project.read("dist/coding"), Some(both));
    // Nothing to be written: nobody is waited for.
    let mut make = || Ok((project.read("dist/coding").unwrap(), Vec::new()));
    let done = update(&project.target("dist/coding"), &mut make, &mut |_| {});
    assert_eq!(done, Ok(Published { written: false, waited: false }));
}
