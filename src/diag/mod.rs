//! What a user is told.
//!
//! Owns the form of a message, the metadata of a rule, and the sink that decides severities, drops repetitions and
//! sorts. Does not know how anything is printed. Main types: [`Diagnostic`], [`RuleInfo`], [`Sink`], [`Levels`],
//! [`Reported`].

mod bounded;
mod fix;
mod levels;
mod moved;
mod sink;
mod suggest;

pub use bounded::{Bounded, TOO_MANY_MESSAGES, count};
pub use fix::{DiskEdit, Edit, Fix, LeftOut};
pub use levels::Levels;
pub use sink::{Reported, Sink};
pub use suggest::{listed, nearest, or_list};

use crate::hunks::Hunk;
use crate::limits::Limit;
use crate::source::{FileId, InvalidUtf8, Span};

/// Kinds of messages that this module makes.
pub static RULES: [&RuleInfo; 1] = [&TOO_MANY_MESSAGES];

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Should be looked at; exit code 0.
    Warning,
    /// Must be mended; exit code 1.
    Error,
}

/// What is known of a kind of message before it ever occurs.
#[derive(PartialEq, Eq, Debug)]
pub struct RuleInfo {
    /// Kebab-case, names the bad thing.
    pub name: &'static str,
    /// Severity unless a project says otherwise.
    pub level: Severity,
    /// One line.
    pub summary: &'static str,
    /// What it means, why, and what to do: a few lines of Markdown.
    pub doc: &'static str,
}

/// A place with a word about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What this place is. May be empty.
    pub text: String,
}

/// One message. Made by a constructor function beside the rule or in a stage's `errors.rs`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of message.
    pub rule: &'static RuleInfo,
    /// The headline: lower case, one phrase, no full stop.
    pub message: String,
    /// Where it is.
    pub place: Place,
    /// What the place is.
    pub label: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// Why, and the cost.
    pub notes: Vec<String>,
    /// What to do, as imperatives.
    pub help: Vec<String>,
    /// The profile that was compiled when it was found; the first of several.
    pub profile: Option<String>,
    /// Tokens at stake.
    pub tokens: Option<u64>,
    /// An edit that mends it.
    pub fix: Option<Fix>,
    /// Of a file that says something else than it should: what it says, and what it should.
    pub difference: Option<Vec<Hunk>>,
    /// How bad it is: its own level until the sink decides.
    severity: Severity,
    /// How bad it is, whatever a run says of its rule.
    own: Severity,
    /// Whether it is an error of the language, though others of its rule are lints.
    firm: bool,
    /// Where a reason stands that silences it.
    allowed: Option<Span>,
    /// How many messages it stands for, when it is about messages.
    stands_for: Option<bounded::Numbers>,
}

/// Where a message belongs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A range of a text that was read.
    Span(Span),
    /// A file that could not be read as text, and the byte offset if there is one.
    File {
        /// Its path.
        path: String,
        /// Where it stops being UTF-8, if that is why.
        bad: Option<InvalidUtf8>,
    },
}

impl Diagnostic {
    /// A message at a span.
    pub fn new(rule: &'static RuleInfo, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(rule, Place::Span(span), message)
    }

    /// A message about a file that has no text.
    pub fn for_file(rule: &'static RuleInfo, path: impl Into<String>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(rule, Place::File { path: path.into(), bad: None }, message)
    }

    /// A message at any place.
    pub fn at(rule: &'static RuleInfo, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            message: message.into(),
            place,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            profile: None,
            tokens: None,
            fix: None,
            difference: None,
            severity: rule.level,
            own: rule.level,
            firm: false,
            allowed: None,
            stands_for: None,
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// How bad it is when nobody says otherwise.
    pub fn own_level(&self) -> Severity {
        self.own
    }

    /// Sets a level of its own, where one rule speaks of better and worse cases.
    pub fn level(mut self, severity: Severity) -> Diagnostic {
        (self.severity, self.own) = (severity, severity);
        self
    }

    /// Makes it an error that no reason silences and no level changes: what is compiled would be wrong.
    pub fn firm(mut self) -> Diagnostic {
        self.firm = true;
        self.level(Severity::Error)
    }

    /// Says where a reason stands that silences it.
    pub fn allowed(mut self, place: Option<Span>) -> Diagnostic {
        self.allowed = place;
        self
    }

    /// Whether a reason silences it.
    pub fn is_allowed(&self) -> bool {
        self.allowed.is_some() && !self.firm
    }

    /// Says how many tokens are at stake; none when it is zero.
    pub fn tokens(mut self, tokens: u64) -> Diagnostic {
        self.tokens = (tokens > 0).then_some(tokens);
        self
    }

    /// Adds the edits that mend it.
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fix = Some(fix);
        self
    }

    /// Adds what differs in a text.
    pub fn difference(mut self, hunks: Vec<Hunk>) -> Diagnostic {
        self.difference = Some(hunks);
        self
    }

    /// Says what the place is.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = text.into();
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a reason or a cost.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a way out.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Says which limit was reached, and how to allow more.
    pub fn limit(self, limit: Limit) -> Diagnostic {
        self.help(limit.way_out())
    }

    /// Adds "did you mean" when a known name is close to the given one.
    pub fn suggest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// The file of the place, when its text was read.
    pub fn file(&self) -> Option<FileId> {
        match &self.place {
            Place::Span(span) => Some(span.file),
            Place::File { .. } => None,
        }
    }
}
