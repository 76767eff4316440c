//! `strip_invisible`: characters that a model reads and a person does not see.

use minijinja::value::{Kwargs, Rest};
use minijinja::{Error, State, Value};

const JOINER: char = '\u{200D}';
const EMOJI_STYLE: char = '\u{FE0F}';

/// The text without invisible characters; a joiner stays inside an emoji.
pub(super) fn strip_invisible(
    state: &State<'_, '_>,
    value: &Value,
    given: Rest<Value>,
    named: Kwargs,
) -> Result<String, Error> {
    const FORM: &str = "strip_invisible";
    let text = super::text(state, FORM, value)?;
    let [] = super::arguments(FORM, [], given, &named)?;
    super::charge(state, 2 * text.len())?;
    Ok(visible(&text))
}

/// Whether a character is removed wherever it stands, a joiner inside an emoji aside.
///
/// Tags (U+E0000 to E007F, also those of flags); bidi controls (U+061C, 200E, 200F, 202A to 202E, 2066 to 2069); zero
/// width: U+180E, 200B to 200D, 2060 to 2065, 206A to 206F, FEFF.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut emoji = Emoji::No;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inside = emoji != Emoji::No && chars.peek().is_some_and(|&next| is_emoji(next));
        if !is_invisible(c) || (c == JOINER && inside) {
            out.push(c);
        }
        emoji = emoji.then(c);
    }
    out
}

/// How far into an emoji a text has come: a base, perhaps with a skin tone, perhaps with the emoji style. A joiner
/// stays behind each of the three, if a base follows at once; both ends are needed, so a joiner cannot be hidden
/// between letters, at an end of an emoji, or among other invisible characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emoji {
    No,
    Base,
    Toned,
    Styled,
}

impl Emoji {
    fn then(self, c: char) -> Emoji {
        match (self, c) {
            (_, c) if is_emoji(c) => Emoji::Base,
            (Emoji::Base, '\u{1F3FB}'..='\u{1F3FF}') => Emoji::Toned,
            (Emoji::Base | Emoji::Toned, EMOJI_STYLE) => Emoji::Styled,
            _ => Emoji::No,
        }
    }
}

/// Bases of the joined emoji that Unicode recommends (emoji-zwj-sequences.txt): arrows and signs of the older blocks,
/// and the pictographs from U+1F300, skin tones aside.
fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '\u{2194}' | '\u{2195}' | '\u{2600}'..='\u{27BF}' | '\u{2B05}'..='\u{2B55}' | '\u{1F300}'..='\u{1F3FA}'
            | '\u{1F400}'..='\u{1FAFF}'
    )
}
