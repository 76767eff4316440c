//! `mark-on-volatile`: a mark whose prefix changes on every turn.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Lifetime;
use crate::lint::{Artifact, Check, Rule, errors};
use crate::plan::{Block, Kind};
use crate::resolve::Section;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "mark-on-volatile",
    level: Severity::Error,
    summary: "a cache mark on, or behind, text that changes on every turn",
    doc: include_str!("mark_on_volatile.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let subject = &view.subject;
    let blocks = &subject.fitted.plan.blocks;
    let Some(last) = subject.fitted.marks.iter().rposition(Option::is_some) else { return };
    for (at, block) in blocks[..=last].iter().enumerate().filter(|(_, b)| b.kind != Kind::Attribution) {
        let Some(mark) = (at..=last).find(|&n| subject.fitted.marks[n].is_some()) else { continue };
        for placed in &block.sections {
            let section = &subject.route.sections[placed.index];
            if placed.dangerous || (placed.lifetime == Lifetime::Turn && view.is_whole) {
                found.push(section.finding(message(section, &blocks[mark], written(&blocks[..=mark]))));
            }
        }
    }
}

fn written(blocks: &[Block]) -> u64 {
    blocks.iter().filter_map(|b| b.text.as_ref()).map(|t| t.tokens).sum()
}

fn message(section: &Section, marked: &Block, tokens: u64) -> Diagnostic {
    let message = format!("`{}` may change on every turn, and a mark covers it", section.id);
    let found = Diagnostic::new(&INFO, section.span, message)
        .label(format!("before the mark of the {} block", marked.kind.name()))
        .note(format!("each turn writes {} up to the mark to the cache, and none reads them", errors::counted(tokens, "the")))
        .help("put the section behind everything that is cached: `zone = \"dynamic\"` with `DANGEROUS_uncached`, or `channel = \"user_context\"`")
        .help("or read the value once: `freeze = \"..\"`");
    match section.reads.places.first() {
        Some(reading) => found.also(reading.span, "reads this"),
        None => found,
    }
    .tokens(tokens)
}
