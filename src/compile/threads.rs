//! Many things at once, on as many threads as there are cores. What comes out is in the order of what goes in, so that it
//! is the same on one thread.
//!
//! Does not know what is made. Main entry: [`in_order`].

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{OnceLock, mpsc};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Fewer things are made on the thread that asks.
const MANY: usize = 8;

/// Things that are under way or ready, and not taken yet: what they hold is in memory.
const AHEAD: usize = 64;

/// The stack that the deepest allowed expression and template need, with room to spare. Only what is used is taken.
pub const STACK: usize = 512 << 20;

/// Makes something of each item, and hands it over in the order of the items.
pub fn in_order<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync, mut take: impl FnMut(R)) {
    match pool().filter(|pool| items.len() >= MANY && pool.current_num_threads() > 1) {
        Some(pool) => pool.in_place_scope(|scope| {
            let (done, ready) = mpsc::channel();
            let make = &make;
            let start = |n: usize| {
                let done = done.clone();
                scope.spawn(move |_| {
                    let made = catch_unwind(AssertUnwindSafe(|| make(&items[n])));
                    // Nobody waits for it any more when an earlier one has panicked.
                    _ = done.send((n, made));
                });
            };
            (0..items.len().min(AHEAD)).for_each(start);
            let mut early = BTreeMap::new();
            for n in 0..items.len() {
                take(next(n, &ready, &mut early));
                if n + AHEAD < items.len() {
                    start(n + AHEAD);
                }
            }
        }),
        None => items.iter().for_each(|item| take(make(item))),
    }
}

/// What came of an item, or its panic.
type Made<R> = Result<R, Box<dyn Any + Send>>;

/// What is made of the item `n`. What comes earlier than that is kept.
fn next<R>(n: usize, ready: &mpsc::Receiver<(usize, Made<R>)>, early: &mut BTreeMap<usize, Made<R>>) -> R {
    while !early.contains_key(&n) {
        let (n, made) = ready.recv().expect("every item that was started is sent");
        early.insert(n, made);
    }
    match early.remove(&n).expect("it has come") {
        Ok(made) => made,
        Err(panic) => resume_unwind(panic),
    }
}

/// Threads that live as long as the process; none where a system gives none.
fn pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_keeps_its_place() {
        let items: Vec<u64> = (0..500).collect();
        let mut taken = Vec::new();
        let slow = |n: &u64| (0..(500 - n) * 100).fold(*n, |sum, m| std::hint::black_box(sum ^ m ^ m));
        in_order(&items, slow, |n| taken.push(n));
        assert_eq!(taken, items);
    }

    #[test]
    fn a_panic_comes_out_where_it_is_waited_for() {
        let mut taken = Vec::new();
        let made = catch_unwind(AssertUnwindSafe(|| {
            let make = |n: &usize| if *n == 70 { panic!("meant by a test") } else { *n };
            in_order(&(0..200).collect::<Vec<_>>(), make, |n| taken.push(n));
        }));
        assert!(made.is_err());
        assert_eq!(taken, (0..70).collect::<Vec<_>>());
    }
}
