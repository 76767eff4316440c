//! Messages about whole routes.

use super::checks::{Conditional, Counted};
use crate::diag::{Diagnostic, RuleInfo, Severity, nearest, or_list};
use crate::expr::UNKNOWN_VALUE;
use crate::input::{Datum, Lifetime, Value};
use crate::manifest::Role;
use crate::resolve::{How, Origin, Reading, Section};
use crate::source::Spanned;
use crate::tokens::Encoding;
use crate::variants::Count;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 5] =
    [&ERROR_ALLOWED, &STALE_TURN_VALUE, &STATIC_CONDITIONAL, &STATIC_INTERPOLATION, &UNKNOWN_RULE];

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:expr) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    ERROR_ALLOWED,
    "error-allowed",
    "`allow` of an error that cannot be silenced",
    "`allow` silences lints, and `static-conditional` and `static-interpolation`. What makes an artifact wrong must be mended."
);
rule!(
    STALE_TURN_VALUE,
    "stale-turn-value",
    "a value that may change on every request, in a section that is computed once",
    include_str!("stale_turn_value.md")
);
rule!(
    STATIC_CONDITIONAL,
    "static-conditional",
    "a run-time condition in the static zone",
    include_str!("static_conditional.md")
);
rule!(
    STATIC_INTERPOLATION,
    "static-interpolation",
    "a run-time value printed in the static zone",
    include_str!("static_interpolation.md")
);
rule!(
    UNKNOWN_RULE,
    "unknown-rule",
    "`allow` of a rule that there is not",
    "Names of rules are those in the brackets of a message. `promptc explain NAME` says what each means."
);

pub(super) fn static_interpolation(
    section: &Section,
    reading: &Reading,
    lifetime: Lifetime,
    tokens: u64,
) -> Diagnostic {
    let name = &reading.input;
    let mut found = Diagnostic::new(&STATIC_INTERPOLATION, reading.span, format!("`{name}` {}", lifetime.known()))
        .label("its value stands before the cache boundary")
        .also(section.span, shared_kind(section))
        .note(format!(
            "every value of `{name}` makes another prefix: the shared text{} is cached for each of them anew",
            about(tokens)
        ))
        .help(way_out(section, reading.how, lifetime))
        .help(format!("or fix the value in the profile: `[values] {name} = ..`"));
    found.tokens = (tokens > 0).then_some(tokens);
    found
}

pub(super) fn static_conditional(
    section: &Section,
    conditional: &Conditional<'_>,
    counted: &Counted<'_>,
    tokens: u64,
) -> Diagnostic {
    let Conditional { reading, lifetime, behind, domain } = conditional;
    let name = &reading.input;
    let label = match reading.how {
        How::When => "decides what stands before the cache boundary",
        How::Choice => "chooses what stands before the cache boundary",
        How::Replace => "decides what is replaced before the cache boundary",
        How::Body(crate::template::Role::Tested) => "decides what stands before the cache boundary",
        How::Body(_) => "stands before the cache boundary",
    };
    let mut found = Diagnostic::new(&STATIC_CONDITIONAL, reading.span, format!("`{name}` {}", lifetime.known()))
        .label(label)
        .also(section.span, shared_kind(section));
    let derived = behind.len() != 1 || behind[0] != &**name;
    if derived && !behind.is_empty() {
        let list: Vec<String> = behind.iter().map(|b| format!("`{b}`")).collect();
        found = found.note(format!("`{name}` is derived from {}", list.join(", ")));
    }
    found = found.note(variants(counted, tokens));
    found = found.help(way_out(section, reading.how, *lifetime));
    let fix = behind.first().copied().unwrap_or(name);
    // `true` for a bool, the first value for an enum.
    let value = match (domain.first().and_then(Datum::value), derived) {
        (Some(Value::Bool(_)), false) => "true".to_owned(),
        (Some(value), false) => value.canonical_json(),
        _ => "..".to_owned(),
    };
    found = found.help(format!("or fix it in the profile: `[values] {fix} = {value}`"));
    found.tokens = (tokens > 0).then_some(tokens);
    found
}

/// How many variants there are, how many texts the section has of them, and what each costs.
fn variants(counted: &Counted<'_>, tokens: u64) -> String {
    let number = |count: &Count, what: &str| match *count == Count::one() {
        true => format!("{count} {what}"),
        false => format!("{count} {what}s"),
    };
    let own = number(&counted.own.outcomes, "text");
    let all = number(&counted.route.count, "variant");
    let allowed = if counted.limit == 1 { "1 is".to_owned() } else { format!("{} are", counted.limit) };
    let cost = match tokens {
        0 => "its text is".to_owned(),
        1 => "about 1 token is".to_owned(),
        n => format!("about {n} tokens are"),
    };
    format!("this section has {own}, and the static prefix {all} where {allowed} allowed: {cost} cached once for each")
}

fn shared_kind(section: &Section) -> &'static str {
    match section.role {
        Role::Prefix => "in this identity prefix, which obeys the rules of the static zone",
        _ => "in this static section",
    }
}

/// Where a section with a value of this lifetime belongs.
fn way_out(section: &Section, how: How, lifetime: Lifetime) -> &'static str {
    match lifetime {
        _ if section.role == Role::Prefix => {
            "keep the prefix the same for everyone, and say the rest in a section behind the boundary"
        }
        Lifetime::User | Lifetime::Org | Lifetime::Session if matches!(how, How::Body(_)) && is_large(section) => {
            "cut the section in two: what reads the value goes behind the boundary, into one with `zone = \"dynamic\"`; the rest stays shared"
        }
        Lifetime::Turn => {
            "put the section behind the boundary, `zone = \"dynamic\"`, and say how it may change: `channel = \"user_context\"`, `freeze` or `DANGEROUS_uncached`"
        }
        _ => "put the section behind the boundary: `zone = \"dynamic\"`",
    }
}

/// Bytes of a body from which on a section is worth cutting.
const LARGE: usize = 600;

/// Whether a section has so much text that moving all of it costs more than a cut.
pub(super) fn is_large(section: &Section) -> bool {
    section.bodies().iter().any(|text| text.text.len() > LARGE)
}

fn about(tokens: u64) -> String {
    match tokens {
        0 => String::new(),
        1 => " of about 1 token".to_owned(),
        n => format!(" of about {n} tokens"),
    }
}

pub(super) fn stale_turn_value(section: &Section, reading: &Reading) -> Diagnostic {
    let name = &reading.input;
    let message = format!("`{name}` may change on every request, and `{}` is computed once", section.id);
    let found = Diagnostic::new(&STALE_TURN_VALUE, reading.span, message)
        .label("goes stale within a session")
        .also(section.span, "in this cached section");
    match section.origin {
        Origin::Layer => found
            .help(format!("declare `{name}` with the lifetime that the text really has, such as `session`"))
            .help("or send the text by an item of `append` with `DANGEROUS_uncached = \"..\"`"),
        Origin::Append => found.help("recompute it, with the reason: `DANGEROUS_uncached = \"..\"`"),
        Origin::Prompt(_) | Origin::Kept(_) => found
            .help("recompute it, with the reason: `DANGEROUS_uncached = \"..\"`")
            .help("or read it once on purpose, with a note for the model: `freeze = \"..\"`")
            .help("or send it in the first user message: `channel = \"user_context\"`"),
    }
}

pub(super) fn error_allowed(rule: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&ERROR_ALLOWED, rule.span, format!("`{}` cannot be allowed", rule.value))
        .label("an error, not a lint")
        .help("drop the entry and mend what the error says")
}

pub(super) fn unknown_base(base: &Spanned<String>) -> Diagnostic {
    let known = Encoding::ALL.map(Encoding::name);
    let found =
        Diagnostic::new(&UNKNOWN_VALUE, base.span, format!("there is no encoding `{}` to count with", base.value))
            .label("not one of its values");
    match nearest(base, known) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help(format!("write {}", or_list(known))),
    }
}

pub(super) fn error_level(rule: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(&ERROR_ALLOWED, rule.span, format!("`{}` is always an error", rule.value))
        .label("an error, not a lint")
        .help("drop the entry: levels are for lints")
}

pub(super) fn unknown_rule(rule: &Spanned<String>, known: &[&'static str]) -> Diagnostic {
    let found =
        Diagnostic::new(&UNKNOWN_RULE, rule.span, format!("there is no rule `{}`", rule.value)).label("unknown rule");
    match nearest(rule, known.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found,
    }
}
