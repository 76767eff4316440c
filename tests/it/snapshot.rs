//! `promptc snapshot`: goldens of everything that is compiled, checked, accepted and reviewed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use promptc::snapshot::RULES;

use crate::support::{PROFILE, Project, Run, root};

const MANIFEST: &str = r#"
[inputs]
edition = { type = ["free", "team"], lifetime = "build" }
cwd     = { type = "string",         lifetime = "session" }

[[section]]
id   = "identity"
zone = "static"
body = "identity.md"

[[section]]
id   = "place"
zone = "dynamic"
text = "You are in {{ cwd }}."
"#;

fn profile(matrix: &str, values: &str) -> String {
    let fixture = |name: &str| format!("\n[[fixture]]\nname = \"{name}\"\ncontext = \"fixtures/{name}.json\"\n");
    format!("{matrix}\n{PROFILE}\n{values}\n{}{}", fixture("app"), fixture("tmp"))
}

/// Two profiles of one prompt: one with a matrix of two, one of the team's edition. Each with two fixtures.
fn project() -> Project {
    Project::new()
        .file("prompts/main.toml", MANIFEST)
        .file(
            "prompts/identity.md",
            "You are Pip{% if edition == 'team' %}, one of a team{% endif %}.\nYou explain code.\n",
        )
        .file("profiles/fleet.toml", profile("matrix = { edition = [\"free\", \"team\"] }", ""))
        .file("profiles/team.toml", profile("", "[values]\nedition = \"team\""))
        .file("fixtures/app.json", r#"{ "cwd": "/srv/app" }"#)
        .file("fixtures/tmp.json", r#"{ "cwd": "/tmp" }"#)
}

fn accepted() -> Project {
    let project = project();
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    project
}

/// All files of a folder, by their paths in it.
fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_str().unwrap().to_owned();
        match entry.file_type().unwrap().is_dir() {
            true => {
                out.extend(files_of(&entry.path()).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)))
            }
            false => _ = out.insert(name, fs::read(entry.path()).unwrap()),
        }
    }
    out
}

/// All files of the folder of snapshots.
fn stored(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let folder = project.path("snapshots");
    if folder.is_dir() { files_of(&folder) } else { BTreeMap::new() }
}

fn changed(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

fn check(project: &Project) -> Run {
    project.run(&["snapshot", "check"])
}

/// The names of messages and their files.
fn findings(project: &Project) -> Vec<(String, String)> {
    let run = project.run(&["snapshot", "check", "--format", "json"]);
    assert!(run.code < 2, "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let list = report["diagnostics"].as_array().unwrap();
    assert_eq!(run.code == 1, !list.is_empty());
    let word = |d: &serde_json::Value, key: &str| d[key].as_str().unwrap().trim_start_matches("snapshots/").to_owned();
    list.iter().map(|d| (word(d, "name"), word(d, "path"))).collect()
}

fn pair(name: &str, path: &str) -> (String, String) {
    (name.to_owned(), path.to_owned())
}

#[test]
fn a_new_project_has_none_and_check_writes_none() {
    let project = project();
    let run = check(&project);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert_eq!(run.stdout, "there are no snapshots in `snapshots/` yet\nto write them: promptc snapshot accept\n");
    assert_eq!(stored(&project), BTreeMap::new());
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "written  snapshots/texts/main/identity.txt\nwritten  snapshots/texts/main/place.txt\n\
         written  snapshots/fleet.toml\nwritten  snapshots/team.toml\n"
    );
    let run = project.run(&["snapshot"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "9 artifacts are as their snapshots say\n"));
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "nothing to accept\n"));
}

#[test]
fn files_are_made_to_be_read() {
    let files = stored(&accepted());
    let text = |path: &str| String::from_utf8(files[path].clone()).unwrap();
    let digest = |text: &str| promptc::digest::text(text)[..16].to_owned();
    let (free, team) = ("You are Pip.\nYou explain code.", "You are Pip, one of a team.\nYou explain code.");
    assert_eq!(
        text("texts/main/identity.txt"),
        format!(
            "# promptc.snapshot/1: the texts of `main/identity`\n\n== {}, 30 bytes\n{free}\n\n== {}, 45 bytes\n{team}\n",
            digest(free),
            digest(team)
        )
    );
    let team_file = text("team.toml");
    assert!(
        team_file.starts_with(
            "# Written by `promptc snapshot accept`: to be reviewed, not to be edited. The texts are in texts/, by section.\n\
             format    = \"promptc.snapshot/1\"\nprofile   = \"team\"\ntarget    = \"anthropic claude-opus-5.5\"\n"
        ),
        "{team_file}"
    );
    let block = format!(
        "\n[[block]]\nname     = \"static-{0}\"\ntokens   = {1}\nbytes    = 45\nsections = [\n  \"{0} main/identity\",\n]\n",
        digest(team),
        team_file.split("tokens   = ").nth(1).unwrap().split('\n').next().unwrap(),
    );
    assert!(team_file.contains(&block), "{team_file}");
    assert_eq!(team_file.matches("[[block]]").count(), 4, "each distinct block once: static, open, and one a fixture");
    assert_eq!(team_file.matches("[[combination]]").count(), 3);
    assert!(
        team_file.contains("\n[[combination]]\nfixture  = \"app\"\nwinner   = \"default\"\nstrategy = \"boundary\"\n")
    );
    let prefix = promptc::digest::text(&format!("45\n{team}"))[..16].to_owned();
    let placement =
        format!("  {{ block = \"static-{}\", scope = \"global\", prefix = \"{prefix}\" }},\n", digest(team));
    assert_eq!(team_file.matches(&placement).count(), 3, "{team_file}");
    assert!(team_file.contains(&format!("  \"template-{} main/place\",\n", digest("You are in {{ cwd }}."))));
    assert_eq!(text("fleet.toml").matches("cell     = \"edition=team\"").count(), 3);
}

#[test]
fn one_wording_changes_one_text_and_the_digests_of_its_blocks() {
    let project = accepted();
    let before = stored(&project);
    project.write(
        "prompts/identity.md",
        "You are Pip{% if edition == 'team' %}, one of a team{% endif %}.\nYou explain programs.\n",
    );
    let run = check(&project);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        run.stdout.starts_with("changed  snapshots/texts/main/identity.txt\n  in fleet (edition=free ahead of time, "),
        "{}",
        run.stdout
    );
    assert_eq!(run.stdout.matches("\n- You explain code.\n+ You explain programs.\n").count(), 2, "{}", run.stdout);
    assert!(
        run.stdout.contains("from `main/identity` on: ahead of time, app, tmp\n\n3 changed, 0 missing, 0 orphaned\nto accept: promptc snapshot accept\n"),
        "{}",
        run.stdout
    );
    assert_eq!(stored(&project), before, "check writes nothing");
    project.run(&["snapshot", "accept"]);
    let after = stored(&project);
    assert_eq!(changed(&before, &after), ["fleet.toml", "team.toml", "texts/main/identity.txt"]);
    let lines = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
        String::from_utf8(files["texts/main/identity.txt"].clone()).unwrap().lines().map(str::to_owned).collect()
    };
    let differ = lines(&before).iter().zip(&lines(&after)).filter(|(a, b)| a != b).count();
    assert_eq!(differ, 4, "of each of both texts its line, and the line with its digest");
    assert_eq!(check(&project).code, 0);
}

/// The same with the repository's own prompts: a word in a section that many profiles, cells and fixtures have.
#[test]
fn one_wording_of_our_own_agent_changes_one_text_and_digests() {
    let mut project = Project::new();
    for folder in ["prompts", "profiles", "fixtures", "snapshots"] {
        for (path, bytes) in files_of(&root().join(folder)) {
            project = project.file(&format!("{folder}/{path}"), bytes);
        }
    }
    assert_eq!(check(&project).code, 0);
    let before = stored(&project);
    let care = fs::read_to_string(project.path("prompts/coding/care.md")).unwrap();
    project.write("prompts/coding/care.md", care.replacen(" the ", " the very ", 1));
    assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
    let after = stored(&project);
    let text = |files: &BTreeMap<String, Vec<u8>>, path: &str| String::from_utf8(files[path].clone()).unwrap();
    let with_care: Vec<String> = before.keys().filter(|path| path.ends_with(".toml")).cloned().collect();
    let with_care: Vec<String> =
        with_care.into_iter().filter(|path| text(&before, path).contains("coding/care")).collect();
    assert!(with_care.len() > 3, "{with_care:?}");
    let mut wanted = with_care.clone();
    wanted.push("texts/coding/care.txt".to_owned());
    assert_eq!(changed(&before, &after), wanted);
    // Line by line nothing but digests and sizes.
    let plain = |line: &str| -> String { line.chars().filter(|c| !c.is_ascii_hexdigit()).collect() };
    for path in &with_care {
        let (old, new) = (text(&before, path), text(&after, path));
        assert_eq!(old.lines().map(plain).collect::<Vec<_>>(), new.lines().map(plain).collect::<Vec<_>>(), "{path}");
    }
}

#[test]
fn other_names_are_no_other_text_and_what_is_not_compared_is_said() {
    let project = accepted();
    project.write("prompts/main.toml", MANIFEST.replace("\"identity\"", "\"role\""));
    let run = check(&project);
    assert!(
        run.stdout.contains("  static has the same text, of other sections, from `main/role` on: "),
        "{}",
        run.stdout
    );
    project.write("prompts/main.toml", format!("{MANIFEST}\ncolour = 1\n"));
    let run = check(&project);
    let line = "0 artifacts are as their snapshots say; not compared, for want of an artifact: `fleet`, `team`\n";
    assert_eq!((run.code, run.stdout.as_str()), (1, line));
}

#[test]
fn what_differs_is_told_in_colours_and_to_programs() {
    let project = accepted();
    project.write(
        "prompts/identity.md",
        "You are Pip{% if edition == 'team' %}, one of a team{% endif %}.\nYou explain programs.\n",
    );
    let run = project.run(&["snapshot", "check", "--color", "always"]);
    assert!(
        run.stdout.starts_with("\u{1b}[33mchanged\u{1b}[0m  snapshots/texts/main/identity.txt\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("\n\u{1b}[31m- You explain code.\u{1b}[0m\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\n\u{1b}[32m+ You explain programs.\u{1b}[0m\n"), "{}", run.stdout);
    assert!(!project.run(&["snapshot", "check"]).stdout.contains('\u{1b}'));

    let run = project.run(&["snapshot", "check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let found =
        report["diagnostics"].as_array().unwrap().iter().find(|d| d["path"] == "snapshots/texts/main/identity.txt");
    let lines: Vec<(&str, &str)> = found.unwrap()["difference"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|hunk| hunk["lines"].as_array().unwrap())
        .map(|line| (line["in"].as_str().unwrap(), line["text"].as_str().unwrap()))
        .collect();
    assert!(lines.contains(&("before", "You explain code.")) && lines.contains(&("after", "You explain programs.")));
    assert!(lines.contains(&("both", "")), "{lines:?}");
    let schema: serde_json::Value = serde_json::from_str(&promptc::report::schema("report").unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&report));
}

#[test]
fn changed_missing_and_orphaned_files_are_found() {
    let project = accepted();
    project.write("snapshots/texts/main/identity.txt", "edited");
    fs::remove_file(project.path("snapshots/texts/main/place.txt")).unwrap();
    project.write("snapshots/texts/main/old.txt", "left over\n");
    let gone = fs::read_to_string(project.path("snapshots/team.toml")).unwrap().replace("\"team\"", "\"gone\"");
    project.write("snapshots/gone.toml", gone);
    assert_eq!(
        findings(&project),
        [
            pair("snapshot-changed", "texts/main/identity.txt"),
            pair("snapshot-missing", "texts/main/place.txt"),
            pair("snapshot-orphan", "gone.toml"),
            pair("snapshot-orphan", "texts/main/old.txt"),
        ]
    );
    let run = check(&project);
    assert!(run.stdout.contains("orphan   snapshots/gone.toml\n  gone: ahead of time, app, tmp\n"), "{}", run.stdout);
    assert!(
        run.stdout.ends_with("\n1 changed, 1 missing, 2 orphaned\nto accept: promptc snapshot accept\n"),
        "{}",
        run.stdout
    );
    let told: BTreeSet<String> = findings(&project).into_iter().map(|(name, _)| name).collect();
    assert_eq!(told, RULES.iter().map(|rule| rule.name.to_owned()).collect(), "every rule of snapshots is broken here");
    for rule in RULES {
        assert_eq!(project.run(&["explain", rule.name]).code, 0);
    }
    let run = project.run(&["snapshot", "accept"]);
    assert!(run.stdout.contains("removed  snapshots/gone.toml\n"), "{}", run.stdout);
    assert_eq!(stored(&project), stored(&accepted()));
}

#[test]
fn what_somebody_did_to_a_file_is_seen_and_mended() {
    let good = stored(&accepted());
    let matrix = String::from_utf8(good["team.toml"].clone()).unwrap();
    let text = String::from_utf8(good["texts/main/identity.txt"].clone()).unwrap();
    let hex = "0123456789abcdef";
    for (path, bytes) in [
        ("team.toml", b"".to_vec()),
        ("team.toml", b"\x00\xff\x00".to_vec()),
        ("team.toml", format!("<<<<<<< ours\n{matrix}=======\n{matrix}>>>>>>> theirs\n").into_bytes()),
        ("team.toml", matrix.replace("profile   = \"team\"", "profile   = \"fleet\"").into_bytes()),
        ("team.toml", matrix.replace("\"app\"", "\"app2\"").into_bytes()),
        ("team.toml", matrix.replace("main/identity", "../../../outside").into_bytes()),
        ("team.toml", matrix.replacen("block = \"static-", "block = \"none-", 1).into_bytes()),
        ("team.toml", format!("{matrix}\n").into_bytes()),
        ("team.toml", matrix.trim_end().as_bytes().to_vec()),
        ("team.toml", [matrix.as_bytes(), matrix.as_bytes()].concat()),
        ("texts/main/identity.txt", b"".to_vec()),
        ("texts/main/identity.txt", b"\xff".to_vec()),
        ("texts/main/identity.txt", text.replace("code", "co de").into_bytes()),
        ("texts/main/identity.txt", text.replace(", 30 bytes", ", 99999999999999999999 bytes").into_bytes()),
        ("texts/main/identity.txt", text.replace(", 30 bytes", ", 9999 bytes").into_bytes()),
        ("texts/main/identity.txt", format!("{text}\n== {hex}, 1 bytes\nx\n").into_bytes()),
        ("texts/main/identity.txt", text.trim_end().as_bytes().to_vec()),
        ("texts/main/identity.txt", "é".repeat(2 << 20).into_bytes()),
    ] {
        let project = accepted();
        project.write(&format!("snapshots/{path}"), &bytes);
        let run = check(&project);
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (1, ""),
            "{path}: {:?}",
            String::from_utf8_lossy(&bytes[..bytes.len().min(99)])
        );
        assert!(findings(&project).iter().any(|(_, found)| found == path));
        let run = project.run(&["snapshot", "accept"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{path}");
        assert!(stored(&project) == good, "{path}");
    }
}

#[test]
fn line_ends_of_a_checkout_do_no_harm() {
    let project = accepted();
    for (path, bytes) in stored(&project) {
        let text = String::from_utf8(bytes).unwrap();
        project.write(&format!("snapshots/{path}"), format!("\u{feff}{}", text.replace('\n', "\r\n")));
    }
    assert_eq!(check(&project).code, 0);
}

#[test]
fn texts_may_look_like_the_files_that_they_stand_in() {
    let hostile = "You.\n\n== 0123456789abcdef, 3 bytes\nabc\n# promptc.snapshot/1: the texts of `x`\n\n<<<<<<< ours\n\u{1b}[2J\u{0}\u{7f}";
    let project = accepted().file("fixtures/app.json", serde_json::json!({ "cwd": hostile }).to_string());
    let run = check(&project);
    assert!(run.stdout.contains("\\u{1b}[2J\\u{0}\\u{7f}"), "{}", run.stdout);
    assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
    assert_eq!(check(&project).code, 0);
    // And they are read back, not only compared: another fixture alone is accepted, and this one stays.
    project.write("fixtures/tmp.json", r#"{ "cwd": "/elsewhere" }"#);
    project.write("fixtures/app.json", r#"{ "cwd": "/not/accepted" }"#);
    let before = String::from_utf8(stored(&project)["texts/main/place.txt"].clone()).unwrap();
    let run = project.run(&["snapshot", "accept", "--fixture", "tmp"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let after = String::from_utf8(stored(&project)["texts/main/place.txt"].clone()).unwrap();
    assert!(
        before.contains(hostile) && after.contains(hostile) && after.contains("/elsewhere") && !after.contains("/not/")
    );
}

#[test]
fn filters_take_a_part_and_leave_the_rest_as_it_is_stored() {
    let project = accepted();
    let before = stored(&project);
    project.write("prompts/identity.md", "You are Pop.\n");
    let run = project.run(&["snapshot", "check", "team"]);
    assert!(
        run.stdout.ends_with("2 changed, 0 missing, 0 orphaned\nto accept: promptc snapshot accept team\n"),
        "{}",
        run.stdout
    );
    let run = project.run(&["snapshot", "accept", "team", "--fixture", "app"]);
    assert_eq!(run.stdout, "changed  snapshots/texts/main/identity.txt\nchanged  snapshots/team.toml\n");
    let part = stored(&project);
    assert_eq!(part["fleet.toml"], before["fleet.toml"]);
    let text = String::from_utf8(part["texts/main/identity.txt"].clone()).unwrap();
    assert!(text.contains("You are Pop.") && text.contains("You explain code."), "{text}");
    let run = project.run(&["snapshot", "check", "team", "--fixture", "app"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert_eq!(project.run(&["snapshot", "check", "team", "--fixture", "tmp"]).code, 1);
    // Part by part, everything is accepted in the end, and nothing of the old text is left.
    project.run(&["snapshot", "accept", "team"]);
    project.run(&["snapshot", "accept", "fleet"]);
    assert_eq!(check(&project).code, 0);
    let whole = project.path("snapshots/texts/main/identity.txt");
    assert!(!fs::read_to_string(whole).unwrap().contains("You explain code."));

    for (args, words) in [
        (&["snapshot", "accept", "tean"][..], "error: there is no profile `tean`\n  help: did you mean `team`?\n"),
        (
            &["snapshot", "accept", "--fixture", "ap"],
            "error: no profile that is meant has a fixture `ap`\n  help: did you mean `app`?\n",
        ),
    ] {
        let run = project.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (2, words));
    }
}

#[test]
fn a_part_cannot_be_accepted_when_the_rest_is_lost() {
    let project = accepted();
    project.write("prompts/identity.md", "You are Pop.\n");
    fs::remove_file(project.path("snapshots/texts/main/identity.txt")).unwrap();
    let before = stored(&project);
    let run = project.run(&["snapshot", "accept", "team"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("the first in `snapshots/texts/main/identity.txt`"), "{}", run.stderr);
    assert_eq!(stored(&project), before);
    project.write("snapshots/team.toml", "<<<<<<<");
    let run = project.run(&["snapshot", "accept", "team", "--fixture", "app"]);
    assert_eq!(run.code, 2);
    assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
    assert_eq!(check(&project).code, 0);
}

#[test]
fn a_profile_with_errors_stays_as_it_is_stored() {
    let project = accepted();
    let before = stored(&project);
    project.write("profiles/team.toml", profile("", "[values]\nedition = \"nobody\""));
    project.write("fixtures/app.json", r#"{ "cwd": "/new" }"#);
    let run = check(&project);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[unknown-value]"), "{}", run.stderr);
    assert!(
        run.stdout.contains("snapshots/fleet.toml") && !run.stdout.contains("snapshots/team.toml"),
        "{}",
        run.stdout
    );
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!(run.code, 1);
    assert_eq!(changed(&before, &stored(&project)), ["fleet.toml", "texts/main/place.txt"]);
}

#[test]
fn files_of_others_stay() {
    let project = accepted();
    project.write("snapshots/README.md", "Goldens.");
    project.write("snapshots/.gitattributes", "* text eol=lf");
    project.write("snapshots/other.toml", "x = 1");
    assert_eq!(check(&project).code, 0);
    project.write("prompts/identity.md", "You are Pop.\n");
    assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
    let files = stored(&project);
    for (path, bytes) in [("README.md", "Goldens."), (".gitattributes", "* text eol=lf"), ("other.toml", "x = 1")] {
        assert_eq!(files[path], bytes.as_bytes());
    }
    fs::File::create(project.path("snapshots/large.bin")).unwrap().set_len((16 << 20) + 1).unwrap();
    project.write("prompts/identity.md", "You are Pip.\n");
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`snapshots/large.bin` is no snapshot, and has more than 16 MiB"), "{}", run.stderr);
    assert_eq!(changed(&files, &stored(&project)), ["large.bin"]);
}

#[cfg(unix)]
#[test]
fn links_and_closed_folders_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = project();
    fs::create_dir(project.path("elsewhere")).unwrap();
    symlink("elsewhere", project.path("snapshots")).unwrap();
    for action in ["check", "accept"] {
        let run = project.run(&["snapshot", action]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{action}");
        assert!(run.stderr.contains("`snapshots` is a link"), "{}", run.stderr);
        assert!(run.stderr.contains("[paths] snapshots"), "{}", run.stderr);
    }
    assert_eq!(fs::read_dir(project.path("elsewhere")).unwrap().count(), 0);

    let project = accepted();
    fs::remove_file(project.path("snapshots/team.toml")).unwrap();
    project.write("outside.toml", "secret");
    symlink("../outside.toml", project.path("snapshots/team.toml")).unwrap();
    assert_eq!(findings(&project), [pair("snapshot-changed", "team.toml")]);
    assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
    assert!(!fs::symlink_metadata(project.path("snapshots/team.toml")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(project.path("outside.toml")).unwrap(), "secret");

    let project = accepted();
    project.write("prompts/identity.md", "You are Pop.\n");
    let before = stored(&project);
    fs::set_permissions(project.path(""), fs::Permissions::from_mode(0o500)).unwrap();
    // Whoever may write everywhere is not kept out.
    if fs::write(project.path("probe"), "").is_err() {
        let run = project.run(&["snapshot", "accept"]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("permission denied"), "{}", run.stderr);
        assert_eq!(stored(&project), before);
    }
    fs::set_permissions(project.path(""), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_where_the_folder_must_be_and_a_folder_where_a_file_must_be_are_refused() {
    let project = project().file("snapshots", "x");
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`snapshots`"), "{}", run.stderr);
    let project = accepted();
    fs::remove_file(project.path("snapshots/team.toml")).unwrap();
    project.write("snapshots/team.toml/x", "");
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(project.path("snapshots/team.toml/x").is_file());
}

#[test]
fn the_folder_has_another_name_when_the_project_says_so() {
    let project = project().file("promptc.toml", "[paths]\nsnapshots = \"tests/goldens\"\n");
    let run = project.run(&["snapshot", "accept"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("written  tests/goldens/team.toml\n"));
    assert_eq!(check(&project).code, 0);
    let inside = project.file("promptc.toml", "[paths]\nsnapshots = \"prompts/goldens\"\n");
    let run = inside.run(&["snapshot", "accept"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("would mix with the sources in `prompts`"), "{}", run.stderr);
}

/// A profile with a matrix of 4 x 4 x 4 x 4 cells, and two fixtures: 768 artifacts.
fn large() -> Project {
    let axes = ["a", "b", "c", "d"];
    let values = "[\"1\", \"2\", \"3\", \"4\"]";
    let inputs: String =
        axes.iter().map(|axis| format!("{axis} = {{ type = {values}, lifetime = \"build\" }}\n")).collect();
    let matrix: Vec<String> = axes.iter().map(|axis| format!("{axis} = {values}")).collect();
    let text = "{{ a }} {{ b }} {{ c }} {{ d }}";
    let manifest = format!(
        "[inputs]\ncwd = {{ type = \"string\", lifetime = \"session\" }}\n{inputs}\n\
         [[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"{text}\"\n\
         [[section]]\nid = \"place\"\nzone = \"dynamic\"\ntext = \"You are in {{{{ cwd }}}}.\"\n"
    );
    Project::new()
        .file("prompts/main.toml", manifest)
        .file("profiles/main.toml", profile(&format!("matrix = {{ {} }}", matrix.join(", ")), ""))
        .file("fixtures/app.json", r#"{ "cwd": "/srv/app" }"#)
        .file("fixtures/tmp.json", r#"{ "cwd": "/tmp" }"#)
}

#[test]
fn of_many_combinations_pairwise_ones_are_taken() {
    let project = large();
    assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
    let file = String::from_utf8(stored(&project)["main.toml"].clone()).unwrap();
    let taken = file.matches("[[combination]]").count();
    assert!((16..40).contains(&taken), "{taken}");
    assert!(file.contains(&format!("\npairwise = {{ taken = {taken}, of = 768 }}\n")), "{file}");
    // Each two values of different axes meet, the fixtures among them.
    let rows: Vec<Vec<String>> = file
        .split("[[combination]]")
        .skip(1)
        .map(|entry| {
            let word =
                |key: &str| entry.lines().find_map(|l| l.strip_prefix(key)?.split('"').nth(1).map(str::to_owned));
            let mut row: Vec<String> = word("cell ").unwrap().split(',').map(str::to_owned).collect();
            row.push(word("fixture ").unwrap_or_default());
            row
        })
        .collect();
    let values = |axis: usize| rows.iter().map(|row| row[axis].clone()).collect::<BTreeSet<String>>();
    assert_eq!([0, 1, 2, 3, 4].map(|axis| values(axis).len()), [4, 4, 4, 4, 3]);
    for a in 0..5 {
        for b in a + 1..5 {
            for (x, y) in values(a).iter().flat_map(|x| values(b).into_iter().map(move |y| (x.clone(), y))) {
                assert!(rows.iter().any(|row| row[a] == x && row[b] == y), "{x} {y}");
            }
        }
    }
    assert_eq!(check(&project).code, 0);
}

#[test]
fn snapshots_are_the_same_bytes_everywhere() {
    let (one, other) = (accepted(), accepted());
    assert_eq!(stored(&one), stored(&other));
    let here = one.path("").display().to_string();
    for (path, bytes) in stored(&one) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(&here) && !text.contains(env!("CARGO_PKG_VERSION")), "{path}");
    }
}

#[test]
fn a_review_needs_a_terminal() {
    let project = accepted();
    let run = project.run(&["snapshot", "review"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        "error: a review needs a terminal\n  help: see the changes: `promptc snapshot check`\n  \
         help: take them all: `promptc snapshot accept`\n"
    );
}

/// A review in a terminal of its own, with these keys; `None` where no program makes one.
#[cfg(target_os = "linux")]
fn reviewed(project: &Project, keys: &str) -> Option<(i32, String)> {
    use std::io::Write;
    let command = format!("{} snapshot review", env!("CARGO_BIN_EXE_promptc"));
    let spawned = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(project.path(""))
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        #[expect(clippy::print_stdout, reason = "whoever runs the tests should know what did not run")]
        {
            println!("skipped: there is no `script` that makes a terminal");
        }
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(keys.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    Some((output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")))
}

#[cfg(target_os = "linux")]
#[test]
fn a_review_in_a_terminal_writes_what_is_accepted() {
    let project = accepted();
    let before = stored(&project);
    // Two sections in the same artifacts: one alone is held back.
    project.write("prompts/identity.md", "You are Pop{% if edition == 'team' %}, one of a team{% endif %}.\n");
    project.write("prompts/main.toml", MANIFEST.replace("You are in", "You work in"));
    let Some((code, screen)) = reviewed(&project, "ar") else { return };
    assert_eq!(code, 1, "{screen}");
    assert!(screen.contains("\n[1/2] changed  snapshots/texts/main/identity.txt\n"), "{screen}");
    assert!(screen.contains("\n- You explain code.\n"), "{screen}");
    assert!(screen.contains("a accept   r reject   s skip   d details   q quit\n"), "{screen}");
    assert!(screen.contains("\n1 accepted, 1 rejected, 0 skipped\n"), "{screen}");
    assert!(
        screen.contains("\naccepted, and not written where something else changed that was not: main/identity\n"),
        "{screen}"
    );
    // Ahead of time the place is open, and its template is another one: no artifact changed by the identity alone.
    assert_eq!(stored(&project), before);
    let (code, screen) = reviewed(&project, "daa").unwrap();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.ends_with("\n2 accepted, 0 rejected, 0 skipped\n"), "{screen}");
    assert_eq!(check(&project).code, 0);
    assert!(reviewed(&project, "").unwrap().1.ends_with("nothing to review\n"));
}

/// After `kill -9` at any time the folder is what it was or what it should become, and the next run goes on from there.
#[cfg(unix)]
#[test]
fn accepting_may_be_killed_at_any_time() {
    let project = accepted();
    let mut whole = Duration::ZERO;
    let states: Vec<BTreeMap<String, Vec<u8>>> = ["You are Pip.\n", "You are Pop.\n"]
        .map(|text| {
            project.write("prompts/identity.md", text);
            let start = Instant::now();
            assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
            whole = start.elapsed();
            stored(&project)
        })
        .to_vec();
    assert_ne!(states[0], states[1]);
    // Over all of the time that it takes, and most often towards its end, where files are written.
    for n in 0..30_u32 {
        let wanted = n as usize % 2;
        project.write("prompts/identity.md", ["You are Pip.\n", "You are Pop.\n"][wanted]);
        let mut child = Command::new(env!("CARGO_BIN_EXE_promptc"))
            .args(["snapshot", "accept"])
            .current_dir(project.path(""))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(if n < 10 { whole * n / 10 } else { whole * (70 + n) / 90 });
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(states.contains(&stored(&project)), "kill {n}");
        assert_eq!(project.run(&["snapshot", "accept"]).code, 0);
        assert_eq!(stored(&project), states[wanted]);
    }
    let left: Vec<_> = fs::read_dir(project.path("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("promptc-new")), "{left:?}");
}
