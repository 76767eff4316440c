//! Messages in every format: what programs read is what is meant, and no value of a project makes a line, an element, a
//! link or an instruction of its own.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use promptc::diag::{Diagnostic, Edit, Fix, RuleInfo, Severity};
use promptc::report::{Format, Messages};
use promptc::source::{FileId, SourceMap, Span};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

use crate::support::{Project, run_in};

/// What values must not be able to say.
const HOSTILE: [&str; 48] = [
    "\u{1b}[31m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "\u{9d}8;;http://evil.example\u{9c}",
    "\r",
    "\n",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "\u{0}",
    "\u{8}",
    "\u{7f}",
    "\u{202e}",
    "\u{2066}",
    "\u{e0041}",
    "\u{fffe}",
    "\n::error file=x,line=1::forged",
    "\n  ::set-output name=x::y",
    "::error::forged",
    "x::error::forged",
    "%0A::error::forged",
    "%25",
    "a,line=1,title=b:c",
    "##[error]forged",
    "###vso[task.complete]",
    "]]>",
    "<script>alert(1)</script>",
    "</failure></testcase>",
    "\" onload=\"x",
    "&lt;b&gt; &amp;",
    "<!-- -->",
    "<img src=x onerror=y>",
    "|",
    "\\|",
    "\n| --- | --- |\n| a | b |",
    "`",
    "``",
    "a`b``c",
    "` <b> `",
    "[a](http://evil.example)",
    "![a](b) [c]: d",
    "http://evil.example www.evil.example a@b.example",
    "@maintainer #1 GH-12 !3 ~label %milestone $4 &5 deadbeef1",
    "\n/close",
    "\n- item\n1. item\n> quote\n# heading",
    "**a** _b_ ~~c~~ :smile:",
    "{0} {{1}}",
    "\\u{1b} \\n",
];

static RULE: &str = "undefined-input";

fn rule(name: &str) -> &'static RuleInfo {
    promptc::lint::rule(name).unwrap()
}

fn write(format: Format, list: &[Diagnostic], sources: &SourceMap) -> String {
    format.write(Messages { list, sources, folder: "" }, 140)
}

fn span(sources: &SourceMap, file: FileId, part: &str) -> Span {
    let at = sources.text(file).find(part).unwrap_or_else(|| panic!("no `{part}`"));
    Span::new(file, at..at + part.len())
}

/// One set for all formats: no place, one place, several, several lines, wide letters, CRLF and a BOM, signs that
/// formats use themselves, edits, every level.
fn shared() -> (SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let crlf = sources.add("prompts/a b,c%.toml", "\u{feff}[inputs]\r\nnäme = 1\r\nwhen = \"is_git\"\r\n".as_bytes());
    let wide = sources.add("prompts/系统/提示.md", "你好 {{ x }} 世界\nsecond line  \nthird\n".as_bytes());
    let (crlf, wide) = (crlf.unwrap(), wide.unwrap());
    let at = |file, part: &str| span(&sources, file, part);
    let list = vec![
        Diagnostic::for_file(rule("invalid-utf8"), "prompts/bad.md", "not UTF-8 at byte 7").help("save it as UTF-8"),
        Diagnostic::new(rule("wrong-type"), at(crlf, "1"), "`näme` is 100 % wrong: a, b; c\nand d")
            .label("a number")
            .note("counts: 1, 2")
            .help("write `näme = {}`")
            .help("or take it out"),
        Diagnostic::new(rule("static-conditional"), at(crlf, "\"is_git\""), "`is_git` is only known later")
            .label("decides here")
            .also(at(wide, "世界"), "and is printed here")
            .tokens(812),
        Diagnostic::new(rule("undefined-input"), at(wide, "x"), "`x` is not an input").level(Severity::Warning),
        Diagnostic::new(rule("trailing-whitespace"), at(wide, "second line  \nthird"), "blanks at the end")
            .level(Severity::Info)
            .fix(Fix { edits: vec![Edit { span: at(wide, "  "), text: String::new() }], safe: true, left_out: None }),
    ];
    (sources, list)
}

#[test]
fn one_set_in_every_format() {
    let (sources, list) = shared();
    for format in Format::ALL {
        let mut text = write(format, &list, &sources);
        if format == Format::Sarif {
            // All rules are described; those that occur stand for them here.
            let mut log: Value = serde_json::from_str(&text).unwrap();
            let used: BTreeSet<&str> = list.iter().map(|d| d.rule.name).collect();
            let rules = log.pointer_mut("/runs/0/tool/driver/rules").unwrap().as_array_mut().unwrap();
            rules.retain(|rule| used.contains(rule["id"].as_str().unwrap()));
            for rule in rules {
                rule.as_object_mut().unwrap().retain(|key, _| key == "id" || key == "defaultConfiguration");
            }
            for result in log.pointer_mut("/runs/0/results").unwrap().as_array_mut().unwrap() {
                result.as_object_mut().unwrap().remove("ruleIndex");
            }
            text = serde_json::to_string_pretty(&log).unwrap();
        }
        insta::assert_snapshot!(format!("messages-{}", format.name()), text);
    }
}

#[test]
fn sarif_says_where_and_describes_every_rule() {
    let (sources, list) = shared();
    let log: Value = serde_json::from_str(&write(Format::Sarif, &list, &sources)).unwrap();
    assert_eq!((&log["version"], &log["runs"][0]["columnKind"]), (&json!("2.1.0"), &json!("unicodeCodePoints")));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let names: Vec<&str> = rules.iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(names, promptc::lint::rules().iter().map(|r| r.name).collect::<Vec<_>>());
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[key]["text"].as_str().is_some_and(|text| text.len() > 3), "{rule}");
        }
        assert!(rule["help"]["markdown"].is_string(), "{rule}");
        assert!(["error", "warning", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
        assert!(!rule["name"].as_str().unwrap().contains('-'));
    }
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(
        results.iter().map(|r| r["level"].as_str().unwrap()).collect::<Vec<_>>(),
        ["error", "error", "error", "warning", "note"]
    );
    for result in results {
        assert_eq!(names[result["ruleIndex"].as_u64().unwrap() as usize], result["ruleId"].as_str().unwrap());
    }
    let place = |pointer: &str| log.pointer(&format!("/runs/0/results/{pointer}")).unwrap();
    let uri = |pointer: &str| place(&format!("{pointer}/physicalLocation/artifactLocation/uri"));
    let region = |pointer: &str| place(&format!("{pointer}/physicalLocation/region"));
    assert_eq!(uri("0/locations/0"), "prompts/bad.md");
    assert_eq!(region("0/locations/0"), &json!({ "startLine": 1 }));
    assert_eq!(uri("1/locations/0"), "prompts/a%20b%2Cc%25.toml");
    // The BOM and the CR are no characters of the text: `1` is the eighth letter of the second line.
    let eighth = json!({ "startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 9 });
    assert_eq!(region("1/locations/0"), &eighth);
    assert_eq!(
        place("1/message/text").as_str().unwrap().lines().next().unwrap(),
        "`näme` is 100 % wrong: a, b; c\\nand d."
    );
    assert_eq!(uri("2/relatedLocations/0"), "prompts/%E7%B3%BB%E7%BB%9F/%E6%8F%90%E7%A4%BA.md");
    let words = json!({ "startLine": 1, "startColumn": 12, "endLine": 1, "endColumn": 14 });
    assert_eq!(region("2/relatedLocations/0"), &words);
    assert_eq!(place("2/relatedLocations/0/message/text"), "and is printed here.");
    assert_eq!(place("2/properties"), &json!({ "tokens": 812 }));
    let lines = json!({ "startLine": 2, "startColumn": 1, "endLine": 3, "endColumn": 6 });
    assert_eq!(region("4/locations/0"), &lines);
    let replacement = place("4/fixes/0/artifactChanges/0/replacements/0");
    let blanks = json!({ "startLine": 2, "startColumn": 12, "endLine": 2, "endColumn": 14 });
    assert_eq!(replacement, &json!({ "deletedRegion": blanks, "insertedContent": { "text": "" } }));
}

#[test]
fn github_lines_are_what_the_runner_reads() {
    let (sources, list) = shared();
    let text = write(Format::Github, &list, &sources);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "::error file=prompts/bad.md,line=1,title=invalid-utf8::not UTF-8 at byte 7%0Ahelp: save it as UTF-8",
            "::error file=prompts/a b%2Cc%25.toml,line=2,col=8,endLine=2,endColumn=9,title=wrong-type::`näme` is 100 %25 wrong: \
         a, b; c\\nand d%0Aa number%0Anote: counts: 1, 2%0Ahelp: write `näme = {}`%0Ahelp: or take it out",
            "::error file=prompts/a b%2Cc%25.toml,line=3,col=8,endLine=3,endColumn=16,title=static-conditional::`is_git` is \
         only known later%0Adecides here",
            "::warning file=prompts/系统/提示.md,line=1,col=7,endLine=1,endColumn=8,title=undefined-input::`x` is not an input",
            "::notice file=prompts/系统/提示.md,line=2,endLine=3,title=trailing-whitespace::blanks at the end",
        ]
    );
}

#[test]
fn gitlab_and_junit_count_and_place() {
    let (sources, list) = shared();
    let issues: Value = serde_json::from_str(&write(Format::Gitlab, &list, &sources)).unwrap();
    let issues = issues.as_array().unwrap();
    assert_eq!(
        issues.iter().map(|i| i["severity"].as_str().unwrap()).collect::<Vec<_>>(),
        ["critical", "critical", "critical", "minor", "info"]
    );
    assert_eq!(issues[4]["location"], json!({ "path": "prompts/系统/提示.md", "lines": { "begin": 2, "end": 3 } }));
    assert_eq!(issues[1]["check_name"], "wrong-type");
    let prints: BTreeSet<&str> = issues.iter().map(|i| i["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(prints.len(), issues.len());

    let text = write(Format::Junit, &list, &sources);
    let document = roxmltree::Document::parse(&text).unwrap();
    let top = document.root_element();
    let counts = |node: roxmltree::Node<'_, '_>| {
        ["tests", "failures", "errors", "skipped"].map(|name| node.attribute(name).unwrap().parse::<usize>().unwrap())
    };
    assert_eq!(counts(top), [5, 3, 0, 2]);
    let suites: Vec<_> = top.children().filter(roxmltree::Node::is_element).collect();
    assert_eq!(
        suites.iter().map(|s| s.attribute("name").unwrap()).collect::<Vec<_>>(),
        ["prompts/bad.md", "prompts/a b,c%.toml", "prompts/系统/提示.md"]
    );
    assert_eq!(suites.iter().map(|s| counts(*s)).collect::<Vec<_>>(), [[1, 1, 0, 0], [2, 2, 0, 0], [2, 0, 0, 2]]);
    let failure = suites[1].descendants().find(|n| n.has_tag_name("failure")).unwrap();
    assert_eq!(failure.attribute("message").unwrap(), "`näme` is 100 % wrong: a, b; c\\nand d");
    assert!(failure.text().unwrap().starts_with("prompts/a b,c%.toml:2:8: error[wrong-type]: "));
}

#[test]
fn nothing_found_is_said_in_every_format() {
    let sources = SourceMap::default();
    let text = |format| write(format, &[], &sources);
    for format in [Format::Text, Format::Concise, Format::Github] {
        assert_eq!(text(format), "");
    }
    assert_eq!(text(Format::Gitlab), "[]\n");
    assert_eq!(text(Format::Markdown), "### promptc: no findings\n");
    let log: Value = serde_json::from_str(&text(Format::Sarif)).unwrap();
    assert_eq!(log["runs"][0]["results"], json!([]));
    let junit = text(Format::Junit);
    let junit = roxmltree::Document::parse(&junit).unwrap();
    assert_eq!(
        (junit.root_element().attribute("tests"), junit.root_element().attribute("failures")),
        (Some("1"), Some("0"))
    );
    assert_eq!(junit.descendants().filter(|n| n.has_tag_name("testcase")).count(), 1);
}

/// Every hostile value in every part of a message, alone, between backticks, and behind an open one.
#[test]
fn no_value_says_more_than_itself() {
    for value in HOSTILE {
        for form in [value.to_owned(), format!("`{value}`"), format!("a ` {value}"), format!("x{value}y`{value}``z")] {
            check(&form);
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 80, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(4), ..Default::default() })]

    #[test]
    fn no_sequence_of_values_says_more_than_itself(
        parts in proptest::collection::vec((0..HOSTILE.len(), "[a-z `:#|<>&@%\\[\\]()!_*-]{0,4}"), 1..6),
    ) {
        check(&parts.into_iter().map(|(n, more)| format!("{}{more}", HOSTILE[n])).collect::<String>());
    }
}

/// Lines of each format when the value is a harmless one.
static PLAIN: OnceLock<[usize; 8]> = OnceLock::new();

fn check(value: &str) {
    let (sources, list) = with(value);
    let plain = PLAIN.get_or_init(|| {
        let (sources, list) = with("value");
        Format::ALL.map(|format| write(format, &list, &sources).lines().count())
    });
    for (format, lines) in Format::ALL.into_iter().zip(plain) {
        let text = write(format, &list, &sources);
        let shown = format!("{} of {value:?}:\n{text}", format.name());
        for c in text.chars() {
            let unsafe_ =
                (c.is_control() && c != '\n') || matches!(c, '\u{2028}' | '\u{202e}' | '\u{2066}' | '\u{e0041}');
            assert!(!unsafe_, "{c:?} in {shown}");
        }
        assert_eq!(text.lines().count(), *lines, "lines of {shown}");
        for line in text.lines() {
            let start = line.trim_start();
            assert!(format == Format::Github || !start.starts_with("::") || start.starts_with("::: "), "{shown}");
            assert!(format == Format::Github || !is_instruction(line), "{shown}");
        }
        match format {
            Format::Json | Format::Sarif | Format::Gitlab => {
                serde_json::from_str::<Value>(&text).unwrap_or_else(|e| panic!("{e} in {shown}"));
            }
            Format::Junit => check_xml(&text, value),
            Format::Markdown => check_markdown(&text),
            Format::Github => check_commands(&text),
            Format::Text | Format::Concise => {}
        }
    }
    let report: Value = serde_json::from_str(&write(Format::Json, &list, &sources)).unwrap();
    assert_eq!(report["diagnostics"][0]["message"], value);
    assert_eq!(report["diagnostics"][0]["notes"][0], value);
    assert_eq!(report["diagnostics"][1]["path"], format!("prompts/{value}.md"));
}

/// Messages with a value wherever a value can stand. The texts that they point into have it as one line.
fn with(value: &str) -> (SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let line = value.replace(['\r', '\n'], " ");
    let file = sources.add("prompts/main.toml", format!("key = \"{line}\"\nother\n").as_bytes()).unwrap();
    let named = sources.add(format!("prompts/{value}.toml"), "key = 1\n".as_bytes()).unwrap();
    let at = span(&sources, file, "key");
    let list = vec![
        Diagnostic::new(rule(RULE), at, value)
            .label(value)
            .also(span(&sources, file, "other"), value)
            .note(value)
            .help(value)
            .fix(Fix { edits: vec![Edit { span: at, text: value.to_owned() }], safe: false, left_out: None }),
        Diagnostic::for_file(rule(RULE), format!("prompts/{value}.md"), "a name"),
        Diagnostic::new(rule(RULE), span(&sources, named, "key"), "a name").level(Severity::Info),
    ];
    (sources, list)
}

/// `##[`, `##vso[`, anywhere in a line.
fn is_instruction(line: &str) -> bool {
    line.match_indices("##")
        .any(|(at, _)| line[at + 2..].trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('['))
}

/// What a runner makes of it: three commands with the properties that were meant, in their order.
fn check_commands(text: &str) {
    for line in text.lines() {
        let (head, data) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (command, properties) = head.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&command), "{line}");
        let names: Vec<&str> = properties.split(',').map(|p| p.split_once('=').unwrap().0).collect();
        let place: &[&str] = if names.contains(&"col") { &["col", "endLine", "endColumn"] } else { &[] };
        assert_eq!(names, [&["file", "line"], place, &["title"]].concat(), "{line}");
        assert!(properties.ends_with(&format!("title={RULE}")), "{line}");
        for part in data.split('%').skip(1) {
            assert!(["25", "0A", "0D"].iter().any(|code| part.starts_with(code)), "{line}");
        }
    }
}

fn check_xml(text: &str, value: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let names: Vec<&str> = document.descendants().filter(|n| n.is_element()).map(|n| n.tag_name().name()).collect();
    let suites = [
        "testsuite",
        "testcase",
        "failure",
        "testsuite",
        "testcase",
        "failure",
        "testsuite",
        "testcase",
        "skipped",
        "system-out",
    ];
    assert_eq!(names, [&["testsuites"], &suites[..]].concat(), "{text}");
    assert!(!text.contains("]]>"), "{text}");
    // Harmless letters arrive as they are.
    if value.chars().all(|c| !c.is_control() && c.is_ascii()) {
        let failure = document.descendants().find(|n| n.has_tag_name("failure")).unwrap();
        assert_eq!(failure.attribute("message").unwrap(), value);
    }
}

/// A heading and a list, in which there is nothing but text, bold levels and code; and no text that a site links.
fn check_markdown(text: &str) {
    let mut in_item = 0;
    let mut plain = String::new();
    for event in Parser::new_ext(text, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Start(Tag::Item) => in_item += 1,
            Event::Start(Tag::Heading { .. } | Tag::List(None) | Tag::Paragraph | Tag::Strong) => {}
            // Items and their levels are words by themselves.
            Event::End(_) => plain.push('\n'),
            Event::Code(_) => plain.push('·'),
            Event::Text(part) => plain.push_str(&part),
            other => panic!("{other:?} in\n{text}"),
        }
    }
    assert_eq!(in_item, 3 + 3, "{text}");
    for word in plain.split_whitespace() {
        let is_reference = word.contains(['@', '#', '<', '>', '|', '[', ']', '!', '~', '$', '&', '`', '*', '_'])
            || word.contains("://")
            || word.contains("www.")
            || (word.len() > 1 && word.starts_with('/'))
            || word.matches(':').count() > 1
            || (word.len() >= 7 && word.chars().all(|c| c.is_ascii_hexdigit()));
        assert!(!is_reference, "`{word}` stands as text in\n{text}");
    }
}

/// What a finding is known by outlives lines that come and go above it, and other blanks in its own.
#[test]
fn fingerprints_outlive_other_lines() {
    let prints = |text: &str, parts: &[&str]| -> Vec<String> {
        let mut sources = SourceMap::default();
        let file = sources.add("prompts/main.toml", text.as_bytes()).unwrap();
        let mut from = 0;
        let list: Vec<Diagnostic> = parts
            .iter()
            .map(|part| {
                let at = from + text[from..].find(part).unwrap();
                from = at + part.len();
                Diagnostic::new(rule(RULE), Span::new(file, at..at + part.len()), "x")
            })
            .collect();
        let found: Value = serde_json::from_str(&write(Format::Gitlab, &list, &sources)).unwrap();
        let log: Value = serde_json::from_str(&write(Format::Sarif, &list, &sources)).unwrap();
        let found: Vec<String> =
            found.as_array().unwrap().iter().map(|i| i["fingerprint"].as_str().unwrap().to_owned()).collect();
        for (n, print) in found.iter().enumerate() {
            let both = &log["runs"][0]["results"][n]["partialFingerprints"];
            assert_eq!(both, &json!({ "promptc/v1": print, "primaryLocationLineHash": print }));
        }
        found
    };
    let before = prints("a = 1\nb = 2\na = 1\n", &["a", "b", "a"]);
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), 3, "the second of two equal lines is another");
    assert_eq!(prints("# new\n\na = 1\n  b  =  2\nc\na = 1\n", &["a", "b", "a"]), before);
    assert_ne!(prints("b = 3\n", &["b"])[0], before[1]);
}

#[test]
fn several_formats_at_once() {
    let project = Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"A.\"\ncolour = 1\n");
    let formats = ["--format", "sarif=out/a.sarif", "--format", "concise", "--format", "junit=out/deep/b.xml"];
    for command in [&["build"][..], &["lint"], &["tokens", "main"], &["resolve", "main"]] {
        let run = project.run(&[command, &formats].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        let line = "prompts/main.toml:5:1: error[unknown-key]: `[[section]]` has no key `colour`\n";
        let (told, other) = if command == ["lint"] { (&run.stdout, &run.stderr) } else { (&run.stderr, &run.stdout) };
        assert!(told.contains(line) && !other.contains(line), "{command:?}: {}{}", run.stdout, run.stderr);
        for (path, part) in [("out/a.sarif", "\"unknown-key\""), ("out/deep/b.xml", "type=\"unknown-key\"")] {
            let text = fs::read_to_string(project.path(path)).unwrap();
            assert!(text.contains(part), "{command:?}: {path}: {text}");
            fs::remove_file(project.path(path)).unwrap();
        }
    }
    // Without one for the terminal it gets text, as without any.
    let run = project.run(&["lint", "--format", "json=r.json"]);
    assert!(run.stdout.contains("\nerror[unknown-key]: "), "{}", run.stdout);
    let json = project.run(&["lint", "--format", "json"]).stdout;
    assert_eq!(fs::read_to_string(project.path("r.json")).unwrap(), json);
    let text = project.run(&["lint", "--format", "text=r.txt", "--color", "always"]).stdout;
    let file = fs::read_to_string(project.path("r.txt")).unwrap();
    assert!(text.contains('\u{1b}') && !file.contains('\u{1b}') && file.ends_with("\n1 error\n"), "{file}");
}

#[test]
fn formats_that_cannot_be_written_are_refused_before_any_work() {
    let project = Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"A.\"\n");
    project.write("promptc.toml", "");
    for (formats, why) in [
        (&["json", "concise"][..], "one format goes to the terminal"),
        (&["json=a", "sarif=./a"], "takes one format"),
        (&["json=prompts/main.toml"], "among the sources of the project"),
        (&["json=profiles/new.toml"], "among the sources of the project"),
        (&["json=promptc.toml"], "among the sources of the project"),
        (&["json=dist/../prompts/x/y"], "among the sources of the project"),
        (&["yaml"], "possible values: text, concise, json, sarif, github, gitlab, junit, markdown"),
        (&["json="], "invalid value 'json='"),
        (&["=a"], "invalid value '=a'"),
    ] {
        let mut args = vec!["build"];
        formats.iter().for_each(|format| args.extend(["--format", format]));
        let run = project.run(&args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(why), "{args:?}: {}", run.stderr);
        assert!(!project.path("dist").exists(), "{args:?}");
    }
    assert!(fs::read_to_string(project.path("prompts/main.toml")).unwrap().starts_with("[[section]]"));
}

/// Build servers show findings beside the files of a repository, so they name them from its top.
#[test]
fn programs_are_told_paths_from_the_top_of_the_repository() {
    let outer = Project::new();
    for (path, text) in
        [("agents/a b/prompts/main.toml", "colour = 1\n"), ("agents/a b/profiles/main.toml", crate::support::PROFILE)]
    {
        outer.write(path, text);
    }
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(outer.path("")).status().unwrap();
    assert!(git.success());
    let root = outer.path("agents/a b");
    for (folder, args) in
        [(outer.path(""), &["--root", "agents/a b"][..]), (root.clone(), &[]), (root.join("prompts"), &[])]
    {
        let run = |format: &str| run_in(&folder, &[&["lint", "--format", format], args].concat()).stdout;
        assert!(
            run("github").starts_with("::error file=agents/a b/prompts/main.toml,line=1,col=1,"),
            "{}",
            run("github")
        );
        assert!(run("sarif").contains("\"uri\": \"agents/a%20b/prompts/main.toml\""));
        assert!(run("gitlab").contains("\"path\": \"agents/a b/prompts/main.toml\""));
        assert!(run("junit").contains("<testsuite name=\"agents/a b/prompts/main.toml\""));
        assert!(run("markdown").contains("in `agents/a b/prompts/main.toml:1:1`: "));
        // People and scripts of the project are told from its root.
        assert!(run("concise").starts_with("prompts/main.toml:1:1: "));
        assert!(run("json").contains("\"path\": \"prompts/main.toml\""));
    }
}
