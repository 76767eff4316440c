//! `byte-order-mark`: a file that begins with a byte order mark.

use crate::diag::{Diagnostic, Fix, LeftOut, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::source::{FileId, Span};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "byte-order-mark",
    level: Severity::Info,
    summary: "a file that begins with a byte order mark",
    doc: include_str!("byte_order_mark.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let sources = &view.workspace.sources;
    found.extend(sources.ids().filter(|id| sources.file(*id).bom() > 0).map(message));
}

fn message(file: FileId) -> Diagnostic {
    Diagnostic::new(&INFO, Span::start_of(file), "the file begins with a byte order mark")
        .label("three bytes that nobody sees")
        .note("it is dropped when the file is read; other programs stumble over it")
        .help("drop it: `promptc lint --fix`")
        .fix(Fix::dropping(LeftOut::ByteOrderMark(file)))
}
