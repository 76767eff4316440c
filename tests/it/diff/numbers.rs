//! The numbers, computed a second time: tokens from the two texts, sums from the vendors' prices.

use promptc::tokens::{Counter, Encoding};
use serde_json::{Value, json};

use super::repo::{Repo, profile};

/// A price for a million tokens, by hand.
struct Prices {
    input: f64,
    cached: f64,
    write: f64,
}

/// A target, how its tokens are counted, what they cost, and whether it caches up to marks.
struct Model {
    name: &'static str,
    provider: &'static str,
    model: &'static str,
    counter: Counter,
    minimum: u64,
    prices: Prices,
    marks: bool,
}

fn models() -> [Model; 3] {
    [
        Model {
            name: "a",
            provider: "anthropic",
            model: "claude-opus-5.5",
            counter: Counter::new(Encoding::Cl100kBase, 1.365),
            minimum: 512,
            prices: Prices { input: 4.0, cached: 0.2, write: 5.0 },
            marks: true,
        },
        Model {
            name: "b",
            provider: "openai",
            model: "gpt-5.5",
            counter: Counter::new(Encoding::O200kBase, 1.0),
            minimum: 1024,
            // Nothing is asked for writing an entry but the price of the input.
            prices: Prices { input: 5.0, cached: 0.5, write: 5.0 },
            marks: false,
        },
        Model {
            name: "c",
            provider: "openai",
            model: "gpt-6.1-sol",
            counter: Counter::new(Encoding::O200kBase, 1.0),
            minimum: 1024,
            prices: Prices { input: 2.0, cached: 0.1, write: 2.5 },
            marks: true,
        },
    ]
}

const SESSIONS: f64 = 2000.0;
const TURNS: f64 = 12.0;

const MANIFEST: &str = "[inputs]\ncwd = { type = \"string\", lifetime = \"session\" }\n\
    [[section]]\nid = \"identity\"\nzone = \"static\"\ntext = \"You are Pip.\"\n\
    [[section]]\nid = \"rules\"\nzone = \"static\"\nverbatim = true\nbody = \"rules.md\"\n\
    [[section]]\nid = \"tools\"\nzone = \"dynamic\"\ntext = \"Use the tools that you are given, and no others.\"\n\
    [[section]]\nid = \"place\"\nzone = \"dynamic\"\ntext = \"The work is in {{ cwd }}.\"\n";

fn rules(n: usize) -> String {
    (0..n).map(|n| format!("Rule {n}: read what stands there before you change a thing.\n")).collect()
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("prompts/main.toml", MANIFEST);
    repo.write("prompts/rules.md", rules(120));
    repo.write("all.json", r#"{ "cwd": "/srv/app" }"#);
    for Model { name, provider, model, .. } in models() {
        let text = format!(
            "[target]\nprovider = \"{provider}\"\nmodel = \"{model}\"\n[chain]\ndefault = {{ prompt = \"main\" }}\n\
             [traffic]\nsessions_per_day = {SESSIONS}\nturns_per_session = {TURNS}\n\
             [[fixture]]\nname = \"all\"\ncontext = \"all.json\"\n"
        );
        repo.write(&format!("profiles/{name}.toml"), text);
    }
    repo.commit("first");
    repo
}

/// The static prefix, joined by hand.
fn prefix(rules: &str) -> String {
    format!("You are Pip.\n\n{}", rules.trim())
}

/// The length of the text that two texts begin with.
fn common(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y).map_or(a.len().min(b.len()), |((at, _), _)| at)
}

fn near(found: &Value, wanted: f64, what: &str) {
    let found = found.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-6 + wanted.abs() * 1e-9, "{what}: {found}, and by hand {wanted}");
}

#[test]
fn what_an_edit_keeps_and_costs() {
    let repo = repo();
    let (before, after) = (prefix(&rules(120)), prefix(&rules(120).replace("Rule 90: read", "Rule 90: always read")));
    repo.write("prompts/rules.md", rules(120).replace("Rule 90: read", "Rule 90: always read"));
    let found = repo.json(&[]);
    let byte = common(&before, &after);
    for Model { name, counter, minimum, prices, marks, .. } in models() {
        let change = profile(&found, name);
        let (old, new) = (counter.count(&before), counter.count(&after));
        let equal = counter.count(&after[..byte]);
        let kept = if marks || equal < minimum { 0 } else { equal };
        let prefix = &change["prefix"];
        assert_eq!(prefix["first_change"]["byte"], byte, "{name}");
        assert_eq!(prefix["first_change"]["tokens_before"], equal, "{name}");
        assert_eq!((&prefix["tokens_before"], &prefix["tokens_after"]), (&json!(old), &json!(new)), "{name}");
        assert_eq!(
            (&prefix["tokens_kept"], &prefix["tokens_rewritten"]),
            (&json!(equal), &json!(new - equal)),
            "{name}"
        );
        assert_eq!((&prefix["cached_kept"], &prefix["cached_rewritten"]), (&json!(kept), &json!(new - kept)), "{name}");
        assert_eq!(kept > 0, name == "b", "one target keeps what stands before the edit");

        let rewritten = (new - kept) as f64;
        near(&change["cost"]["once"], SESSIONS * rewritten * (prices.write - prices.cached) / 1e6, name);
        // A longer prefix is read twelve times in a session, and written once in all.
        let more = new as f64 - old as f64;
        let thousand = 1000.0 * more * TURNS * prices.cached + more * (prices.write - prices.cached);
        near(&change["cost"]["per_1000_sessions"], thousand / 1e6, name);
        let day = SESSIONS * (more * TURNS * prices.cached + more * (prices.write - prices.cached) / 1000.0);
        near(&change["cost"]["per_day"], day / 1e6, name);
        assert_eq!((&change["cost"]["turns"], &change["cost"]["turns_are_given"]), (&json!(12), &json!(true)));
        assert_eq!(change["cost"]["currency"], "USD");
    }
    let dates: Vec<&str> = ["a", "b", "c"].map(|n| profile(&found, n)["cost"]["as_of"].as_str().unwrap()).into();
    assert_eq!(dates, ["2026-10-07", "2026-07-02", "2026-09-29"]);
}

#[test]
fn what_it_costs_to_recompute_every_turn() {
    let repo = repo();
    let tools = "Use the tools that you are given, and no others.";
    repo.replace(
        "prompts/main.toml",
        &format!("text = \"{tools}\""),
        &format!("text = \"{tools}\"\nDANGEROUS_uncached = \"they come and go\""),
    );
    let found = repo.json(&[]);
    for Model { name, counter, prices, marks, .. } in models() {
        let change = profile(&found, name);
        let (tools, place) = (counter.count(tools) as f64, counter.count("The work is in /srv/app.") as f64);
        // Before: written when the session starts, then read. The tools are the same for all sessions, which helps where
        // what is cached does not end at a mark. After: sent with every request.
        let own = prices.write + prices.cached * (TURNS - 1.0);
        let before = place * own + tools * if marks { own } else { prices.cached * TURNS };
        let after = (tools + place) * prices.input * TURNS;
        near(&change["cost"]["per_1000_sessions"], 1000.0 * (after - before) / 1e6, name);
        near(&change["cost"]["once"], 0.0, name);
        assert_eq!((&change["class"], &change["cost"]["artifact"]), (&json!("demote"), &json!("all")));
    }
}

#[test]
fn what_it_costs_that_nobody_shares_the_prefix() {
    let repo = repo();
    repo.replace("prompts/main.toml", "You are Pip.", "You are Pip in {{ cwd }}.");
    let found = repo.json(&[]);
    for Model { name, counter, prices, .. } in models() {
        let change = profile(&found, name);
        let (old, new) = (
            counter.count(&prefix(&rules(120))),
            counter.count(&prefix(&rules(120)).replace("Pip", "Pip in /srv/app")),
        );
        let before = old as f64 * prices.cached * TURNS + old as f64 * (prices.write - prices.cached) / 1000.0;
        let after = new as f64 * (prices.write + prices.cached * (TURNS - 1.0));
        near(&change["cost"]["per_1000_sessions"], 1000.0 * (after - before) / 1e6, name);
        assert_eq!(change["class"], "fragment");
    }
}

#[test]
fn without_prices_there_is_no_cost_and_without_traffic_it_is_for_one_session() {
    let repo = repo();
    let model = |text: &str| text.replace("claude-opus-5.5", "house-model");
    repo.write("promptc.toml", "[[model]]\nmatch = \"house-model\"\nmin_tokens = 100\ntokenizer = \"o200k_base\"\n");
    repo.write("profiles/a.toml", model(&repo.read("profiles/a.toml")));
    let without =
        repo.read("profiles/b.toml").replace("[traffic]\nsessions_per_day = 2000\nturns_per_session = 12\n", "");
    repo.write("profiles/b.toml", without);
    repo.commit("second");
    repo.write("prompts/rules.md", rules(120) + "One more.\n");
    let found = repo.json(&["HEAD"]);
    assert_eq!(profile(&found, "a")["cost"], json!(null));
    let cost = &profile(&found, "b")["cost"];
    assert_eq!((&cost["sessions"], &cost["turns"], &cost["turns_are_given"]), (&json!(1), &json!(10), &json!(false)));
    assert_eq!(cost["per_day"], json!(null));
}
