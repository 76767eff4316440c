//! `openai`, `openai-chat` and `openai-compatible`: the Responses API, Chat Completions, and the latter as other
//! servers speak it.
//!
//! Contract: the vendor's Python package, as in `tests/vendor/`. Breakpoints are explicit for models that have them;
//! for others the plan has no marks, and the request caches its own beginning. Other servers take one system string.

use serde::Serialize;

use super::{Subject, block_text, text};
use crate::json;
use crate::plan::{Block, Kind};

#[derive(Serialize)]
struct Responses<'a> {
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_options: Option<Options>,
}

#[derive(Serialize)]
struct Chat<'a> {
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_options: Option<Options>,
}

#[derive(Serialize)]
struct Compatible<'a> {
    messages: Vec<PlainMessage<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    r#type: &'static str,
    role: &'static str,
    content: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct PlainMessage<'a> {
    role: &'static str,
    content: std::borrow::Cow<'a, str>,
}

#[derive(Serialize)]
struct Part<'a> {
    r#type: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_breakpoint: Option<Breakpoint<'a>>,
}

#[derive(Serialize)]
struct Breakpoint<'a> {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'a str>,
}

#[derive(Serialize)]
struct Options {
    mode: &'static str,
}

pub(super) fn responses(subject: &Subject<'_>) -> String {
    let (system, user) = parts(subject, "input_text");
    let item = |role, content| Item { r#type: "message", role, content };
    json::to_text(&Responses { input: roles(system, user, item), prompt_cache_options: options(subject) })
}

pub(super) fn chat(subject: &Subject<'_>) -> String {
    let (system, user) = parts(subject, "text");
    let message = |role, content| Message { role, content };
    json::to_text(&Chat { messages: roles(system, user, message), prompt_cache_options: options(subject) })
}

pub(super) fn compatible(subject: &Subject<'_>) -> String {
    let system = text::emit(subject.fitted);
    let user = subject.marked().find(|(block, _)| block.kind == Kind::UserContext);
    let mut messages = vec![PlainMessage { role: "system", content: system.into() }];
    messages.extend(user.map(|(block, _)| PlainMessage { role: "user", content: block_text(block).into() }));
    json::to_text(&Compatible { messages })
}

/// The parts of the system message and of the user's.
fn parts<'a>(subject: &'a Subject<'_>, kind: &'static str) -> (Vec<Part<'a>>, Vec<Part<'a>>) {
    let part = |(block, mark): (&'a Block, Option<&'a str>)| Part {
        r#type: kind,
        text: block_text(block),
        prompt_cache_breakpoint: mark.map(|ttl| Breakpoint { mode: "explicit", ttl: super::named_ttl(ttl) }),
    };
    let (user, system): (Vec<_>, Vec<_>) = subject.marked().partition(|(block, _)| block.kind == Kind::UserContext);
    (system.into_iter().map(part).collect(), user.into_iter().map(part).collect())
}

/// One message a role that has something to say.
fn roles<'a, M>(system: Vec<Part<'a>>, user: Vec<Part<'a>>, make: impl Fn(&'static str, Vec<Part<'a>>) -> M) -> Vec<M> {
    let both = [("developer", system), ("user", user)];
    both.into_iter().filter(|(_, content)| !content.is_empty()).map(|(role, content)| make(role, content)).collect()
}

/// Explicit marks switch the implicit ones off.
fn options(subject: &Subject<'_>) -> Option<Options> {
    (subject.fitted.marks_used() > 0).then_some(Options { mode: "explicit" })
}
