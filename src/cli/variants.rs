//! `promptc variants`.

use super::format::{Formats, Stream};
use super::job::{self, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::compile::{self, Compiled, Compiler, Contexts, Request};
use crate::diag::Sink;
use crate::host::Error;
use crate::render::Renderer;
use crate::report::{self, Counted, Format, Variants};
use crate::source::SourceMap;
use crate::variants::{self, Fleet, FleetSum};
use crate::workspace::{Wanted, Workspace};

/// Count the static prefixes that can exist, and say what makes them
///
/// Sections are rendered in every way that there is, and texts compared byte by byte. Works while an error stands. With
/// `--format json` the counts are JSON.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The profile
    #[arg(required_unless_present = "fleet")]
    profile: Option<String>,
    #[command(flatten)]
    which: Which,
    /// How many prefixes there may be, for what to move; else `limits.static_variants`
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    /// All profiles and cells together: different prefixes, and what they begin with
    #[arg(long)]
    fleet: bool,
    #[command(flatten)]
    formats: Formats,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let mut outcome = Outcome::Clean;
    let fleet = match args.fleet {
        true => {
            let (sum, found) = fleet(args, global, ui)?;
            outcome = found;
            Some(sum)
        }
        false => None,
    };
    let Some(profile) = &args.profile else {
        let nothing = SourceMap::default();
        let shown = Variants { resolved: None, routes: Vec::new(), fleet, budget: 0, sources: &nothing };
        print(args, &shown, ui)?;
        return Ok(outcome);
    };
    let one = job::compile_one(profile, &args.which, false, global, &args.formats, ui)?;
    if one.outcome == Outcome::Findings {
        outcome = Outcome::Findings;
    }
    let Some((_, compiled)) = one.compiled.first() else { return Ok(outcome) };
    let budget = args.budget.unwrap_or_else(|| compiled.resolved.limits.static_variants.map_or(1, |n| n.value));
    let shown = Variants {
        resolved: Some(&compiled.resolved),
        routes: routes(args, compiled, &one.workspace, budget),
        fleet,
        budget,
        sources: &one.workspace.sources,
    };
    print(args, &shown, ui)?;
    Ok(outcome)
}

/// Every route that can win; with a context or `--route` the one that is meant.
fn routes<'a>(args: &Args, compiled: &'a Compiled, workspace: &Workspace, budget: u64) -> Vec<Counted<'a>> {
    let renderer = Renderer::new(workspace);
    let counter = compiled.target.as_ref().map(|t| t.counter());
    let tokens = |text: &str| counter.as_ref().map_or(0, |c| c.count(text));
    let wanted = match (args.which.route, &args.which.context) {
        (None, None) => None,
        (Some(layer), _) => Some(layer),
        (None, Some(_)) => compiled.winner(),
    };
    let set = compiled.variants.routes.iter().filter(|r| wanted.is_none_or(|layer| r.layer == layer));
    set.filter_map(|variants| {
        let route = compiled.resolved.route(variants.layer)?;
        let details = variants::details(workspace, &compiled.resolved, variants, &renderer, budget, &tokens);
        Some(Counted { route, variants, details })
    })
    .collect()
}

/// Every profile and every cell, whatever is asked of one of them.
fn fleet(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<(FleetSum, Outcome), Stop> {
    let disk = job::disk(global)?;
    let mut workspace = Workspace::load(&disk, Wanted::All, &args.which.layers.flags())?;
    if workspace.profiles.is_empty() {
        return Err(Error::new("there are no profiles").help("add one: `profiles/NAME.toml`").into());
    }
    args.formats.check(&disk, &workspace)?;
    let mut sink = Sink::new(compile::levels(&workspace.project).without_info()).at_most(workspace.limits.messages);
    sink.extend(workspace.said_of_project().to_vec());
    let tasks = compile::tasks(&mut workspace, &disk, Contexts::Without, &mut sink)?;
    let compiler = Compiler::new(&workspace);
    let renderer = Renderer::new(&workspace);
    let mut fleet = Fleet::default();
    let progress = ui.progress(tasks.list.len());
    for task in &tasks.list {
        progress.inc(1);
        let request = Request { profile: &task.profile, cell: &task.cell, context: None, route: None, simple: false };
        if let Some(compiled) = compiler.compile(request, &mut sink) {
            let counter = compiled.target.as_ref().map(|t| t.counter());
            let tokens = |text: &str| counter.as_ref().map_or(0, |c| c.count(text));
            fleet.add(&workspace, &compiled.resolved, &compiled.variants, &renderer, &tokens);
        }
    }
    progress.finish_and_clear();
    let list = sink.into_sorted(&workspace.sources);
    // With a profile, its own run tells what is wrong with it.
    let outcome = match args.profile {
        Some(_) => job::outcome(&list),
        None => args.formats.tell(&list, &workspace, &disk, Stream::Err, ui)?,
    };
    Ok((fleet.sum(), outcome))
}

fn print(args: &Args, shown: &Variants<'_>, ui: &mut Ui<'_>) -> Result<(), Stop> {
    ui.result(&match args.formats.usual() {
        Format::Json => report::variants_json(shown),
        _ => report::variants_text(shown),
    })
}
