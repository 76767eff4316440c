//! Kinds of changes beside those of the table: what waits for values, what stands around sections, what fixtures do.

use std::collections::BTreeMap;

use crate::compile::{Contexts, tasks};
use crate::diag::Sink;
use crate::diff::{Class, Diff, Edit, ProfileChange, Side, What, compare};
use crate::host::memory::Memory;
use crate::workspace::{Flags, Wanted, Workspace};
use proptest::prelude::*;

pub const PROFILE: &str =
    "[target]\nprovider = \"openai\"\nmodel = \"gpt-5.5\"\n[chain]\ndefault = { prompt = \"main\" }\n";

/// The inputs that the manifests here use.
const INPUTS: &str = "[inputs]\nteam = { type = \"string\", lifetime = \"org\" }\n\
    cwd = { type = \"string\", lifetime = \"session\" }\nis_git = { type = \"bool\", lifetime = \"session\" }\n";

/// A section of a manifest.
pub fn section(id: &str, zone: &str, rest: &str) -> String {
    format!("\n[[section]]\nid = \"{id}\"\nzone = \"{zone}\"\n{rest}\n")
}

/// A project of a manifest, some files, and the profile that is usual here unless another one is among them.
pub fn project(manifest: &str, files: &[(&str, &str)]) -> Memory {
    let mut host = Memory::from_iter([("profiles/main.toml", PROFILE)]);
    host.insert("prompts/main.toml", format!("{INPUTS}{manifest}"));
    files.iter().for_each(|(path, text)| host.insert(*path, *text));
    host
}

fn diff(base: &Memory, head: &Memory) -> Diff {
    let load = |host: &Memory| {
        let mut workspace = Workspace::load(host, Wanted::All, &Flags::default()).unwrap();
        let tasks = tasks(&mut workspace, host, Contexts::All, &mut Sink::default()).unwrap();
        (workspace, tasks)
    };
    let (base, head) = (load(base), load(head));
    let side = |loaded: &'_ (Workspace, _)| Side::compile(&loaded.0, &loaded.1, Vec::new()).said;
    assert_eq!((side(&base), side(&head)), (vec![], vec![]), "both sides compile");
    compare(&Side::compile(&base.0, &base.1, Vec::new()), &Side::compile(&head.0, &head.1, Vec::new()))
}

/// The one profile of both, its class, its causes, and what happened to its sections.
pub fn change(base: &Memory, head: &Memory) -> (Class, Vec<String>, Vec<String>, ProfileChange) {
    let one = diff(base, head).profiles.pop().unwrap();
    let causes = one.causes.iter().map(|c| match &c.section {
        Some(section) => format!("{} {section}", c.what.name()),
        None => c.what.name().to_owned(),
    });
    let edits = one.sections.iter().filter(|s| s.change != Edit::Unchanged).map(|s| {
        let all: Vec<&str> = std::iter::once(s.change).chain(s.also.iter().copied()).map(Edit::name).collect();
        format!("{} {}", s.id, all.join("+"))
    });
    (one.class.unwrap(), causes.collect(), edits.collect(), one)
}

#[test]
fn what_waits_for_values_is_compared_by_all_that_it_is_made_of() {
    let open = "body = \"a.md\"\nwhen = \"is_git\"";
    let files = [("prompts/a.md", "{% include 'b.md' %} in {{ cwd }}"), ("prompts/b.md", "one")];
    let rules = section("rules", "static", "text = \"rules\"");
    let base = project(&format!("{rules}{}", section("a", "dynamic", open)), &files);

    let head = project(&format!("{rules}{}", section("a", "dynamic", open)), &[files[0], ("prompts/b.md", "two")]);
    let (class, causes, edits, one) = change(&base, &head);
    assert_eq!((class, causes.len(), edits), (Class::Tail, 0, vec!["a edited".to_owned()]));
    let texts: Vec<_> =
        one.sections[1].texts.iter().map(|t| (t.label.as_str(), t.before.as_str(), t.after.as_str())).collect();
    assert_eq!(texts, [("b.md", "one", "two")]);
    assert_eq!((one.sections[1].line.path.as_str(), one.sections[1].line.line), ("prompts/b.md", 1));
    assert_eq!(one.files, ["prompts/b.md"]);

    let other = section("a", "dynamic", "body = \"a.md\"\nwhen = \"not is_git\"");
    let (class, _, edits, one) = change(&base, &project(&format!("{rules}{other}"), &files));
    assert_eq!((class, edits), (Class::Tail, vec!["a edited".to_owned()]));
    assert_eq!(one.sections[1].texts[0].label, "when");

    let layout = |with: &str| {
        format!("[[layout.replace]]\npattern = \"x\"\nwith = \"{with}\"\n{rules}{}", section("a", "dynamic", open))
    };
    let (class, ..) = change(&project(&layout("y"), &files), &project(&layout("z"), &files));
    assert_eq!(class, Class::Tail);

    // A default changes what a session gets; a description does not.
    let inputs = |what: &str| {
        let mut host = project(&format!("{rules}{}", section("a", "dynamic", open)), &files);
        let manifest = format!(
            "{}{rules}{}",
            INPUTS.replace("cwd = { type = \"string\"", &format!("cwd = {{ type = \"string\", {what}")),
            section("a", "dynamic", open)
        );
        host.insert("prompts/main.toml", manifest);
        host
    };
    assert_eq!(change(&inputs("default = \"/\""), &inputs("default = \"/srv\"")).0, Class::Tail);
    assert_eq!(change(&inputs("description = \"a\""), &inputs("description = \"b\"")).0, Class::Meta);
}

#[test]
fn what_stands_between_sections_is_part_of_the_prefix() {
    let two = format!("{}{}", section("a", "static", "text = \"a\""), section("b", "static", "text = \"b\""));
    let layout = |separator: &str| format!("[layout]\nseparator = \"{separator}\"\n{two}");
    let (class, causes, edits, one) = change(&project(&layout("\\n\\n"), &[]), &project(&layout("\\n---\\n"), &[]));
    assert_eq!(
        (class, causes, edits),
        (Class::Rewrite, vec!["separated b".to_owned(), "rewritten b".to_owned()], vec![])
    );
    assert_eq!(one.prefix.unwrap().first_change.unwrap().byte, 2);

    // An id is no text.
    let renamed = two.replace("id = \"b\"", "id = \"c\"");
    let (class, causes, edits, _) = change(&project(&two, &[]), &project(&renamed, &[]));
    assert_eq!((class, causes.len()), (Class::Meta, 0));
    let (_, _, _, one) = change(&project(&two, &[]), &project(&renamed, &[]));
    assert_eq!((edits, one.sections[1].id.as_str(), one.sections[1].was.as_deref()), (vec![], "c", Some("b")));
    // What is gone stands where it was.
    let without = two.replace(&section("a", "static", "text = \"a\""), "");
    let (class, causes, edits, one) = change(&project(&two, &[]), &project(&without, &[]));
    assert_eq!((class, causes, edits), (Class::Rewrite, vec!["rewritten a".to_owned()], vec!["a removed".to_owned()]));
    assert_eq!(one.sections[0].id, "a");
}

#[test]
fn what_stands_elsewhere_and_makes_the_same_text_is_no_rewrite() {
    let text = |id: &str, text: &str| section(id, "static", &format!("text = \"{text}\""));
    let base = project(&[text("a", "one"), text("b", "one"), text("c", "two")].concat(), &[]);
    let head = project(&[text("d", "one"), text("b", "one"), text("a", "two")].concat(), &[]);
    let (class, causes, edits, _) = change(&base, &head);
    assert_eq!((class, causes), (Class::Meta, vec!["moved a".to_owned()]));
    assert!(edits.contains(&"a moved+edited".to_owned()), "{edits:?}");
}

#[test]
fn a_section_that_grows_into_the_next_one_did_it() {
    let text = |id: &str, text: &str| section(id, "static", &format!("text = \"{text}\""));
    // Behind the line end that both have stands the other one's separator.
    let (short, long) = (text("a", "one"), text("a", "one\\nmore"));
    let base = project(&format!("{short}{}", text("b", "two")), &[]);
    let head = project(&format!("{long}{}", text("b", "three")), &[]);
    for (old, new) in [(&base, &head), (&head, &base)] {
        let first = change(old, new).3.prefix.unwrap().first_change.unwrap();
        assert_eq!((first.byte, first.section.as_str()), ("one\n".len(), "a"));
    }
}

#[test]
fn moved_and_edited_are_told_apart_and_together() {
    let text = |id: &str, text: &str| section(id, "static", &format!("text = \"{text}\""));
    let base = [text("a", "first of all"), text("b", "second"), text("c", "third")];
    let head = [text("b", "second"), text("c", "third and last"), text("a", "first of all")];
    let (_, _, edits, _) = change(&project(&base.concat(), &[]), &project(&head.concat(), &[]));
    assert_eq!(edits, ["c edited", "a moved"]);
    let head = [text("b", "second"), text("c", "third"), text("a", "first")];
    let (_, _, edits, _) = change(&project(&base.concat(), &[]), &project(&head.concat(), &[]));
    assert_eq!(edits, ["a moved+edited"]);
}

#[test]
fn what_is_new_and_changes_often_is_measured_by_what_it_takes_away() {
    let rules = section("rules", "static", "text = \"rules\"");
    let place = section("place", "dynamic", "text = \"in {{ cwd }}\"");
    let news = section("news", "dynamic", "text = \"news\"\nDANGEROUS_uncached = \"they change every turn\"");
    let base = project(&format!("{rules}{place}"), &[]);
    let (class, causes, ..) = change(&base, &project(&format!("{rules}{place}{news}"), &[]));
    assert_eq!((class, causes), (Class::Tail, vec!["new-dangerous news".to_owned()]));
    let (class, causes, ..) = change(&base, &project(&format!("{rules}{news}{place}"), &[]));
    assert_eq!((class, causes), (Class::Demote, vec!["uncached place".to_owned(), "new-dangerous news".to_owned()]));

    let team = section("team", "dynamic", "text = \"of {{ team }}\"");
    let (class, causes, ..) =
        change(&project(&format!("{rules}{team}"), &[]), &project(&format!("{rules}{team}{place}"), &[]));
    assert_eq!((class, causes), (Class::Demote, vec!["block-shortened place".to_owned()]));

    let reason = news.replace("they change every turn", "they change all the time");
    let (class, causes, ..) =
        change(&project(&format!("{rules}{news}"), &[]), &project(&format!("{rules}{reason}"), &[]));
    assert_eq!((class, causes), (Class::Meta, vec!["reason-changed news".to_owned()]));
}

#[test]
fn a_line_in_front_of_everything_counts_unless_it_is_stripped() {
    let rules = section("rules", "static", "text = \"rules\"");
    let bill = |text: &str| section("bill", "dynamic", &format!("role = \"attribution\"\ntext = \"{text}\""));
    let (build, session) = (format!("{}{rules}", bill("bill")), format!("{}{rules}", bill("bill {{ cwd }}")));
    let (class, causes, ..) = change(&project(&build, &[]), &project(&session, &[]));
    assert_eq!((class, causes[0].as_str()), (Class::Fragment, "now-runtime bill"));
    let invoice = format!("{}{rules}", bill("invoice"));
    let (class, causes, ..) = change(&project(&build, &[]), &project(&invoice, &[]));
    assert_eq!((class, causes[0].as_str()), (Class::Rewrite, "rewritten bill"));
    let stripping = PROFILE.replace("[chain]", "strips_attribution = true\n[chain]");
    let files = [("profiles/main.toml", stripping.as_str())];
    let (class, causes, ..) = change(&project(&build, &files), &project(&session, &files));
    assert_eq!((class, causes), (Class::Tail, vec![]));
}

#[test]
fn a_mark_further_behind_holds_for_what_stands_before_it() {
    let profile = PROFILE.replace("openai", "anthropic").replace("gpt-5.5", "claude-opus-5.5");
    let files = [("profiles/main.toml", profile.as_str())];
    let words = "many words of a long identity ".repeat(120);
    let identity = section("identity", "static", &format!("role = \"prefix\"\ntext = \"{words}\""));
    let place = section("place", "dynamic", "text = \"here\"");
    let rules = section("rules", "static", "text = \"rules\"");
    let (base, head) = (format!("{identity}{place}"), format!("{identity}{rules}{place}"));
    // The mark stands behind the new section now.
    let (class, causes, ..) = change(&project(&base, &files), &project(&head, &files));
    assert_eq!((class, causes), (Class::Rewrite, vec!["rewritten rules".to_owned()]));
    // A whole prompt that is too short has none at all.
    let short = head.replace(&words, "few words");
    let (class, causes, ..) = change(&project(&head, &files), &project(&short, &files));
    assert_eq!((class, causes[0].as_str()), (Class::Demote, "below-minimum identity"));
}

#[test]
fn fixtures_are_no_prompts() {
    let manifest = format!(
        "{}{}",
        section("rules", "static", "text = \"rules\""),
        section("place", "dynamic", "text = \"in {{ cwd }}\"")
    );
    let profile = PROFILE.replace("[chain]", "shared_scope = true\n[chain]");
    let with = format!("{profile}[[fixture]]\nname = \"a\"\ncontext = \"a.json\"\n");
    let files = |context: &'static str| [("profiles/main.toml", with.clone()), ("a.json", context.to_owned())];
    let of = |context| {
        let mut host = project(&manifest, &[]);
        files(context).into_iter().for_each(|(path, text)| host.insert(path, text));
        host
    };
    // Other values, and even other tools, are another session of the same prompt.
    let one = of(r#"{ "cwd": "/a", "team": "t", "is_git": true }"#);
    let (class, causes, edits, _) =
        change(&one, &of(r#"{ "cwd": "/b", "team": "t", "is_git": true, "runtime_tools": true }"#));
    assert_eq!((class, causes), (Class::Tail, vec![]));
    assert_eq!(edits, ["rules cache", "place cache+edited"]);
    // A fixture more is nobody's session.
    let without = project(&manifest, &[("profiles/main.toml", &profile)]);
    assert_eq!(change(&without, &one).0, Class::Meta);
    assert_eq!(change(&one, &without).0, Class::Meta);
}

#[test]
fn a_cause_is_told_once_whatever_its_numbers_are() {
    let more = "{% if edition == 'team' and lead %}Lead.{% endif %}";
    let manifest = |text: &str| {
        let inputs = "edition = { type = [\"free\", \"team\"], lifetime = \"build\" }\nlead = { type = \"bool\", lifetime = \"session\" }\n";
        format!("{inputs}{}", section("a", "static", &format!("text = \"{text}\"")))
    };
    let profile = format!("matrix = {{ edition = [\"free\", \"team\"] }}\n{PROFILE}[limits]\nstatic_variants = 9\n");
    let files = [("profiles/main.toml", profile.as_str())];
    let base = project(&manifest(&format!("a {more}")), &files);
    let head = project(&manifest(&format!("a {more} {{% if is_git %}}Git.{{% endif %}}")), &files);
    let (class, causes, _, one) = change(&base, &head);
    assert_eq!(
        (class, &causes[..2]),
        (Class::Fragment, &["now-runtime a".to_owned(), "variants-grew a".to_owned()][..])
    );
    let What::VariantsGrew { before, after } = &one.causes[1].what else { panic!("{:?}", one.causes) };
    // Two of the free edition, four of the team's, which is told.
    assert_eq!((before.number.as_deref(), after.number.as_deref()), (Some("2"), Some("4")));
    assert_eq!(one.causes[1].artifacts, ["edition=team", "edition=free"]);
}

#[test]
fn links_that_come_and_go_are_another_prompt_for_some() {
    let manifest = section("rules", "static", "text = \"rules\"");
    let lead = section("lead", "static", "text = \"lead\"");
    let with = PROFILE.replace("[chain]", "[chain]\ncoordinator = { prompt = \"lead\", when = \"is_git\" }");
    let (base, head) = (
        project(&manifest, &[("prompts/lead.toml", &lead)]),
        project(&manifest, &[("prompts/lead.toml", &lead), ("profiles/main.toml", &with)]),
    );
    let (class, causes, _, one) = change(&base, &head);
    assert_eq!((class, causes), (Class::Rewrite, vec!["route-added".to_owned()]));
    assert_eq!(
        one.artifacts.iter().map(|a| (a.name.as_str(), a.class)).collect::<Vec<_>>(),
        [("", Class::None), ("route coordinator", Class::Rewrite)]
    );
    let (class, causes, ..) = change(&head, &base);
    assert_eq!((class, causes), (Class::Rewrite, vec!["route-removed".to_owned()]));
}

#[test]
fn bytes_are_bytes_and_tokens_are_of_whole_letters() {
    let of = |text: &str| project(&section("a", "static", &format!("text = \"你好{text}。\"")), &[]);
    let first = change(&of("一"), &of("丁")).3.prefix.unwrap().first_change.unwrap();
    // Both letters begin with the same two bytes.
    assert_eq!((first.byte, "一".as_bytes()[..2] == "丁".as_bytes()[..2]), ("你好".len() + 2, true));
    assert!(first.tokens_before > 0);
}

/// A manifest of sections with these ids and texts, in order.
fn manifest(sections: &[(usize, usize)]) -> String {
    sections
        .iter()
        .map(|(id, text)| section(&format!("s{id}"), "static", &format!("text = \"text {text} of it\"")))
        .collect()
}

/// Some sections in some order, each with one of three texts.
fn sections() -> impl Strategy<Value = Vec<(usize, usize)>> {
    let ids = proptest::sample::subsequence((0..6).collect::<Vec<usize>>(), 1..6).prop_shuffle();
    ids.prop_flat_map(|ids| {
        let n = ids.len();
        (Just(ids), proptest::collection::vec(0..3usize, n))
            .prop_map(|(ids, texts)| ids.into_iter().zip(texts).collect())
    })
}

/// The longest run that is ascending, by trying all.
fn longest(places: &[usize]) -> usize {
    let run = |mask: u32| (0..places.len()).filter(move |n| mask >> n & 1 == 1).map(|n| places[n]).collect::<Vec<_>>();
    (0..1u32 << places.len()).map(run).filter(|run| run.is_sorted()).map(|run| run.len()).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_happened_to_sections_is_what_happened(old in sections(), new in sections()) {
        let (_, _, _, one) = change(&project(&manifest(&old), &[]), &project(&manifest(&new), &[]));
        // A text that only one section of those that are gone has, and one of those that have come, is the same section.
        let alone = |list: &[(usize, usize)], other: &[(usize, usize)], text: usize| {
            let found: Vec<usize> =
                list.iter().filter(|s| s.1 == text && !other.iter().any(|o| o.0 == s.0)).map(|s| s.0).collect();
            if let [one] = found[..] { Some(one) } else { None }
        };
        let renamed: BTreeMap<usize, usize> =
            (0..3).filter_map(|text| Some((alone(&old, &new, text)?, alone(&new, &old, text)?))).collect();
        for (was, now) in &renamed {
            let found = one.sections.iter().find(|s| s.id == format!("s{now}")).unwrap();
            prop_assert_eq!(found.was.as_ref(), Some(&format!("s{was}")));
        }
        let old: Vec<(usize, usize)> = old.iter().map(|s| (renamed.get(&s.0).copied().unwrap_or(s.0), s.1)).collect();
        let (before, after): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (old.iter().copied().collect(), new.iter().copied().collect());
        let mut moved = 0;
        prop_assert_eq!(one.sections.len(), old.iter().chain(&new).map(|s| s.0).collect::<std::collections::BTreeSet<_>>().len());
        for section in &one.sections {
            let id: usize = section.id[1..].parse().unwrap();
            match (before.get(&id), after.get(&id)) {
                (Some(a), Some(b)) => prop_assert_eq!(section.is(Edit::Edited), a != b),
                (None, _) => prop_assert_eq!(section.change, Edit::Added),
                (_, None) => prop_assert_eq!(section.change, Edit::Removed),
            }
            moved += usize::from(section.is(Edit::Moved));
        }
        let kept: Vec<usize> = new.iter().filter_map(|n| old.iter().position(|o| o.0 == n.0)).collect();
        prop_assert_eq!(moved, kept.len() - longest(&kept), "as few as possible moved");

        let text = |sections: &[(usize, usize)]| sections.iter().map(|s| format!("text {} of it", s.1)).collect::<Vec<_>>().join("\n\n");
        let (a, b) = (text(&old), text(&new));
        let byte = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let found = one.prefix.as_ref().unwrap().first_change.as_ref();
        prop_assert_eq!(found.map(|f| f.byte), (a != b).then_some(byte));
        // Whoever is named was touched.
        if let Some(found) = found {
            let named = one.sections.iter().find(|s| s.id == found.section).unwrap();
            prop_assert!(named.is_touched(), "{:?} {:?} {}", old, new, found.section);
        }
        prop_assert_eq!(one.class == Some(Class::Rewrite), a != b);
    }
}
