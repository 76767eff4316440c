//! `value-not-sanitised`: text of others can end what it stands in.

use std::sync::Arc;

use crate::diag::{Diagnostic, RuleInfo, Severity, or_list};
use crate::lint::{Check, Route, Rule};
use crate::resolve::Section;
use crate::template::{Enclosure, Print};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "value-not-sanitised",
    level: Severity::Warning,
    summary: "foreign text that can end the element or fence it stands in",
    doc: include_str!("value_not_sanitised.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    for section in &view.route.sections {
        found.extend(section.reads.prints.iter().map(|print| section.finding(message(section, print))));
    }
}

fn message(section: &Section, print: &Print) -> Diagnostic {
    let names = or_list(print.inputs.iter().map(Arc::as_ref).collect::<Vec<&str>>());
    let (message, label) = match &print.inside {
        Some(Enclosure::Element(name)) => {
            (format!("{names} is foreign text and can end the element `<{name}>`"), "printed as it comes")
        }
        Some(Enclosure::Fence) => {
            (format!("{names} is foreign text and can end the fence around it"), "printed as it comes")
        }
        None => (format!("{names} is foreign text, and nothing says where it ends"), "printed as it comes"),
    };
    let found = Diagnostic::new(&INFO, print.span, message)
        .label(label)
        .also(section.span, "in this section")
        .note("whoever writes it can go on in your name: what follows looks like the rest of the prompt");
    let found = match &print.inside {
        Some(Enclosure::Element(name)) => found.help(format!(
            "put `| xml(\"{name}\")` in the place of the element: it writes both tags, and end tags inside as text"
        )),
        _ => found.help("wrap it by `| xml(\"NAME\")`, which writes both tags, and end tags inside as text"),
    };
    let found = found.help("or keep it short and on one line: `| one_line`, `| limit(80, \"..\")`");
    // Alone in a line of prose it is no worse than what its reader expects there.
    if print.inside.is_none() { found.level(Severity::Info) } else { found }
}
