//! Tiny projects, one a fact: tests/manifests/valid gives no finding, tests/manifests/invalid gives exactly those that
//! are written under its lines.
//!
//! A project is one text. It begins with the fact as a comment; `# file: PATH` begins a file of it. A profile for the
//! prompt `main` is there when no other is. Every profile is compiled ahead of time and with each of its fixtures.
//!
//! ```text
//! # A key that the language does not have.
//! # file: prompts/main.toml
//! [[section]]
//! colour = "red"
//! ^^^^^^ error[unknown-key]: part of headline, label, note or help
//! when = "is_git"
//! #      ^^^^^^^^ error[undefined-input]
//! ```
//!
//! Carets stand under the characters of the span; `|` is a span without characters, `^ to LINE:COLUMN` one of several
//! lines, `---- also[NAME]` another place of the finding NAME, `# at byte N: error[NAME]` a finding in a file that is no
//! text; in a project for `lint` the findings are those of all rules, and `# rules: NAME, NAME` ahead of the files leaves
//! only these and errors. A file may be written `, as hex`, `, with crlf`, `, with bom`, `, with ␠ for blanks` or `, of N bytes`. Ahead of the files may stand
//! `# route: LAYER`, `# simple`, and `# fault: WHY`: what is written there is right, and the program does not do it yet.
//! `# gives: PROFILE[/FIXTURE][/CELL]` begins the blocks that come out, each under its kind and scope (`-` for none); a
//! block that waits for values shows its sections, with `? TEMPLATE` those that do.

use std::collections::BTreeSet;
use std::fs;

use promptc::compile::{Compiler, Contexts, Request, Tasks, cells};
use promptc::diag::{Diagnostic, Levels, Place, Severity, Sink};
use promptc::diff::Side;
use promptc::emit::{Emitter, Subject};
use promptc::host::memory::Memory;
use promptc::manifest::Layer;
use promptc::plan::Scope;
use promptc::source::{SourceMap, Span};
use promptc::workspace::{Flags, Wanted, Workspace};

use crate::support::{PROFILE, root};

/// Rules that no file of a project can break in a test, and where they are tested.
const ELSEWHERE: [(&str, &str); 1] = [("too-many-messages", "limits::messages_that_are_not_shown_are_counted")];

#[test]
fn valid_projects_give_no_finding() {
    let cases = cases("valid");
    assert!(cases.len() >= 12);
    for case in &cases {
        assert_eq!(case.wanted, [], "{}: a valid project has no findings written under its lines", case.name);
        assert!(!case.gives.is_empty(), "{}: says nothing of what comes out", case.name);
    }
    run(&cases);
}

#[test]
fn invalid_projects_give_the_findings_under_their_lines() {
    let cases = cases("invalid");
    for case in &cases {
        assert_ne!(case.wanted, [], "{}: an invalid project has findings under its lines", case.name);
    }
    run(&cases);
}

#[test]
fn every_rule_is_broken_by_a_project() {
    let cases = cases("invalid");
    let broken: BTreeSet<&str> = cases.iter().flat_map(|c| &c.wanted).map(|told| told.name.as_str()).collect();
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(name, _)| *name).collect();
    let all: BTreeSet<&str> = promptc::compile::rules().iter().map(|rule| rule.name).collect();
    let told: BTreeSet<&str> = broken.union(&elsewhere).copied().collect();
    assert_eq!(told, all, "rules that are broken (left) and rules that there are (right) differ");
    assert!(broken.is_disjoint(&elsewhere), "a rule that a project breaks is not tested elsewhere");
}

#[test]
fn seven_mistakes_are_told_in_one_run() {
    let case = cases("invalid").into_iter().find(|c| c.name == "invalid/seven-mistakes").unwrap();
    assert_eq!(case.wanted.len(), 7);
    assert_eq!(case.compile().found.len(), 7);
}

#[test]
fn notes_under_lines_are_read_as_they_look() {
    let case = Case::parse(
        "x",
        "# Fact.\n# file: prompts/a.md, with crlf\nab\n^ error[one]: why\n# ^^^ warning[two]\n|   error[three]\n\
         # plain\n#--- also[one]\n# file: b, as hex\n61 ff\n# at byte 1: error[four]\n",
    );
    let places: Vec<String> =
        case.wanted.iter().map(|t| format!("{} {:?} {} {}", t.place, t.severity, t.name, t.words)).collect();
    assert_eq!(
        places,
        [
            "prompts/a.md:1:1-2 Error one why",
            "prompts/a.md:1:3-6 Warning two ",
            "prompts/a.md:1:1-1 Error three ",
            "b at byte 1 Error four ",
        ]
    );
    assert_eq!(case.also, [("prompts/a.md:2:2-5".to_owned(), "one".to_owned())]);
    let want = Memory::from_iter([
        ("prompts/a.md", &b"ab\r\n# plain\r\n"[..]),
        ("b", b"a\xff"),
        ("profiles/main.toml", PROFILE.as_bytes()),
    ]);
    assert_eq!(case.host, want);
}

#[test]
fn a_difference_is_seen_in_both_directions() {
    let differences = |under: &str, gives: &str| {
        let section = "[[section]]\nid = \"a\"\nzone = \"static\"\ntext = \"A.\"\n";
        Case::parse("x", &format!("# Fact.\n# file: prompts/main.toml\nkey = 1\n{under}{section}{gives}")).differences()
    };
    let right = "^^^ error[unknown-key]: the keys are\n";
    assert_eq!(differences(right, ""), "");
    let not_meant = "  not meant prompts/main.toml:1:1-4: Error[unknown-key] a prompt has no key `key`\n";
    assert_eq!(differences("", ""), not_meant);
    for wrong in [
        "^^^^ error[unknown-key]\n",
        "# ^^^ error[unknown-key]\n",
        "^^^ warning[unknown-key]\n",
        "^^^ error[wrong-type]\n",
    ] {
        let found = differences(wrong, "");
        assert!(found.starts_with("  expected  prompts/main.toml:1:") && found.ends_with(not_meant), "{wrong}{found}");
    }
    assert!(differences("^^^ error[unknown-key]: purple\n", "").contains("says `purple`, not:"));
    assert!(differences(&format!("{right}{right}"), "").contains("expected  prompts/main.toml:1:1-4"));
    assert!(differences(&format!("{right}--- also[unknown-key]\n"), "").contains("another place of [unknown-key]"));
    assert!(differences(right, "# gives: main\n== static global\nA.\n").contains("an artifact `main`"));
}

/// One project and what is expected of it.
pub struct Case {
    /// Folder and name of its file.
    pub name: String,
    /// Its files.
    pub host: Memory,
    wanted: Vec<Told>,
    /// Further places, each with the name of its finding.
    also: Vec<(String, String)>,
    /// Profile or PROFILE/FIXTURE, and the blocks that come out.
    gives: Vec<(String, String)>,
    route: Option<Layer>,
    simple: bool,
    fault: Option<String>,
    /// Of which rules findings are compared, besides errors; all, if none is named.
    rules: Vec<String>,
    /// The files that `lint` compares with.
    pub base: Option<Memory>,
}

/// What compiling a project gave.
pub struct Outcome {
    /// All findings.
    pub found: Vec<Diagnostic>,
    /// Every text that was read.
    pub sources: SourceMap,
    /// What came out.
    pub artifacts: Vec<Artifact>,
}

/// One artifact.
pub struct Artifact {
    /// PROFILE[/FIXTURE][/CELL].
    pub name: String,
    /// Its blocks as text.
    pub shown: String,
    /// Its blocks.json.
    pub json: String,
}

/// A finding, as it is written down.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Told {
    place: String,
    severity: Severity,
    name: String,
    /// What must occur in its words.
    words: String,
}

/// All projects of a folder below tests/manifests.
pub fn cases(folder: &str) -> Vec<Case> {
    let path = root().join("tests/manifests").join(folder);
    let mut names: Vec<String> =
        fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let read = |name: &String| {
        let stem = name.strip_suffix(".toml").expect("projects are written in .toml files");
        let text = fs::read_to_string(root().join("tests/manifests").join(folder).join(name)).unwrap();
        Case::parse(&format!("{folder}/{stem}"), &text)
    };
    names.iter().map(read).collect()
}

fn run(cases: &[Case]) {
    let mut wrong = String::new();
    for case in cases {
        let differences = case.differences();
        match (&case.fault, differences.is_empty()) {
            (None, true) | (Some(_), false) => {}
            (None, false) => wrong += &format!("{}:\n{differences}\n", case.name),
            (Some(why), true) => {
                wrong += &format!("{}: mended, take the line `# fault: {why}` away\n", case.name);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A project with all that there is to compile.
fn load(host: &Memory) -> (Workspace, Tasks) {
    let mut workspace = Workspace::load(host, Wanted::All, &Flags::default()).unwrap();
    let tasks = promptc::compile::tasks(&mut workspace, host, Contexts::All, &mut Sink::default()).unwrap();
    (workspace, tasks)
}

impl Case {
    fn parse(name: &str, text: &str) -> Case {
        let start = text.find("\n# file: ").unwrap_or_else(|| panic!("{name}: no `# file: PATH`"));
        let (head, rest) = text.split_at(start + 1);
        let mut case = Case {
            name: name.to_owned(),
            host: Memory::default(),
            wanted: Vec::new(),
            also: Vec::new(),
            gives: Vec::new(),
            route: None,
            simple: false,
            fault: None,
            rules: Vec::new(),
            base: None,
        };
        let fact = head.lines().take_while(|line| line.starts_with("# ")).last().unwrap_or_default();
        assert!(fact.ends_with('.'), "{name}: begin with the fact, as a sentence");
        for line in head.lines() {
            if let Some(layer) = line.strip_prefix("# route: ") {
                case.route = Some(Layer::from_name(layer).unwrap());
            } else if let Some(why) = line.strip_prefix("# fault: ") {
                case.fault = Some(why.to_owned());
            } else if let Some(names) = line.strip_prefix("# rules: ") {
                case.rules = names.split(", ").map(str::to_owned).collect();
            } else if line == "# simple" {
                case.simple = true;
            } else {
                assert!(line.starts_with("# ") || line.is_empty(), "{name}: {line}");
            }
        }
        let mut parts: Vec<(&str, String)> = Vec::new();
        for line in rest.lines() {
            if line.starts_with("# file: ") || line.starts_with("# gives: ") {
                parts.push((line, String::new()));
            } else {
                parts.last_mut().unwrap().1.push_str(&format!("{line}\n"));
            }
        }
        let mut has_profile = false;
        for (header, body) in parts {
            if let Some(what) = header.strip_prefix("# gives: ") {
                case.gives.push((what.to_owned(), body.trim_matches('\n').to_owned()));
                continue;
            }
            let mut words = header["# file: ".len()..].split(", ");
            let path = words.next().unwrap();
            has_profile |= body.lines().any(|line| line == "[target]") || path == "profiles/main.toml";
            let body = case.strip(path, &body);
            case.host.insert(path, words.fold(body.into_bytes(), written));
        }
        if !has_profile {
            case.host.insert("profiles/main.toml", PROFILE);
        }
        case
    }

    /// The text of a file, what stands under its lines taken out and kept.
    fn strip(&mut self, path: &str, body: &str) -> String {
        let mut text = String::new();
        let mut line = 0;
        for written in body.lines() {
            if let Some(note) = Note::parse(written) {
                let place = match note.columns {
                    Columns::Byte(byte) => format!("{path} at byte {byte}"),
                    Columns::From(start, end) => format!("{path}:{line}:{start}-{end}"),
                    Columns::Upto(start, end) => format!("{path}:{line}:{start}-{end}"),
                };
                match note.severity {
                    Some(severity) => self.wanted.push(Told { place, severity, name: note.name, words: note.words }),
                    None => self.also.push((place, note.name)),
                }
                continue;
            }
            line += 1;
            text.push_str(written);
            text.push('\n');
        }
        format!("{}\n", text.trim_end_matches('\n'))
    }

    /// A project from the page of a rule: a text that names no file is the manifest `main`. Only findings of the rule, and
    /// errors, are compared.
    pub fn of_page(rule: &str, text: &str) -> Case {
        let start = if text.starts_with("# file: ") { "" } else { "# file: prompts/main.toml\n" };
        let mut case = Case::parse(rule, &format!("# Page.\n{start}{text}"));
        case.rules.push(rule.to_owned());
        case
    }

    /// Whether findings are written under its lines.
    pub fn wants_findings(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// What `lint` finds that is not written, and what is written and not found.
    pub fn lint_differences(&self) -> String {
        let outcome = self.lint();
        outcome.check();
        self.differences_from(&outcome)
    }

    /// What `lint` finds of the rules that are compared, and errors.
    pub fn lint(&self) -> Outcome {
        let mut workspace = Workspace::load(&self.host, Wanted::All, &Flags::default()).unwrap();
        let mut sink = Sink::new(promptc::compile::levels(&workspace.project));
        sink.extend(workspace.said_of_project().to_vec());
        let tasks = promptc::compile::tasks(&mut workspace, &self.host, Contexts::All, &mut sink).unwrap();
        let before = self.base.as_ref().map(load);
        let before = before.as_ref().map(|(workspace, tasks)| Side::compile(workspace, tasks, Vec::new()));
        promptc::lint::lint(&workspace, &tasks, Wanted::All, before.as_ref(), &mut sink);
        let mut found = sink.into_sorted(&workspace.sources);
        let compared = |d: &Diagnostic| {
            self.rules.is_empty() || d.severity() == Severity::Error || self.rules.iter().any(|r| r == d.rule.name)
        };
        found.retain(compared);
        Outcome { found, sources: workspace.sources, artifacts: Vec::new() }
    }

    /// Compiles the project as [`compile`] does.
    pub fn compile(&self) -> Outcome {
        compile(&self.host, Wanted::All, self.route, self.simple)
    }

    /// What is expected and did not come, and what came and was not expected.
    fn differences(&self) -> String {
        self.differences_from(&self.compile())
    }

    fn differences_from(&self, outcome: &Outcome) -> String {
        let mut out = String::new();
        let mut left: Vec<&Diagnostic> = outcome.found.iter().collect();
        for wanted in &self.wanted {
            let there = |d: &Diagnostic| told(d, &outcome.sources) == Told { words: String::new(), ..wanted.clone() };
            let found = left.iter().position(|d| there(d) && words(d).contains(&wanted.words));
            match found.or_else(|| left.iter().position(|d| there(d))) {
                None => out += &format!("  expected  {}: {:?}[{}]\n", wanted.place, wanted.severity, wanted.name),
                Some(at) => {
                    let words = words(left.remove(at));
                    if found.is_none() {
                        let Told { place, name, words: part, .. } = wanted;
                        out += &format!("  expected  {place}: [{name}] says `{part}`, not:\n{words}\n");
                    }
                }
            }
        }
        for diagnostic in left {
            let told = told(diagnostic, &outcome.sources);
            out += &format!("  not meant {}: {:?}[{}] {}\n", told.place, told.severity, told.name, diagnostic.message);
        }
        for (at, name) in &self.also {
            let mut labels = outcome.found.iter().filter(|d| d.rule.name == name).flat_map(|d| &d.labels);
            if !labels.any(|label| place(label.span, &outcome.sources) == *at) {
                out += &format!("  expected  {at}: another place of [{name}]\n");
            }
        }
        for (name, blocks) in &self.gives {
            match outcome.artifacts.iter().find(|a| a.name == *name) {
                None => out += &format!("  expected  an artifact `{name}`\n"),
                Some(Artifact { shown, .. }) if shown == blocks => {}
                Some(Artifact { shown, .. }) => {
                    out += &format!("  expected  of `{name}`:\n{blocks}\n  found:\n{shown}\n");
                }
            }
        }
        out
    }
}

/// Compiles profiles, every cell of them, ahead of time and with each fixture. Where there is no error there is an
/// artifact, and where there is one there is none.
pub fn compile(host: &Memory, wanted: Wanted<'_>, route: Option<Layer>, simple: bool) -> Outcome {
    let mut workspace = Workspace::load(host, wanted, &Flags::default()).unwrap();
    // As `build` tells it.
    let mut sink = Sink::new(Levels::default().without_info());
    sink.extend(workspace.said_of_project().to_vec());
    let mut jobs = Vec::new();
    for profile in workspace.profiles.keys().cloned().collect::<Vec<_>>() {
        jobs.push((profile.clone(), None));
        for fixture in workspace.profiles[&profile].fixtures.clone() {
            let name = &fixture.name.value;
            match workspace.context(host, &profile, name).unwrap() {
                Ok(context) => jobs.push((format!("{profile}/{name}"), Some(context))),
                Err(found) => sink.extend(found),
            }
        }
    }
    let compiler = Compiler::new(&workspace);
    let mut artifacts = Vec::new();
    for (name, context) in &jobs {
        let profile = name.split('/').next().unwrap();
        for cell in cells(&workspace, profile) {
            let before = sink.errors();
            let request = Request { profile, cell: &cell, context: context.as_ref(), route, simple };
            let compiled = compiler.compile(request, &mut sink);
            let subject = compiled.as_ref().and_then(|c| c.subject(&workspace));
            assert_eq!(subject.is_some(), sink.since(before).is_ok(), "{name}: an artifact, or an error");
            if let Some(subject) = subject {
                artifacts.push(Artifact {
                    name: format!("{name}{}", cell_name(&subject)),
                    shown: shown(&subject),
                    json: Emitter::Blocks.emit(&subject),
                });
            }
        }
    }
    let outcome = Outcome { found: sink.into_sorted(&workspace.sources), sources: workspace.sources, artifacts };
    outcome.check();
    outcome
}

impl Outcome {
    /// Findings are sorted by place, and every place is a piece of its file.
    fn check(&self) {
        let key = |d: &Diagnostic| match &d.place {
            Place::Span(span) => (self.sources.path(span.file).to_owned(), u64::from(span.start)),
            Place::File { path, bad } => (path.clone(), bad.map_or(0, |bad| bad.offset as u64)),
        };
        assert!(self.found.is_sorted_by_key(key), "{:#?}", self.found);
        for diagnostic in &self.found {
            let own = match diagnostic.place {
                Place::Span(span) => Some(span),
                Place::File { .. } => None,
            };
            for span in own.into_iter().chain(diagnostic.labels.iter().map(|l| l.span)) {
                assert!(self.sources.text(span.file).get(span.range()).is_some(), "{diagnostic:#?}");
            }
        }
    }
}

/// The bytes of a file that is written in another way.
fn written(bytes: Vec<u8>, how: &str) -> Vec<u8> {
    let text = || String::from_utf8(bytes.clone()).unwrap();
    let size = how.strip_prefix("of ").and_then(|rest| rest.strip_suffix(" bytes"));
    match (how, size) {
        (_, Some(size)) => vec![b'x'; size.parse().unwrap()],
        ("as hex", _) => text().split_whitespace().map(|hex| u8::from_str_radix(hex, 16).unwrap()).collect(),
        ("with crlf", _) => text().replace('\n', "\r\n").into_bytes(),
        ("with ␠ for blanks", _) => text().replace('␠', " ").into_bytes(),
        ("with bom", _) => format!("\u{feff}{}", text()).into_bytes(),
        _ => panic!("a file cannot be written `{how}`"),
    }
}

/// What stands under a line.
struct Note {
    columns: Columns,
    /// None for another place of a finding.
    severity: Option<Severity>,
    name: String,
    words: String,
}

enum Columns {
    /// First and one past the last, from 1.
    From(usize, usize),
    /// First, and LINE:COLUMN of the end.
    Upto(usize, String),
    /// An offset, from 0.
    Byte(u64),
}

impl Note {
    fn parse(line: &str) -> Option<Note> {
        let byte = line.strip_prefix("# at byte ").and_then(|rest| rest.split_once(": "));
        let (columns, rest) = match byte {
            Some((byte, rest)) => (Columns::Byte(byte.parse().ok()?), rest),
            None => {
                let plain = line.strip_prefix('#').map_or_else(|| line.to_owned(), |rest| format!(" {rest}"));
                let start = plain.find(|c| c != ' ')?;
                let mark = plain[start..].chars().next().filter(|c| matches!(c, '^' | '-' | '|'))?;
                let length = plain[start..].find(|c| c != mark)?;
                let end = start + if mark == '|' { 0 } else { length };
                let rest = line[start + length..].trim_start();
                if (mark == '-') != rest.starts_with("also[") {
                    return None;
                }
                match rest.strip_prefix("to ").and_then(|rest| rest.split_once(' ')) {
                    Some((end, rest)) => (Columns::Upto(start + 1, end.to_owned()), rest),
                    None => (Columns::From(start + 1, end + 1), rest),
                }
            }
        };
        let (kind, rest) = rest.split_once('[')?;
        let (name, words) = rest.split_once(']')?;
        let severity = match kind {
            "error" => Some(Severity::Error),
            "warning" => Some(Severity::Warning),
            "info" => Some(Severity::Info),
            "also" => None,
            _ => return None,
        };
        let words = words.strip_prefix(": ").unwrap_or_default().to_owned();
        Some(Note { columns, severity, name: name.to_owned(), words })
    }
}

fn told(diagnostic: &Diagnostic, sources: &SourceMap) -> Told {
    let place = match &diagnostic.place {
        Place::Span(span) => place(*span, sources),
        Place::File { path, bad: Some(bad) } => format!("{path} at byte {}", bad.offset),
        Place::File { path, bad: None } => path.clone(),
    };
    let name = diagnostic.rule.name.to_owned();
    Told { place, severity: diagnostic.severity(), name, words: String::new() }
}

fn place(span: Span, sources: &SourceMap) -> String {
    let file = sources.file(span.file);
    let lines = file.lines();
    let (start, end) = (lines.position(file.text(), span.start), lines.position(file.text(), span.end));
    let line = if start.line == end.line { String::new() } else { format!("{}:", end.line) };
    format!("{}:{}:{}-{line}{}", file.path(), start.line, start.column, end.column)
}

/// Everything that a finding says.
fn words(diagnostic: &Diagnostic) -> String {
    let Diagnostic { message, label, labels, notes, help, .. } = diagnostic;
    let labels = labels.iter().map(|l| &l.text);
    let all: Vec<&str> =
        [message, label].into_iter().chain(labels).chain(notes).chain(help).map(String::as_str).collect();
    all.join("\n")
}

fn cell_name(subject: &Subject<'_>) -> String {
    let name = promptc::emit::cell_name(&subject.resolved.cell);
    if name.is_empty() { name } else { format!("/{name}") }
}

/// The blocks of an artifact, each under its kind; of an open one the ids and templates of its sections.
fn shown(subject: &Subject<'_>) -> String {
    let mut out = Vec::new();
    for block in &subject.fitted.plan.blocks {
        let text = match &block.text {
            Some(text) => text.text.clone(),
            None => {
                let sections = block.sections.iter().map(|placed| {
                    let id = &subject.route.sections[placed.index].id;
                    placed.template.as_ref().map_or_else(|| id.clone(), |t| format!("{id}? {}", t.trim_end()))
                });
                sections.collect::<Vec<_>>().join("\n")
            }
        };
        let scope = block.scope.map_or("-", Scope::name);
        out.push(format!("== {} {scope}\n{text}", block.kind.name()));
    }
    out.join("\n")
}
