//! Words of what comes out: strategies, blocks, scopes, marks, digests, emitters, classes of changes.

use super::Word;

/// Sorted by name, then kind.
pub(super) static WORDS: &[Word] = &[
    Word {
        name: "ahead of time",
        kind: "term",
        text: "A build without `--context`. What is known when compiling is text; a section that waits for run-time \
               values stays open and carries its template. The strategy is that of `runtime_tools = false`, and a link \
               whose `when` needs run-time values counts as not holding: `--route LAYER` builds it.",
    },
    Word {
        name: "anthropic",
        kind: "emitter",
        text: "anthropic.json, for the Messages API: `system` as text blocks, each mark as `cache_control`, the user \
               context as the first message. A scope is written only where the provider data names the field \
               (`scope_field`).",
    },
    Word {
        name: "attribution",
        kind: "block",
        text: "The sections with `role = \"attribution\"`. It comes first, has no scope and no mark, and is never \
               cached.",
    },
    Word {
        name: "bedrock",
        kind: "emitter",
        text: "bedrock.json, for the Converse API: `system` as text, with a `cachePoint` behind each text that has a \
               mark; the user context as the first message.",
    },
    Word {
        name: "block",
        kind: "term",
        text: "Sections of one kind, joined: a part of the request with one scope. There is at most one of a kind, in \
               this order: attribution, prefix, static, dynamic, tail, user_context. A block without text is not \
               written.",
    },
    Word {
        name: "blocks",
        kind: "emitter",
        text: "blocks.json, which every build writes: blocks with text, scope, mark and digests, and each section with \
               its origin and its bytes. The only form that can say what is open. `promptc schema blocks` prints its \
               JSON Schema.",
    },
    Word {
        name: "boundary",
        kind: "strategy",
        text: "The leading static run is shared by everyone who has the build: its block has the scope `global`, all \
               others have none, and there is no `tail`. Needs a leading static run, a target with a shared scope, and \
               `runtime_tools` false.",
    },
    Word {
        name: "boundary",
        kind: "term",
        text: "The end of the leading static run. What stands before it can be shared by everyone who has the build, \
               so it may hang on build inputs only; what stands behind it is each session's own.",
    },
    Word {
        name: "cell",
        kind: "term",
        text: "One combination of the values of a `matrix`, and the artifact that it makes. `promptc build coding \
               --cell user_type=internal`",
    },
    Word {
        name: "demote",
        kind: "word of reviews",
        text: "Class of a change: something shared is shared less. Static became dynamic, cached became \
               `DANGEROUS_uncached`, a lifetime got shorter, the boundary stands earlier, a static section moved \
               behind it, a required section was lost, or the prefix fell below the provider's minimum. Fails in CI.",
    },
    Word {
        name: "digest",
        kind: "term",
        text: "BLAKE3 of the text of a block or a section, as 64 hex digits in lower case. Equal digests are equal \
               texts.",
    },
    Word {
        name: "dynamic",
        kind: "block",
        text: "What stands behind the boundary: in the strategy `boundary` all of it, without a scope; in `tools` and \
               `fallback` up to the first section with `DANGEROUS_uncached`, scope `org`.",
    },
    Word {
        name: "fallback",
        kind: "strategy",
        text: "For a target without a shared scope, and for a prompt without a leading static run. Prefix, static and \
               dynamic have the scope `org`; what is recomputed every turn is cut off as `tail`.",
    },
    Word {
        name: "fragment",
        kind: "word of reviews",
        text: "Class of a change, the worst: more static prefixes than before, or a static prefix that now depends on \
               a run-time input. Fails in CI.",
    },
    Word {
        name: "gemini",
        kind: "emitter",
        text: "gemini.json, for generateContent: `systemInstruction` with one part a block, and the user context in \
               `contents`. It has no marks.",
    },
    Word {
        name: "global",
        kind: "scope",
        text: "Everyone who uses the build shares the block, across organisations. Only the static block of the \
               strategy `boundary` has it. An emitter maps it to what its API has.",
    },
    Word {
        name: "leading static run",
        kind: "term",
        text: "Every static content section before the first dynamic one: what the static block is made of. Sections \
               with another role do not count. A static section behind the run is dynamic in effect, and lint reports \
               it (static-after-boundary).",
    },
    Word {
        name: "mark",
        kind: "term",
        text: "A place at which the provider is told to cache. One stands at the end of each block that has a scope, \
               except on `prefix` when a static block follows, below the model's minimum, behind a section with \
               `DANGEROUS_uncached`, and when the provider's number is used up. In blocks.json: the lifetime of the \
               entry, `default`, or null.",
    },
    Word {
        name: "meta",
        kind: "word of reviews",
        text: "Class of a change: files changed, and no byte of output did. Passes.",
    },
    Word { name: "none", kind: "word of reviews", text: "Class of a change: nothing changed. Passes." },
    Word {
        name: "open section",
        kind: "term",
        text: "A section whose `when` or body waits for run-time values that are not known: its text is null, its \
               template stands in the artifact. Its block is open too, without text, tokens or digest, and no later \
               block has a `prefix_digest`.",
    },
    Word {
        name: "openai",
        kind: "emitter",
        text: "openai.json, for the Responses API: the system blocks as a developer message, one part a block, the \
               user context as a user message. Where the model takes breakpoints, each mark is an explicit \
               `prompt_cache_breakpoint`.",
    },
    Word {
        name: "openai-chat",
        kind: "emitter",
        text: "openai-chat.json, for Chat Completions: the system blocks as a developer message, one part a block, the \
               user context as a user message. Where the model takes breakpoints, each mark is an explicit \
               `prompt_cache_breakpoint`.",
    },
    Word {
        name: "openai-compatible",
        kind: "emitter",
        text: "openai-compatible.json, for Chat Completions as other servers speak it: one system string, the user \
               context as a user message, no marks.",
    },
    Word {
        name: "org",
        kind: "scope",
        text: "Everyone in one organisation shares the block. An emitter maps it to what its API has.",
    },
    Word {
        name: "prefix",
        kind: "block",
        text: "The sections with `role = \"prefix\"`, ahead of the static block. Scope null in the strategy \
               `boundary`, else `org`; it takes no mark when a static block follows.",
    },
    Word {
        name: "prefix",
        kind: "term",
        text: "Everything of a request up to some point. Providers find cached text by the exact bytes of a prefix: \
               after one changed byte nothing can be reused.",
    },
    Word {
        name: "prefix_digest",
        kind: "term",
        text: "BLAKE3 of all blocks up to the end of this one, each as its length in bytes, LF, text. Where two \
               artifacts have the same one, the provider can reuse the prefix. Null at and behind an open block.",
    },
    Word {
        name: "rewrite",
        kind: "word of reviews",
        text: "Class of a change: other bytes in the static prefix, and as many variants. Every live session writes \
               the prefix once, where it is long enough to be cached; the cost is shown. Passes.",
    },
    Word {
        name: "route",
        kind: "term",
        text: "What is sent when one link of the chain wins. Every link that can win is a route with its own static \
               prefixes and its own count. `--route agent` builds that one, whichever holds.",
    },
    Word {
        name: "static",
        kind: "block",
        text: "The leading static run. Scope `global` in the strategy `boundary`, else `org`.",
    },
    Word {
        name: "tail",
        kind: "block",
        text: "In the strategies `tools` and `fallback`: the first section with `DANGEROUS_uncached` and all system \
               text behind it, scope null. In `boundary` there is none.",
    },
    Word {
        name: "tail",
        kind: "word of reviews",
        text: "Class of a change: only text behind the boundary is other. Passes.",
    },
    Word {
        name: "text",
        kind: "emitter",
        text: "prompt.txt: the system blocks joined to one text, separators included, no newline added. The user \
               context is not in it. `promptc build coding --context git-repo --emit text -o -`",
    },
    Word {
        name: "tools",
        kind: "strategy",
        text: "As `fallback`, for a target with a shared scope: tools that come and go at run time (`runtime_tools`) \
               change the prefix ahead of the text, so nothing is shared beyond the organisation.",
    },
    Word {
        name: "user_context",
        kind: "block",
        text: "The sections of the channel `user_context`, in one `<system-reminder>` element: the first user message. \
               Scope null.",
    },
    Word {
        name: "variant",
        kind: "term",
        text: "One of the different static prefixes that a route can have. Each is cached, and paid for, by itself. \
               `limits.static_variants` bounds their number, `promptc variants` counts them and names what multiplies \
               them.",
    },
];
