//! Token counting beside its peers, in one process after another and in one run.
//!
//! `compare corpus DIR` makes the texts, `compare table DIR` counts them with each engine in turn, `compare count ENGINE
//! FILE` is a whole process for one count, `compare strings N DIR` prints strings with their counts as JSON for another
//! program to check. `benches/compare/run` does all of it.

mod texts;

use std::path::Path;
use std::{env, fs, thread};

use promptc::tokens::Encoding;
use rustix::time::{ClockId, clock_gettime};

/// Times that every engine counts a text; the fastest is told.
const ROUNDS: usize = 9;

/// What counts tokens. All but the last count both encodings; that one does not count at all, and shows what a process
/// and reading cost.
const ENGINES: [&str; 4] = ["promptc", "bpe-openai", "tiktoken-rs", "nothing"];

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["corpus", folder] => texts::write(Path::new(folder)),
        ["table", folder] => table(Path::new(folder)),
        ["count", engine, file] => println!("{}", count(engine, Encoding::O200kBase, &read(Path::new(file)))),
        ["strings", number, folder] => strings(number.parse().expect("a number of strings"), Path::new(folder)),
        _ => panic!("compare corpus DIR | table DIR | count ENGINE FILE | strings N DIR"),
    }
}

fn count(engine: &str, encoding: Encoding, text: &str) -> u64 {
    match (engine, encoding) {
        ("promptc", _) => encoding.count(text),
        ("bpe-openai", Encoding::Cl100kBase) => bpe_openai::cl100k_base().count(text) as u64,
        ("bpe-openai", _) => bpe_openai::o200k_base().count(text) as u64,
        ("tiktoken-rs", Encoding::Cl100kBase) => {
            tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len() as u64
        }
        ("tiktoken-rs", _) => tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64,
        ("nothing", _) => text.len() as u64,
        _ => panic!("no engine {engine}: {ENGINES:?}"),
    }
}

/// A line for each text and encoding: megabytes for each second of the processor, and how many times as many as the
/// peers.
fn table(folder: &Path) {
    println!(
        "{:12} {:12} {:>9} {:>9} {:>11} {:>8} {:>8}",
        "text", "encoding", "promptc", "bpe", "tiktoken-rs", "/bpe", "/tik"
    );
    for name in texts::NAMES {
        let text = read(&folder.join(name));
        for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
            // It fails on long runs of blanks, and takes minutes on other long runs.
            let engines = if texts::is_run(name) { &ENGINES[..2] } else { &ENGINES[..3] };
            let mut best = [f64::MAX; 3];
            let mut counts = [0; 3];
            for _ in 0..ROUNDS {
                for (n, engine) in engines.iter().enumerate() {
                    let (found, seconds) = timed(engine, encoding, &text);
                    counts[n] = found;
                    best[n] = best[n].min(seconds);
                }
            }
            assert!(counts[..engines.len()].iter().all(|n| *n == counts[0]), "{name}: {counts:?}");
            let speed = best.map(|time| text.len() as f64 / time / 1e6);
            let known = |shown: String| if engines.len() == 3 { shown } else { "-".to_owned() };
            println!(
                "{name:12} {:12} {:9.1} {:9.1} {:>11} {:8.2} {:>8}",
                encoding.name(),
                speed[0],
                speed[1],
                known(format!("{:.1}", speed[2])),
                best[1] / best[0],
                known(format!("{:.2}", best[2] / best[0])),
            );
        }
    }
}

/// Counts in a thread of its own, so that nothing is remembered of the text from another round.
fn timed(engine: &str, encoding: Encoding, text: &str) -> (u64, f64) {
    let measured = || {
        count(engine, encoding, "set up");
        let start = processor_time();
        (count(engine, encoding, text), processor_time() - start)
    };
    thread::scope(|scope| scope.spawn(measured).join().expect("no engine fails"))
}

/// Seconds that this thread has had of a processor: other programs do not count.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn strings(number: usize, folder: &Path) {
    for text in texts::parts(&read(&folder.join("mixed")), number) {
        let [o200k, cl100k] = [Encoding::O200kBase, Encoding::Cl100kBase].map(|encoding| encoding.count(&text));
        println!("{}", serde_json::json!({ "text": text, "o200k_base": o200k, "cl100k_base": cl100k }));
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
