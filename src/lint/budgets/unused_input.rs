//! `unused-input`: an input that no profile reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::source::{Span, Spanned};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "unused-input",
    level: Severity::Info,
    summary: "an input that nothing reads",
    doc: include_str!("unused_input.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let mut declared: BTreeMap<Span, &Spanned<String>> = BTreeMap::new();
    let mut used: BTreeSet<Span> = BTreeSet::new();
    for made in view.made {
        let resolved = &made.compiled.resolved;
        let mut read = resolved.read_names();
        let variants = view.workspace.prompts.values().flat_map(|p| &p.variants);
        read.extend(variants.filter_map(|v| v.when.as_ref()).flat_map(|when| when.names()));
        for (name, input) in resolved.inputs.iter() {
            let place = input.definition.name.span;
            declared.insert(place, &input.definition.name);
            if read.contains(name) || name == crate::resolve::RUNTIME_TOOLS {
                used.insert(place);
            }
        }
    }
    found.extend(declared.iter().filter(|(place, _)| !used.contains(*place)).map(|(_, name)| message(name)));
}

fn message(name: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&INFO, name.span, format!("nothing reads the input `{}`", name.value))
        .label("in no condition and no text")
        .help("take it out, or use it")
}
