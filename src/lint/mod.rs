//! Findings that are no errors of the language: what wastes the cache, what a reader would stumble over.
//!
//! Owns the registry, one file and one page a rule, and the order in which everything is looked at. Rules read what was
//! compiled and, with a base, what changed; they know neither levels nor reasons nor output formats. Main types:
//! [`Rule`], [`Check`] and the views [`Project`], [`Profile`], [`Route`], [`Artifact`].

mod budgets;
mod cache;
mod chain;
mod change;
mod errors;
mod fix;
mod paragraphs;
mod text;
mod variants;
mod view;

use std::collections::{BTreeMap, BTreeSet};

pub use fix::{Mended, mend};
pub use view::{Artifact, Change, Made, Profile, Project, Route, Told, Written};

use crate::compile::{self, Tasks};
use crate::diag::{Diagnostic, Place, RuleInfo, Sink};
use crate::diff::{self, Diff, Side, Sided};
use crate::snapshot;
use crate::workspace::{Wanted, Workspace};

/// A rule: what is known of it, and how it is checked.
pub struct Rule {
    /// Name, level, page.
    pub info: &'static RuleInfo,
    /// What it looks at.
    pub check: Check,
}

/// What a rule looks at. A function adds what it finds.
#[derive(Clone, Copy)]
pub enum Check {
    /// All files and all artifacts together, once.
    Project(fn(&Project<'_>, &mut Vec<Diagnostic>)),
    /// Each profile, and each cell of its matrix: inputs, constraints, the chain.
    Profile(fn(&Profile<'_>, &mut Vec<Diagnostic>)),
    /// Each link that can win: sections as written, in their order.
    Route(fn(&Route<'_>, &mut Vec<Diagnostic>)),
    /// Each artifact, ahead of time and with each fixture: texts, blocks, marks, tokens.
    Artifact(fn(&Artifact<'_>, &mut Vec<Diagnostic>)),
    /// What a change does to each profile; asked only with a base.
    Change(fn(&Change<'_>, &mut Vec<Diagnostic>)),
    /// Several of these.
    Several(&'static [Check]),
}

/// All rules of this module, by group and name.
pub static RULES: &[&Rule] = &[
    &cache::attribution_volatile::RULE,
    &cache::below_minimum::RULE,
    &cache::day_rollover::RULE,
    &cache::lifetime_order::RULE,
    &cache::mark_not_emitted::RULE,
    &cache::mark_on_volatile::RULE,
    &cache::mark_order::RULE,
    &cache::model_identity::RULE,
    &cache::scope_unsupported::RULE,
    &cache::static_after_boundary::RULE,
    &cache::static_in_dangerous::RULE,
    &cache::suspicious_lifetime::RULE,
    &cache::suspicious_literal::RULE,
    &cache::too_many_marks::RULE,
    &cache::two_readings::RULE,
    &cache::unordered_collection::RULE,
    &cache::variant_budget::RULE,
    &chain::agent_without_body::RULE,
    &chain::append_lost::RULE,
    &chain::layer_leak::RULE,
    &chain::shadowed_layer::RULE,
    &chain::unused_layer::RULE,
    &change::boundary_moved::RULE,
    &change::dangerous_added::RULE,
    &change::lifetime_shortened::RULE,
    &change::reason_changed::RULE,
    &change::required_removed::RULE,
    &change::scope_narrowed::RULE,
    &change::section_demoted::RULE,
    &change::section_moved::RULE,
    &change::static_prefix_now_runtime::RULE,
    &change::static_prefix_rewritten::RULE,
    &change::static_variants_grew::RULE,
    &text::blank_section::RULE,
    &text::boundary_marker_in_text::RULE,
    &text::byte_order_mark::RULE,
    &text::duplicate_text::RULE,
    &text::fence_breakout::RULE,
    &text::invisible_characters::RULE,
    &text::mixed_newlines::RULE,
    &text::output_too_large::RULE,
    &text::three_blank_lines::RULE,
    &text::trailing_whitespace::RULE,
    &text::unguarded_optional::RULE,
    &text::unrendered_placeholder::RULE,
    &text::value_not_sanitised::RULE,
    &variants::always_true::RULE,
    &variants::complementary_sections::RULE,
    &variants::condition_without_effect::RULE,
    &variants::dead_section::RULE,
    &variants::determined_input::RULE,
    &variants::mergeable_sections::RULE,
    &variants::one_hot_inputs::RULE,
    &variants::private_text_leak::RULE,
    &variants::redundant_condition::RULE,
    &variants::redundant_constraint::RULE,
    &variants::unreachable_value::RULE,
    &variants::unsatisfiable_constraints::RULE,
    &budgets::context_window::RULE,
    &budgets::over_budget::RULE,
    &budgets::truncated_value::RULE,
    &budgets::unused_input::RULE,
];

/// Rules whose name and page belong to the compiler: it stops where it is certain, and these find the rest.
static SHARED: [&Rule; 2] = [&text::rendered_input::RULE, &text::secret_in_prompt::RULE];

impl Check {
    fn each(&self) -> &[Check] {
        match self {
            Check::Several(list) => list,
            one => std::slice::from_ref(one),
        }
    }
}

/// Every kind of message, errors of the language and lints, sorted by name.
pub fn rules() -> Vec<&'static RuleInfo> {
    let mut all = compile::rules();
    all.extend(RULES.iter().map(|rule| rule.info));
    all.extend(errors::RULES);
    all.extend(snapshot::RULES);
    all.sort_by_key(|rule| rule.name);
    all
}

/// The kind of message of this name.
pub fn rule(name: &str) -> Option<&'static RuleInfo> {
    rules().into_iter().find(|rule| rule.name == name)
}

/// Compiles everything and runs every rule. Errors of the language go to the sink too; a profile that has some is
/// looked at as far as it came. With `wanted` less than all, nothing is said of what other profiles might use.
///
/// With a base the rules about changes are asked too.
pub fn lint(workspace: &Workspace, tasks: &Tasks, wanted: Wanted<'_>, base: Option<&Side<'_>>, sink: &mut Sink) {
    let (made, changed) = compile_all(workspace, tasks, base, sink);
    let mut found = Vec::new();
    let project = Project { workspace, made: &made };
    let mut repeated = Repeated::default();
    for check in RULES.iter().copied().chain(SHARED).flat_map(|rule| rule.check.each()) {
        match check {
            Check::Several(_) => {}
            Check::Change(check) => {
                let mut here = Vec::new();
                for change in changed.iter().flat_map(|diff| &diff.profiles) {
                    if let Some(written) = workspace.profiles.get(&change.profile) {
                        check(&Change { workspace, written, change }, &mut here);
                    }
                }
                found.extend(once(here));
            }
            Check::Project(check) => check(&project, &mut found),
            Check::Profile(check) => {
                made.iter().filter(|m| m.is_first).for_each(|m| check(&m.profile(workspace), &mut found))
            }
            Check::Route(check) => {
                project.routes().for_each(|route| check(&route, &mut found));
            }
            Check::Artifact(check) => {
                for (number, m) in made.iter().enumerate() {
                    let Some(artifact) = m.artifact(workspace) else { continue };
                    let mut here = Vec::new();
                    check(&artifact, &mut here);
                    repeated.add(number, here);
                }
            }
        }
    }
    let repeated: Vec<Diagnostic> = repeated.merged(&made).collect();
    sink.extend(without_weaker(found, &repeated));
    sink.extend(repeated);
    if matches!(wanted, Wanted::All) && sink.reported().is_none() {
        unused_reasons(&made, base.is_some(), sink);
    }
}

/// A rule that says what can happen, and the one that has seen it happen at the same place.
const WEAKER: (&str, &str) = ("value-not-sanitised", "fence-breakout");

/// Findings without those that a stronger one says again.
fn without_weaker(mut found: Vec<Diagnostic>, stronger: &[Diagnostic]) -> Vec<Diagnostic> {
    let told = stronger.iter().filter(|d| d.rule.name == WEAKER.1 && !d.is_allowed());
    let places: BTreeSet<&Place> = told.map(|d| &d.place).collect();
    found.retain(|d| d.rule.name != WEAKER.0 || !places.contains(&d.place));
    found
}

/// Everything that there is to compile, and with a base what changed.
fn compile_all(
    workspace: &Workspace,
    tasks: &Tasks,
    base: Option<&Side<'_>>,
    sink: &mut Sink,
) -> (Vec<Made>, Option<Diff>) {
    let mut made: Vec<Made> = Vec::new();
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    let mut head = base.map(|_| Sided::new(workspace, tasks, Vec::new()));
    compile::each(workspace, tasks, sink, &mut |one| {
        if let Some(head) = &mut head {
            head.add(&one);
        }
        let Some(compiled) = one.compiled else { return };
        let is_first = seen.insert((one.task.profile.clone(), crate::emit::cell_name(&compiled.resolved.cell)));
        made.push(Made::new(workspace, one.task.context.clone(), compiled, is_first));
    });
    let changed = base.zip(head).map(|(base, head)| diff::compare(base, &head.finish()));
    (made, changed)
}

/// Findings about changes of profiles, the same one of several told once, with the numbers of the profile where most is
/// at stake: each profile has its own. What a reason allows is not told, and stays for the reason to be used.
fn once(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    let mut known: BTreeMap<(&'static str, Place, String), usize> = BTreeMap::new();
    for found in all {
        if found.is_allowed() {
            out.push(found);
            continue;
        }
        let key = (found.rule.name, found.place.clone(), without_numbers(&found.message));
        match known.get(&key) {
            Some(&at) if found.tokens > out[at].tokens => out[at] = found,
            Some(_) => {}
            None => {
                known.insert(key, out.len());
                out.push(found);
            }
        }
    }
    out
}

/// A headline without its numbers. Digits of a name, which stands in backticks, are none.
fn without_numbers(headline: &str) -> String {
    let part = |(n, part): (usize, &str)| match n % 2 {
        0 => part.replace(|c: char| c.is_ascii_digit(), ""),
        _ => part.to_owned(),
    };
    headline.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// Findings of artifacts, the same one of several told once.
#[derive(Default)]
struct Repeated {
    order: Vec<(Diagnostic, BTreeSet<usize>)>,
    known: BTreeMap<(&'static str, Place, String), usize>,
}

impl Repeated {
    fn add(&mut self, artifact: usize, found: Vec<Diagnostic>) {
        for diagnostic in found {
            let key = (diagnostic.rule.name, diagnostic.place.clone(), diagnostic.message.clone());
            let next = self.order.len();
            let at = *self.known.entry(key).or_insert(next);
            match self.order.get_mut(at) {
                None => self.order.push((diagnostic, BTreeSet::from([artifact]))),
                Some((shown, artifacts)) => {
                    artifacts.insert(artifact);
                    // Of artifacts that differ, the one where most is at stake is shown.
                    if diagnostic.tokens > shown.tokens {
                        *shown = diagnostic;
                    }
                }
            }
        }
    }

    fn merged(self, made: &[Made]) -> impl Iterator<Item = Diagnostic> {
        self.order.into_iter().map(|(mut diagnostic, artifacts)| {
            let names: Vec<String> = artifacts.iter().map(|&n| made[n].name()).collect();
            diagnostic.profile = artifacts.first().map(|&n| made[n].compiled.resolved.profile.clone());
            if artifacts.len() < made.len() {
                diagnostic.notes.push(errors::artifacts(&names, made.len()));
            }
            diagnostic
        })
    }
}

/// Whether a rule finds something that only a base can show.
fn asks_for_changes(rule: &str) -> bool {
    let checks = RULES.iter().filter(|known| known.info.name == rule).flat_map(|known| known.check.each());
    checks.into_iter().any(|check| matches!(check, Check::Change(_)))
}

/// Reasons that silence nothing.
fn unused_reasons(made: &[Made], has_base: bool, sink: &mut Sink) {
    let mut unused = BTreeMap::new();
    for section in made.iter().flat_map(|m| &m.compiled.resolved.routes).filter(|r| r.can_win).flat_map(|r| &r.sections)
    {
        for allow in
            section.allow.iter().filter(|a| !sink.has_used(a.rule.span) && (has_base || !asks_for_changes(&a.rule)))
        {
            unused.entry(allow.rule.span).or_insert_with(|| errors::unused_allow(allow, section));
        }
    }
    sink.extend(unused.into_values());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Severity;

    #[test]
    fn every_rule_is_registered_once_and_can_be_silenced() {
        let all = rules();
        for pair in all.windows(2) {
            assert_ne!(pair[0].name, pair[1].name);
        }
        for rule in RULES.iter().copied().chain(SHARED) {
            let info = rule.info;
            assert!(compile::lint_names().contains(&info.name), "{}", info.name);
            assert!(info.doc.contains("```toml fail") && info.doc.contains("```toml pass"), "{}: examples", info.name);
        }
        assert!(all.iter().filter(|r| r.level != Severity::Error).all(|r| compile::lint_names().contains(&r.name)));
    }
}
