//! Text, and places in it.
//!
//! Owns every text that was read, the ids by which other modules speak of files, and byte spans. Knows nothing of
//! TOML or prompts. Main types: [`SourceMap`], [`FileId`], [`Span`], [`Spanned`], [`Located`].

mod clean;
mod lines;
mod located;
mod span;

use std::sync::{Arc, OnceLock};

pub use clean::{InvalidUtf8, clean_newlines};
pub use lines::{LineIndex, Position};
pub use located::Located;
pub use span::{FileId, Span, Spanned};

use clean::DiskOffsets;

/// All texts of one run, in the order in which they were added.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// One text as the compiler sees it (no BOM, LF only), with the way back to the bytes on disk.
#[derive(Debug)]
pub struct SourceFile {
    path: String,
    text: Arc<str>,
    disk: DiskOffsets,
    lines: OnceLock<LineIndex>,
}

impl SourceMap {
    /// Takes the bytes of a file in: checks UTF-8, drops a BOM, turns CRLF and CR into LF.
    ///
    /// # Errors
    /// The byte offset of the first byte that is not UTF-8.
    pub fn add(&mut self, path: impl Into<String>, bytes: &[u8]) -> Result<FileId, InvalidUtf8> {
        let (text, disk) = clean::decode(bytes)?;
        let id = FileId::new(self.files.len());
        self.files.push(SourceFile { path: path.into(), text: text.into(), disk, lines: OnceLock::new() });
        Ok(id)
    }

    /// All files, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len()).map(FileId::new)
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The file at this path, the first one that was added; `None` when there is none.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.files.iter().position(|file| file.path == path).map(FileId::new)
    }

    /// The path under which a file was added.
    pub fn path(&self, id: FileId) -> &str {
        &self.file(id).path
    }

    /// The cleaned text of a file.
    pub fn text(&self, id: FileId) -> &Arc<str> {
        &self.file(id).text
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.range()).unwrap_or_default()
    }

    /// A whole file as located text.
    pub fn located(&self, id: FileId) -> Located {
        Located::whole(id, self.text(id).clone())
    }
}

/// Of the same path, and read from the same bytes.
impl PartialEq for SourceFile {
    fn eq(&self, other: &SourceFile) -> bool {
        (&self.path, &self.text, &self.disk) == (&other.path, &other.text, &other.disk)
    }
}

impl SourceFile {
    /// The path under which the file was added, `/` between its parts.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The cleaned text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset in the bytes on disk of an offset in the cleaned text.
    pub fn disk_offset(&self, offset: u32) -> u64 {
        self.disk.of(offset)
    }

    /// Bytes of the byte order mark with which the bytes on disk began; 0 without one.
    pub fn bom(&self) -> u64 {
        self.disk.bom()
    }

    /// Offsets in the cleaned text of the LF that are CRLF on disk, ascending.
    pub fn crlf(&self) -> &[u32] {
        self.disk.crlf()
    }

    /// Offsets in the cleaned text of the LF that are a lone CR on disk, ascending.
    pub fn lone_cr(&self) -> &[u32] {
        self.disk.lone()
    }

    /// How most lines end on disk.
    pub fn line_end(&self) -> &'static str {
        let crlf = self.disk.crlf().len();
        if crlf * 2 > self.text.bytes().filter(|&b| b == b'\n').count() { "\r\n" } else { "\n" }
    }

    /// Whether some bytes read as this text, each byte of it at the same place.
    pub fn is_read_from(&self, bytes: &[u8]) -> bool {
        clean::decode(bytes).is_ok_and(|(text, disk)| *text == *self.text && disk == self.disk)
    }

    /// The line table of the cleaned text.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}
