//! Rust as far as habits are concerned: names, signs, strings, comments, paths, and what is for tests alone.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::OnceLock;

use crate::support::root;

/// One file of src, cut into tokens.
pub struct Source {
    /// From src.
    pub path: String,
    pub text: String,
    pub code: Vec<(usize, Token)>,
    pub comments: Vec<(usize, String)>,
    /// Lines of items under `#[cfg(test)]`.
    pub tests: Vec<RangeInclusive<usize>>,
    /// Lines of inline modules.
    inner: Vec<RangeInclusive<usize>>,
    /// Whether the whole file is compiled for tests alone.
    pub is_test: bool,
}

#[derive(PartialEq, Eq, Debug)]
pub enum Token {
    /// A name, a keyword, a number.
    Word(String),
    Sign(char),
    /// What a string literal says, escapes as written.
    Text(String),
}

/// All files of src.
pub fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let src = root().join("src");
        let mut paths = Vec::new();
        walk(&src, "", &mut paths);
        paths.retain(|path| path.ends_with(".rs"));
        let read = |path: String| Source::new(fs::read_to_string(src.join(&path)).unwrap(), path);
        let mut files: Vec<Source> = paths.into_iter().map(read).collect();
        assert!(files.len() > 100, "src was found");
        let test_modules: Vec<String> = files.iter().flat_map(Source::test_modules).collect();
        for file in &mut files {
            let module = file.path.trim_end_matches(".rs");
            file.is_test = test_modules.iter().any(|m| module == m || module.starts_with(&format!("{m}/")));
        }
        files
    })
}

fn walk(folder: &Path, start: &str, out: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{start}{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => walk(&entry.path(), &format!("{path}/"), out),
            false => out.push(path),
        }
    }
}

impl Source {
    pub fn new(text: String, path: String) -> Source {
        let (code, comments) = tokens(&text);
        let mut file = Source { path, text, code, comments, tests: Vec::new(), inner: Vec::new(), is_test: false };
        for at in 0..file.code.len() {
            if file.is_cfg_test(at) {
                file.tests.push(file.code[at].0..=file.end_of_item(at));
            }
            if file.word(at) == "mod" && file.sign(at + 2) == '{' {
                file.inner.push(file.code[at].0..=file.end_of_item(at));
            }
        }
        file
    }

    /// The module of the crate that the file belongs to.
    pub fn module(&self) -> &str {
        self.path.trim_end_matches(".rs").split('/').next().unwrap()
    }

    /// How many modules deep a line stands below the crate's root.
    pub fn depth_at(&self, line: usize) -> usize {
        let parts = self.path.trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
        parts + self.inner.iter().filter(|lines| lines.contains(&line)).count()
    }

    fn word(&self, at: usize) -> &str {
        match self.code.get(at) {
            Some((_, Token::Word(word))) => word,
            _ => "",
        }
    }

    fn sign(&self, at: usize) -> char {
        match self.code.get(at) {
            Some((_, Token::Sign(sign))) => *sign,
            _ => '\0',
        }
    }

    pub fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        (0..self.code.len()).map(|at| (self.code[at].0, self.word(at)))
    }

    pub fn macros(&self) -> Vec<(usize, &str)> {
        let called = (0..self.code.len()).filter(|&at| !self.word(at).is_empty() && self.sign(at + 1) == '!');
        called.filter(|&at| self.sign(at + 2) != '=').map(|at| (self.code[at].0, self.word(at))).collect()
    }

    /// Every path that begins with `root`, groups of `use` taken apart.
    pub fn paths(&self, root: &str) -> Vec<(usize, Vec<String>)> {
        let mut found = Vec::new();
        for at in 0..self.code.len() {
            let begins = self.word(at) == root && self.is_path_sign(at + 1) && !(at > 1 && self.is_path_sign(at - 2));
            if begins {
                let mut paths = Vec::new();
                self.tree(at + 3, vec![root.to_owned()], &mut paths);
                found.extend(paths.into_iter().map(|path| (self.code[at].0, path)));
            }
        }
        found
    }

    fn is_path_sign(&self, at: usize) -> bool {
        self.sign(at) == ':' && self.sign(at + 1) == ':'
    }

    /// The paths below `start` that begin at a token, and where they end.
    fn tree(&self, mut at: usize, start: Vec<String>, out: &mut Vec<Vec<String>>) -> usize {
        if self.sign(at) == '{' {
            at += 1;
            while self.sign(at) != '}' {
                at = self.tree(at, start.clone(), out);
                while !matches!(self.sign(at), ',' | '}') {
                    at += 1; // `as NAME`
                }
                at += usize::from(self.sign(at) == ',');
            }
            return at + 1;
        }
        let part = if self.sign(at) == '*' { "*" } else { self.word(at) };
        if part.is_empty() {
            out.push(start);
            return at;
        }
        let mut path = start;
        path.push(part.to_owned());
        if self.is_path_sign(at + 1) {
            return self.tree(at + 3, path, out);
        }
        out.push(path);
        at + 1
    }

    fn is_cfg_test(&self, at: usize) -> bool {
        self.sign(at) == '#' && self.sign(at + 1) == '[' && self.word(at + 2) == "cfg" && self.word(at + 4) == "test"
    }

    /// The last line of the item that begins at a token, its attributes included.
    fn end_of_item(&self, at: usize) -> usize {
        let mut depth = 0;
        for (line, token) in &self.code[at..] {
            match token {
                Token::Sign('{' | '(' | '[') => depth += 1,
                Token::Sign(sign @ ('}' | ')' | ']')) => {
                    depth -= 1;
                    if depth == 0 && *sign == '}' {
                        return *line;
                    }
                }
                Token::Sign(';') if depth == 0 => return *line,
                _ => {}
            }
        }
        usize::MAX
    }

    /// Paths from src, without `.rs`, of the modules in files that are under `#[cfg(test)]`.
    fn test_modules(&self) -> Vec<String> {
        let stem = self.path.trim_end_matches(".rs");
        let folder = stem.strip_suffix("/mod").unwrap_or(stem);
        let tests = (0..self.code.len()).filter(|&at| self.is_cfg_test(at));
        let named = tests.filter(|&at| self.word(at + 7) == "mod" && self.sign(at + 9) == ';');
        named.map(|at| format!("{folder}/{}", self.word(at + 8))).collect()
    }
}

/// Things with the line that each stands on.
type Placed<T> = Vec<(usize, T)>;

/// Code and comments of a text, each with its line.
fn tokens(text: &str) -> (Placed<Token>, Placed<String>) {
    let (mut code, mut comments) = (Vec::new(), Vec::new());
    let (mut at, mut line) = (0, 1);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            comments.push((line, rest[..length].to_owned()));
            length
        } else if rest.starts_with("/*") {
            let length = block_comment(rest);
            comments.push((line, rest[..length].to_owned()));
            length
        } else if let Some((start, end, length)) = string(rest) {
            code.push((line, Token::Text(rest[start..end].to_owned())));
            length
        } else if c == '\'' {
            char_or_lifetime(rest)
        } else if c.is_alphanumeric() || c == '_' {
            let rest = rest.strip_prefix("r#").unwrap_or(rest);
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            code.push((line, Token::Word(rest[..length].to_owned())));
            length + text[at..].len() - rest.len()
        } else {
            if !c.is_whitespace() {
                code.push((line, Token::Sign(c)));
            }
            c.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    (code, comments)
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    loop {
        let next = text[at..].find("*/").expect("comments are closed") + at;
        match text[at..].find("/*").map(|n| n + at).filter(|open| *open < next) {
            Some(open) => (depth, at) = (depth + 1, open + 2),
            None => (depth, at) = (depth - 1, next + 2),
        }
        if depth == 0 {
            return at;
        }
    }
}

/// Where the inside of a string literal begins and ends, and where the literal ends.
fn string(text: &str) -> Option<(usize, usize, usize)> {
    let marks = text.find(|c| !matches!(c, 'b' | 'c' | 'r')).filter(|n| *n <= 2)?;
    let raw = text[..marks].contains('r');
    let hashes = if raw { text[marks..].bytes().take_while(|b| *b == b'#').count() } else { 0 };
    let start = marks + hashes + 1;
    if text.as_bytes().get(start - 1) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let mut end = start;
    while !text[end..].starts_with(&close) {
        let c = text[end..].chars().next().expect("strings are closed");
        end +=
            if c == '\\' && !raw { 1 + text[end + 1..].chars().next().map_or(0, char::len_utf8) } else { c.len_utf8() };
    }
    Some((start, end, end + close.len()))
}

fn char_or_lifetime(text: &str) -> usize {
    let mut inside = text[1..].chars();
    match (inside.next(), inside.next()) {
        (Some('\\'), Some(escaped)) => {
            let from = 2 + escaped.len_utf8();
            from + text[from..].find('\'').expect("characters are closed") + 1
        }
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 1,
    }
}

#[test]
fn the_reader_of_rust_sees_what_is_code() {
    let text = "//! doc crate::no\nuse crate::{a::{B, c::D as E}, f};\nfn x() { \"crate::no\"; 'c'; '\\''; r#\"crate::no\"#; \
                /* crate::no /* */ */ crate::g::h::<'a, T>(); std::fs::read; println!(\"\"); }\n\
                #[cfg(test)]\nmod tests {\n    use super::*;\n    mod inner { use super::super::x; }\n}\n";
    let file = Source::new(text.to_owned(), "p/q.rs".to_owned());
    let joined =
        |root: &str| file.paths(root).into_iter().map(|(n, p)| format!("{n} {}", p.join("::"))).collect::<Vec<_>>();
    assert_eq!(joined("crate"), ["2 crate::a::B", "2 crate::a::c::D", "2 crate::f", "3 crate::g::h"]);
    assert_eq!(joined("std"), ["3 std::fs::read"]);
    assert_eq!(joined("super"), ["6 super::*", "7 super::super::x"]);
    assert_eq!((file.module(), file.depth_at(3), file.depth_at(6), file.depth_at(7)), ("p", 2, 3, 4));
    assert_eq!(file.macros(), [(3, "println")]);
    assert_eq!(file.tests, [4..=8]);
}
