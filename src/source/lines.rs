//! Lines and columns of byte offsets.

/// A place as people count: line and column from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// The index of a text with LF line ends.
    pub fn new(text: &str) -> LineIndex {
        let after = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        LineIndex { starts: std::iter::once(0).chain(after).collect() }
    }

    /// The line, from 1, of an offset.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// The offset at which a line, from 1, begins; the end of the text for one behind the last.
    pub fn start(&self, line: u32) -> Option<u32> {
        self.starts.get(line as usize - 1).copied()
    }

    /// The position of an offset in the text that the index was made of.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let upto = text.get(start..offset as usize).unwrap_or_default();
        Position { line, column: upto.chars().count() as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one_and_columns_in_characters() {
        let text = "ab\n系统x\n";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, 0), Position { line: 1, column: 1 });
        assert_eq!(index.position(text, 9), Position { line: 2, column: 3 });
        assert_eq!(index.position(text, 11), Position { line: 3, column: 1 });
    }
}
