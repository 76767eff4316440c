//! Tokenizers that a file describes, in the form that Hugging Face gave it: `tokenizer.json`.
//!
//! Owns what of such a file is obeyed. Does not know where files are. Needs the feature `tokenizers`; without it there is
//! the type, and no value of it. Main type: [`FileTokenizer`].

/// A tokenizer from a file.
#[derive(Debug)]
pub struct FileTokenizer(Loaded);

#[cfg(feature = "tokenizers")]
type Loaded = Box<tokenizers::Tokenizer>;

#[cfg(not(feature = "tokenizers"))]
type Loaded = std::convert::Infallible;

/// Words of which hardly a vocabulary has all: private, rare, and not assigned.
#[cfg(feature = "tokenizers")]
const UNUSUAL: &str = "\u{f8ff} \u{30edd} \u{16888} \u{1f9ff} \u{10fffd}qj\u{2e80}";

impl FileTokenizer {
    /// Whether this program can read such files.
    pub const AVAILABLE: bool = cfg!(feature = "tokenizers");

    /// Reads a `tokenizer.json`. Special tokens will be ordinary text, and nothing is cut, filled up or added, whatever
    /// the file says.
    ///
    /// # Errors
    /// Why the file is no tokenizer, as a phrase.
    #[cfg(feature = "tokenizers")]
    pub fn parse(json: &[u8]) -> Result<FileTokenizer, String> {
        let mut tokenizer = tokenizers::Tokenizer::from_bytes(json).map_err(|error| error.to_string())?;
        tokenizer.with_truncation(None).map_err(|error| error.to_string())?;
        tokenizer.with_padding(None);
        tokenizer.set_encode_special_tokens(true);
        // Some models fail on what they do not know. Such a file counts no text for certain, and is refused here.
        tokenizer.encode_fast(UNUSUAL, false).map_err(|error| error.to_string())?;
        Ok(FileTokenizer(Box::new(tokenizer)))
    }

    /// Without the feature, says so.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "tokenizers"))]
    pub fn parse(_json: &[u8]) -> Result<FileTokenizer, String> {
        Err("the feature `tokenizers` is not in this program".to_owned())
    }

    /// The tokens of a text.
    #[cfg(feature = "tokenizers")]
    pub fn count(&self, text: &str) -> u64 {
        // A file that fails on some text was refused. If it fails all the same: a token has a byte at least.
        self.0.encode_fast(text, false).map_or(text.len() as u64, |encoded| encoded.len() as u64)
    }

    /// The tokens of a text.
    #[cfg(not(feature = "tokenizers"))]
    pub fn count(&self, _text: &str) -> u64 {
        match self.0 {}
    }
}
