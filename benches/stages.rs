//! The stages of a build, each by itself, on the project's own prompts: `cargo bench --bench stages`.
//!
//! Times of one machine say little: compare two runs on the same one. What a whole process costs beside other programs is
//! measured by `benches/compare/run`.

use camino::Utf8Path;
use divan::counter::BytesCount;
use divan::{Bencher, black_box};

use promptc::compile;
use promptc::diag::Sink;
use promptc::emit::{Emitter, Subject};
use promptc::host::disk::Disk;
use promptc::plan::{self, Capabilities, Facts, Fitted, Meter};
use promptc::render::{Rendered, Renderer};
use promptc::resolve::{self, Choice, Resolved, Values};
use promptc::select::{self, Selected};
use promptc::source::Spanned;
use promptc::tokens::Encoding;
use promptc::workspace::{Context, Flags, Wanted, Workspace};

const PROFILE: &str = "coding";
const FIXTURE: &str = "git-repo";

/// English with names of code in it, Chinese, and code.
const TEXTS: [(&str, &str); 3] = [
    ("english", include_str!("../docs/architecture.md")),
    ("chinese", include_str!("../prompts/campus/agenda.md")),
    ("code", include_str!("../src/tokens/table.rs")),
];

fn main() {
    divan::main();
}

fn disk() -> Disk {
    Disk::at(Utf8Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the project is there")
}

/// Everything that the stages read.
struct Project {
    workspace: Workspace,
    context: Context,
    target: Capabilities,
}

impl Project {
    fn load() -> Project {
        let disk = disk();
        let mut workspace = load(&disk);
        let context = workspace.context(&disk, PROFILE, FIXTURE).expect("there is the fixture").expect("it has values");
        let target = workspace.profiles[PROFILE].target.as_ref().expect("the profile has a target");
        let target = Facts::of_workspace(&workspace).of(target, &mut sink(&workspace)).expect("the target is known");
        Project { workspace, context, target }
    }

    fn resolve(&self) -> Resolved {
        let choice = Choice { profile: PROFILE, cell: &Vec::new(), simple: false };
        resolve::resolve(&self.workspace, choice, &mut sink(&self.workspace)).expect("the profile resolves")
    }

    fn values(&self, resolved: &Resolved) -> Values {
        let entries: Vec<_> = self.context.entries.iter().map(|e| (Spanned::clone(&e.key), e.value.clone())).collect();
        resolved.context_values(&entries, self.context.file, &mut sink(&self.workspace))
    }

    fn select<'r>(&self, resolved: &'r Resolved) -> Selected<'r> {
        let values = self.values(resolved);
        select::select(resolved, values, true, None, &mut sink(&self.workspace)).expect("a link holds")
    }

    fn render(&self, renderer: &Renderer, selected: &Selected<'_>) -> Rendered {
        renderer.render(&self.workspace, selected, 0, &mut sink(&self.workspace))
    }

    fn plan(&self, selected: &Selected<'_>, rendered: Rendered) -> Fitted {
        let plan = plan::plan(selected, rendered, &self.target, &Meter::new(self.target.counter()));
        plan::fit(plan, &self.target)
    }
}

fn load(disk: &Disk) -> Workspace {
    Workspace::load(disk, Wanted::Named(&[PROFILE.to_owned()]), &Flags::default()).expect("the project can be read")
}

fn sink(workspace: &Workspace) -> Sink {
    Sink::new(compile::levels(&workspace.project))
}

#[divan::bench]
fn load_project(bencher: Bencher<'_, '_>) {
    let disk = disk();
    bencher.bench_local(|| load(&disk));
}

#[divan::bench]
fn resolve_profile(bencher: Bencher<'_, '_>) {
    let project = Project::load();
    bencher.bench_local(|| project.resolve());
}

#[divan::bench]
fn select_sections(bencher: Bencher<'_, '_>) {
    let project = Project::load();
    let resolved = project.resolve();
    bencher.bench_local(|| project.select(&resolved));
}

#[divan::bench]
fn render_sections(bencher: Bencher<'_, '_>) {
    let project = Project::load();
    let resolved = project.resolve();
    let selected = project.select(&resolved);
    let renderer = Renderer::new(&project.workspace);
    bencher.bench_local(|| project.render(&renderer, &selected));
}

/// With counting and digests.
#[divan::bench]
fn plan_blocks(bencher: Bencher<'_, '_>) {
    let project = Project::load();
    let resolved = project.resolve();
    let selected = project.select(&resolved);
    let renderer = Renderer::new(&project.workspace);
    bencher
        .with_inputs(|| project.render(&renderer, &selected))
        .bench_local_values(|rendered| project.plan(&selected, rendered));
}

#[divan::bench(args = Emitter::ALL.map(Emitter::name))]
fn emit(bencher: Bencher<'_, '_>, name: &str) {
    let emitter = Emitter::from_name(name).expect("a name of its own");
    let project = Project::load();
    let resolved = project.resolve();
    let selected = project.select(&resolved);
    let rendered = project.render(&Renderer::new(&project.workspace), &selected);
    let fitted = project.plan(&selected, rendered);
    let subject = Subject {
        resolved: &resolved,
        route: selected.route,
        fitted: &fitted,
        target: &project.target,
        sources: &project.workspace.sources,
    };
    bencher.bench_local(|| emitter.emit(&subject));
}

#[divan::bench(args = TEXTS.map(|(name, _)| name), consts = [0, 1])]
fn count<const ENCODING: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let text = TEXTS.into_iter().find(|(known, _)| *known == name).expect("a name of a text").1;
    let encoding = Encoding::ALL[ENCODING];
    bencher.counter(BytesCount::of_str(text)).bench_local(|| encoding.count(black_box(text)));
}
