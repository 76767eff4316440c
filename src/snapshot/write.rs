//! From a snapshot to files: one a profile, and one a section for its texts.

use std::collections::{BTreeMap, BTreeSet};

use super::state::{Block, Entry, Held, HeldText, Matrix, Snapshot, TextKey};
use crate::json;

/// Stands in every file.
pub(super) const FORMAT: &str = "promptc.snapshot/1";

/// The folder of the texts.
pub(super) const TEXTS: &str = "texts";

/// What begins the line before a text.
pub(super) const MARK: &str = "== ";

/// Files by path from the folder of snapshots.
pub type Files = BTreeMap<String, String>;

/// The files of a snapshot, and the texts that it names and does not have.
pub(super) fn files(snapshot: &Snapshot) -> (Files, Vec<TextKey>) {
    let mut files = Files::new();
    let mut lost = Vec::new();
    for (profile, matrix) in &snapshot.profiles {
        files.insert(matrix_path(profile), matrix_text(profile, matrix));
    }
    for (section, keys) in snapshot.used() {
        let mut out = format!("# {FORMAT}: the texts of `{section}`\n");
        for key in keys {
            match snapshot.texts.get(&key) {
                Some(text) => out.push_str(&format!("\n{MARK}{}, {} bytes\n{text}\n", key.digest, text.len())),
                None => lost.push(key),
            }
        }
        files.insert(text_path(section), out);
    }
    (files, lost)
}

/// The file of a profile.
pub(super) fn matrix_path(profile: &str) -> String {
    format!("{}.toml", plain(profile))
}

/// The file of a section's texts.
pub(super) fn text_path(section: &str) -> String {
    format!("{TEXTS}/{}.txt", plain(section))
}

/// A name as a path: letters that a path cannot have are written as `%XX`.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('/') {
        if !out.is_empty() {
            out.push('/');
        }
        for (n, c) in part.chars().enumerate() {
            match c.is_alphanumeric() || matches!(c, '-' | '_' | '=' | ',' | '+' | ' ') || (c == '.' && n > 0) {
                true => out.push(c),
                false => c.to_string().bytes().for_each(|b| out.push_str(&format!("%{b:02X}"))),
            }
        }
    }
    out
}

fn matrix_text(profile: &str, matrix: &Matrix) -> String {
    let mut out = format!(
        "# Written by `promptc snapshot accept`: to be reviewed, not to be edited. The texts are in {TEXTS}/, by section.\n\
         format    = \"{FORMAT}\"\nprofile   = {}\ntarget    = {}\ntokenizer = {}\nexact     = {}\n",
        quoted(profile),
        quoted(&matrix.target),
        quoted(&matrix.tokenizer),
        matrix.exact
    );
    if let Some((taken, of)) = matrix.pairwise {
        out.push_str(&format!(
            "\n# Not all combinations: each two values of different axes, fixtures among them, meet in at least one.\n\
             pairwise = {{ taken = {taken}, of = {of} }}\n"
        ));
    }
    let mut written: BTreeSet<&str> = BTreeSet::new();
    for block in matrix.entries.iter().flat_map(|e| &e.blocks).map(|p| &*p.block) {
        if written.insert(&block.name) {
            out.push_str(&block_text(block));
        }
    }
    matrix.entries.iter().for_each(|entry| out.push_str(&entry_text(entry)));
    out
}

fn block_text(block: &Block) -> String {
    let mut out = format!("\n[[block]]\nname     = {}\n", quoted(&block.name));
    if let (Some(tokens), Some(bytes)) = (block.tokens, block.bytes) {
        out.push_str(&format!("tokens   = {tokens}\nbytes    = {bytes}\n"));
    }
    out.push_str("sections = [\n");
    for section in &block.sections {
        out.push_str(&format!("  {},\n", quoted(&held(section))));
    }
    out.push_str("]\n");
    out
}

/// A section of a block as one word for its text and its name.
pub(super) fn held(held: &Held) -> String {
    match &held.text {
        HeldText::Known(digest) => format!("{digest} {}", held.section),
        HeldText::Template(digest) => format!("template-{digest} {}", held.section),
        HeldText::Open => format!("open {}", held.section),
    }
}

fn entry_text(entry: &Entry) -> String {
    let mut out = "\n[[combination]]\n".to_owned();
    if !entry.combination.cell.is_empty() {
        out.push_str(&format!("cell     = {}\n", quoted(&entry.combination.cell)));
    }
    if let Some(fixture) = &entry.combination.fixture {
        out.push_str(&format!("fixture  = {}\n", quoted(fixture)));
    }
    out.push_str(&format!("winner   = {}\nstrategy = {}\n", quoted(&entry.winner), quoted(&entry.strategy)));
    out.push_str("blocks   = [\n");
    for placement in &entry.blocks {
        out.push_str(&format!("  {{ block = {}", quoted(&placement.block.name)));
        let words = [("scope", &placement.scope), ("mark", &placement.mark), ("prefix", &placement.prefix)];
        for (key, word) in words {
            if let Some(word) = word {
                out.push_str(&format!(", {key} = {}", quoted(word)));
            }
        }
        out.push_str(" },\n");
    }
    out.push_str("]\n");
    out
}

/// A TOML string. JSON's escapes are TOML's, but for one character.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::write_string(&mut out, text);
    out.replace('\u{7f}', "\\u007f")
}
