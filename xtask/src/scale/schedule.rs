//! A simulation of clips on workers.
//!
//! A clip occupies one worker for its duration. Reading, queues and failures cost nothing, so the
//! times are lower bounds; what is simulated is how long workers wait for the last one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which worker takes which clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Each worker has a part that is fixed before, by a hash, as with `--shard`.
    Shards,
    /// The next free worker takes the next clip.
    Queue,
    /// The same, the longest clips first.
    LongestFirst,
}

impl Order {
    pub(super) fn words(self) -> &'static str {
        match self {
            Order::Shards => "fixed parts",
            Order::Queue => "one queue",
            Order::LongestFirst => "one queue, longest first",
        }
    }
}

/// A sequence of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n as u64) as usize
    }
}

/// Durations drawn with replacement from measured ones; the same in each run.
pub(super) fn draw(measured: &[f64], n: usize) -> Vec<f64> {
    let mut random = Random(1);
    (0..n).map(|_| measured[random.below(measured.len())]).collect()
}

/// When each of the workers ends, all of them starting at 0.
pub(super) fn simulate(durations: &[f64], workers: usize, order: Order) -> Vec<f64> {
    if order == Order::Shards {
        let (mut ends, mut random) = (vec![0.0; workers], Random(2));
        durations.iter().for_each(|duration| ends[random.below(workers)] += duration);
        return ends;
    }
    let mut queue = durations.to_vec();
    if order == Order::LongestFirst {
        queue.sort_by(|a, b| b.total_cmp(a));
    }
    // Nanoseconds are ordered.
    let mut free: BinaryHeap<Reverse<u64>> = (0..workers).map(|_| Reverse(0)).collect();
    for duration in queue {
        if let Some(Reverse(time)) = free.pop() {
            free.push(Reverse(time + (1e9 * duration) as u64));
        }
    }
    free.into_iter().map(|Reverse(time)| 1e-9 * time as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(durations: &[f64], workers: usize, order: Order) -> f64 {
        simulate(durations, workers, order).into_iter().fold(0.0, f64::max)
    }

    #[test]
    fn the_longest_first_ends_earlier() {
        let durations = [1.0, 1.0, 1.0, 1.0, 4.0];
        assert_eq!(last(&durations, 2, Order::Queue), 6.0);
        assert_eq!(last(&durations, 2, Order::LongestFirst), 4.0);
    }

    #[test]
    fn no_schedule_loses_work_or_is_faster_than_its_work() {
        let durations = draw(&[0.5, 1.0, 7.0], 1000);
        let work: f64 = durations.iter().sum();
        for order in [Order::Shards, Order::Queue, Order::LongestFirst] {
            for workers in [1, 3, 40] {
                let ends = simulate(&durations, workers, order);
                assert!((ends.iter().sum::<f64>() - work).abs() < 1e-3, "{order:?}, {workers} workers");
            }
            assert!((last(&durations, 1, order) - work).abs() < 1e-3, "{order:?}");
        }
    }
}
