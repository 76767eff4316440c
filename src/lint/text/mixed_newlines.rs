//! `mixed-newlines`: a file with carriage returns.

use crate::diag::{Diagnostic, Fix, LeftOut, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::source::{FileId, SourceFile, Span};

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "mixed-newlines",
    level: Severity::Info,
    summary: "a file whose lines end in carriage returns",
    doc: include_str!("mixed_newlines.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let sources = &view.workspace.sources;
    found.extend(sources.ids().filter_map(|id| message(id, sources.file(id))));
}

fn message(id: FileId, file: &SourceFile) -> Option<Diagnostic> {
    let (crlf, lone) = (file.crlf(), file.lone_cr());
    let first = crlf.first().into_iter().chain(lone.first()).min().copied()?;
    let all = file.text().bytes().filter(|&b| b == b'\n').count();
    let kinds = [("CRLF", crlf.len()), ("CR", lone.len()), ("LF", all - crlf.len() - lone.len())];
    let named: Vec<&str> = kinds.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
    let counts = kinds.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{count} {name}"));
    let found = Diagnostic::new(&INFO, Span { file: id, start: first, end: first }, headline(&named))
        .label("the first of them")
        .note(format!("they are read as LF; of the line ends are {}", counts.collect::<Vec<_>>().join(", ")))
        .help("write LF: `promptc lint --fix`")
        .help("or let git do it: `* text=auto eol=lf` in `.gitattributes`");
    Some(found.fix(Fix::dropping(LeftOut::CarriageReturns(id))))
}

fn headline(kinds: &[&str]) -> String {
    match kinds {
        [one] => format!("the lines of the file end in {one}"),
        several => format!("the lines of the file end in {}", several.join(" and ")),
    }
}
