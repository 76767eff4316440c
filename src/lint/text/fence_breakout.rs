//! `fence-breakout`: a value that does end the element or fence it stands in.

use std::collections::BTreeSet;

use super::fences::fence;
use super::{leaves, values};
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::Datum;
use crate::lint::{Artifact, Check, Rule};
use crate::resolve::Section;
use crate::source::Span;
use crate::template::{Enclosure, Print};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "fence-breakout",
    level: Severity::Error,
    summary: "a foreign value that ends the element or fence it stands in",
    doc: include_str!("fence_breakout.md"),
};

/// Marks around a value in a probe: characters that nobody writes.
const START: char = '\u{F8FE}';
const END: char = '\u{F8FF}';

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let foreign = |name: &str| view.subject.resolved.inputs.get(name).is_some_and(|input| input.is_foreign());
    let known = view.values();
    let suspects = known.known().filter(|(name, value)| foreign(name) && leaves::texts(value).into_iter().any(ends));
    for (name, value) in suspects {
        // The same value with marks around what could end something, so that it is seen what filters leave of it.
        let marked = leaves::map(value, &|text| match ends(text) {
            true => format!("{START}{text}{END}"),
            false => text.to_owned(),
        });
        let probe = view.rendered(known.with([(name, Datum::Known(marked))]));
        for (index, text) in &probe {
            let section = &view.subject.route.sections[*index];
            for enclosure in broken(text) {
                if let Some(place) = printed(section, name, &enclosure) {
                    found.push(section.finding(message(name, section, place, &enclosure)));
                }
            }
        }
    }
}

/// Whether a text has an end tag or a fence in it.
fn ends(text: &str) -> bool {
    text.contains("</") || text.lines().any(|line| fence(line).is_some())
}

/// Where a section prints an input inside something.
fn printed(section: &Section, name: &str, around: &Around) -> Option<Span> {
    let inside = match around {
        Around::Element(tag) => Enclosure::Element(tag.clone()),
        Around::Fence(..) => Enclosure::Fence,
    };
    let named = |print: &&Print| print.inside.as_ref() == Some(&inside) && print.inputs.iter().any(|i| **i == *name);
    let print = section.reads.prints.iter().find(named).map(|print| print.span);
    print.or_else(|| values::printed(section, name))
}

/// What stands around a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Around {
    Element(String),
    Fence(char, usize),
}

impl Around {
    /// Whether a text ends it.
    fn is_ended_by(&self, text: &str) -> bool {
        match self {
            Around::Element(name) => {
                let name = name.to_ascii_lowercase();
                text.split("</").skip(1).any(|rest| {
                    let rest = rest.to_ascii_lowercase();
                    rest.strip_prefix(&name).is_some_and(|rest| rest.trim_start().starts_with('>'))
                })
            }
            Around::Fence(letter, least) => text
                .lines()
                .filter_map(fence)
                .any(|(other, count, rest)| other == *letter && count >= *least && rest.trim().is_empty()),
        }
    }
}

/// What the marked values of a text end of what stands around them. Of a value that was cut nothing is known.
fn broken(text: &str) -> BTreeSet<Around> {
    // The text around all values, and where in it each of them stands.
    let mut own = String::new();
    let mut values: Vec<(usize, &str)> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(START) {
        own.push_str(before);
        match after.split_once([START, END]) {
            Some((value, behind)) if !after[value.len()..].starts_with(START) => {
                values.push((own.len(), value));
                rest = behind;
            }
            _ => rest = after,
        }
    }
    own.push_str(rest);
    let mut out = BTreeSet::new();
    for (at, value) in values {
        let (before, after) = own.split_at(at);
        // A fence begins a line: what stands on the line of the print is none.
        let lines = if before.is_empty() || before.ends_with('\n') {
            value
        } else {
            value.split_once('\n').map_or("", |v| v.1)
        };
        let ended = |around: &Around| match around {
            Around::Element(_) => around.is_ended_by(value),
            Around::Fence(..) => around.is_ended_by(lines),
        };
        out.extend(open(before).into_iter().filter(|around| around.is_ended_by(after) && ended(around)));
    }
    out
}

/// The elements and fences that are open at the end of a text.
fn open(text: &str) -> Vec<Around> {
    let mut elements: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (closing, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let end = tag.find(|c: char| !(c.is_alphanumeric() || "-_.:".contains(c))).unwrap_or(tag.len());
        let name = &tag[..end];
        match (closing, elements.iter().rposition(|n| *n == name)) {
            (true, Some(at)) => elements.truncate(at),
            (false, _) if !name.is_empty() => elements.push(name),
            _ => {}
        }
    }
    let mut inside = None;
    for (letter, count, rest) in text.lines().filter_map(fence) {
        match inside {
            None => inside = Some((letter, count)),
            Some((open, least)) if open == letter && count >= least && rest.trim().is_empty() => inside = None,
            Some(_) => {}
        }
    }
    let elements = elements.into_iter().map(|name| Around::Element(name.to_owned()));
    elements.chain(inside.map(|(letter, count)| Around::Fence(letter, count))).collect()
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

    fn shown(text: &str) -> Vec<Around> {
        let text = text.replace('[', &START.to_string()).replace(']', &END.to_string());
        broken(&text).into_iter().collect()
    }

    #[test]
    fn a_value_ends_what_is_open_around_it() {
        let element = |name: &str| Around::Element(name.to_owned());
        assert_eq!(shown("<a><b>[x </A > y]</b></a>"), [element("a")]);
        assert_eq!(shown("<a>x</a> [</a>] <path> [</path>] a < b"), []);
        assert_eq!(shown("<a>[</b>]</a><b>[</a>]</b>"), []);
        assert_eq!(shown("<a>[</a><a>]</a><b>[x]</b>"), [element("a")]);
        assert_eq!(shown("```js\n[a\n```\nb]\n```\n"), [Around::Fence('`', 3)]);
        assert_eq!(shown("````\n[a\n```\nb]\n````\nx [```] y"), []);
        assert_eq!(shown("```\nsay [```]\n```"), []);
        assert_eq!(shown("<a>[</a> cut </a>"), []);
    }
}
