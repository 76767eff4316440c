//! `unrendered-placeholder`: a placeholder that nothing fills.

use std::ops::Range;
use std::sync::LazyLock;

use fancy_regex::Regex;

use super::fences::code;
use super::values;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Artifact, Check, Project, Rule, Written};
use crate::resolve::{Section, Source};

pub(in crate::lint) static RULE: Rule = Rule {
    info: &INFO,
    check: Check::Several(&[Check::Project(in_texts), Check::Project(in_additions), Check::Artifact(in_values)]),
};

static INFO: RuleInfo = RuleInfo {
    name: "unrendered-placeholder",
    level: Severity::Warning,
    summary: "a placeholder that stands in the output as it is written",
    doc: include_str!("unrendered_placeholder.md"),
};

/// A placeholder with its name: `{{ name }}`, `{% word`, `${name}`, `%s`, `%(name)s`.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?<braces>\{\{-?\s*(?<name>[A-Za-z_][A-Za-z0-9_]*)[^{}\n]*\}\})|(?<tag>\{%-?\s*(?:if|for|set|include|macro|end[a-z]+|else|elif)\b[^{}\n]*%\})|(?<dollar>\$\{(?<var>[A-Za-z_][A-Za-z0-9_.]*)\})|(?<percent>(?<![\w%])%(?:s|d|\([a-z_]+\)s)(?!\w))",
    )
    .expect("the pattern is our own")
});

/// Most placeholders of one text that are told one by one.
const MANY: usize = 3;

/// How a placeholder is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// As in a template of this language.
    Template,
    /// As in another one.
    Other,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Placeholder {
    range: Range<usize>,
    form: Form,
    name: Option<String>,
    in_code: bool,
}

fn in_texts(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let is_input = |name: &str| view.made.iter().any(|m| m.compiled.resolved.inputs.get(name).is_some());
    for written in view.written() {
        let known = |p: &Placeholder| p.name.as_deref().is_some_and(is_input);
        let mut open = Vec::new();
        for placeholder in placeholders(&written.text.text) {
            let told = match (written.section.verbatim, written.section.is_layer()) {
                // Everything that looks like a template is one, but what is said to be raw.
                (false, _) => {
                    placeholder.form == Form::Other && !placeholder.in_code && !in_template(&written, &placeholder)
                }
                // Nobody has said that this text is no template.
                (true, true) => known(&placeholder) || !placeholder.in_code,
                (true, false) => known(&placeholder),
            };
            if told {
                open.push(placeholder);
            }
        }
        // A text of many placeholders is one template that nobody renders.
        let shown = if open.len() > MANY { &open[..1] } else { &open[..] };
        found.extend(shown.iter().map(|p| written.section.finding(message(&written, p, open.len() - shown.len()))));
    }
}

/// What is added to a section's text as it is written: its heading, and the note of `freeze`.
fn in_additions(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    for route in view.routes() {
        for section in &route.route.sections {
            let note = section.freeze.as_ref().map(|note| (note.value.as_str(), note.span, "the note of `freeze`"));
            for (text, place, what) in [(section.heading.as_str(), section.span, "the heading")].into_iter().chain(note)
            {
                if let Some(first) = placeholders(text).into_iter().find(|p| p.form == Form::Template && !p.in_code) {
                    let message = format!("`{}` stands in the output as it is", &text[first.range]);
                    let diagnostic = Diagnostic::new(&INFO, place, message)
                        .label(format!("{what} is no template"))
                        .note("a model reads the placeholder where a value was meant")
                        .help("say it without the value, or print the value in the text of the section");
                    found.push(section.finding(diagnostic));
                }
            }
        }
    }
}

/// Whether a place of a template is inside a tag, or in a part that is said to be raw.
fn in_template(written: &Written<'_>, placeholder: &Placeholder) -> bool {
    let before = &written.text.text[..placeholder.range.start];
    let open = |start: &str, end: &str| before.rfind(start).is_some_and(|at| before[at..].find(end).is_none());
    open("{{", "}}") || open("{%", "%}") || open("{#", "#}") || open("{% raw", "endraw")
}

/// Values that are a layer's text: whoever gives them may take them for templates.
fn in_values(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let inputs = &view.subject.resolved.inputs;
    let first = |text: &str| {
        let named = |p: &Placeholder| p.name.as_deref().is_some_and(|name| inputs.get(name).is_some());
        placeholders(text).into_iter().find(named).map(|p| (p.range, ()))
    };
    for brought in values::brought(view, &first) {
        if let (Source::Input(_), true) = (&brought.section.source, brought.section.verbatim) {
            let message = format!("`{}` stands in the output as it is", brought.found);
            let diagnostic = Diagnostic::new(&INFO, brought.place, message)
                .label(format!("the value of `{}` is no template", brought.input))
                .note("it names an input, and whoever gave it may have expected its value")
                .help(way_out(brought.section));
            found.push(brought.section.finding(diagnostic));
        }
    }
}

fn placeholders(text: &str) -> Vec<Placeholder> {
    let code = code(text);
    let found = PLACEHOLDER.captures_iter(text).filter_map(Result::ok);
    found
        .filter_map(|captures| {
            let range = captures.get(0)?.range();
            let group = |name: &str| captures.name(name).map(|m| m.as_str().to_owned());
            let form = if group("braces").or(group("tag")).is_some() { Form::Template } else { Form::Other };
            let var = group("var");
            // `${HOME}` is how a shell writes it.
            let shell = var.as_deref().is_some_and(|name| !name.contains(|c: char| c.is_ascii_lowercase()));
            let in_code = code.iter().any(|part| part.contains(&range.start));
            (!shell).then(|| Placeholder { range, form, name: group("name").or(var), in_code })
        })
        .collect()
}

fn message(written: &Written<'_>, placeholder: &Placeholder, more: usize) -> Diagnostic {
    let shown = &written.text.text[placeholder.range.clone()];
    let place = written.text.span(placeholder.range.clone());
    let found = Diagnostic::new(&INFO, place, format!("`{shown}` stands in the output as it is"))
        .label("nothing fills it")
        .note("a model reads the placeholder where a value was meant");
    let found = if more > 0 { found.note(format!("{more} more stand in the same text")) } else { found };
    match (placeholder.form, &placeholder.name) {
        (Form::Template, _) => found.help(way_out(written.section)),
        (Form::Other, Some(name)) => {
            found.help(format!("write `{{{{ {name} }}}}`: that is how a template names an input"))
        }
        (Form::Other, None) => found.help("write `{{ NAME }}`: that is how a template names an input"),
    }
    .help("or, where it is an example, put it in a code span")
}

fn way_out(section: &Section) -> &'static str {
    match section.is_layer() {
        true => "say `render = true` on the link or item, if its text is a template",
        false => "drop `verbatim = true`, if the text is a template",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, bool)> {
        placeholders(text).into_iter().map(|p| (text[p.range].to_owned(), p.in_code)).collect()
    }

    #[test]
    fn placeholders_are_told_from_braces_and_signs() {
        assert_eq!(
            found("Hi {{name}} {{ a.b | upper }} {% if x %} ${user_name} for %s, %(count)s and `{{ sample }}`"),
            [
                ("{{name}}", false),
                ("{{ a.b | upper }}", false),
                ("{% if x %}", false),
                ("${user_name}", false),
                ("%s", false),
                ("%(count)s", false),
                ("{{ sample }}", true),
            ]
            .map(|(text, code)| (text.to_owned(), code))
        );
        for text in [
            r#"{"a": {"b": 1}} {BED} {} {{}} {{1}} {{"a": 1}}"#,
            "100%s 50 %stuff %%s 5%sure ${HOME}/bin $NAME ${XDG_DATA_HOME} $(date) {{{",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
