//! Weighted means whose weights are bounded by intervals.

/// The greatest weighted mean of at most 32 values: `max sum w_k x_k` with `w_k` in its interval
/// and `sum w_k = 1`.
///
/// Greedy: all weights start at their minimum, and the remainder to 1 is given to the largest
/// values first, up to their maximum. In plain f64, with an error of a few roundings of
/// `sum |x_k|`. If by rounding the minima sum to more than 1, each weight is its minimum; if the
/// maxima sum to less, each is its maximum. 0 without values. The least mean is minus the greatest
/// mean of the negated values.
pub(crate) fn greatest<T: Copy + Into<f64>>(intervals: &[[T; 2]], values: &[T]) -> f64 {
    debug_assert!(intervals.len() == values.len() && values.len() <= 32);
    let (mut missing, mut mean) = (1.0, 0.0);
    for (&[lo, _], &value) in intervals.iter().zip(values) {
        missing -= lo.into();
        mean += lo.into() * value.into();
    }
    let mut left = (1_u64 << values.len()) - 1;
    while 0.0 < missing && left != 0 {
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        let mut rest = left;
        while rest != 0 {
            let k = rest.trailing_zeros() as usize;
            if most <= values[k].into() {
                (best, most) = (k, values[k].into());
            }
            rest &= rest - 1;
        }
        let [lo, hi] = intervals[best];
        let given = missing.min(hi.into() - lo.into());
        mean += given * most;
        missing -= given;
        left &= !(1 << best);
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lazy_bounds::corners::corners;
    use crate::random::random;

    fn intervals(lo: &[f64], hi: &[f64]) -> Vec<[f64; 2]> {
        lo.iter().zip(hi).map(|(&lo, &hi)| [lo, hi]).collect()
    }

    #[test]
    fn as_at_the_best_corner() {
        let mut r = random(1);
        for round in 0..3000 {
            let n = 1 + round % 9;
            // Intervals around valid weights; some have zero width, some are tied.
            let mut weights: Vec<_> = (0..n).map(|_| 1e-3 + (r() * 8.0).floor()).collect();
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|w| *w /= sum);
            let mut width = || if r() < 0.3 { 0.0 } else { 0.3 * r() };
            let lo: Vec<_> = weights.iter().map(|w| (w - width()).max(0.0)).collect();
            let hi: Vec<_> = weights.iter().map(|w| (w + width()).min(1.0)).collect();
            let rows = corners(&lo, &hi, 100_000).unwrap();
            for _ in 0..5 {
                let values: Vec<_> =
                    (0..n).map(|_| (r() * 20.0).floor() - 10.0 + (round % 2) as f64 * r()).collect();
                let at = |row: &[f64]| row.iter().zip(&values).map(|(w, x)| w * x).sum::<f64>();
                let best = rows.chunks_exact(n).map(at).fold(f64::NEG_INFINITY, f64::max);
                let found = greatest(&intervals(&lo, &hi), &values);
                assert!((best - found).abs() <= 1e-12, "{best} {found} {lo:?} {hi:?} {values:?}");
                assert!(at(&weights) <= found + 1e-13);
            }
        }
    }

    #[test]
    fn wide_and_fixed_intervals() {
        assert_eq!(greatest(&intervals(&[0.0; 3], &[1.0; 3]), &[2.0, 5.0, -1.0]), 5.0);
        assert_eq!(greatest(&intervals(&[0.5, 0.25, 0.25], &[0.5, 0.25, 0.25]), &[2.0, 4.0, 8.0]), 4.0);
        assert_eq!(greatest(&intervals(&[0.25, 0.25], &[0.75, 0.75]), &[0.0, 4.0]), 3.0);
        assert_eq!(greatest(&intervals(&[1.0], &[1.0]), &[7.0]), 7.0);
        assert_eq!(greatest(&intervals(&[], &[]), &[]), 0.0);
    }

    #[test]
    fn intervals_that_miss_one_by_rounding() {
        let above = [1.0 / 3.0 + 1e-15; 3];
        let below = [1.0 / 3.0 - 1e-15; 3];
        for weights in [above, below] {
            let mean = greatest(&intervals(&weights, &weights), &[3.0, 6.0, 9.0]);
            assert!((mean - 6.0).abs() < 1e-13);
        }
    }
}
