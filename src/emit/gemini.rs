//! `gemini`: generateContent. One part a block; this API caches a shared beginning by itself and takes no marks.
//!
//! Contract: the vendor's Python package, as in `tests/vendor/`.

use serde::Serialize;

use super::Subject;
use crate::json;
use crate::plan::{Block, Kind};

#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "systemInstruction", skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Instruction<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contents: Vec<Content<'a>>,
}

#[derive(Serialize)]
struct Instruction<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    text: &'a str,
}

pub(super) fn emit(subject: &Subject<'_>) -> String {
    let (user, system): (Vec<_>, Vec<_>) = subject.marked().partition(|(block, _)| block.kind == Kind::UserContext);
    json::to_text(&Body {
        system_instruction: (!system.is_empty()).then(|| Instruction { parts: parts(system) }),
        contents: if user.is_empty() { Vec::new() } else { vec![Content { role: "user", parts: parts(user) }] },
    })
}

fn parts<'a>(blocks: Vec<(&'a Block, Option<&'a str>)>) -> Vec<Part<'a>> {
    blocks.into_iter().map(|(block, _)| Part { text: super::block_text(block) }).collect()
}
