//! A section as it is written: what its text is made of before a value is known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::artifact::From;
use crate::input::{Datum, Form, Type};
use crate::manifest::{Layout, Piece, Replace};
use crate::render;
use crate::resolve::{How, Input, Inputs, Section, Source};
use crate::source::{Located, Span};

/// A section as it is written.
#[derive(Clone)]
pub(super) struct Written {
    /// Its template.
    pub(super) template: String,
    /// Everything else that its text hangs on, besides inputs.
    made_of: Vec<Made>,
    /// What its inputs are.
    inputs: Vec<Made>,
    /// Which of them have a value when compiling.
    fixed: Vec<Made>,
    /// Where it reads the first run-time value: the byte in the template, 0 for what is read before it, and the place.
    pub(super) opens: Option<(usize, Span)>,
}

/// A text that a section's text hangs on.
#[derive(Clone)]
pub(super) struct Made {
    /// What it is: a file, `when`, `layout`, the name of an input.
    pub(super) label: String,
    /// What decides: texts that do the same are equal.
    means: Arc<str>,
    /// For people.
    pub(super) shown: Arc<str>,
    /// Where it stands, unless that is where the section is declared.
    pub(super) place: Option<Located>,
}

impl Written {
    pub(super) fn new(from: &From<'_>, section: &Section) -> Written {
        let inputs = &from.subject.resolved.inputs;
        let names = names_behind(inputs, section);
        let fixed = names.iter().filter_map(|(name, input)| {
            let shown: Arc<str> = value(input.fixed.as_ref()?).into();
            let place = input.fixed_at.map(|place| Located::spread(shown.clone(), place));
            Some(Made { place, ..Made::text(name, shown) })
        });
        Written {
            template: render::as_written(section, inputs),
            made_of: made_of(from, section),
            inputs: names.iter().map(|(name, input)| as_defined(from, name, input)).collect(),
            fixed: fixed.collect(),
            opens: opens(section, inputs),
        }
    }

    /// The texts in which two sections differ besides their templates: what was, what is. One that a side lacks is not
    /// there. An input that a side does not read is a matter of the other texts.
    pub(super) fn differences<'w>(&'w self, other: &'w Written) -> Vec<(Option<&'w Made>, Option<&'w Made>)> {
        let mut found = differences(&self.made_of, &other.made_of);
        let inputs = differences(&self.inputs, &other.inputs);
        found.extend(inputs.into_iter().filter(|(was, is)| was.is_some() && is.is_some()));
        found
    }

    /// The same of values that are known when compiling.
    pub(super) fn fixed_otherwise<'w>(&'w self, other: &'w Written) -> Vec<(Option<&'w Made>, Option<&'w Made>)> {
        let reads = |written: &Written, label: &str| written.inputs.iter().any(|input| input.label == label);
        let by_both = |(was, is): &(Option<&Made>, Option<&Made>)| {
            was.or(*is).is_some_and(|made| reads(self, &made.label) && reads(other, &made.label))
        };
        differences(&self.fixed, &other.fixed).into_iter().filter(by_both).collect()
    }

    /// Everything but the template as one text: equal for sections that nothing but their templates tells apart.
    pub(super) fn print(&self) -> String {
        let all = self.made_of.iter().chain(&self.inputs).chain(&self.fixed);
        all.map(|made| format!("{}:{} {}:{}\n", made.label.len(), made.label, made.means.len(), made.means)).collect()
    }
}

fn differences<'w>(old: &'w [Made], new: &'w [Made]) -> Vec<(Option<&'w Made>, Option<&'w Made>)> {
    let find = |list: &'w [Made], wanted: &Made| list.iter().find(|made| made.label == wanted.label);
    let now = new.iter().map(|made| (find(old, made), Some(made)));
    let gone = old.iter().filter(|made| find(new, made).is_none()).map(|made| (Some(made), None));
    let same = |pair: &(Option<&Made>, Option<&Made>)| pair.0.map(|m| &m.means) == pair.1.map(|m| &m.means);
    now.chain(gone).filter(|pair| !same(pair)).collect()
}

impl Made {
    /// A text that means what it says.
    fn text(label: &str, text: impl Into<Arc<str>>) -> Made {
        let text = text.into();
        Made { label: label.to_owned(), means: text.clone(), shown: text, place: None }
    }

    /// A file.
    fn file(label: &str, text: &Located) -> Made {
        Made { place: Some(text.clone()), ..Made::text(label, text.text.clone()) }
    }
}

/// The first place that reads a run-time value. What stands in another file than the section's own text may be anywhere
/// in it, and counts from its beginning.
fn opens(section: &Section, inputs: &Inputs) -> Option<(usize, Span)> {
    let is_open = |name: &str| inputs.lifetime([name]).is_run_time();
    let places = section.reads.places.iter().filter(|place| is_open(&place.input));
    let own = match &section.source {
        Source::Text(text) => Some(text),
        _ => None,
    };
    let at = |how: How, span: Span| match how {
        How::Body(_) => own.and_then(|text| text.find(span)).unwrap_or(0),
        How::When | How::Choice | How::Replace => 0,
    };
    places.map(|place| (at(place.how, place.span), place.span)).min_by_key(|(at, _)| *at)
}

/// Everything but its template and its inputs that the text of a section hangs on.
fn made_of(from: &From<'_>, section: &Section) -> Vec<Made> {
    let (workspace, route) = (from.workspace, from.subject.route);
    let mut out = Vec::new();
    if let Some(when) = &section.when {
        out.push(Made::file("when", &when.text));
    }
    if let Some(note) = &section.freeze {
        out.push(Made::text("freeze", note.value.as_str()));
    }
    out.push(Made::text("layout", layout(section, &route.layout)));
    match &section.source {
        Source::Choice { by, files, otherwise } => {
            // Where it is known which one is taken, the template is that one, and no other does anything.
            let is_known = from.subject.resolved.build.get(by).value().is_some();
            let file = |(path, text): &(String, Located)| match is_known {
                true => Made { means: "".into(), ..Made::file(path, text) },
                false => Made::file(path, text),
            };
            out.extend(files.iter().map(|(_, chosen)| chosen).chain(otherwise).map(file));
            if !is_known {
                out.push(Made::text("body", render::as_written(section, &from.subject.resolved.inputs)));
            }
        }
        Source::Agent(_) => {
            let body = |agent: &crate::manifest::Agent| Made::file(&format!("agent {}", *agent.name), &agent.body);
            out.extend(workspace.agents.iter().map(body));
        }
        Source::Text(_) | Source::Input(_) | Source::Broken => {}
    }
    for path in &section.reads.files {
        out.extend(workspace.text(path).ok().map(|text| Made::file(path, text)));
    }
    out
}

/// What an input is, shown as it is written.
fn as_defined(from: &From<'_>, name: &str, input: &Input) -> Made {
    let span = input.definition.span;
    let shown: Arc<str> = from.workspace.sources.slice(span).into();
    let place = Some(Located::verbatim(span.file, shown.clone(), span.start));
    Made { label: name.to_owned(), means: definition(input).into(), shown, place }
}

/// The words of the layout that touch a section, a line each.
fn layout(section: &Section, layout: &Layout) -> String {
    let syntax = layout.syntax();
    let trim = format!("{:?}", section.trim.unwrap_or(layout.trim)).to_lowercase();
    let mut out = format!("trim = \"{trim}\"\n");
    let words = [
        ("verbatim", section.verbatim),
        ("keep_empty", section.keep_empty.unwrap_or(layout.keep_empty)),
        ("collapse_blank_lines", layout.collapse_blank_lines && !section.is_layer()),
        ("trim_blocks", syntax.trim_blocks),
        ("lstrip_blocks", syntax.lstrip_blocks),
        ("keep_trailing_newline", syntax.keep_trailing_newline),
    ];
    words.iter().for_each(|(word, is)| out.push_str(&format!("{word} = {is}\n")));
    if !section.heading.is_empty() {
        out.push_str(&format!("heading = {:?}\n", section.heading));
    }
    section.replacements(layout).for_each(|replace| out.push_str(&replacement(replace)));
    out
}

fn replacement(replace: &Replace) -> String {
    let with: String = replace.with.iter().map(piece).collect();
    let when = replace.when.as_ref().map_or_else(String::new, |when| format!(", when {}", when.text.text));
    format!("replace {:?} with {with:?}{when}\n", &*replace.source.text)
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => text.replace('$', "$$"),
        Piece::Group(n) => format!("${{{n}}}"),
    }
}

/// The inputs that a section reads, and those that they are derived from.
fn names_behind<'a>(inputs: &'a Inputs, section: &Section) -> BTreeMap<&'a str, &'a Input> {
    let mut names: BTreeMap<&str, &Input> = BTreeMap::new();
    for (name, input) in inputs.iter() {
        let reads = |read: &Arc<str>| inputs.get(read).is_some_and(|i| i.sources.contains(name));
        if section.reads.all.contains(name) || section.reads.all.iter().any(reads) {
            names.insert(name, input);
        }
    }
    names
}

/// What an input does to a text. Its description does nothing, and neither does a value of an enum that a text was never
/// made with.
fn definition(input: &Input) -> String {
    match &input.definition.form {
        Form::Plain(plain) => {
            let kind = match &plain.kind {
                Type::Enum(_) => &Type::String,
                kind => kind,
            };
            let default = plain.default.as_ref().map(|value| value.value.canonical_json());
            let limits = (plain.max_items, plain.max_chars);
            format!("{kind:?} {default:?} {} {:?} {limits:?}", plain.optional, plain.sort_by)
        }
        Form::Table { by, values, otherwise } => {
            let values: Vec<_> = values.iter().map(|(value, result)| (&value.value, &result.value)).collect();
            format!("{} {values:?} {:?}", by.value, otherwise.as_ref().map(|o| &o.value))
        }
        Form::Expression(text) => text.text.to_string(),
    }
}

/// The values that are known when compiling, by input.
pub(super) fn values(inputs: &Inputs) -> BTreeMap<String, String> {
    let known = inputs.iter().filter_map(|(name, input)| Some((name.to_owned(), value(input.fixed.as_ref()?))));
    known.collect()
}

/// A value that is known when compiling.
fn value(datum: &Datum) -> String {
    match datum {
        Datum::Known(value) => value.canonical_json(),
        Datum::Missing => "missing".to_owned(),
        Datum::Unknown => "unknown".to_owned(),
    }
}
