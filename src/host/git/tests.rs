//! Repositories made with git in temporary folders.

use std::fs;
use std::process::Command;

use super::*;

struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    fn new() -> Repo {
        let repo = Repo { folder: tempfile::tempdir().unwrap() };
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    /// Runs git as a person would, whose own settings do not matter here.
    fn git(&self, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"])
            .args(["-c", "protocol.file.allow=always"])
            .args(args)
            .current_dir(self.path())
            .env_remove("GIT_DIR")
            .output()
            .unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn at(&self, root: &str, revision: &str) -> Git {
        let repository = Repository::of(&self.path().join(root)).unwrap();
        repository.at(&repository.revision(revision).unwrap()).unwrap()
    }
}

#[test]
fn files_of_a_revision_are_those_of_the_commit() {
    let repo = Repo::new();
    repo.write("sub dir/prompts/a.md", "one\r\n");
    repo.write("sub dir/prompts/b/c.md", "c");
    repo.write("other/prompts/x.md", "x");
    let first = repo.commit("first");
    repo.write("sub dir/prompts/a.md", "two");
    repo.git(&["config", "core.autocrlf", "true"]);

    let git = repo.at("sub dir", "HEAD");
    assert_eq!(git.list("prompts", 9).unwrap(), ["prompts/a.md", "prompts/b/c.md"]);
    assert_eq!(git.read("prompts/a.md", 99), Ok(b"one\r\n".to_vec()), "the bytes of the object");
    assert_eq!(git.read("prompts/a.md", 4), Err(ReadError::TooLarge { bytes: 5 }));
    assert_eq!(git.read("prompts/b/c.md", 4), Ok(b"c".to_vec()), "behind one that was too large");
    assert_eq!(git.read("prompts/a.md/b", 4), Err(ReadError::Missing));
    assert_eq!(git.read("prompts/z.md", 4), Err(ReadError::Missing));
    assert_eq!(git.read("prompts", 4), Err(ReadError::NotAFile));
    assert_eq!(git.read("../other/prompts/x.md", 4), Err(ReadError::OutsideRoot));
    assert_eq!(git.list("nowhere", 9).unwrap(), Vec::<String>::new());
    assert_eq!(git.list("prompts", 2).unwrap_err().message, "`prompts` holds more than 2 files");
    assert_eq!(git.list("prompts/a.md", 2).unwrap_err().message, "cannot list `prompts/a.md`: it is not a folder");
    let top = repo.at("", &first[..8]);
    assert_eq!(top.list("", 9).unwrap().len(), 3);
    // A folder that the commit does not have is an empty project.
    repo.write("new/prompts/a.md", "");
    let none = repo.at("new", "HEAD");
    assert_eq!(none.list("prompts", 9).unwrap(), Vec::<String>::new());
    assert_eq!(none.read("promptc.toml", 9), Err(ReadError::Missing));
}

#[cfg(unix)]
#[test]
fn links_stay_inside_the_root() {
    use std::os::unix::fs::symlink;
    let repo = Repo::new();
    repo.write("p/prompts/a.md", "a");
    repo.write("p/deep/er/b.md", "b");
    repo.write("secret.md", "s");
    let links = [
        ("p/prompts/same.md", "a.md"),
        ("p/prompts/up.md", "../prompts/./a.md"),
        ("p/prompts/out.md", "../../secret.md"),
        ("p/prompts/absolute.md", "/etc/hostname"),
        ("p/prompts/gone.md", "nothing.md"),
        ("p/prompts/loop.md", "loop.md"),
        ("p/prompts/folder", "../deep"),
        ("p/prompts/self", "."),
        ("p/deep/back", "../prompts"),
    ];
    for (at, target) in links {
        symlink(target, repo.path().join(at)).unwrap();
    }
    repo.commit("links");
    let git = repo.at("p", "HEAD");
    assert_eq!(git.read("prompts/same.md", 9), Ok(b"a".to_vec()));
    assert_eq!(git.read("prompts/up.md", 9), Ok(b"a".to_vec()));
    assert_eq!(git.read("prompts/folder/er/b.md", 9), Ok(b"b".to_vec()));
    assert_eq!(git.read("prompts/out.md", 9), Err(ReadError::OutsideRoot));
    assert_eq!(git.read("prompts/absolute.md", 9), Err(ReadError::OutsideRoot));
    assert_eq!(git.read("prompts/gone.md", 9), Err(ReadError::Missing));
    assert!(matches!(git.read("prompts/loop.md", 9), Err(ReadError::Failed(_))));
    // What a revision lists is what the disk lists.
    let disk = disk::Disk::at(&repo.path().join("p")).unwrap();
    assert_eq!(git.list("prompts", 99).unwrap(), disk.list("prompts", 99).unwrap());
    assert_eq!(git.list("deep", 99).unwrap(), disk.list("deep", 99).unwrap());
}

#[test]
fn names_that_are_no_revision_are_refused() {
    let repo = Repo::new();
    let empty = Repository::of(repo.path()).unwrap();
    assert_eq!(empty.default_base().unwrap_err().message, "the repository has no commit yet");
    repo.write("a", "a");
    repo.commit("first");
    let repository = Repository::of(repo.path()).unwrap();
    let message = |name: &str| repository.revision(name).unwrap_err().message;
    for name in ["--output=x", "-h", "", "a\nb", "HEAD\0"] {
        assert_eq!(message(name), format!("`{name}` is no revision"));
    }
    assert_eq!(message("nope"), "git knows no commit `nope`");
    assert_eq!(message("HEAD:a"), "git knows no commit `HEAD:a`");
    assert_eq!(message("HEAD~1"), "git knows no commit `HEAD~1`");
    let range = repository.revision("main...topic").unwrap_err();
    assert_eq!(range.help, ["name both sides: `main` and `topic`"]);
    assert!(!repo.path().join("x").exists());
}

#[test]
fn the_default_base_is_where_the_default_branch_was_left() {
    let repo = Repo::new();
    let root = repo.commit("root");
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.commit("topic");
    let base = || Repository::of(repo.path()).unwrap().default_base();
    assert_eq!(base().unwrap(), Revision { id: root.clone(), name: "merge base with main".into() });
    repo.git(&["branch", "--move", "main", "trunk"]);
    let error = base().unwrap_err();
    assert!(error.message.starts_with("the repository has no default branch"), "{error}");
    // What the remote calls its default comes first.
    repo.git(&["update-ref", "refs/remotes/origin/trunk", "trunk"]);
    repo.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    assert_eq!(base().unwrap().name, "merge base with origin/trunk");
    repo.git(&["checkout", "--quiet", "--orphan", "alone"]);
    repo.commit("alone");
    assert_eq!(base().unwrap_err().message, "HEAD and `origin/trunk` have no common ancestor in this clone");
    let error = Repository::of(repo.path()).unwrap().revision("trunk2").unwrap_err();
    assert!(error.help.is_empty());
    repo.git(&["update-ref", "refs/remotes/origin/trunk2", "trunk"]);
    let error = Repository::of(repo.path()).unwrap().revision("trunk2").unwrap_err();
    assert_eq!(error.help, ["did you mean `origin/trunk2`?"]);
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let repo = Repo::new();
    let first = repo.commit("first");
    repo.commit("second");
    let clone = Repo { folder: tempfile::tempdir().unwrap() };
    clone.git(&["clone", "--quiet", "--depth", "1", &format!("file://{}", repo.path()), "."]);
    let error = Repository::of(clone.path()).unwrap().revision(&first).unwrap_err();
    assert_eq!(error.help, ["the clone is shallow: get its history with `git fetch --unshallow`"]);
}

#[test]
fn submodules_and_large_files_elsewhere_are_told() {
    let other = Repo::new();
    other.write("x.md", "x");
    other.commit("other");
    let repo = Repo::new();
    repo.write("prompts/big.md", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    repo.git(&["submodule", "--quiet", "add", other.path().as_str(), "prompts/shared"]);
    repo.commit("with a submodule");
    let git = repo.at("", "HEAD");
    assert!(git.list("prompts", 9).unwrap_err().message.starts_with("`prompts/shared` is a submodule in "));
    assert!(matches!(git.read("prompts/shared/x.md", 9), Err(ReadError::Failed(_))));
    assert!(matches!(git.read("prompts/big.md", 999), Err(ReadError::Failed(_))));
    // A project inside of a submodule has that repository.
    let inside = Repository::of(&repo.path().join("prompts/shared")).unwrap();
    let head = inside.revision("HEAD").unwrap();
    assert_eq!(inside.at(&head).unwrap().list("", 9).unwrap(), ["x.md"]);
}

#[test]
fn a_working_tree_of_its_own_and_a_folder_without_one() {
    let repo = Repo::new();
    repo.write("p/prompts/a.md", "a");
    repo.commit("first");
    let outside = tempfile::tempdir().unwrap();
    let tree = Utf8Path::from_path(outside.path()).unwrap().join("tree");
    repo.git(&["worktree", "add", "--quiet", tree.as_str(), "-b", "topic"]);
    let repository = Repository::of(&tree.join("p")).unwrap();
    let git = repository.at(&repository.revision("topic").unwrap()).unwrap();
    assert_eq!(git.list("", 9).unwrap(), ["prompts/a.md"]);
    let nowhere = Utf8Path::from_path(outside.path()).unwrap();
    let error = Repository::of(nowhere).unwrap_err();
    assert!(error.message.ends_with("not a git repository (or any of the parent directories): .git"), "{error}");
}
