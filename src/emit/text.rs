//! `text`: the system channels in order, separators included, no newline added; or one channel or section alone.

use super::Subject;
use crate::input::Lifetime;
use crate::manifest::Channel;
use crate::plan::{Block, Fitted, Kind, Placed};

/// The text of the system blocks. Open blocks have none; whoever asks sees to it that there are none.
pub(super) fn emit(fitted: &Fitted) -> String {
    let mut out = String::new();
    for block in fitted.plan.blocks.iter().filter(|b| b.kind != Kind::UserContext) {
        let Some(text) = &block.text else { continue };
        if !out.is_empty() {
            out.push_str(&block.separator);
        }
        out.push_str(&text.text);
    }
    out
}

/// Bytes at the start of the system text that are the same for everyone: blocks that only build values make.
pub fn shared_bytes(subject: &Subject<'_>) -> usize {
    let mut bytes = 0;
    let system = subject.fitted.plan.blocks.iter().filter(|b| b.kind != Kind::UserContext);
    for block in system.take_while(|b| b.lifetime == Lifetime::Build) {
        let Some(text) = &block.text else { break };
        bytes += text.text.len() + if bytes > 0 { block.separator.len() } else { 0 };
    }
    bytes
}

/// The text of one channel. The user context is its whole block.
pub fn channel_text(subject: &Subject<'_>, channel: Channel) -> String {
    let blocks = &subject.fitted.plan.blocks;
    if channel == Channel::UserContext {
        let block = blocks.iter().find(|b| b.kind == Kind::UserContext);
        return block.and_then(|b| b.text.as_ref()).map_or_else(String::new, |t| t.text.clone());
    }
    let mut out = String::new();
    for (block, placed) in placed(subject) {
        let section = &subject.route.sections[placed.index];
        if section.channel != channel {
            continue;
        }
        if !out.is_empty() {
            out.push_str(&subject.route.separator(section).text);
        }
        out.push_str(own_text(block, placed).unwrap_or_default());
    }
    out
}

/// The text of one section: `None` when the artifact has no such section, `Some(None)` while it is open.
pub fn section_text<'a>(subject: &Subject<'a>, id: &str) -> Option<Option<&'a str>> {
    let found = placed(subject).find(|(_, placed)| subject.route.sections[placed.index].id == id);
    found.map(|(block, placed)| own_text(block, placed))
}

/// The ids of all sections of the artifact, in order.
pub fn section_ids<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a str> {
    let sections = &subject.route.sections;
    placed(subject).map(|(_, placed)| sections[placed.index].id.as_str())
}

fn placed<'a>(subject: &Subject<'a>) -> impl Iterator<Item = (&'a Block, &'a Placed)> {
    subject.fitted.plan.blocks.iter().flat_map(|b| b.sections.iter().map(move |s| (b, s)))
}

fn own_text<'a>(block: &'a Block, placed: &Placed) -> Option<&'a str> {
    block.text.as_ref()?.text.get(placed.range.clone()?)
}
