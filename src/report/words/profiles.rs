//! Words of profiles and of the project file: layers, links, targets, budgets, facts.

use super::Word;

/// Sorted by name, then kind.
pub(super) static WORDS: &[Word] = &[
    Word {
        name: "after_override",
        kind: "key of an append item",
        text: "`after_override = true`: the item comes behind an override too. Every other item is left out when an \
               override wins; `false` says that it is meant so.",
    },
    Word {
        name: "agent",
        kind: "layer",
        text: "The third link of the chain: a named agent, mostly by `from = \"agents\"`. It replaces the default \
               prompt, or comes behind it with `mode = \"extend\"`. `--agent NAME` makes it hold.",
    },
    Word {
        name: "allow",
        kind: "lint level",
        text: "The lint is not told. In a `[[section]]`, `allow` silences it there alone, with a reason.",
    },
    Word {
        name: "append",
        kind: "key of [chain]",
        text: "Texts that come behind all system sections of the winner, in order, whichever link wins; behind an \
               override only with `after_override`. `append = [{ file = \"house-rules.md\" }]`. `--append FILE` adds \
               one.",
    },
    Word {
        name: "as_of",
        kind: "key of [[provider]], [[model]] or [[tokenizer]]",
        text: "Since when the fact is known, as a string. `as_of = \"2026-08-21\"`",
    },
    Word {
        name: "band",
        kind: "key of [[tokenizer]]",
        text: "How far off a count may be, as a share: `0.25` is 25 %. 0 by default. Counts with a band or a factor \
               are shown as estimates.",
    },
    Word {
        name: "base",
        kind: "key of [[tokenizer]]",
        text: "The encoding that is counted with: `o200k_base`, `cl100k_base` or `o200k_harmony`.",
    },
    Word {
        name: "cached",
        kind: "key of prices",
        text: "The price of a million input tokens that are read from the cache.",
    },
    Word {
        name: "chain",
        kind: "key of a profile",
        text: "Which prompt is sent. The first link whose `when` holds wins: `override`, `coordinator`, `agent`, \
               `custom`, `default`. What `append` lists comes behind it. `promptc resolve PROFILE` prints the trace.",
    },
    Word {
        name: "context",
        kind: "key of [[fixture]]",
        text: "The file with the values of the fixture, from the root: JSON, YAML or TOML.",
    },
    Word {
        name: "coordinator",
        kind: "layer",
        text: "The second link of the chain: the prompt of an agent that lets others work. `--coordinator NAME` makes \
               it hold.",
    },
    Word { name: "currency", kind: "key of prices", text: "The currency of the prices; `USD` by default." },
    Word {
        name: "custom",
        kind: "layer",
        text: "The fourth link of the chain: a prompt that the user or the host gives, in place of the default. \
               `--custom FILE` makes it hold.",
    },
    Word {
        name: "default",
        kind: "layer",
        text: "The last link of the chain: the product's own prompt, when nothing stronger holds. `keep` and \
               `required` speak of its sections, and `--simple` builds those that it calls simple.",
    },
    Word { name: "dist", kind: "key of [paths]", text: "The folder for output; `dist` by default." },
    Word { name: "error", kind: "lint level", text: "The finding fails the run: exit code 1." },
    Word {
        name: "extend",
        kind: "mode of the link agent",
        text: "The default prompt stays whole, and the agent's text comes behind it as one section that begins with `# \
               Custom Agent Instructions`.",
    },
    Word {
        name: "factor",
        kind: "key of [[tokenizer]]",
        text: "What the count of the base or the file is multiplied by; 1 by default.",
    },
    Word {
        name: "file",
        kind: "key of [[tokenizer]]",
        text: "The `tokenizer.json` that is counted with, from the project's root, in place of `base`. Needs a promptc \
               that was built with the feature `tokenizers`. `file = \"tokenizers/qwen3.json\"`",
    },
    Word {
        name: "file",
        kind: "key of a link or an append item",
        text: "A file from prompts/ whose text the layer is. It is one dynamic section, unless the link says `zone = \
               \"static\"`.",
    },
    Word {
        name: "fixture",
        kind: "key of a profile",
        text: "`[[fixture]]` keeps a context with the project, under a name for `--context`. `lint` and `snapshot` go \
               through all of them, `build --all` builds them.",
    },
    Word {
        name: "from",
        kind: "key of a link or an append item",
        text: "`from = \"agents\"` with `name`: an agent from prompts/agents/, a Markdown file with optional front \
               matter (`name`, `description`, `tools`, `model`). Its body is one section.",
    },
    Word {
        name: "heading",
        kind: "key of an append item",
        text: "Stands byte for byte before the item's text, when the item lives. `heading = \"# House rules\\n\\n\"`",
    },
    Word { name: "info", kind: "lint level", text: "The finding is told, below a warning. The exit code stays 0." },
    Word {
        name: "input",
        kind: "key of a link or an append item",
        text: "A string input whose value the layer's text is. In `name = { input = \"agent\" }` the input names the \
               agent.",
    },
    Word { name: "input", kind: "key of prices", text: "The price of a million input tokens that are not cached." },
    Word {
        name: "keep",
        kind: "key of a link",
        text: "Sections of the default that stay under a link that replaces it. Those with a role and those of the \
               default's leading static run stand before the link's own text, all others behind it, each with its zone \
               and `when`. `keep = [\"safety\", \"environment\"]`",
    },
    Word {
        name: "limits",
        kind: "key of a profile or promptc.toml",
        text: "Budgets: `static_variants`, `section_tokens`, `static_tokens`, `total_tokens`. Those of promptc.toml \
               hold for every profile that does not say its own. Nothing is ever cut to meet one.",
    },
    Word {
        name: "lints",
        kind: "key of promptc.toml",
        text: "The level of a lint in this project: `error`, `warn`, `info` or `allow`. Errors of the language have no \
               level. `[lints]` `model-identity = \"allow\"`",
    },
    Word {
        name: "marks_for_messages",
        kind: "key of [target]",
        text: "How many of the provider's cache marks are kept back for messages; 0 by default.",
    },
    Word {
        name: "match",
        kind: "key of [[model]]",
        text: "The beginning of a model's name. The longest one that fits counts, dots and dashes alike.",
    },
    Word {
        name: "matrix",
        kind: "key of a profile",
        text: "One artifact for each combination of these values, in a folder of its own. They win over `[values]`. \
               `matrix = { user_type = [\"external\", \"internal\"] }`",
    },
    Word {
        name: "max_marks",
        kind: "key of [[provider]] or [[model]]",
        text: "Most cache marks in a request; 0 where there are none. A model's number wins over its provider's.",
    },
    Word {
        name: "min_tokens",
        kind: "key of [[provider]] or [[model]]",
        text: "Fewest tokens that are cached, counted from the start of the prefix: a block that ends below them takes \
               no mark. A model's number wins over its provider's.",
    },
    Word {
        name: "mode",
        kind: "key of the link agent",
        text: "What the agent's text does to the default prompt: `replace` (the default) or `extend`.",
    },
    Word {
        name: "model",
        kind: "key of [target]",
        text: "The model that the artifact is for. It decides the minimum of the cache, the window and the tokenizer. \
               `model = \"claude-opus-5.5\"`",
    },
    Word {
        name: "model",
        kind: "key of promptc.toml",
        text: "`[[model]]` declares facts about models whose names begin alike: `match`, `provider`, `min_tokens`, \
               `max_marks`, `window`, `tokenizer`, `prices`. The longest `match` counts; of equal ones the project's \
               wins over the built-in one, key by key.",
    },
    Word {
        name: "name",
        kind: "key of a link, an append item or [[fixture]]",
        text: "With `from = \"agents\"`: which agent, as `name = \"reviewer\"` or `name = { input = \"agent\" }`. Of a \
               fixture: what `--context` calls it.",
    },
    Word { name: "output", kind: "key of prices", text: "The price of a million output tokens." },
    Word {
        name: "override",
        kind: "layer",
        text: "The first link of the chain: when it holds, nothing else counts. Append items are left out too, unless \
               they say `after_override = true`; `keep` and `required` hold as for every link. `--override FILE` makes \
               it hold.",
    },
    Word {
        name: "paths",
        kind: "key of promptc.toml",
        text: "The folders of the project, from its root: `prompts`, `profiles`, `snapshots`, `dist`.",
    },
    Word {
        name: "prices",
        kind: "key of [[model]]",
        text: "Prices of a million tokens: `input`, `cached`, `write`, `output`, `currency`. `diff` takes the cost of \
               a change from them.",
    },
    Word {
        name: "profiles",
        kind: "key of [paths]",
        text: "The folder of profiles, one build target each; `profiles` by default.",
    },
    Word {
        name: "prompt",
        kind: "key of a link",
        text: "The manifest that is sent, by its name: `prompt = \"coding\"` is prompts/coding.toml.",
    },
    Word {
        name: "prompts",
        kind: "key of [paths]",
        text: "The folder of manifests, bodies and agents; `prompts` by default. Paths of bodies, includes and files \
               start there.",
    },
    Word {
        name: "provider",
        kind: "key of [target] or [[model]]",
        text: "The id of a provider. In a `[[model]]` the facts hold there only. `provider = \"anthropic\"`",
    },
    Word {
        name: "provider",
        kind: "key of promptc.toml",
        text: "`[[provider]]` declares what a provider can do: `id`, `shared_scope`, `max_marks`, `tools_first`, \
               `min_tokens`, `ttls` and more. It wins over the built-in facts, key by key.",
    },
    Word {
        name: "render",
        kind: "key of a link or an append item",
        text: "`render = true`: the layer's text is a template. By default it is verbatim. On an `input` this is the \
               lint rendered-input, and an error when the input is foreign.",
    },
    Word {
        name: "replace",
        kind: "mode of the link agent",
        text: "The agent's text takes the place of the default prompt; `keep` says what stays of it. The default mode.",
    },
    Word {
        name: "scope_field",
        kind: "key of [[provider]]",
        text: "The field of a cache mark that takes a scope. Emitters write no scope where the provider has none.",
    },
    Word {
        name: "section_tokens",
        kind: "key of [limits]",
        text: "Most tokens of each section by itself. More is the lint over-budget.",
    },
    Word {
        name: "sessions_per_day",
        kind: "key of [traffic]",
        text: "Sessions that begin in a day. When a prefix changes, so many live sessions write it anew.",
    },
    Word {
        name: "shared_scope",
        kind: "key of [target] or [[provider]]",
        text: "Whether there is a cache scope that all users share, `global`. The built-in data says false for every \
               provider; `[target] shared_scope = true` is for a product that serves all its users with one \
               organisation's key.",
    },
    Word {
        name: "snapshots",
        kind: "key of [paths]",
        text: "The folder of goldens that `promptc snapshot` writes; `snapshots` by default.",
    },
    Word {
        name: "source",
        kind: "key of [[provider]], [[model]] or [[tokenizer]]",
        text: "Where the fact is written: an address, or who says so.",
    },
    Word {
        name: "static_tokens",
        kind: "key of [limits]",
        text: "Most tokens before the boundary. More is the lint over-budget.",
    },
    Word {
        name: "static_variants",
        kind: "key of [limits]",
        text: "Most static prefixes that a route may have; 1 by default. A run-time condition in the static zone that \
               makes more is the error static-conditional, and more of them by `allow` the lint variant-budget.",
    },
    Word {
        name: "strips_attribution",
        kind: "key of [target] or [[provider]]",
        text: "Whether the attribution block is no part of what is cached. It is then left out of every \
               `prefix_digest`, and may change without harm.",
    },
    Word {
        name: "target",
        kind: "key of a profile",
        text: "For which provider and model the artifact is made: `provider`, `model`, and what they are to do. An \
               unknown model is a warning with the provider's defaults, an unknown provider an error.",
    },
    Word {
        name: "tokenizer",
        kind: "key of [target] or [[model]]",
        text: "The tokenizer that counts: its id, or the path of a `tokenizer.json` from the project's root. A target's \
               wins over its model's.",
    },
    Word {
        name: "tokenizer",
        kind: "key of promptc.toml",
        text: "`[[tokenizer]]` declares how tokens are counted: `id`, `base` or `file`, `factor`, `band`. It wins over \
               the built-in one of the same id.",
    },
    Word {
        name: "tools_first",
        kind: "key of [[provider]]",
        text: "Whether the provider puts tool definitions ahead of the system prompt.",
    },
    Word {
        name: "total_tokens",
        kind: "key of [limits]",
        text: "Most tokens of all blocks together. More is the lint over-budget.",
    },
    Word {
        name: "traffic",
        kind: "key of a profile",
        text: "How much the profile is used, for what a change costs: `sessions_per_day` and `turns_per_session`. `promptc diff` \
               reckons with it. `traffic = { sessions_per_day = 2000, turns_per_session = 12 }`",
    },
    Word {
        name: "ttl",
        kind: "key of [target]",
        text: "How long cache entries live: one of the provider's words, or a table by block kind. It is written on \
               the marks; without it they say `default`. `ttl = { static = \"1h\" }`",
    },
    Word {
        name: "ttls",
        kind: "key of [[provider]]",
        text: "The lifetimes of cache entries that the provider has, the default first. `ttls = [\"5m\", \"1h\"]`",
    },
    Word {
        name: "turns_per_session",
        kind: "key of [traffic]",
        text: "Requests in a session. Without it `promptc diff` assumes 10.",
    },
    Word { name: "usage", kind: "key of [[provider]]", text: "The fields of a response that say what was cached." },
    Word {
        name: "values",
        kind: "key of a profile",
        text: "Values fixed when compiling. Every build input without a `default` must stand here; any other input \
               may, and its lifetime in this profile is then `build`. `[values]` `user_type = \"external\"`",
    },
    Word { name: "warn", kind: "lint level", text: "The finding is told as a warning. The exit code stays 0." },
    Word { name: "window", kind: "key of [[model]]", text: "How many tokens the model's context window holds." },
    Word {
        name: "write",
        kind: "key of prices",
        text: "The price of a million input tokens that are written to the cache.",
    },
];
