//! What is known of providers, models and tokenizers: built in, and overridden by the project.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::{DEFAULT_TTL, Kind};
use super::{built_in, errors};
use crate::diag::Sink;
use crate::manifest::{ModelFact, Prices, Project, ProviderFact, Target, TokenizerFact, Ttl};
use crate::source::Spanned;
use crate::tokens::{Counter, Encoding, FileTokenizer, Vocabulary};
use crate::workspace::Workspace;

/// The tokenizer of a model that nothing is known of.
const UNKNOWN_TOKENIZER: &str = "unknown";

/// All facts: the project's come first, those of [`built_in`] behind them.
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
    pub(super) ttl: Ttl,
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
        Facts {
            providers: project.providers.clone(),
            models: project.models.clone(),
            tokenizers: project.tokenizers.clone(),
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
        let providers = self.provider(id);
        if providers.is_empty() {
            let known = self.providers.iter().map(|p| p.id.value.as_str());
            sink.push(errors::unknown_provider(&target.provider, known.chain(built_in::provider_ids())));
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
        self.models.iter().map(|m| m.prefix.value.as_str()).chain(built_in::model_names()).collect()
    }

    /// What is known of a provider.
    pub fn provider(&self, id: &str) -> Vec<&ProviderFact> {
        let own = self.providers.iter().filter(|p| p.id.value == id);
        own.chain(built_in::providers(|known| known == id)).collect()
    }

    /// What is known of a tokenizer.
    pub fn tokenizer_fact(&self, id: &str) -> Option<&TokenizerFact> {
        let own = self.tokenizers.iter().find(|t| t.id.value == id);
        own.or_else(|| built_in::tokenizers(|known| known == id).next())
    }

    /// Facts about a model, those of the longest prefix first; among equals the project's.
    fn models_of(&self, provider: &str, model: &str) -> Vec<&ModelFact> {
        self.matching(model, |fact| fact.provider.as_ref().is_none_or(|p| p.value == provider))
    }

    fn matching(&self, model: &str, wanted: impl Fn(&ModelFact) -> bool) -> Vec<&ModelFact> {
        let begins = |prefix: &str| begins(model, prefix);
        let own = self.models.iter().filter(|m| begins(&m.prefix.value));
        let mut found: Vec<&ModelFact> = own.chain(built_in::models(begins)).filter(|m| wanted(m)).collect();
        found.sort_by_key(|m| std::cmp::Reverse(m.prefix.value.len()));
        // A shorter prefix is another model, not a further fact about this one.
        if let Some(longest) = found.first().map(|m| m.prefix.value.len()) {
            found.retain(|m| m.prefix.value.len() == longest);
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
                sink.push(errors::unknown_tokenizer(named, known.chain(built_in::tokenizer_ids())));
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

/// Whether the name of a model begins so: dots and dashes are alike, and so are letters of either case.
fn begins(model: &str, prefix: &str) -> bool {
    let plain = |c: char| if c == '.' { '-' } else { c };
    let mut letters = model.chars().flat_map(char::to_lowercase).map(plain);
    prefix.chars().flat_map(char::to_lowercase).map(plain).all(|letter| letters.next() == Some(letter))
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
    fn every_built_in_fact_has_what_it_needs() {
        assert!(built_in::providers(|_| true).all(|p| p.shared_scope == Some(false)));
        let facts = Facts::new(&Project::default());
        for model in built_in::models(|_| true) {
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
