//! `promptc import`: a first project that gives the text back, byte for byte.

use std::fs;

use promptc::compile::{Compiler, Request};
use promptc::diag::Sink;
use promptc::emit::Emitter;
use promptc::host::memory::Memory;
use promptc::import::{Imported, Note, import};
use promptc::workspace::{Flags, Wanted, Workspace};
use proptest::prelude::*;

use crate::support::{Run, run_in};

/// What reading makes of a text: no byte order mark, LF only.
fn cleaned(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n")
}

/// What an imported project gives: built here, apart from the look that `import` takes itself. No message is told.
fn output(made: &Imported) -> String {
    let host = Memory::from_iter(made.files.iter().map(|(path, text)| (path.clone(), text.clone())));
    let mut workspace = Workspace::load(&host, Wanted::All, &Flags::default()).unwrap();
    let fixture = workspace.profiles[&made.name].fixtures.first().map(|f| f.name.value.clone());
    let context = fixture.map(|name| workspace.context(&host, &made.name, &name).unwrap().unwrap());
    let mut sink = Sink::default();
    let request =
        Request { profile: &made.name, cell: &Vec::new(), context: context.as_ref(), route: None, simple: false };
    let compiled = Compiler::new(&workspace).compile(request, &mut sink).unwrap();
    let text = compiled.subject(&workspace).map(|s| Emitter::Text.emit(&s));
    let said: Vec<String> = sink.into_sorted(&workspace.sources).into_iter().map(|d| d.message).collect();
    assert_eq!(said, [""; 0]);
    text.unwrap()
}

fn file<'a>(made: &'a Imported, path: &str) -> &'a str {
    let found = made.files.iter().find(|(p, _)| p == path);
    found.map_or_else(|| panic!("no {path}: {:?}", made.files), |(_, text)| text.as_str())
}

/// Pieces of prompts, and pieces that are meant to be mistaken for others.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "#{1,7} [A-Za-z 工{}]{0,9}\n",
        "[a-z工é \t]{0,12}",
        "\n{1,3}",
        "[ \t]{0,3}\n",
        "(```|~~~|````)(sh)?\n",
        "# [a-z]{1,5}\n",
        prop::sample::select(vec![
            "{{x}}",
            "{{ x }}",
            "{{ userName }}",
            "${x}",
            "${HOME}",
            "{x}",
            "{y}",
            "{now}",
            "{product_name}",
            "{for}",
            "{X}",
            "{\"a\": {\"b\": [1, {}]}}",
            "{{\"a\": 1}}",
            "{% if x %}",
            "{%- endif -%}",
            "{# note #}",
            "{{ x.y | upper }}",
            "{{- x -}}",
            "{{{x}}}",
            "{{x}}}",
            "{${x}}",
            "{",
            "{{",
            "{%",
            "{#",
            "}",
            "}}",
            "%}",
            "#}",
            "{% raw %}",
            "{% for k in x %}",
            "$",
            "\\",
            "\"",
            "'",
            "---\n",
            "===\n",
            "=====\nX\n=====\n",
            "Title\n===\n",
            "Title\n---\n",
            "<b>",
            "<b>\n",
            "</b>\n",
            "<rules kind=\"{x}\">\n",
            "</rules>\n",
            "\n<rules>{x}</rules>\n",
            "\u{feff}",
            "\u{b}",
            "\u{c}",
            "\u{7f}",
            "\u{1b}",
            "\0",
            "\u{2028}",
            "\u{202e}",
        ])
        .prop_map(str::to_owned),
    ]
}

fn prompt() -> impl Strategy<Value = String> {
    (prop::collection::vec(piece(), 1..40), 0..4u8, any::<bool>()).prop_map(|(pieces, ends, mark)| {
        let text = pieces.concat();
        let text = match ends {
            0 => text.replace('\n', "\r\n"),
            1 => text.replace('\n', "\r"),
            _ => text,
        };
        if mark { format!("\u{feff}{text}") } else { text }
    })
}

proptest! {
    #[test]
    fn a_project_gives_its_text_back(text in prompt()) {
        let wanted = cleaned(&text);
        match import("p.md", None, text.as_bytes()) {
            Ok(made) => prop_assert_eq!(output(&made), wanted),
            Err(error) => {
                prop_assert_eq!(error.message, "`p.md` has no text");
                let left = wanted.trim_matches([' ', '\t', '\n', '\u{b}', '\u{c}']);
                prop_assert_eq!(left, "");
            }
        }
    }
}

const PROMPT: &str = "You are {{product_name}}, for {userName}.\n\n# Rules\n\n- Read first.\n\n```js\nconst f = {x};\n```\n\n\
                      ## Place\n\nThe folder is ${cwd}. It is {now}.\n\n# Output\n\nJSON: {\"a\": 1}\n";

#[test]
fn headings_become_sections_and_placeholders_inputs() {
    let made = import("My Prompt.md", None, PROMPT.as_bytes()).unwrap();
    assert_eq!((made.name.as_str(), made.sections, made.inputs, made.notes.as_slice()), ("my-prompt", 4, 4, &[][..]));
    assert_eq!(
        file(&made, "prompts/my-prompt.toml"),
        r#"# Imported from My Prompt.md. Each line that says `confirm` holds a guess.

[inputs]
product_name = { type = "string", lifetime = "build" }     # confirm: `{{product_name}}` is known when compiling
user_name    = { type = "string", lifetime = "user" }      # confirm: `{userName}` is the same for a user
cwd          = { type = "string", lifetime = "session" }   # confirm: `${cwd}` is fixed when a session starts
now          = { type = "string", lifetime = "turn" }      # confirm: `{now}` may change on every request

[[section]]
id   = "preamble"
zone = "dynamic"
body = "my-prompt/preamble.md"

[[section]]
id   = "rules"
zone = "static"
body = "my-prompt/rules.md"

[[section]]
id   = "place"
zone = "dynamic"
body = "my-prompt/place.md"
DANGEROUS_uncached = "`now` changes on every request, as its name says"   # confirm

[[section]]
id   = "output"
zone = "static"
body = "my-prompt/output.md"
trim = "none"   # blanks at its edges are its own
"#
    );
    assert_eq!(file(&made, "prompts/my-prompt/preamble.md"), "You are {{ product_name }}, for {{ user_name }}.\n");
    assert_eq!(file(&made, "prompts/my-prompt/output.md"), "# Output\n\nJSON: {\"a\": 1}\n");
    assert_eq!(
        file(&made, "fixtures/my-prompt/placeholders.toml").lines().skip(1).collect::<Vec<_>>(),
        ["user_name = \"{userName}\"", "cwd       = \"${cwd}\"", "now       = \"{now}\""]
    );
    assert!(file(&made, "profiles/my-prompt.toml").contains("\n[values]\nproduct_name = \"{{product_name}}\"\n"));
    assert_eq!(output(&made), PROMPT);
}

#[test]
fn underlined_headings_and_elements_become_sections() {
    let text = "Pip\n===\n\nYou are {bot_name}.\n\n<rules>\n# Not a heading of the prompt\n- Read {{x}}.\n</rules>\n\n\
                <output_format>JSON</output_format>\nNothing else.\n\nPlace\n-----\n${cwd}\n";
    let made = import("p.md", None, text.as_bytes()).unwrap();
    let ids: Vec<&str> = file(&made, "prompts/p.toml").lines().filter_map(|l| l.strip_prefix("id   = ")).collect();
    assert_eq!(ids, ["\"pip\"", "\"rules\"", "\"output-format\"", "\"pip-2\"", "\"place\""]);
    assert_eq!(
        file(&made, "prompts/p/rules.md"),
        "<rules>\n# Not a heading of the prompt\n- Read {{ x }}.\n</rules>\n"
    );
    assert_eq!(output(&made), text);

    // One element around all of them, and no other heading.
    let text = "<prompt>\nYou are.\n<rules>\nRead.\n</rules>\n</prompt>";
    let made = import("p.md", None, text.as_bytes()).unwrap();
    assert_eq!((made.sections, output(&made).as_str()), (2, text));
}

#[test]
fn what_is_not_recognised_stays_as_it_is() {
    let text = "# A\n{% if x %}{{ x.y }}{% endif %}\n# B\n{a} {% raw %}\n";
    let made = import("p.md", Some("main"), text.as_bytes()).unwrap();
    assert_eq!(made.notes, [Note::Tags]);
    assert!(file(&made, "prompts/main.toml").contains("verbatim = true   # its braces are text\n"));
    assert!(file(&made, "prompts/main.toml").contains("\n[layout]\nseparator = \"\\n\"\n"));
    assert_eq!(file(&made, "prompts/main/a.md"), "# A\n{% if x %}{{ x.y }}{% endif %}\n");
    assert_eq!(file(&made, "prompts/main/b.md"), "# B\n{{ a }} {{ '{%' }} raw %}\n");
    assert_eq!(output(&made), text);
}

#[test]
fn of_two_byte_order_marks_one_is_text() {
    for text in ["\u{feff}", "\u{feff}You are {x}.\n# A\n"] {
        let made = import("p.md", None, format!("\u{feff}{text}").as_bytes()).unwrap();
        assert_eq!(output(&made), text);
    }
}

#[test]
fn a_file_name_cannot_break_out_of_its_comment() {
    let made = import("x\n[inputs]\n.md", None, b"You are.").unwrap();
    assert!(file(&made, "prompts/x-inputs.toml").starts_with("# Imported from x\\n[inputs]\\n.md. Each"));
    assert_eq!(output(&made), "You are.");
}

#[test]
fn very_many_headings_stay_in_few_sections() {
    let text = "# a\n{x}\n".repeat(2000);
    let made = import("p.md", None, text.as_bytes()).unwrap();
    assert_eq!((made.sections, made.notes.as_slice()), (1, &[Note::ManyHeadings][..]));
    assert_eq!(output(&made), text);
}

/// A folder with the prompt, and a run of `import` in it.
fn folder(bytes: impl AsRef<[u8]>, args: &[&str]) -> (tempfile::TempDir, Run) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("prompt.md"), bytes).unwrap();
    let run = run_in(dir.path(), &[&["import"], args].concat());
    (dir, run)
}

#[test]
fn the_command_writes_a_project_that_verifies() {
    let (dir, run) = folder(PROMPT, &["prompt.md"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "  prompts/prompt.toml\n  profiles/prompt.toml\n  fixtures/prompt/placeholders.toml\n  \
         prompts/prompt/preamble.md\n  prompts/prompt/rules.md\n  prompts/prompt/place.md\n  prompts/prompt/output.md\n\n\
         4 sections, 4 inputs; each line that says `confirm` holds a guess\n\
         to compare: promptc verify prompt --against prompt.md\n"
    );
    let run = run_in(dir.path(), &["verify", "prompt", "--against", "prompt.md"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let run = run_in(dir.path(), &["build"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn carriage_returns_and_a_byte_order_mark_are_told() {
    let (dir, run) = folder(format!("\u{feff}{}", PROMPT.replace('\n', "\r\n")), &["prompt.md", "new folder"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (
            0,
            "note: the file begins with a byte order mark; output has none\n\
             note: the file has carriage returns; output has LF as its only line end\n"
        )
    );
    assert!(run.stdout.ends_with("promptc verify prompt --against prompt.md --root 'new folder'\n"), "{}", run.stdout);
    let run = run_in(dir.path(), &["verify", "prompt", "--against", "prompt.md", "--root", "new folder"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("in nothing but its bytes"), "{}", run.stdout);
}

#[test]
fn nothing_is_overwritten() {
    let (dir, run) = folder("# A\n", &["prompt.md"]);
    assert_eq!(run.code, 0);
    fs::write(dir.path().join("prompts/prompt/a.md"), "mine").unwrap();
    let run = run_in(dir.path(), &["import", "prompt.md"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains("holds already: prompts/prompt.toml, profiles/prompt.toml, prompts/prompt/a.md"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(dir.path().join("prompts/prompt/a.md")).unwrap(), "mine");
    // A second prompt has its place beside the first.
    let run = run_in(dir.path(), &["import", "prompt.md", "--name", "other"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run_in(dir.path(), &["build"]).code, 0);
}

#[test]
fn what_cannot_be_imported_is_refused() {
    for (bytes, args, words) in [
        (&b""[..], &["prompt.md"][..], "`prompt.md` has no text"),
        (b" \n\t\n", &["prompt.md"], "`prompt.md` has no text"),
        (b"ab\xff", &["prompt.md"], "`prompt.md` is not UTF-8 from byte 2 on"),
        (b"a", &["gone.md"], "there is no file `gone.md`"),
        (b"a", &["."], "cannot read `.`: it is not a file"),
        (b"a", &["prompt.md", "--name", "a/b"], "`a/b` cannot be the name of a prompt"),
        (b"a", &["prompt.md", "--name", "agents"], "`agents` cannot be the name of a prompt"),
        (b"a", &["prompt.md", "prompt.md"], "prompt.md"),
        (&vec![b'a'; (16 << 20) + 1], &["prompt.md"], "cannot read `prompt.md`: it has more than 16 MiB"),
        (&[b"{x}", vec![b'a'; 9 << 20].as_slice()].concat(), &["prompt.md"], "would not give `prompt.md` back"),
    ] {
        let (dir, run) = folder(bytes, args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(words), "{args:?}: {}", run.stderr);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{args:?}: nothing is written");
    }
}

#[cfg(unix)]
#[test]
fn links_and_closed_folders_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    fs::write(at("prompt.md"), "a").unwrap();
    fs::create_dir_all(at("elsewhere")).unwrap();
    fs::create_dir_all(at("it")).unwrap();
    symlink(at("elsewhere"), at("it/prompts")).unwrap();
    let run = run_in(dir.path(), &["import", "prompt.md", "it"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`prompts` is a link"), "{}", run.stderr);
    assert_eq!(fs::read_dir(at("elsewhere")).unwrap().count(), 0);

    fs::create_dir_all(at("closed")).unwrap();
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o500)).unwrap();
    // Whoever may write everywhere is not kept out.
    if fs::write(at("closed/probe"), "").is_err() {
        let run = run_in(dir.path(), &["import", "prompt.md", "closed"]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("permission denied"), "{}", run.stderr);
    }
}
