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
