//! What a user sees of a fault of promptc itself: a message with a report to copy, and exit code 2.
//!
//! Memory that is not to be had and a stack that is full end a process before any hook; limits are there so that no
//! project gets so far.

use std::any::Any;
use std::io::Write;
use std::panic::{self, Location, PanicHookInfo};

use crate::report;

/// Tells of panics, on whatever thread.
pub(super) fn listen() {
    panic::set_hook(Box::new(|info| tell(info, &mut std::io::stderr())));
}

fn tell(info: &PanicHookInfo<'_>, err: &mut dyn Write) {
    let command = std::env::args_os().nth(1).map(|word| word.to_string_lossy().into_owned());
    let text = text(words(info.payload()), info.location(), command.as_deref().unwrap_or_default());
    // Nobody is left to tell when stderr is closed.
    _ = err.write_all(text.as_bytes());
}

fn words(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(words), _) => words,
        (None, Some(words)) => words,
        (None, None) => "no words",
    }
}

fn text(words: &str, place: Option<&Location<'_>>, command: &str) -> String {
    let place = place.map_or_else(|| "unknown".to_owned(), |at| format!("{}:{}", from_sources(at.file()), at.line()));
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let lines = [
        format!("promptc {} on {os} {arch}", env!("CARGO_PKG_VERSION")),
        format!("command: {}", report::one_line(command)),
        format!("place: {}", report::one_line(&place)),
        format!("words: {}", report::one_line(words)),
    ];
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "error: internal error: this is a fault of promptc, not of your project\n  \
         note: no output folder is half written; what was there before still stands\n  \
         help: report it with these lines, and with the smallest project that shows it:\n\n{lines}"
    )
}

/// The path of a source file without the folders of the machine that built the program.
fn from_sources(path: &str) -> &str {
    let start = path
        .rfind("/src/")
        .or_else(|| path.rfind("\\src\\"))
        .map_or(0, |at| path[..at].rfind(['/', '\\']).map_or(0, |slash| slash + 1));
    &path[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_what_is_needed_and_nothing_that_moves_a_cursor() {
        let text = text("no \u{1b}[31msuch\nindex", Some(Location::caller()), "build");
        assert!(text.starts_with("error: internal error: "), "{text}");
        for line in ["    command: build\n", "    words: no \\u{1b}[31msuch\\nindex\n", "    place: "] {
            assert!(text.contains(line), "no {line:?} in {text}");
        }
        assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("src/cli/panic.rs:"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn paths_begin_with_their_crate() {
        assert_eq!(from_sources("/build/registry/toml-1.2.0/src/de/mod.rs"), "toml-1.2.0/src/de/mod.rs");
        assert_eq!(from_sources("src/cli/panic.rs"), "src/cli/panic.rs");
        assert_eq!(from_sources("C:\\x\\toml\\src\\lib.rs"), "toml\\src\\lib.rs");
    }

    /// The program's own way through a panic.
    #[test]
    fn a_panic_of_the_work_is_exit_code_two() {
        let code = super::super::on_a_large_stack(|| panic!("meant by a test"));
        assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::from(2)));
    }
}
