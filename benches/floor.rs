//! The least that a build must do, without a compiler around it: read, hash, render, count, write. promptc is measured
//! beside it, on the projects of `project.rs`, so that a number says something on every machine.
//!
//!     cargo run --release --example floor -- DIR [--threads N]
//!
//! Knows nothing but what those projects use: no places in files, no check, no lifetime, no layers, no second look at
//! anything. What is written is told in the shape of blocks.json, and is not made to survive a power cut.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "reads and writes files as fast as it can")]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Parser;
use minijinja::{Environment, UndefinedBehavior};
use promptc::tokens::Encoding;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Parser)]
#[command(version, about = "The least that a build must do")]
struct Args {
    /// The project
    folder: PathBuf,
    /// Threads that profiles are built on
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(rename = "inputs")]
    _inputs: BTreeMap<String, Input>,
    section: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    #[serde(rename = "type")]
    _type: String,
    #[serde(rename = "lifetime")]
    _lifetime: String,
    #[serde(rename = "sort_by")]
    _sort_by: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    id: String,
    #[serde(rename = "zone")]
    _zone: String,
    body: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    target: Target,
    values: BTreeMap<String, toml::Value>,
    chain: BTreeMap<String, Link>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    provider: String,
    model: String,
    shared_scope: bool,
}

#[derive(Deserialize)]
struct Link {
    prompt: String,
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    profile: &'a str,
    target: &'a Target,
    blocks: [Block<'a>; 1],
}

#[derive(Serialize)]
struct Block<'a> {
    text: &'a str,
    bytes: usize,
    tokens: u64,
    digest: &'a str,
    sections: Vec<Placed<'a>>,
}

#[derive(Serialize)]
struct Placed<'a> {
    id: &'a str,
    source: &'a str,
    start: usize,
    end: usize,
    tokens: u64,
    digest: String,
}

type Anyhow<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Everything that is read, once.
struct Project<'a> {
    folder: &'a Path,
    manifests: HashMap<String, Manifest>,
    env: Environment<'static>,
    /// Tokens by digest.
    counts: Mutex<HashMap<[u8; 32], u64>>,
}

fn main() -> Anyhow<()> {
    let args = Args::parse();
    let mut project =
        Project { folder: &args.folder, manifests: HashMap::new(), env: Environment::new(), counts: Mutex::default() };
    project.env.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut profiles = Vec::new();
    for entry in fs::read_dir(args.folder.join("profiles"))? {
        let path = entry?.path();
        let profile: Profile = toml::from_str(&fs::read_to_string(&path)?)?;
        project.load(&profile.chain["default"].prompt)?;
        profiles.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), profile));
    }
    profiles.sort_by(|a, b| a.0.cmp(&b.0));
    if args.threads == 1 {
        return profiles.iter().try_for_each(|(name, profile)| project.build(name, profile));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| profiles.par_iter().try_for_each(|(name, profile)| project.build(name, profile)))
}

impl Project<'_> {
    fn load(&mut self, prompt: &str) -> Anyhow<()> {
        if self.manifests.contains_key(prompt) {
            return Ok(());
        }
        let prompts = self.folder.join("prompts");
        let manifest: Manifest = toml::from_str(&fs::read_to_string(prompts.join(format!("{prompt}.toml")))?)?;
        for section in &manifest.section {
            if self.env.get_template(&section.body).is_err() {
                let text = fs::read_to_string(prompts.join(&section.body))?;
                self.env.add_template_owned(section.body.clone(), text)?;
            }
        }
        self.manifests.insert(prompt.to_owned(), manifest);
        Ok(())
    }

    fn build(&self, name: &str, profile: &Profile) -> Anyhow<()> {
        let manifest = &self.manifests[&profile.chain["default"].prompt];
        let values = minijinja::Value::from(minijinja::value::Serde(&profile.values));
        let mut text = String::new();
        let mut sections = Vec::with_capacity(manifest.section.len());
        let mut tokens = 0;
        for section in &manifest.section {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            let start = text.len();
            let rendered = self.env.get_template(&section.body)?.render(&values)?;
            text.push_str(rendered.trim());
            let own = &text[start..];
            let digest = blake3::hash(own.as_bytes());
            let counted = self.count(digest.as_bytes(), own);
            tokens += counted;
            let (id, source, digest) = (section.id.as_str(), section.body.as_str(), digest.to_hex().to_string());
            sections.push(Placed { id, source, start, end: text.len(), tokens: counted, digest });
        }
        let digest = blake3::hash(text.as_bytes()).to_hex();
        let block = Block { text: &text, bytes: text.len(), tokens, digest: &digest, sections };
        let document = Document { format: "floor", profile: name, target: &profile.target, blocks: [block] };
        let folder = self.folder.join("floor").join(name);
        fs::create_dir_all(&folder)?;
        Ok(fs::write(folder.join("blocks.json"), serde_json::to_vec_pretty(&document)?)?)
    }

    fn count(&self, digest: &[u8; 32], text: &str) -> u64 {
        let counts = || self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = counts().get(digest) {
            return *known;
        }
        let tokens = Encoding::O200kBase.count(text);
        counts().insert(*digest, tokens);
        tokens
    }
}
