//! What reading does to bytes: UTF-8, no BOM, LF only; and the offsets that this moves.

use std::borrow::Cow;

const BOM: &str = "\u{feff}";

/// A text that is not UTF-8: where its first bad byte is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InvalidUtf8 {
    /// In the bytes on disk, from 0.
    pub offset: usize,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

/// Where the cleaned text lost bytes: at each cleaned offset from which one more disk byte is missing.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct DiskOffsets {
    bom: u32,
    /// Cleaned offsets of the LF that stand for a CRLF, ascending.
    dropped: Vec<u32>,
    /// Cleaned offsets of the LF that stand for a lone CR, ascending.
    lone: Vec<u32>,
}

impl DiskOffsets {
    pub(super) fn of(&self, offset: u32) -> u64 {
        let before = self.dropped.partition_point(|&at| at < offset);
        u64::from(offset) + u64::from(self.bom) + before as u64
    }

    /// Bytes of the byte order mark.
    pub(super) fn bom(&self) -> u64 {
        self.bom.into()
    }

    /// Line ends written as CRLF.
    pub(super) fn crlf(&self) -> &[u32] {
        &self.dropped
    }

    /// Line ends written as CR alone.
    pub(super) fn lone(&self) -> &[u32] {
        &self.lone
    }
}

/// Turns CRLF and a lone CR into LF: for strings that a parser has decoded.
pub fn clean_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

pub(super) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, DiskOffsets), InvalidUtf8> {
    let raw = std::str::from_utf8(bytes).map_err(|e| first_bad(bytes, e.valid_up_to()))?;
    let mut disk = DiskOffsets::default();
    let raw = match raw.strip_prefix(BOM) {
        Some(rest) => {
            disk.bom = BOM.len() as u32;
            rest
        }
        None => raw,
    };
    if !raw.contains('\r') {
        return Ok((raw.into(), disk));
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\r' {
            text.push(c);
            continue;
        }
        let ends = if chars.next_if_eq(&'\n').is_some() { &mut disk.dropped } else { &mut disk.lone };
        ends.push(text.len() as u32);
        text.push('\n');
    }
    Ok((text.into(), disk))
}

/// The place of the first bad byte, in lines as they would be read.
fn first_bad(bytes: &[u8], offset: usize) -> InvalidUtf8 {
    let good = String::from_utf8_lossy(&bytes[..offset]);
    let good = clean_newlines(good.strip_prefix(BOM).unwrap_or(&good));
    let line = good.matches('\n').count() as u32 + 1;
    let column = good.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u32 + 1;
    InvalidUtf8 { offset, line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bom_and_carriage_returns_go_and_offsets_lead_back() {
        let (text, disk) = decode("\u{feff}a\r\nb\rc\n\r\nd".as_bytes()).unwrap();
        assert_eq!(text, "a\nb\nc\n\nd");
        let raw = "\u{feff}a\r\nb\rc\n\r\nd";
        for (offset, letter) in [(0, 'a'), (2, 'b'), (4, 'c'), (7, 'd')] {
            assert_eq!(raw[disk.of(offset) as usize..].chars().next(), Some(letter));
        }
    }

    #[test]
    fn the_first_bad_byte_is_named() {
        assert_eq!(decode(b"ab\xffcd").unwrap_err(), InvalidUtf8 { offset: 2, line: 1, column: 3 });
        let bad = "\u{feff}one\r\n\r\nzwölf".bytes().chain([0xc3]).collect::<Vec<u8>>();
        assert_eq!(decode(&bad).unwrap_err(), InvalidUtf8 { offset: 16, line: 3, column: 6 });
    }

    #[test]
    fn only_one_bom_is_dropped() {
        assert_eq!(decode("\u{feff}\u{feff}x".as_bytes()).unwrap().0, "\u{feff}x");
    }
}
