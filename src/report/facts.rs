//! What is assumed of a model or a provider, and since when.

use crate::manifest::{ModelFact, Prices, ProviderFact, TokenizerFact};
use crate::plan::Facts;

/// What is assumed of the model or provider of this name.
pub fn explain_fact(facts: &Facts, name: &str) -> Option<String> {
    let providers: String = facts.provider(name).into_iter().map(provider).collect();
    if !providers.is_empty() {
        return Some(providers);
    }
    let models = facts.model(name);
    let mut out = String::new();
    for fact in models {
        out.push_str(&model(name, fact));
        if let Some(tokenizer) = fact.tokenizer.as_ref().and_then(|t| facts.tokenizer_fact(&t.value)) {
            out.push_str(&counted(tokenizer));
        }
    }
    (!out.is_empty()).then_some(out)
}

fn model(name: &str, fact: &ModelFact) -> String {
    let mut out = format!("{name} (model)\nmatched by `{}`{}\n\n", fact.prefix.value, dated(&fact.as_of, &fact.source));
    if let Some(tokens) = fact.min_tokens {
        out.push_str(&format!("  caches from    {tokens} tokens on\n"));
    }
    if let Some(marks) = fact.max_marks {
        out.push_str(&format!("  cache marks    {marks} in a request\n"));
    }
    if let Some(window) = fact.window {
        out.push_str(&format!("  window         {window} tokens\n"));
    }
    if let Some(prices) = &fact.prices {
        out.push_str(&format!("  prices         {}\n", priced(prices)));
    }
    out
}

fn provider(fact: &ProviderFact) -> String {
    let mut out = format!("{} (provider){}\n\n", fact.id.value, dated(&fact.as_of, &fact.source));
    let yes_no = |flag: Option<bool>| if flag.unwrap_or(false) { "yes" } else { "no" };
    out.push_str(&format!("  shared scope   {}\n", yes_no(fact.shared_scope)));
    out.push_str(&format!("  tools first    {}\n", yes_no(fact.tools_first)));
    if let Some(marks) = fact.max_marks {
        out.push_str(&format!("  cache marks    {marks} in a request\n"));
    }
    if let Some(tokens) = fact.min_tokens {
        out.push_str(&format!("  caches from    {tokens} tokens on, unless the model says otherwise\n"));
    }
    if let Some(ttls) = fact.ttls.as_ref().filter(|t| !t.is_empty()) {
        let words: Vec<&str> = ttls.iter().map(|t| t.value.as_str()).collect();
        out.push_str(&format!("  entries live   {}\n", words.join(", ")));
    }
    if !fact.usage.is_empty() {
        out.push_str(&format!("  usage fields   {}\n", fact.usage.join(", ")));
    }
    out
}

fn counted(fact: &TokenizerFact) -> String {
    let base = fact.base.as_ref().or(fact.file.as_ref()).map_or("", |named| &named.value);
    let how = match (fact.factor, fact.band) {
        (1.0, 0.0) => format!("{base}, exact"),
        (factor, band) => format!("{base} times {factor}, an estimate up to {:.0} % off", band * 100.0),
    };
    format!("  tokens         {}: {how}{}\n", fact.id.value, dated(&fact.as_of, &fact.source))
}

fn priced(prices: &Prices) -> String {
    let each = [("input", prices.input), ("cached", prices.cached), ("write", prices.write), ("output", prices.output)];
    let parts: Vec<String> = each.into_iter().filter_map(|(what, price)| Some(format!("{what} {}", price?))).collect();
    format!("{} ({} for a million tokens)", parts.join(", "), prices.currency)
}

fn dated(as_of: &Option<String>, source: &Option<String>) -> String {
    match (as_of, source) {
        (Some(date), Some(source)) => format!(", as of {date}: {source}"),
        (Some(date), None) => format!(", as of {date}"),
        (None, Some(source)) => format!(": {source}"),
        (None, None) => String::new(),
    }
}
