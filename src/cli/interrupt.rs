//! What a user sees of a run that a signal stops. The run ends by that signal, as it would without this.

#[cfg(unix)]
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal is the usual way to end the run.
static IS_USUAL: AtomicBool = AtomicBool::new(false);

/// From here on a signal is the usual way to end the run, and nothing is said of it.
pub(super) fn is_usual() {
    IS_USUAL.store(true, Ordering::Relaxed);
}

/// Waits for a signal beside the work.
#[cfg(unix)]
pub(super) fn listen() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // Without a way to listen the default holds, which ends the run and says nothing.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let name = if signal == SIGINT { "interrupt" } else { "request to end" };
            if !IS_USUAL.load(Ordering::Relaxed) {
                // Nobody is left to tell when stderr is closed.
                _ = std::io::stderr().write_all(text(name).as_bytes());
            }
            _ = emulate_default_handler(signal);
        }
    };
    _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Elsewhere the system's own way holds.
#[cfg(not(unix))]
pub(super) fn listen() {}

#[cfg(unix)]
fn text(name: &str) -> String {
    format!(
        "error: stopped by a signal: {name}\n  \
         note: every output folder is whole, the old one or the new one; the next run removes what is left beside it\n"
    )
}
