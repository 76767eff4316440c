//! Output against goldens that a team already has, byte for byte.
//!
//! Owns which golden belongs to which artifact, the forms in which test suites keep them, and what a difference is.
//! Does not know how a difference is shown. Main types: [`Report`], [`Check`], [`Verdict`].

mod errors;
mod goldens;
mod snap;

use goldens::{Golden, Said};

pub use goldens::{Form, Place};

use crate::emit::{Emitter, Part, Subject, source_of, text_parts};
use crate::host::Error;
use crate::hunks::{Hunk, Line, Side, hunks};
use crate::source::{Span, clean_newlines};

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// An artifact to compare.
#[derive(Clone, Copy)]
pub struct Artifact<'a> {
    /// The name by which its golden is found: of its fixture, or of the profile when it needs no context.
    pub name: &'a str,
    /// Whether it was made without a context.
    pub is_ahead_of_time: bool,
    /// What is compared.
    pub subject: Subject<'a>,
}

/// All comparisons of a run.
#[derive(Debug)]
pub struct Report {
    /// One for each artifact, in order.
    pub checks: Vec<Check>,
    /// Goldens of the place that belong to no artifact, as they are shown.
    pub unused: Vec<String>,
}

/// One artifact against its golden.
#[derive(Debug)]
pub struct Check {
    /// The artifact's name.
    pub name: String,
    /// Its golden, if there is one.
    pub golden: Option<GoldenName>,
    /// What came out.
    pub verdict: Verdict,
}

/// Where a golden stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoldenName {
    /// Its path as it was given, or below the folder that was given.
    pub path: String,
    /// Its name in a file that has several.
    pub entry: Option<String>,
    /// How it is written.
    pub form: Form,
}

/// What came of a comparison.
#[derive(Debug)]
pub enum Verdict {
    /// No byte differs. Of an insta golden the white space at the end is not compared, since insta does not keep it.
    Same,
    /// The texts are the same, and these things around them are not.
    Only(Vec<Trifle>),
    /// The texts differ.
    Differs(Difference),
    /// The golden is not UTF-8 from this byte on, from 0.
    NotText(usize),
    /// The artifact has no golden.
    Missing,
}

/// What makes bytes differ and is no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trifle {
    /// The golden begins with a byte order mark.
    ByteOrderMark,
    /// The golden has line ends with a carriage return.
    CarriageReturns,
    /// The golden ends in more line ends than the output.
    GoldenEndsInNewline,
    /// The output ends in more line ends than the golden.
    OutputEndsInNewline,
}

/// Where and how texts differ.
#[derive(Debug)]
pub struct Difference {
    /// The first byte that differs, from 0, in both texts.
    pub byte: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// What differs, from the golden (before) to the output (after).
    pub changes: Vec<Change>,
}

/// A hunk, and the sections that it falls in.
#[derive(Debug)]
pub struct Change {
    /// The lines.
    pub hunk: Hunk,
    /// Sections whose text it touches, in order.
    pub places: Vec<Touched>,
}

/// A place in the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Touched {
    /// The text of a section, and where it was written.
    Section {
        /// Its id.
        id: String,
        /// The line of its body where that is known, else the section.
        source: Span,
    },
    /// Behind the text of this section, before that of the next.
    Behind {
        /// Its id.
        id: String,
        /// Where it is defined.
        source: Span,
    },
    /// There is no section.
    Nowhere,
}

/// Compares artifacts with the goldens of a place, in the `text` form.
///
/// # Errors
/// A golden cannot be read, an artifact has several, or there is nothing to compare.
pub fn verify(profile: &str, place: &Place<'_>, artifacts: &[Artifact<'_>]) -> Result<Report, Error> {
    let found = goldens::find(place)?;
    let closed: Vec<Artifact<'_>> = artifacts.iter().filter(|a| a.subject.is_closed()).copied().collect();
    let names: Vec<&str> = closed.iter().map(|a| a.name).collect();
    let mut pairs: Vec<(Artifact<'_>, Option<&Golden>)> =
        closed.iter().copied().zip(goldens::by_name(&found, &names)?).collect();
    if pairs.iter().all(|(_, golden)| golden.is_none()) {
        pairs = match (closed.as_slice(), found.as_slice()) {
            ([one], [golden]) => vec![(*one, Some(golden))],
            (_, [_]) if !place.is_folder => return Err(errors::which_artifact(profile, place.shown, &names)),
            _ => return Err(errors::nothing_to_compare(profile, place.shown, &names)),
        };
    }
    // A profile with fixtures has goldens of those; what it makes without a context counts when it has one too.
    let fixtures = pairs.iter().any(|(artifact, _)| !artifact.is_ahead_of_time);
    pairs.retain(|(artifact, golden)| golden.is_some() || !(artifact.is_ahead_of_time && fixtures));
    let used = |golden: &&Golden| pairs.iter().any(|(_, of)| of.is_some_and(|of| std::ptr::eq(of, *golden)));
    let unused = found.iter().filter(|g| !used(g)).map(Golden::shown).collect();
    let checks = pairs.iter().map(|(artifact, golden)| check(place, artifact, *golden)).collect::<Result<_, _>>()?;
    Ok(Report { checks, unused })
}

fn check(place: &Place<'_>, artifact: &Artifact<'_>, golden: Option<&Golden>) -> Result<Check, Error> {
    let name = artifact.name.to_owned();
    let Some(golden) = golden else { return Ok(Check { name, golden: None, verdict: Verdict::Missing }) };
    let output = Emitter::Text.emit(&artifact.subject);
    let verdict = match golden.say(place.host)? {
        Said::NotText(byte) => Verdict::NotText(byte),
        Said::Texts(texts) => {
            let mut verdicts = texts.iter().map(|text| compare(text, &output, golden.form, &artifact.subject));
            let first = verdicts.next().unwrap_or(Verdict::Missing);
            verdicts.find(|v| matches!(v, Verdict::Same)).filter(|_| !matches!(first, Verdict::Same)).unwrap_or(first)
        }
    };
    let (path, entry) = (golden.path.clone(), golden.entry.clone());
    Ok(Check { name, golden: Some(GoldenName { path, entry, form: golden.form }), verdict })
}

fn compare(golden: &str, output: &str, form: Form, subject: &Subject<'_>) -> Verdict {
    let (golden, output) = match form {
        Form::Insta => (golden.trim_end(), output.trim_end()),
        Form::Plain | Form::Exports => (golden, output),
    };
    if golden == output {
        return Verdict::Same;
    }
    let unmarked = golden.strip_prefix('\u{feff}').filter(|_| !output.starts_with('\u{feff}'));
    let cleaned = clean_newlines(unmarked.unwrap_or(golden));
    let [bare_golden, bare_output] = [&*cleaned, output].map(|text| text.trim_end_matches('\n'));
    if bare_golden != bare_output {
        return Verdict::Differs(difference(&cleaned, output, subject));
    }
    let newline = match cleaned.len().cmp(&output.len()) {
        std::cmp::Ordering::Greater => Some(Trifle::GoldenEndsInNewline),
        std::cmp::Ordering::Less => Some(Trifle::OutputEndsInNewline),
        std::cmp::Ordering::Equal => None,
    };
    let mark = unmarked.map(|_| Trifle::ByteOrderMark);
    let returns = golden.contains('\r').then_some(Trifle::CarriageReturns);
    Verdict::Only([mark, returns, newline].into_iter().flatten().collect())
}

fn difference(golden: &str, output: &str, subject: &Subject<'_>) -> Difference {
    let byte = common_prefix(golden, output);
    let before = &output[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let parts = text_parts(subject);
    let change = |hunk: Hunk| {
        let places = places(&hunk, &parts, subject);
        Change { hunk, places }
    };
    Difference {
        byte,
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        changes: hunks(golden, output, CONTEXT).into_iter().map(change).collect(),
    }
}

/// Bytes that two texts begin with, up to a whole character.
fn common_prefix(one: &str, other: &str) -> usize {
    let both = one.chars().zip(other.chars());
    both.take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

/// The sections that the changed lines of a hunk fall in.
fn places(hunk: &Hunk, parts: &[Part<'_>], subject: &Subject<'_>) -> Vec<Touched> {
    let lines: Vec<&Line> = hunk.lines.iter().collect();
    let mut found: Vec<Touched> = Vec::new();
    let mut push = |touched: Touched| {
        let same = |other: &Touched| match (other, &touched) {
            (Touched::Section { id: a, .. }, Touched::Section { id: b, .. })
            | (Touched::Behind { id: a, .. }, Touched::Behind { id: b, .. }) => a == b,
            (a, b) => a == b,
        };
        if !found.iter().any(same) {
            found.push(touched);
        }
    };
    for run in lines.chunk_by(|a, b| (a.side == Side::Both) == (b.side == Side::Both)) {
        let of = |side| run.iter().filter(move |line| line.side == side);
        let (was, is): (Vec<_>, Vec<_>) = (of(Side::Before).collect(), of(Side::After).collect());
        for (n, line) in is.iter().enumerate() {
            // A line may hold several sections: what counts is where it begins to differ from the one that it replaces.
            let same = was.get(n).map_or(0, |old| common_prefix(&old.text, &line.text));
            push(touched(line.offset + same, &line.text, parts, subject));
        }
        if let (Some(line), true) = (was.first(), is.is_empty()) {
            push(touched(line.offset, "", parts, subject));
        }
    }
    // What stands between sections comes and goes with them.
    if found.iter().any(|t| matches!(t, Touched::Section { .. })) {
        found.retain(|t| matches!(t, Touched::Section { .. }));
    }
    found
}

fn touched(offset: usize, line: &str, parts: &[Part<'_>], subject: &Subject<'_>) -> Touched {
    let own = parts.iter().find(|p| p.range.contains(&offset) || (p.range.end == offset && !p.range.is_empty()));
    if let Some(part) = own {
        return Touched::Section { id: part.id.to_owned(), source: source_of(subject, part.placed, line) };
    }
    match parts.iter().rfind(|p| p.range.end <= offset).or(parts.first()) {
        Some(part) => Touched::Behind { id: part.id.to_owned(), source: part.placed.defined },
        None => Touched::Nowhere,
    }
}
