//! The words of the language, for `explain`.
//!
//! Owns what each word means, by noun: one file for inputs, sections, profiles and output. A word that several tables
//! have is one entry where it means the same in all of them, and an entry for each meaning where it does not. Main type:
//! [`Word`].

mod inputs;
mod output;
mod profiles;
mod sections;

/// A word with one of its meanings.
pub(super) struct Word {
    /// The word as it is written in files and reports; a term of several words with blanks.
    pub(super) name: &'static str,
    /// What it is: "lifetime", "key of [[section]]", "filter".
    pub(super) kind: &'static str,
    /// One to four sentences.
    pub(super) text: &'static str,
}

/// All words, each file's sorted by name, then kind.
pub(super) fn words() -> impl Iterator<Item = &'static Word> {
    [inputs::WORDS, sections::WORDS, profiles::WORDS, output::WORDS].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn words_are_sorted_and_each_meaning_is_there_once() {
        for list in [inputs::WORDS, sections::WORDS, profiles::WORDS, output::WORDS] {
            assert!(list.is_sorted_by_key(|word| (word.name, word.kind)));
        }
        let mut seen = BTreeSet::new();
        for word in words() {
            assert!(seen.insert((word.name, word.kind)), "{} ({})", word.name, word.kind);
        }
    }

    #[test]
    fn texts_are_whole_sentences_on_one_line() {
        for word in words() {
            let text = word.text;
            assert!(text.ends_with(['.', '`']) && text.trim() == text, "{}", word.name);
            assert!(!text.contains('\n') && !text.contains("  "), "{}", word.name);
            assert!(text.split('`').count() % 2 == 1, "{}: an open backtick", word.name);
        }
    }
}
