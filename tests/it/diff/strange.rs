//! Changes that are strange and happen: what is called otherwise, what moves between files, what is shared by many.

use serde_json::{Value, json};

use super::repo::{Repo, causes, changes, profile, section};

const MANIFEST: &str = r#"
[inputs]
edition = { type = ["free", "team"], lifetime = "build" }
cwd     = { type = "string", lifetime = "session" }

[[section]]
id   = "identity"
zone = "static"
text = "You are Pip{% if edition == 'team' %} of a team{% endif %}."

[[section]]
id   = "rules"
zone = "static"
body = "rules.md"

[[section]]
id   = "style"
zone = "static"
text = "Be brief."

[[section]]
id   = "place"
zone = "dynamic"
text = "The work is in {{ cwd }}."

[[section]]
id   = "end"
zone = "dynamic"
text = "That is all."
"#;

const PROFILE: &str = "[target]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\n\n[values]\nedition = \"free\"\n\n\
    [chain]\ndefault = { prompt = \"main\" }\n";

fn rules(word: &str) -> String {
    (0..80).map(|n| format!("Rule {n}: {word} what stands there before you change it.\n")).collect()
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("prompts/main.toml", MANIFEST);
    repo.write("prompts/rules.md", rules("read"));
    repo.write("profiles/main.toml", PROFILE);
    repo.commit("first");
    repo
}

fn text(repo: &Repo) -> String {
    repo.run(&["diff", "HEAD"]).stdout
}

fn main(found: &Value) -> &Value {
    profile(found, "main")
}

#[test]
fn a_section_with_another_id_is_the_same_section() {
    let repo = repo();
    repo.replace("prompts/main.toml", "id   = \"style\"", "id   = \"tone\"");
    let found = repo.json(&["HEAD"]);
    assert_eq!((&found["class"], changes(main(&found))), (&json!("meta"), vec![]));
    assert_eq!(section(main(&found), "tone")["was"], "style");
    let told = text(&repo);
    assert!(told.contains("\n    ~  tone  was style  static  "), "{told}");
    assert!(!told.contains("Be brief."), "no byte is other, so no text is shown: {told}");

    // And what happens to it does not hide behind the new id.
    let tone = "id   = \"tone\"\nzone = \"static\"";
    repo.replace("prompts/main.toml", tone, &tone.replace("static", "dynamic"));
    let found = repo.json(&["HEAD"]);
    assert_eq!((&found["class"], changes(main(&found))), (&json!("demote"), vec!["tone zone".to_owned()]));
    assert_eq!(causes(main(&found))[0], "demote demoted tone");
    assert!(text(&repo).contains("was style, zone  static -> dynamic"), "{}", text(&repo));
}

#[test]
fn a_required_section_with_another_id_is_still_there() {
    let repo = repo();
    repo.replace("prompts/main.toml", "id   = \"style\"", "id   = \"style\"\nrequired = true");
    repo.commit("required");
    repo.replace("prompts/main.toml", "id   = \"style\"", "id   = \"tone\"");
    assert_eq!(repo.json(&["HEAD"])["class"], "meta");
    repo.replace("prompts/main.toml", "required = true\n", "");
    assert_eq!(causes(main(&repo.json(&["HEAD"]))), ["demote required-removed style"]);
}

#[test]
fn a_profile_with_another_name_is_the_same_profile() {
    let repo = repo();
    repo.git(&["mv", "profiles/main.toml", "profiles/claude.toml"]);
    let found = repo.json(&["HEAD"]);
    assert_eq!(found["profiles"].as_array().unwrap().len(), 1);
    let claude = profile(&found, "claude");
    assert_eq!(
        (&claude["was"], &claude["state"], &claude["class"]),
        (&json!("main"), &json!("compared"), &json!("meta"))
    );
    assert!(text(&repo).contains("meta  claude  was `main`\n"), "{}", text(&repo));
    // What is done besides is seen.
    repo.write("prompts/rules.md", rules("see"));
    assert_eq!(repo.json(&["HEAD"])["class"], "rewrite");
    assert!(text(&repo).contains("rewrite  claude  was `main`; the static prefix has other bytes"), "{}", text(&repo));
    // Two that are alike could each be it.
    repo.write("profiles/other.toml", PROFILE);
    let found = repo.json(&["HEAD"]);
    assert_eq!(
        (&profile(&found, "main")["state"], &profile(&found, "other")["state"]),
        (&json!("removed"), &json!("added"))
    );
}

#[test]
fn a_matrix_goes_on_from_the_value_that_there_was() {
    let repo = repo();
    let matrix = |values: &str| {
        format!("matrix = {{ edition = [{values}] }}\n{}", PROFILE.replace("[values]\nedition = \"free\"\n", ""))
    };
    repo.write("profiles/main.toml", matrix("\"free\", \"team\""));
    assert_eq!(repo.json(&["HEAD"])["class"], "meta");
    // Sessions of the free edition are in the cell of that name now, and have other rules.
    repo.write("prompts/rules.md", rules("see"));
    let found = repo.json(&["HEAD"]);
    assert_eq!((&found["class"], changes(main(&found))), (&json!("rewrite"), vec!["rules edited".to_owned()]));
    let state = |name: &str| {
        let all = main(&found)["artifacts"].as_array().unwrap();
        all.iter().find(|a| a["name"] == name).map(|a| a["state"].clone())
    };
    assert_eq!((state("edition=free"), state("edition=team")), (Some(json!("both")), None));
    assert!(text(&repo).contains(", in `edition=free`\n"), "{}", text(&repo));
    // And back to one value.
    repo.write("prompts/rules.md", rules("read"));
    repo.commit("a matrix");
    repo.write("profiles/main.toml", PROFILE.replace("free", "team"));
    repo.write("prompts/rules.md", rules("see"));
    assert_eq!(repo.json(&["HEAD"])["class"], "rewrite");
}

#[test]
fn what_stands_between_sections_is_told_where_it_is_written() {
    let repo = repo();
    repo.write("prompts/main.toml", format!("[layout]\nseparator = \"\\n---\\n\"\n{MANIFEST}"));
    let found = repo.json(&["HEAD"]);
    assert_eq!(causes(main(&found)), ["rewrite separated rules", "rewrite rewritten rules"]);
    let first = &main(&found)["prefix"]["first_change"];
    assert_eq!((&first["path"], &first["line"]), (&json!("prompts/main.toml"), &json!(2)));
    let told = text(&repo);
    assert!(
        told.contains("between sections stands `\\n---\\n` instead of `\\n\\n`, `prompts/main.toml:2`\n"),
        "{told}"
    );
    // Before one section, behind the boundary.
    repo.write("prompts/main.toml", MANIFEST.replace("id   = \"end\"", "id   = \"end\"\nseparator_before = \"\\n\""));
    let found = repo.json(&["HEAD"]);
    assert_eq!((&found["class"], causes(main(&found))), (&json!("tail"), vec!["tail separated end".to_owned()]));
    // And away again: then it stands in the base.
    repo.commit("closer");
    repo.write("prompts/main.toml", MANIFEST);
    let line = repo.json(&["HEAD"])["profiles"][0]["causes"][0]["line"].clone();
    assert_eq!((&line["side"], &line["path"]), (&json!("base"), &json!("prompts/main.toml")));
}

#[test]
fn another_provider_takes_nothing_away() {
    let repo = repo();
    repo.write("profiles/main.toml", PROFILE.replace("anthropic", "openai").replace("claude-opus-5.5", "gpt-5.5"));
    repo.write("prompts/rules.md", rules("read and understand and weigh"));
    let found = repo.json(&["HEAD"]);
    let names: Vec<String> = causes(main(&found));
    assert_eq!(
        (&found["class"], names),
        (&json!("rewrite"), vec!["rewrite target-changed -".to_owned(), "rewrite rewritten rules".to_owned()])
    );
    assert!(text(&repo).contains(" tokens: none kept, "), "{}", text(&repo));
    assert!(!text(&repo).contains("up to the first token that differs"), "{}", text(&repo));
}

#[test]
fn a_section_cut_in_two_is_no_other_text() {
    let repo = repo();
    let (first, second) = (rules("read")[..2000].rsplit_once('\n').unwrap().0.len() + 1, rules("read"));
    repo.write("prompts/rules.md", &second[..first]);
    repo.write("prompts/more.md", &second[first..]);
    let more = "\n[[section]]\nid   = \"more\"\nzone = \"static\"\nseparator_before = \"\\n\"\nbody = \"more.md\"\n";
    repo.replace("prompts/main.toml", "body = \"rules.md\"\n", &format!("body = \"rules.md\"\n{more}"));
    let found = repo.json(&["HEAD"]);
    assert_eq!(
        (&found["class"], changes(main(&found))),
        (&json!("meta"), vec!["rules edited".to_owned(), "more added".to_owned()])
    );
    assert!(!text(&repo).contains("Rule 50"), "{}", text(&repo));
}

#[test]
fn profiles_of_which_the_same_is_told_are_told_together() {
    let repo = repo();
    (1..8).for_each(|n| repo.write(&format!("profiles/p{n}.toml"), PROFILE));
    repo.write("profiles/team.toml", PROFILE.replace("\"free\"", "\"team\""));
    repo.commit("nine");
    repo.write("prompts/rules.md", rules("see"));
    let told = text(&repo);
    assert_eq!(told.matches("\nmain, p1, p2, p3, p4 and 3 more (anthropic claude-opus-5.5)\n").count(), 1, "{told}");
    // Another number of tokens: told by itself, as far as it is other.
    assert!(told.contains("\nteam (anthropic claude-opus-5.5)\n  rewrite   as in `main`\n"), "{told}");
    assert!(told.contains("  sections  as in `main`\n\n9 profiles: 9 rewrite\n"), "{told}");
    let markdown = repo.run(&["diff", "HEAD", "--format", "markdown"]).stdout;
    assert_eq!(markdown.matches("<details>").count(), 2, "{markdown}");
    assert!(markdown.contains("<details><summary><code>main</code>, <code>p1</code>, "), "{markdown}");
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| `rewrite` |")).count(), 9);
}

#[test]
fn the_same_lines_of_texts_that_differ_elsewhere_are_told_once() {
    let repo = repo();
    let body =
        |word: &str| format!("{{% if edition == 'team' %}}A team.{{% else %}}Alone.{{% endif %}}\n{}", rules(word));
    repo.write("prompts/rules.md", body("read"));
    repo.write("profiles/team.toml", PROFILE.replace("\"free\"", "\"team\""));
    repo.commit("two texts");
    repo.write("prompts/rules.md", body("read").replace("Rule 70: read", "Rule 70: see"));
    let told = text(&repo);
    assert_eq!(told.matches("[-read-]{+see+}").count(), 1, "{told}");
    assert!(told.contains("\n  sections  as in `main`\n"), "{told}");
}

#[test]
fn line_ends_and_file_names_are_no_texts() {
    let repo = repo();
    let odd = "prompts/a b/règ les—«1».md";
    repo.write(odd, rules("read").replace('\n', "\r\n"));
    repo.replace("prompts/main.toml", "\"rules.md\"", "\"a b/règ les—«1».md\"");
    assert_eq!(repo.json(&["HEAD"])["class"], "meta");
    repo.commit("an odd name");
    repo.write(odd, rules("read").replace("Rule 3: read", "Rule 3: see"));
    let found = repo.json(&["HEAD"]);
    assert_eq!((&found["class"], &main(&found)["prefix"]["first_change"]["path"]), (&json!("rewrite"), &json!(odd)));
}
