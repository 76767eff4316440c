//! `promptc snapshot review`: the changes one after the other, and a key for each.

use std::collections::BTreeSet;
use std::io::IsTerminal;

use console::{Key, Term};

use super::super::ui::Ui;
use super::super::{Global, Outcome, Stop};
use super::filter::Filter;
use super::{Loaded, load};
use crate::host::Error;
use crate::report::{self, Colors};
use crate::snapshot::{Finding, Unit};

/// What somebody says of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// The snapshot becomes what is compiled.
    Accept,
    /// The snapshot stays, and the sources are to be mended.
    Reject,
    /// Not now.
    Skip,
    /// Everything about it, and then the question again.
    Details,
    /// No more of them.
    Quit,
}

/// What was said of all changes.
#[derive(Default, PartialEq, Eq, Debug)]
struct Said {
    accepted: BTreeSet<Unit>,
    rejected: Vec<Unit>,
    skipped: usize,
}

const QUESTION: &str = "a accept   r reject   s skip   d details   q quit\n";

pub(super) fn run(filter: &Filter, global: &Global, ui: &mut Ui<'_>) -> Result<Outcome, Stop> {
    // Before anything is compiled: whoever calls it from a script should know at once.
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Error::new("a review needs a terminal")
            .help("see the changes: `promptc snapshot check`")
            .help("take them all: `promptc snapshot accept`")
            .into());
    }
    let loaded = load(filter, global, ui)?;
    ui.diagnostics(&loaded.said, &loaded.workspace.sources);
    let findings = loaded.accept(filter)?.findings;
    if findings.is_empty() {
        ui.result("nothing to review\n")?;
        return Ok(loaded.outcome());
    }
    let steps = loaded.review(&loaded.stored).steps(&findings);
    let term = Term::stdout();
    let mut key = || loop {
        match term.read_key() {
            Ok(Key::Char(c)) => {
                if let Some(answer) = answer(c) {
                    return Ok(answer);
                }
            }
            Ok(Key::Escape | Key::CtrlC) | Err(_) => {
                return Err(Stop::Error(Error::new("the review was broken off").help("nothing is written")));
            }
            Ok(_) => {}
        }
    };
    let colors = ui.out_colors();
    let mut show = |text: &str| ui.result(text);
    let said = walk(loaded.folder(), &steps, colors, &mut show, &mut key)?;
    finish(&loaded, filter, &findings, &said, &steps, ui)
}

fn answer(key: char) -> Option<Answer> {
    match key {
        'a' => Some(Answer::Accept),
        'r' => Some(Answer::Reject),
        's' => Some(Answer::Skip),
        'd' => Some(Answer::Details),
        'q' => Some(Answer::Quit),
        _ => None,
    }
}

/// Shows each change and asks for it.
fn walk(
    folder: &str,
    steps: &[Finding],
    colors: Colors,
    show: &mut dyn FnMut(&str) -> Result<(), Stop>,
    key: &mut dyn FnMut() -> Result<Answer, Stop>,
) -> Result<Said, Stop> {
    let mut said = Said::default();
    for (n, step) in steps.iter().enumerate() {
        show(&format!("\n[{}/{}] {}\n{QUESTION}", n + 1, steps.len(), report::snapshot_finding(folder, step, colors)))?;
        loop {
            match key()? {
                Answer::Accept => _ = said.accepted.insert(step.about.clone()),
                Answer::Reject => said.rejected.push(step.about.clone()),
                Answer::Skip => said.skipped += 1,
                Answer::Details => {
                    show(&format!("\n{}\n{QUESTION}", report::snapshot_details(folder, step, colors)))?;
                    continue;
                }
                Answer::Quit => {
                    said.skipped += steps.len() - n;
                    return Ok(said);
                }
            }
            break;
        }
    }
    Ok(said)
}

/// Writes what was accepted, and says what was not.
fn finish(
    loaded: &Loaded,
    filter: &Filter,
    findings: &[Finding],
    said: &Said,
    steps: &[Finding],
    ui: &mut Ui<'_>,
) -> Result<Outcome, Stop> {
    let mut out = String::new();
    let mut held: Vec<&Finding> = Vec::new();
    if !said.accepted.is_empty() {
        let takes = |profile: &str, combination: &_| filter.takes(profile, combination);
        let accepted = loaded.write(&|review| review.accept_units(findings, &said.accepted, &takes), ui)?;
        out.push_str(&format!("\n{}", report::snapshot_accepted(loaded.folder(), &accepted.findings)));
        let whole = loaded.accept(filter)?.files;
        let is_whole = |step: &Finding| accepted.files.get(&step.path) == whole.get(&step.path);
        held = steps.iter().filter(|step| said.accepted.contains(&step.about) && !is_whole(step)).collect();
    }
    let (rejected, accepted) = (said.rejected.len(), steps.len() - said.rejected.len() - said.skipped);
    out.push_str(&format!("\n{accepted} accepted, {rejected} rejected, {} skipped\n", said.skipped));
    if !held.is_empty() {
        let names: Vec<&str> = held.iter().map(|step| name(&step.about)).collect();
        out.push_str(&format!(
            "accepted, and not written where something else changed that was not: {}\n",
            names.join(", ")
        ));
    }
    if rejected > 0 {
        let names: Vec<&str> = said.rejected.iter().map(name).collect();
        out.push_str(&format!("to be mended in the sources: {}\n", names.join(", ")));
    }
    ui.result(&out)?;
    Ok(if accepted == steps.len() { loaded.outcome() } else { Outcome::Findings })
}

fn name(unit: &Unit) -> &str {
    match unit {
        Unit::Section(name) | Unit::Profile(name) | Unit::File(name) => name,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::snapshot::State;

    fn steps() -> Vec<Finding> {
        let finding = |section: &str| Finding {
            path: format!("texts/{section}.txt"),
            state: State::Changed,
            about: Unit::Section(section.to_owned()),
            before: Some("old\n".to_owned()),
            after: Some("new\n".to_owned()),
            shifts: Vec::new(),
            users: BTreeMap::new(),
        };
        ["a/x", "a/y", "a/z"].map(finding).to_vec()
    }

    fn walked(keys: &str) -> (Said, String) {
        let (mut keys, mut shown) = (keys.chars(), String::new());
        let mut show = |text: &str| {
            shown.push_str(text);
            Ok(())
        };
        let mut key = || {
            let end = || Stop::Error(Error::new("end of input"));
            keys.next().and_then(answer).ok_or_else(end)
        };
        let said = walk("snapshots", &steps(), Colors::Off, &mut show, &mut key).unwrap();
        (said, shown)
    }

    #[test]
    fn each_change_gets_its_answer() {
        let section = |name: &str| Unit::Section(name.to_owned());
        let (said, shown) = walked("adss");
        assert_eq!(said, Said { accepted: [section("a/x")].into(), rejected: vec![], skipped: 2 });
        assert!(shown.starts_with("\n[1/3] changed  snapshots/texts/a/x.txt\n- old\n+ new\n\na accept"), "{shown}");
    }

    #[test]
    fn the_rest_is_skipped_when_somebody_quits() {
        let (said, shown) = walked("rddq");
        assert_eq!((said.rejected, said.skipped), (vec![Unit::Section("a/x".to_owned())], 2));
        assert_eq!(shown.matches("snapshots/texts/a/y.txt").count(), 3);
        assert_eq!(walked("q").0, Said { skipped: 3, ..Said::default() });
    }

    #[test]
    fn without_an_answer_nothing_is_said() {
        let mut key = || Err(Stop::BrokenPipe);
        assert!(walk("snapshots", &steps(), Colors::Off, &mut |_| Ok(()), &mut key).is_err());
    }
}
