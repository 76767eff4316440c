//! What the name of an input says of its value.
//!
//! A name is never evidence for a lifetime: it is only compared with one that a manifest claims. Knows neither sections
//! nor messages. Main type: [`Kind`].

/// What a value is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The time.
    Clock,
    /// The day.
    Day,
    /// An id of something that comes and goes.
    Id,
    /// A folder that one machine or one session has.
    Folder,
    /// A path of any kind.
    Path,
    /// A person or a machine.
    Person,
    /// State of a working copy.
    Git,
    /// Something drawn at random.
    Random,
    /// A number that grows.
    Counter,
}

/// Words that make another thing of a name: a limit on a count, the format of a date, the label of an id.
const OTHER: [&str; 24] = [
    "budget",
    "default",
    "example",
    "format",
    "heading",
    "hint",
    "label",
    "limit",
    "locale",
    "max",
    "maximum",
    "min",
    "minimum",
    "pattern",
    "placeholder",
    "policy",
    "prefix",
    "style",
    "suffix",
    "template",
    "title",
    "unit",
    "zone",
    "timezone",
];

/// What comes and goes, so that its id does.
const PASSING: [&str; 27] = [
    "call",
    "chat",
    "connection",
    "container",
    "conversation",
    "correlation",
    "device",
    "event",
    "host",
    "instance",
    "job",
    "machine",
    "member",
    "message",
    "person",
    "process",
    "request",
    "run",
    "session",
    "socket",
    "span",
    "task",
    "thread",
    "trace",
    "transaction",
    "turn",
    "user",
];

/// What is counted while an agent works.
const COUNTED: [&str; 7] = ["access", "message", "nudge", "request", "session", "turn", "visit"];

/// Dates that are settled once.
const SETTLED: [&str; 22] = [
    "birth",
    "build",
    "created",
    "cutoff",
    "deadline",
    "due",
    "effective",
    "end",
    "expires",
    "expiry",
    "founding",
    "hire",
    "knowledge",
    "modified",
    "publish",
    "published",
    "publication",
    "release",
    "start",
    "training",
    "updated",
    "version",
];

/// What a name says; `None` for a name that says nothing of this kind.
pub(super) fn kind(name: &str) -> Option<Kind> {
    let words: Vec<&str> = name.split('_').filter(|w| !w.is_empty()).collect();
    let (&last, before) = words.split_last()?;
    let has = |word: &str| words.contains(&word);
    let any = |list: &[&str]| words.iter().any(|w| list.contains(w));
    let previous = before.last().copied().unwrap_or_default();
    if any(&OTHER) {
        return None;
    }
    let settled = any(&SETTLED);
    match last {
        "now" | "clock" | "timestamp" | "datetime" | "uptime" => (!settled).then_some(Kind::Clock),
        "time" if !settled && (before.is_empty() || any(&["current", "date", "local", "utc", "wall", "system"])) => {
            Some(Kind::Clock)
        }
        "today" | "weekday" => (!settled).then_some(Kind::Day),
        "date" if before.is_empty() || any(&["current", "local", "session", "system", "todays"]) => Some(Kind::Day),
        "day" if before.is_empty() || has("current") => Some(Kind::Day),
        "week" if has("day") => Some(Kind::Day),
        "uuid" | "guid" | "ulid" | "pid" => Some(Kind::Id),
        "id" if any(&PASSING) => Some(Kind::Id),
        "url" | "uri" if has("session") || has("conversation") => Some(Kind::Id),
        "nonce" | "random" | "salt" | "entropy" => Some(Kind::Random),
        _ if has("random") || has("rand") => Some(Kind::Random),
        "cwd" | "pwd" | "home" | "homedir" | "tmpdir" | "tempdir" | "workdir" | "tmp" => Some(Kind::Folder),
        "dir" | "directory" | "folder" | "path" | "root" => {
            let own = ["cache", "current", "home", "scratch", "session", "temp", "tmp", "user", "work", "working"];
            Some(if own.contains(&previous) { Kind::Folder } else { Kind::Path })
        }
        "user" | "username" | "login" | "nickname" | "hostname" if before.is_empty() || previous == "current" => {
            Some(Kind::Person)
        }
        "email" if before.is_empty() || any(&["user", "customer", "member", "account", "author"]) => Some(Kind::Person),
        "name"
            if ["user", "customer", "member", "person", "first", "last", "full", "host", "machine", "computer"]
                .contains(&previous) =>
        {
            Some(Kind::Person)
        }
        "branch" | "commit" | "sha" | "diff" | "head" | "log" | "stash" | "status" | "state" if has("git") => {
            Some(Kind::Git)
        }
        "branch" if before.is_empty() || previous == "current" => Some(Kind::Git),
        "hash" | "sha" | "id" if previous == "commit" && !settled => Some(Kind::Git),
        "counter" if before.len() < 2 => Some(Kind::Counter),
        "count" | "number" | "index" if any(&COUNTED) => Some(Kind::Counter),
        _ => None,
    }
}

impl Kind {
    /// In words.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Kind::Clock => "a clock",
            Kind::Day => "the date of today",
            Kind::Id => "an id that comes and goes",
            Kind::Folder => "a folder of one machine",
            Kind::Path => "a path",
            Kind::Person => "a person or a machine",
            Kind::Git => "the state of a repository",
            Kind::Random => "something drawn at random",
            Kind::Counter => "a counter",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        for (name, wanted) in [
            ("now", Kind::Clock),
            ("current_time", Kind::Clock),
            ("today", Kind::Day),
            ("current_date", Kind::Day),
            ("day_of_week", Kind::Day),
            ("session_id", Kind::Id),
            ("trace_uuid", Kind::Id),
            ("session_url", Kind::Id),
            ("scratch_dir", Kind::Folder),
            ("cwd", Kind::Folder),
            ("docs_path", Kind::Path),
            ("user_name", Kind::Person),
            ("email", Kind::Person),
            ("hostname", Kind::Person),
            ("git_status", Kind::Git),
            ("current_branch", Kind::Git),
            ("commit_sha", Kind::Git),
            ("nonce", Kind::Random),
            ("random_tip", Kind::Random),
            ("message_count", Kind::Counter),
            ("turn_number", Kind::Counter),
        ] {
            assert_eq!(kind(name), Some(wanted), "{name}");
        }
    }

    #[test]
    fn names_of_settled_values_say_nothing() {
        for name in [
            "release_date",
            "knowledge_cutoff_date",
            "date_format",
            "time_zone",
            "timezone",
            "timeout",
            "tool_timeout",
            "model_id",
            "org_id",
            "team_id",
            "support_email",
            "campus_name",
            "assistant_name",
            "user_type",
            "tool",
            "max_message_count",
            "step_limit",
            "tool_count",
            "main_branch",
            "default_branch",
            "api_url",
            "platform",
            "confirm_minutes",
            "edition",
            "response_time",
            "status",
            "home_page",
            "user_guide",
            "policy_date",
            "client_id",
            "account_id",
            "step_count",
            "seed",
        ] {
            assert_eq!(kind(name), None, "{name}");
        }
    }
}
