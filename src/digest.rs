//! Digests of texts and of prefixes: BLAKE3, 64 lower-case hex digits. Knows nothing else.

/// The digest of a text.
pub fn text(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// The digest of a growing sequence of blocks: over each block its byte length in decimal, a line feed, its text, so
/// that equal digests mean equal texts with equal cuts.
#[derive(Clone, Default)]
pub struct Prefix(blake3::Hasher);

impl Prefix {
    /// Adds a block.
    pub fn push(&mut self, block: &str) {
        self.0.update(format!("{}\n", block.len()).as_bytes());
        self.0.update(block.as_bytes());
    }

    /// The digest of all blocks so far.
    pub fn digest(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// The digest of a text that comes in parts.
#[derive(Clone, Default)]
pub struct Growing(blake3::Hasher);

impl Growing {
    /// Adds a part.
    pub fn push(&mut self, part: &str) {
        self.0.update(part.as_bytes());
    }

    /// The digest of the text so far.
    pub fn digest(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_length_line_feed_text() {
        assert_eq!(text("abc"), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
        let mut prefix = Prefix::default();
        prefix.push("é");
        prefix.push("P");
        assert_eq!(prefix.digest(), text("2\né1\nP"));
        let mut growing = Growing::default();
        growing.push("a");
        growing.push("bc");
        assert_eq!(growing.digest(), text("abc"));
    }
}
