//! Texts that look like keys and passwords, and those that only stand for them.

use std::ops::Range;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Secret {
    /// The part that should not be there.
    pub(super) range: Range<usize>,
    /// What it is, for people.
    pub(super) what: &'static str,
}

/// How keys of known services begin, how many characters of a key follow at least, and whose they are.
const KEYS: [(&str, usize, &str); 25] = [
    ("AIza", 35, "a Google API key"),
    ("AKIA", 16, "an AWS access key"),
    ("ASIA", 16, "an AWS access key"),
    ("SG.", 40, "a SendGrid key"),
    ("dckr_pat_", 20, "a Docker token"),
    ("dop_v1_", 40, "a DigitalOcean token"),
    ("eyJhbGciOi", 40, "a signed token (JWT)"),
    ("ghp_", 30, "a GitHub token"),
    ("gho_", 30, "a GitHub token"),
    ("ghs_", 30, "a GitHub token"),
    ("ghu_", 30, "a GitHub token"),
    ("github_pat_", 40, "a GitHub token"),
    ("glpat-", 16, "a GitLab token"),
    ("hf_", 30, "a Hugging Face token"),
    ("npm_", 30, "an npm token"),
    ("pypi-", 40, "a PyPI token"),
    ("rk_live_", 20, "a Stripe key"),
    ("sk-", 20, "an API key"),
    ("sk_live_", 20, "a Stripe key"),
    ("xapp-", 20, "a Slack token"),
    ("xoxa-", 20, "a Slack token"),
    ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"),
    ("xoxs-", 20, "a Slack token"),
    ("ya29.", 30, "a Google access token"),
];

/// Words in front of a value that say that it is secret.
const LABELS: [&str; 12] = [
    "access_key",
    "access_token",
    "api_key",
    "apikey",
    "auth_token",
    "authorization",
    "client_secret",
    "passwd",
    "password",
    "private_key",
    "secret_key",
    "token",
];

/// What people write where a secret would stand.
const STAND_INS: [&str; 22] = [
    "abc123",
    "change",
    "credential",
    "dummy",
    "example",
    "fake",
    "foo",
    "hunter2",
    "insert",
    "key",
    "pass",
    "placeholder",
    "pwd",
    "redacted",
    "replace",
    "sample",
    "secret",
    "test",
    "todo",
    "token",
    "xxx",
    "your",
];

/// Every secret in a text.
pub(super) fn secrets(text: &str) -> Vec<Secret> {
    let mut out: Vec<Secret> = Vec::new();
    out.extend(known_keys(text));
    out.extend(private_keys(text));
    out.extend(user_info(text));
    out.extend(labelled(text));
    out.sort_by_key(|secret| (secret.range.start, secret.range.end));
    // One secret may look like two: the first, and longest from there, is told.
    let mut end = 0;
    out.retain(|secret| {
        let fresh = secret.range.start >= end;
        end = end.max(secret.range.end);
        fresh
    });
    out
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/' | '=')
}

/// The word of key characters that begins at an offset.
fn word(text: &str, start: usize) -> &str {
    let end = text[start..].find(|c| !is_key_char(c)).map_or(text.len(), |n| start + n);
    text[start..end].trim_end_matches(['.', '/', '-', '_'])
}

fn known_keys(text: &str) -> Vec<Secret> {
    let mut out = Vec::new();
    for (prefix, least, what) in KEYS {
        for (at, _) in text.match_indices(prefix) {
            let joined = text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            let key = word(text, at);
            let rest = &key[prefix.len().min(key.len())..];
            let weak = prefix == "sk-";
            if !joined && rest.len() >= least && is_key(rest) && (!weak || looks_random(rest)) {
                out.push(Secret { range: at..at + key.len(), what });
            }
        }
    }
    out
}

fn private_keys(text: &str) -> Vec<Secret> {
    const START: &str = "-----BEGIN ";
    let mut out = Vec::new();
    for (at, _) in text.match_indices(START) {
        let line = text[at..].lines().next().unwrap_or_default();
        let Some(head) = line.strip_suffix("PRIVATE KEY-----") else { continue };
        // A sample has dots where the key would be.
        let body: String = text[at + line.len()..].chars().take(80).filter(|c| !c.is_whitespace()).collect();
        let is_key = head.len() <= 40 && body.chars().take(40).filter(|c| is_key_char(*c)).count() >= 40;
        if is_key && looks_random(&body[..body.chars().take(40).map(char::len_utf8).sum()]) {
            out.push(Secret { range: at..at + line.len(), what: "a private key" });
        }
    }
    out
}

/// A user with a password in an address.
fn user_info(text: &str) -> Vec<Secret> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("://") {
        let scheme = text[..at].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
        let start = at + 3;
        let end = text[start..].find(|c: char| {
            c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | ')' | ']')
        });
        let authority = &text[start..end.map_or(text.len(), |n| start + n)];
        let Some((info, host)) = authority.rsplit_once('@') else { continue };
        if !scheme || host.is_empty() {
            continue;
        }
        let (user, password) = info.split_once(':').unwrap_or((info, ""));
        let is_secret = match password.is_empty() {
            true => user.len() >= 20 && !is_stand_in(user) && looks_random(user),
            false => !is_stand_in(password),
        };
        if is_secret {
            out.push(Secret { range: start..start + info.len(), what: "an address with a user and a password" });
        }
    }
    out
}

/// `api_key = "..."` and the like.
fn labelled(text: &str) -> Vec<Secret> {
    let lower = text.to_ascii_lowercase().replace('-', "_");
    let mut out = Vec::new();
    for label in LABELS {
        for (at, _) in lower.match_indices(label) {
            let behind = &text[at + label.len()..];
            let sign = behind.trim_start_matches(['"', '\'', '`', ' ']);
            let Some(value) = sign.strip_prefix([':', '=']) else { continue };
            let value = value.trim_start_matches(['"', '\'', '`', ' ', '=']);
            let value = ["Bearer ", "bearer ", "Basic ", "basic "]
                .iter()
                .find_map(|scheme| value.strip_prefix(scheme))
                .unwrap_or(value);
            let start = text.len() - value.len();
            let key = word(text, start);
            let mixed =
                key.contains(|c: char| c.is_ascii_lowercase()) && key.contains(|c: char| c.is_ascii_uppercase());
            let is_path = key.contains('/') && !mixed;
            let looks = key.len() >= 20 && looks_random(key) && !is_path && !is_stand_in(key);
            if looks && text[at..start].find('\n').is_none() {
                out.push(Secret { range: start..start + key.len(), what: "what looks like a key or a password" });
            }
        }
    }
    out
}

/// Whether what follows the beginning of a key is no stand-in.
fn is_key(rest: &str) -> bool {
    let lower = rest.to_ascii_lowercase();
    !is_repeated(rest) && !["...", "example", "xxxx", "your"].iter().any(|word| lower.contains(word))
}

/// Whether letters and digits are mixed as in a key: not a word, not a path, not one letter again and again.
fn looks_random(key: &str) -> bool {
    if !is_key(key) {
        return false;
    }
    let digits = key.chars().filter(char::is_ascii_digit).count();
    let letters = key.chars().filter(char::is_ascii_alphabetic).count();
    let mut kinds: Vec<char> = key.chars().collect();
    kinds.sort_unstable();
    kinds.dedup();
    let distinct = kinds.len() * 3 >= key.len().min(36);
    let runs = ["123456789", "abcdefghi"].iter().any(|run| key.to_ascii_lowercase().contains(run));
    digits >= 2 && letters >= 2 && distinct && !runs
}

/// Mostly one letter, as in `xxxxxxxx` and `0000-0000`.
fn is_repeated(key: &str) -> bool {
    let most = key.chars().map(|c| key.matches(c).count()).max().unwrap_or(0);
    most * 2 > key.len()
}

/// Whether a text stands for a secret and is none: `$NAME`, `${..}`, `<..>`, `{..}`, `***`, `your-password`.
fn is_stand_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.contains(['$', '<', '{', '%', '[', '*', '…'])
        || text.contains("...")
        || (text.len() > 1 && is_repeated(text))
        || text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        || STAND_INS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        secrets(text).into_iter().map(|secret| &text[secret.range]).collect()
    }

    #[test]
    fn keys_are_found_by_how_they_look() {
        let key = ["ghp_", "q8Zr1Lw0", "Xy7Tn3Vb6", "Kd9Fh2Jm5Sc4Pa"].concat();
        assert_eq!(found(&format!("Use {key}.")), [key.as_str()]);
        let key = ["sk-", "proj-", "Zt81kQmPw", "02LxNv7RbYc"].concat();
        assert_eq!(found(&format!("key: `{key}`")), [key.as_str()]);
        let key = ["AKIA", "1234567890", "ABCDEF"].concat();
        assert_eq!(found(&format!("aws: {key}")), [key.as_str()]);
        let value = ["wJal7rXUtnFEMI", "K7MDENGbPxRfi", "CYzzQEYab/9Q"].concat();
        assert_eq!(found(&format!("aws_secret_access_key = {value}")), [value.as_str()]);
        let value = ["9f8e2b7c", "41d05a6e", "b3c7d1f2"].concat();
        for line in
            [format!("api_key = \"{value}\""), format!("X-Api-Key: {value}"), format!("Authorization: Bearer {value}")]
        {
            assert_eq!(found(&line), [value.as_str()], "{line}");
        }
        let pem = format!("-----BEGIN {}PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n", "RSA ");
        assert_eq!(found(&pem).len(), 1);
    }

    #[test]
    fn users_with_passwords_in_addresses_are_found() {
        assert_eq!(found("Fetch https://ann:rose-17@plans.example/north once."), ["ann:rose-17"]);
        assert_eq!(found("postgres://app:t@db:5432/x"), ["app:t"]);
        let token = ["8d1f0c", "77ab42", "e6915b30"].concat();
        assert_eq!(found(&format!("https://{token}@host.example/x")), [token.as_str()]);
    }

    #[test]
    fn what_stands_for_a_secret_is_none() {
        for text in [
            "https://$USER:$TOKEN@host https://${TOKEN}@host https://<user>:<password>@host https://{user}:{password}@host",
            "https://{{ user }}:{{ word }}@host postgres://user:password@localhost/db https://user:pass@host",
            "https://x:***@host https://a:xxxx@host https://me:YOUR_TOKEN@host ssh://git@host/repo.git",
            "mail ann@example.com, see https://example.com/@ann/notes and https://host/a:b@c",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxx sk-... ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX AKIAIOSFODNN7EXAMPLE",
            "sk-your-key-goes-here-please api_key = \"YOUR_API_KEY_GOES_HERE\" token: <token> password = os.environ['PW_2024_PROD']",
            "the task-oriented-approach-of-2024-and-2025 risk-assessment-2024-q3-final",
            "token: the-number-of-tokens-in-2024-was-large api_key=process.env.API_KEY_2024_PROD",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "abcdefghijklmnopqrstuvwxyz0123456789",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
