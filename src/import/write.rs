//! The files of an imported project.

use std::collections::BTreeMap;

use super::parts::{BLANKS, Part};
use super::placeholders::{self, Input, Placeholder};
use crate::input::Lifetime;
use crate::json;

/// The separator that needs no word.
const SEPARATOR: &str = "\n\n";

/// Most letters of an id or a name that is made of other words.
const MAX_NAME: usize = 40;

/// Ids that sections cannot have.
const TAKEN: [&str; 5] = ["override", "coordinator", "agent", "custom", "default"];

/// Where tags of the template language begin.
const TAGS: [&str; 3] = ["{{", "{%", "{#"];

/// The byte order mark.
const MARK: char = '\u{feff}';

/// What is written of a prompt.
pub(super) struct Draft {
    pub(super) sections: Vec<Section>,
    pub(super) inputs: Vec<Input>,
    separator: String,
}

pub(super) struct Section {
    id: String,
    /// The text of its file.
    body: String,
    /// Whether the file is no template.
    verbatim: bool,
    /// Its inputs, by their places in the list.
    reads: Vec<usize>,
    /// What stands before it, when that is not the separator of all.
    separator_before: Option<String>,
    /// Its own `trim`.
    trim: Option<&'static str>,
}

impl Draft {
    pub(super) fn of(text: &str, parts: &[Part]) -> Draft {
        let gaps: Vec<&str> = parts.iter().map(|p| gap(&text[p.range.clone()])).collect();
        let separator = most_frequent(&gaps[..gaps.len() - 1]);
        let (mut inputs, mut ids, mut sections) = (Vec::new(), Vec::new(), Vec::new());
        for (n, part) in parts.iter().enumerate() {
            let whole = &text[part.range.clone()];
            let is_last = n + 1 == parts.len();
            // Between sections their separators stand; behind the last one nothing does, so it keeps its end.
            let keeps_end = is_last && !gaps[n].is_empty();
            let own = if keeps_end { whole } else { &whole[..whole.len() - gaps[n].len()] };
            let trim = match () {
                () if keeps_end => Some("none"),
                () if own.starts_with(BLANKS) => Some("end"),
                () => None,
            };
            let code: Vec<_> = part.code.iter().map(|c| c.start.max(part.range.start)..c.end).collect();
            let code: Vec<_> = code.iter().map(|c| c.start - part.range.start..c.end - part.range.start).collect();
            let found = placeholders::find(own, &code);
            let reads: Vec<usize> =
                found.iter().map(|p| placeholders::input_of(&mut inputs, &p.name, &own[p.range.clone()])).collect();
            let verbatim = found.is_empty() && TAGS.iter().any(|tag| own.contains(tag));
            let mut body = if verbatim { own.to_owned() } else { template(own, &found, &reads, &inputs) };
            if !keeps_end {
                body.push('\n');
            }
            // Of several marks at the beginning, reading drops one.
            if body.starts_with(MARK) {
                body.insert(0, MARK);
            }
            let id = free_id(part.heading.as_deref(), parts.len(), &mut ids);
            let separator_before = n.checked_sub(1).map(|before| gaps[before]).filter(|gap| *gap != separator);
            let separator_before = separator_before.map(str::to_owned);
            sections.push(Section { id, body, verbatim, reads, separator_before, trim });
        }
        Draft { sections, inputs, separator }
    }

    /// Whether something stays text that would be a tag of the template language.
    pub(super) fn has_tags(&self) -> bool {
        let printed = TAGS.map(printed);
        self.sections.iter().any(|s| s.verbatim || printed.iter().any(|tag| s.body.contains(tag)))
    }

    pub(super) fn files(&self, name: &str, from: &str) -> Vec<(String, String)> {
        let mut files = vec![
            (format!("prompts/{name}.toml"), self.manifest(name, from)),
            (format!("profiles/{name}.toml"), self.profile(name)),
        ];
        let values: Vec<&Input> = self.inputs.iter().filter(|i| i.lifetime.is_run_time()).collect();
        if !values.is_empty() {
            let head = "# The placeholders themselves: so the output is the text that was imported. Real values belong here.\n";
            files.push((fixture_path(name), format!("{head}{}", values_text(&values))));
        }
        files.extend(self.sections.iter().map(|s| (format!("prompts/{name}/{}.md", s.id), s.body.clone())));
        files
    }

    fn manifest(&self, name: &str, from: &str) -> String {
        let mut out =
            format!("# Imported from {}. Each line that says `confirm` holds a guess.\n", from.escape_debug());
        if !self.inputs.is_empty() {
            out.push_str("\n[inputs]\n");
            let heads: Vec<String> = self
                .inputs
                .iter()
                .map(|i| format!("{{ type = \"string\", lifetime = \"{}\" }}", i.lifetime.name()))
                .collect();
            let [names, types] = [self.inputs.iter().map(|i| i.name.len()).max(), heads.iter().map(String::len).max()]
                .map(Option::unwrap_or_default);
            for (input, head) in self.inputs.iter().zip(&heads) {
                let why = guess(input);
                out.push_str(&format!("{:names$} = {head:types$}   # confirm: {why}\n", input.name));
            }
        }
        if self.separator != SEPARATOR {
            out.push_str(&format!("\n[layout]\nseparator = {}\n", quoted(&self.separator)));
        }
        for section in &self.sections {
            out.push_str(&self.section(section, name));
        }
        out
    }

    fn section(&self, section: &Section, name: &str) -> String {
        let run_time = || section.reads.iter().map(|at| &self.inputs[*at]).filter(|i| i.lifetime.is_run_time());
        let zone = if run_time().next().is_some() { "dynamic" } else { "static" };
        let body = quoted(&format!("{name}/{}.md", section.id));
        let mut out = format!("\n[[section]]\nid   = \"{}\"\nzone = \"{zone}\"\nbody = {body}\n", section.id);
        if section.verbatim {
            out.push_str("verbatim = true   # its braces are text\n");
        }
        if let Some(trim) = section.trim {
            out.push_str(&format!("trim = \"{trim}\"   # blanks at its edges are its own\n"));
        }
        if let Some(separator) = &section.separator_before {
            out.push_str(&format!("separator_before = {}\n", quoted(separator)));
        }
        if let Some(input) = run_time().find(|i| i.lifetime == Lifetime::Turn) {
            let reason = format!("`{}` changes on every request, as its name says", input.name);
            out.push_str(&format!("DANGEROUS_uncached = {}   # confirm\n", quoted(&reason)));
        }
        out
    }

    fn profile(&self, name: &str) -> String {
        let mut out = include_str!("profile.toml").replace("@NAME@", name);
        let (run_time, build): (Vec<&Input>, Vec<&Input>) = self.inputs.iter().partition(|i| i.lifetime.is_run_time());
        if !build.is_empty() {
            out.push_str(&format!(
                "\n# The placeholders themselves. Real values belong here.\n[values]\n{}",
                values_text(&build)
            ));
        }
        if !run_time.is_empty() {
            let path = quoted(&fixture_path(name));
            out.push_str(&format!("\n[[fixture]]\nname    = \"placeholders\"\ncontext = {path}\n"));
        }
        out
    }
}

fn fixture_path(name: &str) -> String {
    format!("fixtures/{name}/placeholders.toml")
}

fn values_text(inputs: &[&Input]) -> String {
    let width = inputs.iter().map(|i| i.name.len()).max().unwrap_or_default();
    inputs.iter().map(|i| format!("{:width$} = {}\n", i.name, quoted(&i.written))).collect()
}

fn guess(input: &Input) -> String {
    let what = match input.lifetime {
        Lifetime::Build => "is known when compiling",
        Lifetime::Org => "is the same for an organisation",
        Lifetime::User => "is the same for a user",
        Lifetime::Session => "is fixed when a session starts",
        Lifetime::Turn => "may change on every request",
    };
    let like = input.like.as_ref().map_or_else(String::new, |like| format!("; is it `{like}`?"));
    format!("`{}` {what}{like}", input.written)
}

/// A body in which placeholders are printed inputs, and everything else is text.
fn template(text: &str, found: &[Placeholder], reads: &[usize], inputs: &[Input]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (placeholder, input) in found.iter().zip(reads) {
        literal(&mut out, &text[at..placeholder.range.start], true);
        out.push_str(&format!("{{{{ {} }}}}", inputs[*input].name));
        at = placeholder.range.end;
    }
    literal(&mut out, &text[at..], false);
    out
}

/// Text in a template: what would begin a tag is printed as a string.
fn literal(out: &mut String, text: &str, before_tag: bool) {
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let tag = TAGS.iter().find(|tag| from.starts_with(**tag)).copied();
        let tag = tag.or((before_tag && from == "{").then_some("{"));
        match tag {
            Some(tag) => out.push_str(&printed(tag)),
            None => out.push('{'),
        }
        rest = &from[tag.map_or(1, str::len)..];
    }
    out.push_str(rest);
}

/// Letters that would begin a tag, as a template prints them.
fn printed(tag: &str) -> String {
    format!("{{{{ '{tag}' }}}}")
}

/// The blanks that a text ends in.
fn gap(text: &str) -> &str {
    &text[text.trim_end_matches(BLANKS).len()..]
}

/// What stands most often between sections; the usual one, if it is among the most frequent.
fn most_frequent(gaps: &[&str]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for gap in gaps {
        *counts.entry(gap).or_default() += 1;
    }
    let most = counts.values().max().copied().unwrap_or_default();
    let is_usual = counts.get(SEPARATOR).copied().unwrap_or_default() == most;
    let found = counts.iter().find(|(_, count)| **count == most).filter(|_| !is_usual);
    found.map_or(SEPARATOR, |(gap, _)| gap).to_owned()
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::write_string(&mut out, text);
    out
}

/// The name of a prompt, of its file's name.
pub(super) fn name_of(file: &str) -> String {
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or_default();
    let name = slug(stem, char::is_alphanumeric);
    match name.as_str() {
        "" => "prompt".to_owned(),
        // Files below prompts/agents/ are agents.
        "agents" => "agents-prompt".to_owned(),
        _ => name,
    }
}

fn free_id(heading: Option<&str>, parts: usize, ids: &mut Vec<String>) -> String {
    let base = match heading {
        Some(heading) => slug(heading, |c| c.is_ascii_alphanumeric()),
        None if parts > 1 && ids.is_empty() => "preamble".to_owned(),
        None => "text".to_owned(),
    };
    let base = base.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    let number = base.strip_prefix("append-").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let base = match base {
        "" => "section".to_owned(),
        word if TAKEN.contains(&word) || number => format!("{word}-section"),
        word => word.to_owned(),
    };
    let mut id = base.clone();
    let mut count = 2;
    while ids.contains(&id) {
        id = format!("{base}-{count}");
        count += 1;
    }
    ids.push(id.clone());
    id
}

/// Words joined by dashes, in small letters.
fn slug(text: &str, is_kept: fn(char) -> bool) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match is_kept(c) {
            true => out.push(c),
            false if out.is_empty() || out.ends_with('-') => {}
            false => out.push('-'),
        }
    }
    let short: String = out.chars().take(MAX_NAME).collect();
    short.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_begin_a_tag_is_printed() {
        let body = |text: &str| {
            let found = placeholders::find(text, &[]);
            let mut inputs = Vec::new();
            let reads: Vec<usize> =
                found.iter().map(|p| placeholders::input_of(&mut inputs, &p.name, &text[p.range.clone()])).collect();
            template(text, &found, &reads, &inputs)
        };
        assert_eq!(
            body("{x} {% if %} {{ y.z }} {# c #}"),
            "{{ x }} {{ '{%' }} if %} {{ '{{' }} y.z }} {{ '{#' }} c #}"
        );
        assert_eq!(body("{{x}}{"), "{{ x }}{");
        assert_eq!(body("{${x}}"), "{{ '{' }}{{ x }}}");
        assert_eq!(body("{{{ {x}"), "{{ '{{' }}{ {{ x }}");
    }

    #[test]
    fn names_are_made_of_words() {
        assert_eq!(name_of("CLAUDE.local.md"), "claude");
        assert_eq!(name_of(".cursorrules"), "cursorrules");
        assert_eq!(name_of("系统 提示.md"), "系统-提示");
        assert_eq!(name_of("agents.md"), "agents-prompt");
        assert_eq!(name_of("..."), "prompt");
        let mut ids = Vec::new();
        for heading in ["1. Tone & style", "Tone, style", "工具", "Default", "append 3", &"x".repeat(90)] {
            free_id(Some(heading), 9, &mut ids);
        }
        let long = "x".repeat(MAX_NAME);
        assert_eq!(ids, ["tone-style", "tone-style-2", "section", "default-section", "append-3-section", &long]);
    }

    #[test]
    fn the_usual_separator_wins_where_it_is_as_frequent() {
        assert_eq!(most_frequent(&["\n", "\n\n"]), "\n\n");
        assert_eq!(most_frequent(&["\n", "\n", "\n\n"]), "\n");
        assert_eq!(most_frequent(&[]), "\n\n");
    }
}
