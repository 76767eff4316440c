//! Where a repository can lie and what it can lack: a right answer, or a clear error.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::repo::{Repo, git, profile, valid};
use crate::support::{Run, run_in};

const MANIFEST: &str = "[[section]]\nid = \"s\"\nzone = \"static\"\nbody = \"s.md\"\n";
const PROFILE: &str =
    "[target]\nprovider = \"openai\"\nmodel = \"gpt-5.5\"\n[chain]\ndefault = { prompt = \"main\" }\n";

/// A project of one section in a folder of a repository, with one commit.
fn repo(folder: &str) -> Repo {
    let repo = Repo::at(folder);
    repo.write("prompts/main.toml", MANIFEST);
    repo.write("prompts/s.md", "one\ntwo\n");
    repo.write("profiles/main.toml", PROFILE);
    repo.commit("first");
    repo
}

/// Asserts that the working tree against the base is a rewrite of the section.
fn is_rewrite(run: &Run) {
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let found = valid(&run.stdout);
    assert_eq!(profile(&found, "main")["prefix"]["first_change"]["section"], "s", "{found:#}");
}

#[test]
fn a_project_in_a_folder_of_the_repository() {
    let repo = repo("a b/ü");
    repo.write("prompts/s.md", "one\nthree\n");
    is_rewrite(&repo.run(&["diff", "--format", "json"]));
    let from_top = run_in(repo.top(), &["diff", "HEAD", "--root", "a b/ü", "--format", "json"]);
    is_rewrite(&from_top);
    repo.commit("second");
    // A detached head, and nothing but the revisions.
    repo.git(&["checkout", "--quiet", "--detach"]);
    is_rewrite(&repo.run(&["diff", "HEAD~1", "--format", "json"]));
    is_rewrite(&repo.run(&["diff", "HEAD~1", "HEAD", "--format", "json"]));
}

#[test]
fn a_hook_has_the_repository_in_its_environment() {
    let repo = repo("sub");
    repo.write("prompts/s.md", "one\nthree\n");
    let run = |folder: &std::path::Path, variables: &[(&str, &str)]| {
        let output = Command::new(env!("CARGO_BIN_EXE_promptc"))
            .args(["diff", "HEAD", "--format", "json", "--root"])
            .arg(repo.root())
            .current_dir(folder)
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    };
    is_rewrite(&run(repo.top(), &[("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index")]));
    is_rewrite(&run(repo.root(), &[("GIT_DIR", repo.top().join(".git").to_str().unwrap())]));
    // A repository that lies elsewhere than its working tree.
    let elsewhere = tempfile::tempdir().unwrap();
    let git_dir = elsewhere.path().join("repository");
    fs::rename(repo.top().join(".git"), &git_dir).unwrap();
    let variables = [("GIT_DIR", git_dir.to_str().unwrap()), ("GIT_WORK_TREE", repo.top().to_str().unwrap())];
    is_rewrite(&run(repo.root(), &variables));
    is_rewrite(&run(repo.top(), &variables[..1]));
}

#[test]
fn a_working_tree_of_its_own_a_bare_repository_and_a_submodule() {
    let repo = repo("p");
    let outside = tempfile::tempdir().unwrap();
    let tree = outside.path().join("tree");
    repo.git(&["worktree", "add", "--quiet", tree.to_str().unwrap(), "-b", "topic"]);
    fs::write(tree.join("p/prompts/s.md"), "one\nthree\n").unwrap();
    is_rewrite(&run_in(&tree.join("p"), &["diff", "--format", "json"]));

    // On a server there are revisions and no files.
    let first = self::repo("");
    first.write("prompts/s.md", "one\nthree\n");
    first.commit("second");
    let bare = outside.path().join("bare.git");
    git(outside.path(), &["clone", "--quiet", "--bare", first.top().to_str().unwrap(), bare.to_str().unwrap()]);
    is_rewrite(&run_in(&bare, &["diff", "main~1", "main", "--format", "json"]));

    // A project that is a submodule has its own history.
    let above = Repo::new();
    above.git(&["submodule", "--quiet", "add", first.top().to_str().unwrap(), "inner"]);
    above.commit("with a submodule");
    is_rewrite(&run_in(&above.top().join("inner"), &["diff", "HEAD~1", "--format", "json"]));
    // Its files are in no revision of the repository above.
    let above = self::repo("");
    above.git(&["submodule", "--quiet", "add", first.top().to_str().unwrap(), "prompts/inner"]);
    above.commit("with a submodule");
    let run = above.run(&["diff", "HEAD"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`prompts/inner` is a submodule in "), "{}", run.stderr);
}

#[test]
fn a_checkout_with_other_line_ends_is_the_same_text() {
    let repo = repo("");
    repo.write(".gitattributes", "*.md text eol=crlf\n");
    repo.commit("line ends");
    fs::remove_file(repo.root().join("prompts/s.md")).unwrap();
    repo.git(&["checkout", "--quiet", "--", "prompts/s.md"]);
    assert_eq!(repo.read("prompts/s.md"), "one\r\ntwo\r\n");
    assert_eq!(repo.json(&["HEAD"])["class"], "none");
}

#[test]
fn folders_that_were_renamed_and_a_base_without_a_project() {
    let repo = repo("");
    repo.git(&["mv", "prompts", "texts"]);
    repo.write("promptc.toml", "[paths]\nprompts = \"texts\"\n");
    let found = repo.json(&["HEAD"]);
    assert_eq!(profile(&found, "main")["class"], "meta", "{found:#}");

    let empty = Repo::new();
    empty.commit("nothing yet");
    empty.write("prompts/main.toml", MANIFEST);
    empty.write("prompts/s.md", "one\n");
    empty.write("profiles/main.toml", PROFILE);
    let run = empty.run(&["diff", "--fail-on", "tail"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("added  main  a new profile\n"), "{}", run.stdout);
    // The other way round.
    empty.commit("a project");
    let found = empty.json(&["HEAD", "HEAD~1"]);
    assert_eq!((&profile(&found, "main")["state"], &found["class"]), (&json!("removed"), &json!("meta")));
}

#[test]
fn what_is_not_there_is_said() {
    let says = |run: Run, words: &[&str]| {
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        for word in words {
            assert!(run.stderr.contains(word), "no `{word}` in {}", run.stderr);
        }
    };
    let repo = repo("");
    says(repo.run(&["diff", "nope"]), &["git knows no commit `nope`"]);
    says(repo.run(&["diff", "main..topic"]), &["is a range", "help: name both sides: `main` and `topic`"]);
    says(repo.run(&["diff", "HEAD", "nope"]), &["git knows no commit `nope`"]);
    repo.git(&["branch", "--move", "main", "trunk"]);
    says(repo.run(&["diff"]), &["has no default branch", "help: name what to compare with"]);

    // A clone without history, as a build server makes it.
    repo.git(&["branch", "--move", "trunk", "main"]);
    let first = repo.commit("second");
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.commit("third");
    repo.git(&["checkout", "--quiet", "main"]);
    let clone = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.top().display());
    git(clone.path(), &["clone", "--quiet", "--depth", "1", "--branch", "topic", &url, "."]);
    let unshallow = "help: the clone is shallow: get its history with `git fetch --unshallow`";
    says(run_in(clone.path(), &["diff", &first]), &["git knows no commit", unshallow]);
    git(clone.path(), &["fetch", "--quiet", "--depth", "1", "origin", "main:refs/remotes/origin/main"]);
    says(run_in(clone.path(), &["diff"]), &["HEAD and `origin/main` have no common ancestor in this clone", unshallow]);
    says(run_in(clone.path(), &["diff", "main"]), &["help: did you mean `origin/main`?"]);
    // Where the remote's default is the branch itself, what HEAD has besides is hidden.
    repo.git(&["checkout", "--quiet", "topic"]);
    let clone = tempfile::tempdir().unwrap();
    git(clone.path(), &["clone", "--quiet", "--depth", "1", &url, "."]);
    let run = run_in(clone.path(), &["diff"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("note: the clone is shallow and HEAD is all that it has: "), "{}", run.stderr);
    assert_eq!(run_in(clone.path(), &["diff", "HEAD"]).stderr, "");

    let nowhere = crate::support::Project::of("[[section]]\nid = \"s\"\nzone = \"static\"\ntext = \"s\"\n");
    says(nowhere.run(&["diff"]), &["is in no git repository that can be read: not a git repository"]);
}
