//! Tests of reading, writing and accepting in part, on snapshots that are made by hand.

use std::sync::Arc;

use super::*;
use crate::digest;
use crate::host::memory::Memory;

/// A snapshot of the profile `p`: each artifact with the texts of its sections, all in one block.
fn snapshot(artifacts: &[(&str, &[(&str, &str)])]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    let mut entries = Vec::new();
    for (fixture, sections) in artifacts {
        let mut held = Vec::new();
        for (section, text) in *sections {
            let key = TextKey { section: (*section).to_owned(), digest: digest::text(text)[..16].to_owned() };
            held.push(Held { section: key.section.clone(), text: HeldText::Known(key.digest.clone()) });
            snapshot.texts.insert(key, (*text).into());
        }
        let joined: Vec<&str> = sections.iter().map(|(_, text)| *text).collect();
        let joined = joined.join("\n\n");
        let name = format!("static-{}", &digest::text(&joined)[..16]);
        let block = Block { name, tokens: Some(joined.len() as u64), bytes: Some(joined.len() as u64), sections: held };
        entries.push(Entry {
            combination: Combination { cell: String::new(), fixture: Some((*fixture).to_owned()) },
            winner: "default".to_owned(),
            strategy: "boundary".to_owned(),
            blocks: vec![Placement { block: Arc::new(block), scope: Some("org".to_owned()), mark: None, prefix: None }],
        });
    }
    let matrix = Matrix { target: "x y".to_owned(), tokenizer: "t".to_owned(), entries, ..Matrix::default() };
    snapshot.profiles.insert("p".to_owned(), matrix);
    snapshot
}

fn stored(files: &Files) -> Stored {
    let host = Memory::from_iter(files.iter().map(|(path, text)| (format!("s/{path}"), text.clone())));
    read(&host, "s", files).unwrap()
}

/// What is stored after these units are accepted, by fixture: the texts of its sections.
fn accept(was: &Files, is: &Snapshot, accepted: &[Unit]) -> BTreeMap<String, Vec<String>> {
    let (stored_now, unknown) = (stored(was), BTreeSet::new());
    let review = Review { folder: "s", stored: &stored_now, compiled: is, unknown: &unknown };
    let all = review.accept(&|_, _| true).unwrap().findings;
    let files = review.accept_units(&all, &accepted.iter().cloned().collect(), &|_, _| true).unwrap().files;
    let again = stored(&files).snapshot;
    let text = |(section, digest): (&str, &str)| {
        again.texts[&TextKey { section: section.to_owned(), digest: digest.to_owned() }].to_string()
    };
    let entries = &again.profiles["p"].entries;
    let of = |e: &Entry| e.combination.fixture.clone().unwrap();
    entries.iter().map(|e| (of(e), e.blocks.iter().flat_map(|p| p.block.texts()).map(text).collect())).collect()
}

fn section(name: &str) -> Unit {
    Unit::Section(name.to_owned())
}

#[test]
fn files_are_read_as_they_are_written() {
    let hostile = "\n== 0123456789abcdef, 1 bytes\nx\n\n# promptc.snapshot/1: the texts of `b`\n\u{7f}\u{0}\"\\";
    let mut wanted =
        snapshot(&[("one", &[("a/x", "1"), ("a/y", "")]), ("two", &[("a/x", hostile), ("工/é\u{7f}\"", "2")])]);
    wanted.profiles.get_mut("p").unwrap().pairwise = Some((2, 9));
    let files = files(&wanted);
    assert_eq!(files.keys().collect::<Vec<_>>(), ["p.toml", "texts/a/x.txt", "texts/a/y.txt", "texts/工/é%7F%22.txt"]);
    let found = stored(&files);
    assert_eq!(found.snapshot, wanted);
    assert_eq!((found.foreign.len(), found.broken.len()), (0, 0));
}

#[test]
fn an_artifact_is_accepted_when_all_that_changed_in_it_is() {
    let was =
        files(&snapshot(&[("one", &[("x", "x1"), ("y", "y1")]), ("two", &[("x", "x1")]), ("three", &[("y", "y1")])]));
    let is = snapshot(&[("one", &[("x", "x2"), ("y", "y2")]), ("two", &[("x", "x2")]), ("three", &[("y", "y2")])]);
    let texts = |accepted: &[Unit]| {
        let found = accept(&was, &is, accepted);
        ["one", "two", "three"].map(|fixture| found[fixture].join(" "))
    };
    assert_eq!(texts(&[]), ["x1 y1", "x1", "y1"]);
    assert_eq!(texts(&[section("x")]), ["x1 y1", "x2", "y1"]);
    assert_eq!(texts(&[section("x"), section("y")]), ["x2 y2", "x2", "y2"]);
    assert_eq!(texts(&[Unit::Profile("p".to_owned())]), ["x1 y1", "x1", "y1"], "what follows is not asked for");
}

#[test]
fn what_follows_from_texts_is_no_step_of_its_own() {
    let was = files(&snapshot(&[("one", &[("x", "x1")]), ("two", &[("y", "y1")])]));
    let mut is = snapshot(&[("one", &[("x", "x2")]), ("two", &[("y", "y1")])]);
    let steps = |is: &Snapshot| {
        let (stored, unknown) = (stored(&was), BTreeSet::new());
        let review = Review { folder: "s", stored: &stored, compiled: is, unknown: &unknown };
        let all = review.accept(&|_, _| true).unwrap().findings;
        (all.len(), review.steps(&all).into_iter().map(|f| f.about).collect::<Vec<Unit>>())
    };
    assert_eq!(steps(&is), (2, vec![section("x")]));
    is.profiles.get_mut("p").unwrap().entries[1].strategy = "tools".to_owned();
    assert_eq!(steps(&is), (2, vec![section("x"), Unit::Profile("p".to_owned())]));
}

#[test]
fn a_file_that_nobody_is_behind_is_decided_by_itself() {
    let compiled = snapshot(&[("one", &[("x", "x1")]), ("two", &[("x", "x2"), ("y", "y1")])]);
    let mut was = files(&compiled);
    was.insert("texts/old.txt".to_owned(), "left over\n".to_owned());
    *was.get_mut("texts/y.txt").unwrap() = "edited".to_owned();
    let (stored, unknown) = (stored(&was), BTreeSet::new());
    let review = Review { folder: "s", stored: &stored, compiled: &compiled, unknown: &unknown };
    let all = review.accept(&|_, _| true).unwrap().findings;
    let old = Unit::File("texts/old.txt".to_owned());
    assert_eq!(review.steps(&all).into_iter().map(|f| f.about).collect::<Vec<_>>(), [section("y"), old.clone()]);
    let accept = |units: &[Unit]| review.accept_units(&all, &units.iter().cloned().collect(), &|_, _| true).unwrap();
    assert_eq!(accept(&[]).files, was);
    assert!(accept(&[]).findings.is_empty());
    let one = accept(&[old]);
    assert_eq!(one.findings.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["texts/old.txt"]);
    assert_eq!(one.files["texts/y.txt"], "edited");
    assert_eq!(accept(&[section("y")]).files["texts/y.txt"], files(&compiled)["texts/y.txt"]);
}
