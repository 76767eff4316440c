//! `agent-without-body`: an agent that says nothing.

use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::lint::{Check, Project, Rule};
use crate::manifest::Agent;

pub(in crate::lint) static RULE: Rule = Rule { info: &INFO, check: Check::Project(check) };

static INFO: RuleInfo = RuleInfo {
    name: "agent-without-body",
    level: Severity::Warning,
    summary: "an agent without instructions",
    doc: include_str!("agent_without_body.md"),
};

fn check(view: &Project<'_>, found: &mut Vec<Diagnostic>) {
    let blank = |agent: &&Agent| agent.body.text.trim().is_empty();
    found.extend(view.workspace.agents.iter().filter(blank).map(message));
}

fn message(agent: &Agent) -> Diagnostic {
    Diagnostic::new(&INFO, agent.name.span, format!("the agent `{}` has no instructions", agent.name.value))
        .label("nothing stands behind the front matter")
        .note("a link that holds and has no text is an error: whoever asks for this agent gets nothing")
        .help("write its instructions below the closing `---`, or take the file away")
}
