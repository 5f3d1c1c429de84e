//! Whether other programs took the processors during a measurement.

use std::fs;

use rayon::ThreadPool;

use crate::clock::now;
use crate::terminal;

/// The time of work that one thread does, without the time for which that thread had to wait for a
/// processor, where the system tells it (Linux). With more threads, the time by the clock.
pub(super) struct Timer {
    start: u64,
    waited: u64,
}

impl Timer {
    pub(super) fn start() -> Timer {
        let waited = waited_here();
        Timer { start: now(), waited }
    }

    /// Nanoseconds since the start.
    pub(super) fn stop(&self) -> u64 {
        (now() - self.start).saturating_sub(waited_here() - self.waited)
    }
}

/// Nanoseconds that this thread has waited for a processor, if it is the only one of its pool.
fn waited_here() -> u64 {
    if rayon::current_num_threads() != 1 {
        return 0;
    }
    fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|line| times(&line))
        .map_or(0, |time| time.waited)
}

/// The times in a line of the scheduler.
fn times(line: &str) -> Option<Spent> {
    let mut numbers = line.split_whitespace().map(str::parse::<u64>);
    let (Some(Ok(ran)), Some(Ok(waited))) = (numbers.next(), numbers.next()) else { return None };
    Some(Spent { ran, waited })
}

/// A share of the time of all threads that they may wait for a processor before a warning.
const ALLOWED: f64 = 0.05;

/// Runs `work` in the threads of a pool, and prints a warning if other programs took the
/// processors.
pub(super) fn watched<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    pool.install(|| {
        let watch = Watch::start();
        let result = work();
        watch.tell();
        result
    })
}

/// Nanoseconds of all threads below which a measurement says nothing about the machine.
const LEAST: u64 = 2_000_000_000;

/// The times of the threads of this process when a measurement began.
struct Watch(Option<Spent>);

/// Nanoseconds that threads ran, and that they could have run but had to wait for a processor.
#[derive(Clone, Copy, Default)]
struct Spent {
    ran: u64,
    waited: u64,
}

impl Watch {
    /// Starts a measurement.
    fn start() -> Watch {
        Watch(spent())
    }

    /// Prints a warning if threads had to wait for other programs. Says nothing where the system
    /// does not tell (other systems than Linux).
    fn tell(&self) {
        let Some(share) = self.0.zip(spent()).and_then(|(start, end)| waited_share(start, end)) else {
            return;
        };
        if ALLOWED < share {
            terminal::say(&format!(
                "warning: the machine was busy: {:.0} % of the time went to other programs, so times \
                 vary; ratios suffer less\n",
                100.0 * share
            ));
        }
    }
}

/// The share of the time since `start` that threads waited; `None` if that time is too short.
fn waited_share(start: Spent, end: Spent) -> Option<f64> {
    let [ran, waited] = [end.ran.saturating_sub(start.ran), end.waited.saturating_sub(start.waited)];
    (LEAST <= ran + waited).then(|| waited as f64 / (ran + waited) as f64)
}

/// The times of all threads of this process, as the scheduler of Linux counts them.
fn spent() -> Option<Spent> {
    let mut all = Spent::default();
    for task in fs::read_dir("/proc/self/task").ok()?.flatten() {
        // A thread may have ended in the meantime.
        let Ok(line) = fs::read_to_string(task.path().join("schedstat")) else { continue };
        let Some(Spent { ran, waited }) = times(&line) else { continue };
        all.ran += ran;
        all.waited += waited;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_leaves_out_what_the_scheduler_counts_as_waiting() {
        assert_eq!(times("12 34 5").map(|time| [time.ran, time.waited]), Some([12, 34]));
        assert!(times("").is_none() && times("12").is_none());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let before = now();
            let timer = Timer::start();
            let time = timer.stop();
            assert!(time <= now() - before);
        });
    }

    #[test]
    fn the_share_is_of_the_time_in_between() {
        let start = Spent { ran: LEAST, waited: 9 * LEAST };
        assert_eq!(waited_share(start, Spent { ran: 10 * LEAST, waited: 10 * LEAST }), Some(0.1));
        assert_eq!(waited_share(start, Spent { ran: LEAST + 1000, ..start }), None);
    }
}
