//! Messages about one file's TOML.

use crate::diag::{Diagnostic, RuleInfo, Severity, or_list};
use crate::limits::Limit;
use crate::source::Span;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 16] = [
    &AGENT_FRONT_MATTER,
    &CONFLICTING_KEYS,
    &DANGEROUS_WITHOUT_REASON,
    &DUPLICATE_NAME,
    &INVALID_NAME,
    &INVALID_NUMBER,
    &INVALID_PATTERN,
    &MATRIX_TOO_LARGE,
    &MISPLACED_KEY,
    &MISSING_KEY,
    &MISSING_REASON,
    &NESTING_TOO_DEEP,
    &PATH_OUTSIDE_ROOT,
    &TOML_SYNTAX,
    &UNKNOWN_KEY,
    &WRONG_TYPE,
];

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    AGENT_FRONT_MATTER,
    "agent-front-matter",
    "an agent's front matter that cannot be used",
    "An agent is Markdown; between two `---` lines at its top may stand YAML with `name`, `description`, `tools` and `model`. A front matter that is opened must be closed."
);
rule!(
    CONFLICTING_KEYS,
    "conflicting-keys",
    "two keys that exclude one another",
    "A section has a `body` or a `text`; a link of the chain is one of `prompt`, `file`, `text`, `input`, `from`. Keep the one that is meant."
);
rule!(
    DANGEROUS_WITHOUT_REASON,
    "dangerous-without-reason",
    "`DANGEROUS_uncached` whose reason is empty or a placeholder",
    include_str!("dangerous_without_reason.md")
);
rule!(
    DUPLICATE_NAME,
    "duplicate-name",
    "the same name twice where names are unique",
    "Ids of sections, names of fixtures and of inputs are unique in their file."
);
rule!(
    INVALID_NAME,
    "invalid-name",
    "a name with letters that names may not have, or a reserved one",
    "Inputs are `[a-z][a-z0-9_]*` and no word of the expression or template language. Sections are kebab or snake case; `override`, `coordinator`, `agent`, `custom`, `default` and `append-N` name layers."
);
rule!(
    INVALID_NUMBER,
    "invalid-number",
    "a number or date that a value cannot have",
    "Integers have 64 bits, numbers are finite, dates are written as strings."
);
rule!(
    INVALID_PATTERN,
    "invalid-pattern",
    "a `layout.replace` that is no regular expression, or names a group that it has not",
    "Patterns are those of the crate fancy-regex. `with` may use `$0` to `$9`, `${name}` and `$$`."
);
rule!(
    MATRIX_TOO_LARGE,
    "matrix-too-large",
    "a matrix of more than 10,000 cells",
    "Every cell is an artifact of its own. Fix some of the inputs in `[values]`, or derive them from others."
);
rule!(
    MISPLACED_KEY,
    "misplaced-key",
    "a key that has no meaning where it stands",
    "Some keys belong together: `mode` to the agent link, `name` to `from = \"agents\"`, `freeze` to a cached dynamic section, `role` to the system channel."
);
rule!(MISSING_KEY, "missing-key", "a key that must be there is not", "The message names the key and the table.");
rule!(
    MISSING_REASON,
    "missing-reason",
    "an `allow` whose reason is empty or a placeholder",
    "A finding is silenced with the reason why it is right here, so that the next reader can judge it."
);
rule!(
    NESTING_TOO_DEEP,
    "nesting-too-deep",
    "lists and tables nested more than 64 deep",
    "Deeper data is nearly always made by a fault in the program that wrote it."
);
rule!(
    PATH_OUTSIDE_ROOT,
    "path-outside-root",
    "a path that leaves the project",
    "Bodies, includes and agents lie below `prompts/`, fixtures below the root. No path leaves by `..`, by a link, or by being absolute."
);
rule!(
    TOML_SYNTAX,
    "toml-syntax",
    "a file that is not TOML",
    "The first fault of the file is told; what follows from it is not."
);
rule!(
    UNKNOWN_KEY,
    "unknown-key",
    "a key that the language does not have",
    "Unknown keys are refused, so that a misspelt one cannot be silently without effect."
);
rule!(WRONG_TYPE, "wrong-type", "a value of another type than its key takes", "The message names both types.");

pub(super) fn toml_syntax(span: Span, message: &str, more: usize, curly: bool) -> Diagnostic {
    let mut found = Diagnostic::new(&TOML_SYNTAX, span, format!("not valid TOML: {message}")).label("here");
    if curly {
        found = found.help("this line has curly quotes: TOML takes straight ones, `\"` and `'`");
    }
    match more {
        0 => found,
        _ => found.note("what comes after this place was read as well as it could be"),
    }
}

pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(
        &NESTING_TOO_DEEP,
        span,
        format!("lists and tables are nested more than {} deep", super::reader::MAX_DEPTH),
    )
}

pub(super) fn unknown_key(span: Span, key: &str, table: &str, known: &[&str]) -> Diagnostic {
    let found =
        Diagnostic::new(&UNKNOWN_KEY, span, format!("{table} has no key `{key}`")).label("not a key of this table");
    let near = crate::diag::nearest(key, known.iter().copied());
    match near {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("the keys are {}", or_list(known))),
    }
}

pub(super) fn missing_key(span: Span, key: &str, table: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_KEY, span, format!("{table} needs the key `{key}`"))
        .label(format!("`{key}` is missing here"))
}

pub(super) fn missing_text(span: Span, table: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_KEY, span, format!("{table} needs the key `body` (or `text`)")).label("it has no text")
}

pub(super) fn wrong_type(span: Span, key: &str, want: &str, got: &str) -> Diagnostic {
    Diagnostic::new(&WRONG_TYPE, span, format!("`{key}` must be {want}, not {got}")).label(got)
}

pub(super) fn unknown_word(
    span: Span,
    key: &str,
    value: &str,
    words: impl Iterator<Item = &'static str> + Clone,
) -> Diagnostic {
    let found = Diagnostic::new(&crate::expr::UNKNOWN_VALUE, span, format!("`{key}` cannot be `{value}`"))
        .label("not one of its values");
    match crate::diag::nearest(value, words.clone()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("write {}", or_list(words))),
    }
}

pub(super) fn number_out_of_range(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_NUMBER, span, format!("a number in `{key}` is infinite, no number, or past 64 bits"))
        .label("cannot be kept exactly")
}

pub(super) fn date(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_NUMBER, span, format!("`{key}` holds a TOML date"))
        .label("a date")
        .help("put it in quotes: dates are strings here")
}

pub(super) fn conflicting_keys(at: Span, key: &str, first: Span, other: &str) -> Diagnostic {
    Diagnostic::new(&CONFLICTING_KEYS, at, format!("`{key}` and `{other}` exclude one another"))
        .label("second")
        .also(first, "first")
        .help("keep the one that is meant")
}

pub(super) fn duplicate(span: Span, what: &str, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_NAME, span, format!("{what} `{name}` stands twice"))
        .label("again here")
        .also(first, "first here")
}

pub(super) fn input_name(span: Span, name: &str, reserved: bool) -> Diagnostic {
    let found = Diagnostic::new(&INVALID_NAME, span, format!("an input cannot be called `{name}`"));
    if reserved {
        found.label("a word of the language").help(format!("take another name, such as `{name}_value`"))
    } else {
        found.label("not `[a-z][a-z0-9_]*`").help("begin with a small letter, go on with small letters, digits and `_`")
    }
}

pub(super) fn section_name(span: Span, name: &str, reserved: bool) -> Diagnostic {
    let found = Diagnostic::new(&INVALID_NAME, span, format!("a section cannot be called `{name}`"));
    if reserved {
        found.label("names a layer of the chain").help("take another id")
    } else {
        found.label("not kebab or snake case").help("use small letters, digits, `-` and `_`, and begin with a letter")
    }
}

pub(super) fn file_name(span: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_NAME, span, format!("{what} cannot be called `{name}`"))
        .label("not a plain file name")
        .help("use letters, digits, `-`, `_` and `.`, with `/` between folders")
}

pub(super) fn placeholder_reason(span: Span, reason: &str, section: Option<&str>) -> Diagnostic {
    let of = section.map(|id| format!(" of `{id}`")).unwrap_or_default();
    let message = if reason.trim().is_empty() {
        format!("`DANGEROUS_uncached`{of} has an empty reason")
    } else {
        format!("`DANGEROUS_uncached`{of} has a placeholder for a reason: `{}`", reason.trim())
    };
    Diagnostic::new(&DANGEROUS_WITHOUT_REASON, span, message)
        .label("the reason is the audit")
        .note("this section and all text behind it is paid for anew on every turn")
        .help("say what changes between two turns and why it cannot wait for the next session")
}

pub(super) fn missing_reason(span: Span, rule: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_REASON, span, format!("`allow` of `{rule}` gives no reason"))
        .label("empty, or a placeholder")
        .help("say why the finding is right here")
}

pub(super) fn outside(span: Span, path: &str, problem: super::PathProblem) -> Diagnostic {
    let (label, help) = match problem {
        super::PathProblem::Absolute => ("absolute", "write it from `prompts/` (fixtures: from the root)"),
        super::PathProblem::Climbs => ("climbs out", "move the file into the project"),
        super::PathProblem::Empty => ("empty", "name a file"),
        super::PathProblem::Letters => {
            ("not a path that every system has", "use `/` between folders and no control characters")
        }
    };
    Diagnostic::new(&PATH_OUTSIDE_ROOT, span, format!("`{}` leaves the project", path.escape_debug()))
        .label(label)
        .help(help)
}

pub(super) fn invalid_pattern(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_PATTERN, span, format!("not a regular expression: {why}")).label("in this pattern")
}

pub(super) fn unknown_group(span: Span, group: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_PATTERN, span, format!("the pattern has no group `{group}`"))
        .label("used here")
        .help("write `$$` for a dollar sign")
}

pub(super) fn misplaced(span: Span, key: &str, where_to: &str) -> Diagnostic {
    Diagnostic::new(&MISPLACED_KEY, span, format!("`{key}` has no meaning here"))
        .label(format!("belongs to {where_to}"))
}

pub(super) fn matrix_too_large(span: Span, limit: Limit) -> Diagnostic {
    Diagnostic::new(&MATRIX_TOO_LARGE, span, format!("the matrix has more than {} cells", limit.amount()))
        .label("each cell is an artifact")
        .help("fix some of the inputs in `[values]`, or derive them from others")
        .limit(limit)
}

pub(super) fn static_outside_system(zone: Span, channel: Span) -> Diagnostic {
    Diagnostic::new(&MISPLACED_KEY, zone, "a section outside the system channel cannot be static")
        .label("promises to stand before the boundary")
        .also(channel, "but stands behind everything that is shared")
        .help("write `zone = \"dynamic\"`")
}

pub(super) fn front_matter(span: Span, message: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&AGENT_FRONT_MATTER, span, message.to_owned()).help(help.to_owned())
}
