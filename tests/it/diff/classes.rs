//! One commit for each class and each kind of change, on two targets: one that caches up to marks, and one that caches
//! by itself up to the first token that differs.

use serde_json::{Value, json};

use super::repo::{Repo, causes, changes, profile, section};

const MANIFEST: &str = r#"
[inputs]
edition = { type = ["free", "team"], lifetime = "build" }
team    = { type = "string", lifetime = "org" }
cwd     = { type = "string", lifetime = "session" }
is_git  = { type = "bool", lifetime = "session" }
lead    = { type = "bool", lifetime = "session", default = false }
date    = { type = "string", lifetime = "turn" }

[[section]]
id   = "identity"
zone = "static"
body = "identity.md"

[[section]]
id   = "rules"
zone = "static"
body = "rules.md"

[[section]]
id   = "style"
zone = "static"
text = "Be brief. {% if edition == 'team' %}Name who did what.{% else %}Say what you did.{% endif %}"

[[section]]
id   = "care"
zone = "static"
required = true
text = "Never delete what you did not make."

[[section]]
id   = "tools"
zone = "dynamic"
text = "Use the tools that you are given."

[[section]]
id   = "team"
zone = "dynamic"
text = "You help the team {{ team }}."

[[section]]
id   = "place"
zone = "dynamic"
text = "The work is in {{ cwd }}."
"#;

const CLAUDE: &str = r#"
[target]
provider     = "anthropic"
model        = "claude-opus-5.5"

[values]
edition = "free"

[chain]
default = { prompt = "main" }

[[fixture]]
name    = "git"
context = "git.json"
"#;

/// A line of a text that is long enough to be cached.
fn rule(n: usize) -> String {
    format!("Rule {n}: read what stands there before you change a thing, and say what you did and why.\n")
}

fn rules(range: std::ops::Range<usize>) -> String {
    range.map(rule).collect()
}

/// A repository with a project and its first commit. `claude` needs 512 tokens to cache anything, `gpt` 1024.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("prompts/main.toml", MANIFEST);
    repo.write("prompts/identity.md", "You are Pip. You work on code.\n");
    repo.write("prompts/rules.md", rules(0..60));
    repo.write("profiles/claude.toml", CLAUDE);
    repo.write("profiles/gpt.toml", CLAUDE.replace("anthropic", "openai").replace("claude-opus-5.5", "gpt-5.5"));
    repo.write("git.json", r#"{ "team": "red", "cwd": "/srv", "is_git": true, "date": "Monday" }"#);
    repo.commit("first");
    repo
}

/// The last commit against the one before it, and the exit codes with `--exit-code` and `--fail-on demote`.
fn last(repo: &Repo) -> (Value, [i32; 2]) {
    let code = |flag: &[&str]| repo.run(&[&["diff", "HEAD~1", "HEAD"], flag].concat()).code;
    (repo.json(&["HEAD~1", "HEAD"]), [code(&["--exit-code"]), code(&["--fail-on", "demote"])])
}

/// Asserts class and exit codes, and gives both profiles.
fn expect(repo: &Repo, class: &str, codes: [i32; 2]) -> [Value; 2] {
    let (found, exit) = last(repo);
    assert_eq!((found["class"].as_str().unwrap(), exit), (class, codes), "{found:#}");
    ["claude", "gpt"].map(|name| profile(&found, name).clone())
}

/// The class of each profile.
fn classes(profiles: &[Value; 2]) -> [&str; 2] {
    [0, 1].map(|n| profiles[n]["class"].as_str().unwrap())
}

/// Tokens that the provider keeps, and those written anew.
fn tokens(profile: &Value) -> (u64, u64) {
    let number = |key: &str| profile["prefix"][key].as_u64().unwrap();
    (number("cached_kept"), number("cached_rewritten"))
}

#[test]
fn nothing_and_comments_alone() {
    let repo = repo();
    repo.commit("nothing");
    let both = expect(&repo, "none", [0, 0]);
    assert_eq!(changes(&both[0]), [""; 0]);
    assert_eq!((&both[0]["prefix"]["before"], tokens(&both[0]).1), (&both[0]["prefix"]["after"], 0));

    repo.write("prompts/main.toml", format!("# why this is so\n{MANIFEST}"));
    repo.commit("only comments");
    let both = expect(&repo, "meta", [0, 0]);
    assert_eq!(classes(&both), ["meta", "meta"]);
    assert_eq!((changes(&both[0]), &both[0]["files"]), (vec![], &json!(["prompts/main.toml"])));

    // A file that no profile is made of changes none of them.
    repo.write("prompts/other.md", "other");
    repo.commit("another file");
    expect(&repo, "none", [0, 0]);

    // A value that nothing uses yet.
    repo.replace("prompts/main.toml", "[\"free\", \"team\"]", "[\"free\", \"team\", \"partner\"]");
    repo.commit("a new value of a build input");
    expect(&repo, "meta", [0, 0]);
}

#[test]
fn a_paragraph_edited_in_the_middle() {
    let repo = repo();
    repo.write("prompts/rules.md", rules(0..55) + "Rule 55: ask before you run it.\n" + &rules(56..60));
    repo.commit("one rule");
    let [claude, gpt] = expect(&repo, "rewrite", [1, 0]);
    for one in [&claude, &gpt] {
        assert_eq!(causes(one), ["rewrite rewritten rules"]);
        assert_eq!(changes(one), ["rules edited"]);
        let first = &one["prefix"]["first_change"];
        let byte = "You are Pip. You work on code.\n\n".len() + rules(0..55).len() + "Rule 55: ".len();
        assert_eq!(first["byte"], byte, "{first}");
        assert_eq!(
            (&first["section"], &first["path"], &first["line"]),
            (&json!("rules"), &json!("prompts/rules.md"), &json!(56))
        );
        assert_eq!(one["variants"]["before"], "1");
        assert_eq!(one["variants"]["after"], "1");
    }
    // Up to marks nothing is kept; by itself everything up to the edit is.
    let (kept, written) = tokens(&claude);
    assert_eq!((kept, written), (0, claude["prefix"]["tokens_after"].as_u64().unwrap()));
    let (kept, written) = tokens(&gpt);
    assert_eq!(kept, gpt["prefix"]["first_change"]["tokens_before"].as_u64().unwrap());
    assert!(kept > 1024 && written > 50 && written < 150, "{kept} {written}");
}

#[test]
fn a_date_in_the_first_sentence_and_out_again() {
    let repo = repo();
    repo.write("prompts/identity.md", "You are Pip, and it is {{ date }}. You work on code.\n");
    repo.commit("the date");
    let both = expect(&repo, "fragment", [1, 1]);
    assert_eq!(classes(&both), ["fragment", "fragment"]);
    for one in &both {
        assert_eq!(
            causes(one),
            ["fragment now-runtime identity", "fragment variants-grew identity", "rewrite rewritten identity"]
        );
        assert_eq!(one["variants"]["before"], "1");
        assert_eq!((&one["variants"]["after"], &one["variants"]["unbounded_after"]), (&json!(null), &json!(["date"])));
        assert_eq!(section(one, "identity")["lifetime_after"], "turn");
        assert_eq!(section(one, "identity")["also"], json!(["edited"]));
        assert_eq!(one["prefix"]["first_change"]["byte"], "You are Pip".len());
        assert_eq!(tokens(one).0, 0);
        assert!(one["cost"]["per_1000_sessions"].as_f64().unwrap() > 1.0);
        let line = &one["causes"][0]["line"];
        assert_eq!((&line["path"], &line["line"]), (&json!("prompts/identity.md"), &json!(1)));
    }
    repo.git(&["revert", "--no-edit", "HEAD"]);
    let both = expect(&repo, "rewrite", [1, 0]);
    assert!(both[0]["cost"]["per_1000_sessions"].as_f64().unwrap() < -1.0);
}

#[test]
fn a_condition_above_the_boundary_and_then_below() {
    let repo = repo();
    repo.write("prompts/rules.md", rules(0..60) + "{% if is_git %}Look at the log first.{% endif %}\n");
    repo.commit("above");
    let both = expect(&repo, "fragment", [1, 1]);
    for one in &both {
        assert_eq!((&one["variants"]["before"], &one["variants"]["after"]), (&json!("1"), &json!("2")));
        assert_eq!(one["causes"][0]["message"], "`is_git`, a run-time value, decides what stands in the static prefix");
        let line = &one["causes"][0]["line"];
        assert_eq!((&line["path"], &line["line"]), (&json!("prompts/rules.md"), &json!(61)));
    }

    repo.write("prompts/rules.md", rules(0..60));
    let below =
        "\n[[section]]\nid = \"history\"\nzone = \"dynamic\"\nwhen = \"is_git\"\ntext = \"Look at the log first.\"\n";
    repo.write("prompts/main.toml", MANIFEST.to_owned() + below);
    repo.commit("below");
    let both = expect(&repo, "rewrite", [1, 0]);
    assert_eq!((&both[0]["variants"]["before"], &both[0]["variants"]["after"]), (&json!("2"), &json!("1")));
    assert_eq!(changes(&both[0]), ["rules lifetime+edited", "history added"]);

    // Against what was before both, only the tail is other.
    let (found, all) = (repo.json(&["HEAD~2", "HEAD"]), repo.run(&["diff", "HEAD~2", "HEAD", "--exit-code"]).code);
    assert_eq!((&found["class"], all), (&json!("tail"), 1));
    let claude = profile(&found, "claude");
    assert_eq!((changes(claude), tokens(claude).1), (vec!["history added".to_owned()], 0));
}

#[test]
fn a_static_section_moved() {
    let repo = repo();
    let style = MANIFEST.split("[[section]]").find(|s| s.contains("\"style\"")).unwrap();
    let without = MANIFEST.replace(&format!("[[section]]{style}"), "");
    let moved =
        without.replace("[[section]]\nid   = \"rules\"", &format!("[[section]]{style}[[section]]\nid   = \"rules\""));
    repo.write("prompts/main.toml", moved);
    repo.commit("the style before the rules");
    let both = expect(&repo, "rewrite", [1, 0]);
    for one in &both {
        assert_eq!(changes(one), ["style moved"], "a moved section is never shown as an edit");
        assert_eq!(causes(one), ["rewrite moved style", "rewrite rewritten style"]);
        assert_eq!(one["prefix"]["first_change"]["byte"], "You are Pip. You work on code.\n\n".len());
    }

    // Behind the boundary it is shared by nobody.
    let style = style.trim_end();
    repo.write("prompts/main.toml", format!("{without}\n[[section]]{style}\n"));
    repo.commit("the style at the end");
    let both = expect(&repo, "demote", [1, 1]);
    assert_eq!(changes(&both[0]), ["style zone+moved"]);
    assert!(causes(&both[0]).contains(&"demote moved-behind style".to_owned()));
}

#[test]
fn text_behind_the_boundary() {
    let repo = repo();
    repo.replace("prompts/main.toml", "The work is in {{ cwd }}.", "You work in {{ cwd }}.");
    repo.commit("the place");
    let both = expect(&repo, "tail", [1, 0]);
    for one in &both {
        assert_eq!(changes(one), ["place edited"]);
        assert_eq!(one["prefix"]["first_change"], json!(null));
        assert_eq!(tokens(one), (one["prefix"]["tokens_after"].as_u64().unwrap(), 0));
        assert_eq!(one["cost"]["once"], 0.0);
    }
}

#[test]
fn a_build_value_of_one_profile() {
    let repo = repo();
    repo.replace("profiles/gpt.toml", "edition = \"free\"", "edition = \"team\"");
    repo.commit("the team edition");
    let both = expect(&repo, "rewrite", [1, 0]);
    assert_eq!(classes(&both), ["none", "rewrite"]);
    assert_eq!(changes(&both[1]), ["style edited"]);
    assert!(tokens(&both[1]).0 > 1024, "all but the end is kept");

    // A further cell of a matrix is nobody's session yet.
    let matrix = |cells: &str| {
        format!("matrix = {{ edition = [{cells}] }}\n{}", CLAUDE.replace("[values]\nedition = \"free\"\n", ""))
    };
    repo.write("profiles/fleet.toml", matrix("\"free\""));
    repo.commit("a fleet");
    let (found, _) = last(&repo);
    let fleet = profile(&found, "fleet");
    assert_eq!((&fleet["state"], &fleet["class"]), (&json!("added"), &json!("meta")));
    repo.write("profiles/fleet.toml", matrix("\"free\", \"team\""));
    repo.commit("two editions");
    let (found, codes) = last(&repo);
    assert_eq!((&found["class"], codes), (&json!("meta"), [0, 0]));
}

#[test]
fn a_reason_to_recompute_without_and_with_allow() {
    let repo = repo();
    let old = "text = \"Use the tools that you are given.\"";
    let dangerous = format!("{old}\nDANGEROUS_uncached = \"tools come and go between turns\"");
    repo.replace("prompts/main.toml", old, &dangerous);
    repo.commit("without allow");
    let both = expect(&repo, "demote", [1, 1]);
    assert_eq!(classes(&both), ["demote", "demote"]);
    assert_eq!(
        causes(&both[0]),
        ["demote dangerous tools", "demote uncached team", "demote uncached place"],
        "what stands behind it is not cached either"
    );
    assert_eq!(section(&both[0], "tools")["change"], "cache");
    assert_eq!(both[0]["causes"][0]["allowed"], json!(null));
    assert!(both[0]["cost"]["per_1000_sessions"].as_f64().unwrap() > 0.0);

    let allowed = format!("{dangerous}\nallow = {{ dangerous-added = \"half of our users have such tools\" }}");
    repo.replace("prompts/main.toml", &dangerous, &allowed);
    repo.commit("with allow");
    expect(&repo, "meta", [0, 0]);
    let found = repo.json(&["HEAD~2", "HEAD"]);
    assert_eq!((&found["class"], &found["unallowed"]), (&json!("demote"), &json!("rewrite")));
    assert_eq!(
        profile(&found, "claude")["causes"][0]["allowed"],
        json!({ "rule": "dangerous-added", "reason": "half of our users have such tools" })
    );
    assert_eq!(repo.run(&["diff", "HEAD~2", "HEAD", "--fail-on", "demote"]).code, 0);
    assert_eq!(repo.run(&["diff", "HEAD~2", "HEAD", "--fail-on", "tail"]).code, 1);
}

#[test]
fn a_required_section_dropped_by_a_new_coordinator() {
    let repo = repo();
    repo.write("prompts/lead.toml", "[[section]]\nid = \"lead\"\nzone = \"static\"\ntext = \"You let others work.\"\n");
    for name in ["claude", "gpt"] {
        let path = format!("profiles/{name}.toml");
        repo.replace(&path, "[chain]", "[chain]\ncoordinator = { prompt = \"lead\", when = \"lead\" }");
    }
    repo.commit("a coordinator");
    let both = expect(&repo, "demote", [1, 1]);
    assert_eq!(causes(&both[0]), ["demote required-lost care", "rewrite route-added -"]);
    assert_eq!(both[0]["causes"][0]["message"], "the link `coordinator` drops the required `care`");

    for name in ["claude", "gpt"] {
        repo.replace(&format!("profiles/{name}.toml"), "when = \"lead\"", "when = \"lead\", keep = [\"care\"]");
    }
    repo.commit("which keeps it");
    let both = expect(&repo, "rewrite", [1, 0]);
    assert_eq!(both[0]["artifacts"].as_array().unwrap().iter().filter(|a| a["class"] == "rewrite").count(), 1);

    repo.replace("prompts/main.toml", "required = true\n", "");
    repo.commit("no longer required");
    let both = expect(&repo, "demote", [1, 1]);
    assert_eq!(causes(&both[0]), ["demote required-removed care"]);
}

#[test]
fn the_boundary_moved_by_a_zone() {
    let repo = repo();
    let rules = "id   = \"rules\"\nzone = \"static\"";
    repo.replace("prompts/main.toml", rules, &rules.replace("static", "dynamic"));
    repo.commit("the rules are dynamic");
    let both = expect(&repo, "demote", [1, 1]);
    for one in &both {
        let all = causes(one);
        assert!(all.contains(&"demote demoted rules".to_owned()), "{all:?}");
        assert!(all.contains(&"demote boundary-moved rules".to_owned()), "{all:?}");
        assert_eq!(changes(one), ["rules zone", "style zone", "care zone"]);
        assert_eq!(
            (&section(one, "style")["zone_before"], &section(one, "style")["zone_after"]),
            (&json!("static"), &json!("dynamic"))
        );
    }
    // The reasons for both stand in one place.
    repo.replace(
        "prompts/main.toml",
        "id   = \"rules\"",
        "id   = \"rules\"\nallow = { section-demoted = \"a\", boundary-moved = \"b\" }",
    );
    repo.commit("with reasons");
    let found = repo.json(&["HEAD~2", "HEAD"]);
    let open: Vec<&Value> = profile(&found, "claude")["causes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|c| c["allowed"].is_null() && c["class"] == "demote")
        .collect();
    assert_eq!(open.iter().map(|c| c["name"].as_str().unwrap()).collect::<Vec<_>>(), ["below-minimum"]);
}

#[test]
fn a_lifetime_that_got_shorter() {
    let repo = repo();
    repo.replace("prompts/main.toml", "You help the team {{ team }}.", "You help {{ team }} in {{ cwd }}.");
    repo.commit("the team, in a folder");
    let both = expect(&repo, "demote", [1, 1]);
    assert_eq!(causes(&both[0]), ["demote lifetime-shortened team"]);
    assert_eq!(changes(&both[0]), ["team lifetime+edited"]);
    assert_eq!(both[0]["causes"][0]["message"], "`team` changes with the session instead of the org");
}

#[test]
fn a_scope_that_got_narrower_on_one_target() {
    let repo = repo();
    repo.replace("profiles/claude.toml", "[target]", "[target]\nshared_scope = true");
    repo.commit("shared by all");
    let both = expect(&repo, "tail", [1, 0]);
    assert_eq!(classes(&both), ["tail", "none"]);
    repo.replace("profiles/claude.toml", "shared_scope = true", "shared_scope = false");
    repo.commit("shared by none");
    let both = expect(&repo, "demote", [1, 1]);
    assert_eq!(classes(&both), ["demote", "none"]);
    assert_eq!(causes(&both[0]), ["demote scope-narrowed -"]);
}

#[test]
fn a_mark_lost_below_the_minimum_of_one_target() {
    let repo = repo();
    repo.write("prompts/rules.md", rules(0..30));
    repo.commit("half of the rules");
    let [claude, gpt] = expect(&repo, "demote", [1, 1]);
    // One edit: there it is written anew, here nothing is cached any more.
    assert_eq!((&claude["class"], &gpt["class"]), (&json!("rewrite"), &json!("demote")));
    assert_eq!(causes(&gpt), ["demote below-minimum rules", "rewrite rewritten rules"]);
    let (before, after) =
        (gpt["prefix"]["tokens_before"].as_u64().unwrap(), gpt["prefix"]["tokens_after"].as_u64().unwrap());
    assert!(before >= 1024 && after < 1024, "{before} {after}");

    repo.write("prompts/rules.md", rules(0..5));
    repo.commit("five rules");
    let [claude, gpt] = expect(&repo, "demote", [1, 1]);
    assert_eq!((&claude["class"], &gpt["class"]), (&json!("demote"), &json!("rewrite")));
    assert_eq!(causes(&claude), ["demote below-minimum rules", "rewrite rewritten rules"]);
    // What was not cached is not written anew.
    assert_eq!(
        (tokens(&gpt), &gpt["prefix"]["kept_by"], &gpt["cost"]["once"]),
        ((0, 0), &json!("too-short"), &json!(0.0))
    );
}

#[test]
fn nothing_is_said_to_be_written_that_is_not_cached() {
    let repo = repo();
    let says = |format: &str| {
        let run = repo.run(&["diff", "HEAD~1", "HEAD", "--format", format]);
        let of_gpt = run.stdout.split("gpt (openai").nth(1).unwrap_or(&run.stdout).to_owned();
        (run.stdout, of_gpt)
    };
    repo.write("prompts/rules.md", rules(0..30));
    repo.commit("too short for one");
    let (all, gpt) = says("text");
    assert!(gpt.contains(" tokens: too few to be cached from now on; the model caches from 1024 on\n"), "{all}");
    assert!(!gpt.contains("once ") || gpt.contains("is written anew once"), "{all}");
    let found = repo.json(&["HEAD~1", "HEAD"]);
    let gpt = profile(&found, "gpt");
    assert_eq!((tokens(gpt), &gpt["cost"]["once"]), ((0, 0), &json!(0.0)));
    assert!(gpt["cost"]["per_1000_sessions"].as_f64().unwrap() != 0.0);
    assert!(says("markdown").0.contains(" | not cached | "));

    repo.write("prompts/rules.md", rules(0..29));
    repo.commit("too short before and after");
    assert!(says("text").1.contains(" tokens: too few to be cached, before as after; "), "{}", says("text").0);
    let run = repo.run(&["lint", "--base", "HEAD~1", "gpt"]);
    assert!(run.stdout.contains("it is too short to be cached, so nothing is written anew"), "{}", run.stdout);

    repo.write("prompts/rules.md", rules(0..60));
    repo.commit("long enough again");
    assert!(says("text").1.contains(" tokens: enough to be cached, from 1024 on; "), "{}", says("text").0);

    // Nothing that any model caches: the verdict is not that sessions write.
    repo.write("prompts/rules.md", rules(0..5));
    repo.commit("short");
    repo.write("prompts/rules.md", rules(0..4));
    repo.commit("shorter");
    let (text, _) = says("markdown");
    assert!(text.contains("### Prompts: other bytes in static prefixes that no model caches (`rewrite`)"), "{text}");
}

#[test]
fn profiles_that_come_go_or_do_not_compile() {
    let repo = repo();
    repo.git(&["rm", "--quiet", "profiles/gpt.toml"]);
    repo.write("profiles/renamed.toml", CLAUDE.replace("claude-opus-5.5", "claude-sonnet-5.5"));
    repo.commit("one gone, one new");
    let found = repo.json(&["HEAD~1", "HEAD"]);
    let state = |name: &str| profile(&found, name)["state"].as_str().unwrap();
    assert_eq!([state("claude"), state("gpt"), state("renamed")], ["compared", "removed", "added"]);
    assert_eq!(profile(&found, "claude")["class"], "none");

    repo.replace("profiles/renamed.toml", "prompt = \"main\"", "prompt = \"nowhere\"");
    repo.write("prompts/rules.md", rules(0..59));
    repo.commit("one that does not compile");
    let run = repo.run(&["diff", "HEAD~1", "HEAD"]);
    assert_eq!(run.code, 1, "a head that does not compile is no clean end");
    assert!(run.stderr.contains("error[unknown-prompt]"), "{}", run.stderr);
    assert!(run.stdout.contains("broken   renamed  the head does not compile\n"), "{}", run.stdout);
    assert!(run.stdout.contains("rewrite  claude "), "{}", run.stdout);
    let found = repo.json(&["HEAD~1", "HEAD"]);
    let renamed = profile(&found, "renamed");
    assert_eq!((&renamed["class"], &renamed["broken"]), (&json!(null), &json!(["head"])));
    assert_eq!((&profile(&found, "claude")["class"], &found["class"]), (&json!("rewrite"), &json!("rewrite")));

    // A base that does not compile is behind us.
    repo.replace("profiles/renamed.toml", "prompt = \"nowhere\"", "prompt = \"main\"");
    repo.commit("mended");
    let run = repo.run(&["diff", "HEAD~1", "HEAD", "--fail-on", "tail"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.starts_with("in the base, HEAD~1 ("), "{}", run.stderr);
    assert!(run.stdout.contains("renamed  the base does not compile\n"), "{}", run.stdout);
}

#[test]
fn another_model_writes_everything_anew() {
    let repo = repo();
    repo.replace("profiles/claude.toml", "claude-opus-5.5", "claude-sonnet-5.5");
    repo.commit("another model");
    let both = expect(&repo, "rewrite", [1, 0]);
    assert_eq!(causes(&both[0]), ["rewrite target-changed -"]);
    assert_eq!(tokens(&both[0]), (0, both[0]["prefix"]["tokens_after"].as_u64().unwrap()));
    assert_eq!(classes(&both), ["rewrite", "none"]);
}
