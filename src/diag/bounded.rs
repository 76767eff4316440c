//! Lists of messages that do not grow without end.

use super::{Diagnostic, Place, RuleInfo, Severity};
use crate::limits::Limit;

/// Many messages that are not shown.
pub static TOO_MANY_MESSAGES: RuleInfo = RuleInfo {
    name: "too-many-messages",
    level: Severity::Error,
    summary: "more messages than one run shows",
    doc: "The rest is counted. It is as bad as the worst message in it, and stands at the place of the first. Mend what \
          is shown, or allow more by `--limit messages=N`.",
};

/// Numbers of messages: errors, warnings, infos.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Numbers([usize; 3]);

impl Numbers {
    fn slot(&mut self, severity: Severity) -> &mut usize {
        let [errors, warnings, infos] = &mut self.0;
        match severity {
            Severity::Error => errors,
            Severity::Warning => warnings,
            Severity::Info => infos,
        }
    }

    pub(super) fn of(mut self, severity: Severity) -> usize {
        *self.slot(severity)
    }

    fn add(&mut self, message: &Diagnostic) {
        match message.stands_for {
            Some(rest) => self.0.iter_mut().zip(rest.0).for_each(|(n, more)| *n += more),
            None => *self.slot(message.severity()) += 1,
        }
    }

    fn total(self) -> usize {
        self.0.iter().sum()
    }
}

/// Messages up to a limit, and the number of the rest. Errors displace what is less bad.
#[derive(Debug)]
pub struct Bounded {
    list: Vec<Diagnostic>,
    most: Limit,
    rest: Numbers,
    first: Option<Place>,
    /// How many of the list an error would displace.
    less_bad: usize,
}

impl Bounded {
    /// An empty list that takes so many messages.
    pub fn new(most: Limit) -> Bounded {
        Bounded { list: Vec::new(), most, rest: Numbers::default(), first: None, less_bad: 0 }
    }

    /// Adds a message, or counts it.
    pub fn push(&mut self, message: Diagnostic) {
        let less_bad = |d: &Diagnostic| d.severity() < Severity::Error;
        if self.list.len() < self.most.value {
            self.less_bad += usize::from(less_bad(&message));
            self.list.push(message);
            return;
        }
        let displaced = || self.list.iter().rposition(less_bad);
        let left = match (self.less_bad > 0 && !less_bad(&message)).then(displaced).flatten() {
            Some(at) => {
                let left = self.list.remove(at);
                self.list.push(message);
                self.less_bad -= 1;
                left
            }
            None => message,
        };
        self.rest.add(&left);
        self.first.get_or_insert(left.place);
    }

    /// Whether there is no room.
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.most.value
    }

    /// Whether one more error is shown, not only counted.
    pub fn shows_errors(&self) -> bool {
        !self.is_full() || self.less_bad > 0
    }

    /// How many it takes.
    pub(super) fn most(&self) -> Limit {
        self.most
    }

    /// Takes out what does not hold.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
        self.less_bad = self.list.iter().filter(|d| d.severity() < Severity::Error).count();
    }

    /// Holds other messages to another limit from here on.
    pub(super) fn set_most(&mut self, most: Limit) {
        self.most = most;
    }

    /// The messages in an order, and last how many are left out.
    pub fn into_list(mut self, order: impl FnOnce(&mut Vec<Diagnostic>)) -> Vec<Diagnostic> {
        order(&mut self.list);
        if let Some(place) = self.first {
            self.list.push(left_out(place, self.rest, self.most));
        }
        self.list
    }
}

/// How many messages of a severity there are, those that are not shown included.
pub fn count(list: &[Diagnostic], severity: Severity) -> usize {
    let of = |d: &Diagnostic| match d.stands_for {
        Some(rest) => rest.of(severity),
        None => usize::from(d.severity() == severity),
    };
    list.iter().map(of).sum()
}

fn left_out(place: Place, rest: Numbers, most: Limit) -> Diagnostic {
    let worst = [Severity::Error, Severity::Warning].into_iter().find(|&s| rest.of(s) > 0).unwrap_or(Severity::Info);
    let total = rest.total();
    let message = match total {
        1 => "1 more message is not shown".to_owned(),
        n => format!("{n} more messages are not shown"),
    };
    let mut out = Diagnostic::at(&TOO_MANY_MESSAGES, place, message)
        .label("the first of them")
        .note(format!("errors: {}, warnings: {}", rest.of(Severity::Error), rest.of(Severity::Warning)))
        .help("mend what is shown first")
        .limit(most)
        .level(worst);
    out.stands_for = Some(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::limits::Limits;
    use crate::source::{FileId, SourceMap, Span};

    fn limit(value: usize) -> Limit {
        Limit { value, ..Limits::default().messages }
    }

    fn message(file: FileId, at: usize, severity: Severity) -> Diagnostic {
        Diagnostic::new(&TOO_MANY_MESSAGES, Span::new(file, at..at), format!("message {at}")).level(severity)
    }

    #[test]
    fn the_rest_is_counted_and_errors_come_first() {
        let mut sources = SourceMap::default();
        let file = sources.add("x", " ".repeat(100).as_bytes()).unwrap();
        let mut list = Bounded::new(limit(3));
        let kinds = [Severity::Warning, Severity::Error, Severity::Info, Severity::Error, Severity::Warning];
        kinds.iter().enumerate().for_each(|(at, kind)| list.push(message(file, at, *kind)));
        let list = list.into_list(|_| {});
        let shown: Vec<&str> = list.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(shown, ["message 0", "message 1", "message 3", "2 more messages are not shown"]);
        assert_eq!(list[3].severity(), Severity::Warning);
        assert_eq!(list[3].place, Place::Span(Span::new(file, 2..2)));
        assert_eq!((count(&list, Severity::Error), count(&list, Severity::Warning)), (2, 2));

        // A list of a part is counted by what it stands for.
        let mut outer = Bounded::new(limit(1));
        list.into_iter().for_each(|d| outer.push(d));
        let outer = outer.into_list(|_| {});
        assert_eq!(outer[1].message, "4 more messages are not shown");
        assert_eq!((count(&outer, Severity::Error), count(&outer, Severity::Warning)), (2, 2));
    }

    #[test]
    fn what_is_not_shown_is_an_error_all_the_same_and_counted_once() {
        let mut sources = SourceMap::default();
        let file = sources.add("x", " ".repeat(100).as_bytes()).unwrap();
        let mut sink = Sink::default().at_most(limit(2));
        for _ in 0..2 {
            (0..50).for_each(|at| sink.push(message(file, at, Severity::Error)));
        }
        assert_eq!(sink.errors(), 100);
        let list = sink.into_sorted(&sources);
        assert_eq!(list.len(), 3);
        assert_eq!((list[2].message.as_str(), list[2].severity()), ("48 more messages are not shown", Severity::Error));
    }
}
