//! Fixes put together: which of them are made at once, and what becomes of the files.
//!
//! Reads files once more, so that only what was looked at is changed. Writes nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, DiskEdit};
use crate::host::Host;
use crate::source::{FileId, SourceMap};

/// A file as it is and as it will be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mended {
    /// Its path from the root.
    pub path: String,
    /// Its bytes on disk.
    pub before: Vec<u8>,
    /// Its bytes with all edits made.
    pub after: Vec<u8>,
    /// How many findings of each rule that mends.
    pub rules: BTreeMap<&'static str, usize>,
}

/// Makes the fixes of some findings, in their order. A fix that would change what another one has changed is left for
/// the next time, and so is one in a file that is no longer what was looked at: fixes are made whole or not at all.
/// With `risky`, fixes that may change more than the finding are made too.
pub fn mend(list: &[Diagnostic], sources: &SourceMap, host: &dyn Host, risky: bool) -> Vec<Mended> {
    let mut files: BTreeMap<FileId, Option<Vec<u8>>> = BTreeMap::new();
    let mut edits: BTreeMap<FileId, BTreeSet<(u64, u64, String)>> = BTreeMap::new();
    let mut rules: BTreeMap<FileId, BTreeMap<&'static str, usize>> = BTreeMap::new();
    for diagnostic in list {
        let Some(fix) = diagnostic.fix.as_ref().filter(|fix| fix.safe || risky) else { continue };
        let wanted = fix.on_disk(sources);
        let is_there = |edit: &DiskEdit| {
            let id = edit.span.file;
            files.entry(id).or_insert_with(|| unchanged(id, sources, host)).is_some()
        };
        let collides = |edit: &DiskEdit| edits.get(&edit.span.file).is_some_and(|made| collides(edit, made));
        if wanted.is_empty() || !wanted.iter().all(is_there) || wanted.iter().any(collides) {
            continue;
        }
        let touched: BTreeSet<FileId> = wanted.iter().map(|edit| edit.span.file).collect();
        for edit in wanted {
            edits.entry(edit.span.file).or_default().insert((edit.start, edit.end, edit.text));
        }
        for file in touched {
            *rules.entry(file).or_default().entry(diagnostic.rule.name).or_default() += 1;
        }
    }
    let mended = edits.into_iter().filter_map(|(id, edits)| {
        let before = files.remove(&id).flatten()?;
        let after = apply(&before, &edits);
        let rules = rules.remove(&id).unwrap_or_default();
        (before != after).then(|| Mended { path: sources.path(id).to_owned(), before, after, rules })
    });
    mended.collect()
}

/// The bytes of a file, if they still read as what was looked at.
fn unchanged(id: FileId, sources: &SourceMap, host: &dyn Host) -> Option<Vec<u8>> {
    host.read(sources.path(id), host.limits().file_bytes.value as u64)
        .ok()
        .filter(|bytes| sources.file(id).is_read_from(bytes))
}

/// Whether an edit and one that is made already touch the same bytes, or add text at one place. The same edit of two
/// findings does not collide.
fn collides(edit: &DiskEdit, made: &BTreeSet<(u64, u64, String)>) -> bool {
    made.iter().any(|(start, end, text)| {
        let same = (*start, *end, text) == (edit.start, edit.end, &edit.text);
        let apart = edit.end <= *start || *end <= edit.start;
        let one_place = edit.start == edit.end && start == end && edit.start == *start;
        !same && (!apart || one_place)
    })
}

/// Edits are in order and do not overlap.
fn apply(before: &[u8], edits: &BTreeSet<(u64, u64, String)>) -> Vec<u8> {
    let mut out = Vec::with_capacity(before.len());
    let mut at = 0;
    for (start, end, text) in edits {
        let (start, end) = (*start as usize, *end as usize);
        out.extend_from_slice(before.get(at..start).unwrap_or_default());
        out.extend_from_slice(text.as_bytes());
        at = end;
    }
    out.extend_from_slice(before.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Edit, Fix, LeftOut, RuleInfo, Severity};
    use crate::host::memory::Memory;
    use crate::source::Span;

    static RULE: RuleInfo = RuleInfo { name: "rule", level: Severity::Warning, summary: "", doc: "" };

    /// Files, and findings at cleaned ranges with what comes in their place.
    struct Case {
        sources: SourceMap,
        host: Memory,
        list: Vec<Diagnostic>,
    }

    impl Case {
        fn new(files: &[(&str, &str)]) -> Case {
            let mut case = Case { sources: SourceMap::default(), host: Memory::default(), list: Vec::new() };
            for (path, text) in files {
                case.sources.add(*path, text.as_bytes()).unwrap();
                case.host.insert(*path, text.as_bytes());
            }
            case
        }

        fn id(&self, file: usize) -> FileId {
            self.sources.ids().nth(file).unwrap()
        }

        fn finding(mut self, fix: Fix) -> Case {
            self.list.push(Diagnostic::new(&RULE, Span::start_of(self.id(0)), "x").fix(fix));
            self
        }

        /// A finding with edits: file, range, text.
        fn edits(self, edits: &[(usize, usize, usize, &str)]) -> Case {
            let edits = edits
                .iter()
                .map(|&(file, start, end, text)| Edit {
                    span: Span::new(self.id(file), start..end),
                    text: text.to_owned(),
                })
                .collect();
            self.finding(Fix::safe(edits))
        }

        fn mended(&self) -> Vec<(String, String)> {
            let text = |bytes| String::from_utf8(bytes).unwrap();
            let mended = mend(&self.list, &self.sources, &self.host, false);
            mended.into_iter().map(|m| (m.path, text(m.after))).collect()
        }
    }

    fn one(path: &str, text: &str) -> Vec<(String, String)> {
        vec![(path.to_owned(), text.to_owned())]
    }

    #[test]
    fn edits_are_made_in_bytes_on_disk() {
        let case = Case::new(&[("a", "\u{feff}one\r\ntwo  \r\nthree\r\n")]);
        let case = case.edits(&[(0, 7, 9, "")]).edits(&[(0, 10, 10, "new\n")]);
        assert_eq!(case.mended(), one("a", "\u{feff}one\r\ntwo\r\nnew\r\nthree\r\n"));
    }

    #[test]
    fn what_reading_leaves_out_goes() {
        let case = Case::new(&[("a", "\u{feff}one\r\ntwo\rthree\n")]);
        let id = case.id(0);
        let bom = |case: Case| case.finding(Fix::dropping(LeftOut::ByteOrderMark(id)));
        let newlines = |case: Case| case.finding(Fix::dropping(LeftOut::CarriageReturns(id)));
        assert_eq!(newlines(bom(case)).mended(), one("a", "one\ntwo\nthree\n"));
        let case = Case::new(&[("a", "\u{feff}one\r\ntwo\rthree\n")]);
        assert_eq!(bom(case).mended(), one("a", "one\r\ntwo\rthree\n"));
    }

    #[test]
    fn a_fix_that_overlaps_one_that_is_made_is_left_out_whole() {
        let case = Case::new(&[("a", "0123456789"), ("b", "abc")]);
        let case = case.edits(&[(0, 2, 4, "x")]).edits(&[(1, 0, 1, ""), (0, 3, 5, "y")]).edits(&[(0, 4, 5, "z")]);
        assert_eq!(case.mended(), one("a", "01xz56789"));
        let twice = Case::new(&[("a", "0123")]).edits(&[(0, 1, 1, "x")]).edits(&[(0, 1, 1, "y")]);
        assert_eq!(twice.mended(), one("a", "0x123"));
        let same = Case::new(&[("a", "0123")]).edits(&[(0, 1, 1, "x")]).edits(&[(0, 1, 1, "x"), (0, 3, 4, "")]);
        assert_eq!(same.mended(), one("a", "0x12"));
    }

    #[test]
    fn a_file_that_has_changed_is_left_alone_and_so_are_fixes_that_need_it() {
        let mut case = Case::new(&[("a", "abc"), ("b", "abc")]);
        case.host.insert("b", "abcd");
        let case = case.edits(&[(0, 0, 1, ""), (1, 0, 1, "")]).edits(&[(0, 2, 3, "")]);
        assert_eq!(case.mended(), one("a", "ab"));
        let mut case = Case::new(&[("a", "a\nb")]);
        case.host.insert("a", "a\r\nb");
        assert_eq!(case.edits(&[(0, 2, 3, "")]).mended(), []);
    }

    #[test]
    fn a_risky_fix_is_made_when_asked_for() {
        let case = Case::new(&[("a", "abc")]);
        let edits = vec![Edit { span: Span::new(case.id(0), 0..1), text: String::new() }];
        let case = case.finding(Fix { edits, left_out: None, safe: false });
        assert_eq!(case.mended(), []);
        assert_eq!(mend(&case.list, &case.sources, &case.host, true).len(), 1);
    }
}
