//! What a manifest says of one input.

use std::collections::BTreeMap;

use super::sort::{self, Unsortable};
use super::{Lifetime, Value};
use crate::source::{Located, Span, Spanned};

/// One entry of `[inputs]`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name, where it is written.
    pub name: Spanned<String>,
    /// What it is.
    pub form: Form,
    /// For people.
    pub description: Option<String>,
    /// For people and tools.
    pub example: Option<Value>,
    /// The whole entry.
    pub span: Span,
}

/// The three forms of an input.
#[derive(Clone, Debug)]
pub enum Form {
    /// Its value is given.
    Plain(Plain),
    /// Its value is looked up by the value of an axis.
    Table {
        /// The axis.
        by: Spanned<String>,
        /// A result for each value of the axis that is named.
        values: Vec<(Spanned<String>, Spanned<TableValue>)>,
        /// The result for all others.
        otherwise: Option<Spanned<TableValue>>,
    },
    /// It is true when an expression over other inputs is.
    Expression(Located),
}

/// A result in a derived table: tables are of bools or of strings.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableValue {
    /// A bool.
    Bool(bool),
    /// A string.
    Text(String),
}

/// An input whose value comes from a profile, a context or its default.
#[derive(Clone, PartialEq, Debug)]
pub struct Plain {
    /// Its type.
    pub kind: Type,
    /// When its value is fixed.
    pub lifetime: Lifetime,
    /// The value when none is given.
    pub default: Option<Spanned<Value>>,
    /// Whether it may be missing.
    pub optional: bool,
    /// How a list is made canonical.
    pub sort_by: Option<SortBy>,
    /// Most items kept of a list.
    pub max_items: Option<usize>,
    /// Most characters kept of a string.
    pub max_chars: Option<usize>,
    /// Who wrote the value.
    pub trust: Trust,
    /// Whether it may never be rendered.
    pub secret: bool,
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Values in order.
    List,
    /// Values by key.
    Table,
    /// One of these strings, in the order of the manifest.
    Enum(Vec<String>),
}

/// Who wrote a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The team that owns the prompt.
    Own,
    /// Somebody else: a web page, a server, a user.
    Foreign,
}

/// The canonical order of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortBy {
    /// The order is part of the value.
    Given,
    /// By a key of tables, or by the items themselves.
    Key {
        /// The key; `None` for plain items.
        key: Option<String>,
        /// Largest first.
        descending: bool,
    },
}

/// What a limit took off a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Items that are gone.
    pub items: usize,
}

/// Why a value does not fit an input.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueProblem {
    /// Another type: what was given.
    WrongType(&'static str),
    /// Not in the enum's domain.
    NotInDomain(String),
    /// `sort_by` cannot order the list.
    Unsortable(Unsortable),
}

impl Definition {
    /// The plain form, if it is one.
    pub fn plain(&self) -> Option<&Plain> {
        match &self.form {
            Form::Plain(plain) => Some(plain),
            Form::Table { .. } | Form::Expression(_) => None,
        }
    }

    /// The axis by which a derived input is looked up, if it is.
    pub fn table_axis(&self) -> Option<&str> {
        match &self.form {
            Form::Table { by, .. } => Some(&by.value),
            Form::Plain(_) | Form::Expression(_) => None,
        }
    }

    /// Whether two definitions say the same, descriptions and examples aside.
    pub fn same_as(&self, other: &Definition) -> bool {
        match (&self.form, &other.form) {
            (Form::Plain(a), Form::Plain(b)) => a == b,
            (
                Form::Table { by, values, otherwise },
                Form::Table { by: by_b, values: values_b, otherwise: otherwise_b },
            ) => {
                let sorted = |v: &[(Spanned<String>, Spanned<TableValue>)]| -> BTreeMap<String, TableValue> {
                    v.iter().map(|(k, r)| (k.value.clone(), r.value.clone())).collect()
                };
                by == by_b && otherwise == otherwise_b && sorted(values) == sorted(values_b)
            }
            (Form::Expression(a), Form::Expression(b)) => a.text == b.text,
            _ => false,
        }
    }
}

impl Trust {
    /// The words in manifests.
    pub const WORDS: [(&str, Trust); 2] = [("own", Trust::Own), ("foreign", Trust::Foreign)];
}

impl Plain {
    /// Checks a value's type and makes it canonical: LF in strings, lists sorted.
    ///
    /// # Errors
    /// Why it does not fit.
    pub fn accept(&self, value: Value) -> Result<Value, ValueProblem> {
        let value = value.cleaned();
        let fits = match (&self.kind, &value) {
            (Type::Enum(domain), Value::String(s)) => {
                if !domain.contains(s) {
                    return Err(ValueProblem::NotInDomain(s.clone()));
                }
                true
            }
            (Type::Bool, Value::Bool(_))
            | (Type::String, Value::String(_))
            | (Type::Integer, Value::Integer(_))
            | (Type::Number, Value::Integer(_) | Value::Number(_))
            | (Type::List, Value::List(_))
            | (Type::Table, Value::Table(_)) => true,
            _ => false,
        };
        if !fits {
            return Err(ValueProblem::WrongType(value.kind()));
        }
        match (&self.sort_by, value) {
            (Some(SortBy::Key { key, descending }), Value::List(items)) => {
                sort::sort(items, key.as_deref(), *descending).map(Value::List).map_err(ValueProblem::Unsortable)
            }
            (_, value) => Ok(value),
        }
    }

    /// Applies `max_items` and `max_chars` to an accepted value. A cut string says so itself; a cut list says so at the
    /// end of each section that reads it, from the returned [`Cut`].
    pub fn limit(&self, value: Value) -> (Value, Option<Cut>) {
        match value {
            Value::String(s) => match self.max_chars.and_then(|max| s.char_indices().nth(max).map(|(at, _)| at)) {
                Some(at) => {
                    let rest = s[at..].chars().count();
                    (Value::String(format!("{}\n[{rest} more characters]", &s[..at])), None)
                }
                None => (Value::String(s), None),
            },
            Value::List(mut items) => match self.max_items {
                Some(max) if items.len() > max => {
                    let cut = Cut { items: items.len() - max };
                    items.truncate(max);
                    (Value::List(items), Some(cut))
                }
                _ => (Value::List(items), None),
            },
            other => (other, None),
        }
    }

    /// The values of an axis, in the order of the manifest; `None` for a type without a finite domain.
    pub fn domain(&self) -> Option<Vec<Value>> {
        match &self.kind {
            Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Type::Enum(values) => Some(values.iter().cloned().map(Value::String).collect()),
            Type::String | Type::Integer | Type::Number | Type::List | Type::Table => None,
        }
    }
}

impl Type {
    /// The type in words: "a string", "one of `a` or `b`".
    pub fn describe(&self) -> String {
        match self {
            Type::Bool => "a bool".to_owned(),
            Type::String => "a string".to_owned(),
            Type::Integer => "an integer".to_owned(),
            Type::Number => "a number".to_owned(),
            Type::List => "a list".to_owned(),
            Type::Table => "a table".to_owned(),
            Type::Enum(values) => format!("one of {}", crate::diag::or_list(values)),
        }
    }
}

impl TableValue {
    /// The result as a value.
    pub fn value(&self) -> Value {
        match self {
            TableValue::Bool(b) => Value::Bool(*b),
            TableValue::Text(s) => Value::String(s.clone()),
        }
    }
}

/// The key by which tables (`values`, `files`) name a value of an axis.
pub fn key_of(value: &Value) -> Option<String> {
    match value {
        Value::Bool(b) => Some(b.to_string()),
        Value::String(s) => Some(s.clone()),
        _ => None,
    }
}
