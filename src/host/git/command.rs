//! Running git: always the same few commands, none of which runs anything else.

use std::process::{Command, Stdio};

use camino::Utf8PathBuf;

use crate::host::Error;

/// Which repository git is to look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The one that holds this folder.
    Folder(Utf8PathBuf),
    /// The one of this `.git` folder.
    Repository(Utf8PathBuf),
    /// The one that the environment names.
    Environment,
}

/// What a command gave.
pub(super) struct Output {
    pub(super) ok: bool,
    text: String,
    /// What it wrote to stderr.
    pub(super) said: String,
}

/// Variables that name a repository. Those that say where objects are stay: a hook on a server sees new objects by them.
const REPOSITORY_VARIABLES: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
];

/// Settings of the repository that could run a program, or reach a network, overruled.
const SETTINGS: [&str; 5] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "protocol.allow=never",
    // A bare repository that is itself a folder of a project is not what is meant.
    "safe.bareRepository=explicit",
];

impl Place {
    /// A git command on the repository.
    pub(super) fn git(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.args(["--no-pager", "--no-replace-objects"]);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        if *self != Place::Environment {
            REPOSITORY_VARIABLES.iter().for_each(|name| _ = command.env_remove(name));
        }
        match self {
            Place::Folder(folder) => _ = command.args(["-C", folder.as_str()]),
            Place::Repository(git_dir) => _ = command.arg(format!("--git-dir={git_dir}")),
            Place::Environment => {}
        }
        // A partial clone must not fetch what it lacks; nothing asks a person; messages are in English.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The folder that all working trees of the repository share.
    pub(super) fn common(&self) -> Result<String, Error> {
        let output = run(self, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        Ok(output.text)
    }
}

impl Output {
    /// The lines of stdout.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }
}

/// Runs a command to its end. That it failed is in the output; an error is that there is no git.
pub(super) fn run(place: &Place, args: &[&str]) -> Result<Output, Error> {
    let output = place.git(args).output().map_err(|e| not_run(&e))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Output { ok: output.status.success(), text: text(output.stdout), said: text(output.stderr) })
}

pub(super) fn not_run(error: &std::io::Error) -> Error {
    Error::new(format!("cannot run git: {}", crate::host::disk::reason(error)))
        .help("install git, and put it on the path")
}
