//! Canonical JSON bytes: two-space indent, keys in the order of the struct's fields, nothing escaped that need not be.
//!
//! Only structs, sequences, strings and numbers are written, never `serde_json::Value`, so no feature flag of a
//! dependency (`preserve_order`, `arbitrary_precision`) can change a byte.

use serde::Serialize;

/// A document with its final newline.
pub fn to_text<T: Serialize>(value: &T) -> String {
    let mut out = serde_json::to_string_pretty(value).expect("plain structs with string keys always serialise");
    out.push('\n');
    out
}

/// One string in quotes: `\"`, `\\`, `\b \f \n \r \t` and lower-case `\u00xx` below U+0020, everything else as it is.
pub fn write_string(out: &mut String, text: &str) {
    out.push_str(&serde_json::to_string(text).expect("a string always serialises"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Doc {
        zeta: Option<u8>,
        alpha: &'static str,
        list: Vec<f64>,
    }

    #[test]
    fn keys_keep_their_order_and_escapes_are_few() {
        let doc = Doc { zeta: None, alpha: "é\u{7f}\u{1}\u{b}\"\\\n/<", list: vec![1.05] };
        let want = "{\n  \"zeta\": null,\n  \"alpha\": \"é\u{7f}\\u0001\\u000b\\\"\\\\\\n/<\",\n  \"list\": [\n    1.05\n  ]\n}\n";
        assert_eq!(to_text(&doc), want);
    }
}
