//! The names of filters, tests and globals, for checks ahead of rendering.

/// Globals of a template.
pub(super) const GLOBALS: [&str; 2] = ["namespace", "range"];

/// Filters of the engine and our own, sorted.
pub(super) const FILTERS: [&str; 55] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "bullets",
    "capitalize",
    "chain",
    "count",
    "d",
    "default",
    "dictsort",
    "e",
    "escape",
    "fill",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "limit",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "one_line",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "strip_invisible",
    "sum",
    "summary",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
    "xml",
    "zip",
];

/// Tests of the engine that have names, sorted.
pub(super) const TESTS: [&str; 36] = [
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "escaped",
    "even",
    "false",
    "filter",
    "float",
    "ge",
    "greaterthan",
    "gt",
    "in",
    "int",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "safe",
    "sameas",
    "sequence",
    "startingwith",
    "string",
    "test",
    "true",
    "undefined",
    "upper",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_what_the_engine_has() {
        let mut env = minijinja::Environment::new();
        super::super::filters::register(&mut env, &crate::limits::Limits::default());
        let has =
            |kind: &str, name: &str| env.render_str(&format!("{{{{ {name:?} is {kind} }}}}"), ()).unwrap() == "True";
        for name in FILTERS {
            assert!(has("filter", name), "{name}");
        }
        for name in TESTS {
            assert!(has("test", name), "{name}");
        }
        assert!(FILTERS.is_sorted() && TESTS.is_sorted());
    }
}
