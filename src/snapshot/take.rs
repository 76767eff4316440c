//! From artifacts to a snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::pairwise::pairwise;
use super::state::{Block, Combination, Entry, Held, HeldText, Matrix, Placement, Snapshot, TextKey, short};
use crate::compile::{Task, Tasks};
use crate::digest;
use crate::emit::{Subject, cell_name};
use crate::input::Value;
use crate::manifest::Paths;
use crate::plan;
use crate::source::SourceMap;

/// Most combinations of a profile that are all taken. Of more, pairwise ones are.
pub const MAX_COMBINATIONS: usize = 100;

/// The artifacts that a snapshot is taken of: all of a profile, or pairwise ones when they are many. With each profile
/// that has too many: how many are taken, and of how many.
pub fn select(tasks: &Tasks) -> (Vec<&Task>, BTreeMap<String, (u64, u64)>) {
    let mut taken = Vec::new();
    let mut reduced = BTreeMap::new();
    for all in tasks.list.chunk_by(|a, b| a.profile == b.profile) {
        if all.len() <= MAX_COMBINATIONS {
            taken.extend(all);
            continue;
        }
        // Cells come in the order of their keys' values, and within a cell the contexts: the last axis.
        let cell = &all[0].cell;
        let contexts = all.iter().take_while(|t| t.cell == *cell).count();
        let axes = axes(all);
        let mut sizes: Vec<usize> = axes.iter().map(Vec::len).collect();
        sizes.push(contexts);
        let place = |row: &Vec<usize>| row.iter().zip(&sizes).fold(0, |at, (value, size)| at * size + value);
        let rows = pairwise(&sizes);
        reduced.insert(all[0].profile.clone(), (rows.len() as u64, all.len() as u64));
        taken.extend(rows.iter().map(|row| &all[place(row)]));
    }
    (taken, reduced)
}

/// The values of each key of a matrix, in order.
fn axes(tasks: &[Task]) -> Vec<Vec<&Value>> {
    let mut axes: Vec<Vec<&Value>> = vec![Vec::new(); tasks.first().map_or(0, |t| t.cell.len())];
    for task in tasks {
        for (axis, (_, value)) in axes.iter_mut().zip(&task.cell) {
            if !axis.contains(&&value.value) {
                axis.push(&value.value);
            }
        }
    }
    axes
}

/// Names of sections: which files they are defined in.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The folders of the project.
    pub paths: &'a Paths,
    /// The files.
    pub sources: &'a SourceMap,
}

impl Snapshot {
    /// Adds an artifact.
    pub fn add(&mut self, subject: &Subject<'_>, fixture: Option<&str>, names: Names<'_>) {
        let target = subject.target;
        let matrix = self.profiles.entry(subject.resolved.profile.clone()).or_insert_with(|| Matrix {
            target: format!("{} {}", target.provider, target.model),
            tokenizer: target.tokenizer.name.clone(),
            exact: target.tokenizer.is_exact(),
            ..Matrix::default()
        });
        let plan = &subject.fitted.plan;
        let mut blocks = Vec::new();
        for (block, mark) in plan.blocks.iter().zip(&subject.fitted.marks) {
            let sections: Vec<Held> = block
                .sections
                .iter()
                .map(|placed| {
                    let section = names.of(subject, placed);
                    let text = match (&placed.digest, &placed.template) {
                        (Some(digest), _) => HeldText::Known(short(digest)),
                        (None, Some(template)) => HeldText::Template(short(&digest::text(template))),
                        (None, None) => HeldText::Open,
                    };
                    Held { section, text }
                })
                .collect();
            if let Some(text) = &block.text {
                for (placed, held) in block.sections.iter().zip(&sections) {
                    let own = placed.range.clone().and_then(|range| text.text.get(range));
                    if let (HeldText::Known(digest), Some(own)) = (&held.text, own) {
                        let key = TextKey { section: held.section.clone(), digest: digest.clone() };
                        self.texts.entry(key).or_insert_with(|| own.into());
                    }
                }
            }
            blocks.push(Placement {
                scope: block.scope.map(|s| s.name().to_owned()),
                mark: mark.clone(),
                prefix: block.prefix_digest.as_deref().map(short),
                block: Arc::new(of_block(block, sections)),
            });
        }
        matrix.entries.push(Entry {
            combination: Combination { cell: cell_name(&subject.resolved.cell), fixture: fixture.map(str::to_owned) },
            winner: subject.route.layer.name().to_owned(),
            strategy: plan.strategy.name().to_owned(),
            blocks,
        });
    }
}

fn of_block(block: &plan::Block, sections: Vec<Held>) -> Block {
    let kind = block.kind.name();
    let text = block.text.as_ref();
    let name = match text {
        Some(text) => format!("{kind}-{}", short(&text.digest)),
        None => {
            let parts: Vec<String> = sections.iter().map(super::write::held).collect();
            format!("{kind}-open-{}", short(&digest::text(&parts.join("\n"))))
        }
    };
    Block { name, tokens: text.map(|t| t.tokens), bytes: text.map(|t| t.text.len() as u64), sections }
}

impl Names<'_> {
    /// A section's name: the file that defines it, without the project's folder and the ending, and its id.
    fn of(self, subject: &Subject<'_>, placed: &plan::Placed) -> String {
        let path = self.sources.path(placed.defined.file);
        let folders = [&self.paths.prompts, &self.paths.profiles];
        let below = folders.iter().find_map(|folder| path.strip_prefix(folder.as_str())?.strip_prefix('/'));
        let below = below.unwrap_or(path);
        let name = below.rfind('/').map_or(0, |at| at + 1);
        let stem = below[name..].rfind('.').filter(|at| *at > 0).map_or(below, |dot| &below[..name + dot]);
        format!("{stem}/{}", subject.route.sections[placed.index].id)
    }
}
