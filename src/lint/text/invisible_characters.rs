//! `invisible-characters`: characters that a model reads and a person does not see.

use std::collections::BTreeSet;
use std::ops::Range;

use super::values;
use crate::diag::{Diagnostic, Fix, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Project, Rule, Written};

pub(in crate::lint) static RULE: Rule =
    Rule { info: &INFO, check: Check::Several(&[Check::Project(in_texts), Check::Artifact(in_values)]) };

static INFO: RuleInfo = RuleInfo {
    name: "invisible-characters",
    level: Severity::Error,
    summary: "characters that a model reads and nobody sees: an error in foreign text",
    doc: include_str!("invisible_characters.md"),
};

fn in_texts(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for written in view.written() {
        let all = invisible(&written.text.text);
        if let Some(first) = all.first().cloned() {
            found.push(written.section.finding(text_message(view, &written, &first, &all)));
        }
    }
}

fn in_values(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    for brought in values::brought(view, &|text| Some((invisible(text).into_iter().next()?, ()))) {
        let name = &brought.input;
        let message = format!("the value of `{name}` has characters that nobody sees: {}", names(&brought.found));
        let whose = if brought.foreign { "foreign text, printed as it comes" } else { "printed as it comes" };
        let diagnostic = Diagnostic::new(&INFO, brought.place, message)
            .label(whose)
            .also(brought.section.span, "in this section")
            .note("a model reads them, and whoever looks at the prompt does not")
            .help(format!("take them out: `{{{{ {name} | strip_invisible }}}}`"))
            .level(if brought.foreign { Severity::Error } else { Severity::Warning });
        found.push(brought.section.finding(diagnostic));
    }
}

fn text_message(view: &Project<'_>, written: &Written<'_>, first: &Range<usize>, all: &[Range<usize>]) -> Diagnostic {
    let text = &written.text.text;
    let letters: String = all.iter().map(|range| &text[range.clone()]).collect();
    let count = letters.chars().count();
    let message = match count {
        1 => format!("a character that nobody sees: {}", names(&letters)),
        _ => format!("{count} characters that nobody sees: {}", names(&letters)),
    };
    let diagnostic = Diagnostic::new(&INFO, written.text.span(first.clone()), message)
        .label(if all.len() == 1 { "here" } else { "the first of them" })
        .note("a model reads them, and whoever looks at the file does not")
        .help("take them out: `promptc lint --fix --unsafe-fixes`")
        .level(Severity::Warning);
    let edits: Option<Vec<_>> =
        all.iter().map(|range| written.without(&view.workspace.sources, range.clone())).collect();
    match edits {
        Some(edits) => diagnostic.fix(Fix { edits, left_out: None, safe: false }),
        None => diagnostic,
    }
}

/// The kinds of some characters, each once.
fn names(letters: &str) -> String {
    let names: BTreeSet<String> =
        letters.chars().map(|c| format!("{} (U+{:04X})", kind(c).map_or("", |kind| kind.name()), c as u32)).collect();
    const SHOWN: usize = 3;
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names.into_iter().take(SHOWN).collect();
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Joins or separates letters, without a width.
    Joiner,
    /// Breaks a line where a script has no blanks.
    Space,
    /// Says which way a letter runs.
    Mark,
    /// Turns the direction of what follows.
    Direction,
    /// A letter of the tag block, a copy of ASCII.
    Tag,
    /// Anything else without a width.
    Other,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Joiner => "joiner",
            Kind::Space => "space without width",
            Kind::Mark | Kind::Direction => "direction control",
            Kind::Tag => "tag letter",
            Kind::Other => "character without width",
        }
    }
}

fn kind(c: char) -> Option<Kind> {
    match c {
        '\u{200C}' | '\u{200D}' => Some(Kind::Joiner),
        '\u{200B}' => Some(Kind::Space),
        '\u{61C}' | '\u{200E}' | '\u{200F}' => Some(Kind::Mark),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Some(Kind::Direction),
        '\u{E0000}'..='\u{E007F}' => Some(Kind::Tag),
        '\u{180E}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}' => Some(Kind::Other),
        _ => None,
    }
}

/// Runs of characters that nobody sees and that no script and no emoji needs where they stand.
fn invisible(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut line = 0;
    for (at, c) in text.char_indices() {
        if c == '\n' {
            line = at + 1;
        }
        let Some(kind) = kind(c) else { continue };
        let (before, after) = (&text[line..at], &text[at + c.len_utf8()..]);
        if is_needed(kind, c, before, after.split('\n').next().unwrap_or_default()) {
            continue;
        }
        match out.last_mut() {
            Some(last) if last.end == at => last.end = at + c.len_utf8(),
            _ => out.push(at..at + c.len_utf8()),
        }
    }
    out
}

/// Whether a character does something that its readers see, by what stands around it on its line.
fn is_needed(kind: Kind, c: char, before: &str, after: &str) -> bool {
    let (last, next) = (before.chars().next_back(), after.chars().next());
    match kind {
        Kind::Joiner => {
            let emoji = c == '\u{200D}'
                && next.is_some_and(is_emoji)
                && last.is_some_and(|l| is_emoji(l) || matches!(l, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}'));
            let alone = last.is_none_or(|l| self::kind(l).is_none());
            emoji || (alone && [last, next].into_iter().flatten().any(joins))
        }
        Kind::Space => [last, next].into_iter().flatten().any(has_no_blanks),
        Kind::Mark => before.chars().chain(after.chars()).any(runs_left),
        // A flag of a region: a black flag, tag letters, and the tag that ends it.
        Kind::Tag => {
            let is_tag = |c: char| matches!(c, '\u{E0020}'..='\u{E007E}');
            let flag = before.trim_end_matches(is_tag).ends_with('\u{1F3F4}');
            let rest = after.trim_start_matches(is_tag);
            let ends = if c == '\u{E007F}' { last.is_some_and(is_tag) } else { rest.starts_with('\u{E007F}') };
            let length = before.chars().rev().take_while(|c| is_tag(*c)).count();
            flag && ends && length <= 6
        }
        Kind::Direction | Kind::Other => c == '\u{180E}' && last.is_some_and(|l| matches!(l, '\u{1800}'..='\u{18AF}')),
    }
}

/// Pictographs, and the signs of older blocks that are joined to them.
fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '\u{2194}' | '\u{2195}' | '\u{2600}'..='\u{27BF}' | '\u{2B05}'..='\u{2B55}' | '\u{1F1E6}'..='\u{1F3FA}'
            | '\u{1F400}'..='\u{1FAFF}'
    )
}

/// Letters and marks of scripts that write with joiners: Arabic, Syriac, Thaana, N'Ko and their kin, the scripts of India
/// and Sri Lanka, Tibetan, Myanmar, Khmer, Mongolian, Balinese and their neighbours.
fn joins(c: char) -> bool {
    matches!(
        c,
        '\u{0600}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{0F00}'..='\u{109F}' | '\u{1780}'..='\u{18AF}'
            | '\u{1A20}'..='\u{1CFF}' | '\u{A800}'..='\u{A8FF}' | '\u{A980}'..='\u{A9FF}' | '\u{AA00}'..='\u{ABFF}'
            | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{11FFF}'
    )
}

/// Scripts without blanks between words: Thai, Lao, Tibetan, Myanmar, Khmer, New Tai Lue and their neighbours.
fn has_no_blanks(c: char) -> bool {
    matches!(
        c,
        '\u{0E00}'..='\u{0EFF}' | '\u{0F00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1950}'..='\u{1AAF}'
            | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AADF}'
    )
}

/// Letters of scripts that run from right to left.
fn runs_left(c: char) -> bool {
    matches!(
        c,
        '\u{0590}'..='\u{061B}' | '\u{061D}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
            | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_and_emoji_need_is_left_alone() {
        for text in [
            "क्\u{200D}ष क्\u{200C}ष",
            "می\u{200C}خواهم کتاب\u{200C}ها را \u{200C}ها",
            "ක්\u{200D}ෂ",
            "👩\u{200D}🔬 👩🏽\u{200D}🚀 🏳\u{FE0F}\u{200D}🌈 ❤\u{FE0F}\u{200D}🔥 👨\u{200D}👩\u{200D}👧",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "ภาษา\u{200B}ไทย",
            "שלום\u{200E} (abc)\u{200F}",
            "naïve e\u{301} 日本語 \u{a0} \u{ad}",
        ] {
            assert_eq!(invisible(text), Vec::<Range<usize>>::new(), "{text:?}");
        }
    }

    #[test]
    fn what_hides_something_is_found() {
        for (text, found) in [
            ("a\u{200B}b", "1-4"),
            ("ab\u{200D}c", "2-5"),
            ("👩\u{200D} x", "4-7"),
            ("a\u{202E}b\u{2066}", "1-4 5-8"),
            ("שלום \u{202E}x", "9-12"),
            ("hi\u{E0068}\u{E0069}", "2-10"),
            ("🏴\u{E0068}\u{E0069}", "4-12"),
            ("a\u{FEFF}\u{2060}b", "1-7"),
            ("abc\u{200E}", "3-6"),
            ("क्\u{200D}\u{200D}ष", "9-12"),
        ] {
            let places: Vec<String> = invisible(text).iter().map(|r| format!("{}-{}", r.start, r.end)).collect();
            assert_eq!(places.join(" "), found, "{text:?}");
        }
        let hidden: String = "ignore".chars().map(|c| char::from_u32(0xE0000 + c as u32).unwrap()).collect();
        assert_eq!(invisible(&format!("🏴{hidden}hidden\u{E007F}")).len(), 2);
    }
}
