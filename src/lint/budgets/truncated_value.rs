//! `truncated-value`: a value that a limit cuts.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::input::{Plain, Value};
use crate::lint::{Artifact, Check, Rule};
use crate::source::{Span, Spanned};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Artifact(check) };

static INFO: RuleInfo = RuleInfo {
    name: "truncated-value",
    level: Severity::Info,
    summary: "a value that `max_chars` or `max_items` cuts",
    doc: include_str!("truncated_value.md"),
};

fn check(view: &Artifact<'_>, found: &mut Vec<Diagnostic>) {
    let Some(context) = view.context else { return };
    let sections = &view.subject.route.sections;
    let placed: Vec<_> = view.subject.fitted.plan.blocks.iter().flat_map(|b| &b.sections).collect();
    for entry in &context.entries {
        let input = view.subject.resolved.inputs.get(&entry.key).filter(|input| input.fixed.is_none());
        let Some((input, plain)) = input.and_then(|input| Some((input, input.definition.plain()?))) else { continue };
        let is_sent = placed.iter().any(|p| sections[p.index].reads.text.contains(&*entry.key.value));
        if let (true, Some(cut)) = (is_sent, cut(plain, &entry.value)) {
            found.push(message(&entry.key, input.definition.name.span, &cut));
        }
    }
}

/// What a limit leaves out.
struct Cut {
    limit: &'static str,
    most: usize,
    whole: usize,
    unit: &'static str,
}

fn cut(plain: &Plain, value: &Value) -> Option<Cut> {
    let (limit, most, whole, unit) = match value {
        Value::String(text) => ("max_chars", plain.max_chars?, text.chars().count(), "characters"),
        Value::List(items) => ("max_items", plain.max_items?, items.len(), "items"),
        _ => return None,
    };
    (whole > most).then_some(Cut { limit, most, whole, unit })
}

fn message(name: &Spanned<String>, defined: Span, cut: &Cut) -> Diagnostic {
    let Cut { limit, most, whole, unit } = *cut;
    Diagnostic::new(&INFO, name.span, format!("`{}` is cut to {most} {unit}", name.value))
        .label(format!("{whole} {unit}"))
        .also(defined, format!("`{limit} = {most}`"))
        .note(format!("{} {unit} are not sent; the text says so where they are missing", whole - most))
        .help(format!("raise `{limit}`, or give less"))
}
