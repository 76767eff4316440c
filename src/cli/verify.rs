//! `promptc verify`.

use clap::ValueEnum;

use super::format::Formats;
use super::job::{self, Which};
use super::ui::Ui;
use super::{Global, Outcome, Stop};
use crate::emit::Subject;
use crate::host::disk::Disk;
use crate::report::{self, Format};
use crate::verify::{Artifact, Place, Verdict, verify};

/// Compare output with goldens that you already have, byte for byte
///
/// Compares the text form of each fixture with the golden of its name: a text file NAME.txt, NAME.md or NAME, an insta
/// .snap file, or an export of a vitest or jest .snap file. One file is compared with the one artifact there is, or with
/// that of `--context`. Exit code 1: something differs, or a fixture has no golden.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The profile
    profile: String,
    /// The goldens: a file, or a folder with one for each fixture
    #[arg(long, value_name = "FILE|DIR")]
    against: String,
    #[command(flatten)]
    which: Which,
    /// How the comparison is written
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Shape {
    /// With the lines that differ.
    Text,
    /// `promptc.verify/1`.
    Json,
}

pub(super) fn run(args: &Args, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    let messages = match args.format {
        Shape::Text => Formats::default(),
        Shape::Json => Formats::of(Format::Json),
    };
    let fixtures = args.which.context.is_none();
    let one = job::compile_one(&args.profile, &args.which, fixtures, global, &messages, ui)?;
    if one.outcome == Outcome::Findings {
        return Ok(Outcome::Findings);
    }
    let subjects: Vec<(Option<&str>, Subject<'_>)> = one
        .compiled
        .iter()
        .filter_map(|(name, compiled)| Some((name.as_deref(), compiled.subject(&one.workspace)?)))
        .collect();
    let artifacts: Vec<Artifact<'_>> = subjects
        .iter()
        .map(|(name, subject)| Artifact {
            name: name.unwrap_or(&args.profile),
            is_ahead_of_time: name.is_none(),
            subject: *subject,
        })
        .collect();
    // A folder is looked into as a project of its own, which no link leads out of.
    let limits = super::limit::raised(&global.limit)?;
    let folder = Disk::at(&job::absolute(&args.against)?).ok().map(|folder| folder.with_limits(limits));
    let here = job::disk(global)?;
    let place = Place { host: folder.as_ref().unwrap_or(&here), shown: &args.against, is_folder: folder.is_some() };
    let found = verify(&args.profile, &place, &artifacts)?;
    let text = match args.format {
        Shape::Text => report::verify_text(&found, &one.workspace.sources, ui.out_colors()),
        Shape::Json => report::verify_json(&args.profile, &found, &one.workspace.sources),
    };
    ui.result(&text)?;
    if !found.unused.is_empty() && args.format == Shape::Text {
        let all = found.unused.len();
        let shown = found.unused.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = if all > NAMED { format!(" and {} more", all - NAMED) } else { String::new() };
        ui.say(&format!("not compared, since no artifact of `{}` is called so: {shown}{more}", args.profile));
    }
    match found.checks.iter().all(|check| matches!(check.verdict, Verdict::Same)) {
        true => Ok(Outcome::Clean),
        false => Ok(Outcome::Findings),
    }
}

/// Goldens that a note names.
const NAMED: usize = 5;
