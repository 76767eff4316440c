//! Messages about targets.

use super::TokenizerUse;
use crate::diag::{Diagnostic, RuleInfo, Severity, nearest, or_list};
use crate::source::Spanned;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 5] =
    [&UNKNOWN_MODEL, &UNKNOWN_PROVIDER, &UNKNOWN_TOKENIZER, &UNKNOWN_TTL, &UNUSABLE_TOKENIZER];

macro_rules! rule {
    ($id:ident, $name:literal, $level:ident, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::$level, summary: $summary, doc: $doc };
    };
}

rule!(UNKNOWN_MODEL, "unknown-model", Warning, "a model of which nothing is known", include_str!("unknown_model.md"));
rule!(
    UNKNOWN_PROVIDER,
    "unknown-provider",
    Error,
    "a provider of which nothing is known",
    "A provider decides how a request is cut. Declare your own by `[[provider]]` in promptc.toml."
);
rule!(
    UNKNOWN_TOKENIZER,
    "unknown-tokenizer",
    Error,
    "a tokenizer of which nothing is known",
    "Declare your own by `[[tokenizer]]` in promptc.toml, over a base of `o200k_base` or `cl100k_base`, or by a `file`."
);
rule!(
    UNUSABLE_TOKENIZER,
    "unusable-tokenizer",
    Error,
    "a tokenizer file that cannot be counted with",
    "The file is a `tokenizer.json` as Hugging Face publishes them beside models. Reading it is a feature that promptc is built with or without: `cargo build --release --features tokenizers`. Without it, count by an encoding that is near, and say by a `band` how far off it may be."
);
rule!(
    UNKNOWN_TTL,
    "unknown-ttl",
    Error,
    "a lifetime of cache entries that the provider does not have",
    "The lifetimes are the provider's own words."
);

pub(super) fn unknown_provider<'a>(id: &Spanned<String>, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    let found = Diagnostic::new(&UNKNOWN_PROVIDER, id.span, format!("nothing is known of the provider `{}`", id.value))
        .label("unknown provider");
    match nearest(id, known.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found
            .note(format!("known providers: {}", known.join(", ")))
            .help("declare it by `[[provider]]` in promptc.toml"),
    }
}

pub(super) fn unknown_model(
    model: &Spanned<String>,
    provider: &str,
    min_tokens: u64,
    tokenizer: &TokenizerUse,
) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_MODEL, model.span, format!("nothing is known of the model `{}`", model.value))
        .label("unknown model")
        .note(format!(
            "assumed of `{provider}`: nothing below {min_tokens} tokens is cached; the window is not known; tokens are counted by {} and may be {:.0} % off",
            tokenizer.counted_by(),
            tokenizer.band * 100.0
        ))
        .help("declare it by `[[model]]` in promptc.toml")
}

pub(super) fn unknown_tokenizer<'a>(name: &Spanned<String>, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let found = Diagnostic::new(&UNKNOWN_TOKENIZER, name.span, format!("there is no tokenizer `{}`", name.value))
        .label("unknown tokenizer");
    match nearest(name, known.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("write {}", or_list(known))),
    }
}

pub(super) fn no_tokenizer_files(file: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&UNUSABLE_TOKENIZER, file.span, format!("this promptc cannot count with `{}`", file.value))
        .label("a tokenizer file")
        .note("it was built without the feature `tokenizers`")
        .help("build it with the feature: `cargo build --release --features tokenizers`")
        .help("or name an encoding that is near, with a `band`, by `[[tokenizer]]` in promptc.toml")
}

pub(super) fn broken_tokenizer(file: &Spanned<String>, why: &str) -> Diagnostic {
    Diagnostic::new(&UNUSABLE_TOKENIZER, file.span, format!("`{}` is no tokenizer file", file.value))
        .label("read as a `tokenizer.json`")
        .note(why)
        .help("take the `tokenizer.json` that is published beside the model")
}

pub(super) fn unknown_ttl(ttl: &Spanned<String>, provider: &str, known: &[String]) -> Diagnostic {
    let found =
        Diagnostic::new(&UNKNOWN_TTL, ttl.span, format!("`{provider}` has no entries that live `{}`", ttl.value))
            .label("not one of its lifetimes");
    match known.is_empty() {
        true => found.help("leave `ttl` out: this provider takes no lifetime"),
        false => found.help(format!("write {}", or_list(known))),
    }
}
