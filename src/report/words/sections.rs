//! Words of prompts: zones, channels, roles, keys of manifests, filters.

use super::Word;

/// Sorted by name, then kind.
pub(super) static WORDS: &[Word] = &[
    Word {
        name: "DANGEROUS_uncached",
        kind: "key of [[section]] or an append item",
        text: "The reason why this section is recomputed on every turn. Empty ones, `todo` and the like are refused. \
               In the strategies `tools` and `fallback` it begins the block `tail`, in which nothing is cached. \
               `DANGEROUS_uncached = \"MCP servers connect and disconnect between turns\"`",
    },
    Word {
        name: "after",
        kind: "key of [[section]]",
        text: "In a manifest with `extends`: the section behind which this new one comes. Without `after` or `before` \
               a new section comes last. `after = \"identity\"`",
    },
    Word {
        name: "allow",
        kind: "key of [[section]]",
        text: "Lints silenced here, each with its reason. Of the errors it silences static-conditional and \
               static-interpolation only: the section then stays in the static zone and multiplies the variants. \
               `allow = { static-conditional = \"two platforms, both with many users\" }`",
    },
    Word {
        name: "attribution",
        kind: "role",
        text: "A billing or attribution line. The section is taken out of its place into a block of its own at the \
               very front, is never cached, and may have any lifetime. A run-time one changes every prefix, which is \
               the lint error attribution-volatile, unless the target strips it (`strips_attribution`).",
    },
    Word {
        name: "before",
        kind: "key of [[section]]",
        text: "In a manifest with `extends`: the section ahead of which this new one comes. `before = \"environment\"`",
    },
    Word {
        name: "body",
        kind: "key of [[section]] or [[variant]]",
        text: "The file that holds the section's text, from prompts/: a template, unless `verbatim = true`. Or files \
               chosen by an axis: `body = { by = \"family\", files = { gpt = \"a.md\" }, else = \"b.md\" }`. In a \
               `[[variant]]`: other bodies by section id.",
    },
    Word {
        name: "bullets",
        kind: "filter",
        text: "`{{ names | bullets }}` prints a list, one item a line as ` - item`. A nested list becomes items two \
               spaces deeper.",
    },
    Word {
        name: "channel",
        kind: "key of [[section]]",
        text: "Where in the request the section goes: `system` (the default), `system_context` or `user_context`.",
    },
    Word {
        name: "collapse_blank_lines",
        kind: "key of [layout]",
        text: "Whether two or more blank lines in a row become one, before `trim`; false by default. A line of blanks \
               only is a blank line. For manifest sections only.",
    },
    Word { name: "content", kind: "role", text: "Text for the model. The default." },
    Word {
        name: "dynamic",
        kind: "zone",
        text: "Behind the boundary. The section is computed once per session and kept until clear or compact, unless \
               it says `DANGEROUS_uncached` or goes to `user_context`.",
    },
    Word {
        name: "extends",
        kind: "key of a prompt",
        text: "Takes the inputs, sections and layout of another manifest. A section of the same id replaces the \
               parent's in place; a new one says `after` or `before`, or comes last; `remove` drops. Variants are not \
               inherited. `extends = \"base\"`",
    },
    Word {
        name: "files",
        kind: "key of a body",
        text: "A file for each value of the axis in `by`, from prompts/. Every value is named, unless there is an \
               `else`. `files = { linux = \"linux.md\", windows = \"windows.md\" }`",
    },
    Word {
        name: "fill",
        kind: "filter",
        text: "`{{ text | fill(map) }}` replaces each `{{KEY}}` in the text whose KEY is in the map, once; unknown \
               ones stay, and results are not scanned again. For placeholders in data.",
    },
    Word {
        name: "freeze",
        kind: "key of [[section]]",
        text: "The section reads a turn value once, when the session starts, on purpose. The text of the key is a note \
               for the model and is printed under the section. Contradicts `DANGEROUS_uncached` and the static zone. \
               `freeze = \"This was the state when the session started.\"`",
    },
    Word {
        name: "id",
        kind: "key of [[section]], [[provider]] or [[tokenizer]]",
        text: "The name. A section's id is unique in its prompt, in kebab or snake case, and never changes meaning; \
               the names of layers and `append-1`, `append-2`, .. are reserved.",
    },
    Word {
        name: "keep_empty",
        kind: "key of [layout] or [[section]]",
        text: "Whether a section without text lives; false by default: it is then dropped as if its `when` were false, \
               and takes no separator. For manifest sections only.",
    },
    Word {
        name: "keep_trailing_newline",
        kind: "key of [layout]",
        text: "Whether templates keep the newline at the end of the file; true by default. False drops one newline at \
               the end of every template file, included ones too.",
    },
    Word {
        name: "layout",
        kind: "key of a prompt",
        text: "How the texts of sections are shaped and joined. The winning prompt's layout holds for the whole \
               artifact; when the winning link is no prompt, the default's. `extends` merges it key by key.",
    },
    Word {
        name: "limit",
        kind: "filter",
        text: "`{{ text | limit(200, \" [cut]\") }}` prints the first 200 characters and the note. A shorter text \
               stays as it is.",
    },
    Word {
        name: "lstrip_blocks",
        kind: "key of [layout]",
        text: "Whether blanks between the start of a line and a block tag `{% .. %}` are dropped; false by default. \
               Holds for included files as well.",
    },
    Word {
        name: "one_line",
        kind: "filter",
        text: "`{{ cwd | one_line }}` makes each run of white space one space and trims the ends, so that a value \
               cannot begin a line of its own.",
    },
    Word {
        name: "order",
        kind: "key of [[variant]]",
        text: "The ids of the sections in the order that they take. A section that is not named is dropped; a required \
               one must be named. `order = [\"identity\", \"tools\", \"rules\"]`",
    },
    Word {
        name: "pattern",
        kind: "key of [[layout.replace]]",
        text: "The regular expression that is replaced, with its flags inside: `(?i)\\\\bbash\\\\b` in a TOML string. \
               The syntax is that of fancy-regex, look-around included.",
    },
    Word {
        name: "prefix",
        kind: "role",
        text: "An identity line that clients are recognised by. The section is taken out of its place into a block of \
               its own, ahead of the static one, and obeys the rules of the static zone.",
    },
    Word {
        name: "remove",
        kind: "key of a prompt",
        text: "Sections of the parent that a manifest with `extends` drops. `remove = [\"tone\"]`",
    },
    Word {
        name: "replace",
        kind: "key of [layout]",
        text: "`[[layout.replace]]` replaces text in sections, in file order, after rendering. It works on one section \
               at a time, on manifest sections only, and never on the joined text.",
    },
    Word {
        name: "required",
        kind: "key of [[section]]",
        text: "The section must survive whatever link wins: a link that can win and drops it is the error \
               required-section-lost, found when compiling. A section of the same id satisfies it, and a false `when` \
               is no loss. `--simple` is exempt.",
    },
    Word {
        name: "role",
        kind: "key of [[section]]",
        text: "What the section is to the provider: `content` (the default), `attribution` or `prefix`. Sections of \
               the last two become blocks of their own, whatever their place, and do not count for the boundary.",
    },
    Word {
        name: "section",
        kind: "key of a prompt",
        text: "`[[section]]` is one part of the prompt: an id, a zone, and a body or text. Sections stand in the order \
               of the file.",
    },
    Word {
        name: "sections",
        kind: "key of [[layout.replace]]",
        text: "The ids of the sections in which is replaced; all, if none are named.",
    },
    Word {
        name: "separator",
        kind: "key of [layout] or [[variant]]",
        text: "Stands between two neighbours that both live; `\"\\n\\n\"` by default. A section may say \
               `separator_before`. Nothing stands before the first or after the last section of a block.",
    },
    Word {
        name: "separator_before",
        kind: "key of [[section]], [[variant]], a link or an append item",
        text: "Stands before this text, in place of `separator`, when an earlier one lives. In a `[[variant]]` a table \
               by section id: `separator_before = { rules = \"\\n\" }`.",
    },
    Word {
        name: "simple",
        kind: "key of a prompt",
        text: "The sections that `--simple` builds, in the order of the manifest, with no chain, nothing appended and \
               nothing kept. `simple = [\"identity\", \"cwd\"]`",
    },
    Word {
        name: "static",
        kind: "zone",
        text: "Before the boundary: the same bytes for everybody who has this build. A run-time value printed in it is \
               the error static-interpolation; a run-time bool or enum that it reads is static-conditional, when that \
               makes more variants than `limits.static_variants`. Behind a dynamic section it keeps its place and \
               counts as dynamic.",
    },
    Word {
        name: "strip_invisible",
        kind: "filter",
        text: "`{{ text | strip_invisible }}` removes what readers cannot see: Unicode tag characters, bidi controls, \
               and zero-width characters except joiners inside emoji.",
    },
    Word {
        name: "summary",
        kind: "filter",
        text: "`{{ text | summary(80) }}` prints the first sentence, at most 80 characters; a cut ends in `…`. A \
               sentence ends at a full stop and a blank, at `。`, or with its line.",
    },
    Word { name: "system", kind: "channel", text: "The system prompt. The default." },
    Word {
        name: "system_context",
        kind: "channel",
        text: "Behind all sections of the system prompt and everything appended, in the block `dynamic` or `tail`. \
               `zone = \"static\"` is an error here.",
    },
    Word {
        name: "text",
        kind: "key of [[section]], a link or an append item",
        text: "Text in place of a file. A section's is a template, unless `verbatim = true`; a layer's is verbatim, \
               unless `render = true`.",
    },
    Word {
        name: "trim",
        kind: "key of [layout], [[section]], a link or an append item",
        text: "Which ends of a text lose their space, tab, LF, VT, FF and CR: `none`, `start`, `end` or `both`. The \
               default is `both` for manifest sections and `none` for the text of layers.",
    },
    Word {
        name: "trim_blocks",
        kind: "key of [layout]",
        text: "Whether the newline behind a block tag `{% .. %}` is dropped; false by default. Holds for included \
               files as well.",
    },
    Word {
        name: "user_context",
        kind: "channel",
        text: "The first user message, in a `<system-reminder>` element. It takes no mark, so its sections may read \
               turn values. `zone = \"static\"` is an error here.",
    },
    Word {
        name: "variant",
        kind: "key of a prompt",
        text: "`[[variant]]` gives another order, other bodies or other separators for some build values. The first \
               whose `when` holds applies; with none the manifest stays as written.",
    },
    Word {
        name: "verbatim",
        kind: "key of [[section]]",
        text: "`verbatim = true`: the text is no template, and braces stay as they are.",
    },
    Word {
        name: "when",
        kind: "key of [[section]], [[layout.replace]], [[variant]], a link or an append item",
        text: "The expression that decides. A section that it drops leaves no separator; a link without it always \
               holds; a variant may read build inputs only. `when = \"is_git and platform == 'linux'\"`",
    },
    Word {
        name: "with",
        kind: "key of [[layout.replace]]",
        text: "What stands in place of a match: `$0` to `$9` and `${name}` are its groups, `$$` is a dollar sign. A \
               group that took no part is empty.",
    },
    Word {
        name: "xml",
        kind: "filter",
        text: "`{{ text | xml(\"notes\") }}` puts the text on lines of its own between `<notes>` and `</notes>`. A \
               closing tag in the value is neutralised: its `<` becomes `&lt;`.",
    },
    Word {
        name: "zone",
        kind: "key of [[section]], a link or an append item",
        text: "`static` (before the boundary) or `dynamic`. Every section says it. The text of a layer is dynamic, and \
               may say `static` when it is known at build.",
    },
];
