//! Rules and their pages: what a page shows as failing fails, what it shows as passing passes. Projects under
//! tests/manifests/lint say more.

use promptc::host::Host;

use crate::manifests::{Case, cases};
use crate::support::Project;

#[test]
fn pages_show_what_fails_and_what_passes() {
    let mut wrong = String::new();
    for rule in promptc::lint::rules() {
        let mut base = None;
        for (kind, text) in fences(rule.doc) {
            let mut case = Case::of_page(rule.name, &text);
            if kind == "base" {
                base = Some(case.host);
                continue;
            }
            case.base.clone_from(&base);
            assert_eq!(case.wants_findings(), kind == "fail", "{}: findings stand under lines that fail", rule.name);
            let differences = case.lint_differences();
            if !differences.is_empty() {
                wrong += &format!("{} ({kind}):\n{differences}\n", rule.name);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn projects_give_the_findings_under_their_lines() {
    let mut wrong = String::new();
    for case in cases("lint") {
        let differences = case.lint_differences();
        if !differences.is_empty() {
            wrong += &format!("{}:\n{differences}\n", case.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn own_prompts_give_nothing_above_info() {
    let host = crate::dogfood::project();
    let paths = host.list("", 999).unwrap();
    let read = |path: &String| host.read(path, u64::MAX).unwrap();
    let project = paths.iter().fold(Project::new(), |project, path| project.file(path, read(path)));
    let run = project.run(&["lint", "--deny", "warnings", "--format", "concise"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.lines().all(|line| line.contains(": info[")), "{}", run.stdout);
}

#[test]
fn a_fresh_project_gives_no_finding() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "fresh"]).code, 0);
    let run = project.run(&["lint", "--root", "fresh"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", "no findings\n"));
}

/// The examples of a page: `fail` or `pass`, or the `base` of those that follow, and the text.
pub fn fences(page: &str) -> Vec<(&str, String)> {
    let mut out: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line.strip_prefix("```toml ")) {
            (false, Some(kind)) => {
                assert!(matches!(kind, "base" | "fail" | "pass"), "{line}");
                out.push((kind, String::new()));
                inside = true;
            }
            (true, _) if line == "```" => inside = false,
            (true, _) => out.last_mut().unwrap().1 += &format!("{line}\n"),
            (false, None) => {}
        }
    }
    out
}
