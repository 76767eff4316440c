//! Edits that mend a finding, and the bytes on disk that they change.

use crate::source::{FileId, SourceMap, Span};

/// Edits that mend a finding, none of which overlap. They are made together or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// In any order.
    pub edits: Vec<Edit>,
    /// What else goes: no span covers it, since reading leaves it out.
    pub left_out: Option<LeftOut>,
    /// Whether nothing but the finding changes: no byte of any artifact, or none that the author did not mean.
    pub safe: bool,
}

/// A range of a text, and what comes in its place. A line end in the new text becomes that of the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The range.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Bytes of a file that are not in its cleaned text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// The byte order mark at the start.
    ByteOrderMark(FileId),
    /// Every carriage return; a lone one becomes LF.
    CarriageReturns(FileId),
}

/// An edit in bytes on disk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DiskEdit {
    /// The range in the cleaned text; empty for what reading leaves out.
    pub span: Span,
    /// First byte on disk, from 0.
    pub start: u64,
    /// One past the last byte on disk.
    pub end: u64,
    /// What comes in its place, byte for byte.
    pub text: String,
}

impl Fix {
    /// Edits after which nothing but the finding has changed.
    pub fn safe(edits: Vec<Edit>) -> Fix {
        Fix { edits, left_out: None, safe: true }
    }

    /// Takes away what reading leaves out anyway.
    pub fn dropping(left_out: LeftOut) -> Fix {
        Fix { edits: Vec::new(), left_out: Some(left_out), safe: true }
    }

    /// All edits in bytes on disk, by file and place.
    pub fn on_disk(&self, sources: &SourceMap) -> Vec<DiskEdit> {
        let mut out: Vec<DiskEdit> = self.edits.iter().map(|edit| edit.on_disk(sources)).collect();
        match self.left_out {
            None => {}
            Some(LeftOut::ByteOrderMark(id)) => {
                let end = sources.file(id).bom();
                out.push(DiskEdit { span: Span::start_of(id), start: 0, end, text: String::new() });
            }
            Some(LeftOut::CarriageReturns(id)) => {
                let file = sources.file(id);
                let edit = |&at: &u32, text: &str| {
                    let start = file.disk_offset(at);
                    let span = Span { file: id, start: at, end: at };
                    DiskEdit { span, start, end: start + 1, text: text.to_owned() }
                };
                out.extend(file.crlf().iter().map(|at| edit(at, "")));
                out.extend(file.lone_cr().iter().map(|at| edit(at, "\n")));
            }
        }
        out.sort_by_key(|edit| (edit.span.file, edit.start, edit.end));
        out
    }
}

impl Edit {
    fn on_disk(&self, sources: &SourceMap) -> DiskEdit {
        let file = sources.file(self.span.file);
        let (start, end) = (file.disk_offset(self.span.start), file.disk_offset(self.span.end));
        DiskEdit { span: self.span, start, end, text: self.text.replace('\n', file.line_end()) }
    }
}
