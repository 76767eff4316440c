//! Messages about sections that have no text.

use super::shape::ReplaceFailed;
use crate::diag::{Diagnostic, RuleInfo, Severity, listed, nearest};
use crate::limits::{Limit, Limits};
use crate::manifest::Agent;
use crate::resolve::{Route, Section};
use crate::source::Spanned;
use crate::template::LIMIT_REACHED;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 5] =
    [&AGENT_NOT_THERE, &ARTIFACT_TOO_LARGE, &EMPTY_LAYER, &LAYER_WITHOUT_TEXT, &REPLACE_FAILED];

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:literal) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    AGENT_NOT_THERE,
    "agent-not-there",
    "a context that names an agent that is not there",
    "Agents are the Markdown files below `prompts/agents/`; the name comes from the front matter or from the file."
);
rule!(
    ARTIFACT_TOO_LARGE,
    "artifact-too-large",
    "an artifact of more than 64 MiB",
    "No model's window holds it. Bound the values by `max_chars` and `max_items`."
);
rule!(
    EMPTY_LAYER,
    "empty-layer",
    "a winning link without text",
    "The link that wins gives nothing: its text is empty, or none of its own sections lives. Kept and appended sections do not count. Give the link a `when` that asks for the text."
);
rule!(
    LAYER_WITHOUT_TEXT,
    "layer-without-text",
    "a layer or body whose text is missing",
    "An optional input may be missing: ask for it in `when`. A body chosen by an optional axis says what stands when it is missing by `else`."
);
rule!(
    REPLACE_FAILED,
    "replace-failed",
    "a `layout.replace` whose pattern needs more than a million steps",
    "The pattern tries too many ways on this text. Write it without nested repetitions."
);

pub(super) fn artifact_too_large(section: &Section, limit: Limit) -> Diagnostic {
    Diagnostic::new(&ARTIFACT_TOO_LARGE, section.span, format!("the artifact has more than {}", limit.amount()))
        .label(format!("with the section `{}`", section.id))
        .limit(limit)
}

pub(super) fn empty_layer(route: &Route) -> Diagnostic {
    let name = route.layer.name();
    let found = Diagnostic::new(&EMPTY_LAYER, route.span, format!("the link `{name}` wins and has no text"))
        .label("nothing of its own is sent");
    match &route.prompt {
        Some(prompt) => found.note(format!("none of the sections of `{prompt}` lives")),
        None => found.help("give the link a `when` that is true only when there is a text"),
    }
}

pub(super) fn no_choice(section: &Section, by: &str) -> Diagnostic {
    Diagnostic::new(
        &LAYER_WITHOUT_TEXT,
        section.span,
        format!("the section `{}` has no body while `{by}` is missing", section.id),
    )
    .label("its body is chosen by that input")
    .help("add `else` to the body, or ask for the input in `when`")
}

pub(super) fn no_text(section: &Section, name: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&LAYER_WITHOUT_TEXT, name.span, format!("the text of `{}` is missing", section.id))
        .label(format!("`{}` was not given", name.value))
        .help(format!("say `when = \"{} is defined\"`", name.value))
}

pub(super) fn no_agent(name: &Spanned<String>, wanted: Option<&str>, agents: &[Agent]) -> Diagnostic {
    let names = || agents.iter().map(|a| a.name.value.as_str());
    let message = match wanted {
        Some(wanted) => format!("there is no agent `{}`", wanted.escape_debug()),
        None => format!("`{}` names no agent", name.value),
    };
    let found = Diagnostic::new(&AGENT_NOT_THERE, name.span, message).label("named by this input");
    match wanted.and_then(|w| nearest(w, names())) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if agents.is_empty() => found.help("add a Markdown file below `prompts/agents/`"),
        None => found.note(format!("agents: {}", listed(&names().collect::<Vec<_>>()))),
    }
}

pub(super) fn replace_failed(section: &Section, problem: &ReplaceFailed, limits: &Limits) -> Diagnostic {
    match problem {
        ReplaceFailed::Steps(pattern) => Diagnostic::new(
            &REPLACE_FAILED,
            pattern.outer_span(),
            format!(
                "the pattern `{}` needs more than {} steps on the section `{}`",
                pattern.text,
                limits.pattern_steps.amount(),
                section.id
            ),
        )
        .label("tries too many ways")
        .also(section.span, "the text that it works on")
        .help("write it without a repetition inside a repetition")
        .limit(limits.pattern_steps),
        ReplaceFailed::Output(pattern) => Diagnostic::new(
            &LIMIT_REACHED,
            pattern.outer_span(),
            format!(
                "the pattern `{}` makes more than {} of text of the section `{}`",
                pattern.text,
                limits.section_bytes.amount(),
                section.id
            ),
        )
        .label("grows the text without end")
        .also(section.span, "the text that it works on")
        .limit(limits.section_bytes),
    }
}
