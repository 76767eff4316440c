//! Values of manifests as schemas: texts, names, paths, words, numbers. Words come from where the reader has them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::compile::lint_names;
use crate::input::{Lifetime, Trust};
use crate::manifest::{Channel, LintLevel, Mode, Role, TYPES, Trim, Zone};

/// A type that stands for a schema and nothing else.
macro_rules! leaf {
    ($(#[$doc:meta])* $name:ident, $schema:expr) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

leaf!(Bool, json_schema!({ "type": "boolean" }));
leaf!(Text, json_schema!({ "type": "string" }));
leaf!(
    /// A whole number from 0.
    Count,
    json_schema!({ "type": "integer", "minimum": 0 })
);
leaf!(Number, json_schema!({ "type": "number" }));
leaf!(
    /// Any value but a date, which the language does not have.
    Any,
    json_schema!({ "type": ["array", "boolean", "number", "object", "string"], "additionalProperties": true })
);
leaf!(
    /// A path that stays below the folder from which it is meant: neither absolute nor beginning with `..`. One that
    /// climbs out further on is found by the reader alone.
    Path,
    json_schema!({
        "type": "string",
        "pattern": r"^(?:[^/\\\u0000-\u001f\u007f-\u009f])(?:[^:\\\u0000-\u001f\u007f-\u009f][^\\\u0000-\u001f\u007f-\u009f]*)?$",
        "not": { "pattern": r"^(?:\.?/)*(?:\.|\.\.|\.\./.*)?$" },
    })
);
leaf!(
    /// The name of a manifest or a fixture, which is that of a file.
    FileName,
    json_schema!({
        "type": "string",
        "pattern": r"^[\p{Alphabetic}\p{N}_-][\p{Alphabetic}\p{N}._-]*(?:/[\p{Alphabetic}\p{N}_-][\p{Alphabetic}\p{N}._-]*)*$",
    })
);
leaf!(
    SectionId,
    json_schema!({
        "type": "string",
        "pattern": "^[a-z][a-z0-9_-]*$",
        "not": { "pattern": "^(?:override|coordinator|agent|custom|default|append-[0-9]+)$" },
    })
);
leaf!(
    /// A reason that says something: placeholders are found by the reader alone.
    Reason,
    json_schema!({ "type": "string", "pattern": r"[\p{Alphabetic}\p{N}]" })
);
leaf!(
    /// Levels by lint. An editor offers the names; whether one exists is for the compiler to say.
    Levels,
    by_lint(&LevelWord::json_schema(&mut SchemaGenerator::default()))
);
leaf!(
    /// Reasons by lint, likewise.
    Reasons,
    by_lint(&Reason::json_schema(&mut SchemaGenerator::default()))
);
leaf!(
    /// A key, `.` for the items themselves, or `given`; with `-` in front the largest come first.
    SortBy,
    json_schema!({ "type": "string", "pattern": r"^(?:[^-]|-[\s\S])" })
);
leaf!(ZoneWord, words(Zone::WORDS.map(|(word, _)| word)));
leaf!(ChannelWord, words(Channel::WORDS.map(|(word, _)| word)));
leaf!(RoleWord, words(Role::WORDS.map(|(word, _)| word)));
leaf!(TrimWord, words(Trim::WORDS.map(|(word, _)| word)));
leaf!(ModeWord, words(Mode::WORDS.map(|(word, _)| word)));
leaf!(TrustWord, words(Trust::WORDS.map(|(word, _)| word)));
leaf!(LevelWord, words(LintLevel::WORDS.map(|(word, _)| word)));
leaf!(LifetimeWord, words(Lifetime::ALL.map(Lifetime::name)));
leaf!(FromWord, words(["agents"]));
leaf!(
    /// A word, or a list of strings: an enum.
    TypeWord,
    json_schema!({
        "anyOf": [
            words(TYPES.map(|(word, _)| word)),
            { "type": "array", "items": { "type": "string" }, "minItems": 1, "uniqueItems": true },
        ],
    })
);
leaf!(
    /// A bool or a string: what a derived table gives.
    Result,
    json_schema!({ "type": ["boolean", "string"] })
);
leaf!(
    /// Ids of sections, each once.
    Order,
    json_schema!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true })
);
leaf!(
    /// The values of an axis of a matrix.
    Cells,
    json_schema!({ "type": "array", "items": Any::json_schema(&mut SchemaGenerator::default()), "minItems": 1, "uniqueItems": true })
);

fn by_lint(value: &Schema) -> Schema {
    let names: serde_json::Map<String, serde_json::Value> =
        lint_names().iter().map(|name| ((*name).to_owned(), value.clone().to_value())).collect();
    json_schema!({ "type": "object", "properties": names, "additionalProperties": value })
}

fn words<const N: usize>(words: [&str; N]) -> Schema {
    json_schema!({ "type": "string", "enum": words.to_vec() })
}
