//! Counting with a `tokenizer.json`, by a program with and without the feature `tokenizers`.

use promptc::tokens::FileTokenizer;

use crate::support::{PROFILE, Project};

/// A tokenizer of bytes as letters, with two merges: `ab`, `abc`; and a special token.
const FILE: &str = r#"{
    "version": "1.0",
    "truncation": { "direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0 },
    "padding": null,
    "added_tokens": [
        { "id": 5, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true }
    ],
    "normalizer": null,
    "pre_tokenizer": null,
    "post_processor": null,
    "decoder": null,
    "model": {
        "type": "BPE", "dropout": null, "unk_token": "?", "continuing_subword_prefix": null, "end_of_word_suffix": null,
        "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
        "vocab": { "?": 0, "a": 1, "b": 2, "c": 3, "ab": 4, "<s>": 5, "abc": 6, "<": 7, "s": 8, ">": 9 },
        "merges": [["a", "b"], ["ab", "c"]]
    }
}"#;

fn project(text: &str) -> Project {
    Project::of(&format!("[[section]]\nid = \"a\"\nzone = \"static\"\ntext = \"{text}\"\n"))
        .file("profiles/main.toml", PROFILE.replace("[chain]", "tokenizer = \"tokenizers/own.json\"\n\n[chain]"))
        .file("tokenizers/own.json", FILE)
}

#[test]
fn a_program_without_the_feature_says_what_it_lacks() {
    if FileTokenizer::AVAILABLE {
        return;
    }
    let run = project("abc").run(&["build", "main"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("cargo build --release --features tokenizers"), "{}", run.stderr);
}

#[test]
#[cfg(feature = "tokenizers")]
fn a_file_counts_exactly_and_special_tokens_are_text() {
    // `abc` `ab` `a` `c`, and `<` `s` `>`; the file's own truncation to two is not obeyed.
    let blocks = project("abcabac<s>").blocks(&[]);
    assert_eq!(blocks["blocks"][0]["tokens"], 7, "{blocks}");
    let tokenizer = &blocks["target"]["tokenizer"];
    assert_eq!((&tokenizer["name"], &tokenizer["exact"]), (&"tokenizers/own.json".into(), &true.into()), "{blocks}");
}

#[test]
#[cfg(feature = "tokenizers")]
fn a_declared_file_may_be_an_estimate() {
    let declared = "[[tokenizer]]\nid = \"near\"\nfile = \"tokenizers/own.json\"\nfactor = 2.0\nband = 0.1\n";
    let project = project("abcab").file("promptc.toml", declared);
    let project = project.file("profiles/main.toml", PROFILE.replace("[chain]", "tokenizer = \"near\"\n\n[chain]"));
    let blocks = project.blocks(&[]);
    assert_eq!(blocks["blocks"][0]["tokens"], 4, "{blocks}");
    assert_eq!(blocks["target"]["tokenizer"]["exact"], false, "{blocks}");
}

#[test]
#[cfg(feature = "tokenizers")]
fn a_file_that_is_not_there_is_told_where_it_is_named() {
    let project =
        project("a").file("profiles/main.toml", PROFILE.replace("[chain]", "tokenizer = \"no.json\"\n\n[chain]"));
    let run = project.run(&["build", "main"]);
    assert!(run.code == 1 && run.stderr.contains("there is no file `no.json`"), "{}", run.stderr);
}

#[test]
#[cfg(feature = "tokenizers")]
fn a_model_may_name_a_file() {
    let declared = "[[model]]\nmatch = \"claude-opus-5.5\"\ntokenizer = \"tokenizers/own.json\"\n";
    let project = project("abc").file("profiles/main.toml", PROFILE).file("promptc.toml", declared);
    let blocks = project.blocks(&[]);
    assert_eq!(blocks["target"]["tokenizer"]["name"], "tokenizers/own.json", "{blocks}");
    assert_eq!(blocks["blocks"][0]["tokens"], 1, "{blocks}");
}

#[test]
#[cfg(feature = "tokenizers")]
fn a_file_that_fails_on_words_that_it_does_not_know_is_refused() {
    let words = r#"{ "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": { "type": "Whitespace" }, "post_processor": null, "decoder": null,
        "model": { "type": "WordLevel", "vocab": { "abc": 0 }, "unk_token": "?" } }"#;
    let run = project("abc").file("tokenizers/own.json", words).run(&["build", "main"]);
    assert!(run.code == 1 && run.stderr.contains("is no tokenizer file"), "{}", run.stderr);
}
