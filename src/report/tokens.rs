//! Token counts, as a table and as JSON.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::escape::escape;
use crate::emit::blocks::{TokenizerShape, Totals, tokenizer, totals};
use crate::emit::{Subject, cell_name};
use crate::json;
use crate::manifest::Zone;
use crate::plan::Block;

/// The summary of one artifact: a line of the build's table.
pub struct Row {
    name: String,
    strategy: &'static str,
    totals: Totals,
    exact: bool,
    band: f64,
}

#[derive(Serialize)]
struct Report {
    format: &'static str,
    profile: String,
    tokenizer: TokenizerShape,
    sections: Vec<SectionShape>,
    totals: Totals,
}

#[derive(Serialize)]
struct SectionShape {
    id: String,
    zone: &'static str,
    scope: Option<&'static str>,
    tokens: Option<u64>,
    bytes: Option<u64>,
}

/// The line of an artifact.
pub fn row(subject: &Subject<'_>) -> Row {
    let cell = cell_name(&subject.resolved.cell);
    let name = match cell.is_empty() {
        true => subject.resolved.profile.clone(),
        false => format!("{} {cell}", subject.resolved.profile),
    };
    Row {
        name,
        strategy: subject.fitted.plan.strategy.name(),
        totals: totals(&subject.fitted.plan.blocks),
        exact: subject.exact,
        band: subject.target.tokenizer.band,
    }
}

/// The table of all artifacts of a build.
pub fn table(rows: &[Row]) -> String {
    let mut lines = vec![["profile", "strategy", "static", "dynamic", "user", "all"].map(str::to_owned)];
    for row in rows {
        let count = |n: Option<u64>| match n {
            None => "open".to_owned(),
            Some(n) if row.exact => n.to_string(),
            Some(n) => format!("~{n}"),
        };
        let totals = &row.totals;
        lines.push([
            escape(&row.name),
            row.strategy.to_owned(),
            count(totals.r#static),
            count(totals.dynamic),
            count(totals.user_context),
            count(totals.all),
        ]);
    }
    let mut out = columns(&lines, 2);
    if let Some(band) = rows.iter().filter(|r| !r.exact).map(|r| r.band).reduce(f64::max) {
        out.push_str(&format!("\n~ is an estimate, up to {:.0} % off\n", band * 100.0));
    }
    out
}

/// Lines of cells, the first `left` columns flush left, the others flush right.
pub(super) fn columns<const N: usize>(lines: &[[String; N]], left: usize) -> String {
    let widths: Vec<usize> = (0..N).map(|n| lines.iter().map(|line| line[n].width()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (n, cell) in line.iter().enumerate() {
            let pad = " ".repeat(widths[n] - cell.width());
            text.push_str(if n == 0 { "" } else { "  " });
            match n < left {
                true => text.extend([cell.as_str(), &pad]),
                false => text.extend([pad.as_str(), cell]),
            }
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// Counts by section, format `promptc.tokens/1`.
pub fn json(subject: &Subject<'_>) -> String {
    json::to_text(&Report {
        format: "promptc.tokens/1",
        profile: subject.resolved.profile.clone(),
        tokenizer: tokenizer(subject),
        sections: subject.fitted.plan.blocks.iter().flat_map(|b| sections(subject, b)).collect(),
        totals: totals(&subject.fitted.plan.blocks),
    })
}

fn sections(subject: &Subject<'_>, block: &Block) -> Vec<SectionShape> {
    let each = block.sections.iter().map(|placed| SectionShape {
        id: subject.route.sections[placed.index].id.clone(),
        zone: match placed.zone {
            Zone::Static => "static",
            Zone::Dynamic => "dynamic",
        },
        scope: block.scope.map(|s| s.name()),
        tokens: placed.tokens,
        bytes: placed.range.as_ref().map(|r| r.len() as u64),
    });
    each.collect()
}
