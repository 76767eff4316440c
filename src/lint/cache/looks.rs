//! What a literal looks like: a moment, an id, a folder of one machine, a person, a host of one network.
//!
//! Knows neither sections nor messages. Text that shows how something is written is none: code fences, lines that say
//! that they are an example, names such as `/home/user`. Main type: [`Look`].

use std::collections::BTreeSet;
use std::ops::Range;

/// What a literal looks like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Look {
    /// A time of day with its date, or the date of today.
    Moment,
    /// A UUID.
    Uuid,
    /// A commit id.
    Commit,
    /// A path in somebody's home.
    Home,
    /// A path among temporary files.
    Temp,
    /// An e-mail address of a person.
    Person,
    /// A host of a private network.
    Host,
}

/// A word of a line.
struct Word<'t> {
    text: &'t str,
    start: usize,
    in_code: bool,
}

/// Characters that end a word besides blanks and letters outside ASCII.
const ENDS: &str = "\"'`()[]<>{},;|=*";

/// Words of a line that shows how something is written.
const EXAMPLES: [&str; 14] = [
    "e.g.",
    "eg.",
    "example",
    "for instance",
    "such as",
    "format",
    "looks like",
    "look like",
    "placeholder",
    "sample",
    "例如",
    "比如",
    "示例",
    "格式",
];

/// Words beside which a date is the date of today.
const TODAY: [&str; 6] = ["today", "current date", "current time", "right now", "今天", "当前"];

/// Names of homes that stand for any home, or that every machine of a kind has.
const ANY_HOME: [&str; 26] = [
    "agent",
    "all users",
    "app",
    "codespace",
    "coder",
    "default",
    "gitpod",
    "linuxbrew",
    "me",
    "myuser",
    "name",
    "node",
    "public",
    "runner",
    "sandbox",
    "shared",
    "someone",
    "ubuntu",
    "user",
    "username",
    "users",
    "vscode",
    "workspace",
    "you",
    "your",
    "yourname",
];

/// Beginnings of addresses that belong to an office and not to a person.
const OFFICES: [&str; 30] = [
    "abuse",
    "admin",
    "billing",
    "bot",
    "careers",
    "coc",
    "conduct",
    "contact",
    "feedback",
    "git",
    "hello",
    "help",
    "info",
    "jobs",
    "legal",
    "mail",
    "maintainers",
    "no-reply",
    "noreply",
    "oss",
    "postmaster",
    "press",
    "privacy",
    "report",
    "sales",
    "security",
    "support",
    "team",
    "webadmin",
    "webmaster",
];

/// Ends of hosts that stand for any host.
const ANY_HOST: [&str; 9] = [
    "example",
    "example.com",
    "example.net",
    "example.org",
    "invalid",
    "test",
    "domain.com",
    "company.com",
    "email.com",
];

/// Addresses that everybody writes who means any.
const ANY_ADDRESS: [&str; 4] = ["10.0.0.1", "192.168.0.1", "192.168.1.1", "192.168.1.100"];

/// Names inside private zones that are the same everywhere.
const EVERYWHERE: [&str; 5] =
    ["compute.internal", "docker.internal", "google.internal", "cluster.local", "containers.internal"];

/// Every literal of a text that looks like a value of one run, one machine, one person or one network.
pub(super) fn literals(text: &str, is_template: bool) -> Vec<(Range<usize>, Look)> {
    let mut found = Vec::new();
    let tags = if is_template { tags(text) } else { Vec::new() };
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let bare = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        if mark.is_some() || fence.is_some() {
            fence = match (fence, mark) {
                (Some(open), Some(mark)) if open == mark => None,
                (Some(open), _) => Some(open),
                (None, mark) => mark,
            };
            continue;
        }
        let plain = line.to_lowercase();
        if is_sample(bare) || EXAMPLES.iter().any(|word| plain.contains(word)) {
            continue;
        }
        let words = words(line);
        for n in 0..words.len() {
            if let Some((range, look)) = look(&words, n, &plain) {
                let range = at + range.start..at + range.end;
                if !tags.iter().any(|tag| tag.start < range.end && range.start < tag.end) {
                    found.push((range, look));
                }
            }
        }
    }
    found
}

/// Whether a line is data or a command: what stands in it shows what such a thing looks like.
fn is_sample(line: &str) -> bool {
    let is_key = line.starts_with('"') && line.contains("\":");
    let is_tag = ["{{", "{%", "{#"].iter().any(|mark| line.starts_with(mark));
    is_key || (!is_tag && ["{", "[{", "}", "$ ", "--", ">>> "].iter().any(|start| line.starts_with(start)))
}

/// Ranges of a template that are no text.
fn tags(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|n| at + n) {
        let close =
            ["{{", "{%", "{#"].into_iter().zip(["}}", "%}", "#}"]).find(|(mark, _)| text[open..].starts_with(mark));
        at = open + 1;
        if let Some((_, close)) = close
            && let Some(end) = text[open..].find(close)
        {
            at = open + end + close.len();
            out.push(open..at);
        }
    }
    out
}

fn words(line: &str) -> Vec<Word<'_>> {
    let mut out = Vec::new();
    let mut start = None;
    let mut in_code = false;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        if c.is_ascii_graphic() && !ENDS.contains(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            let text = line[start..at].trim_end_matches(['.', ':', '!', '?']);
            if !text.is_empty() {
                out.push(Word { text, start, in_code });
            }
        }
        in_code ^= c == '`';
    }
    out
}

fn look(words: &[Word<'_>], n: usize, line: &str) -> Option<(Range<usize>, Look)> {
    let word = &words[n];
    let text = word.text;
    let whole = word.start..word.start + text.len();
    if let Some(end) = moment(words, n, line) {
        return (!word.in_code).then_some((word.start..end, Look::Moment));
    }
    if text.contains("://") && text.contains('@') {
        // A key in an address is another rule's.
        return None;
    }
    let look = if has_uuid(text) && !is_asset(text) {
        Look::Uuid
    } else if is_commit(words, n) {
        Look::Commit
    } else if is_home(text) {
        Look::Home
    } else if is_temp(text, word.in_code) {
        Look::Temp
    } else if is_person(text) && !line.contains("co-authored-by") && !line.contains("signed-off-by") {
        Look::Person
    } else if is_private_host(text, word.in_code) {
        Look::Host
    } else {
        return None;
    };
    Some((whole, look))
}

/// Whether a value, an example or a default is a moment, not a day alone.
pub(super) fn is_moment(value: &str) -> bool {
    let words = words(value);
    (0..words.len()).any(|n| moment(&words, n, "").is_some()) || is_time(value.trim())
}

/// Whether a value is a day without a time.
pub(super) fn is_day(value: &str) -> bool {
    is_date(value.trim())
}

/// Whether a value is an absolute path.
pub(super) fn is_absolute_path(value: &str) -> bool {
    let bytes = value.as_bytes();
    (value.starts_with('/') && value.len() > 1 && !value.starts_with("//"))
        || value.starts_with("~/")
        || (bytes.len() > 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'\\')
}

/// Whether an address leads to a picture or a file that somebody uploaded: it is the same for everybody.
fn is_asset(text: &str) -> bool {
    let endings = [".gif", ".jpeg", ".jpg", ".mp4", ".pdf", ".png", ".svg", ".webp"];
    text.contains("://") && (text.contains("/assets/") || endings.iter().any(|ending| text.ends_with(ending)))
}

fn has_uuid(text: &str) -> bool {
    text.split(['/', ':', '_', '.', '?', '&', '#']).any(|part| {
        let tail = part.len().checked_sub(36).and_then(|from| part.get(from..));
        tail.is_some_and(is_uuid)
    })
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let shape = groups.iter().map(|g| g.len()).eq([8, 4, 4, 4, 12]) && groups.iter().all(|g| is_hex(g));
    let made_up = is_counting(text, 6) || groups.iter().any(|g| g.len() >= 8 && distinct(g) < 3);
    shape && is_scattered(text) && !made_up
}

/// Where a moment ends that begins at a word.
fn moment(words: &[Word<'_>], n: usize, line: &str) -> Option<usize> {
    let word = &words[n];
    let end = |word: &Word<'_>| word.start + word.text.len();
    let text = word.text;
    if text.len() > 11 && text.is_char_boundary(10) && is_date(&text[..10]) {
        return (matches!(text.as_bytes()[10], b'T' | b't' | b'_') && is_time(&text[11..])).then(|| end(word));
    }
    if is_date(text) {
        let next = words.get(n + 1).filter(|next| next.start <= end(word) + 2 && is_time(next.text));
        return match next {
            Some(next) => Some(end(next)),
            None => TODAY.iter().any(|today| line.contains(today)).then(|| end(word)),
        };
    }
    // `03:04:05` with a year on its line.
    let year = |w: &Word<'_>| w.text.len() == 4 && w.text.starts_with("20") && is_digits(w.text);
    (text.matches(':').count() == 2 && is_time(text) && words.iter().any(year)).then(|| end(word))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    let number = |at: usize, low: u32, high: u32| parts[at].parse().is_ok_and(|n: u32| (low..=high).contains(&n));
    parts.len() == 3
        && parts.iter().all(|p| is_digits(p))
        && parts.iter().map(|p| p.len()).eq([4, 2, 2])
        && number(0, 1970, 2100)
        && number(1, 1, 12)
        && number(2, 1, 31)
}

/// `HH:MM`, and whatever stands behind it.
fn is_time(text: &str) -> bool {
    let b = text.as_bytes();
    b.len() >= 5
        && b[..5].iter().enumerate().all(|(at, c)| if at == 2 { *c == b':' } else { c.is_ascii_digit() })
        && &text[..2] < "24"
        && &text[3..5] < "60"
        && b.get(5).is_none_or(|c| !c.is_ascii_digit())
}

fn is_commit(words: &[Word<'_>], n: usize) -> bool {
    let text = words[n].text;
    let is_id = is_hex(text) && is_scattered(text) && text.bytes().any(|b| b.is_ascii_digit());
    let is_id = is_id && text.bytes().any(|b| b.is_ascii_lowercase()) && !text.bytes().any(|b| b.is_ascii_uppercase());
    let named = |n: usize| {
        let before = n.checked_sub(1).map(|n| words[n].text.to_lowercase());
        before.is_some_and(|b| ["commit", "head", "revision", "rev", "sha", "at", "checkout"].contains(&b.as_str()))
    };
    is_id
        && match text.len() {
            40 => true,
            7..=12 => named(n) && !is_counting(text, 4),
            _ => false,
        }
}

/// Letters or digits in a row, as somebody writes who makes an id up.
fn is_counting(text: &str, length: usize) -> bool {
    let b = text.to_ascii_lowercase().into_bytes();
    b.windows(length).any(|w| w.windows(2).all(|p| p[1] == p[0].wrapping_add(1)))
}

fn is_home(text: &str) -> bool {
    let plain = text.replace('\\', "/").to_lowercase();
    let plain = plain.strip_prefix("file://").unwrap_or(&plain);
    let path = |start: usize| {
        let path = &plain[start..];
        if path.contains("path/to") {
            return false;
        }
        let name = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/users/"));
        let name = name
            .or_else(|| path.get(1..).filter(|_| path.as_bytes()[0].is_ascii_alphabetic())?.strip_prefix(":/users/"));
        name.map(|name| name.split('/').next().unwrap_or_default()).is_some_and(is_one_home)
    };
    !plain.is_empty() && (path(0) || plain.find(":/home/").is_some_and(|at| path(at + 1)))
}

fn is_one_home(name: &str) -> bool {
    let letters = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    let placeholder = ANY_HOME.contains(&name) || name.starts_with("your") || name.starts_with('.');
    letters && !name.is_empty() && !placeholder
}

fn is_temp(text: &str, in_code: bool) -> bool {
    let plain = text.replace('\\', "/").to_lowercase();
    let plain = plain.strip_prefix("file://").unwrap_or(&plain);
    if plain.starts_with("/var/folders/") || plain.contains(":/windows/temp/") {
        return true;
    }
    let rest = ["/tmp/", "/var/tmp/", "/private/tmp/"].into_iter().find_map(|folder| plain.strip_prefix(folder));
    rest.is_some_and(|rest| {
        let name = rest.trim_matches('/');
        let made = name.bytes().any(|b| b.is_ascii_digit());
        let open = name.is_empty() || name.contains(['$', '%']) || name.contains("..") || name.contains("xxx");
        !open && (made || !in_code)
    })
}

fn is_person(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let local = local.strip_prefix("mailto:").unwrap_or(local).to_lowercase();
    let domain = domain.to_lowercase();
    let labels: Vec<&str> = domain.split('.').collect();
    let top = labels.last().copied().unwrap_or_default();
    let is_address = !local.is_empty()
        && local.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'+' | b'-'))
        && labels.len() >= 2
        && labels.iter().all(|l| is_label(l))
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_alphabetic());
    let first = local.split(['.', '_', '+', '-']).next().unwrap_or_default();
    let office = OFFICES.contains(&local.as_str()) || OFFICES.contains(&first) || domain.contains("noreply");
    let placeholder = ["user", "username", "name", "you", "me", "someone", "email", "example"]
        .contains(&local.as_str())
        || ANY_HOST.iter().any(|any| domain == *any || domain.ends_with(&format!(".{any}")));
    is_address && !office && !placeholder
}

fn is_private_host(text: &str, in_code: bool) -> bool {
    let (scheme, rest) = text.split_once("://").map_or((false, text), |(_, rest)| (true, rest));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let (host, port) = match host.split_once(':') {
        Some((host, port)) if is_digits(port) => (host, true),
        Some(_) => return false,
        None => (host, false),
    };
    if is_private_address(host) {
        // `10.0.0.0/8` is a network, which many have.
        let is_network = !scheme && path.len() > 1 && is_digits(&path[1..]);
        return !is_network && !ANY_ADDRESS.contains(&host);
    }
    let host = host.to_lowercase();
    let labels: Vec<&str> = host.split('.').collect();
    let is_zone = labels.last().is_some_and(|top| ["local", "internal", "corp"].contains(top));
    let everywhere = EVERYWHERE.iter().any(|known| host == *known || host.ends_with(&format!(".{known}")));
    let sure = scheme || port || labels.len() >= 3;
    is_zone && labels.len() >= 2 && labels.iter().all(|l| is_label(l)) && !everywhere && (sure || !in_code)
}

fn is_private_address(host: &str) -> bool {
    let parts: Vec<u8> = host.split('.').filter_map(|part| part.parse().ok()).collect();
    host.split('.').count() == 4
        && match parts.as_slice() {
            [10, _, _, last] | [192, 168, _, last] => *last > 0,
            [172, second, _, last] => (16..32).contains(second) && *last > 0,
            _ => false,
        }
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether enough different digits occur for something that nobody made up.
fn is_scattered(text: &str) -> bool {
    distinct(text) >= 5
}

fn distinct(text: &str) -> usize {
    let digits: BTreeSet<u8> = text.bytes().filter(u8::is_ascii_hexdigit).map(|b| b.to_ascii_lowercase()).collect();
    digits.len()
}

#[cfg(test)]
mod tests;
