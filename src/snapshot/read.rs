//! From files to a snapshot, as far as they can be read.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::state::{Block, Combination, Entry, Held, HeldText, Matrix, Placement, Snapshot, TextKey, is_short, short};
use super::write::{FORMAT, Files, MARK, TEXTS, matrix_path};
use crate::digest;
use crate::host::{Error, Host, ReadError};
use crate::limits::Limit;
use crate::source::clean_newlines;

/// What stands in the folder of snapshots.
#[derive(Debug, Default)]
pub struct Stored {
    /// Files of ours, with LF line ends whatever a checkout made of them; none for one that is no text.
    pub(super) files: BTreeMap<String, Option<String>>,
    /// Files that are not ours, by path.
    pub foreign: Vec<String>,
    /// What could be read of them.
    pub(super) snapshot: Snapshot,
    /// Profiles whose file says nothing that can be used.
    pub(super) broken: Vec<String>,
}

#[derive(Deserialize)]
struct MatrixFile {
    format: String,
    profile: String,
    target: String,
    tokenizer: String,
    exact: bool,
    pairwise: Option<Pairwise>,
    #[serde(default)]
    block: Vec<BlockShape>,
    #[serde(default)]
    combination: Vec<CombinationShape>,
}

#[derive(Deserialize)]
struct Pairwise {
    taken: u64,
    of: u64,
}

#[derive(Deserialize)]
struct BlockShape {
    name: String,
    tokens: Option<u64>,
    bytes: Option<u64>,
    sections: Vec<String>,
}

#[derive(Deserialize)]
struct CombinationShape {
    #[serde(default)]
    cell: String,
    fixture: Option<String>,
    winner: String,
    strategy: String,
    blocks: Vec<PlacementShape>,
}

#[derive(Deserialize)]
struct PlacementShape {
    block: String,
    scope: Option<String>,
    mark: Option<String>,
    prefix: Option<String>,
}

impl Stored {
    /// The paths of our files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The profiles that there are snapshots of.
    pub fn profiles(&self) -> impl Iterator<Item = &String> {
        self.snapshot.profiles.keys()
    }

    /// The fixtures that profiles have snapshots of.
    pub fn fixtures(&self, is_meant: &dyn Fn(&str) -> bool) -> Vec<&str> {
        let profiles = self.snapshot.profiles.iter().filter(|(name, _)| is_meant(name));
        let entries = profiles.flat_map(|(_, matrix)| &matrix.entries);
        entries.filter_map(|e| e.combination.fixture.as_deref()).collect()
    }
}

/// Reads the folder of snapshots. `expected` are the files that there should be: one of them is ours whatever it says.
///
/// # Errors
/// The folder or a file of it cannot be read.
pub fn read(host: &dyn Host, folder: &str, expected: &Files) -> Result<Stored, Error> {
    let mut stored = Stored::default();
    let most = host.limits().file_bytes;
    for full in host.list(folder, host.limits().files.value)? {
        let path = full.strip_prefix(folder).and_then(|p| p.strip_prefix('/')).unwrap_or(&full).to_owned();
        let in_texts = path.strip_prefix(TEXTS).is_some_and(|rest| rest.starts_with('/'));
        if !(path.ends_with(".toml") || in_texts && path.ends_with(".txt")) {
            stored.foreign.push(path);
            continue;
        }
        let bytes = host.read(&full, most.value as u64).map_err(|why| unreadable(&full, &why, most))?;
        let text = String::from_utf8(bytes).ok();
        let text = text.map(|t| clean_newlines(t.strip_prefix('\u{feff}').unwrap_or(&t)).into_owned());
        let is_ours = text.as_ref().is_some_and(|t| t.lines().take(5).any(|line| line.contains(FORMAT)));
        if !is_ours && !in_texts && !expected.contains_key(&path) {
            stored.foreign.push(path);
            continue;
        }
        if let Some(text) = &text {
            match in_texts {
                true => stored.snapshot.texts.extend(texts(&path, text)),
                false => match matrix(text) {
                    Some((profile, matrix)) if matrix_path(&profile) == path => {
                        stored.snapshot.profiles.insert(profile, matrix);
                    }
                    _ => stored.broken.push(path.clone()),
                },
            }
        }
        stored.files.insert(path, text);
    }
    Ok(stored)
}

/// The texts of a file, up to the first that is not what its line says. A text that is not of its digest is none.
fn texts(path: &str, text: &str) -> Vec<(TextKey, Arc<str>)> {
    let mut found = Vec::new();
    let Some((head, mut rest)) = text.split_once('\n') else { return found };
    let section = head.split('`').nth(1).unwrap_or_default();
    if super::write::text_path(section) != path {
        return found;
    }
    while let Some(inner) = rest.strip_prefix('\n').and_then(|r| r.strip_prefix(MARK)) {
        let Some((line, after)) = inner.split_once('\n') else { break };
        let words =
            line.split_once(", ").and_then(|(d, n)| Some((d, n.strip_suffix(" bytes")?.parse::<usize>().ok()?)));
        let Some((digest, bytes)) = words else { break };
        let Some(own) = after.get(..bytes) else { break };
        let Some(next) = after[bytes..].strip_prefix('\n') else { break };
        if short(&digest::text(own)) == digest {
            found.push((TextKey { section: section.to_owned(), digest: digest.to_owned() }, own.into()));
        }
        rest = next;
    }
    found
}

fn matrix(text: &str) -> Option<(String, Matrix)> {
    let file: MatrixFile = toml::from_str(text).ok()?;
    if file.format != FORMAT {
        return None;
    }
    let mut blocks: BTreeMap<String, Arc<Block>> = BTreeMap::new();
    for block in file.block {
        let sections = block.sections.iter().map(|word| held(word)).collect::<Option<Vec<Held>>>()?;
        let BlockShape { name, tokens, bytes, .. } = block;
        blocks.insert(name.clone(), Arc::new(Block { name, tokens, bytes, sections }));
    }
    let mut entries = Vec::new();
    for combination in file.combination {
        let placement = |p: PlacementShape| {
            let block = blocks.get(&p.block)?.clone();
            Some(Placement { block, scope: p.scope, mark: p.mark, prefix: p.prefix })
        };
        entries.push(Entry {
            combination: Combination { cell: combination.cell, fixture: combination.fixture },
            winner: combination.winner,
            strategy: combination.strategy,
            blocks: combination.blocks.into_iter().map(placement).collect::<Option<Vec<Placement>>>()?,
        });
    }
    let matrix = Matrix {
        target: file.target,
        tokenizer: file.tokenizer,
        exact: file.exact,
        pairwise: file.pairwise.map(|p| (p.taken, p.of)),
        entries,
    };
    Some((file.profile, matrix))
}

fn held(word: &str) -> Option<Held> {
    let (text, section) = word.split_once(' ')?;
    let text = match text.strip_prefix("template-") {
        Some(digest) if is_short(digest) => HeldText::Template(digest.to_owned()),
        None if text == "open" => HeldText::Open,
        None if is_short(text) => HeldText::Known(text.to_owned()),
        _ => return None,
    };
    Some(Held { section: section.to_owned(), text })
}

fn unreadable(path: &str, why: &ReadError, most: Limit) -> Error {
    let why = match why {
        ReadError::Missing => "it has gone".to_owned(),
        ReadError::NotAFile => "it is not a file".to_owned(),
        ReadError::OutsideRoot => "it is a link that leads out of the project".to_owned(),
        ReadError::TooLarge { .. } => format!("it has more than {}", most.amount()),
        ReadError::Failed(reason) => reason.clone(),
    };
    Error::new(format!("cannot read the snapshot `{path}`: {why}"))
        .help("remove it, and write it anew: `promptc snapshot accept`")
}
