//! Habits as tests: what may import what, where IO is at home, sizes, words, and that every rule is known.
//!
//! The table of levels is also in docs/architecture.md. A new edge changes both in one commit that says why.

mod rust;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use self::rust::{Token, sources};
use crate::support::root;

/// Every module of the crate and its level. A module may import from lower levels only.
const LEVELS: [(&str, u8); 29] = [
    ("source", 0),
    ("digest", 0),
    ("hunks", 0),
    ("json", 0),
    ("limits", 0),
    ("diag", 1),
    ("host", 1),
    ("tokens", 1),
    ("input", 2),
    ("expr", 3),
    ("template", 3),
    ("manifest", 4),
    ("workspace", 5),
    ("resolve", 6),
    ("select", 7),
    ("render", 8),
    ("variants", 9),
    ("plan", 10),
    ("emit", 11),
    ("compile", 12),
    ("diff", 13),
    ("snapshot", 13),
    ("import", 13),
    ("verify", 13),
    ("lint", 14),
    ("report", 15),
    ("cli", 16),
    ("lib", 17),
    ("main", 18),
];

/// Edges that the table forbids and that stand all the same, each with its reason.
const EXCEPTIONS: [(&str, &str, &str); 1] = [("template", "expr", "names of messages are shared")];

/// Crates that one module keeps to itself.
const HOMES: [(&str, &str); 8] = [
    ("annotate_snippets", "report"),
    ("clap", "cli"),
    ("minijinja", "template"),
    ("notify", "host"),
    ("rayon", "compile"),
    ("rustix", "host"),
    ("self_cell", "template"),
    ("signal_hook", "cli"),
];

/// Parts of the standard library that reach outside.
const OUTSIDE: [&str; 6] = ["env", "fs", "net", "process", "thread", "time"];

/// Macros that print, or that stand for work to be done.
const FORBIDDEN_MACROS: [&str; 7] = ["dbg", "eprint", "eprintln", "print", "println", "todo", "unimplemented"];

/// Most lines of a file, the first pattern that its path begins with.
const SIZES: [(&str, usize); 3] = [("main.rs", 20), ("cli/", 300), ("", 500)];

#[test]
fn modules_import_from_lower_levels_only() {
    let levels: BTreeMap<&str, u8> = LEVELS.into();
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for file in sources() {
        let from = file.module().to_owned();
        let Some(level) = levels.get(from.as_str()) else {
            wrong.push(format!("{}: the module `{from}` is not in the table", file.path));
            continue;
        };
        for (line, path) in file.paths("crate") {
            let to = path[1].as_str();
            let exception = EXCEPTIONS.iter().find(|e| (e.0, e.1) == (&from, to));
            match levels.get(to) {
                _ if to == from => {}
                Some(other) if other < level => {}
                _ if exception.is_some() => _ = used.insert(exception),
                Some(other) => {
                    wrong.push(format!("{}:{line}: `{from}` (level {level}) imports `{to}` (level {other})", file.path))
                }
                None => wrong.push(format!("{}:{line}: `crate::{to}` is no module of the table", file.path)),
            }
        }
        for (line, path) in file.paths("super") {
            let up = path.iter().take_while(|part| *part == "super").count();
            if up >= file.depth_at(line) {
                wrong.push(format!("{}:{line}: `super` leaves the module `{from}`: say `crate::`", file.path));
            }
        }
        for (line, path) in file.paths("promptc") {
            if (from.as_str(), path.get(1).map(String::as_str)) != ("main", Some("cli")) {
                wrong.push(format!("{}:{line}: `main.rs` uses `cli`, and no other file names the crate", file.path));
            }
        }
    }
    wrong.extend(EXCEPTIONS.iter().filter(|e| !used.contains(&Some(e))).map(|e| format!("no edge needs {e:?}")));
    none(&wrong, "imports");
}

#[test]
fn lib_declares_modules_in_the_order_of_their_levels() {
    let levels: BTreeMap<&str, u8> = LEVELS.into();
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let declared: Vec<&str> = lib.lines().filter_map(|l| l.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let modules: BTreeSet<String> = sources().iter().map(|f| f.module().to_owned()).collect();
    let known: BTreeSet<String> =
        declared.iter().map(|&m| m.to_owned()).chain(["lib", "main"].map(str::to_owned)).collect();
    assert_eq!(known, modules, "src/lib.rs declares each module, publicly, and nothing else");
    assert!(declared.is_sorted_by_key(|module| levels.get(module)), "{declared:?}");
}

#[test]
fn the_architecture_page_has_the_same_table() {
    let path = root().join("docs/architecture.md");
    let page = fs::read_to_string(path).unwrap_or_default();
    assert!(
        !page.is_empty(),
        "docs/architecture.md is missing: it has the table of modules that this file has as data"
    );
    let mut told: BTreeMap<String, u8> = BTreeMap::new();
    for row in page.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        if let [level, modules, ..] = cells.as_slice()
            && let Ok(level) = level.parse()
        {
            told.extend(modules.split(',').map(|m| (m.trim().trim_matches('`').to_owned(), level)));
        }
    }
    let here: BTreeMap<String, u8> =
        LEVELS.iter().filter(|(m, _)| !["lib", "main"].contains(m)).map(|&(m, level)| (m.to_owned(), level)).collect();
    assert_eq!(told, here, "docs/architecture.md (left) and tests/it/tidy.rs (right) have different tables");
}

#[test]
fn files_say_what_they_own_and_stay_small() {
    let mut wrong = Vec::new();
    for file in sources() {
        if !file.text.starts_with("//! ") {
            wrong.push(format!("{}: begin with `//!`: what it owns, what it must not know", file.path));
        }
        let lines = file.text.lines().count();
        let most = SIZES.iter().find(|(start, _)| file.path.starts_with(start)).unwrap().1;
        if lines > most {
            wrong.push(format!("{}: {lines} lines, at most {most}", file.path));
        }
    }
    none(&wrong, "files");
}

#[test]
fn io_and_some_crates_have_one_home() {
    let mut wrong = Vec::new();
    for file in sources() {
        let homes = ["host/disk.rs", "host/git", "host/publish/", "host/seen.rs", "host/watch.rs", "cli/"];
        let io_is_at_home = homes.iter().any(|home| file.path.starts_with(home));
        for (line, path) in file.paths("std") {
            let part = path.get(1).map_or("", String::as_str);
            let is_exit_code = file.path == "main.rs" && path[1..] == ["process", "ExitCode"];
            if OUTSIDE.contains(&part) && !io_is_at_home && !is_exit_code {
                wrong.push(format!("{}:{line}: `std::{part}` outside `host` and `cli`", file.path));
            }
        }
        for (line, word) in file.words() {
            if word == "disallowed_methods" && !io_is_at_home {
                wrong.push(format!("{}:{line}: IO is reopened outside `host` and `cli`", file.path));
            }
        }
        for (name, home) in HOMES {
            let from = if file.module() == home { Vec::new() } else { file.paths(name) };
            wrong.extend(from.iter().map(|(line, _)| format!("{}:{line}: `{name}` outside `{home}`", file.path)));
        }
        for (line, name) in file.macros() {
            if FORBIDDEN_MACROS.contains(&name) {
                wrong.push(format!("{}:{line}: `{name}!`", file.path));
            }
        }
    }
    none(&wrong, "IO");
}

#[test]
fn code_has_no_model_names() {
    let named = |text: &str| {
        let text = text.to_lowercase();
        ["claude", "gpt-", "gemini-"].into_iter().find(|name| text.contains(name))
    };
    let mut wrong = Vec::new();
    for file in sources().iter().filter(|file| !file.is_test) {
        let mut tell = |line: usize, text: &str| {
            if let Some(name) = named(text)
                && !file.tests.iter().any(|lines| lines.contains(&line))
            {
                wrong.push(format!(
                    "{}:{line}: `{name}`: facts about models are data, src/plan/providers.toml",
                    file.path
                ));
            }
        };
        for (line, token) in &file.code {
            match token {
                Token::Word(text) => tell(*line, text),
                Token::Text(text) => tell(*line, &without_examples(text)),
                Token::Sign(_) => {}
            }
        }
        let mut in_example = false;
        for (line, text) in &file.comments {
            in_example ^= text.contains("```");
            if !in_example {
                tell(*line, text);
            }
        }
    }
    none(&wrong, "model names");
}

#[test]
fn every_rule_is_in_the_registry_once() {
    let mut written = Vec::new();
    // Lints have a registry of their own, above `compile`.
    for file in sources().iter().filter(|f| !f.is_test && !["lint", "snapshot"].contains(&f.module())) {
        let code: Vec<&Token> = file.code.iter().map(|(_, token)| token).collect();
        let sign = |at: usize, sign: char| matches!(code.get(at), Some(Token::Sign(c)) if *c == sign);
        let word = |at: usize, word: &str| matches!(code.get(at), Some(Token::Word(w)) if w == word);
        for at in 0..code.len() {
            // `rule!(ID, "name", ..)`, and `RuleInfo { name: "name", .. }` outside the macro.
            let name = if word(at, "rule") && sign(at + 1, '!') && sign(at + 2, '(') {
                code.get(at + 5)
            } else if word(at, "RuleInfo") && sign(at + 1, '{') && word(at + 2, "name") {
                code.get(at + 4)
            } else {
                None
            };
            if let Some(Token::Text(name)) = name {
                written.push(name.clone());
            }
        }
    }
    let mut known: Vec<String> = promptc::compile::rules().iter().map(|rule| rule.name.to_owned()).collect();
    assert!(known.is_sorted_by(|a, b| a < b), "names are sorted, and none stands twice: {known:?}");
    written.sort();
    known.sort();
    assert_eq!(written, known, "rules as written in src (left) and in the RULES arrays (right) differ");
}

#[test]
fn texts_have_no_stray_blanks_and_no_place_of_one_machine() {
    let here = root().display().to_string();
    let mut wrong = Vec::new();
    for path in tracked() {
        if ![".rs", ".md", ".toml"].iter().any(|ending| path.ends_with(ending)) {
            continue;
        }
        let text = fs::read_to_string(root().join(&path)).unwrap();
        for (n, line) in text.lines().enumerate() {
            let mut tell = |what: &str| wrong.push(format!("{path}:{}: {what}", n + 1));
            if line.ends_with([' ', '\t', '\r']) {
                tell("a blank at the end of the line");
            }
            if line.contains('\t') {
                tell("a tab");
            }
            if line.contains(&here) || has_home(line) {
                tell("a path of one machine");
            }
        }
    }
    none(&wrong, "texts");
}

#[test]
fn homes_are_told_from_other_folders() {
    let (unix, windows) = (["/", "home/"].concat(), ["C:\\", "Users\\"].concat());
    assert!(has_home(&format!("x = \"{unix}ann/x\"")) && has_home(&format!("{windows}ann\\x")));
    assert!(!has_home("/home/x.md, /Volumes/work/y, /srv/home/x, ~/work/x"));
}

fn none(wrong: &[String], what: &str) {
    assert!(wrong.is_empty(), "{what}:\n{}\n", wrong.join("\n"));
}

/// Whether a line has a path below somebody's home or workspace.
fn has_home(line: &str) -> bool {
    ["/home/", "/Users/", "/root/", "/work/", "C:\\Users\\"].iter().any(|start| {
        line.match_indices(start).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let below = line[at + start.len()..].split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c)).next();
            let is_folder = below.is_some_and(|name| line[at + start.len() + name.len()..].starts_with(['/', '\\']));
            is_folder && !before.is_some_and(|c| c.is_alphanumeric() || c == '~')
        })
    })
}

/// A text without its examples: fenced parts, and inline ones such as `key = "value"`.
fn without_examples(text: &str) -> String {
    let prose: String = text.split("```").step_by(2).collect();
    let parts = prose.split('`').enumerate();
    parts.filter(|(n, part)| n % 2 == 0 || !part.contains(" = ")).map(|(_, part)| part).collect()
}

/// Files under version control, and new ones that will be.
fn tracked() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all = String::from_utf8(output.stdout).unwrap();
    let files: Vec<String> =
        all.split_terminator('\0').filter(|path| root().join(path).is_file()).map(str::to_owned).collect();
    assert!(files.iter().any(|path| path == "Cargo.toml"), "{files:?}");
    files
}
