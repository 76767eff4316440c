//! The canonical order of lists.

use std::cmp::Ordering;

use super::Value;

/// Why a list cannot be put in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsortable {
    /// The item, from 0, that has no such key or is no table.
    NoKey(usize),
    /// The item, from 0, whose kind differs from the first one's.
    MixedKinds(usize),
    /// The item, from 0, whose kind has no order.
    NoOrder(usize),
}

/// Orders items by a key, or by themselves: strings by code point, numbers by value. Ties go by the items' canonical
/// JSON, upward in either direction.
pub(super) fn sort(items: Vec<Value>, key: Option<&str>, descending: bool) -> Result<Vec<Value>, Unsortable> {
    let mut keyed = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let by = match (key, &item) {
            (None, item) => SortKey::of(item),
            (Some(key), Value::Table(map)) => SortKey::of(map.get(key).ok_or(Unsortable::NoKey(index))?),
            (Some(_), _) => return Err(Unsortable::NoKey(index)),
        };
        keyed.push((by.ok_or(Unsortable::NoOrder(index))?, item.canonical_json(), item));
    }
    if let Some(index) = keyed.iter().position(|k| !k.0.same_kind(&keyed[0].0)) {
        return Err(Unsortable::MixedKinds(index));
    }
    keyed.sort_by(|a, b| {
        let by = a.0.compare(&b.0);
        (if descending { by.reverse() } else { by }).then_with(|| a.1.cmp(&b.1))
    });
    Ok(keyed.into_iter().map(|(_, _, item)| item).collect())
}

enum SortKey {
    Text(String),
    Integer(i64),
    Number(f64),
    Bool(bool),
}

impl SortKey {
    fn of(value: &Value) -> Option<SortKey> {
        match value {
            Value::String(s) => Some(SortKey::Text(s.clone())),
            Value::Integer(n) => Some(SortKey::Integer(*n)),
            Value::Number(n) => Some(SortKey::Number(*n)),
            Value::Bool(b) => Some(SortKey::Bool(*b)),
            Value::Null | Value::List(_) | Value::Table(_) => None,
        }
    }

    fn same_kind(&self, other: &SortKey) -> bool {
        use SortKey::{Bool, Integer, Number, Text};
        matches!(
            (self, other),
            (Text(_), Text(_)) | (Bool(_), Bool(_)) | (Integer(_) | Number(_), Integer(_) | Number(_))
        )
    }

    fn compare(&self, other: &SortKey) -> Ordering {
        match (self, other) {
            (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
            (SortKey::Bool(a), SortKey::Bool(b)) => a.cmp(b),
            (SortKey::Integer(a), SortKey::Integer(b)) => a.cmp(b),
            (a, b) => a.number().total_cmp(&b.number()),
        }
    }

    fn number(&self) -> f64 {
        match self {
            SortKey::Integer(n) => *n as f64,
            SortKey::Number(n) => *n,
            SortKey::Text(_) | SortKey::Bool(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(items: &[&str]) -> Vec<Value> {
        items.iter().map(|s| Value::String((*s).to_owned())).collect()
    }

    #[test]
    fn strings_go_by_code_point_and_downward_with_a_minus() {
        assert_eq!(sort(strings(&["b", "B", "a", "日"]), None, false), Ok(strings(&["B", "a", "b", "日"])));
        assert_eq!(sort(strings(&["b", "B", "a"]), None, true), Ok(strings(&["b", "a", "B"])));
    }

    #[test]
    fn numbers_go_by_value_and_mixed_kinds_are_refused() {
        let numbers = vec![Value::Number(1.5), Value::Integer(10), Value::Integer(-2)];
        let want = vec![Value::Integer(-2), Value::Number(1.5), Value::Integer(10)];
        assert_eq!(sort(numbers, None, false), Ok(want));
        let mixed = vec![Value::Integer(1), Value::String("1".to_owned())];
        assert_eq!(sort(mixed, None, false), Err(Unsortable::MixedKinds(1)));
        assert_eq!(sort(strings(&["x"]), Some("name"), false), Err(Unsortable::NoKey(0)));
    }

    #[test]
    fn ties_go_by_canonical_json_upward_in_both_directions() {
        let item = |text: &str| {
            Value::Table([("n".to_owned(), Value::Integer(1)), ("t".to_owned(), Value::String(text.to_owned()))].into())
        };
        for descending in [false, true] {
            assert_eq!(sort(vec![item("b"), item("a")], Some("n"), descending), Ok(vec![item("a"), item("b")]));
        }
    }
}
