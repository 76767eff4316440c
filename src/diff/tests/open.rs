//! Sections that wait for run-time values on one side alone are compared as they are written.

use crate::diff::Class;

use super::kinds::{PROFILE, change, project, section};

/// Something that is chosen when compiling stands ahead of what is added.
const BODY: &str = "{% if edition == 'team' %}You are one of a team.{% else %}You are alone.{% endif %}\nRead first.\n";

const EDITION: &str = "[values]\nedition = \"free\"\n";

fn manifest(zone: &str, rest: &str) -> String {
    let inputs = "edition = { type = [\"free\", \"team\"], lifetime = \"build\" }\n";
    format!("{inputs}{}{}", section("rules", "static", "text = \"rules\""), section("a", zone, rest))
}

/// One side: the section's zone, what is written of it, its file, and values of the profile.
fn side(zone: &str, body: &str, values: &str) -> crate::host::memory::Memory {
    let profile = format!("{PROFILE}{EDITION}{values}");
    project(&manifest(zone, "body = \"a.md\""), &[("prompts/a.md", body), ("profiles/main.toml", &profile)])
}

#[test]
fn what_was_edited_is_shown_and_nothing_else() {
    let added = format!("{BODY}Work in {{{{ cwd }}}}.\n");
    for zone in ["static", "dynamic"] {
        let (base, head) = (side(zone, BODY, ""), side(zone, &added, ""));
        for (old, new, words) in [(&base, &head, (BODY, added.as_str())), (&head, &base, (added.as_str(), BODY))] {
            let (class, _, edits, one) = change(old, new);
            assert_eq!(edits, ["a lifetime+edited"]);
            let texts: Vec<_> = one.sections[1].texts.iter().map(|t| (t.before.as_str(), t.after.as_str())).collect();
            assert_eq!(texts, [words], "template against template");
            let prefix = one.prefix.unwrap();
            if zone == "dynamic" {
                assert_eq!(prefix.first_change, None);
                continue;
            }
            assert_ne!(class, Class::Tail);
            let first = prefix.first_change.unwrap();
            assert_eq!((first.byte, first.line.line), ("rules\n\n".len() + BODY.len(), 3), "{first:?}");
        }
    }
}

#[test]
fn a_value_that_arrives_later_is_no_edit_of_the_text() {
    let body = format!("{BODY}Work in {{{{ cwd }}}}.\n");
    let fixed = side("static", &body, "cwd = \"/srv\"\n");
    let open = side("static", &body, "");
    let (class, causes, edits, one) = change(&fixed, &open);
    assert_eq!((class, edits), (Class::Fragment, vec!["a lifetime".to_owned()]));
    assert_eq!(causes[0], "now-runtime a");
    assert!(one.sections[1].texts.is_empty());
    // It is other from where the value stands.
    let first = one.prefix.unwrap().first_change.unwrap();
    assert_eq!(first.byte, "rules\n\n".len() + BODY.len() + "Work in {{ ".len());
    assert_eq!((first.section.as_str(), first.line.path.as_str(), first.line.line), ("a", "prompts/a.md", 3));
    // And back: the condition of the section counts as its beginning.
    let when = |values: &str| {
        let profile = format!("{PROFILE}{EDITION}{values}");
        let manifest = manifest("static", "body = \"a.md\"\nwhen = \"is_git\"");
        project(&manifest, &[("prompts/a.md", BODY), ("profiles/main.toml", &profile)])
    };
    let (class, _, edits, one) = change(&when(""), &when("is_git = true\n"));
    assert_eq!((class, edits), (Class::Rewrite, vec!["a lifetime".to_owned()]));
    let first = one.prefix.unwrap().first_change.unwrap();
    assert_eq!((first.byte, first.section.as_str()), ("rules\n\n".len(), "a"));
}

#[test]
fn what_a_prefix_includes_is_part_of_it() {
    let allow = "allow = { static-conditional = \"few have no git\" }";
    let manifest = manifest("static", &format!("body = \"a.md\"\n{allow}"));
    let of = |included: &str, end: &str| {
        let body = format!("Read.{{% if is_git %}}{{% include 'b.md' %}}{{% endif %}}{end}");
        let profile = format!("{PROFILE}{EDITION}[limits]\nstatic_variants = 2\n");
        let files = [("prompts/a.md", &*body), ("prompts/b.md", included), ("profiles/main.toml", &*profile)];
        project(&manifest, &files)
    };
    let (class, causes, _, one) = change(&of("one", ""), &of("two", ""));
    assert_eq!((class, causes), (Class::Rewrite, vec!["rewritten a".to_owned()]));
    let first = one.prefix.unwrap().first_change.unwrap();
    assert_eq!((first.byte, first.line.path.as_str(), first.line.line), ("rules\n\n".len(), "prompts/b.md", 1));
    assert_eq!(change(&of("one", ""), &of("one", "")).0, Class::None);
}

#[test]
fn what_does_the_same_is_no_change() {
    // Another value of an enum that a text was never made with, and words for people.
    let inputs = |values: &str, words: &str| {
        let os = format!("os = {{ type = [{values}], lifetime = \"session\"{words} }}\n");
        project(&format!("{os}{}", section("a", "dynamic", "text = \"on {{ os }}\"")), &[])
    };
    let base = inputs("\"linux\"", "");
    let (class, _, edits, _) = change(&base, &inputs("\"linux\", \"macos\"", ", description = \"the system\""));
    assert_eq!((class, edits), (Class::Meta, vec![]));
    // A default is another text for those that give none, and is shown as it is written.
    let (class, _, edits, one) = change(&base, &inputs("\"linux\"", ", default = \"linux\""));
    assert_eq!((class, edits), (Class::Tail, vec!["a edited".to_owned()]));
    let pair = &one.sections[0].texts[0];
    assert_eq!((pair.label.as_str(), pair.before.contains("default")), ("os", false));
    assert!(pair.after.contains("default = \"linux\""), "{pair:?}");
    assert_eq!((one.sections[0].line.path.as_str(), one.sections[0].line.line), ("prompts/main.toml", 5));

    // A value that is known from now on is shown beside what the input is.
    let body = "Work in {{ cwd }}{% if is_git %} with git{% endif %}.\n";
    let (open, fixed) = (side("dynamic", body, ""), side("dynamic", body, "is_git = true\n"));
    let (class, _, edits, one) = change(&open, &fixed);
    assert_eq!((class, edits), (Class::Tail, vec!["a edited".to_owned()]));
    let texts: Vec<_> =
        one.sections[1].texts.iter().map(|t| (t.label.as_str(), t.before.as_str(), t.after.as_str())).collect();
    assert_eq!(texts, [("value of is_git", "", "true")]);
    assert_eq!((one.sections[1].line.path.as_str(), one.sections[1].line.line), ("profiles/main.toml", 8));

    // Of a body that is chosen when compiling, the other files do nothing.
    let chosen = |other: &str| {
        let choice = "body = { by = \"edition\", files = { free = \"free.md\", team = \"team.md\" } }";
        let files = [("prompts/free.md", "free in {{ cwd }}"), ("prompts/team.md", other)];
        let mut host = project(&manifest("dynamic", choice), &files);
        host.insert("profiles/main.toml", format!("{PROFILE}{EDITION}"));
        host
    };
    assert_eq!(change(&chosen("one"), &chosen("two")).0, Class::Meta);
}
