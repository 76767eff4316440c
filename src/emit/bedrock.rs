//! `bedrock`: the Converse API. A `cachePoint` stands behind the text that it marks.
//!
//! Contract: botocore's service model, as in `tests/vendor/`.

use serde::Serialize;

use super::Subject;
use crate::json;
use crate::plan::Kind;

#[derive(Serialize)]
struct Body<'a> {
    system: Vec<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Content<'a>>,
}

#[derive(Serialize)]
enum Content<'a> {
    #[serde(rename = "text")]
    Text(&'a str),
    #[serde(rename = "cachePoint")]
    CachePoint {
        r#type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        ttl: Option<&'a str>,
    },
}

pub(super) fn emit(subject: &Subject<'_>) -> String {
    let mut body = Body { system: Vec::new(), messages: Vec::new() };
    for (block, mark) in subject.marked() {
        let mut content = vec![Content::Text(super::block_text(block))];
        content.extend(mark.map(|ttl| Content::CachePoint { r#type: "default", ttl: super::named_ttl(ttl) }));
        match block.kind {
            Kind::UserContext => body.messages.push(Message { role: "user", content }),
            _ => body.system.extend(content),
        }
    }
    json::to_text(&body)
}
