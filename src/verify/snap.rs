//! The two forms of `.snap` files that test suites write: insta's, and that of vitest and jest.
//!
//! insta: a header of YAML between two lines `---`, then the text; what white space it ends in is not kept. vitest and
//! jest: a JavaScript module of ``exports[`NAME`] = `VALUE`;``, in which a string stands between quotes, and on lines of
//! its own when it has several.

/// What an insta file holds.
pub(super) enum Insta<'a> {
    /// This text.
    Text(&'a str),
    /// Bytes that stand in another file.
    Binary,
}

/// One export of a vitest or jest file.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Export {
    /// The test's full name, without the number at its end.
    pub(super) name: String,
    /// What the string may be: older jest escapes quotes and backslashes in it, newer does not.
    pub(super) readings: Vec<String>,
}

/// The text of an insta file; `None` when it is none. Lines end in LF.
pub(super) fn insta(text: &str) -> Option<Insta<'_>> {
    let mut rest = text.strip_prefix("---\n")?;
    loop {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match line {
            "---" => return Some(Insta::Text(after)),
            "snapshot_kind: binary" => return Some(Insta::Binary),
            _ if after.is_empty() => return None,
            _ => rest = after,
        }
    }
}

/// The exports of a vitest or jest file; `None` when it is none. Lines end in LF.
///
/// # Errors
/// What cannot be read in it.
pub(super) fn exports(text: &str) -> Option<Result<Vec<Export>, String>> {
    const START: &str = "exports[`";
    if !text.starts_with(START) && !text.contains(&format!("\n{START}")) {
        return None;
    }
    Some(read_exports(text, START))
}

fn read_exports(text: &str, start: &str) -> Result<Vec<Export>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = line_start(rest, start) {
        let (name, after) = literal(&rest[at + start.len()..])?;
        let value = after.strip_prefix("] = `").ok_or_else(|| format!("`{name}` is not followed by `] = `"))?;
        let (value, after) = literal(value)?;
        found.push(Export { name: without_number(&name).to_owned(), readings: readings(&value) });
        rest = after;
    }
    Ok(found)
}

/// Where a line begins in this way.
fn line_start(text: &str, start: &str) -> Option<usize> {
    if text.starts_with(start) {
        return Some(0);
    }
    text.find(&format!("\n{start}")).map(|at| at + 1)
}

/// A template literal up to its closing backtick, its escapes decoded, and what follows.
fn literal(text: &str) -> Result<(String, &str), String> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '`' => return Ok((out, &text[at + 1..])),
            '$' if text[at + 1..].starts_with('{') => {
                return Err("an export has a placeholder `${..}`, and is no plain text".to_owned());
            }
            '\\' => {
                let (escaped, rest) = escape(chars.as_str())?;
                out.extend(escaped);
                let skip = chars.as_str().len() - rest.len();
                let upto = chars.offset() + skip;
                while chars.offset() < upto {
                    chars.next();
                }
            }
            c => out.push(c),
        }
    }
    Err("an export has no end".to_owned())
}

/// The character behind a backslash; none for a line that is continued.
fn escape(text: &str) -> Result<(Option<char>, &str), String> {
    let mut chars = text.chars();
    let letter = chars.next().ok_or("an export has no end")?;
    let rest = chars.as_str();
    let plain = |c| Ok((Some(c), rest));
    match letter {
        'n' => plain('\n'),
        't' => plain('\t'),
        'r' => plain('\r'),
        'b' => plain('\u{8}'),
        'f' => plain('\u{c}'),
        'v' => plain('\u{b}'),
        '0' if !rest.starts_with(|c: char| c.is_ascii_digit()) => plain('\0'),
        '\n' => Ok((None, rest)),
        'x' => code_point(rest.get(..2), rest.get(2..)),
        'u' => match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((digits, rest)) => code_point(Some(digits), Some(rest)),
            None => code_point(rest.get(..4), rest.get(4..)),
        },
        c => plain(c),
    }
}

fn code_point<'a>(digits: Option<&str>, rest: Option<&'a str>) -> Result<(Option<char>, &'a str), String> {
    let number = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
    match (number.and_then(char::from_u32), rest) {
        (Some(c), Some(rest)) => Ok((Some(c), rest)),
        _ => Err("an export has an escape that is no character".to_owned()),
    }
}

/// What a printed value may be as a string.
fn readings(value: &str) -> Vec<String> {
    let inner = value.strip_prefix('\n').and_then(|v| v.strip_suffix('\n')).unwrap_or(value);
    let quoted = inner.len() >= 2 && inner.starts_with('"') && inner.ends_with('"');
    if !quoted {
        return vec![inner.to_owned()];
    }
    let plain = inner[1..inner.len() - 1].to_owned();
    let unescaped = plain.replace("\\\"", "\"").replace("\\\\", "\\");
    if unescaped == plain { vec![plain] } else { vec![plain, unescaped] }
}

/// The name of a test without the number that counts its snapshots.
fn without_number(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty() => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &str) -> Vec<(String, Vec<String>)> {
        exports(file).unwrap().unwrap().into_iter().map(|e| (e.name, e.readings)).collect()
    }

    #[test]
    fn insta_files_have_a_header_and_a_text() {
        let text = |file| match insta(file) {
            Some(Insta::Text(text)) => text.to_owned(),
            Some(Insta::Binary) => "binary".to_owned(),
            None => "none".to_owned(),
        };
        assert_eq!(text("---\nsource: a.rs\nexpression: \"x\"\n---\nYou are.\n---\nMore.\n"), "You are.\n---\nMore.\n");
        assert_eq!(text("---\n---\n"), "");
        assert_eq!(text("---\nsource: a.rs\nextension: bin\nsnapshot_kind: binary\n---\n"), "binary");
        assert_eq!(text("You are.\n"), "none");
        assert_eq!(text("---\nsource: a.rs\n"), "none");
    }

    #[test]
    fn exports_are_decoded_as_the_tools_write_them() {
        let file = "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\n\
                    exports[`prompt > git repo 1`] = `\"You are.\"`;\n\n\
                    exports[`prompt > loop 12`] = `\n\"A \\`x\\` \\${y} \\\\ \"z\"\nB\n\"\n`;\n\
                    exports[`plain`] = `raw`;\n";
        assert_eq!(
            texts(file),
            [
                ("prompt > git repo".to_owned(), vec!["You are.".to_owned()]),
                ("prompt > loop".to_owned(), vec!["A `x` ${y} \\ \"z\"\nB\n".to_owned()]),
                ("plain".to_owned(), vec!["raw".to_owned()]),
            ]
        );
        // What older jest writes: the quotes inside are escaped, and the backslashes again for the literal.
        assert_eq!(texts("exports[`a 1`] = `\"say \\\\\"hi\\\\\"\"`;\n")[0].1[1], "say \"hi\"");
        assert_eq!(texts("exports[`a 1`] = `\"\\x41\\u{e9}\\u00e9\\n\\\nB\"`;\n")[0].1, ["Aéé\nB"]);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert!(exports("You are.\n").is_none());
        for file in ["exports[`a", "exports[`a`] = 1;", "exports[`a`] = `${x}`;", "exports[`a`] = `\\u{zz}`;"] {
            assert!(exports(file).unwrap().is_err(), "{file}");
        }
    }
}
