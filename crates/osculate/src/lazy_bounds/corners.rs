//! The corners of the polytope of weights within intervals.

/// Maximum number of weights; more have too many corners.
const MOST_WEIGHTS: usize = 16;

/// Sums closer to 1 count as 1, and corners closer to each other as equal. This is more than the
/// rounding error of a sum plus half of 16 narrow intervals.
const SLACK: f64 = 1e-13;

/// Intervals up to this width, which may come from rounding, are replaced by their middle;
/// otherwise both ends of each would be tried.
const NARROW: f64 = 1e-14;

/// The corners of the polytope `lo <= w <= hi, sum w = 1`, all different, as rows of weights.
/// `None` if there are more than `most`, or more than 16 weights.
///
/// At a corner, all weights but one are at an end of their interval. Every row is within the
/// intervals, and its sum is 1 within 1e-13; every point of the polytope is within 1e-12 of a mean
/// of rows. If the polytope is empty by rounding, one row is returned: `lo` if its sum is more than
/// 1, `hi` otherwise.
pub(crate) fn corners(lo: &[f64], hi: &[f64], most: usize) -> Option<Vec<f64>> {
    debug_assert!(lo.len() == hi.len() && lo.iter().zip(hi).all(|(l, h)| l <= h));
    let n = lo.len();
    if MOST_WEIGHTS < n {
        return None;
    }
    let width = |k: usize| hi[k] - lo[k];
    let mut order: [usize; MOST_WEIGHTS] = std::array::from_fn(|k| k);
    order[..n].sort_unstable_by(|&i, &j| width(j).total_cmp(&width(i)).then(i.cmp(&j)));
    let mut search = Search {
        n,
        most,
        order,
        ends: [[0.0; 2]; 16],
        below: [[0.0; 2]; 17],
        row: [0.0; 16],
        rows: Vec::new(),
    };
    for place in (0..n).rev() {
        let k = order[place];
        let middle = 0.5 * (lo[k] + hi[k]);
        search.ends[place] = if width(k) <= NARROW { [middle; 2] } else { [lo[k], hi[k]] };
        search.below[place] = [0, 1].map(|end: usize| search.below[place + 1][end] + search.ends[place][end]);
    }
    search.go_on(0, [0.0; 2], None)?;
    if search.rows.is_empty() {
        let row = if 1.0 < lo.iter().sum() { lo } else { hi };
        return (0 < most).then(|| row.to_vec());
    }
    Some(search.rows)
}

/// Assigns weights one after the other, the widest intervals first. Then a prefix that can be
/// completed to a point of the polytope can also be completed to a corner: the remaining intervals
/// are no wider than that of the free weight, so the sum of their ends cannot skip over it.
struct Search {
    n: usize,
    most: usize,
    /// The weight at each place.
    order: [usize; MOST_WEIGHTS],
    /// The interval at each place.
    ends: [[f64; 2]; MOST_WEIGHTS],
    /// The least and the greatest sum of the weights from each place on.
    below: [[f64; 2]; MOST_WEIGHTS + 1],
    /// The weights by place.
    row: [f64; MOST_WEIGHTS],
    rows: Vec<f64>,
}

impl Search {
    /// Assigns the weights from a place on. The sum of the weights before is in the interval `sum`,
    /// which has the width of the free weight's interval, if there is a free weight. `None` if
    /// there are too many rows.
    fn go_on(&mut self, place: usize, sum: [f64; 2], free: Option<usize>) -> Option<()> {
        // A free weight is strictly between its ends; each end is tried separately.
        let slack = if free.is_some() { -0.5 * SLACK } else { SLACK };
        let [least, largest] = [0, 1].map(|end: usize| sum[end] + self.below[place][end]);
        if 1.0 + slack < least || largest < 1.0 - slack {
            return Some(());
        }
        if place == self.n {
            return self.push(free);
        }
        let [lo, hi] = self.ends[place];
        self.row[place] = lo;
        self.go_on(place + 1, sum.map(|x| x + lo), free)?;
        if lo < hi {
            self.row[place] = hi;
            self.go_on(place + 1, sum.map(|x| x + hi), free)?;
            if free.is_none() {
                self.go_on(place + 1, [sum[0] + lo, sum[1] + hi], Some(place))?;
            }
        }
        Some(())
    }

    /// Adds the row, unless it exists; the free weight completes the sum to 1. `None` if there are
    /// too many rows.
    fn push(&mut self, free: Option<usize>) -> Option<()> {
        if let Some(free) = free {
            let others: f64 = (0..self.n).filter(|&i| i != free).map(|i| self.row[i]).sum();
            let [lo, hi] = self.ends[free];
            self.row[free] = (1.0 - others).clamp(lo, hi);
        }
        let mut row = [0.0; MOST_WEIGHTS];
        for place in 0..self.n {
            row[self.order[place]] = self.row[place];
        }
        let row = &row[..self.n];
        let is_same = |other: &[f64]| row.iter().zip(other).all(|(a, b)| (a - b).abs() <= SLACK);
        if self.n == 0 || self.rows.chunks_exact(self.n).any(is_same) {
            return Some(());
        }
        if self.most * self.n <= self.rows.len() {
            return None;
        }
        self.rows.extend_from_slice(row);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lazy_bounds::bounded_mean::greatest;
    use crate::random::random;

    /// The rows, each checked.
    fn rows(lo: &[f64], hi: &[f64]) -> Vec<Vec<f64>> {
        let n = lo.len();
        let rows: Vec<_> = corners(lo, hi, 100_000).unwrap().chunks_exact(n).map(<[f64]>::to_vec).collect();
        for (i, row) in rows.iter().enumerate() {
            assert!((row.iter().sum::<f64>() - 1.0).abs() <= 1.1e-13);
            assert!((0..n).all(|k| lo[k] <= row[k] && row[k] <= hi[k]), "{row:?} {lo:?} {hi:?}");
            let between = (0..n).filter(|&k| lo[k] + 1e-13 < row[k] && row[k] < hi[k] - 1e-13).count();
            assert!(between <= 1);
            let differs = |other: &Vec<f64>| (0..n).any(|k| 1e-14 < (other[k] - row[k]).abs());
            assert!(rows[..i].iter().all(differs));
        }
        rows
    }

    /// Methods 5.3, implemented literally.
    fn naive(lo: &[f64], hi: &[f64]) -> Vec<Vec<f64>> {
        let n = lo.len();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for k in 0..n {
            for bits in (0_usize..1 << n).filter(|bits| bits >> k & 1 == 0) {
                let mut row: Vec<_> =
                    (0..n).map(|i| if bits >> i & 1 == 1 { hi[i] } else { lo[i] }).collect();
                row[k] = 0.0;
                row[k] = 1.0 - row.iter().sum::<f64>();
                let is_same = |other: &Vec<f64>| (0..n).all(|i| (other[i] - row[i]).abs() < 1e-12);
                if lo[k] - 1e-13 <= row[k] && row[k] <= hi[k] + 1e-13 && !rows.iter().any(is_same) {
                    rows.push(row);
                }
            }
        }
        rows
    }

    #[test]
    fn counts() {
        let count = |n: usize| rows(&vec![0.0; n], &vec![2.0 / n as f64; n]).len();
        assert_eq!([count(2), count(4), count(8), count(10)], [2, 6, 70, 252]);
        // An odd number leaves one weight in the middle.
        assert_eq!(count(5), 30);
        for n in 1..=16 {
            assert_eq!(rows(&vec![0.0; n], &vec![1.0; n]).len(), n);
            let same = vec![1.0 / n as f64; n];
            assert_eq!(rows(&same, &same).len(), 1);
        }
        assert_eq!(rows(&[1.0], &[1.0]), [[1.0]]);
        assert_eq!(rows(&[0.0], &[1.0]), [[1.0]]);
        assert_eq!(rows(&[1.0, 0.0], &[1.0, 0.0]), [[1.0, 0.0]]);
        assert_eq!(rows(&[0.25, 0.5], &[0.5, 1.0]), [[0.5, 0.5], [0.25, 0.75]]);
        assert_eq!(rows(&[1.0, 0.0, 0.0], &[1.0, 1.0, 1.0]), [[1.0, 0.0, 0.0]]);
        assert_eq!(rows(&[0.0, 0.3], &[0.7, 0.3]), [[0.7, 0.3]]);
    }

    #[test]
    fn not_more_than_asked_for() {
        let (lo, hi) = ([0.0; 8], [0.25; 8]);
        assert_eq!(corners(&lo, &hi, 69), None);
        assert_eq!(corners(&lo, &hi, 70).map(|rows| rows.len()), Some(560));
        assert_eq!(corners(&[0.0; 17], &[1.0; 17], 1000), None);
        assert_eq!(corners(&[1.0], &[1.0], 0), None);
        assert_eq!(corners(&[], &[], 1), Some(vec![]));
    }

    #[test]
    fn intervals_that_miss_one_by_rounding() {
        let above = [1.0 / 3.0 + 1e-12; 3];
        assert_eq!(corners(&above, &above, 10), Some(above.to_vec()));
        let below = [1.0 / 3.0 - 1e-12; 3];
        assert_eq!(corners(&below, &below, 10), Some(below.to_vec()));
        assert_eq!(corners(&[0.0; 3], &below, 10), Some(below.to_vec()));
        // Width of rounding errors: one row, and no search over all ends.
        let lo = [1.0 / 16.0; 16];
        for width in [1e-17, 1e-16, 1e-15, 1e-14] {
            assert_eq!(rows(&lo, &lo.map(|x| x + width)).len(), 1);
        }
    }

    #[test]
    fn random_weights_are_means_of_corners() {
        let mut r = random(1);
        for round in 0..2000 {
            let n = 1 + round % 9;
            // The intervals of a few sets of normalized weights, like those of the vertices of a
            // node.
            let samples: Vec<Vec<f64>> = (0..2 + round / 9 % 4)
                .map(|_| {
                    let raw: Vec<_> =
                        (0..n).map(|k| (r() * 1.5 - 0.5).max(if k == 0 { 0.01 } else { 0.0 })).collect();
                    let sum: f64 = raw.iter().sum();
                    raw.iter().map(|w| w / sum).collect()
                })
                .collect();
            let lo: Vec<_> = (0..n).map(|k| samples.iter().map(|w| w[k]).fold(1.0, f64::min)).collect();
            let hi: Vec<_> = (0..n).map(|k| samples.iter().map(|w| w[k]).fold(0.0, f64::max)).collect();
            let found = rows(&lo, &hi);
            if n <= 7 {
                assert_eq!(found.len(), naive(&lo, &hi).len(), "{lo:?} {hi:?}");
            }
            for _ in 0..10 {
                let direction: Vec<_> = (0..n).map(|_| 2.0 * r() - 1.0).collect();
                let along = |w: &Vec<f64>| w.iter().zip(&direction).map(|(w, x)| w * x).sum::<f64>();
                let most = found.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
                assert!(samples.iter().all(|w| along(w) <= most + 1e-13));
                let intervals: Vec<[f64; 2]> = lo.iter().zip(&hi).map(|(&lo, &hi)| [lo, hi]).collect();
                assert!((most - greatest(&intervals, &direction)).abs() <= 1e-13);
            }
        }
    }
}
