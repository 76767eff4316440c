//! Reasons that are none.

/// Words that people leave where a reason should come.
const PLACEHOLDERS: [&str; 34] = [
    "a reason",
    "asap",
    "asdf",
    "bar",
    "because",
    "dunno",
    "fix me",
    "fix later",
    "foo",
    "idk",
    "just because",
    "later",
    "n/a",
    "na",
    "needed",
    "nil",
    "no reason",
    "none",
    "null",
    "placeholder",
    "reason",
    "reason here",
    "see above",
    "some reason",
    "temp",
    "temporary",
    "test",
    "unknown",
    "why",
    "待办",
    "待定",
    "无",
    "暂无",
    "原因",
];

/// Marks of unfinished work: a reason that begins with one is none, whatever follows.
const MARKS: [&str; 6] = ["todo", "tbd", "fixme", "xxx", "wip", "tba"];

/// Whether a reason says nothing: empty, punctuation alone, or a placeholder.
pub(super) fn is_placeholder(reason: &str) -> bool {
    let plain = reason.to_lowercase();
    let plain = plain.trim_matches(|c: char| !c.is_alphanumeric());
    let first = plain.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    plain.is_empty() || PLACEHOLDERS.contains(&plain) || MARKS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_no_reasons() {
        for bad in ["", "  ", "...", "TODO", "todo: explain", "TBD.", "n/a", "<reason>", "FIXME later", "无"] {
            assert!(is_placeholder(bad), "{bad}");
        }
        for good in ["MCP servers connect between turns", "a nonce per request", "clock", "工具会在两轮之间变化"]
        {
            assert!(!is_placeholder(good), "{good}");
        }
    }
}
