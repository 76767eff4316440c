//! `unordered-collection`: a list in cached text whose order nobody has settled.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Edit, Fix, RuleInfo, Severity};
use crate::input::{Plain, SortBy, Type, Value};
use crate::lint::{Check, Project, Route, Rule, errors};
use crate::manifest::{Channel, edits};
use crate::resolve::{How, Input, Reading, Section};
use crate::template;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "unordered-collection",
    level: Severity::Error,
    summary: "a list in cached text whose order nobody has settled",
    doc: include_str!("unordered_collection.md"),
};

/// Filters and tests that do not hang on the order of a list.
const WITHOUT_ORDER: [&str; 6] = ["count", "dictsort", "length", "max", "min", "sort"];

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for route in view.routes() {
        let sections = &route.route.sections;
        let cached = |s: &Section| s.dangerous.is_none() && s.channel != Channel::UserContext;
        for (at, section) in sections.iter().enumerate().filter(|(_, s)| cached(s)) {
            let mut seen = BTreeSet::new();
            for reading in &section.reads.places {
                let Some(input) = unordered(&route, section, reading) else { continue };
                if !seen.insert(&reading.input) {
                    continue;
                }
                let tokens = route.tokens(sections[at..].iter().filter(|s| cached(s)));
                let mut told = message(section, reading, input, tokens);
                told.fix = fix(view, input);
                found.push(section.finding(told));
            }
        }
    }
}

/// The list that a section puts into its text in an order that nobody has settled.
fn unordered<'a>(route: &Route<'a>, section: &Section, reading: &Reading) -> Option<&'a Input> {
    let input = route.profile.resolved.inputs.get(&reading.input)?;
    let plain = input.definition.plain()?;
    let wanted = input.is_foreign() || section.is_shared();
    let read = matches!(reading.how, How::Body(template::Role::Used | template::Role::PrintedBare));
    let open = plain.kind == Type::List && plain.sort_by.is_none();
    (wanted && read && open && !is_sorted_there(route, reading)).then_some(input)
}

/// Whether the tag itself brings the list into an order, or does not ask for one.
fn is_sorted_there(route: &Route<'_>, reading: &Reading) -> bool {
    let text = route.profile.workspace.sources.text(reading.span.file);
    let behind = text.get(reading.span.range().end..).unwrap_or_default();
    let end = ["%}", "}}", "\n"].into_iter().filter_map(|mark| behind.find(mark)).min().unwrap_or(behind.len());
    let filters = behind[..end].split('|').skip(1).map(str::trim_start);
    filters
        .map(|f| f.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
        .any(|f| WITHOUT_ORDER.contains(&f))
}

/// Adds a `sort_by` that orders every value of the list that the project knows.
fn fix(view: &Project<'_>, input: &Input) -> Option<Fix> {
    let definition = &input.definition;
    let plain = definition.plain()?;
    let values: Vec<&Value> = view
        .values(&definition.name)
        .chain(plain.default.as_ref().map(|d| &d.value))
        .chain(&definition.example)
        .collect();
    let items: Vec<&Value> =
        values.iter().filter_map(|v| if let Value::List(items) = v { Some(items) } else { None }).flatten().collect();
    let keys = match items.first()? {
        Value::Table(first) => {
            ["name", "id", "key", "title", "path"].into_iter().filter(|k| first.contains_key(*k)).map(Some).collect()
        }
        _ => vec![None],
    };
    let orders = |key: Option<&str>| {
        let sort_by = Some(SortBy::Key { key: key.map(str::to_owned), descending: false });
        let sorted = Plain { sort_by, ..plain.clone() };
        values.iter().all(|value| sorted.accept((*value).clone()).is_ok())
    };
    let key = keys.into_iter().find(|key| orders(*key))?;
    let text = view.workspace.sources.text(definition.span.file);
    let written = format!("\"{}\"", key.unwrap_or("."));
    let edit: Edit = edits::add_to_input(text, definition, "sort_by", &written)?;
    Some(Fix::safe(vec![edit]))
}

fn message(section: &Section, reading: &Reading, input: &Input, tokens: u64) -> Diagnostic {
    let name = &input.definition.name;
    let (level, who) = match input.is_foreign() {
        true => (Severity::Error, "whoever gives the list gives it in any order"),
        false => (Severity::Warning, "two builds with the same values in another order share nothing"),
    };
    Diagnostic::new(&INFO, name.span, format!("the order of `{}` is not settled", name.value))
        .level(level)
        .label("has no `sort_by`")
        .also(reading.span, format!("stands in the cached section `{}`", section.id))
        .note(format!(
            "{who}; each order is another prefix, and {} from here on are cached for each anew",
            errors::about(tokens, "the")
        ))
        .help("order it before anything renders: `sort_by = \"name\"`, or `\".\"` for plain values")
        .help("or say that the order is the meaning: `sort_by = \"given\"`")
        .tokens(tokens)
}
