//! Intervals of f64 numbers, and their middles and radii in f32.

/// The hull of numbers, each known up to an error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hull {
    lo: f64,
    hi: f64,
}

impl Hull {
    pub(super) const EMPTY: Hull = Hull { lo: f64::INFINITY, hi: f64::NEG_INFINITY };

    #[inline(always)]
    pub(super) fn add(&mut self, x: f64, error: f64) {
        self.lo = self.lo.min(x - error);
        self.hi = self.hi.max(x + error);
    }

    /// The middle, and the radius rounded up.
    pub(super) fn middle(self) -> [f32; 2] {
        let middle = (0.5 * (self.lo + self.hi)) as f32;
        let radius = (self.hi - f64::from(middle)).max(f64::from(middle) - self.lo);
        [middle, up(radius)]
    }

    pub(super) fn middles<const N: usize>(hulls: &[[Hull; 3]; N]) -> [[[f32; 3]; N]; 2] {
        let all = hulls.map(|row| row.map(Hull::middle));
        [0, 1].map(|k: usize| all.map(|row| row.map(|x| x[k])))
    }
}

/// An f32 that is no less.
pub(super) fn up(x: f64) -> f32 {
    (x as f32).next_up()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    #[test]
    fn numbers_are_within_the_radius_of_the_middle() {
        let mut next = random(21);
        for round in 0..10_000 {
            let mut hull = Hull::EMPTY;
            let size = [1.0, 1e-30, 1e-42, 1e30][round % 4];
            let numbers: Vec<[f64; 2]> = (0..1 + round % 5)
                .map(|_| {
                    [size * (2.0 * next() - 1.0), if round % 3 == 0 { 0.0 } else { 0.1 * size * next() }]
                })
                .collect();
            numbers.iter().for_each(|&[x, error]| hull.add(x, error));
            let [middle, radius] = hull.middle().map(f64::from);
            for [x, error] in numbers {
                // Differences of an f64 from a nearby f32 round by far less than an f32.
                let away = ((x - error) - middle).abs().max(((x + error) - middle).abs());
                assert!(away <= radius, "round {round}: {x} {error} {middle} {radius}");
            }
        }
    }
}
