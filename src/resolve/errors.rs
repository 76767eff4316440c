//! Messages about files that do not fit together.

use super::Inputs;
use crate::diag::{Diagnostic, RuleInfo, Severity, listed, nearest, or_list};
use crate::expr::{Condition, TYPE_MISMATCH, UNDEFINED_INPUT, UNKNOWN_VALUE};
use crate::input::{Definition, Lifetime, Plain, SortBy, Type, Unsortable, ValueProblem};
use crate::limits::Limit;
use crate::manifest::{Agent, Link, Profile, Section};
use crate::source::{FileId, Span, Spanned};

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 22] = [
    &BROKEN_CONSTRAINT,
    &CONFLICTING_INPUT,
    &DERIVED_CYCLE,
    &DUPLICATE_AGENT,
    &EMPTY_CHAIN,
    &EXTENDS_CYCLE,
    &FIXED_INPUT,
    &MISPLACED_ANCHOR,
    &MISSING_VALUE,
    &MIXED_TABLE,
    &NO_SIMPLE,
    &RENDERED_INPUT,
    &REQUIRED_SECTION_LOST,
    &SECRET_LAYER,
    &STATIC_LAYER_OPEN,
    &TABLE_NOT_EXHAUSTIVE,
    &UNKNOWN_AGENT,
    &UNKNOWN_KEEP,
    &UNKNOWN_PROMPT,
    &UNKNOWN_SECTION,
    &UNSORTABLE_LIST,
    &VARIANT_AT_RUN_TIME,
];

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    BROKEN_CONSTRAINT,
    "broken-constraint",
    "values that a `[[constraint]]` rules out",
    "A constraint says which combinations cannot happen. Values of a profile or a context that break one are refused: either the values are wrong, or the constraint is."
);
rule!(
    CONFLICTING_INPUT,
    "conflicting-input",
    "two definitions of one input that differ",
    "All manifests of a profile's chain share one name space. Equal definitions merge; put a shared one into a manifest that the others extend."
);
rule!(
    DERIVED_CYCLE,
    "derived-cycle",
    "derived inputs that hang on one another",
    "A derived input is a function of inputs that are known before it."
);
rule!(DUPLICATE_AGENT, "duplicate-agent", "two agents of one name", include_str!("duplicate_agent.md"));
rule!(
    EMPTY_CHAIN,
    "empty-chain",
    "a chain without links",
    "A profile says what is sent: at least `[chain] default = { prompt = \"NAME\" }`."
);
rule!(
    EXTENDS_CYCLE,
    "extends-cycle",
    "prompts that extend one another in a circle",
    "`extends` forms no circle and is at most 32 deep."
);
rule!(
    FIXED_INPUT,
    "fixed-input",
    "a value given for an input that is fixed or derived",
    "A context gives run-time values. Build inputs, inputs that `[values]` or the matrix fixes, and derived inputs have their values already."
);
rule!(
    MISPLACED_ANCHOR,
    "misplaced-anchor",
    "`after` or `before` on a section that replaces an inherited one",
    "A section of the same id takes the place of the inherited one. To move it, `remove` it and define it anew."
);
rule!(
    MISSING_VALUE,
    "missing-value",
    "an input without a value",
    "A build input has a value in `[values]`, in the matrix, or by `default`; a run-time input in the context, or by `default`; or it is `optional`."
);
rule!(
    MIXED_TABLE,
    "mixed-table",
    "a derived table of bools and strings",
    "All results of a table are bools, or all are strings."
);
rule!(
    NO_SIMPLE,
    "no-simple",
    "`--simple` for a prompt that does not say what is simple",
    "A manifest says `simple = [\"id\", ..]`: the sections that stay."
);
rule!(
    RENDERED_INPUT,
    "rendered-input",
    "a value that is taken as a template: an error for foreign text",
    include_str!("rendered_input.md")
);
rule!(
    REQUIRED_SECTION_LOST,
    "required-section-lost",
    "a layer that drops a section marked `required`",
    include_str!("required_section_lost.md")
);
rule!(
    SECRET_LAYER,
    "secret-layer",
    "a layer whose text is a secret",
    "An input with `secret = true` may never be rendered."
);
rule!(
    STATIC_LAYER_OPEN,
    "static-layer-open",
    "a layer in the static zone whose text is not known when compiling",
    "`zone = \"static\"` promises that the text is the same for everyone. The value of a run-time input is not."
);
rule!(
    TABLE_NOT_EXHAUSTIVE,
    "table-not-exhaustive",
    "a table by an axis that does not name every value",
    "A table names every value of its axis or says `else`, so that a new value is a list of places to decide and never a silent default."
);
rule!(
    UNKNOWN_AGENT,
    "unknown-agent",
    "an agent that is not there",
    "Agents are the Markdown files below `prompts/agents/`."
);
rule!(
    UNKNOWN_KEEP,
    "unknown-keep",
    "`keep` of a section that the default does not have",
    include_str!("unknown_keep.md")
);
rule!(
    UNKNOWN_PROMPT,
    "unknown-prompt",
    "a prompt that is not there",
    "A prompt `NAME` is the file `prompts/NAME.toml`."
);
rule!(
    UNKNOWN_SECTION,
    "unknown-section",
    "a section that is named and not there",
    "The message says which sections there are."
);
rule!(
    UNSORTABLE_LIST,
    "unsortable-list",
    "a list that `sort_by` cannot order",
    "`sort_by = \"key\"` orders tables that all have the key, `\".\"` plain values; of one kind: all strings, all numbers, or all bools."
);
rule!(
    VARIANT_AT_RUN_TIME,
    "variant-at-run-time",
    "a `[[variant]]` that hangs on a run-time value",
    "Which variant applies is decided when compiling. Its `when` may read build inputs, and inputs that the profile fixes."
);

pub(super) fn conflicting_input(again: &Definition, first: &Definition) -> Diagnostic {
    Diagnostic::new(
        &CONFLICTING_INPUT,
        again.name.span,
        format!("`{}` is defined twice and differently", again.name.value),
    )
    .label("this definition")
    .also(first.name.span, "and this one")
    .help("make them equal, or define the input once in a manifest that the others extend")
}

pub(super) fn derived_cycle(definition: &Definition, path: &[String]) -> Diagnostic {
    let name = &definition.name;
    let circle: Vec<String> = path.iter().chain([&name.value]).map(|n| format!("`{n}`")).collect();
    Diagnostic::new(&DERIVED_CYCLE, name.span, format!("`{}` is derived from itself", name.value))
        .label("closes the circle")
        .note(circle.join(" → "))
}

pub(super) fn mixed_table(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&MIXED_TABLE, span, format!("the results of `{name}` are bools and strings"))
        .label("of another kind")
        .help("make all of them bools, or all of them strings")
}

pub(super) fn unknown_axis<'a>(by: &Spanned<String>, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    unknown_input(by, known)
}

pub(super) fn unknown_input<'a>(name: &Spanned<String>, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(&UNDEFINED_INPUT, name.span, format!("`{}` is not an input", name.value))
        .label("not declared")
        .suggest(name, known)
}

pub(super) fn not_an_axis(by: &Spanned<String>, kind: &Type) -> Diagnostic {
    Diagnostic::new(&TYPE_MISMATCH, by.span, format!("`{}` is {} and cannot choose", by.value, kind.describe()))
        .label("no bool and no enum")
        .help("choose by an input whose values are finite: a bool, or a list of strings as its type")
}

pub(super) fn carrier_type(name: &Spanned<String>, kind: &Type) -> Diagnostic {
    Diagnostic::new(
        &TYPE_MISMATCH,
        name.span,
        format!("`{}` is {} and cannot be a layer's text", name.value, kind.describe()),
    )
    .label("must be a string")
}

pub(super) fn unknown_table_key(key: &Spanned<String>, by: &Spanned<String>, known: &[String]) -> Diagnostic {
    let found = Diagnostic::new(&UNKNOWN_VALUE, key.span, format!("`{}` is no value of `{}`", key.value, by.value))
        .label("not in its domain");
    match nearest(key, known.iter().map(String::as_str)) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("its values are {}", or_list(known))),
    }
}

pub(super) fn table_not_exhaustive(span: Span, what: &str, by: &Spanned<String>, missing: &[&String]) -> Diagnostic {
    let list = or_list(missing);
    Diagnostic::new(&TABLE_NOT_EXHAUSTIVE, span, format!("`{what}` does not say what to do for {list}"))
        .label(format!("{} of `{}` not named", if missing.len() == 1 { "a value" } else { "values" }, by.value))
        .also(by.span, "chosen by this axis")
        .help(format!("name {}, or say `else`", list.replace(" or ", " and ")))
}

pub(super) fn bad_value(span: Span, name: &str, plain: &Plain, problem: &ValueProblem) -> Diagnostic {
    match problem {
        ValueProblem::WrongType(got) => {
            Diagnostic::new(&TYPE_MISMATCH, span, format!("`{name}` must be {}, not {got}", plain.kind.describe()))
                .label(*got)
        }
        ValueProblem::NotInDomain(value) => {
            let found = Diagnostic::new(&UNKNOWN_VALUE, span, format!("`{name}` cannot be `{}`", value.escape_debug()))
                .label("not one of its values");
            let Type::Enum(known) = &plain.kind else { return found };
            match nearest(value, known.iter().map(String::as_str)) {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None => found.help(format!("its values are {}", or_list(known))),
            }
        }
        ValueProblem::Unsortable(why) => {
            let key = match &plain.sort_by {
                Some(SortBy::Key { key: Some(key), .. }) => format!("`{key}`"),
                _ => "its items".to_owned(),
            };
            let (item, what) = match why {
                Unsortable::NoKey(n) => (n, format!("has no {key}")),
                Unsortable::MixedKinds(n) => (n, "is of another kind than the first".to_owned()),
                Unsortable::NoOrder(n) => (n, "has no order".to_owned()),
            };
            Diagnostic::new(&UNSORTABLE_LIST, span, format!("`{name}` cannot be sorted by {key}"))
                .label(format!("item {} {what}", item + 1))
                .help(
                    "give every item the same kind of key, or say `sort_by = \"given\"` when the order is the meaning",
                )
        }
    }
}

pub(super) fn missing_build_value(profile: &Profile, definition: &Definition, plain: &Plain) -> Diagnostic {
    let name = &definition.name;
    let at = profile.target.as_ref().map_or(profile.chain_span, |t| t.provider.span);
    Diagnostic::new(&MISSING_VALUE, Span::start_of(at.file), format!("the build input `{}` has no value", name.value))
        .label("this profile does not give it")
        .also(name.span, "declared here")
        .help(format!("add `{}` to `[values]`: {}", name.value, plain.kind.describe()))
}

pub(super) fn missing_in_context(file: FileId, definition: &Definition, plain: &Plain) -> Diagnostic {
    let name = &definition.name;
    Diagnostic::new(&MISSING_VALUE, Span::start_of(file), format!("the context does not give `{}`", name.value))
        .label("not given in this file")
        .also(name.span, format!("declared here: {}", plain.kind.describe()))
        .help("give it, or declare the input with `optional = true` or a `default`")
}

pub(super) fn unknown_in_context<'a>(key: &Spanned<String>, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(
        &UNDEFINED_INPUT,
        key.span,
        format!("the context gives `{}`, which is not an input", key.value.escape_debug()),
    )
    .label("not declared in this profile")
    .suggest(key, known)
}

pub(super) fn unknown_in_values<'a>(key: &Spanned<String>, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(&UNDEFINED_INPUT, key.span, format!("`{}` is not an input", key.value.escape_debug()))
        .label("not declared by any manifest of the chain")
        .suggest(key, known)
}

pub(super) fn derived_given(key: &Spanned<String>, definition: &Definition) -> Diagnostic {
    Diagnostic::new(&FIXED_INPUT, key.span, format!("`{}` is derived and cannot be given", key.value))
        .label("given here")
        .also(definition.name.span, "derived here")
        .help("give the inputs that it is derived from")
}

pub(super) fn fixed_given(key: &Spanned<String>, definition: &Definition, by: Option<Span>) -> Diagnostic {
    let build = definition.plain().is_some_and(|p| p.lifetime == Lifetime::Build);
    let why = if build { "is fixed when compiling" } else { "is fixed by the profile" };
    Diagnostic::new(&FIXED_INPUT, key.span, format!("`{}` {why} and cannot be given by a context", key.value))
        .label("given here")
        .also(by.unwrap_or(definition.name.span), if by.is_some() { "fixed here" } else { "declared here" })
        .help("leave it out of the context")
}

pub(super) fn broken_constraint(at: Span, constraint: &Condition, shown: &str) -> Diagnostic {
    Diagnostic::new(&BROKEN_CONSTRAINT, at, format!("the context breaks `{}`", constraint.text.text))
        .label("given here")
        .also(constraint.text.whole_span(), "this must hold")
        .note(shown.to_owned())
        .help("mend the values, or the constraint")
}

pub(super) fn broken_by_build(at: Span, constraint: &Condition, shown: &str) -> Diagnostic {
    Diagnostic::new(
        &BROKEN_CONSTRAINT,
        constraint.text.whole_span(),
        format!("the profile breaks `{}`", constraint.text.text),
    )
    .label(shown.to_owned())
    .also(Span::start_of(at.file), "with the values of this profile")
    .help("mend the values, or the constraint")
}

pub(super) fn extends_cycle(name: &Spanned<String>, stack: &[String]) -> Diagnostic {
    let circle: Vec<String> = stack.iter().chain([&name.value]).map(|n| format!("`{n}`")).collect();
    Diagnostic::new(&EXTENDS_CYCLE, name.span, format!("`{}` extends itself", name.value))
        .label("closes the circle")
        .note(circle.join(" → "))
}

pub(super) fn extends_depth(span: Span, limit: Limit) -> Diagnostic {
    Diagnostic::new(&EXTENDS_CYCLE, span, format!("`extends` is more than {} deep", limit.amount()))
        .label("this one is too deep")
        .limit(limit)
}

pub(super) fn unknown_prompt(name: &Spanned<String>, known: &[String]) -> Diagnostic {
    Diagnostic::new(&UNKNOWN_PROMPT, name.span, format!("there is no prompt `{}`", name.value))
        .label(format!("no file `prompts/{}.toml`", name.value))
        .suggest(name, known.iter().map(String::as_str))
}

pub(super) fn unknown_section(id: &Spanned<String>, place: &str, known: &[String]) -> Diagnostic {
    let found = Diagnostic::new(&UNKNOWN_SECTION, id.span, format!("there is no section `{}` in {place}", id.value))
        .label("named here");
    match nearest(id, known.iter().map(String::as_str)) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => found.note("there are no sections"),
        None => found.note(format!("sections: {}", listed(known))),
    }
}

pub(super) fn unknown_keep(id: &Spanned<String>, known: &[String]) -> Diagnostic {
    let found = Diagnostic::new(&UNKNOWN_KEEP, id.span, format!("the default has no section `{}` to keep", id.value))
        .label("named here");
    match nearest(id, known.iter().map(String::as_str)) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => found.note("the default is no prompt with sections"),
        None => found.note(format!("sections: {}", listed(known))),
    }
}

pub(super) fn anchored_replacement(span: Span, id: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        &MISPLACED_ANCHOR,
        span,
        format!("`{}` replaces an inherited section and stays in its place", id.value),
    )
    .label("cannot move it")
    .help(format!("to move it, add `remove = [\"{}\"]`", id.value))
}

pub(super) fn variant_at_run_time(when: &Condition, inputs: &Inputs) -> Diagnostic {
    let lifetime = |name: &str| inputs.lifetime([name]);
    let open: Vec<&str> = when.names().into_iter().filter(|name| lifetime(name).is_run_time()).collect();
    let known = open.first().map_or("", |name| lifetime(name).known());
    Diagnostic::new(&VARIANT_AT_RUN_TIME, when.text.whole_span(), format!("a variant hangs on {}", or_list(&open)))
        .label(known)
        .help("choose by a build input, or fix the input in the profile")
}

pub(super) fn required_dropped_by_variant(span: Span, section: &Section) -> Diagnostic {
    let id = &section.id;
    Diagnostic::new(
        &REQUIRED_SECTION_LOST,
        span,
        format!("the variant's `order` drops the required section `{}`", id.value),
    )
    .label("this variant")
    .also(id.span, "required here")
    .help(format!("add `{}` to `order`", id.value))
}

pub(super) fn required_lost(link: &Link, prompt: &str, section: &Section) -> Diagnostic {
    let id = &section.id;
    Diagnostic::new(
        &REQUIRED_SECTION_LOST,
        link.span,
        format!("the link `{}` drops the required section `{}`", link.layer.name(), id.value),
    )
    .label(format!("when this link wins, `{}` is not sent", id.value))
    .also(id.span, format!("required by `{prompt}`"))
    .help(format!("add `keep = [\"{}\"]` to the link, or a section `{}` to its prompt", id.value, id.value))
}

pub(super) fn unknown_agent(span: Span, name: &str, agents: &[Agent]) -> Diagnostic {
    let names = || agents.iter().map(|a| a.name.value.as_str());
    let found = Diagnostic::new(&UNKNOWN_AGENT, span, format!("there is no agent `{}`", name.escape_debug()))
        .label("named here");
    match nearest(name, names()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if agents.is_empty() => found.help("add a Markdown file below `prompts/agents/`"),
        None => found.note(format!("agents: {}", listed(&names().collect::<Vec<_>>()))),
    }
}

pub(super) fn duplicate_agent(again: &Agent, first: &Agent) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_AGENT, again.name.span, format!("two agents are called `{}`", again.name.value))
        .label("this one")
        .also(first.name.span, "and this one")
        .help("give one of them another `name`")
}

pub(super) fn empty_chain(span: Span) -> Diagnostic {
    Diagnostic::new(&EMPTY_CHAIN, span, "the chain has no links")
        .label("nothing can be sent")
        .help("add `default = { prompt = \"NAME\" }`")
}

pub(super) fn extends_nothing(span: Span) -> Diagnostic {
    Diagnostic::new(&EMPTY_CHAIN, span, "the agent extends a default that the chain does not have")
        .label("stands behind nothing")
        .help("add `default = { prompt = \"NAME\" }`, or say `mode = \"replace\"`")
}

pub(super) fn rendered_foreign(name: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&RENDERED_INPUT, name.span, format!("`{}` is foreign text and would run as a template", name.value))
        .label("`render = true` on foreign text")
        .note("whoever writes the value could read every other input")
        .help("drop `render = true`: the text then stands as it is")
        .firm()
}

pub(super) fn secret_carrier(name: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&SECRET_LAYER, name.span, format!("the secret `{}` would be sent as a layer's text", name.value))
        .label("may be tested, never printed")
}

pub(super) fn static_layer_open(span: Span, name: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        &STATIC_LAYER_OPEN,
        span,
        format!("`{}` is not known when compiling and cannot be static", name.value),
    )
    .label("promises the same text for everyone")
    .also(name.span, "this value arrives later")
    .help("drop `zone = \"static\"`, or fix the input in `[values]`")
}

pub(super) fn no_simple(span: Span, prompt: Option<&str>) -> Diagnostic {
    match prompt {
        Some(prompt) => Diagnostic::new(&NO_SIMPLE, span, format!("the prompt `{prompt}` does not say what is simple"))
            .label("the default")
            .help(format!("add `simple = [\"ID\", ..]` to `prompts/{prompt}.toml`")),
        None => {
            Diagnostic::new(&NO_SIMPLE, span, "the default is no prompt and cannot be cut short").label("the default")
        }
    }
}
