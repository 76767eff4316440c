//! The words of the language, for `explain`.

/// A word with one of its meanings.
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
}

pub(super) fn words() -> impl Iterator<Item = &'static Word> {
    std::iter::empty()
}
