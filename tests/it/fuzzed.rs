//! What fuzzing keeps: every input of `fuzz/corpus` goes through its target once more.

use std::fs;

use crate::support::root;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

type Target = fn(&[u8]);

#[test]
fn what_fuzzing_found_stays_mended() {
    let all: [(&str, Target); 9] = [
        ("context", targets::context),
        ("diff", targets::diff),
        ("expression", targets::expression),
        ("front_matter", targets::front_matter),
        ("import", targets::import),
        ("manifest", targets::manifest),
        ("profile", targets::profile),
        ("snapshot", targets::snapshot),
        ("template", targets::template),
    ];
    let corpus = root().join("fuzz/corpus");
    let mut folders: Vec<String> =
        fs::read_dir(&corpus).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    assert_eq!(folders, all.map(|(name, _)| name.to_owned()), "a folder for each target");
    for (name, target) in all {
        let mut inputs = 0;
        for entry in fs::read_dir(corpus.join(name)).unwrap() {
            target(&fs::read(entry.unwrap().path()).unwrap());
            inputs += 1;
        }
        assert!(inputs > 0, "{name}");
    }
}
