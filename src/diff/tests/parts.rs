//! What is told of a change besides its class: which cell, which section, which line, which texts.

use crate::compile::{Contexts, tasks};
use crate::diag::Sink;
use crate::diff::{Class, ProfileChange, Side, State, compare};
use crate::host::memory::Memory;
use crate::workspace::{Flags, Wanted, Workspace};

use super::kinds::{PROFILE, change, project, section};

fn text(id: &str, text: &str) -> String {
    section(id, "static", &format!("text = \"{text}\""))
}

/// A project of two cells, `edition=free` and `edition=team`.
fn cells(sections: &str) -> Memory {
    let edition = "edition = { type = [\"free\", \"team\"], lifetime = \"build\" }\n";
    let profile = format!("matrix = {{ edition = [\"free\", \"team\"] }}\n{PROFILE}");
    project(&format!("{edition}{sections}"), &[("profiles/main.toml", &profile)])
}

fn by_edition(id: &str, free: &str, team: &str) -> String {
    text(id, &format!("{{% if edition == 'team' %}}{team}{{% else %}}{free}{{% endif %}}"))
}

/// One profile whose sides may have errors.
fn broken(base: &Memory, head: &Memory) -> ProfileChange {
    let load = |host: &Memory| {
        let mut workspace = Workspace::load(host, Wanted::All, &Flags::default()).unwrap();
        let tasks = tasks(&mut workspace, host, Contexts::All, &mut Sink::default()).unwrap();
        (workspace, tasks)
    };
    let (base, head) = (load(base), load(head));
    let side = |(workspace, tasks)| Side::compile(workspace, tasks, Vec::new());
    compare(&side((&base.0, &base.1)), &side((&head.0, &head.1))).profiles.pop().unwrap()
}

#[test]
fn a_cause_names_the_cells_that_have_it_when_others_have_not() {
    let base = cells(&by_edition("a", "free", "team"));
    for (free, team, only) in
        [("free", "squad", &["edition=team"][..]), ("gratis", "team", &["edition=free"]), ("gratis", "squad", &[])]
    {
        let (class, causes, _, one) = change(&base, &cells(&by_edition("a", free, team)));
        assert_eq!((class, causes), (Class::Rewrite, vec!["rewritten a".to_owned()]));
        assert_eq!(one.causes[0].only, only, "{free} {team}");
    }
}

#[test]
fn a_cause_names_the_link_when_what_wins_has_it_not() {
    let profile = PROFILE.replace("[chain]", "[chain]\ncoordinator = { prompt = \"lead\", when = \"is_git\" }");
    let of = |lead: &str| {
        project(
            &text("rules", "rules"),
            &[("prompts/lead.toml", &text("lead", lead)), ("profiles/main.toml", &profile)],
        )
    };
    let one = change(&of("one"), &of("two")).3;
    assert_eq!(one.causes[0].only, ["route coordinator"]);
}

#[test]
fn sections_of_every_cell_are_told() {
    let base = cells(&[by_edition("a", "free", "team"), by_edition("b", "free", "team")].concat());
    let head = cells(&[by_edition("a", "gratis", "team"), by_edition("b", "free", "squad")].concat());
    assert_eq!(change(&base, &head).2, ["a edited", "b edited"]);
}

#[test]
fn what_compiles_on_both_sides_is_compared_beside_an_error() {
    let fixture = format!("{PROFILE}[[fixture]]\nname = \"f\"\ncontext = \"f.json\"\n");
    let base = project(&text("a", "one"), &[]);
    let head = project(&text("a", "two"), &[("profiles/main.toml", &fixture)]);
    let one = broken(&base, &head);
    assert_eq!(one.state, State::Broken { base: false, head: true });
    assert_eq!(one.class, Some(Class::Rewrite));
    assert_eq!(one.artifacts.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), [""]);
    let one = broken(&head, &base);
    assert_eq!((one.state, one.class), (State::Broken { base: true, head: false }, Some(Class::Rewrite)));
}

#[test]
fn of_several_sections_that_test_an_input_the_first_is_named_and_before_all_one_that_prints_it() {
    let tested = |id: &str| text(id, "{% if is_git %}Git.{% endif %}");
    let base = project(&["a", "b", "c"].map(|id| text(id, "Text.")).concat(), &[]);
    let profile = format!("{PROFILE}[limits]\nstatic_variants = 9\n");
    let files = [("profiles/main.toml", profile.as_str())];
    let printed = section("c", "static", "text = \"{{ is_git }}\"");
    for (last, named) in [(text("c", "Text."), "now-runtime a"), (printed, "now-runtime c")] {
        let head = project(&[tested("a"), tested("b"), last].concat(), &files);
        assert_eq!(change(&base, &head).1[0], named);
    }
}

#[test]
fn a_section_that_moved_is_shown_at_the_line_that_was_edited() {
    let long = "A text that is longer than the other one.";
    let body = section("a", "static", "body = \"a.md\"");
    let base = project(&[text("b", long), body.clone()].concat(), &[("prompts/a.md", "x\n1\n")]);
    let head = project(&[text("c", long), body, text("b", long)].concat(), &[("prompts/a.md", "x\n2\n")]);
    let (_, _, edits, one) = change(&base, &head);
    assert_eq!(edits, ["c added", "a moved+edited"]);
    let first = one.prefix.unwrap().first_change.unwrap();
    assert_eq!((first.section.as_str(), first.line.path.as_str(), first.line.line), ("a", "prompts/a.md", 2));
}

#[test]
fn what_waits_on_one_side_alone_is_open_and_shown_with_all_that_it_is_made_of() {
    let files = |part: &'static str| [("prompts/b.md", part)];
    let of = |more: &str, part| {
        let a = text("a", &format!("{{% include 'b.md' %}}{more}"));
        project(&[a, text("z", "last")].concat(), &files(part))
    };
    let profile = format!("{PROFILE}[limits]\nstatic_variants = 9\n");
    let mut head = of("{% if is_git %} Git.{% endif %}", "two");
    head.insert("profiles/main.toml", profile.as_str());
    let mut base = of("", "one");
    base.insert("profiles/main.toml", profile.as_str());
    let one = change(&base, &head).3;
    let labels: Vec<&str> = one.sections[0].texts.iter().map(|t| t.label.as_str()).collect();
    assert_eq!(labels, ["", "b.md"]);
    assert!(one.prefix.unwrap().open, "also with a section behind it that does not wait");
}

#[test]
fn what_stands_between_blocks_is_in_none_of_them() {
    let sections = [text("rules", "rules"), section("place", "dynamic", "text = \"in {{ cwd }}\"")].concat();
    let of = |separator: &str| project(&format!("[layout]\nseparator = \"{separator}\"\n{sections}"), &[]);
    let (class, causes, ..) = change(&of("\\n\\n"), &of("\\n"));
    assert_eq!((class, causes), (Class::Meta, vec![]));
}

#[test]
fn a_block_that_one_side_does_not_share_is_not_shortened() {
    let rules = text("rules", "rules");
    let team = section("team", "dynamic", "text = \"of {{ team }}\"");
    let place = section("place", "dynamic", "text = \"in {{ cwd }}\"");
    let (before, after) = ([&*rules, &*team].concat(), [&*rules, &*team, &*place].concat());
    let shared = PROFILE.replace("[chain]", "shared_scope = true\n[chain]");
    let head = project(&after, &[("profiles/main.toml", &shared)]);
    assert_eq!(change(&project(&before, &[]), &head).1, Vec::<String>::new());
    assert_eq!(change(&project(&before, &[]), &project(&after, &[])).1, ["block-shortened place"]);
}

#[test]
fn costs_are_tokens_times_the_rates_of_the_target() {
    // Prices are of a million tokens; nothing is too short to be cached.
    let facts = "[[provider]]\nid = \"p\"\nmax_marks = 0\nmin_tokens = 1\n\n[[model]]\nmatch = \"m\"\nprovider = \"p\"\n\
                 prices = { currency = \"EUR\", input = 10.0, cached = 1.0, write = 12.5 }\n\
                 as_of = \"2026-01-01\"\nsource = \"a list\"\ntokenizer = \"o200k_base\"\n";
    let profile = |day: &str| {
        format!(
            "[target]\nprovider = \"p\"\nmodel = \"m\"\n[chain]\ndefault = {{ prompt = \"main\" }}\n\
             [traffic]\nturns_per_session = 4\n{day}"
        )
    };
    let of = |sections: &str, day: &str| {
        project(sections, &[("promptc.toml", facts), ("profiles/main.toml", &profile(day))])
    };
    let (short, long) = (text("a", "one two"), text("a", "one two three four"));
    let one = change(&of(&short, "sessions_per_day = 1000\n"), &of(&long, "sessions_per_day = 1000\n")).3;
    let (prefix, cost) = (one.prefix.unwrap(), one.cost.unwrap());
    assert_eq!((prefix.tokens_before, prefix.tokens_after, prefix.kept, prefix.rewritten), (2, 4, 2, 2));
    // Two tokens of a thousand sessions are written and not read: 2 * 1000 * (12.5 - 1) / 1e6.
    assert_eq!((cost.once, cost.sessions, cost.currency.as_str()), (0.023, 1000, "EUR"));
    // A session reads two tokens more in each of four turns: 2 * 4 * 1 / 1e6; one session of a thousand writes them.
    assert_eq!((cost.per_1000_sessions, cost.per_day), (0.008_023, Some(0.008_023)));
    // Behind the boundary two tokens more are written once by a session and read three times.
    let behind =
        |words: &str| of(&[short.clone(), section("s", "dynamic", &format!("text = \"{words}\""))].concat(), "");
    let cost = change(&behind("one two"), &behind("one two three four")).3.cost.unwrap();
    assert_eq!((cost.once, cost.per_day, cost.turns), (0.0, None, 4));
    assert_eq!(cost.per_1000_sessions, 0.008);
}

#[test]
fn a_condition_that_is_another_one_is_shown_where_it_stands() {
    let rules = text("rules", "rules");
    let of = |when: &str| {
        let place = section("place", "dynamic", &format!("text = \"in {{{{ cwd }}}}\"\nwhen = \"{when}\""));
        project(&[rules.clone(), place].concat(), &[])
    };
    let head = of("is_git and cwd != ''");
    let line = change(&of("is_git"), &head).3.sections.pop().unwrap().line;
    let text = String::from_utf8(crate::host::Host::read(&head, "prompts/main.toml", u64::MAX).unwrap()).unwrap();
    let want = text.lines().position(|line| line.starts_with("when")).unwrap() + 1;
    assert_eq!((line.path.as_str(), line.line as usize), ("prompts/main.toml", want));
}

#[test]
fn what_the_layout_does_not_do_to_a_layer_is_no_change_of_it() {
    let profile = PROFILE.replace("[chain]", "[chain]\nappend = [{ input = \"cwd\" }]");
    let of = |collapse: bool| {
        let manifest = format!("[layout]\ncollapse_blank_lines = {collapse}\n{}", text("rules", "rules"));
        project(&manifest, &[("profiles/main.toml", &profile)])
    };
    let (class, _, edits, _) = change(&of(false), &of(true));
    assert_eq!((class, edits), (Class::Meta, vec![]));
}
