//! What is known of providers, models and tokenizers: built in, and overridden by the project.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::errors;
use super::{DEFAULT_TTL, Kind};
use crate::diag::Sink;
use crate::limits::Limits;
use crate::manifest::{ModelFact, Prices, Project, ProviderFact, Target, TokenizerFact, Ttl};
use crate::source::{SourceMap, Spanned};
use crate::tokens::{Counter, Encoding, FileTokenizer, Vocabulary};
use crate::workspace::Workspace;

/// The built-in facts, in the form of `promptc.toml`.
const BUILT_IN: &str = include_str!("providers.toml");

/// The tokenizer of a model that nothing is known of.
const UNKNOWN_TOKENIZER: &str = "unknown";

/// All facts; the project's come first.
#[derive(Debug)]
pub struct Facts {
    providers: Vec<ProviderFact>,
    models: Vec<ModelFact>,
    tokenizers: Vec<TokenizerFact>,
    files: BTreeMap<String, File>,
}

/// A tokenizer file, read when it is first counted with.
#[derive(Debug)]
struct File {
    json: Arc<[u8]>,
    read: OnceLock<Result<Arc<FileTokenizer>, String>>,
}

/// What a target can do.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// The provider's id.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Whether all users share what is static.
    pub shared_scope: bool,
    /// Whether an attribution line is no part of what is cached.
    pub strips_attribution: bool,
    /// Most marks in a request.
    pub max_marks: u64,
    /// Marks kept back for messages.
    pub marks_for_messages: u64,
    /// Fewest tokens that are cached.
    pub min_tokens: u64,
    /// Whether tools stand ahead of the system prompt.
    pub tools_first: bool,
    /// Tokens of the context window.
    pub window: Option<u64>,
    /// The field of a mark that takes a scope, where the provider has one.
    pub scope_field: Option<String>,
    /// What tokens cost.
    pub prices: Option<Priced>,
    /// How tokens are counted.
    pub tokenizer: TokenizerUse,
    /// The lifetimes of entries, the default first.
    pub ttls: Vec<String>,
    ttl: Ttl,
}

/// Prices, and since when they are known.
#[derive(Clone, PartialEq, Debug)]
pub struct Priced {
    /// For a million tokens.
    pub prices: Prices,
    /// A date, as the facts have it.
    pub as_of: Option<String>,
}

/// How tokens are counted for a target.
#[derive(Clone, Debug)]
pub struct TokenizerUse {
    /// The tokenizer's id.
    pub name: String,
    /// What is counted with.
    pub vocabulary: Vocabulary,
    /// What its count is multiplied by.
    pub factor: f64,
    /// How far off the result may be, as a share.
    pub band: f64,
}

impl Facts {
    /// The facts for a project.
    pub fn new(project: &Project) -> Facts {
        let mut sources = SourceMap::default();
        let file = sources.add("providers.toml", BUILT_IN.as_bytes()).expect("the built-in facts are UTF-8");
        let built_in = Project::parse(file, BUILT_IN, &Limits::default()).value;
        Facts {
            providers: project.providers.iter().cloned().chain(built_in.providers).collect(),
            models: project.models.iter().cloned().chain(built_in.models).collect(),
            tokenizers: project.tokenizers.iter().cloned().chain(built_in.tokenizers).collect(),
            files: BTreeMap::new(),
        }
    }

    /// The facts for a project, with its tokenizer files.
    pub fn of_workspace(workspace: &Workspace) -> Facts {
        let file = |json: &Arc<[u8]>| File { json: json.clone(), read: OnceLock::new() };
        let files = workspace.tokenizers.iter().map(|(path, json)| (path.clone(), file(json))).collect();
        Facts { files, ..Facts::new(&workspace.project) }
    }

    /// What the target of a profile can do. What is not known of it goes to the sink.
    pub fn of(&self, target: &Target, sink: &mut Sink) -> Option<Capabilities> {
        let id = &target.provider.value;
        let providers: Vec<&ProviderFact> = self.providers.iter().filter(|p| p.id.value == *id).collect();
        if providers.is_empty() {
            sink.push(errors::unknown_provider(&target.provider, self.providers.iter().map(|p| p.id.value.as_str())));
            return None;
        }
        let models = self.models_of(id, &target.model.value);
        let provider_min = first(&providers, |p| p.min_tokens);
        let tokenizer = match (&target.tokenizer, first(&models, |m| m.tokenizer.as_ref())) {
            (Some(named), _) | (None, Some(named)) => self.tokenizer(named, sink),
            (None, None) => self.tokenizer_named(UNKNOWN_TOKENIZER),
        };
        let min_tokens = first(&models, |m| m.min_tokens).or(provider_min).unwrap_or(0);
        if models.is_empty() {
            let counted_by = tokenizer.clone().or_else(|| self.tokenizer_named(UNKNOWN_TOKENIZER))?;
            sink.push(errors::unknown_model(&target.model, id, min_tokens, &counted_by));
        }
        let ttls: Vec<String> = first(&providers, |p| p.ttls.as_ref())
            .map_or_else(Vec::new, |ttls| ttls.iter().map(|t| t.value.clone()).collect());
        check_ttl(&target.ttl, id, &ttls, sink);
        Some(Capabilities {
            provider: id.clone(),
            model: target.model.value.clone(),
            shared_scope: target
                .shared_scope
                .map(|s| s.value)
                .or(first(&providers, |p| p.shared_scope))
                .unwrap_or(false),
            strips_attribution: target
                .strips_attribution
                .or(first(&providers, |p| p.strips_attribution))
                .unwrap_or(false),
            max_marks: first(&models, |m| m.max_marks).or(first(&providers, |p| p.max_marks)).unwrap_or(0),
            marks_for_messages: target.marks_for_messages.map_or(0, |n| n.value),
            min_tokens,
            tools_first: first(&providers, |p| p.tools_first).unwrap_or(false),
            window: first(&models, |m| m.window),
            scope_field: first(&providers, |p| p.scope_field.clone()),
            prices: first(&models, |m| {
                m.prices.as_ref().map(|prices| Priced { prices: prices.clone(), as_of: m.as_of.clone() })
            }),
            tokenizer: tokenizer?,
            ttls,
            ttl: target.ttl.clone(),
        })
    }

    /// What is known of a model by its name alone; nothing for a name that no fact matches.
    pub fn model(&self, name: &str) -> Vec<&ModelFact> {
        self.matching(name, |_| true)
    }

    /// The beginnings of the names of all models that something is known of, sorted.
    pub fn model_names(&self) -> BTreeSet<&str> {
        self.models.iter().map(|m| m.prefix.value.as_str()).collect()
    }

    /// What is known of a provider.
    pub fn provider(&self, id: &str) -> Vec<&ProviderFact> {
        self.providers.iter().filter(|p| p.id.value == id).collect()
    }

    /// What is known of a tokenizer.
    pub fn tokenizer_fact(&self, id: &str) -> Option<&TokenizerFact> {
        self.tokenizers.iter().find(|t| t.id.value == id)
    }

    /// Facts about a model, those of the longest prefix first; among equals the project's.
    fn models_of(&self, provider: &str, model: &str) -> Vec<&ModelFact> {
        self.matching(model, |fact| fact.provider.as_ref().is_none_or(|p| p.value == provider))
    }

    fn matching(&self, model: &str, wanted: impl Fn(&ModelFact) -> bool) -> Vec<&ModelFact> {
        let plain = |name: &str| name.to_lowercase().replace('.', "-");
        let model = plain(model);
        let mut found: Vec<&ModelFact> =
            self.models.iter().filter(|m| wanted(m) && model.starts_with(&plain(&m.prefix.value))).collect();
        found.sort_by_key(|m| std::cmp::Reverse(m.prefix.value.len()));
        // A shorter prefix is another model, not a further fact about this one.
        if let Some(longest) = found.first().map(|m| plain(&m.prefix.value)) {
            found.retain(|m| plain(&m.prefix.value) == longest);
        }
        found
    }

    fn tokenizer(&self, named: &Spanned<String>, sink: &mut Sink) -> Option<TokenizerUse> {
        let (file, factor, band) = match self.tokenizer_fact(&named.value) {
            Some(TokenizerFact { file: Some(file), factor, band, .. }) => (file, *factor, *band),
            // One that is declared over an unknown base was told where it is declared.
            Some(_) => return self.tokenizer_named(&named.value),
            None if named.value.ends_with(".json") => (named, 1.0, 0.0),
            None => {
                let known = self.tokenizers.iter().map(|t| t.id.value.as_str());
                sink.push(errors::unknown_tokenizer(named, known));
                return None;
            }
        };
        let vocabulary = Vocabulary::File(self.tokenizer_file(file, sink)?);
        Some(TokenizerUse { name: named.value.clone(), vocabulary, factor, band })
    }

    fn tokenizer_file(&self, file: &Spanned<String>, sink: &mut Sink) -> Option<Arc<FileTokenizer>> {
        if !FileTokenizer::AVAILABLE {
            sink.push(errors::no_tokenizer_files(file));
            return None;
        }
        // One that could not be read was told when the project was loaded.
        let found = self.files.get(&file.value)?;
        match found.read.get_or_init(|| FileTokenizer::parse(&found.json).map(Arc::new)) {
            Ok(tokenizer) => Some(tokenizer.clone()),
            Err(why) => {
                sink.push(errors::broken_tokenizer(file, why));
                None
            }
        }
    }

    fn tokenizer_named(&self, name: &str) -> Option<TokenizerUse> {
        let fact = self.tokenizer_fact(name)?;
        let vocabulary = Vocabulary::Encoding(Encoding::from_name(&fact.base.as_ref()?.value)?);
        Some(TokenizerUse { name: name.to_owned(), vocabulary, factor: fact.factor, band: fact.band })
    }
}

fn first<'f, F, T>(facts: &[&'f F], get: impl Fn(&'f F) -> Option<T>) -> Option<T> {
    facts.iter().find_map(|fact| get(fact))
}

fn check_ttl(ttl: &Ttl, provider: &str, known: &[String], sink: &mut Sink) {
    let named: Vec<&Spanned<String>> = match ttl {
        Ttl::Default => Vec::new(),
        Ttl::All(ttl) => vec![ttl],
        Ttl::ByBlock(by_kind) => by_kind.iter().map(|(_, ttl)| ttl).collect(),
    };
    for ttl in named.into_iter().filter(|t| !known.contains(&t.value)) {
        sink.push(errors::unknown_ttl(ttl, provider, known));
    }
}

impl Capabilities {
    /// A counter for the target.
    pub fn counter(&self) -> Counter {
        Counter::new(self.tokenizer.vocabulary.clone(), self.tokenizer.factor)
    }

    /// The lifetime written on a mark: the provider's word, or `default`.
    pub(super) fn ttl(&self, kind: Kind) -> String {
        let named = match &self.ttl {
            Ttl::Default => None,
            Ttl::All(ttl) => Some(&ttl.value),
            Ttl::ByBlock(by_kind) => by_kind.iter().find(|(k, _)| k.value == kind.name()).map(|(_, ttl)| &ttl.value),
        };
        named.map_or_else(|| DEFAULT_TTL.to_owned(), Clone::clone)
    }
}

impl TokenizerUse {
    /// What is counted with, by name.
    pub fn counted_by(&self) -> &str {
        match &self.vocabulary {
            Vocabulary::Encoding(encoding) => encoding.name(),
            Vocabulary::File(_) => &self.name,
        }
    }

    /// Whether its counts are exact.
    pub fn is_exact(&self) -> bool {
        self.factor == 1.0 && self.band == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_facts_read_without_a_finding() {
        let mut sources = SourceMap::default();
        let file = sources.add("providers.toml", BUILT_IN.as_bytes()).unwrap();
        let parsed = Project::parse(file, BUILT_IN, &Limits::default());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        assert!(parsed.value.providers.iter().all(|p| p.shared_scope == Some(false)));
        let facts = Facts::new(&Project::default());
        for model in &facts.models {
            let tokenizer = model.tokenizer.as_ref().unwrap();
            assert!(facts.tokenizer_named(&tokenizer.value).is_some(), "{}", tokenizer.value);
            assert!(model.as_of.is_some() && model.source.is_some(), "{}", model.prefix.value);
        }
    }

    #[test]
    fn models_match_by_the_longest_prefix_dots_and_dashes_alike() {
        let facts = Facts::new(&Project::default());
        let of = |model: &str| facts.models_of("anthropic", model).first().map(|m| m.prefix.value.clone());
        assert_eq!(of("claude-opus-5.5"), Some("claude-opus-5-5".to_owned()));
        assert_eq!(of("claude-opus-5-20260801"), Some("claude-opus-5".to_owned()));
        assert_eq!(of("gpt-6-2-sol-2026"), Some("gpt-6.2-sol".to_owned()));
        assert_eq!(of("nothing-1"), None);
    }
}
