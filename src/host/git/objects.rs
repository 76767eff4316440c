//! Objects by `git cat-file --batch`: one process, one question at a time.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::command::{self, Place};
use crate::host::Error;

/// Longest answer line.
const MAX_LINE: u64 = 4096;

/// The object store.
pub(super) struct Objects {
    place: Place,
    process: RefCell<Option<Process>>,
}

/// One object.
pub(super) struct Object {
    /// Its id.
    pub(super) id: String,
    /// `blob`, `tree`, `commit` or `tag`.
    pub(super) kind: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
}

/// Why there is no object.
pub(super) enum NoObject {
    /// The store does not have it.
    Missing,
    /// More bytes than allowed.
    TooLarge(u64),
    /// Git gave up.
    Failed(Error),
}

struct Process {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    /// The object store of a repository. Git is started with the first question.
    pub(super) fn open(place: Place) -> Objects {
        Objects { place, process: RefCell::new(None) }
    }

    /// The object of a name: an id, perhaps with `^{tree}`. Names come from git itself and have no line end.
    pub(super) fn get(&self, name: &str, limit: u64) -> Result<Object, NoObject> {
        let mut slot = self.process.borrow_mut();
        let mut process = match slot.take() {
            Some(process) => process,
            None => Process::start(&self.place).map_err(NoObject::Failed)?,
        };
        let answer = process.ask(name, limit).map_err(|e| NoObject::Failed(broken(name, &e)))?;
        // Behind a text that was not read the process is of no more use; the next question starts another.
        if !matches!(answer, Err(NoObject::TooLarge(_))) {
            *slot = Some(process);
        }
        answer
    }
}

impl Process {
    fn start(place: &Place) -> Result<Process, Error> {
        let mut command = place.git(&["cat-file", "--batch"]);
        let mut child =
            command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| command::not_run(&e))?;
        let questions = child.stdin.take().expect("stdin is a pipe");
        let answers = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        Ok(Process { child, questions, answers })
    }

    fn ask(&mut self, name: &str, limit: u64) -> std::io::Result<Result<Object, NoObject>> {
        self.questions.write_all(format!("{name}\n").as_bytes())?;
        self.questions.flush()?;
        let mut line = Vec::new();
        self.answers.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        let line = String::from_utf8_lossy(&line);
        let ended = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let (id, kind, size) = match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            [id, kind, size] => (id, kind, size.parse::<u64>().map_err(|_| ended())?),
            [_, "missing"] => return Ok(Err(NoObject::Missing)),
            _ => return Err(ended()),
        };
        if size > limit {
            return Ok(Err(NoObject::TooLarge(size)));
        }
        let mut bytes = Vec::new();
        self.answers.by_ref().take(size + 1).read_to_end(&mut bytes)?;
        if bytes.pop() != Some(b'\n') || bytes.len() as u64 != size {
            return Err(ended());
        }
        Ok(Ok(Object { id: id.to_owned(), kind: kind.to_owned(), bytes }))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be writing a text that nobody reads. That it has ended already is no fault.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn broken(name: &str, error: &std::io::Error) -> Error {
    let why = crate::host::disk::reason(error);
    Error::new(format!("git gave no answer about the object {name}: {why}"))
        .help("see what is wrong with the repository: `git fsck`")
}
