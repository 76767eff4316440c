//! Words of inputs and of expressions: lifetimes, types, keys, operators.

use super::Word;

/// Sorted by name, then kind.
pub(super) static WORDS: &[Word] = &[
    Word {
        name: "!=",
        kind: "operator",
        text: "Holds when the input on the left has another value than the literal on the right, and when an optional \
               input is missing. `platform != 'windows'`",
    },
    Word {
        name: "==",
        kind: "operator",
        text: "Holds when the input on the left has the value on the right: a literal of its type, for an enum one of \
               its values. A missing optional input has no value, so it does not hold. `platform == 'windows'`",
    },
    Word {
        name: "and",
        kind: "operator",
        text: "Holds when both sides hold. Binds tighter than `or` and looser than `not`. `is_git and platform == \
               'linux'`",
    },
    Word {
        name: "axis",
        kind: "term",
        text: "An input with finitely many values: a bool or an enum, derived ones included. Variants are counted over \
               axes, and constraints speak of nothing else. An optional axis has one more value: missing.",
    },
    Word {
        name: "bool",
        kind: "type",
        text: "`true` or `false`. A bool is an axis of two values, and stands alone in a condition: `when = \
               \"is_git\"`. Printed bare in a template it becomes `True` or `False`, which is the warning \
               raw-value-printed.",
    },
    Word {
        name: "build",
        kind: "lifetime",
        text: "The profile fixes the value when compiling: by its `matrix`, its `[values]`, or the input's `default`. \
               It may stand anywhere, the static zone included, and makes no variants: another value is another \
               artifact. Any other input that a profile names in `[values]` has this lifetime there.",
    },
    Word {
        name: "by",
        kind: "key of a derived input or a body",
        text: "The axis that chooses: a result from `values`, or a body from `files`. Every value of the axis is named \
               there, unless there is an `else`. `{ by = \"user_type\", values = { internal = true, external = false } \
               }`",
    },
    Word {
        name: "constraint",
        kind: "key of a prompt or a profile",
        text: "`[[constraint]]` rules out combinations of values that cannot happen: `that` always holds. It speaks of \
               axes only. Variants that it rules out are not counted, and build values or a context that break it are \
               an error.",
    },
    Word {
        name: "context",
        kind: "term",
        text: "The run-time values of one session: a JSON, YAML or TOML file, or a fixture of the profile by its name. \
               It gives every run-time input that the profile does not fix and that has neither a `default` nor \
               `optional`; an unknown, a derived or a fixed input in it is an error. `promptc build coding --context \
               git-repo`",
    },
    Word {
        name: "default",
        kind: "key of an input",
        text: "The value when neither the profile nor the context gives one. Without a context a run-time input is \
               unknown all the same. Contradicts `optional`.",
    },
    Word {
        name: "derive",
        kind: "key of a derived input",
        text: "An expression over other inputs. The input is a bool, true when the expression holds. `can_push = { \
               derive = \"is_git and user_type == 'internal'\" }`",
    },
    Word {
        name: "derived input",
        kind: "term",
        text: "An input that is a function of others: a table over one axis (`by`, `values`, `else`), or an expression \
               (`derive`). It has the shortest lifetime of what it reads and makes no variants of its own. A context \
               may not give it.",
    },
    Word {
        name: "description",
        kind: "key of a prompt, a profile, an input, [[constraint]] or [[fixture]]",
        text: "A line for people. It changes no artifact, and two definitions of an input that differ in it alone are \
               the same.",
    },
    Word {
        name: "else",
        kind: "key of a derived input or a body",
        text: "The result, or the file, for every value of the axis that is not named. Without it every value has to \
               be named, so that a new one is an error at each place that has to decide.",
    },
    Word {
        name: "enum",
        kind: "type",
        text: "A list of strings as `type`: the value is one of them. An enum is an axis. It cannot stand alone in a \
               condition: compare it, with `==` or `in`. `platform = { type = [\"linux\", \"macos\", \"windows\"], \
               lifetime = \"session\" }`",
    },
    Word {
        name: "exactly_one",
        kind: "operator",
        text: "Holds when one of the expressions in the parentheses holds and no other. In constraints only. \
               `exactly_one(plan_mode, edit_mode, ask_mode)`",
    },
    Word {
        name: "example",
        kind: "key of an input",
        text: "A value such as the input may have, for people and tools. It changes no artifact.",
    },
    Word {
        name: "fold",
        kind: "term",
        text: "Build values are put into conditions before anything else is decided. A section whose `when` they make \
               false, whatever run time brings, is gone from the artifact: it takes no part in zones, boundary or \
               variants.",
    },
    Word {
        name: "iff",
        kind: "operator",
        text: "Holds when both sides hold or neither does. Binds loosest of all. In constraints only. `shell == \
               'powershell' iff platform == 'windows'`",
    },
    Word {
        name: "implies",
        kind: "operator",
        text: "Holds unless the left side holds and the right one does not. `a implies b implies c` is `a implies (b \
               implies c)`. In constraints only. `platform == 'windows' implies shell == 'powershell'`",
    },
    Word {
        name: "in",
        kind: "operator",
        text: "Holds when the value of the input is in the list; `not in` holds when it is not. A missing optional \
               input is in no list. `user_type in ['internal', 'partner']`",
    },
    Word {
        name: "inputs",
        kind: "key of a prompt or a profile",
        text: "Every value that conditions and bodies read, each with its type and its lifetime, or derived from \
               others. A profile has one name space: inputs of the same name in several manifests must be defined \
               alike. `is_git = { type = \"bool\", lifetime = \"session\" }`",
    },
    Word { name: "integer", kind: "type", text: "A whole number of at most 64 bits. `1.0` is none." },
    Word {
        name: "is defined",
        kind: "operator",
        text: "Holds when an optional input has a value; `is not defined` holds when it is missing. The same words \
               guard it in a template. `when = \"cwd is defined\"`",
    },
    Word {
        name: "lifetime",
        kind: "key of an input",
        text: "When the value can change: `build`, `org`, `user`, `session` or `turn`, from never after the build to \
               every request. A section has the shortest lifetime of what its `when` and its body read, through every \
               include and macro, and that decides where it may stand.",
    },
    Word {
        name: "list",
        kind: "type",
        text: "Values in order. Alone in a condition it holds when it is not empty. `sort_by` makes its order \
               canonical, `max_items` bounds it.",
    },
    Word {
        name: "max_chars",
        kind: "key of an input",
        text: "Most characters kept of a string. A longer one is cut, never inside a character, and ends in the line \
               `[N more characters]`.",
    },
    Word {
        name: "max_items",
        kind: "key of an input",
        text: "Most items kept of a list, after sorting. Each section that reads a list that was cut ends in the line \
               `[N more in NAME]`.",
    },
    Word {
        name: "not",
        kind: "operator",
        text: "Holds when what follows does not. Binds tighter than `and`. `not is_git`",
    },
    Word {
        name: "number",
        kind: "type",
        text: "Any finite number. An integer is one too, and prints as it was given.",
    },
    Word {
        name: "optional",
        kind: "key of an input",
        text: "The value may be missing. In a template only `is defined` and the filter `default` may touch a missing \
               value; in a condition, alone or compared with `==` or `in`, it does not hold. Contradicts `default`. \
               Any other input that is missing is an error.",
    },
    Word {
        name: "or",
        kind: "operator",
        text: "Holds when one side holds or both do. Binds looser than `and`. `is_git or workspace`",
    },
    Word {
        name: "org",
        kind: "lifetime",
        text: "The value is the same for everyone in an organisation. It stands behind the boundary, ahead of values \
               of users: any other order is the warning lifetime-order.",
    },
    Word {
        name: "runtime_tools",
        kind: "built-in input",
        text: "Whether the request has tools that come and go at run time, such as those of MCP servers: a bool of \
               lifetime session, false unless the context says otherwise. True rules out the strategy `boundary`, \
               because such tools change the prefix ahead of the text.",
    },
    Word {
        name: "secret",
        kind: "key of an input",
        text: "`secret = true`: the value may decide, and may never be rendered. A body that prints it is the error \
               secret-in-prompt, a link whose text it is the error secret-layer.",
    },
    Word {
        name: "session",
        kind: "lifetime",
        text: "The value is fixed when a session starts. It may stand in the dynamic zone, which is computed once per \
               session and then kept until clear or compact.",
    },
    Word {
        name: "sort_by",
        kind: "key of an input",
        text: "The canonical order of a list, made before anything renders: the name of a key sorts tables, `\".\"` \
               plain values, a `-` in front sorts downward, `\"given\"` says that the order is part of the value. \
               Mixed kinds and a missing key are errors. `sort_by = \"-date\"`",
    },
    Word {
        name: "string",
        kind: "type",
        text: "Text. Alone in a condition it holds when it is not empty. Printed in the static zone, a run-time string \
               makes the number of variants unbounded.",
    },
    Word {
        name: "table",
        kind: "type",
        text: "Values by key. Templates iterate and print it in key order. Alone in a condition it holds when it is \
               not empty.",
    },
    Word {
        name: "that",
        kind: "key of [[constraint]]",
        text: "What always holds: an expression over axes, which may also use `implies`, `iff` and `exactly_one`. \
               `that = \"platform == 'windows' implies shell == 'powershell'\"`",
    },
    Word {
        name: "trust",
        kind: "key of an input",
        text: "`own` (the default) or `foreign`: text that nobody here wrote, such as a server's or a user's. Lints \
               want foreign text sanitised inside an element or fence (`xml`, `one_line`, `limit`) and foreign lists \
               in cached text sorted, and a foreign input may not be a template (rendered-input).",
    },
    Word {
        name: "turn",
        kind: "lifetime",
        text: "The value may change on every request. It may stand in a section with `DANGEROUS_uncached`, in one with \
               `freeze`, or in one in channel `user_context`. In any other dynamic section, an attribution line aside, \
               it is the error stale-turn-value.",
    },
    Word {
        name: "type",
        kind: "key of an input",
        text: "`bool`, `string`, `integer`, `number`, `list`, `table`, or a list of strings, which makes an enum. \
               Values of another type are errors at their place in the profile or the context.",
    },
    Word {
        name: "user",
        kind: "lifetime",
        text: "The value is fixed per user. It stands behind the boundary, ahead of values of sessions: any other \
               order is the warning lifetime-order.",
    },
    Word {
        name: "values",
        kind: "key of a derived input",
        text: "The result for each value of the axis in `by`: all bools, which make a bool, or all strings, which make \
               an enum. `values = { internal = true, partner = true, external = false }`",
    },
];
