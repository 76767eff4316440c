//! Messages about snapshots.

use super::compare::{Finding, State};
use super::state::TextKey;
use super::write::text_path;
use crate::diag::{Diagnostic, RuleInfo, Severity};
use crate::host::Error;

/// Equal lines around a difference.
const CONTEXT: usize = 2;

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 3] = [&SNAPSHOT_CHANGED, &SNAPSHOT_MISSING, &SNAPSHOT_ORPHAN];

macro_rules! rule {
    ($id:ident, $name:literal, $summary:literal, $doc:literal) => {
        #[doc = $summary]
        pub static $id: RuleInfo = RuleInfo { name: $name, level: Severity::Error, summary: $summary, doc: $doc };
    };
}

rule!(
    SNAPSHOT_CHANGED,
    "snapshot-changed",
    "what is compiled is not what the snapshot says",
    "Look at the difference. If it is meant, `promptc snapshot accept` writes it, and the change of the files is part of the\npull request. If it is not, mend the prompt. A snapshot that was edited by hand is told the same way."
);
rule!(
    SNAPSHOT_MISSING,
    "snapshot-missing",
    "something is compiled that no snapshot has",
    "A profile or a text is new, or its file was deleted or never committed. `promptc snapshot accept` writes it."
);
rule!(
    SNAPSHOT_ORPHAN,
    "snapshot-orphan",
    "a snapshot of something that is compiled no more",
    "The profile, the section or the text has gone, or another branch left its file behind. `promptc snapshot accept`\nremoves it."
);

/// A finding as a message. `folder` is the folder of snapshots.
pub fn diagnostic(folder: &str, finding: &Finding) -> Diagnostic {
    let path = format!("{folder}/{}", finding.path);
    let (rule, words) = match finding.state {
        State::Changed => {
            let lines: usize = finding.hunks(0).iter().map(|h| h.changes().count()).sum();
            let lines = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
            (&SNAPSHOT_CHANGED, format!("`{path}` is not what is compiled: {lines} differ"))
        }
        State::Missing => (&SNAPSHOT_MISSING, format!("`{path}` is not there")),
        State::Orphan => (&SNAPSHOT_ORPHAN, format!("nothing needs `{path}`")),
    };
    let help = match finding.state {
        State::Changed | State::Missing => "write what is compiled, if it is meant: `promptc snapshot accept`",
        State::Orphan => "remove it: `promptc snapshot accept`",
    };
    Diagnostic::for_file(rule, path, words).help(help).difference(finding.hunks(CONTEXT))
}

pub(super) fn lost(folder: &str, keys: &[TextKey]) -> Error {
    let path = format!("{folder}/{}", text_path(&keys[0].section));
    Error::new(format!("{} texts that stay as they are stored cannot be read, the first in `{path}`", keys.len()))
        .help("bring the file back from version control")
        .help("or accept everything: `promptc snapshot accept`")
}

pub(super) fn broken(folder: &str, path: &str) -> Error {
    Error::new(format!("`{folder}/{path}` cannot be read, so no part of it can stay as it is"))
        .help("bring the file back from version control")
        .help("or accept everything: `promptc snapshot accept`")
}
