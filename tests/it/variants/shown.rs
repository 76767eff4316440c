//! How counts are shown, and our own agent with one more kind of user.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{bools, profile, section};
use crate::support::{Project, Run, root};

fn project(manifest: &str) -> Project {
    Project::of(manifest).file("profiles/main.toml", profile())
}

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}\n{}", run.stdout, run.stderr))
}

/// Ten sections over a few inputs, as a team might have them.
fn team() -> Project {
    let inputs = r#"
[inputs]
user_type = { type = ["external", "internal", "partner"], lifetime = "session" }
platform  = { type = ["linux", "macos", "windows"], lifetime = "session" }
is_git    = { type = "bool", lifetime = "session" }

"#;
    let style = "{% if user_type == 'external' %}Explain.{% elif user_type == 'internal' %}Be terse.{% else %}Greet.{% endif %}";
    project(
        &(inputs.to_owned()
            + &section("identity", "", "You are an agent.")
            + &section("style", "", style)
            + &section("rules", "", "Never push.")
            + &section(
                "shell",
                "",
                "Use {% if platform == 'windows' %}PowerShell{% else %}bash{% endif %} for {{ platform }}.",
            )
            + &section("win", "when = \"platform == 'windows'\"", "Mind the paths.")
            + &section("git", "when = \"is_git\"", "This is a repository.")
            + &section("tools", "", "Tools are listed below.")),
    )
}

#[test]
fn the_table_says_what_multiplies() {
    let run = team().run(&["variants", "main", "--budget", "6"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("variants-text", run.stdout);
}

#[test]
fn users_part_at_a_line_that_says_something() {
    let bools = bools(1);
    let manifest = bools + "[[section]]\nid = \"care\"\nzone = \"static\"\nbody = \"care.md\"\n";
    let body = "Take care.\n{% if b0 %}\n\nAsk first.\n{% endif %}";
    let run = project(&manifest).file("prompts/care.md", body).run(&["variants", "main"]);
    assert!(run.stdout.contains("  --> prompts/care.md:4\n   | Ask first.\n"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_report_has_every_key_of_the_format() {
    let run = team().run(&["variants", "main", "--budget", "6", "--format", "json"]);
    let report = report(&run);
    let route = &report["routes"][0];
    assert_eq!((&report["format"], &report["profile"]), (&json!("promptc.variants/1"), &json!("main")));
    let keys: Vec<&String> = route.as_object().unwrap().keys().collect();
    let mut wanted = vec![
        "layer",
        "prompt",
        "count",
        "zone_count",
        "unbounded",
        "exact",
        "at_least",
        "at_most",
        "naive",
        "invariant_bytes",
        "sections",
        "witness",
        "move",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!((&route["count"], &route["zone_count"], &route["naive"]), (&json!("18"), &json!("18"), &json!("32")));
    assert_eq!(route["sections"][4]["count_after"], json!("9"), "the outcome of `win` is told by `shell`");
    assert_eq!(route["sections"][1]["share"], json!(0.333333));
    assert_eq!(route["witness"]["section"], json!("style"));
    assert_eq!(route["witness"]["path"], json!("prompts/main.toml"));
    assert_eq!(route["move"], json!(["style"]));
    let schema: Value = serde_json::from_str(&promptc::report::schema("variants").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&report).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn it_works_while_an_error_stands_and_says_so() {
    let manifest = bools(1) + &section("a", "when = \"b0\"", "A.");
    let run = Project::of(&manifest).run(&["variants", "main", "--format", "json"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("static-conditional"), "{}", run.stderr);
    assert_eq!(report(&run)["routes"][0]["count"], json!("2"));
}

#[test]
fn a_route_is_picked_by_layer_or_context() {
    let chain = "[target]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\nshared_scope = true\n\n[inputs]\n\
                 special = { type = \"bool\", lifetime = \"session\", default = false }\n\n[chain]\n\
                 custom = { text = \"Custom.\", when = \"special\" }\ndefault = { prompt = \"main\" }\n";
    let project = Project::of(&section("a", "", "A."))
        .file("profiles/main.toml", chain)
        .file("special.json", "{\"special\": true}");
    let layers = |args: &[&str]| -> Vec<String> {
        let run = project.run(&[&["variants", "main", "--format", "json"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        report(&run)["routes"].as_array().unwrap().iter().map(|r| r["layer"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(layers(&[]), ["custom", "default"]);
    assert_eq!(layers(&["--route", "default"]), ["default"]);
    assert_eq!(layers(&["--context", "special.json"]), ["custom"]);
}

#[test]
fn a_demoted_section_counts_in_its_zone_alone() {
    let manifest = bools(2)
        + &section("a", "when = \"b0\"", "A.")
        + "[[section]]\nid = \"d\"\nzone = \"dynamic\"\ntext = \"D.\"\n\n"
        + &section("late", "when = \"b1\"\nallow = { static-after-boundary = \"for the test\" }", "Late.");
    let report = report(&project(&manifest).run(&["variants", "main", "--format", "json"]));
    let route = &report["routes"][0];
    assert_eq!((&route["count"], &route["zone_count"]), (&json!("2"), &json!("4")));
    assert_eq!(route["sections"].as_array().unwrap().len(), 1);
}

#[test]
fn a_fleet_counts_what_its_artifacts_share() {
    let inputs = "[inputs]\nuser = { type = [\"ext\", \"int\", \"partner\"], lifetime = \"build\" }\n\
                  git = { type = \"bool\", lifetime = \"session\" }\n\n";
    let manifest = inputs.to_owned()
        + &section("head", "", "The same head. ")
        + &section("kind", "", "{% if user == 'int' %}Internal{% else %}Others{% endif %}")
        + &section("git", "when = \"git\"", "Git.");
    let matrix = "matrix = { user = [\"ext\", \"int\", \"partner\"] }\n\n".to_owned() + &profile();
    let project = Project::of(&manifest).file("profiles/main.toml", &matrix);
    let run = project.run(&["variants", "--fleet", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let fleet = &report(&run)["fleet"];
    assert_eq!((&fleet["artifacts"], &fleet["distinct"]), (&json!(3), &json!("4")));
    assert_eq!(fleet["shared_bytes"], json!("The same head.\n\n".len()));
    assert_eq!(fleet["at_least"], json!(null));
    let text = project.run(&["variants", "--fleet"]).stdout;
    assert!(text.contains("4 different static prefixes"), "{text}");
}

/// Our own prompts in a folder of their own.
fn own() -> Project {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => copy(&entry.path(), &to.join(entry.file_name())),
                false => _ = fs::copy(entry.path(), to.join(entry.file_name())).unwrap(),
            }
        }
    }
    let project = Project::new();
    for folder in ["prompts", "profiles", "fixtures"] {
        copy(&root().join(folder), &project.path(folder));
    }
    fs::copy(root().join("promptc.toml"), project.path("promptc.toml")).ok();
    project
}

fn edit(project: &Project, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(project.path(path)).unwrap();
    assert!(text.contains(from), "{path} has no {from:?}");
    project.write(path, text.replace(from, to));
}

fn fleet(project: &Project) -> (u64, u64) {
    let run = project.run(&["variants", "--fleet", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let fleet = report(&run)["fleet"].clone();
    (fleet["artifacts"].as_u64().unwrap(), fleet["distinct"].as_str().unwrap().parse().unwrap())
}

/// The count of every route of a profile.
fn routes(project: &Project, args: &[&str]) -> Vec<String> {
    let report = report(&project.run(&[&["variants"], args, &["--format", "json"]].concat()));
    report["routes"].as_array().unwrap().iter().map(|r| r["count"].as_str().unwrap().to_owned()).collect()
}

const KINDS: &str = "[\"external\", \"internal\", \"partner\"]";
const FOUR: &str = "[\"external\", \"internal\", \"partner\", \"school\"]";

/// Capabilities of `coding`, and which kinds of user have each.
const CAPABILITIES: [(&str, &str, &str); 4] = [
    ("external = \"explain\", internal = \"terse\", partner = \"terse\"", "\"explain\"", "is_internal or is_partner"),
    ("external = false, internal = true, partner = true", "false", "is_internal or is_partner"),
    ("external = false, internal = false, partner = true", "true", "is_partner or is_school"),
    ("external = false, internal = true, partner = false", "false", "is_internal"),
];

#[test]
fn a_fourth_kind_of_user_is_a_list_of_errors_then_an_artifact_and_no_variant() {
    let project = own();
    let (artifacts, distinct) = fleet(&project);
    edit(&project, "prompts/base.toml", KINDS, FOUR);
    edit(&project, "profiles/coding-fleet.toml", KINDS, FOUR);
    let run = project.run(&["build", "coding-fleet", "--format", "concise"]);
    assert_eq!(run.code, 1);
    let told: Vec<&str> = run.stderr.lines().filter(|line| line.contains("error[")).collect();
    assert_eq!(told.len(), 5, "each table that does not name it is an error: {}", run.stderr);
    assert!(told.iter().all(|line| line.starts_with("prompts/base.toml:") && line.contains("`school`")), "{told:#?}");
    for (row, value, _) in &CAPABILITIES {
        edit(&project, "prompts/base.toml", &format!("{{ {row} }}"), &format!("{{ {row}, school = {value} }}"));
    }
    let after = fleet(&project);
    assert_eq!(after.0, artifacts + 1, "one more artifact");
    assert!(after.1 > distinct, "whose text is its own: {distinct} and {}", after.1);
    for kind in ["external", "internal", "partner", "school"] {
        let counts = routes(&project, &["coding-fleet", "--cell", &format!("user_type={kind}")]);
        assert!(counts.len() > 3 && counts.iter().all(|n| n == "1"), "{kind}: {counts:?}");
    }
}

#[test]
fn the_same_by_three_bools_of_a_session_makes_variants() {
    let project = own();
    let base = fs::read_to_string(project.path("prompts/base.toml")).unwrap();
    let start = base.find("[inputs.user_type]").unwrap();
    let end = start + base[start..].find("\n[inputs.tool]").unwrap();
    let bools = ["is_internal", "is_partner", "is_school"]
        .map(|name| format!("[inputs.{name}]\ntype = \"bool\"\nlifetime = \"session\"\n\n"))
        .concat();
    let mut base = format!("{}{bools}{}", &base[..start], &base[end..]);
    let policy =
        "by     = \"user_type\"\nvalues = { external = \"explain\", internal = \"terse\", partner = \"terse\" }";
    assert!(base.contains(policy));
    base = base.replace(policy, "by     = \"is_terse\"\nvalues = { true = \"terse\", false = \"explain\" }\n\n[inputs.is_terse]\nderive = \"is_internal or is_partner\"");
    for (row, _, when) in &CAPABILITIES[1..] {
        let table = format!("by     = \"user_type\"\nvalues = {{ {row} }}");
        assert!(base.contains(&table), "{table}");
        base = base.replace(&table, &format!("derive = \"{when}\""));
    }
    project.write("prompts/base.toml", base);
    edit(&project, "profiles/coding.toml", "user_type = \"external\"\n", "");
    let run = project.run(&["variants", "coding", "--route", "default", "--format", "json"]);
    assert_eq!(run.code, 1, "static-conditional");
    let report = report(&run);
    let route = &report["routes"][0];
    assert_eq!((&route["count"], &route["naive"]), (&json!("5"), &json!("8")));
    assert!(route["move"].as_array().unwrap().contains(&json!("tasks")), "{route}");
    // Three kinds of user exclude one another; who forgets to say so pays for users that there are not.
    let rule = "\n[[constraint]]\nthat = \"exactly_one(is_internal, is_partner, is_school) or not (is_internal or is_partner or is_school)\"\n";
    let base = fs::read_to_string(project.path("prompts/base.toml")).unwrap();
    project.write("prompts/base.toml", base + rule);
    assert_eq!(routes(&project, &["coding", "--route", "default"]), ["4"]);
}
