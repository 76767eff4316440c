//! What comes of a profile's files: values, routes, reads, and what is told.

use super::*;
use crate::host::memory::Memory;
use crate::input::{Datum, Lifetime, Type, Value};
use crate::workspace::{Flags, Wanted, Workspace};

const PROFILE: &str = "[target]\nprovider = \"anthropic\"\nmodel = \"claude-opus-5.5\"\n\n\
                       [values]\nuser = \"internal\"\n\n[chain]\ndefault = { prompt = \"main\" }\n";

const INPUTS: &str = "[inputs]
user = { type = [\"external\", \"internal\"], lifetime = \"build\" }
label = { by = \"user\", values = { external = \"E\", internal = \"I\" } }
lead = { type = \"bool\", lifetime = \"session\" }
cwd = { type = \"string\", lifetime = \"session\", optional = true }
mode = { type = [\"a\", \"b\"], lifetime = \"turn\", optional = true }
words = { type = \"list\", lifetime = \"build\", default = [\"b\", \"a\", \"c\"], sort_by = \".\", max_items = 2 }
calm = { derive = \"not lead\" }
quick = { by = \"mode\", values = { a = true, b = false } }
";

fn section(id: &str, zone: &str, rest: &str) -> String {
    format!("[[section]]\nid = \"{id}\"\nzone = \"{zone}\"\n{rest}\n\n")
}

/// The profile `main` of the manifest `main`, and the names of the rules by which something is told.
fn resolved(profile: &str, manifest: &str, files: &[(&str, &str)]) -> (Option<Resolved>, Vec<&'static str>) {
    let mut host = Memory::from_iter([("prompts/main.toml", manifest), ("profiles/main.toml", profile)]);
    files.iter().for_each(|(path, text)| host.insert(*path, *text));
    let workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
    let mut sink = Sink::default();
    let choice = Choice { profile: "main", cell: &Given::new(), simple: false };
    let resolved = resolve(&workspace, choice, &mut sink);
    (resolved, sink.into_sorted(&workspace.sources).iter().map(|d| d.rule.name).collect())
}

/// The same, of which nothing is wrong.
fn fine(profile: &str, manifest: &str, files: &[(&str, &str)]) -> Resolved {
    let (resolved, said) = resolved(profile, manifest, files);
    assert_eq!(said, Vec::<&str>::new());
    resolved.unwrap()
}

fn string(text: &str) -> Datum {
    Datum::Known(Value::String(text.to_owned()))
}

#[test]
fn values_are_known_as_far_as_the_profile_fixes_them() {
    let all = fine(PROFILE, &format!("{INPUTS}{}", section("s", "static", "text = \"S.\"")), &[]);
    let build = &all.build;
    assert_eq!((build.string("user"), build.string("label")), (Some("internal"), Some("I")));
    assert_eq!((build.string("lead"), build.string("words"), build.string("nothing")), (None, None, None));
    for (name, unknown) in [("user", false), ("label", false), ("lead", true), ("calm", true), ("quick", true)] {
        assert_eq!(build.is_unknown(name), unknown, "{name}");
    }
    let with = build.with([("lead", Datum::Known(Value::Bool(true))), ("mode", Datum::Missing)]);
    assert_eq!((with.get("calm"), with.get("quick")), (Datum::Known(Value::Bool(false)), Datum::Missing));
    assert_eq!((build.cut("words"), build.cut("user")), (Some(1), None));
    assert_eq!(build.cut_names().collect::<Vec<_>>(), ["words"]);
}

#[test]
fn inputs_have_kinds_domains_and_what_they_come_from() {
    let all = fine(PROFILE, &format!("{INPUTS}{}", section("s", "static", "text = \"S.\"")), &[]);
    let inputs = &all.inputs;
    let kind = |name: &str| inputs.get(name).map(|input| input.kind.clone());
    assert_eq!(kind("label"), Some(Type::Enum(vec!["E".to_owned(), "I".to_owned()])));
    assert_eq!((kind("quick"), kind("calm")), (Some(Type::Bool), Some(Type::Bool)));
    assert_eq!(inputs.domain("mode"), Some(vec![string("a"), string("b"), Datum::Missing]));
    assert_eq!(inputs.domain("cwd"), None);
    for (name, sources, lifetime) in [
        ("label", &[][..], Lifetime::Build),
        ("calm", &["lead"], Lifetime::Session),
        ("quick", &["mode"], Lifetime::Turn),
        ("mode", &["mode"], Lifetime::Turn),
    ] {
        assert_eq!(inputs.open_sources([name]).into_iter().collect::<Vec<_>>(), sources, "{name}");
        assert_eq!(inputs.lifetime([name]), lifetime, "{name}");
    }
    assert_eq!(inputs.lifetime(["calm", "quick", "user"]), Lifetime::Turn);
}

#[test]
fn a_section_reads_what_its_text_and_its_condition_name() {
    let sections = section("s", "dynamic", "when = \"calm\"\ntext = \"{% if mode == 'a' %}A.{% endif %} {{ label }}\"")
        + &section("t", "dynamic", "text = \"Nothing.\"");
    let all = fine(PROFILE, &format!("{INPUTS}{sections}"), &[]);
    let [s, t] = &all.routes[0].sections[..] else { panic!("{:?}", all.routes[0].sections) };
    let names = |of: &BTreeSet<Arc<str>>| of.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&s.reads.all), ["calm", "label", "mode"]);
    assert_eq!(names(&s.reads.text), ["label", "mode"]);
    assert_eq!((s.lifetime(), t.lifetime()), (Lifetime::Turn, Lifetime::Build));
    assert!(t.reads.all.is_empty());
    // Read by somebody: they, and what they are made of.
    assert_eq!(all.read_names().into_iter().collect::<Vec<_>>(), ["calm", "label", "lead", "mode", "user"]);
}

#[test]
fn routes_are_the_links_with_what_they_keep_and_what_is_appended() {
    let profile = PROFILE.replace(
        "[chain]\n",
        "[chain]\noverride = { text = \"O.\", when = \"lead\" }\n\
         custom = { text = \"C.\", keep = [\"a\", \"c\"], when = \"user == 'internal'\" }\n",
    ) + "append = [{ text = \"One.\" }, { text = \"Two.\", after_override = true }]\n";
    let sections = section("a", "static", "text = \"A.\"")
        + &section("b", "static", "text = \"B.\"\nwhen = \"user == 'external'\"")
        + &section("c", "dynamic", "text = \"C.\"")
        + &section("d", "static", "text = \"D.\"");
    let all = fine(&profile, &format!("{INPUTS}{sections}"), &[]);
    let told: Vec<(&str, bool, String, String)> = all
        .routes
        .iter()
        .map(|r| {
            let ids = r.sections.iter().map(|s| s.id.as_str()).collect::<Vec<_>>();
            (r.layer.name(), r.can_win, ids.join(" "), r.kept.join(" "))
        })
        .collect();
    let route = |layer, can_win, ids: &str, kept: &str| (layer, can_win, ids.to_owned(), kept.to_owned());
    // A link that always holds hides those that are weaker.
    assert_eq!(
        told,
        [
            route("override", true, "override append-2", ""),
            route("custom", true, "a custom c append-1 append-2", "a c"),
            route("default", false, "a c d append-1 append-2", ""),
        ]
    );
    let default = all.route(Layer::Default).unwrap();
    assert_eq!(default.folded.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), ["b"]);
    let shared: Vec<&str> = default.sections.iter().filter(|s| s.is_shared()).map(|s| s.id.as_str()).collect();
    assert_eq!(shared, ["a"], "what stands behind a dynamic section is not shared");
}

#[test]
fn a_child_replaces_removes_and_adds_at_anchors() {
    let text = |id: &str| section(id, "static", &format!("text = \"{id}\""));
    let base = ["a", "b", "c"].map(text).concat();
    let child = "extends = \"base\"\nremove = [\"b\"]\n".to_owned()
        + &section("c", "static", "text = \"C again\"")
        + &section("x", "static", "after = \"a\"\ntext = \"X\"")
        + &section("y", "static", "before = \"x\"\ntext = \"Y\"")
        + &text("z");
    let profile = PROFILE.replace("[values]\nuser = \"internal\"\n", "");
    let all = fine(&profile, &child, &[("prompts/base.toml", &base)]);
    let ids: Vec<&str> = all.routes[0].sections.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["a", "y", "x", "c", "z"]);
}

#[test]
fn what_is_wrong_is_told_once_under_its_name() {
    let fine = section("s", "static", "text = \"S.\"");
    let no_value = PROFILE.replace("[values]\nuser = \"internal\"\n", "");
    let chain = |links: &str| no_value.replace("[chain]\n", &format!("[chain]\n{links}\n"));
    let default = no_value.clone();
    for (profile, manifest, want) in [
        (default.clone(), fine.clone(), &[][..]),
        (default.clone(), section("s", "dynamic", "text = \"{{ nothing }}\""), &["undefined-input"]),
        (default.clone(), section("s", "dynamic", "text = \"S.\"\nwhen = \"nothing\""), &["undefined-input"]),
        (no_value.replace("default = { prompt = \"main\" }\n", ""), fine.clone(), &["empty-chain"]),
        (no_value.replace("\"main\"", "\"mian\""), fine.clone(), &["unknown-prompt"]),
        (default.clone(), format!("extends = \"main\"\n{fine}"), &["extends-cycle"]),
        (PROFILE.to_owned(), fine.clone(), &["undefined-input"]),
        (chain("custom = { input = \"text\" }"), fine.clone(), &["undefined-input"]),
        (chain("custom = { text = \"C.\", keep = [\"t\"] }"), fine.clone(), &["unknown-keep"]),
        (
            chain("custom = { input = \"flag\", when = \"flag\" }"),
            format!("[inputs]\nflag = {{ type = \"bool\", lifetime = \"session\" }}\n{fine}"),
            &["type-mismatch"],
        ),
        (
            default.clone(),
            format!("[inputs]\na = {{ derive = \"not b\" }}\nb = {{ derive = \"not a\" }}\n{fine}"),
            &["derived-cycle"],
        ),
        (
            default.clone(),
            format!(
                "[inputs]\nu = {{ type = [\"x\", \"y\"], lifetime = \"session\" }}\n\
                 t = {{ by = \"u\", values = {{ x = true, y = \"no\" }} }}\n{fine}"
            ),
            &["mixed-table"],
        ),
        (
            default.clone(),
            format!(
                "[inputs]\nu = {{ type = [\"x\", \"y\"], lifetime = \"session\" }}\n\
                 t = {{ by = \"u\", values = {{ x = true }} }}\n{fine}"
            ),
            &["table-not-exhaustive"],
        ),
    ] {
        assert_eq!(resolved(&profile, &manifest, &[]).1, want, "{profile}\n{manifest}");
    }
}

#[test]
fn what_a_template_may_miss_is_told_unless_something_rules_it_out() {
    let printed = section("s", "dynamic", "text = \"In {{ mode }}.\"");
    let guarded = section("s", "dynamic", "text = \"{% if mode is defined %}In {{ mode }}.{% endif %}\"");
    let ruled = format!("[[constraint]]\nthat = \"mode is defined\"\n\n{printed}");
    for (sections, unguarded) in [(&printed, 1), (&guarded, 0), (&ruled, 0)] {
        let all = fine(PROFILE, &format!("{INPUTS}{sections}"), &[]);
        assert_eq!(all.routes[0].sections[0].reads.unguarded.len(), unguarded, "{sections}");
    }
}
