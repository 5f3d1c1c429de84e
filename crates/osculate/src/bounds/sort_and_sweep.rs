//! Sort and sweep: all pairs of overlapping bounds (Cohen et al. 1995, I-COLLIDE, for one axis).
//!
//! All bounds are sorted by their lower ends on one axis and swept in that order; each is compared
//! with those that have begun and not ended yet. The axis is the one with the fewest overlapping
//! intervals, which can be counted without listing them. So bodies spread out along any axis cost n
//! log n; bodies that overlap on every axis without touching cost more, up to all pairs.

use super::Slabs;

/// Scratch memory of a sweep, and its result.
#[derive(Default)]
pub(crate) struct SortAndSweep {
    order: Vec<usize>,
    /// Bounds that have begun and not ended.
    open: Vec<usize>,
    begins: Vec<f32>,
    ends: Vec<f32>,
    /// The intervals of all bounds on the axis of the sweep.
    intervals: Vec<[f32; 2]>,
    /// Each pair `[i, j]`, `i < j`, of bounds that overlap and for which `may(i, j)` holds, in no
    /// particular order.
    pub(crate) pairs: Vec<[usize; 2]>,
}

/// With fewer bounds, all pairs are compared.
const FEW: usize = 8;

impl SortAndSweep {
    /// Finds the pairs, and returns the number of comparisons.
    pub(crate) fn find<const N: usize>(
        &mut self,
        bounds: &[Slabs<N>],
        may: impl Fn(usize, usize) -> bool,
    ) -> u64 {
        self.order.clear();
        self.order.extend((0..bounds.len()).filter(|&i| !bounds[i].is_empty()));
        let interval = |i: usize, axis: usize| bounds[i].interval(axis);
        self.sweep(bounds.len(), &interval, &may, &|i, j| bounds[i].overlaps(&bounds[j]))
    }

    /// The same, whatever the bounds are and whoever asks, so that it is compiled once.
    fn sweep(
        &mut self,
        n: usize,
        interval_on: &dyn Fn(usize, usize) -> [f32; 2],
        may: &dyn Fn(usize, usize) -> bool,
        overlap: &dyn Fn(usize, usize) -> bool,
    ) -> u64 {
        let SortAndSweep { order, open, begins, ends, intervals, pairs } = self;
        pairs.clear();
        let mut n_tests = 0;
        let mut compare = |first: usize, second: usize| {
            if may(first, second) {
                n_tests += 1;
                if overlap(first, second) {
                    pairs.push([first, second]);
                }
            }
        };
        if order.len() < FEW {
            for (k, &i) in order.iter().enumerate() {
                order[k + 1..].iter().for_each(|&j| compare(i, j));
            }
            return n_tests;
        }
        let axis =
            (0..3).min_by_key(|&axis| n_overlaps(order.iter().map(|&i| interval_on(i, axis)), begins, ends));
        intervals.clear();
        intervals.extend((0..n).map(|i| interval_on(i, axis.unwrap_or(0))));
        let interval = |i: usize| intervals[i];
        order.sort_unstable_by(|&i, &j| interval(i)[0].total_cmp(&interval(j)[0]));
        open.clear();
        for &i in order.iter() {
            let [begin, _] = interval(i);
            // Closed intervals: one that ends where another begins overlaps it.
            open.retain(|&other| begin <= interval(other)[1]);
            open.iter().for_each(|&other| compare(i.min(other), i.max(other)));
            open.push(i);
        }
        n_tests
    }
}

/// Number of pairs of closed intervals that overlap: all pairs minus those of which one ends before
/// the other begins.
fn n_overlaps(
    intervals: impl Iterator<Item = [f32; 2]>,
    begins: &mut Vec<f32>,
    ends: &mut Vec<f32>,
) -> usize {
    begins.clear();
    ends.clear();
    for [begin, end] in intervals {
        begins.push(begin);
        ends.push(end);
    }
    begins.sort_unstable_by(f32::total_cmp);
    ends.sort_unstable_by(f32::total_cmp);
    let mut n_ended = 0;
    let mut n_apart = 0;
    for &begin in begins.iter() {
        while n_ended < ends.len() && ends[n_ended] < begin {
            n_ended += 1;
        }
        n_apart += n_ended;
    }
    begins.len() * begins.len().saturating_sub(1) / 2 - n_apart
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random boxes on a coarse grid, so that many touch; some without extent, some infinite, some
    /// empty.
    fn random<const N: usize>(n: usize, next: &mut impl FnMut(u64) -> u64) -> Vec<Slabs<N>> {
        let spread = 1 + next(60);
        let mut slabs = || {
            let mut slabs = Slabs::EMPTY;
            for axis in 0..N {
                slabs.lo[axis] = next(spread) as f32 - 9.0;
                slabs.hi[axis] = slabs.lo[axis] + next(4) as f32;
                match next(40) {
                    0 => slabs.lo[axis] = f32::NEG_INFINITY,
                    1 => slabs.hi[axis] = f32::INFINITY,
                    2 => (slabs.lo[axis], slabs.hi[axis]) = (-f32::MAX, f32::MAX),
                    3 => (slabs.lo[axis], slabs.hi[axis]) = (f32::MAX, f32::INFINITY),
                    4 => slabs.lo[axis] = if slabs.lo[axis] == 0.0 { -0.0 } else { slabs.lo[axis] },
                    _ => {}
                }
            }
            if next(20) == 0 { Slabs::EMPTY } else { slabs }
        };
        (0..n).map(|_| slabs()).collect()
    }

    fn check<const N: usize>(bounds: &[Slabs<N>]) {
        let may = |i: usize, j: usize| !(i * 7 + j).is_multiple_of(5);
        let mut sweep = SortAndSweep::default();
        let n_tests = sweep.find(bounds, may);
        let mut found = sweep.pairs;
        found.sort_unstable();
        let all = (0..bounds.len()).flat_map(|i| (i + 1..bounds.len()).map(move |j| [i, j]));
        let is_pair = |&[i, j]: &[usize; 2]| {
            may(i, j) && !bounds[i].is_empty() && !bounds[j].is_empty() && bounds[i].overlaps(&bounds[j])
        };
        let expected: Vec<_> = all.filter(is_pair).collect();
        assert_eq!(found, expected);
        assert!(expected.len() as u64 <= n_tests);
    }

    #[test]
    fn the_same_as_all_pairs() {
        let mut state = 7u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % n
        };
        for n in [0, 1, 2, 3, 20, 60] {
            for _ in 0..200 {
                check::<3>(&random(n, &mut next));
                check::<6>(&random(n, &mut next));
                check::<9>(&random(n, &mut next));
            }
        }
    }

    #[test]
    fn bodies_in_a_row_are_compared_with_neighbors_only() {
        for axis in 0..3 {
            let at = |i: usize| {
                let mut slabs = Slabs::<3> { lo: [0.0; 3], hi: [1.0; 3] };
                (slabs.lo[axis], slabs.hi[axis]) = (2.0 * i as f32, 2.0 * i as f32 + 2.0);
                slabs
            };
            let bounds: Vec<_> = (0..2000).map(at).collect();
            let mut sweep = SortAndSweep::default();
            let n_tests = sweep.find(&bounds, |_, _| true);
            assert_eq!((sweep.pairs.len(), n_tests), (1999, 1999));
        }
    }
}
