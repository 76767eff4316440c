//! Token counts, as tables and as JSON.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::escape::escape;
use crate::emit::blocks::{TokenizerShape, Totals, tokenizer, totals};
use crate::emit::{Subject, cell_name};
use crate::json;
use crate::manifest::Zone;
use crate::plan::{Block, Kind};

/// The counts of one artifact: a line of a table.
pub struct Row {
    name: String,
    strategy: &'static str,
    totals: Totals,
    exact: bool,
    band: f64,
    window: Option<u64>,
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

/// The line of an artifact, under a name.
pub fn row(subject: &Subject<'_>, name: String) -> Row {
    Row {
        name,
        strategy: subject.fitted.plan.strategy.name(),
        totals: totals(&subject.fitted.plan.blocks),
        exact: subject.target.tokenizer.is_exact(),
        band: subject.target.tokenizer.band,
        window: subject.target.window,
    }
}

/// The name of an artifact: profile, cell, context.
pub fn artifact_name(subject: &Subject<'_>, context: Option<&str>) -> String {
    let cell = cell_name(&subject.resolved.cell);
    let parts = [Some(subject.resolved.profile.as_str()), Some(cell.as_str()).filter(|c| !c.is_empty()), context];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A line for each artifact.
pub fn table(head: &str, rows: &[Row]) -> String {
    let mut lines = vec![[head, "strategy", "static", "dynamic", "user", "all", "window"].map(str::to_owned)];
    for row in rows {
        let totals = &row.totals;
        let share =
            totals.all.zip(row.window).map(|(all, window)| format!("{:.1} %", all as f64 / window as f64 * 100.0));
        lines.push([
            escape(&row.name),
            row.strategy.to_owned(),
            count(totals.r#static, row.exact),
            count(totals.dynamic, row.exact),
            count(totals.user_context, row.exact),
            count(totals.all, row.exact),
            share.unwrap_or_default(),
        ]);
    }
    // A column without a number says nothing.
    if lines[1..].iter().all(|line| line[6].is_empty()) {
        lines[0][6].clear();
    }
    let mut out = columns(&lines, 2);
    out.push_str(&estimate(rows.iter().filter(|r| !r.exact).map(|r| r.band)));
    out
}

/// A line for each section and block of an artifact, and what it means for the target.
pub fn details(subject: &Subject<'_>) -> String {
    let target = subject.target;
    let mut out = format!("{}  {}\n\n", escape(&target.provider), escape(&target.model));
    let mut lines = vec![["block", "section", "scope", "tokens", "bytes"].map(str::to_owned)];
    for block in &subject.fitted.plan.blocks {
        let scope = block.scope.map_or("-", |s| s.name()).to_owned();
        for placed in &block.sections {
            lines.push([
                block.kind.name().to_owned(),
                escape(&subject.route.sections[placed.index].id),
                String::new(),
                count(placed.tokens, subject.target.tokenizer.is_exact()),
                placed.bytes.map_or_else(|| "open".to_owned(), |n| n.to_string()),
            ]);
        }
        let text = block.text.as_ref();
        lines.push([
            String::new(),
            format!("= {}", block.kind.name()),
            scope,
            count(text.map(|t| t.tokens), subject.target.tokenizer.is_exact()),
            text.map_or_else(|| "open".to_owned(), |t| t.text.len().to_string()),
        ]);
    }
    out.push_str(&columns(&lines, 3));
    out.push('\n');
    out.push_str(&minimum(subject));
    out
}

/// Whether what is shared reaches the number of tokens from which the model caches.
fn minimum(subject: &Subject<'_>) -> String {
    let needed = subject.target.min_tokens;
    if needed == 0 {
        return String::new();
    }
    let shared = subject.fitted.plan.blocks.iter().filter(|b| b.scope.is_some() && b.kind <= Kind::Static);
    let Some(tokens) = shared.map(|b| b.text.as_ref().map(|t| t.tokens)).sum::<Option<u64>>() else {
        return format!("the model caches from {needed} tokens on: not known while the static text is open\n");
    };
    let band = subject.target.tokenizer.band;
    let (low, high) = (tokens as f64 * (1.0 - band), tokens as f64 * (1.0 + band));
    let verdict = match () {
        () if low >= needed as f64 => "reached",
        () if high < needed as f64 => "not reached: nothing of it is cached",
        () => "uncertain: the count is an estimate",
    };
    format!(
        "the model caches from {needed} tokens on: with {} static tokens {verdict}\n",
        count(Some(tokens), subject.target.tokenizer.is_exact())
    )
}

fn count(tokens: Option<u64>, exact: bool) -> String {
    match tokens {
        None => "open".to_owned(),
        Some(n) if exact || n == 0 => n.to_string(),
        Some(n) => format!("~{n}"),
    }
}

/// How far off the estimates of a table may be.
fn estimate(bands: impl Iterator<Item = f64>) -> String {
    match bands.reduce(f64::max) {
        Some(band) => format!("\n~ is an estimate, up to {:.0} % off\n", band * 100.0),
        None => String::new(),
    }
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
        bytes: placed.bytes.map(|n| n as u64),
    });
    each.collect()
}
