//! `anthropic`: the Messages API. `system` as text blocks with `cache_control`, the user context as the first message.
//!
//! Contract: the vendor's Python package, as in `tests/vendor/`. A mark of default lifetime has no `ttl`. A scope is
//! written only where the provider data names the field: the public API refuses it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Subject;
use crate::json;
use crate::plan::{Block, Kind};

#[derive(Serialize)]
struct Body<'a> {
    system: Vec<TextBlock<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<TextBlock<'a>>,
}

#[derive(Serialize)]
struct TextBlock<'a> {
    r#type: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl<'a>>,
}

#[derive(Serialize)]
struct CacheControl<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'a str>,
    #[serde(flatten)]
    scope: BTreeMap<&'a str, &'static str>,
}

pub(super) fn emit(subject: &Subject<'_>) -> String {
    let (user, system): (Vec<_>, Vec<_>) = subject.marked().partition(|(block, _)| block.kind == Kind::UserContext);
    let text_block = |(block, mark)| text_block(subject, block, mark);
    json::to_text(&Body {
        system: system.into_iter().map(text_block).collect(),
        messages: user.into_iter().map(|block| Message { role: "user", content: vec![text_block(block)] }).collect(),
    })
}

fn text_block<'a>(subject: &'a Subject<'_>, block: &'a Block, mark: Option<&'a str>) -> TextBlock<'a> {
    TextBlock {
        r#type: "text",
        text: super::block_text(block),
        cache_control: mark.map(|ttl| cache_control(subject, block, ttl)),
    }
}

fn cache_control<'a>(subject: &'a Subject<'_>, block: &Block, ttl: &'a str) -> CacheControl<'a> {
    let field = subject.target.scope_field.as_deref();
    CacheControl {
        r#type: "ephemeral",
        ttl: super::named_ttl(ttl),
        scope: field.zip(block.scope).map(|(field, scope)| (field, scope.name())).into_iter().collect(),
    }
}
