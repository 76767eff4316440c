//! `attribution-volatile`: a line of the client in front of everything that is cached.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Route, Rule, errors};
use crate::manifest::{Channel, Role};
use crate::resolve::Section;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Route(check) };

static INFO: RuleInfo = RuleInfo {
    name: "attribution-volatile",
    level: Severity::Error,
    summary: "an attribution line of run time in front of the whole prefix",
    doc: include_str!("attribution_volatile.md"),
};

fn check(view: &Route<'_>, found: &mut Vec<Diagnostic>) {
    let Some(target) = view.profile.target.filter(|target| !target.strips_attribution) else { return };
    let inputs = &view.profile.resolved.inputs;
    for section in view.route.sections.iter().filter(|s| s.role == Role::Attribution) {
        let volatile = |input: &str| inputs.lifetime([input]).is_run_time();
        let Some(reading) = section.reads.places.iter().find(|r| volatile(&r.input)) else { continue };
        let behind =
            view.route.sections.iter().filter(|s| s.channel != Channel::UserContext && s.role != Role::Attribution);
        let tokens = view.tokens(behind);
        let told = message(section, &reading.input, &target.provider, tokens);
        found.push(section.finding(told.also(reading.span, inputs.lifetime([&*reading.input]).known())));
    }
}

fn message(section: &Section, input: &str, provider: &str, tokens: u64) -> Diagnostic {
    Diagnostic::new(&INFO, section.span, format!("`{input}` stands in front of everything that is cached"))
        .label("an attribution line comes first")
        .note(format!("nothing says that `{provider}` takes the line off before it looks for a cached prefix: each value makes another one, and {} behind it are shared by nobody", errors::about(tokens, "the")))
        .help("if the service strips the line, say so: `[target] strips_attribution = true`")
        .help("or print only what is known when compiling, and send the rest in a header")
        .tokens(tokens)
}
