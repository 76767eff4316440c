//! The chain: which link wins and what stands where, against a model that is written from language.md section 6 and
//! C1 to C9 alone.

use promptc::compile::{Compiler, Request};
use promptc::diag::Sink;
use promptc::emit::Emitter;
use promptc::host::memory::Memory;
use promptc::manifest::Layer;
use promptc::workspace::{Flags, Wanted, Workspace};
use serde_json::{Value, json};

use crate::support::{Project, Run, run_in};

/// Every section's text is its id, every layer's text the name of its layer: what stands where can be read off.
const MAIN: &str = r#"
[[section]]
id = "rules"
zone = "static"
text = "rules"

[[section]]
id = "ground"
zone = "static"
text = "ground"

[[section]]
id = "place"
zone = "dynamic"
text = "place"

[[section]]
id = "style"
zone = "dynamic"
text = "style"
"#;

const TARGET: &str = "[target]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\nshared_scope = true\n\n";

/// The links of a full chain, strongest first; KEEP and WHEN are put in.
const LINKS: [(&str, &str); 5] = [
    ("override", r#"prompt = "loop""#),
    ("coordinator", r#"prompt = "lead""#),
    ("agent", r#"from = "agents", name = "reviewer""#),
    ("custom", r#"file = "own.md""#),
    ("default", r#"prompt = "main""#),
];

fn files() -> Memory {
    let pair = |name: &str| {
        let section =
            |zone: &str| format!("[[section]]\nid = \"{name}-{zone}\"\nzone = \"{zone}\"\ntext = \"{name}-{zone}\"\n");
        section("static") + &section("dynamic")
    };
    let mut host = Memory::default();
    host.insert("prompts/main.toml", MAIN);
    host.insert("prompts/loop.toml", pair("loop"));
    host.insert("prompts/lead.toml", pair("lead"));
    host.insert("prompts/agents/reviewer.md", "---\ndescription: reviews\n---\nagent");
    host.insert("prompts/own.md", "custom");
    host
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Append {
    None,
    Plain,
    AfterOverride,
}

const APPENDS: [Append; 3] = [Append::None, Append::Plain, Append::AfterOverride];

/// The model: the winner and the ids in order. `links` are those that are written, `holds` those whose condition is
/// true. `None` where there is nothing to send, or `keep` has no default to keep anything of.
fn model(links: [bool; 5], holds: [bool; 5], append: Append, keep: bool) -> Option<(usize, Vec<&'static str>)> {
    if keep && links[..4].contains(&true) && !links[4] {
        return None;
    }
    let winner = (0..5).find(|&n| links[n] && holds[n])?;
    let own: &[&str] = match winner {
        0 => &["loop-static", "loop-dynamic"],
        1 => &["lead-static", "lead-dynamic"],
        2 => &["agent"],
        3 => &["custom"],
        _ => &["rules", "ground", "place", "style"],
    };
    let kept = keep && winner < 4;
    let front = kept.then_some("rules");
    let behind = kept.then_some("place");
    let appended = match append {
        Append::None => false,
        Append::Plain => winner != 0,
        Append::AfterOverride => true,
    };
    let last = appended.then_some("append-1");
    Some((winner, front.into_iter().chain(own.iter().copied()).chain(behind).chain(last).collect()))
}

fn profile(links: [bool; 5], conditional: bool, append: Append, keep: bool) -> String {
    let mut out = TARGET.to_owned();
    if conditional {
        out.push_str("[inputs]\n");
        for (name, _) in LINKS {
            out.push_str(&format!("is_{name} = {{ type = \"bool\", lifetime = \"session\" }}\n"));
        }
    }
    out.push_str("[chain]\n");
    for ((name, carrier), _) in LINKS.iter().zip(links).filter(|(_, present)| *present) {
        let keep = if keep && *name != "default" { r#", keep = ["place", "rules"]"# } else { "" };
        let when = if conditional { format!(", when = \"is_{name}\"") } else { String::new() };
        out.push_str(&format!("{name} = {{ {carrier}{keep}{when} }}\n"));
    }
    match append {
        Append::None => {}
        Append::Plain => out.push_str("append = [{ text = \"append-1\" }]\n"),
        Append::AfterOverride => out.push_str("append = [{ text = \"append-1\", after_override = true }]\n"),
    }
    out
}

/// The blocks of the profile `main`, or the names of all errors.
fn build(host: &Memory, context: Option<&str>, route: Option<Layer>, simple: bool) -> Result<Value, Vec<&'static str>> {
    let wanted = ["main".to_owned()];
    let mut host = host.clone();
    host.insert("context.json", context.unwrap_or_default());
    let mut workspace = Workspace::load(&host, Wanted::Named(&wanted), &Flags::default()).unwrap();
    let context = context.map(|_| workspace.context(&host, "main", "context.json").unwrap().unwrap());
    let mut sink = Sink::default();
    let request = Request { profile: "main", cell: &Vec::new(), context: context.as_ref(), route, simple };
    let compiled = Compiler::new(&workspace).compile(request, &mut sink);
    match compiled.as_ref().and_then(|c| c.subject(&workspace)) {
        Some(subject) => Ok(serde_json::from_str(&Emitter::Blocks.emit(&subject)).unwrap()),
        None => Err(sink.into_sorted(&workspace.sources).iter().map(|d| d.rule.name).collect()),
    }
}

fn of(profile: impl Into<String>) -> Memory {
    let mut host = files();
    host.insert("profiles/main.toml", profile.into());
    host
}

/// All sections in order, as (id, its own text).
fn sections(blocks: &Value) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for block in blocks["blocks"].as_array().unwrap() {
        for section in block["sections"].as_array().unwrap() {
            let at = |key: &str| usize::try_from(section[key].as_u64().unwrap()).unwrap();
            let text = block["text"].as_str().unwrap()[at("start")..at("end")].to_owned();
            out.push((section["id"].as_str().unwrap().to_owned(), text));
        }
    }
    out
}

fn ids(blocks: &Value) -> Vec<String> {
    let all = blocks["blocks"].as_array().unwrap().iter().flat_map(|b| b["sections"].as_array().unwrap());
    all.map(|s| s["id"].as_str().unwrap().to_owned()).collect()
}

fn block<'a>(blocks: &'a Value, kind: &str) -> &'a Value {
    blocks["blocks"].as_array().unwrap().iter().find(|b| b["kind"] == kind).unwrap_or(&Value::Null)
}

fn bits(n: usize) -> [bool; 5] {
    std::array::from_fn(|bit| n >> bit & 1 == 1)
}

#[track_caller]
fn assert_as_in_model(found: &Result<Value, Vec<&str>>, want: Option<(usize, Vec<&str>)>, what: &str) {
    match (found, want) {
        (Ok(found), Some((winner, want))) => {
            assert_eq!(found["route"]["winner"], LINKS[winner].0, "{what}");
            let sections = sections(found);
            let got: Vec<&str> = sections.iter().map(|(id, _)| id.as_str()).collect();
            assert_eq!(got, want, "{what}");
            for (id, text) in &sections {
                assert_eq!(text, id, "{what}");
            }
            let listed = |key: &str| found["route"][key].as_array().unwrap().len();
            assert_eq!(listed("appended"), usize::from(want.contains(&"append-1")), "{what}");
            let kept = if want[0] == "rules" && winner < 4 { json!(["rules", "place"]) } else { json!([]) };
            assert_eq!(found["route"]["kept"], kept, "{what}");
            let prompt = [json!("loop"), json!("lead"), Value::Null, Value::Null, json!("main")];
            assert_eq!(found["route"]["prompt"], prompt[winner], "{what}");
        }
        (Err(_), None) => {}
        (found, want) => panic!("{what}: {found:?} instead of {want:?}"),
    }
}

#[test]
fn every_set_of_links_gives_what_the_definition_says() {
    for n in 0..32 {
        for append in APPENDS {
            for keep in [false, true] {
                let links = bits(n);
                let found = build(&of(profile(links, false, append, keep)), None, None, false);
                let what = format!("links {links:?}, append {append:?}, keep {keep}");
                assert_as_in_model(&found, model(links, [true; 5], append, keep), &what);
            }
        }
    }
}

#[test]
fn every_set_of_conditions_gives_what_the_definition_says() {
    for append in APPENDS {
        for keep in [false, true] {
            let host = of(profile([true; 5], true, append, keep));
            for n in 0..32 {
                let holds = bits(n);
                let values: serde_json::Map<String, Value> =
                    LINKS.iter().zip(holds).map(|((name, _), value)| (format!("is_{name}"), json!(value))).collect();
                let found = build(&host, Some(&Value::from(values).to_string()), None, false);
                let what = format!("holds {holds:?}, append {append:?}, keep {keep}");
                assert_as_in_model(&found, model([true; 5], holds, append, keep), &what);
                if n == 0 {
                    assert_eq!(found, Err(vec!["no-link-holds"]), "{what}");
                }
            }
        }
    }
}

#[test]
fn keep_without_a_default_that_is_a_prompt_is_told_for_every_id() {
    let mut links = [true; 5];
    links[4] = false;
    let found = build(&of(profile(links, false, Append::None, true)), None, None, false);
    assert_eq!(found, Err(vec!["unknown-keep"; 8]));
    let text =
        TARGET.to_owned() + "[chain]\ncustom = { file = \"own.md\", keep = [\"rules\"] }\ndefault = { text = \"t\" }\n";
    assert_eq!(build(&of(text), None, None, false), Err(vec!["unknown-keep"]));
}

#[test]
fn a_chain_without_links_is_an_error() {
    assert_eq!(
        build(&of(profile([false; 5], false, Append::Plain, false)), None, None, false),
        Err(vec!["empty-chain"])
    );
}

#[test]
fn without_a_context_what_hangs_on_run_time_values_does_not_hold() {
    let chain =
        "override = { prompt = \"loop\", when = \"is_loop\" }\nagent = { from = \"agents\", name = \"reviewer\" }\n";
    let inputs = "[inputs]\nis_loop = { type = \"bool\", lifetime = \"session\", default = true }\n";
    let host = of(format!("{TARGET}{inputs}[chain]\n{chain}default = {{ prompt = \"main\" }}\n"));
    assert_eq!(ids(&build(&host, None, None, false).unwrap()), ["agent"]);
    // With a context the default of the input counts.
    assert_eq!(ids(&build(&host, Some("{}"), None, false).unwrap()), ["loop-static", "loop-dynamic"]);
}

#[test]
fn route_builds_the_artifact_of_one_link() {
    let host = of(profile([true; 5], true, Append::Plain, true));
    for (n, (name, _)) in LINKS.iter().enumerate() {
        let found = build(&host, None, Layer::from_name(name), false);
        let holds = std::array::from_fn(|i| i == n);
        assert_as_in_model(&found, model([true; 5], holds, Append::Plain, true), name);
    }
    let host = of(profile([false, true, false, false, true], false, Append::None, false));
    assert_eq!(build(&host, None, Some(Layer::Custom), false), Err(vec!["layer-not-there"]));
    assert_eq!(ids(&build(&host, None, Some(Layer::Default), false).unwrap())[0], "rules");
}

#[test]
fn links_that_build_values_decide_are_folded() {
    let profile = format!(
        "{TARGET}[inputs]\nkind = {{ type = [\"a\", \"b\"], lifetime = \"build\" }}\n[values]\nkind = \"a\"\n[chain]\n\
         override = {{ prompt = \"loop\", when = \"kind == 'b'\" }}\ndefault = {{ prompt = \"main\" }}\n"
    );
    let host = of(profile);
    assert_eq!(build(&host, None, None, false).unwrap()["route"]["winner"], "default");
    assert_eq!(build(&host, None, Some(Layer::Override), false), Err(vec!["layer-not-there"]));
}

#[test]
fn an_agent_that_extends_stands_behind_the_default_under_its_heading() {
    let chain = "agent = { from = \"agents\", name = \"reviewer\", mode = \"extend\" }\ndefault = { prompt = \"main\" }\n\
                 append = [{ text = \"append-1\" }]\n";
    let found = build(&of(format!("{TARGET}[chain]\n{chain}")), None, None, false).unwrap();
    assert_eq!(found["route"]["winner"], "agent");
    assert_eq!(found["route"]["prompt"], Value::Null);
    assert_eq!(block(&found, "static")["text"], "rules\n\nground");
    let dynamic = "place\n\nstyle\n\n# Custom Agent Instructions\n\nagent\n\nappend-1";
    assert_eq!(block(&found, "dynamic")["text"], dynamic);
    let sections = sections(&found);
    assert_eq!(sections[4], ("agent".to_owned(), "# Custom Agent Instructions\n\nagent".to_owned()));
}

#[test]
fn extend_is_for_agents_that_are_no_prompt_and_keeps_nothing() {
    let wrong = [
        "custom = { file = \"own.md\", mode = \"extend\" }",
        "agent = { prompt = \"lead\", mode = \"extend\" }",
        "agent = { from = \"agents\", name = \"reviewer\", mode = \"extend\", keep = [\"rules\"] }",
        "agent = { from = \"agents\", name = \"reviewer\", mode = \"append\" }",
    ];
    for link in wrong {
        let found =
            build(&of(format!("{TARGET}[chain]\n{link}\ndefault = {{ prompt = \"main\" }}\n")), None, None, false);
        assert_eq!(found.map_err(|e| e.len()), Err(1), "{link}");
    }
}

/// What is extended is sent, whatever it is, and there must be something to extend.
#[test]
fn an_agent_that_extends_loses_nothing_of_the_default() {
    let extend = |default: &str| {
        let chain = format!("agent = {{ from = \"agents\", name = \"reviewer\", mode = \"extend\" }}\n{default}\n");
        build(&of(format!("{TARGET}[chain]\n{chain}")), None, None, false)
    };
    if let Ok(found) = extend("default = { text = \"the default\" }") {
        assert_eq!(block(&found, "dynamic")["text"], "the default\n\n# Custom Agent Instructions\n\nagent");
    }
    assert!(extend("").is_err());
    let mut empty = of(format!(
        "{TARGET}[chain]\nagent = {{ from = \"agents\", name = \"empty\", mode = \"extend\" }}\ndefault = {{ prompt = \"main\" }}\n"
    ));
    empty.insert("prompts/agents/empty.md", "---\ndescription: says nothing\n---\n");
    assert_eq!(build(&empty, None, None, false), Err(vec!["empty-layer"]));
}

/// A default with a required section, and one link over it.
fn with_required(link: &str) -> Memory {
    let mut host = of(format!(
        "{TARGET}[inputs]\non = {{ type = \"bool\", lifetime = \"session\" }}\n[chain]\n{link}\ndefault = {{ prompt = \"main\" }}\n"
    ));
    host.insert("prompts/main.toml", MAIN.replacen("zone", "required = true\nzone", 1));
    host.insert("prompts/same.toml", "[[section]]\nid = \"rules\"\nzone = \"dynamic\"\ntext = \"x\"\nwhen = \"on\"\n");
    host
}

#[test]
fn a_required_section_survives_whatever_wins() {
    let errors = |link: &str| build(&with_required(link), None, None, false).err().unwrap_or_default();
    let lost = vec!["required-section-lost"];
    // Checked for every link that can win, whether it does or not; an override is no exception.
    assert_eq!(errors("override = { prompt = \"loop\", when = \"on\" }"), lost);
    assert_eq!(errors("agent = { from = \"agents\", name = \"reviewer\" }"), lost);
    assert_eq!(
        errors("custom = { file = \"own.md\", when = \"on\" }\noverride = { text = \"t\", when = \"on\" }").len(),
        2
    );
    // Kept, or a section of the same id, even one whose condition may be false.
    assert!(errors("override = { prompt = \"loop\", when = \"on\", keep = [\"rules\"] }").is_empty());
    assert!(errors("override = { prompt = \"same\", when = \"on\" }").is_empty());
    // An agent that extends has the whole default.
    assert!(errors("agent = { from = \"agents\", name = \"reviewer\", mode = \"extend\" }").is_empty());
    // A link behind one that always holds cannot win.
    assert_eq!(errors("agent = { text = \"t\", keep = [\"rules\"] }\ncustom = { text = \"u\" }"), Vec::<&str>::new());
}

#[test]
fn kept_role_sections_stand_in_front_of_the_links_own() {
    let role = |id: &str, role: &str| {
        format!("[[section]]\nid = \"{id}\"\nzone = \"static\"\nrole = \"{role}\"\ntext = \"{id}\"\n")
    };
    let mut host = of(format!(
        "{TARGET}[chain]\noverride = {{ prompt = \"loop\", keep = [\"place\", \"name\", \"bill\", \"rules\"] }}\ndefault = {{ prompt = \"main\" }}\n"
    ));
    // In the default, the roles stand behind everything: their place does not matter.
    host.insert("prompts/main.toml", MAIN.to_owned() + &role("name", "prefix") + &role("bill", "attribution"));
    let own = "[[section]]\nid = \"mine\"\nzone = \"dynamic\"\ntext = \"mine\"\n";
    host.insert("prompts/loop.toml", role("own-name", "prefix") + own + &role("own-bill", "attribution"));
    let found = build(&host, None, None, false).unwrap();
    let texts: Vec<(&str, &str)> = found["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["kind"].as_str().unwrap(), b["text"].as_str().unwrap()))
        .collect();
    let want = [
        ("attribution", "bill\n\nown-bill"),
        ("prefix", "name\n\nown-name"),
        ("static", "rules"),
        ("dynamic", "mine\n\nplace"),
    ];
    assert_eq!(texts, want);
    // Each group in the default's order: the leading run and the roles, then all others.
    assert_eq!(found["route"]["kept"], json!(["rules", "name", "bill", "place"]));
}

#[test]
fn an_id_that_the_links_prompt_has_itself_is_not_kept() {
    let mut host = of(format!(
        "{TARGET}[chain]\noverride = {{ prompt = \"loop\", keep = [\"rules\", \"ground\"] }}\ndefault = {{ prompt = \"main\" }}\n"
    ));
    host.insert("prompts/loop.toml", "[[section]]\nid = \"rules\"\nzone = \"dynamic\"\ntext = \"own\"\n");
    let found = build(&host, None, None, false).unwrap();
    assert_eq!(sections(&found), [("ground", "ground"), ("rules", "own")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(found["route"]["kept"], json!(["ground"]));
}

#[test]
fn what_a_variant_of_the_default_dropped_is_not_kept_and_no_error() {
    let mut host = of(format!(
        "{TARGET}[inputs]\nfamily = {{ type = [\"x\", \"y\"], lifetime = \"build\" }}\n[values]\nfamily = \"x\"\n[chain]\n\
         override = {{ prompt = \"loop\", keep = [\"rules\", \"ground\"] }}\ndefault = {{ prompt = \"main\" }}\n"
    ));
    host.insert(
        "prompts/main.toml",
        MAIN.to_owned() + "[[variant]]\nwhen = \"family == 'x'\"\norder = [\"ground\", \"place\"]\n",
    );
    assert_eq!(ids(&build(&host, None, None, false).unwrap()), ["ground", "loop-static", "loop-dynamic"]);
}

#[test]
fn a_static_section_behind_a_dynamic_one_is_kept_behind() {
    let mut host = of(format!(
        "{TARGET}[chain]\noverride = {{ prompt = \"loop\", keep = [\"late\", \"rules\"] }}\ndefault = {{ prompt = \"main\" }}\n"
    ));
    let late = "[[section]]\nid = \"late\"\nzone = \"static\"\ntext = \"late\"\n";
    host.insert("prompts/main.toml", MAIN.to_owned() + late);
    let found = build(&host, None, None, false).unwrap();
    assert_eq!(ids(&found), ["rules", "loop-static", "loop-dynamic", "late"]);
    assert_eq!(found["blocks"][1]["sections"][1]["zone"], "dynamic");
}

#[test]
fn a_winner_without_text_of_its_own_is_an_error() {
    let chain = |link: &str| {
        format!(
            "{TARGET}[inputs]\non = {{ type = \"bool\", lifetime = \"session\" }}\nown = {{ type = \"string\", lifetime = \"session\" }}\n\
             [chain]\n{link}\ndefault = {{ prompt = \"main\" }}\nappend = [{{ text = \"a\" }}]\n"
        )
    };
    let context = Some(r#"{"on": false, "own": " \n"}"#);
    // Kept and appended text does not count.
    let kept = "custom = { input = \"own\", trim = \"both\", keep = [\"rules\"] }";
    assert_eq!(build(&of(chain(kept)), context, None, false).map_err(|e| e.len()), Err(1));
    // Without `trim`, blanks are text.
    assert!(build(&of(chain("custom = { input = \"own\" }")), context, None, false).is_ok());
    let mut host = of(chain("override = { prompt = \"maybe\", keep = [\"rules\"] }"));
    host.insert("prompts/maybe.toml", "[[section]]\nid = \"m\"\nzone = \"dynamic\"\ntext = \"m\"\nwhen = \"on\"\n");
    assert_eq!(build(&host, context, None, false).map_err(|e| e.len()), Err(1));
    assert!(build(&host, Some(r#"{"on": true, "own": ""}"#), None, false).is_ok());
    // An agent that is not there.
    let named = "agent = { from = \"agents\", name = { input = \"own\" } }";
    assert_eq!(
        build(&of(chain(named)), Some(r#"{"on": true, "own": "nobody"}"#), None, false).map_err(|e| e.len()),
        Err(1)
    );
}

#[test]
fn simple_is_the_defaults_named_sections_and_nothing_else() {
    let mut host = of(profile([true; 5], false, Append::AfterOverride, true));
    host.insert("prompts/main.toml", format!("simple = [\"place\", \"rules\"]\n{MAIN}"));
    let found = build(&host, None, None, true).unwrap();
    assert_eq!(ids(&found), ["rules", "place"]);
    assert_eq!(found["route"], json!({"winner": "default", "prompt": "main", "appended": [], "kept": []}));
    assert_eq!(build(&of(profile([true; 5], false, Append::None, false)), None, None, true), Err(vec!["no-simple"]));
    // `required` does not hold here.
    host.insert(
        "prompts/main.toml",
        format!("simple = [\"place\"]\n{}", MAIN.replacen("zone", "required = true\nzone", 1)),
    );
    let default = profile([false, false, false, false, true], false, Append::None, false);
    host.insert("profiles/main.toml", default);
    assert_eq!(ids(&build(&host, None, None, true).unwrap()), ["place"]);
}

#[test]
fn layer_texts_are_verbatim_unless_they_are_rendered() {
    let text = "{{ who }} {% raw %}  ";
    let chain = |render: &str| {
        format!(
            "{TARGET}[inputs]\nwho = {{ type = \"string\", lifetime = \"session\" }}\n[chain]\n\
             custom = {{ file = \"own.md\"{render} }}\ndefault = {{ prompt = \"main\" }}\n\
             append = [{{ text = \"{{{{ who }}}}\", heading = \"{{{{ h }}}}\\n\" }}]\n"
        )
    };
    let mut host = of(chain(""));
    host.insert("prompts/own.md", text);
    let found = build(&host, Some(r#"{"who": "you"}"#), None, false).unwrap();
    assert_eq!(block(&found, "dynamic")["text"], format!("{text}\n\n{{{{ h }}}}\n{{{{ who }}}}"));
    let mut host = of(chain(", render = true, trim = \"end\""));
    host.insert("prompts/own.md", "{{ who }}!  \n");
    let found = build(&host, Some(r#"{"who": "{{ who }}"}"#), None, false).unwrap();
    assert_eq!(block(&found, "dynamic")["text"], "{{ who }}!\n\n{{ h }}\n{{ who }}");
}

#[test]
fn a_heading_stands_only_before_an_item_that_lives() {
    let profile = format!(
        "{TARGET}[inputs]\nown = {{ type = \"string\", lifetime = \"session\" }}\n[chain]\ndefault = {{ prompt = \"main\" }}\n\
         append = [{{ input = \"own\", heading = \"# H\\n\\n\", trim = \"both\", separator_before = \"|\" }}]\n"
    );
    let text = |own: &str| {
        let context = json!({ "own": own }).to_string();
        build(&of(profile.clone()), Some(&context), None, false).unwrap()["blocks"][1]["text"].clone()
    };
    assert_eq!(text(" x\n"), "place\n\nstyle|# H\n\nx");
    assert_eq!(text(" \n"), "place\n\nstyle");
}

#[test]
fn reserved_ids_belong_to_layers() {
    for id in ["override", "coordinator", "agent", "custom", "default", "append-1", "append-99"] {
        let mut host = of(profile([false, false, false, false, true], false, Append::None, false));
        host.insert("prompts/main.toml", format!("[[section]]\nid = \"{id}\"\nzone = \"static\"\ntext = \"x\"\n"));
        assert!(build(&host, None, None, false).is_err(), "{id}");
    }
}

/// A project on disk whose links all hang on values, and a folder elsewhere with files for flags.
struct Flagged {
    project: Project,
    elsewhere: tempfile::TempDir,
}

fn flagged() -> Flagged {
    let inputs = "[inputs]\non = { type = \"bool\", lifetime = \"session\" }\nown = { type = \"string\", lifetime = \"session\", default = \"\" }\n";
    let chain = "[chain]\n\
        override = { prompt = \"loop\", when = \"on\", keep = [\"rules\"] }\n\
        coordinator = { prompt = \"loop\", when = \"on\", keep = [\"place\"] }\n\
        agent = { from = \"agents\", name = \"reviewer\", when = \"on\", mode = \"extend\" }\n\
        custom = { input = \"own\", when = \"own\", keep = [\"rules\", \"place\"], trim = \"both\", separator_before = \"|\" }\n\
        default = { prompt = \"main\" }\nappend = [{ text = \"append-1\" }]\n";
    let pair = |name: &str| format!("[[section]]\nid = \"{name}\"\nzone = \"dynamic\"\ntext = \"{name}\"\n");
    let project = Project::new()
        .file("prompts/main.toml", MAIN)
        .file("prompts/loop.toml", pair("loop"))
        .file("prompts/lead.toml", pair("lead"))
        .file("prompts/agents/reviewer.md", "reviewer\n")
        .file("prompts/agents/pruner.md", "---\nname: tree pruner\n---\npruner")
        .file("profiles/main.toml", format!("{TARGET}{inputs}{chain}"));
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("one.md"), "\u{feff} one\r\n{{ x }}\n").unwrap();
    std::fs::write(elsewhere.path().join("two.md"), "two").unwrap();
    Flagged { project, elsewhere }
}

impl Flagged {
    /// Runs a command on the project, in the other folder.
    fn run(&self, args: &[&str]) -> Run {
        let root = self.project.path("");
        run_in(self.elsewhere.path(), &[args, &["--root", root.to_str().unwrap()]].concat())
    }

    fn blocks(&self, args: &[&str]) -> Value {
        let run = self.run(&[&["build", "main", "-o", "-"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    }
}

#[test]
fn a_flag_makes_its_link_hold_and_keeps_its_other_keys() {
    let it = flagged();
    let found = it.blocks(&["--custom", "one.md"]);
    assert_eq!(
        found["route"],
        json!({"winner": "custom", "prompt": null, "appended": ["append-1"], "kept": ["rules", "place"]})
    );
    assert_eq!(block(&found, "static")["text"], "rules");
    assert_eq!(block(&found, "dynamic")["text"], "one\n{{ x }}\n\nplace\n\nappend-1");
    let sections = block(&found, "dynamic")["sections"].clone();
    assert_eq!(sections[0]["source"], json!({"path": "flag:--custom", "line": 1}));
    let found = it.blocks(&["--override", "two.md"]);
    assert_eq!(ids(&found), ["rules", "override"]);
    let found = it.blocks(&["--coordinator", "lead"]);
    assert_eq!(ids(&found), ["lead", "place", "append-1"]);
    let found = it.blocks(&["--agent", "tree pruner"]);
    assert_eq!(ids(&found), ["rules", "ground", "place", "style", "agent", "append-1"]);
    assert!(
        block(&found, "dynamic")["text"]
            .as_str()
            .unwrap()
            .contains("# Custom Agent Instructions\n\npruner\n\nappend-1")
    );
    // The strongest of several wins.
    assert_eq!(it.blocks(&["--custom", "one.md", "--coordinator", "lead"])["route"]["winner"], "coordinator");
}

#[test]
fn append_flags_add_items_behind_those_of_the_profile() {
    let it = flagged();
    let found = it.blocks(&["--append", "two.md", "--append", "one.md"]);
    assert_eq!(found["route"]["appended"], json!(["append-1", "append-2", "append-3"]));
    let text = block(&found, "dynamic")["text"].as_str().unwrap().to_owned();
    assert!(text.ends_with("append-1\n\ntwo\n\n one\n{{ x }}\n"), "{text:?}");
    // No text that is appended comes after an override, unless the item says so.
    assert_eq!(ids(&it.blocks(&["--override", "two.md", "--append", "one.md"])), ["rules", "override"]);
}

#[test]
fn flags_fill_links_that_the_profile_does_not_have() {
    let it = flagged();
    it.project.write("profiles/main.toml", format!("{TARGET}[chain]\ndefault = {{ prompt = \"main\" }}\n"));
    for (flag, value, id) in [
        ("--override", "two.md", "override"),
        ("--agent", "reviewer", "agent"),
        ("--custom", "two.md", "custom"),
        ("--coordinator", "lead", "lead"),
    ] {
        assert_eq!(ids(&it.blocks(&[flag, value])), [id]);
    }
}

#[test]
fn flags_that_name_nothing_are_told_without_a_path_of_the_machine() {
    let it = flagged();
    for (args, code, word) in [
        (["--custom", "none.md"], 2, "none.md"),
        (["--append", "."], 2, "--append"),
        (["--agent", "nobody"], 2, "nobody"),
        (["--coordinator", "nothing"], 2, "nothing"),
    ] {
        let run = it.run(&[&["build", "main", "-o", "-"], &args[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{}", run.stderr);
        // What stands on the command line has no place in a file.
        assert!(!run.stderr.contains("profiles/main.toml"), "{}", run.stderr);
        assert!(!run.stderr.contains(it.project.path("").to_str().unwrap()), "{}", run.stderr);
    }
}

#[test]
fn the_trace_as_json_has_its_keys_in_order() {
    let it = flagged();
    let run = it.run(&["resolve", "main", "--custom", "one.md", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let want = r#"{
  "format": "promptc.route/1",
  "profile": "main",
  "winner": "custom",
  "links": [
    {
      "link": "override",
      "state": "undecided",
      "when": "on",
      "source": "prompts/loop.toml"
    },
    {
      "link": "coordinator",
      "state": "undecided",
      "when": "on",
      "source": "prompts/loop.toml"
    },
    {
      "link": "agent",
      "state": "undecided",
      "when": "on",
      "source": "prompts/agents/reviewer.md"
    },
    {
      "link": "custom",
      "state": "won",
      "when": null,
      "source": "flag:--custom"
    },
    {
      "link": "default",
      "state": "shadowed",
      "when": null,
      "source": "prompts/main.toml"
    }
  ],
  "appended": [
    {
      "id": "append-1",
      "source": "profiles/main.toml:15",
      "state": "appended"
    }
  ],
  "kept": [
    "rules",
    "place"
  ],
  "sections": [
    {
      "id": "rules",
      "from": "main (kept)",
      "carrier": "prompt"
    },
    {
      "id": "custom",
      "from": "custom",
      "carrier": "flag"
    },
    {
      "id": "place",
      "from": "main (kept)",
      "carrier": "prompt"
    },
    {
      "id": "append-1",
      "from": "append",
      "carrier": "text"
    }
  ],
  "agent": null
}
"#;
    assert_eq!(run.stdout, want);
}

#[test]
fn the_trace_says_how_each_link_stands() {
    let it = flagged();
    it.project.write("on.json", r#"{"on": true}"#);
    it.project.write("off.json", r#"{"on": false}"#);
    let states = |args: &[&str]| {
        let run = it.run(&[&["resolve", "main", "--format", "json"], args].concat());
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        let links = found["links"].as_array().unwrap().iter().map(|l| l["state"].as_str().unwrap().to_owned());
        links.collect::<Vec<_>>().join(" ")
    };
    let (on, off) = (it.project.path("on.json"), it.project.path("off.json"));
    assert_eq!(states(&["--context", on.to_str().unwrap()]), "won shadowed shadowed condition-false shadowed");
    let all_false = "condition-false condition-false condition-false condition-false won";
    assert_eq!(states(&["--context", off.to_str().unwrap()]), all_false);
    assert_eq!(states(&[]), "undecided undecided undecided undecided won");
    it.project.write("profiles/main.toml", format!("{TARGET}[chain]\ndefault = {{ prompt = \"main\" }}\n"));
    assert_eq!(states(&[]), "absent absent absent absent won");
}

#[test]
fn the_trace_for_people_names_every_link_section_and_file() {
    let it = flagged();
    let run = it.run(&["resolve", "main", "--custom", "one.md"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for line in [
        "winner    custom",
        "override     undecided  on      prompt   prompts/loop.toml",
        "custom       won        always  flag     flag:--custom",
        "default      shadowed   always  prompt   prompts/main.toml",
        "append-1     appended   always  text     profiles/main.toml:15",
        "kept from the default: rules, place",
    ] {
        assert!(run.stdout.lines().any(|l| l == line), "no line `{line}` in\n{}", run.stdout);
    }
    for id in ["rules", "custom", "place", "append-1"] {
        assert!(run.stdout.lines().any(|l| l.split_whitespace().nth(1) == Some(id)), "{id}");
    }
    // A layer's text is defined in its file, as blocks.json says too.
    let custom = run.stdout.lines().find(|l| l.starts_with("dynamic  custom")).unwrap();
    assert!(custom.ends_with("flag:--custom:1"), "{custom}");
}

#[test]
fn what_an_override_drops_does_not_blame_a_condition() {
    let it = flagged();
    let run = it.run(&["resolve", "main", "--override", "two.md"]);
    let line = run.stdout.lines().find(|l| l.starts_with("append-1")).unwrap();
    assert!(!line.contains("condition-false"), "{line}");
}

#[test]
fn the_trace_shows_what_an_agents_front_matter_says() {
    let it = flagged();
    it.project.write("prompts/agents/pruner.md", "---\ncolor: mauve\ntools: [Read, Grep]\n---\npruner");
    let run = it.run(&["resolve", "main", "--agent", "pruner"]);
    assert!(run.stdout.contains("color") && run.stdout.contains("mauve"), "{}", run.stdout);
}
