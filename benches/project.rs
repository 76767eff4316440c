//! Writes the projects that the speed of promptc is measured on: the same bytes in every run.
//!
//!     cargo run --release --example project -- KIND DIR [N]
//!
//! | kind | project |
//! | --- | --- |
//! | `sections` | one profile of 50 sections, 68 KB of templates, about 22 thousand tokens |
//! | `axes` | one profile of 200 sections over 64 run-time bools, most sections under one, some under two to four |
//! | `profiles` | N profiles of 60 out of 200 sections each; a fifth of a profile's sections print what is its own |
//! | `texts` | files of text to count: `kilobyte.md` |

#![expect(clippy::disallowed_methods, reason = "writes files")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../tests/it/dice.rs"]
mod dice;

use dice::Dice;

/// Words of instructions, of code, and some that are rare in both.
const WORDS: &str = "a about above access account action after agent alike all allow always an answer any approve are \
    argument as ask at audit avoid be because before begin below between branch brief build but by cache call can \
    cannot careful case change check choose clear client code command comment commit concise config confirm consent \
    context copy could count credential current data decide default delete deny deploy describe detail diff directory \
    discard do document doubt during each edit either empty end error even every exact example except exit expect \
    explain export fail false fetch field file find finish first fix flag folder follow for format found from function \
    give global goal guard handle has hash help hidden hold how if ignore import in include index inform input inside \
    instead into invoice is issue it its keep key kind known label last latency layer leave length less limit line \
    link list local lock log long loop mark match may mean measure memory merge message method migrate mode module \
    more most move must name narrow need never new next no none not note nothing number object of off old on once one \
    only open option or order other out output over own package parse part path patch plain plan point policy prefer \
    print private process profile project prompt prove public pull push quote raise range rate read reason record \
    refuse regex release remove rename repeat replace report request require reset resolve result retry return review \
    risk role root route rule run safe same save say scope search secret section see send sentence server session set \
    shape share shell short should show sign silent since skip small so some sort source span stable stage state step \
    stop string style summary support sure switch symbol table tag take task team tell template test text than that \
    the their them then there they this threshold time to token tool trace trust try two type under undo unit until \
    update upstream use user valid value verify version visible wait want warn was watch way what when where which \
    while who whole why window with without word work workspace would write yes you your zone";

/// What plain words lack: names, numbers, other scripts.
const SPICE: [&str; 24] = [
    "`git rebase --onto`",
    "`serde_json::to_writer`",
    "0x7f3a",
    "HTTP/2",
    "`x86_64-unknown-linux-musl`",
    "naïve",
    "Zürich",
    "日志",
    "缓存前缀",
    "конфигурация",
    "`camelCaseIdentifier`",
    "`SCREAMING_SNAKE_CASE`",
    "3.14159",
    "2026-08-14",
    "`~/.config/quoin.toml`",
    "(see RFC 9457)",
    "e.g.",
    "10,000",
    "🙂",
    "`fn main() -> Result<(), Box<dyn Error>>`",
    "Content-Type: text/event-stream",
    "§4.2",
    "antidisestablishment",
    "`--no-verify`",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(kind), Some(folder)) = (args.next(), args.next()) else {
        return Err("say what, and where: project sections DIR".into());
    };
    let mut project = Project { folder: PathBuf::from(folder) };
    match kind.as_str() {
        "sections" => sections(&mut project),
        "axes" => axes(&mut project),
        "profiles" => profiles(&mut project, args.next().as_deref().unwrap_or("1000").parse()?),
        "texts" => project.file("kilobyte.md", &prose(&mut Dice(5), 1024)[..1024]),
        _ => Err(format!("no project `{kind}`").into()),
    }
}

type Done = Result<(), Box<dyn Error>>;

struct Project {
    folder: PathBuf,
}

impl Project {
    fn file(&mut self, path: &str, text: &str) -> Done {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        Ok(fs::write(path, text)?)
    }
}

const TARGET: &str = "[target]\nprovider = \"openai\"\nmodel = \"gpt-5.4\"\nshared_scope = true\n";

/// Inputs that the texts of [`template`] read. All are fixed by the profile.
const INPUTS: &str = r#"[inputs]
product = { type = "string", lifetime = "build" }
team = { type = "string", lifetime = "build" }
contact = { type = "string", lifetime = "build" }
language = { type = "string", lifetime = "build" }
strict = { type = "bool", lifetime = "build" }
beta = { type = "bool", lifetime = "build" }
retries = { type = "integer", lifetime = "build" }
tools = { type = "list", lifetime = "build", sort_by = "given" }
"#;

fn values(own: &str) -> String {
    format!(
        "\n[values]\nproduct = \"Quoin\"\nteam = \"platform{own}\"\ncontact = \"help{own}@example.org\"\nlanguage = \"English\"\n\
         strict = true\nbeta = false\nretries = 3\ntools = [\"search\", \"read\", \"edit\", \"run\", \"ask\"]\n"
    )
}

/// Instructions of at least so many bytes, in sentences, lists and code.
fn prose(dice: &mut Dice, bytes: usize) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut out = String::new();
    while out.len() < bytes {
        match dice.below(8) {
            0 => {
                let (a, b) = (*dice.one(&words), *dice.one(&words));
                _ = write!(
                    out,
                    "```rust\nlet {a}_{b} = self.{b}.get(\"{a}\").unwrap_or(&{});\n```\n\n",
                    dice.below(9999)
                );
            }
            1 | 2 => {
                for _ in 0..2 + dice.below(4) {
                    out.push_str("- ");
                    sentence(dice, &words, &mut out);
                    out.push('\n');
                }
                out.push('\n');
            }
            _ => {
                for _ in 0..1 + dice.below(3) {
                    sentence(dice, &words, &mut out);
                    out.push(' ');
                }
                out.truncate(out.trim_end().len());
                out.push_str("\n\n");
            }
        }
    }
    out
}

fn sentence(dice: &mut Dice, words: &[&str], out: &mut String) {
    let length = 5 + dice.below(14);
    for n in 0..length {
        let word = if dice.below(5) < 2 { *dice.one(&SPICE) } else { *dice.one(words) };
        match n {
            0 => {
                let mut letters = word.chars();
                out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                out.push_str(letters.as_str());
            }
            _ => {
                out.push_str(if dice.below(9) == 0 { ", " } else { " " });
                out.push_str(word);
            }
        }
    }
    out.push('.');
}

/// A section's body of about so many bytes: a heading, prose, and some of all that templates have.
fn template(dice: &mut Dice, name: &str, bytes: usize, reads: &str) -> String {
    let mut out = format!("# {name}\n\n{reads}");
    out.push_str(&prose(dice, bytes / 2));
    match dice.below(4) {
        0 => out.push_str("{% if strict %}Be strict: try {{ retries }} times, then ask {{ team }}.{% else %}Be lenient.{% endif %}\n\n"),
        1 => out.push_str("Tools:\n{% for tool in tools %}- `{{ tool }}` of {{ product }}\n{% endfor %}\n"),
        2 => out.push_str("Speak {{ language | lower }}{% if beta %} and say that this is a beta{% endif %}.\n\n"),
        _ => out.push_str("{{ product }} is made by {{ team }}; questions go to {{ contact }}.\n\n"),
    }
    let missing = bytes.saturating_sub(out.len() + 100);
    out.push_str(&prose(dice, missing));
    out
}

fn sections(project: &mut Project) -> Done {
    let mut dice = Dice(1);
    let mut manifest = INPUTS.to_owned();
    for n in 0..50 {
        project.file(&format!("prompts/main/{n:02}.md"), &template(&mut dice, &format!("Part {n}"), 1340, ""))?;
        _ = write!(manifest, "\n[[section]]\nid = \"part-{n:02}\"\nzone = \"static\"\nbody = \"main/{n:02}.md\"\n");
    }
    project.file("prompts/main.toml", &manifest)?;
    project.file("profiles/main.toml", &format!("{TARGET}{}\n[chain]\ndefault = {{ prompt = \"main\" }}\n", values("")))
}

fn axes(project: &mut Project) -> Done {
    let mut dice = Dice(7);
    let mut manifest = String::from("[inputs]\n");
    for axis in 0..64 {
        _ = writeln!(manifest, "b{axis} = {{ type = \"bool\", lifetime = \"session\" }}");
    }
    manifest.push_str("\n[[section]]\nid = \"head\"\nzone = \"static\"\ntext = \"You are Quoin.\"\n");
    for n in 0..200 {
        // Of a hundred sections 60 hang on one axis, 25 on two, 10 on three, 5 on four.
        let many = match n % 20 {
            0..12 => 1,
            12..17 => 2,
            17..19 => 3,
            _ => 4,
        };
        let when = condition(&mut dice, many);
        let text = prose(&mut dice, 200);
        project.file(&format!("prompts/main/{n:03}.md"), &text)?;
        _ = write!(
            manifest,
            "\n[[section]]\nid = \"part-{n:03}\"\nzone = \"static\"\nbody = \"main/{n:03}.md\"\nwhen = \"{when}\"\n"
        );
    }
    project.file("prompts/main.toml", &manifest)?;
    let limits = "\n[limits]\nstatic_variants = 9223372036854775807\n";
    project.file("profiles/main.toml", &format!("{TARGET}{limits}\n[chain]\ndefault = {{ prompt = \"main\" }}\n"))
}

/// A condition over so many axes.
fn condition(dice: &mut Dice, many: usize) -> String {
    let mut out = String::new();
    for (n, axis) in dice.some(64, many).into_iter().enumerate() {
        let sign = if dice.below(3) == 0 { "not " } else { "" };
        let joint = if n == 0 { "" } else { [" and ", " or "][dice.below(2)] };
        out = format!("{out}{joint}{sign}b{axis}");
        if n > 0 {
            out = format!("({out})");
        }
    }
    out
}

/// Sections that all profiles choose from, and of which every fifth prints what is a profile's own.
const POOL: usize = 200;

/// Sections of a profile.
const CHOSEN: usize = 60;

/// Manifests: profiles are of so many kinds.
const KINDS: usize = 25;

fn profiles(project: &mut Project, many: usize) -> Done {
    let mut dice = Dice(3);
    for n in 0..POOL {
        let own = if n % 5 == 0 { "For {{ team }} alone.\n\n" } else { "" };
        // What a profile has to itself may stand in the own sections only.
        let body = template(&mut dice, &format!("Part {n}"), 1340, own);
        let body =
            if own.is_empty() { body.replace("{{ team }}", "them").replace("{{ contact }}", "us") } else { body };
        project.file(&format!("prompts/pool/{n:03}.md"), &body)?;
    }
    for kind in 0..KINDS {
        let mut manifest = INPUTS.to_owned();
        for n in 0..CHOSEN {
            let part = (kind * 8 + n * 3) % POOL;
            _ = write!(
                manifest,
                "\n[[section]]\nid = \"part-{part:03}\"\nzone = \"static\"\nbody = \"pool/{part:03}.md\"\n"
            );
        }
        project.file(&format!("prompts/kind-{kind:02}.toml"), &manifest)?;
    }
    for n in 0..many {
        let kind = n % KINDS;
        let chain = format!("\n[chain]\ndefault = {{ prompt = \"kind-{kind:02}\" }}\n");
        project.file(&format!("profiles/p{n:05}.toml"), &format!("{TARGET}{}{chain}", values(&format!("-{n}"))))?;
    }
    Ok(())
}
