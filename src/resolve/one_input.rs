//! One input: what its manifest says, and what its profile makes of it.

use std::collections::BTreeSet;

use crate::expr::Condition;
use crate::input::{Datum, Definition, Form, Lifetime, Trust, Type};
use crate::source::Span;

/// One input in its profile.
#[derive(Clone, Debug)]
pub struct Input {
    /// What its manifest says.
    pub definition: Definition,
    /// Its type; derived ones are bools or enums.
    pub kind: Type,
    /// Whether it may be missing.
    pub optional: bool,
    /// The plain inputs behind it: itself, if it is plain.
    pub sources: BTreeSet<String>,
    /// What the profile fixes it to.
    pub fixed: Option<Datum>,
    /// Where the profile fixes it.
    pub fixed_at: Option<Span>,
    pub(super) expression: Option<Condition>,
    /// The shortest lifetime of the plain inputs behind it; what the profile fixes is `build`.
    pub(super) shortest: Lifetime,
    /// Whether the profile leaves one of the plain inputs behind it open.
    pub(super) is_open: bool,
}

impl Input {
    pub(super) fn new(definition: Definition) -> Input {
        let (kind, optional) = match definition.plain() {
            Some(plain) => (plain.kind.clone(), plain.optional),
            None => (Type::Bool, false),
        };
        let sources = match definition.plain() {
            Some(_) => BTreeSet::from([definition.name.value.clone()]),
            None => BTreeSet::new(),
        };
        Input {
            definition,
            kind,
            optional,
            sources,
            fixed: None,
            fixed_at: None,
            expression: None,
            shortest: Lifetime::Build,
            is_open: true,
        }
    }

    /// When the value changes, in this profile. Of a derived input: `build`, its sources count.
    pub fn lifetime(&self) -> Lifetime {
        match (self.definition.plain(), &self.fixed) {
            (Some(plain), None) => plain.lifetime,
            _ => Lifetime::Build,
        }
    }

    /// The inputs that it is derived from, as written; none of a plain one.
    pub fn reads(&self) -> BTreeSet<&str> {
        match (&self.definition.form, &self.expression) {
            (Form::Table { by, .. }, _) => BTreeSet::from([by.value.as_str()]),
            (_, Some(condition)) => condition.names(),
            _ => BTreeSet::new(),
        }
    }

    /// The expression that a derived input is, if it is one.
    pub fn expression(&self) -> Option<&Condition> {
        self.expression.as_ref()
    }

    /// Whether somebody else wrote the value.
    pub fn is_foreign(&self) -> bool {
        self.definition.plain().is_some_and(|p| p.trust == Trust::Foreign)
    }
}
