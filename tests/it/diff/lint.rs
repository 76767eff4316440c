//! `lint --base`: what changed, as findings.

use super::repo::Repo;
use crate::support::PROFILE;

const TOOLS: &str = "[[section]]\nid = \"rules\"\nzone = \"static\"\nbody = \"rules.md\"\n\n\
    [[section]]\nid = \"tools\"\nzone = \"dynamic\"\ntext = \"Use the tools that you are given.\"\n";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("prompts/main.toml", TOOLS);
    let rules: String = (0..80).map(|n| format!("Rule {n}: read what stands there before you change it.\n")).collect();
    repo.write("prompts/rules.md", rules);
    repo.write("profiles/main.toml", PROFILE.replace("shared_scope = true\n", ""));
    repo.commit("first");
    repo
}

#[test]
fn a_change_fails_until_a_reason_stands_in_the_manifest() {
    let repo = repo();
    assert_eq!(repo.run(&["lint", "--base", "HEAD"]).code, 0);
    let dangerous = format!("{TOOLS}DANGEROUS_uncached = \"tools come and go between turns\"\n");
    repo.write("prompts/main.toml", &dangerous);
    let run = repo.run(&["lint", "--base", "HEAD"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stdout.contains("error[dangerous-added]: `tools` was cached and is recomputed every turn\n"));
    assert!(run.stdout.contains(" --> prompts/main.toml:7:6\n"), "{}", run.stdout);
    // Without a base nothing is known of a change.
    assert_eq!(repo.run(&["lint"]).code, 0);
    // A level holds for these rules too.
    assert_eq!(repo.run(&["lint", "--base", "HEAD", "--warn", "dangerous-added"]).code, 0);

    let allowed = format!("{dangerous}allow = {{ dangerous-added = \"half of our users have such tools\" }}\n");
    repo.write("prompts/main.toml", &allowed);
    let run = repo.run(&["lint", "--base", "HEAD"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", "no findings\n"));

    // Once it is the base, the reason silences nothing any more. Only a base can tell.
    repo.commit("with a reason");
    let run = repo.run(&["lint", "--base", "HEAD"]);
    assert!(run.stdout.contains("warning[unused-allow]: `dangerous-added` is not found in section `tools`\n"));
    assert_eq!(repo.run(&["lint"]).stdout, "");
}

#[test]
fn a_rewrite_is_told_with_its_cost() {
    let repo = repo();
    repo.replace("prompts/rules.md", "Rule 40: read", "Rule 40: always read");
    let run = repo.run(&["lint", "--base", "HEAD", "main"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let tokens = repo.json(&["HEAD"])["profiles"][0]["prefix"]["tokens_after"].as_u64().unwrap();
    let cost = tokens as f64 * (5.0 - 0.2) / 1e6;
    for words in [
        "info[static-prefix-rewritten]: the static prefix has other bytes, from `rules` on\n".to_owned(),
        " --> prompts/rules.md:41:10\n".to_owned(),
        format!("= note: of {tokens} tokens 0 are kept; every live session writes {tokens} anew, once\n"),
        format!("= note: for a session that is {cost:.6} USD, prices as of 2026-10-07\n"),
    ] {
        assert!(run.stdout.contains(&words), "no `{words}` in {}", run.stdout);
    }
}

#[test]
fn what_a_diff_fails_for_fails_here_too() {
    let repo = repo();
    repo.write("prompts/rules.md", "Rule 1: read what stands there.\n");
    let run = repo.run(&["lint", "--base", "HEAD", "--format", "concise"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let line = "error[below-minimum]: the static prefix was long enough to be cached, and is not any more\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    assert_eq!(repo.run(&["diff", "HEAD"]).code, 1);
    let allow = "id = \"rules\"\nallow = { below-minimum = \"few use it\" }";
    repo.replace("prompts/main.toml", "id = \"rules\"", allow);
    assert_eq!(repo.run(&["diff", "HEAD"]).code, 0);
    let run = repo.run(&["lint", "--base", "HEAD", "--format", "concise"]);
    assert_eq!((run.code, run.stdout.contains("unused-allow")), (0, false), "{}", run.stdout);
    // Without a base it cannot be said that the reason silences nothing.
    assert!(!repo.run(&["lint"]).stdout.contains("unused-allow"));
}

#[test]
fn a_finding_of_many_profiles_is_told_once_whatever_its_numbers_are() {
    let repo = Repo::new();
    let inputs = "[inputs]\nos = { type = [\"linux\", \"macos\"], lifetime = \"session\" }\nlead = { type = \"bool\", lifetime = \"session\" }\n";
    let text = "[[section]]\nid = \"a\"\nzone = \"static\"\ntext = \"on {{ os }}{% if lead %} lead{% endif %}\"\n";
    repo.write("prompts/main.toml", format!("{inputs}{text}"));
    let limits = "[limits]\nstatic_variants = 99\n";
    repo.write("profiles/free.toml", format!("{PROFILE}{limits}"));
    repo.write("profiles/lead.toml", format!("{PROFILE}{limits}[values]\nlead = true\n"));
    repo.commit("first");
    repo.replace("prompts/main.toml", "\"macos\"]", "\"macos\", \"windows\"]");
    let run = repo.run(&["lint", "--base", "HEAD", "--format", "concise"]);
    let lines: Vec<&str> = run.stdout.lines().filter(|line| line.contains("static-variants-grew")).collect();
    assert_eq!(lines.len(), 1, "{}", run.stdout);
    // Once as `there are 6 .. instead of 4` and once as `3 .. instead of 2`: told with either.
    assert!(lines[0].contains("static prefixes instead of"), "{}", lines[0]);
    // The change of many profiles is told once, and each has its own numbers.
    let run = repo.run(&["diff", "HEAD"]);
    assert_eq!(run.stdout.matches(" static prefixes instead of ").count(), 3, "{}", run.stdout);
    assert!(run.stdout.contains("  fragment  as in `free`\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("  variants  2 -> 3\n") && run.stdout.contains("  variants  4 -> 6\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_section_that_is_gone_is_told_where_it_was() {
    let repo = repo();
    repo.replace("prompts/main.toml", "id = \"rules\"\n", "id = \"rules\"\nrequired = true\n");
    repo.commit("required");
    repo.write("prompts/main.toml", &TOOLS[TOOLS.rfind("[[section]]").unwrap()..]);
    let run = repo.run(&["lint", "--base", "HEAD", "--format", "concise"]);
    assert_eq!(run.code, 1);
    let line = "prompts/main.toml:1:1: error[required-removed]: the required section `rules` is gone\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
}

#[test]
fn a_base_that_is_not_there_or_does_not_compile_is_said() {
    let repo = repo();
    let run = repo.run(&["lint", "--base", "nope"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, "error: git knows no commit `nope`\n"));
    let run = repo.run(&["lint", "--base", "--fix"]);
    assert_eq!(run.code, 2, "an option is no revision");
    repo.write("prompts/main.toml", TOOLS.replace("id = \"tools\"", "id = \"tools\"\ncolour = \"red\""));
    repo.commit("wrong");
    repo.write("prompts/main.toml", TOOLS);
    let run = repo.run(&["lint", "--base", "HEAD"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert!(run.stderr.starts_with("in the base:\nprompts/main.toml:8:1: error[unknown-key]: "), "{}", run.stderr);
}
