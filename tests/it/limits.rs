//! Every bound of `src/limits.rs`: reached, it is told by name with the way out; raised by the person who runs promptc,
//! it lets the same project through. A project cannot raise what it is held to.
//!
//! What is counted past `variant-` limits is no error but a count between bounds: see `variants::large`.

use std::fmt::Write;

use promptc::limits::{Limit, Limits};

use crate::support::{PROFILE, Project, root};

/// A project that needs `n` of something, and what to run on it.
struct Case {
    name: &'static str,
    /// As little over the limit as can be.
    project: fn(usize) -> Project,
    context: bool,
}

fn body(text: &str) -> Project {
    Project::of("[[section]]\nid = \"s\"\nzone = \"dynamic\"\nbody = \"s.md\"\n").file("prompts/s.md", text)
}

fn with_context(text: &str) -> Project {
    let inputs = "[inputs]\nv = { type = \"list\", lifetime = \"session\" }\n";
    Project::of(&(inputs.to_owned() + "[[section]]\nid = \"s\"\nzone = \"dynamic\"\ntext = \"{{ v | length }}\"\n"))
        .file("c.yaml", text)
}

fn with_when(when: &str) -> Project {
    let inputs = "[inputs]\na = { type = \"bool\", lifetime = \"session\", default = true }\n";
    let section = format!("[[section]]\nid = \"s\"\nzone = \"dynamic\"\ntext = \"x\"\nwhen = \"{when}\"\n");
    Project::of(&(inputs.to_owned() + &section)).file("c.yaml", "a: true\n")
}

/// Words that are no two the same.
fn words(n: usize) -> String {
    (0..n).fold(String::new(), |mut out, n| {
        _ = write!(out, "w{n} ");
        out
    })
}

fn chain_of(n: usize, file: impl Fn(usize) -> (String, String)) -> Vec<(String, String)> {
    (0..n).map(file).collect()
}

const CASES: [Case; 20] = [
    Case {
        name: "alias-bytes",
        project: |n| with_context(&format!("v:\n- &a {}\n- *a\n", "x".repeat(n / 2 + 1))),
        context: true,
    },
    Case {
        name: "alias-values",
        project: |n| with_context(&format!("v:\n- &a [{}]\n- *a\n", "1, ".repeat(n / 2))),
        context: true,
    },
    Case {
        name: "artifact-bytes",
        project: |n| {
            let texts: Vec<String> = (0..=n / (7 << 20))
                .map(|n| format!("[[section]]\nid = \"s{n}\"\nzone = \"static\"\nbody = \"s.md\"\nverbatim = true\n"))
                .collect();
            Project::of(&texts.concat()).file("prompts/s.md", words(1).repeat((7 << 20) / 3))
        },
        context: false,
    },
    Case {
        name: "data-depth",
        project: |n| with_context(&format!("v: {}1{}\n", "[".repeat(n), "]".repeat(n))),
        context: true,
    },
    Case {
        name: "expression-depth",
        project: |n| with_when(&format!("{}a{}", "(".repeat(n + 1), ")".repeat(n + 1))),
        context: true,
    },
    Case { name: "expression-terms", project: |n| with_when(&vec!["a"; n + 1].join(" or ")), context: true },
    Case {
        name: "extends-depth",
        project: |n| {
            let links = chain_of(n, |n| (format!("prompts/p{n}.toml"), format!("extends = \"p{}\"\n", n + 1)));
            let first = Project::of("extends = \"p0\"\n[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"x\"\n");
            let project = links.into_iter().fold(first, |project, (path, text)| project.file(&path, text));
            project.file(&format!("prompts/p{n}.toml"), "")
        },
        context: false,
    },
    Case { name: "file-bytes", project: |n| body(&format!("{{# {} #}}x", "x".repeat(n))), context: false },
    Case {
        name: "files",
        project: |n| {
            let project = body("x");
            std::fs::create_dir_all(project.path("prompts/many")).unwrap();
            (0..n).for_each(|n| std::fs::write(project.path(&format!("prompts/many/{n}.md")), "").unwrap());
            project
        },
        context: false,
    },
    Case {
        name: "include-depth",
        project: |n| {
            let links = chain_of(n, |n| (format!("prompts/a{n}.md"), format!("{{% include 'a{}.md' %}}", n + 1)));
            let first = body("{% include 'a0.md' %}").file(&format!("prompts/a{n}.md"), "x");
            links.into_iter().fold(first, |project, (path, text)| project.file(&path, text))
        },
        context: false,
    },
    Case {
        name: "include-values",
        project: |n| {
            let bits = (n + 1).ilog2() + 1;
            let inputs: String =
                (0..bits).map(|n| format!("b{n} = {{ type = \"bool\", lifetime = \"session\" }}\n")).collect();
            let name: String = (0..bits).map(|n| format!(" ~ ('' if b{n} else '')")).collect();
            let text = format!("text = \"{{% include 'a.md'{name} %}}\"");
            let section = format!("[[section]]\nid = \"s\"\nzone = \"dynamic\"\n{text}\n");
            Project::of(&format!("[inputs]\n{inputs}{section}")).file("prompts/a.md", "x")
        },
        context: false,
    },
    Case {
        name: "matrix-cells",
        project: |n| {
            let values: Vec<String> = (0..=n).map(|n| format!("\"v{n}\"")).collect();
            let values = values.join(", ");
            let profile = PROFILE.to_owned() + &format!("[matrix]\nk = [{values}]\n");
            Project::of(&format!(
                "[inputs]\nk = {{ type = [{values}], lifetime = \"build\" }}\n[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"{{{{ k }}}}\"\n"
            ))
            .file("profiles/main.toml", profile)
        },
        context: false,
    },
    Case {
        name: "messages",
        project: |n| {
            let keys: String = (0..=n).map(|n| format!("key{n} = 1\n")).collect();
            let section = "[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"x\"\n";
            Project::of(&(keys + section))
        },
        context: false,
    },
    Case {
        name: "pattern-steps",
        project: |_| {
            let replace = "[[layout.replace]]\npattern = '^((?=a)a|aa)+b(?=x)'\nwith = \"x\"\n";
            Project::of(&(replace.to_owned() + "[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n"))
                .file("prompts/s.md", "a".repeat(26))
        },
        context: false,
    },
    Case {
        name: "project-bytes",
        project: |n| {
            let each = 8 << 20;
            (0..=n / each).fold(body("x"), |project, n| project.file(&format!("prompts/{n}.md"), "x".repeat(each)))
        },
        context: false,
    },
    Case { name: "section-bytes", project: |n| body(&format!("{{{{ 'x' * {} }}}}", n + 1)), context: false },
    Case {
        name: "template-depth",
        project: |n| {
            let macros: String = (0..n / 6 + 1)
                .map(|n| format!("{{% macro m{n}() %}}{{{{ m{}() }}}}{{% endmacro %}}\n", n + 1))
                .collect();
            body(&format!("{macros}{{% macro m{}() %}}x{{% endmacro %}}{{{{ m0() }}}}", n / 6 + 1))
        },
        context: false,
    },
    Case {
        name: "template-fuel",
        project: |n| {
            body(&format!(
                "{{% for a in range(1000) %}}{{% for b in range({}) %}}{{% endfor %}}{{% endfor %}}x",
                n / 2000
            ))
        },
        context: false,
    },
    Case { name: "template-nodes", project: |n| body(&"{{ 1 }}".repeat(n / 2 + 1)), context: false },
    Case { name: "template-terms", project: |n| body(&format!("{{{{ 1{} }}}}", " + 1".repeat(n / 2))), context: false },
];

fn run(project: &Project, case: &Case, limits: &[(&str, usize)]) -> crate::support::Run {
    let flags: Vec<String> = limits.iter().map(|(name, n)| format!("--limit={name}={n}")).collect();
    let mut args = vec!["build", "main", "-o", "-", "--emit", "blocks"];
    if case.context {
        args.extend(["--context", "c.yaml"]);
    }
    args.extend(flags.iter().map(String::as_str));
    project.run(&args)
}

/// What else has to be raised for a project that goes to the top of a limit.
fn others(name: &str) -> &'static [(&'static str, usize)] {
    match name {
        "include-values" => &[("template-nodes", 10_000_000)],
        "section-bytes" | "template-nodes" => &[("template-fuel", 100_000_000), ("file-bytes", 32 << 20)],
        _ => &[],
    }
}

/// The limits past which there is an error.
fn errors() -> Vec<Limit> {
    let all = Limits::default().all();
    all.into_iter().filter(|limit| !limit.name.starts_with("variant-")).collect()
}

#[test]
fn every_limit_has_a_case() {
    let names: Vec<&str> = errors().iter().map(|l| l.name).collect();
    assert_eq!(CASES.map(|c| c.name).to_vec(), names);
}

#[test]
fn a_limit_that_is_reached_is_told_with_the_way_out_and_can_be_raised() {
    let mut wrong = Vec::new();
    for (case, limit) in CASES.iter().zip(errors()) {
        let project = (case.project)(limit.value);
        let told = run(&project, case, &[]);
        let stdout = if case.name == "messages" { String::new() } else { told.stdout.clone() };
        assert_eq!(stdout, "", "{}", case.name);
        assert!(matches!(told.code, 1 | 2), "{}: {}", case.name, told.stderr);
        let way_out = limit.way_out();
        if !told.stderr.contains(&way_out) {
            wrong.push(format!("{}: no `{way_out}` in {:.2000}", case.name, told.stderr));
        }
        // Making so many artifacts, or counting so many tokens, takes longer than a test may; messages stay errors.
        if matches!(case.name, "artifact-bytes" | "matrix-cells" | "messages") {
            continue;
        }
        let mut raised = vec![(limit.name, (limit.value * 4).min(limit.most))];
        raised.extend(others(case.name));
        let passed = run(&project, case, &raised);
        if passed.code != 0 || passed.stdout.is_empty() {
            wrong.push(format!("{}: {:.2000}", case.name, passed.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where depth is bounded because of the stack, the top of the bound must not reach the stack's end.
#[test]
fn the_top_of_every_depth_is_stood() {
    let mut wrong = Vec::new();
    let limits = Limits::default();
    let deep: [Limit; 6] = [
        limits.data_depth,
        limits.expression_depth,
        limits.extends_depth,
        limits.include_depth,
        limits.template_depth,
        limits.template_terms,
    ];
    for limit in deep {
        let case = CASES.iter().find(|c| c.name == limit.name).unwrap();
        let fits = (case.project)(limit.most - 16);
        let run_fits = run(&fits, case, &[(limit.name, limit.most)]);
        if run_fits.code != 0 {
            wrong.push(format!("{} below: {:.2000}", case.name, run_fits.stderr));
        }
        let over = run(&(case.project)(limit.most + 16), case, &[(limit.name, limit.most)]);
        if over.code != 1 {
            wrong.push(format!("{} above: {:.2000}", case.name, over.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_project_cannot_raise_what_it_is_held_to() {
    for (file, text) in [
        ("promptc.toml", "[limits]\nfile-bytes = 1\n"),
        ("promptc.toml", "[limit]\nfile-bytes = 1\n"),
        ("promptc.toml", "limit = [\"file-bytes=1\"]\n"),
    ] {
        let run = body("x").file(file, text).run(&["build", "main", "-o", "-"]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("error[unknown-key]"), "{}", run.stderr);
    }
}

#[test]
fn a_wrong_flag_is_told() {
    let project = body("x");
    for (flag, word) in [
        ("files=1", "the limit `files` is 50000, and can only be raised"),
        ("files=99999999999", "the limit `files` can be 10000000 at most"),
        ("flies=60000", "did you mean `files`?"),
        ("nothing=1", "`--limit help` lists all limits"),
        ("files=many", "`many` is no whole number"),
        ("files=-1", "`-1` is no whole number"),
        ("help", "bytes of one file"),
    ] {
        let run = project.run(&["build", "main", "-o", "-", "--limit", flag]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{flag}");
        assert!(run.stderr.contains(word), "{flag}: {}", run.stderr);
    }
    assert_eq!(project.run(&["build", "main", "-o", "-", "--limit", "files=60000"]).code, 0);
}

/// Many messages: what is not shown is counted, and does not hide that there are errors.
#[test]
fn messages_that_are_not_shown_are_counted() {
    let keys: String = (0..2500).map(|n| format!("key{n} = 1\n")).collect();
    let project = Project::of(&keys);
    let run = project.run(&["build", "main", "--format", "concise"]);
    assert_eq!(run.code, 1);
    let lines = run.stderr.lines().count();
    assert!(lines <= 1010, "{lines} lines");
    assert!(run.stderr.contains("1500 more messages are not shown"), "{:.3000}", run.stderr);
    let json = project.run(&["build", "main", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let all = project.run(&["build", "main", "--format", "json", "--limit", "messages=100000"]);
    let whole: serde_json::Value = serde_json::from_str(&all.stdout).unwrap();
    assert_eq!(report["summary"], whole["summary"], "the summary counts all");
}

/// The page has the table that the program has.
#[test]
fn the_page_lists_every_limit() {
    let page = std::fs::read_to_string(root().join("docs/security.md")).unwrap();
    let told: Vec<&str> = page.lines().filter(|l| l.starts_with("| `") && l.matches('|').count() == 5).collect();
    let rows: Vec<String> = Limits::default()
        .all()
        .iter()
        .map(|l| format!("| `{}` | {} | {} | {} |", l.name, l.amount(), Limit { value: l.most, ..*l }.amount(), l.what))
        .collect();
    assert_eq!(told, rows, "docs/security.md");
}
