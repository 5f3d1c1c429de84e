//! Parallel loops in the current rayon thread pool, or on one thread alone.
//!
//! The only loop that rayon compiles is one over indices, through a trait object; all others are
//! made of it, with a slot for each item. Parallel iterators, compiled anew for each closure, were
//! a quarter of the machine code of the library. Items are tasks of a microsecond or more: callers
//! cut slices into chunks.

use rayon::prelude::*;
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// Whether this thread works alone.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f` on the calling thread alone: queries and models in it use no thread pool. For small
/// bodies that is faster than to wake the threads of a pool; the answers are the same.
///
/// ```
/// use osculate::{Mesh, Model, on_this_thread};
///
/// let mesh = Mesh::new(vec![[0, 1, 2]], 3)?;
/// let rest = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let model = on_this_thread(|| Model::new(mesh, &rest))?;
/// # Ok::<(), osculate::Error>(())
/// ```
pub fn on_this_thread<T>(f: impl FnOnce() -> T) -> T {
    /// Ends it, even after a panic.
    struct Until(bool);
    impl Drop for Until {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }
    let _until = Until(IS_ALONE.replace(true));
    f()
}

/// Number of threads that work together.
pub(crate) fn count() -> usize {
    // Outside of a pool, rayon would start its own.
    if IS_ALONE.get() { 1 } else { rayon::current_num_threads() }
}

/// Calls `f` for each index below `n`.
fn for_each_index(n: usize, f: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().with_max_len(1).for_each(f);
}

/// Calls `f` with each item.
pub(crate) fn for_each<T: Send>(items: impl IntoIterator<Item = T>, f: impl Fn(T) + Sync) {
    if count() == 1 {
        // A thread of the pool would have to wake up.
        return items.into_iter().for_each(f);
    }
    let slots: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    if let [_] = slots[..] {
        return slots.into_iter().filter_map(into_inner).for_each(f);
    }
    for_each_index(slots.len(), &|i| {
        // No lock is held while `f` runs.
        let item = slots[i].lock().unwrap_or_else(PoisonError::into_inner).take();
        item.into_iter().for_each(&f);
    });
}

/// Returns the results of `f` for all items, in the order of the items.
pub(crate) fn map<T: Send, R: Send>(items: impl IntoIterator<Item = T>, f: impl Fn(T) -> R + Sync) -> Vec<R> {
    let items: Vec<T> = items.into_iter().collect();
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    for_each(items.into_iter().zip(&results), |(item, slot)| {
        let result = f(item);
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    results.into_iter().filter_map(into_inner).collect()
}

fn into_inner<T>(slot: Mutex<Option<T>>) -> Option<T> {
    slot.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Fewer items are sorted by the calling thread.
const LEAST_SORTED: usize = 1 << 12;

/// Sorts items by their keys. The order of items with the same key may depend on the number of
/// threads.
pub(crate) fn sort_by_key<T: Send, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Sync) {
    let n_threads = count();
    if n_threads == 1 || items.len() < LEAST_SORTED {
        return items.sort_unstable_by_key(key);
    }
    for_each(items.chunks_mut(items.len().div_ceil(n_threads)), |chunk| chunk.sort_unstable_by_key(&key));
    // A stable sort finds the sorted chunks and merges them.
    items.sort_by_key(key);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for n in [0, 1, 2, 1000] {
            assert_eq!(map(0..n, |i| 2 * i), (0..n).map(|i| 2 * i).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_thread_alone_does_all_work() {
        let this = std::thread::current().id();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let all = pool.install(|| {
            let this = std::thread::current().id();
            on_this_thread(|| map(0..100, |_| std::thread::current().id() == this))
        });
        assert!(all.into_iter().all(|is_this| is_this));
        let counts = on_this_thread(|| (count(), on_this_thread(count), count()));
        assert_eq!(counts, (1, 1, 1));
        assert!(on_this_thread(|| map(0..100, |_| std::thread::current().id() == this)).iter().all(|&is| is));
        assert_eq!(pool.install(count), 3);
        assert!(std::panic::catch_unwind(|| on_this_thread(|| panic!("a defect"))).is_err());
        assert!(!IS_ALONE.get());
    }

    #[test]
    fn items_are_sorted_at_any_number_of_threads() {
        let shuffled: Vec<u64> =
            (0..20_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).collect();
        let mut expected = shuffled.clone();
        expected.sort_unstable();
        for n_threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let mut items = shuffled.clone();
            pool.install(|| sort_by_key(&mut items, |&item| item));
            assert!(items == expected, "{n_threads}");
        }
    }
}
