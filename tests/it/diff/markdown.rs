//! The comment for a pull request: what stands in it, that nothing of the project can forge it, and how long it gets.

use promptc::report::{MARKER, MAX_MARKDOWN};

use super::repo::Repo;

const PROFILE: &str =
    "[target]\nprovider = \"openai\"\nmodel = \"gpt-5.5\"\n[chain]\ndefault = { prompt = \"main\" }\n";

fn rules(n: usize, word: &str) -> String {
    (0..n).map(|n| format!("Rule {n}: {word} what stands there before you change a thing.\n")).collect()
}

fn markdown(repo: &Repo) -> String {
    let run = repo.run(&["diff", "HEAD", "--format", "markdown"]);
    assert!(run.code < 2, "{}", run.stderr);
    run.stdout
}

#[test]
fn the_verdict_comes_first_and_details_are_folded() {
    let repo = Repo::new();
    let manifest = "[inputs]\nx = { type = \"bool\", lifetime = \"session\" }\n[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n";
    repo.write("prompts/main.toml", manifest);
    repo.write("prompts/s.md", rules(200, "read"));
    repo.write("profiles/main.toml", PROFILE);
    repo.write("profiles/other.toml", PROFILE);
    repo.commit("first");
    let text = markdown(&repo);
    assert_eq!(
        text,
        format!(
            "{MARKER}\n### Prompts: nothing changed (`none`)\n\n2 profiles: 2 none, `working tree` against `HEAD ({})`.\n\n",
            &repo.git(&["rev-parse", "HEAD"])[..12]
        )
    );

    repo.write("prompts/s.md", rules(200, "read").replace("Rule 150:", "Rule 150 {% if x %}now{% endif %}:"));
    let text = markdown(&repo);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], MARKER);
    assert_eq!(lines[1], "### Prompts: the shared prefix is split (`fragment`)");
    assert_eq!(lines[3], "It needs a reason: `allow` on the section that is named, or another way.");
    assert_eq!(
        lines[5],
        "- `x`, a run-time value, decides what stands in the static prefix, `prompts/s.md:151`; 2 of 2 profiles"
    );
    assert_eq!(lines[6], "- 2 static prefixes instead of 1, `prompts/s.md:151`; 2 of 2 profiles");
    assert!(lines[8].starts_with("2 profiles: 2 fragment, `working tree` against `HEAD ("), "{text}");
    assert!(text.contains("| `fragment` | `main` | `openai gpt-5.5` | "), "{text}");
    assert!(text.contains("| 1 → 2 | "), "{text}");
    // Of both the same is told.
    assert_eq!(text.matches("<details><summary><code>main</code>, <code>other</code>: fragment</summary>").count(), 1);
    assert_eq!(text.matches("</details>").count(), 1);
    assert!(text.contains(
        "- `fragment` `x`, a run-time value, decides what stands in the static prefix, `prompts/s.md:151`\n"
    ));
    assert!(text.contains("\n```diff\n  Rule 148: read"), "{text}");
    assert!(text.contains("\n- Rule 150: read what stands"), "{text}");
}

#[test]
fn no_word_of_the_project_forges_a_row_a_mention_or_html() {
    let repo = Repo::new();
    let manifest = "[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n[[section]]\nid = \"t\"\nzone = \"dynamic\"\ntext = \"t\"\n";
    let name = "a`|@octocat <b>&amp; [x](y) ![z](w) *e* #1";
    repo.write("prompts/main.toml", manifest);
    repo.write("prompts/s.md", "one\n");
    repo.write(&format!("profiles/{name}.toml"), PROFILE);
    repo.commit("first");
    repo.write("prompts/s.md", "````\n</details>\n<script>alert(1)</script>\n@octocat\n| a | b |\n```diff\n~~~\n");
    let reason = "text = \"t\"\nDANGEROUS_uncached = \"x`` | @octocat\\n\\n# heading <img src=x>\"";
    repo.write("prompts/main.toml", manifest.replace("text = \"t\"", reason));
    let text = markdown(&repo);

    // What is no code has no word of the project.
    let mut bare = String::new();
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 && line.ends_with("diff") => fence = Some(ticks),
            None => bare.push_str(&(without_code(line) + "\n")),
        }
    }
    assert_eq!(fence, None, "{text}");
    for word in ["octocat", "<b>", "script", "heading", "img", "[x]", "*e*", "#1"] {
        assert!(!bare.contains(word), "{word} in {bare}\nof {text}");
    }
    let (prose, html) = parsed(&text);
    for word in ["octocat", "alert", "heading", "img"] {
        assert!(!prose.contains(word), "{word} in {prose}\nof {text}");
    }
    let tags = ["<!-- promptc diff -->\n", "<details><summary><code>", "</details>\n"];
    assert!(html.iter().all(|part| tags.iter().any(|tag| part.starts_with(tag))), "{html:?}");
    assert_eq!(html.len(), 3, "{html:?}");
    let rows = |start: &str| {
        text.lines().filter(|line| line.starts_with(start)).map(|line| line.matches('|').count()).collect::<Vec<_>>()
    };
    assert_eq!(rows("| `demote` "), [9], "{text}");
    assert!(text.lines().filter(|l| l.starts_with("| `~` | `s`")).all(|l| l.matches('|').count() == 7));
    assert_eq!(bare.matches("<details>").count(), 1);
    assert_eq!(bare.matches("</details>").count(), 1);
}

/// The same, as a reader of Markdown sees it: words of the project are in code alone, and all HTML is ours.
fn parsed(text: &str) -> (String, Vec<String>) {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let (mut prose, mut html) = (String::new(), Vec::new());
    let mut is_code = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => prose.push_str(&dest_url),
            Event::Text(text) if !is_code => prose.push_str(&text),
            Event::Html(text) | Event::InlineHtml(text) => html.push(text.to_string()),
            _ => {}
        }
    }
    (prose, html)
}

/// A line without its code spans and code elements.
fn without_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['`', '<']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if let Some(inside) = from.strip_prefix("<code>") {
            rest = inside.split_once("</code>").expect("the element ends").1;
            continue;
        }
        let ticks = from.chars().take_while(|c| *c == '`').count();
        if ticks == 0 {
            out.push('<');
            rest = &from[1..];
            continue;
        }
        // A span ends at the next run of as many backticks.
        let mut end = None;
        let mut at = ticks;
        while let Some(found) = from[at..].find('`') {
            let start = at + found;
            let length = from[start..].chars().take_while(|c| *c == '`').count();
            if length == ticks {
                end = Some(start + length);
                break;
            }
            at = start + length;
        }
        rest = &from[end.expect("the span ends on its line")..];
    }
    out + rest
}

#[test]
fn a_comment_is_short_enough_and_says_what_is_left_off() {
    let repo = Repo::new();
    let texts =
        |word: &str| (0..40).for_each(|n| repo.write(&format!("prompts/s{n}.md"), rules(200, &format!("{word} {n}"))));
    texts("read");
    for n in 0..40 {
        let sections: String =
            (0..3).map(|s| format!("[[section]]\nid = \"s{s}\"\nzone = \"static\"\nbody = \"s{n}.md\"\n")).collect();
        repo.write(&format!("prompts/main{n}.toml"), sections);
        repo.write(
            &format!("profiles/a-profile-with-a-longer-name-{n:02}.toml"),
            PROFILE.replace("\"main\"", &format!("\"main{n}\"")),
        );
    }
    repo.commit("first");
    texts("see");
    let text = markdown(&repo);
    assert!(text.len() <= MAX_MARKDOWN, "{}", text.len());
    assert!(text.len() > MAX_MARKDOWN / 2, "{}", text.len());
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("Left off for length: ") && last.contains(" more. `promptc diff` shows everything."),
        "{last}"
    );
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    assert_eq!(text.lines().filter(|l| l.starts_with("| `rewrite` |")).count(), 40);
}
