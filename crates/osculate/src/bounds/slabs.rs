//! Slabs: the set between two parallel planes on each of N fixed axes. Three axes make a box, more a k-DOP.
//!
//! Axes, in this order: x, y, z, x+y, x+z, y+z, x-y, x-z (16-DOP), y-z (18-DOP), x+y-z, x-y+z, -x+y+z (24-DOP) (methods 2.1).
//!
//! Six axes are special: x, y, z at the start of the step and x, y, z at its end. Between them a box moves linearly, and holds what it
//! bounds at every time: the least of several numbers that each move linearly is never below the line between its ends.
//! Two such boxes are apart if on some axis they are so at both ends, on the same side.
//!
//! Bounds are f32, rounded outward: half the memory, and twice as many in a vector. Overlap tests are closed, so that sets that
//! merely touch overlap. Why nothing is lost: a coordinate or a rounded sum of two is a monotone function of the point, and
//! rounding outward to f32 is monotone too, so two sets that share a point have bounds that overlap on every axis of up to two terms. A
//! three-term axis takes two roundings and is widened by their largest error.

use crate::hierarchy::WIDTH;

/// The number of axes of a box that moves.
pub(super) const MOVING: usize = 6;

/// Bounds on `N` axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slabs<const N: usize> {
    pub(crate) lo: [f32; N],
    pub(crate) hi: [f32; N],
}

impl<const N: usize> Slabs<N> {
    /// The bounds of nothing.
    pub(crate) const EMPTY: Self = Slabs { lo: [f32::INFINITY; N], hi: [f32::NEG_INFINITY; N] };

    #[inline(always)]
    pub(crate) fn join(&self, other: &Self) -> Self {
        let mut joined = *self;
        for i in 0..N {
            joined.lo[i] = if other.lo[i] < joined.lo[i] { other.lo[i] } else { joined.lo[i] };
            joined.hi[i] = if joined.hi[i] < other.hi[i] { other.hi[i] } else { joined.hi[i] };
        }
        joined
    }

    #[inline(always)]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        if N == MOVING {
            let below = |a: &Self, b: &Self, i: usize| a.hi[i] < b.lo[i] && a.hi[i + 3] < b.lo[i + 3];
            return !(0..3).any(|i| below(self, other, i) || below(other, self, i));
        }
        (0..N).all(|i| self.lo[i] <= other.hi[i] && other.lo[i] <= self.hi[i])
    }

    /// Whether these are the bounds of nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.hi[0] < self.lo[0]
    }

    /// Everything that the bounds reach on one of the axes x, y, z. Bounds that overlap have intervals that overlap.
    pub(crate) fn interval(&self, axis: usize) -> [f32; 2] {
        let other = if N == MOVING { axis + 3 } else { axis };
        [self.lo[axis].min(self.lo[other]), self.hi[axis].max(self.hi[other])]
    }

    /// Half the surface area of the box on the first three axes, for a moving box that at the start.
    #[inline(always)]
    pub(crate) fn half_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|i| self.hi[i] - self.lo[i]);
        x * y + y * z + z * x
    }

    /// Where a point is along each axis, before any rounding to f32.
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

    /// The bounds of a point, widened by `margin`: a length in units of the input, at least zero.
    #[inline(always)]
    pub(crate) fn of_point(p: [f64; 3], margin: f64) -> Self {
        let along = Self::project(p);
        let mut slabs = Self::EMPTY;
        for i in 0..N {
            // The margin along an axis that is not of length one: sqrt 2 and sqrt 3, rounded up.
            let mut margin = margin * [1.0, 1.5, 1.75][usize::from(2 < i) + usize::from(8 < i)];
            if 8 < i || (2 < i && margin != 0.0) {
                // Up to two roundings of at most u (|x| + |y| + |z|) each. With a margin, monotony alone does not cover one.
                margin += f64::EPSILON * (p[0].abs() + p[1].abs() + p[2].abs());
            }
            slabs.lo[i] = round_down(if margin == 0.0 { along[i] } else { (along[i] - margin).next_down() });
            slabs.hi[i] = round_up(if margin == 0.0 { along[i] } else { (along[i] + margin).next_up() });
        }
        slabs
    }

    /// The bounds of a vertex at time `t`, widened by `margin`.
    #[inline(always)]
    fn of_point_at(t0: [f64; 3], t1: [f64; 3], t: f64, margin: f64) -> Self {
        if 1.0 <= t {
            return Slabs::of_point(t1, margin);
        }
        // (1 - t) a + t b is off by at most 4 u max(|a|, |b|), whatever the rounding of 1 - t.
        let end = [0, 1, 2].map(|i| (1.0 - t) * t0[i] + t * t1[i]);
        let largest = t0.iter().chain(&t1).fold(0.0, |m: f64, x| m.max(x.abs()));
        Slabs::of_point(end, margin + 4.0 * f64::EPSILON * largest)
    }
}

/// The largest f32 that is not above `x`.
#[inline(always)]
fn round_down(x: f64) -> f32 {
    let y = x as f32;
    if x < f64::from(y) { y.next_down() } else { y }
}

/// The smallest f32 that is not below `x`.
#[inline(always)]
fn round_up(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

/// Which part of the step bounds are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sweep {
    /// The pose at t = 0.
    Start,
    /// Every t from 0 to the given one.
    Until(f64),
}

impl Sweep {
    /// The bounds of a vertex on this part of the step. A vertex moves on a line, so its two ends bound it.
    #[inline(always)]
    pub(crate) fn of_vertex<const N: usize>(self, [t0, t1]: [[f64; 3]; 2], margin: f64) -> Slabs<N> {
        if N == MOVING {
            let Slabs { lo, hi } = Slabs::<3>::of_point(t0, margin);
            let end = match self {
                Sweep::Start => Slabs { lo, hi },
                Sweep::Until(t) => Slabs::<3>::of_point_at(t0, t1, t, margin),
            };
            let mut slabs = Slabs::EMPTY;
            slabs.lo[..3].copy_from_slice(&lo);
            slabs.hi[..3].copy_from_slice(&hi);
            slabs.lo[3..].copy_from_slice(&end.lo);
            slabs.hi[3..].copy_from_slice(&end.hi);
            return slabs;
        }
        let start = Slabs::of_point(t0, margin);
        match self {
            Sweep::Start => start,
            Sweep::Until(t) => start.join(&Slabs::of_point_at(t0, t1, t, margin)),
        }
    }
}

/// The bounds of the children of a node, side by side: `lo[axis][lane]`.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Wide<const N: usize> {
    pub(crate) lo: [[f32; WIDTH]; N],
    pub(crate) hi: [[f32; WIDTH]; N],
}

impl<const N: usize> Wide<N> {
    /// Bounds of nothing in every lane. They overlap nothing but bounds that reach to infinity.
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
