//! Revisions of real prompts, one after the other: the first byte that differs is that of the texts themselves.

use std::fs;

use serde_json::Value;

use super::repo::{Repo, profile};
use crate::shared;

const MANIFEST: &str =
    "[[section]]\nid = \"text\"\nzone = \"static\"\nverbatim = true\ntrim = \"none\"\nbody = \"text.md\"\n";
const PROFILE: &str =
    "[target]\nprovider = \"openai\"\nmodel = \"gpt-5.5\"\n[chain]\ndefault = { prompt = \"main\" }\n";

#[test]
fn every_step_differs_where_the_texts_do() {
    let Some(folder) = shared::shared("acceptance/history") else { return };
    let mut steps = 0;
    for series in fs::read_dir(&folder).unwrap() {
        let series = series.unwrap().path();
        let index: Value = serde_json::from_str(&fs::read_to_string(series.join("index.json")).unwrap()).unwrap();
        let repo = Repo::new();
        repo.write("prompts/main.toml", MANIFEST);
        repo.write("profiles/main.toml", PROFILE);
        for (n, revision) in index["revisions"].as_array().unwrap().iter().enumerate() {
            let text = fs::read(folder.join(revision["file"].as_str().unwrap())).unwrap();
            repo.write("prompts/text.md", &text);
            repo.commit("a revision");
            let Some(step) = revision.get("from_previous").filter(|_| n > 0) else { continue };
            let found = repo.json(&["HEAD~1", "HEAD"]);
            let prefix = &profile(&found, "main")["prefix"];
            assert_eq!(prefix["first_change"]["byte"], step["common_prefix_bytes"], "{}", revision["file"]);
            let byte = step["common_prefix_bytes"].as_u64().unwrap() as usize;
            let line = text[..byte].iter().filter(|b| **b == b'\n').count() + 1;
            assert_eq!(prefix["first_change"]["line"], line, "{}", revision["file"]);
            assert_eq!(found["class"], "rewrite");
            steps += 1;
        }
    }
    assert!(steps > 20, "{steps}");
}

/// The same with what `import` makes of each revision: sections, inputs, and their order.
#[test]
fn every_step_of_imported_revisions_differs_where_the_texts_do() {
    let Some(folder) = shared::shared("acceptance/history") else { return };
    let mut steps = 0;
    for series in fs::read_dir(&folder).unwrap() {
        let index = fs::read_to_string(series.unwrap().path().join("index.json")).unwrap();
        let index: Value = serde_json::from_str(&index).unwrap();
        let repo = Repo::new();
        for (n, revision) in index["revisions"].as_array().unwrap().iter().enumerate() {
            repo.git(&["rm", "-r", "--quiet", "--ignore-unmatch", "."]);
            let text = fs::read(folder.join(revision["file"].as_str().unwrap())).unwrap();
            for (path, text) in promptc::import::import("main.md", None, &text).unwrap().files {
                repo.write(&path, text);
            }
            repo.commit("a revision");
            let Some(step) = revision.get("from_previous").filter(|_| n > 0) else { continue };
            let found = repo.json(&["HEAD~1", "HEAD"]);
            let first = &profile(&found, "main")["prefix"]["first_change"];
            assert_eq!(first["byte"], step["common_prefix_bytes"], "{}", revision["file"]);
            steps += 1;
        }
    }
    assert!(steps > 20, "{steps}");
}
