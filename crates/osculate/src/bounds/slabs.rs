//! Slabs: an interval on each of N fixed axes. Three axes are a box, more a k-DOP.
//!
//! Axes, in this order: x, y, z, x+y, x+z, y+z, x-y, x-z (16-DOP), y-z (18-DOP), x+y-z, x-y+z,
//! -x+y+z (24-DOP).
//!
//! Six axes are special: x, y, z at the start of the step and x, y, z at its end. In between, the
//! box moves linearly and contains what it bounds at every time: the minimum of linear functions is
//! concave, so it is never below the line between its ends. Two such boxes are disjoint throughout
//! if on some axis they are disjoint at both ends, on the same side.
//!
//! Bounds are f32: half the memory, and twice as many per vector. Overlap tests are closed, so that
//! touching sets overlap. Outward rounding is not needed: a coordinate, a rounded sum of two and
//! its nearest f32 are monotone functions of the point. If two sets share a point, the lower bound
//! of one is not above it and the upper bound of the other not below it, and monotone functions
//! preserve this. Non-monotone values are widened by their largest error, see [`Projection`].

use crate::hierarchy::WIDTH;

/// The number of axes of a moving box.
pub(super) const MOVING: usize = 6;

/// Bounds on `N` axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slabs<const N: usize> {
    pub(crate) lo: [f32; N],
    pub(crate) hi: [f32; N],
}

impl<const N: usize> Slabs<N> {
    /// The empty set.
    pub(crate) const EMPTY: Self = Slabs { lo: [f32::INFINITY; N], hi: [f32::NEG_INFINITY; N] };

    #[inline(always)]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        if N == MOVING {
            let below = |a: &Self, b: &Self, i: usize| a.hi[i] < b.lo[i] && a.hi[i + 3] < b.lo[i + 3];
            return !(0..3).any(|i| below(self, other, i) || below(other, self, i));
        }
        (0..N).all(|i| self.lo[i] <= other.hi[i] && other.lo[i] <= self.hi[i])
    }

    /// Whether these are empty bounds.
    pub(crate) fn is_empty(&self) -> bool {
        self.hi[0] < self.lo[0]
    }

    /// The interval of the bounds on one of the axes x, y, z. Bounds that overlap have overlapping
    /// intervals.
    pub(crate) fn interval(&self, axis: usize) -> [f32; 2] {
        let other = if N == MOVING { axis + 3 } else { axis };
        [self.lo[axis].min(self.lo[other]), self.hi[axis].max(self.hi[other])]
    }

    /// The coordinates of a point on each axis, before rounding to f32.
    #[inline(always)]
    fn project([x, y, z]: [f64; 3]) -> [f64; N] {
        let mut all = [0.0; N];
        for (i, value) in all.iter_mut().enumerate() {
            *value = match i {
                0 => x,
                1 => y,
                2 => z,
                3 => x + y,
                4 => x + z,
                5 => y + z,
                6 => x - y,
                7 => x - z,
                8 => y - z,
                9 => (x + y) - z,
                10 => (x - y) + z,
                _ => (y - x) + z,
            };
        }
        all
    }
}

/// The part of the step that bounds cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sweep {
    /// The pose at t = 0.
    Start,
    /// Every t from 0 to the given one.
    Until(f64),
}

/// What bounds must contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// The part of the step.
    pub(crate) sweep: Sweep,
    /// The distance by which each surface is inflated, in units of the input: at least zero.
    pub(crate) margin: f64,
    /// Upper bound of the magnitude of all coordinates.
    pub(crate) largest: f64,
}

/// Converts vertices to bounds: the part of the step, and the widening on each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection<const N: usize> {
    sweep: Sweep,
    widen: [f32; N],
}

impl<const N: usize> Projection<N> {
    /// Bounds are widened by the margin, and by all errors not covered by monotonicity. With M the
    /// largest coordinate and u = 2^-53:
    ///
    /// - the position at a time t < 1, `(1 - t) a + t b`, is off by at most 4 u M on an axis of one
    ///   term, 12 u M on one of three;
    /// - the sum of terms that are not exact, or of three, rounds by at most 5 u M;
    /// - where there is anything to widen, f32 rounds a value, and the value widened, by at most
    ///   2^-24 of 3 M and the margin each, or by less than the least normal number.
    pub(crate) fn new(Reach { sweep, margin, largest }: Reach) -> Self {
        let is_cut = matches!(sweep, Sweep::Until(t) if t < 1.0);
        let mut widen = [0.0; N];
        for (i, widen) in widen.iter_mut().enumerate() {
            let n_terms = if N == MOVING || i < 3 { 1 } else { 2 + usize::from(8 < i) };
            // The length of the axis, rounded up: sqrt 2 and sqrt 3.
            let mut margin = margin * [1.0, 1.415, 1.733][n_terms - 1];
            if is_cut && !(N == MOVING && i < 3) {
                margin += 8.0 * f64::EPSILON * largest;
            }
            if n_terms == 3 || (n_terms == 2 && margin != 0.0) {
                margin += 4.0 * f64::EPSILON * largest;
            }
            if margin != 0.0 {
                margin += f64::from(f32::EPSILON) * (3.0 * largest + margin) + f64::from(f32::MIN_POSITIVE);
                // Beyond this range, values are clamped to the largest f32. Bounds would still be
                // valid: clamping is monotone and does not increase distances; a margin beyond f32
                // is infinite, and so is a side that leaves f32 when it is widened. Infinite bounds
                // are simpler to trust.
                let is_in_range = largest < f64::from(f32::MAX) / 4.0;
                *widen = if is_in_range { (margin as f32).next_up() } else { f32::INFINITY };
            }
        }
        Projection { sweep, widen }
    }

    /// Whether the lower and the upper row of a vertex are always equal.
    pub(crate) fn is_single(&self) -> bool {
        N == MOVING || self.sweep == Sweep::Start
    }

    /// By how much bounds are widened on each axis.
    pub(super) fn widening(&self) -> Row<N> {
        Row(self.widen)
    }

    /// Whether the row of a vertex is its [`line`](Self::line).
    pub(super) fn is_line(&self) -> bool {
        N == MOVING && matches!(self.sweep, Sweep::Until(t) if 1.0 <= t)
    }

    /// The row of a vertex for moving boxes of the whole step, from its line: both ends, each with
    /// a fourth entry that is unused.
    #[inline(always)]
    pub(super) fn line(&self, line: &[f64; 8]) -> [[f32; 4]; 2] {
        let mut ends = [[0.0; 4]; 2];
        for (i, &x) in line.iter().enumerate() {
            ends[i / 4][i % 4] = to_f32(x);
        }
        ends
    }

    /// The lower and upper bounds of a vertex on this part of the step, before widening. A vertex
    /// moves on a line, so its two ends bound it.
    #[inline(always)]
    pub(crate) fn rows(&self, [t0, t1]: [[f64; 3]; 2]) -> [Row<N>; 2] {
        let end = match self.sweep {
            Sweep::Start => t0,
            Sweep::Until(t) if 1.0 <= t => t1,
            Sweep::Until(t) => [0, 1, 2].map(|i| (1.0 - t) * t0[i] + t * t1[i]),
        };
        let (mut lo, mut hi) = (Row([0.0; N]), Row([0.0; N]));
        if N == MOVING {
            for i in 0..3 {
                lo.0[i] = to_f32(t0[i]);
                lo.0[i + 3] = to_f32(end[i]);
            }
            return [lo, lo];
        }
        let (start, end) = (Slabs::<N>::project(t0), Slabs::<N>::project(end));
        for i in 0..N {
            let (a, b) = (to_f32(start[i]), to_f32(end[i]));
            lo.0[i] = if b < a { b } else { a };
            hi.0[i] = if a < b { b } else { a };
        }
        [lo, hi]
    }

    /// The bounds of three vertices, from their rows.
    #[inline(always)]
    pub(crate) fn join(&self, lo: [&Row<N>; 3], hi: [&Row<N>; 3]) -> Slabs<N> {
        let mut slabs = Slabs { lo: lo[0].0, hi: hi[0].0 };
        for i in 0..N {
            for k in 1..3 {
                slabs.lo[i] = if lo[k].0[i] < slabs.lo[i] { lo[k].0[i] } else { slabs.lo[i] };
                slabs.hi[i] = if slabs.hi[i] < hi[k].0[i] { hi[k].0[i] } else { slabs.hi[i] };
            }
            slabs.lo[i] -= self.widen[i];
            slabs.hi[i] += self.widen[i];
        }
        slabs
    }

    /// The bounds of a triangle.
    pub(crate) fn of_triangle(&self, corners: [[[f64; 3]; 2]; 3]) -> Slabs<N> {
        let [[a, d], [b, e], [c, f]] = corners.map(|ends| self.rows(ends));
        self.join([&a, &b, &c], [&d, &e, &f])
    }
}

/// Bounds of a vertex on one side, padded to whole vectors.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct Row<const N: usize>(pub(crate) [f32; N]);

/// The nearest finite f32: a monotone function.
#[inline(always)]
fn to_f32(x: f64) -> f32 {
    let y = x as f32;
    let y = if y < f32::MAX { y } else { f32::MAX };
    if -f32::MAX < y { y } else { -f32::MAX }
}

/// The bounds of the children of a node, side by side: `lo[axis][lane]`.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Wide<const N: usize> {
    pub(crate) lo: [[f32; WIDTH]; N],
    pub(crate) hi: [[f32; WIDTH]; N],
}

impl<const N: usize> Wide<N> {
    /// Empty bounds in every lane. They overlap only bounds that reach to infinity.
    pub(crate) const EMPTY: Self =
        Wide { lo: [[f32::INFINITY; WIDTH]; N], hi: [[f32::NEG_INFINITY; WIDTH]; N] };

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Slabs<N> {
        let mut slabs = Slabs::EMPTY;
        for i in 0..N {
            slabs.lo[i] = self.lo[i][lane];
            slabs.hi[i] = self.hi[i][lane];
        }
        slabs
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, slabs: &Slabs<N>) {
        for i in 0..N {
            self.lo[i][lane] = slabs.lo[i];
            self.hi[i][lane] = slabs.hi[i];
        }
    }
}

#[cfg(test)]
mod tests;
