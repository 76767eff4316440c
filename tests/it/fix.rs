//! `lint --fix`: the examples of all pages that have a fix, and what happens to files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use promptc::host::Host;
use serde_json::Value;

use crate::lint::fences;
use crate::manifests::Case;
use crate::support::{Project, Run};

/// A page's example as a project in a folder.
fn project(rule: &str, example: &str) -> Project {
    let host = Case::of_page(rule, example).host;
    let paths = host.list("", 999).unwrap();
    paths.iter().fold(Project::new(), |project, path| project.file(path, host.read(path, 1 << 20).unwrap()))
}

/// Every file with its bytes.
fn files(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut folders = vec![project.path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(project.path("")).unwrap().to_str().unwrap().to_owned();
                    out.insert(name, fs::read(path).unwrap());
                }
            }
        }
    }
    out
}

/// Runs `lint` with one rule alone, besides what is always an error.
fn lint(project: &Project, rule: &str, more: &[&str]) -> Run {
    let others = promptc::compile::lint_names().iter().filter(|name| **name != rule);
    let mut args = vec!["lint", "--format", "json"];
    args.extend(others.flat_map(|name| ["--allow", name]));
    args.extend(more);
    project.run(&args)
}

/// The findings of a run.
fn findings(run: &Run) -> Vec<Value> {
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    report["diagnostics"].as_array().unwrap().clone()
}

/// The files with the edits of a report made by hand.
fn edited(mut files: BTreeMap<String, Vec<u8>>, findings: &[Value]) -> BTreeMap<String, Vec<u8>> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let edits = findings.iter().filter_map(|f| f["fix"]["edits"].as_array()).flatten();
    let places: BTreeSet<(String, usize, usize, String)> = edits
        .map(|edit| {
            let text = |key: &str| edit[key].as_str().unwrap().to_owned();
            let byte = |end: &str| number(&edit["span"][end]["byte"]);
            (text("path"), byte("start"), byte("end"), text("text"))
        })
        .collect();
    for (path, start, end, text) in places.into_iter().rev() {
        let file = files.get_mut(&path).unwrap();
        file.splice(start..end, text.into_bytes());
    }
    files
}

#[test]
fn what_pages_show_as_failing_can_be_mended_where_they_have_a_fix() {
    let mut mended = BTreeSet::new();
    for rule in promptc::lint::rules() {
        for (kind, example) in fences(rule.doc).into_iter().filter(|(kind, _)| *kind == "fail") {
            let found = Case::of_page(rule.name, &example).lint().found;
            if !found.iter().any(|d| d.rule.name == rule.name && d.fix.is_some()) {
                continue;
            }
            let project = project(rule.name, &example);
            let found = findings(&lint(&project, rule.name, &[]));
            let name = format!("{} ({kind})", rule.name);
            mended.insert(rule.name);
            let before = files(&project);
            let run = lint(&project, rule.name, &["--fix", "--unsafe-fixes"]);
            let left = findings(&run);
            assert!(left.iter().all(|f| f["name"] != rule.name), "{name}: {left:#?}");
            assert!(run.stderr.starts_with("mended p") && run.stderr.contains(rule.name), "{name}: {}", run.stderr);
            assert_eq!(run.code, 0, "{name}: {left:#?}");
            let after = files(&project);
            assert_eq!(after, edited(before, &found), "{name}: more or less has changed than the report says");
            assert_eq!(project.run(&["build", "-o", "out"]).code, 0, "{name}: what was mended does not build");
            let _ = fs::remove_dir_all(project.path("out"));
            let again = lint(&project, rule.name, &["--fix", "--unsafe-fixes"]);
            assert_eq!((files(&project), again.stderr.as_str()), (after, ""), "{name}: a second run changed something");
        }
    }
    let known = [
        "byte-order-mark",
        "lifetime-order",
        "mixed-newlines",
        "static-after-boundary",
        "static-conditional",
        "static-interpolation",
        "three-blank-lines",
        "trailing-whitespace",
        "unordered-collection",
    ];
    assert!(known.iter().all(|rule| mended.contains(rule)), "{mended:?}");
}

/// A dynamic section ahead of a static one, and what else a manifest says.
fn late(more: &str) -> String {
    let inputs = "[inputs]\nbed = { type = \"string\", lifetime = \"session\" }\n";
    let section = |id: &str, zone: &str, rest: &str| format!("[[section]]\nid = \"{id}\"\nzone = \"{zone}\"\n{rest}\n");
    let bed = section("bed", "dynamic", "text = \"Bed: {{ bed | one_line }}\"");
    format!("{inputs}{bed}{}{more}", section("rules", "static", "text = \"Water in the morning.\""))
}

#[test]
fn sections_are_moved_only_where_one_manifest_alone_decides_their_order() {
    let late_fix = |project: &Project| {
        let found = findings(&lint(project, "static-after-boundary", &[]));
        let told: Vec<&Value> = found.iter().filter(|f| f["name"] == "static-after-boundary").collect();
        assert_eq!(told.len(), 1, "{found:#?}");
        told[0]["fix"].clone()
    };
    assert_eq!(late_fix(&Project::of(&late("")))["safe"], true);
    let variant = "[[variant]]\norder = [\"bed\", \"rules\"]\n";
    assert_eq!(late_fix(&Project::of(&late(variant))), Value::Null, "a variant decides");
    let child = "extends = \"base\"\n[[section]]\nid = \"rules\"\nzone = \"static\"\ntext = \"Water twice.\"\n";
    let two_files = Project::of(child).file("prompts/base.toml", late(""));
    assert_eq!(late_fix(&two_files), Value::Null, "two manifests decide");
    let anchored = "extends = \"base\"\n[[section]]\nid = \"last\"\nzone = \"static\"\nafter = \"bed\"\ntext = \"Close the door.\"\n";
    let base =
        late("").replace("[[section]]\nid = \"rules\"\nzone = \"static\"\ntext = \"Water in the morning.\"\n", "");
    let anchored = Project::of(anchored).file("prompts/base.toml", base);
    assert_eq!(late_fix(&anchored), Value::Null, "an anchor decides");
}

#[test]
fn much_shared_text_is_not_moved_for_one_value() {
    let body = |length: usize| {
        let text = "Water in the morning. ".repeat(length / 22);
        let inputs = "[inputs]\nbed = { type = \"string\", lifetime = \"session\" }\n";
        format!("{inputs}[[section]]\nid = \"rules\"\nzone = \"static\"\ntext = \"{text}{{{{ bed | one_line }}}}\"\n")
    };
    for (length, safe) in [(300, true), (1200, false)] {
        let project = Project::of(&body(length));
        let found = findings(&lint(&project, "static-interpolation", &[]));
        assert_eq!(found[0]["fix"]["safe"], safe, "{length}: {found:#?}");
        let cut = found[0]["help"][0].as_str().unwrap().starts_with("cut the section in two");
        assert_eq!(cut, !safe, "{length}: {found:#?}");
    }
}

const MANIFEST: &str = "[[section]]\nid = \"a\"\nzone = \"static\"\nbody = \"a.md\"\n\n\
    [[section]] # a comment, and blanks  \nid   = \"b\"\nzone = \"static\"\ntext = '''\nOne \ntwo.'''\n";

#[test]
fn several_fixes_meet_in_one_file_and_nothing_else_changes() {
    let project = Project::of(&MANIFEST.replace('\n', "\r\n"));
    project.write("prompts/a.md", "\u{feff}One \r\ntwo  \r\nthree\r\n\r\n \r\n\t\r\n\r\nfour ");
    let run = project.run(&["lint", "--fix"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let after = files(&project);
    assert_eq!(after["prompts/a.md"], b"One\ntwo  \nthree\n\nfour ");
    assert_eq!(after["prompts/main.toml"], MANIFEST.replace("One \n", "One\n").into_bytes());
    let mended = "mended prompts/a.md: byte-order-mark (1), mixed-newlines (1), three-blank-lines (1), \
                  trailing-whitespace (1)\nmended prompts/main.toml: mixed-newlines (1), trailing-whitespace (1)\n";
    assert!(run.stderr.starts_with(mended), "{}", run.stderr);
    assert!(run.stderr.ends_with("no findings\n"), "{}", run.stderr);
}

#[test]
fn without_the_flag_nothing_is_written_and_the_flag_is_named() {
    let project = Project::of(MANIFEST).file("prompts/a.md", "One \ntwo.");
    let before = files(&project);
    let run = project.run(&["lint"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, "2 warnings\n2 can be mended by `promptc lint --fix`\n"));
    assert_eq!(files(&project), before);
    assert_eq!(project.run(&["lint", "--unsafe-fixes"]).code, 2);
    // A rule that is not told is not mended.
    project.run(&["lint", "--fix", "--allow", "trailing-whitespace"]);
    assert_eq!(files(&project), before);
}

#[test]
fn risky_fixes_are_made_when_asked_for() {
    let project = Project::of(MANIFEST).file("prompts/a.md", "On\u{200b}e.\nt\u{e0041}wo.");
    let run = project.run(&["lint", "--fix"]);
    let left = "1 warning\n1 can be mended by `promptc lint --fix --unsafe-fixes`\n";
    assert!(run.stderr.ends_with(left), "{}", run.stderr);
    assert_eq!(files(&project)["prompts/a.md"], "On\u{200b}e.\nt\u{e0041}wo.".as_bytes());
    let run = project.run(&["lint", "--fix", "--unsafe-fixes"]);
    assert_eq!(run.stderr, "mended prompts/a.md: invisible-characters (1)\nno findings\n");
    assert_eq!(files(&project)["prompts/a.md"], b"One.\ntwo.");
}

#[cfg(unix)]
#[test]
fn links_stay_in_the_project() {
    use std::os::unix::fs::symlink;
    let project = Project::of(MANIFEST).file("shared/a.md", "One \ntwo.");
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("b.md"), "Three \nfour.").unwrap();
    symlink("../shared/a.md", project.path("prompts/a.md")).unwrap();
    symlink(outside.path().join("b.md"), project.path("prompts/b.md")).unwrap();
    let run = project.run(&["lint", "--fix"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(fs::read_to_string(project.path("shared/a.md")).unwrap(), "One\ntwo.");
    assert!(fs::symlink_metadata(project.path("prompts/a.md")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(outside.path().join("b.md")).unwrap(), "Three \nfour.");
    assert!(fs::symlink_metadata(project.path("prompts/b.md")).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_told_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::of(MANIFEST).file("prompts/a.md", "One \ntwo.");
    let folder = project.path("prompts");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::write(project.path("prompts/probe"), "").is_ok();
    let run = project.run(&["lint", "--fix"]);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if is_root {
        return;
    }
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(project.path("prompts/a.md")).unwrap(), "One \ntwo.");
}
