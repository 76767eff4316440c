//! `fence-breakout`: a value that does end the element or fence it stands in.

use std::collections::BTreeSet;

use super::fences::fence;
use super::{leaves, values};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Value;
use crate::lint::{Artifact, Check, Rule};
use crate::resolve::Section;
use crate::source::Span;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "fence-breakout",
    level: Severity::Error,
    summary: "a foreign value that ends the element or fence it stands in",
    doc: include_str!("fence_breakout.md"),
};

/// Around a probe: characters that nobody writes.
const START: char = '\u{F8FE}';
const END: char = '\u{F8FF}';

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let foreign = |name: &str| view.subject.resolved.inputs.get(name).is_some_and(|input| input.is_foreign());
    let known = view.values();
    let suspects: Vec<(&str, &Value)> = known.known().filter(|(name, v)| foreign(name) && may_end(v)).collect();
    if suspects.is_empty() {
        return;
    }
    let real = view.rendered(known.clone());
    for (name, value) in suspects {
        // The same value with nothing in it that could end anything, and with marks around what was changed.
        let harmless = leaves::map(value, &|text| match ends(text) {
            true => format!("{START}{}{END}", text.replace('<', "(").replace(['`', '~'], "-")),
            false => text.to_owned(),
        });
        let probe = view.rendered(known.with([(name, crate::input::Datum::Known(harmless))]));
        for (index, probe) in &probe {
            let section = &view.subject.route.sections[*index];
            let (Some(place), Some(text)) = (values::printed(section, name), real.get(index)) else { continue };
            let broken = around(probe).into_iter().find(|enclosure| enclosure.ends_in(text) > enclosure.ends_in(probe));
            if let Some(enclosure) = broken {
                found.push(section.finding(message(name, section, place, &enclosure)));
            }
        }
    }
}

fn may_end(value: &Value) -> bool {
    leaves::texts(value).into_iter().any(ends)
}

/// Whether a text has an end tag or a fence in it.
fn ends(text: &str) -> bool {
    text.contains("</") || text.lines().any(|line| fence(line).is_some())
}

/// What stands around a probe.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Around {
    Element(String),
    Fence(char, usize),
}

impl Around {
    /// How often it is ended in a text.
    fn ends_in(&self, text: &str) -> usize {
        match self {
            Around::Element(name) => {
                let name = name.to_ascii_lowercase();
                let is_end = |rest: &&str| {
                    let rest = rest.to_ascii_lowercase();
                    rest.strip_prefix(&name).is_some_and(|rest| rest.trim_start().starts_with('>'))
                };
                text.split("</").skip(1).filter(is_end).count()
            }
            Around::Fence(letter, least) => {
                let is_end = |line: &str| {
                    fence(line).is_some_and(|(l, n, rest)| l == *letter && n >= *least && rest.trim().is_empty())
                };
                text.lines().filter(|line| is_end(line)).count()
            }
        }
    }
}

/// The elements and fences in which probes stand, and which are ended behind them.
fn around(text: &str) -> BTreeSet<Around> {
    let mut out = BTreeSet::new();
    for (at, _) in text.match_indices(START) {
        let (before, after) = text.split_at(at);
        let mut open: Vec<&str> = Vec::new();
        for tag in before.split('<').skip(1) {
            let (closing, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
            let end = tag.find(|c: char| !(c.is_alphanumeric() || "-_.:".contains(c))).unwrap_or(tag.len());
            let name = &tag[..end];
            match (closing, open.iter().rposition(|n| *n == name)) {
                (true, Some(at)) => open.truncate(at),
                (false, _) if !name.is_empty() => open.push(name),
                _ => {}
            }
        }
        let elements = open.into_iter().map(|name| Around::Element(name.to_owned()));
        let mut fences: Vec<(char, usize)> = Vec::new();
        for (letter, count, rest) in before.lines().filter_map(fence) {
            match fences.last() {
                Some((open, least)) if *open == letter && count >= *least && rest.trim().is_empty() => _ = fences.pop(),
                Some(_) => {}
                None => fences.push((letter, count)),
            }
        }
        let all = elements.chain(fences.into_iter().map(|(letter, count)| Around::Fence(letter, count)));
        out.extend(all.filter(|enclosure| enclosure.ends_in(after) > 0));
    }
    out
}

fn message(name: &str, section: &Section, place: Span, enclosure: &Around) -> Diagnostic {
    let (what, help) = match enclosure {
        Around::Element(tag) => {
            (format!("the element `<{tag}>`"), format!("print it by `| xml(\"{tag}\")`, without the tags"))
        }
        Around::Fence(..) => {
            ("the fence".to_owned(), "print it by `| xml(\"NAME\")` in the place of the fence".to_owned())
        }
    };
    Diagnostic::new(&INFO, place, format!("`{name}` ends {what} that it stands in"))
        .label("foreign text, printed as it comes")
        .also(section.span, "in this section")
        .note("what follows in the value looks as if you had said it")
        .help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_a_probe_is_what_is_ended_behind_it() {
        let element = |name: &str| Around::Element(name.to_owned());
        let text = format!("<a><b>x</b><path> {START}v{END}\n</a>\n```js\n{START}w{END}\n```\n");
        assert_eq!(around(&text), BTreeSet::from([element("a"), Around::Fence('`', 3)]));
        assert_eq!(around(&format!("a < b {START}v{END} c > d")), BTreeSet::new());
        assert_eq!(element("data").ends_in("</data> </DATA > </data-x> </data"), 2);
        assert_eq!(Around::Fence('`', 3).ends_in("```\n````  \n``\n```js\n~~~"), 2);
    }
}
