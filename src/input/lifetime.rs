//! When a value can change: the one idea that everything hangs on.

use std::fmt;

/// How long a value stays the same, shortest first: a smaller lifetime changes more often.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lifetime {
    /// It may change on every request.
    Turn,
    /// Fixed when a session starts.
    Session,
    /// Fixed for a user.
    User,
    /// Fixed for everyone in an organisation.
    Org,
    /// Fixed by the profile, when compiling.
    Build,
}

impl Lifetime {
    /// All lifetimes, shortest first.
    pub const ALL: [Lifetime; 5] = [Lifetime::Turn, Lifetime::Session, Lifetime::User, Lifetime::Org, Lifetime::Build];

    /// The word in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Lifetime::Turn => "turn",
            Lifetime::Session => "session",
            Lifetime::User => "user",
            Lifetime::Org => "org",
            Lifetime::Build => "build",
        }
    }

    /// The lifetime with this word.
    pub fn from_name(name: &str) -> Option<Lifetime> {
        Lifetime::ALL.into_iter().find(|l| l.name() == name)
    }

    /// Whether the value is known only after compiling.
    pub fn is_run_time(self) -> bool {
        self != Lifetime::Build
    }

    /// When the value becomes known, for messages.
    pub fn known(self) -> &'static str {
        match self {
            Lifetime::Turn => "may change on every request",
            Lifetime::Session => "is only known when a session starts",
            Lifetime::User => "is only known for each user",
            Lifetime::Org => "is only known for each organisation",
            Lifetime::Build => "is known when compiling",
        }
    }
}

impl fmt::Display for Lifetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
