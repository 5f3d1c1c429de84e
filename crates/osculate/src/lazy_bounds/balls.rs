//! Bounding balls of patches, in f32: refitted from bones, points, or other balls; at an instant,
//! or moving between two.
//!
//! A moving ball, with center and radius linear in t, contains whatever moves on straight lines and
//! is in it at both ends.
//!
//! Rounding: a stored radius has been widened by a factor of 1 + 2^-20, which is 16 units 2^-24.
//! Distances between f32 centers, their sums and squares have smaller relative errors, so the test
//! of two balls is safe. Errors that are not relative, the rounding of the positions themselves,
//! are part of the radius (see `maps.rs`); this makes every radius at least 2^-22 of the largest
//! coordinate.

use super::anchored::Anchored;
use super::bound::{Bound, Span};
use super::maps::{LARGEST, Maps, SMALLEST, norm};
use super::parts::{Form, Parts};
use crate::bounds::Slabs;
use crate::math::dispatch::dispatch;
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask, f32x4};

/// A ball: center and radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball(pub(crate) [f32; 4]);

/// The factor by which radii are widened.
const WIDER: f32 = 1.0 + 8.0 * f32::EPSILON;

#[inline(always)]
fn squared_distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    x * x + y * y + z * z
}

#[inline(always)]
fn center([x, y, z, _]: [f32; 4]) -> [f32; 3] {
    [x, y, z]
}

/// Balls to be bounded together: scratch memory.
#[derive(Clone, Debug)]
pub(crate) struct Gathered {
    balls: [[f32; 4]; MOST_GATHERED],
    len: usize,
}

/// Maximum number of gathered balls, a multiple of four; if there are more, those so far are
/// replaced by their bound.
const MOST_GATHERED: usize = 128;

impl Default for Gathered {
    fn default() -> Self {
        Gathered { balls: [[0.0; 4]; MOST_GATHERED], len: 0 }
    }
}

impl Gathered {
    #[inline(always)]
    fn push(&mut self, ball: [f32; 4]) {
        if self.len == MOST_GATHERED {
            self.balls[0] = self.around();
            self.len = 1;
        }
        self.balls[self.len % MOST_GATHERED] = ball;
        self.len += 1;
    }

    /// A ball around all. Its center is that of their bounding box: closer to the best one than the
    /// mean of the centers, which the paper uses.
    #[inline(always)]
    fn around(&mut self) -> [f32; 4] {
        // Pad to a multiple of four.
        let len = self.len.min(MOST_GATHERED);
        let filled = len.next_multiple_of(4);
        for k in len..filled {
            self.balls[k] = self.balls[0];
        }
        let balls = &self.balls[..filled];
        let (mut lo, mut hi) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
        for ball in balls {
            let r = ball[3];
            for i in 0..4 {
                let (below, above) = (ball[i] - r, ball[i] + r);
                lo[i] = if below < lo[i] { below } else { lo[i] };
                hi[i] = if hi[i] < above { above } else { hi[i] };
            }
        }
        let mut o = [0.0; 4];
        for i in 0..4 {
            o[i] = 0.5 * (lo[i] + hi[i]);
        }
        let mut most = [0.0_f32; 4];
        for four in balls.chunks_exact(4) {
            let row = |i: usize| [four[0][i], four[1][i], four[2][i], four[3][i]];
            let (x, y, z, r) = (row(0), row(1), row(2), row(3));
            for k in 0..4 {
                let [dx, dy, dz] = [x[k] - o[0], y[k] - o[1], z[k] - o[2]];
                let reach = (dx * dx + dy * dy + dz * dz).sqrt() + r[k];
                most[k] = if most[k] < reach { reach } else { most[k] };
            }
        }
        [o[0], o[1], o[2], most[0].max(most[1]).max(most[2].max(most[3])) * WIDER]
    }
}

/// Moves a part, and adds balls whose convex hull contains it.
#[inline(always)]
fn add_part(at: usize, parts: &Parts, maps: &Maps, balls: &mut Gathered) {
    let (part, ball) = (parts.part(at), parts.ball_of(at, maps));
    match part.form {
        Form::One => balls.push(maps.of(part.joint).apply(ball)),
        Form::Spread => balls.push(spread(ball, parts.joints(part), parts.weights(part), maps)),
        Form::Anchored => balls.push(anchored(&parts.anchored(at, maps), ball, parts.center(at))),
        Form::Corners(_) => {
            let joints = parts.joints(part);
            let mut moved = [[0.0; 4]; MOST_JOINTS];
            for (moved, &joint) in moved.iter_mut().zip(joints) {
                *moved = maps.of(joint).apply(ball);
            }
            for row in parts.weights(part).chunks_exact(joints.len()) {
                let mut corner = [0.0; 4];
                for (weight, moved) in row.iter().zip(&moved) {
                    for i in 0..4 {
                        corner[i] += weight * moved[i];
                    }
                }
                balls.push(corner);
            }
        }
    }
}

/// Maximum number of joints of a part in the form of corners.
const MOST_JOINTS: usize = 16;

/// The ball of a part in the form of a spread.
#[inline(always)]
fn spread(ball: [f32; 4], joints: &[u32], weights: &[f32], maps: &Maps) -> [f32; 4] {
    let (middle, share) = weights.split_at(joints.len());
    let (mut o, mut lo, mut hi) = ([0.0; 4], [f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    for (&joint, weight) in joints.iter().zip(middle) {
        let moved = maps.of(joint).apply(ball);
        for i in 0..4 {
            o[i] += weight * moved[i];
            lo[i] = if moved[i] < lo[i] { moved[i] } else { lo[i] };
            hi[i] = if hi[i] < moved[i] { moved[i] } else { hi[i] };
        }
    }
    // The fourth entries are radii.
    let diagonal = squared_distance(center(hi), center(lo)).sqrt();
    [o[0], o[1], o[2], hi[3] + share[0] * WIDER * diagonal]
}

/// The ball of an anchored part with this ball and this center of its box at rest: around the box
/// of residuals, or around the hull if that is smaller.
#[inline(always)]
fn anchored(part: &Anchored, [x, y, z, r]: [f32; 4], at_rest: [f32; 3]) -> [f32; 4] {
    let around = |[lo, hi]: &[[f32; 3]; 2]| {
        let mut middle = [0.0; 3];
        for i in 0..3 {
            middle[i] = 0.5 * (lo[i] + hi[i]);
        }
        (middle, 0.5 * squared_distance(*hi, *lo).sqrt())
    };
    let ((mut o, half), (of_hull, radius_of_hull)) = (around(&part.residual), around(&part.hull));
    let radius = half + norm(&part.linear.map(|[x, y, z]| [x, y, z, 0.0].map(f64::from))) as f32 * WIDER * r;
    if !(radius < radius_of_hull) {
        return [of_hull[0], of_hull[1], of_hull[2], radius_of_hull];
    }
    let [x, y, z] = [x - at_rest[0], y - at_rest[1], z - at_rest[2]];
    for i in 0..3 {
        o[i] += part.linear[i][0] * x + part.linear[i][1] * y + part.linear[i][2] * z;
    }
    [o[0], o[1], o[2], radius]
}

/// Four balls at both ends of a step: `[end][x, y, z, radius][lane]`, one cache line per end.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct FourBalls([[[f32; 4]; 4]; 2]);

impl Bound for Ball {
    type Four = FourBalls;

    const EVERYTHING: Ball = Ball([0.0, 0.0, 0.0, f32::INFINITY]);

    const FOUR: FourBalls = FourBalls([[[0.0; 4], [0.0; 4], [0.0; 4], [f32::INFINITY; 4]]; 2]);

    #[inline(always)]
    fn set(four: &mut FourBalls, lane: usize, ends: &[Ball; 2]) {
        for k in 0..2 {
            for i in 0..4 {
                four.0[k][i][lane] = ends[k].0[i];
            }
        }
    }

    #[inline(always)]
    fn get(four: &FourBalls, lane: usize) -> [Ball; 2] {
        let mut ends = [Ball([0.0; 4]); 2];
        for k in 0..2 {
            for i in 0..4 {
                ends[k].0[i] = four.0[k][i][lane];
            }
        }
        ends
    }

    #[inline(always)]
    fn four_overlap(four: &FourBalls, other: &[Ball; 2], span: &Span) -> u32 {
        dispatch!(Level::baseline(), simd => {
            if span.is_instant { lanes_at_start(simd, four, other, span) } else { moving_lanes(simd, four, other, span) }
        })
    }

    #[inline(always)]
    fn fours_overlap(a: &FourBalls, b: &FourBalls, span: &Span) -> u32 {
        let mut all = 0;
        for lane in 0..4 {
            all |= Ball::four_overlap(b, &Ball::get(a, lane), span) << (4 * lane);
        }
        all
    }

    #[inline(always)]
    fn on_demand(parts: &Parts, node: u32, maps: &Maps, balls: &mut Gathered) -> Ball {
        if !maps.is_in_range {
            return Ball::EVERYTHING;
        }
        let of_node = parts.of(node);
        if of_node.len() == 1 {
            let (part, ball) = (parts.part(of_node.start), parts.ball_of(of_node.start, maps));
            let alone = match part.form {
                Form::One => Some(maps.of(part.joint).apply(ball)),
                Form::Spread => Some(spread(ball, parts.joints(part), parts.weights(part), maps)),
                Form::Anchored => {
                    Some(anchored(&parts.anchored(of_node.start, maps), ball, parts.center(of_node.start)))
                }
                Form::Corners(_) => None,
            };
            if let Some([x, y, z, r]) = alone {
                return Ball([x, y, z, r * WIDER + maps.widen]);
            }
        }
        balls.len = 0;
        for part in of_node {
            add_part(part, parts, maps, balls);
        }
        let [x, y, z, r] = balls.around();
        Ball([x, y, z, r + maps.widen])
    }

    fn around_points(points: impl Iterator<Item = [f64; 3]> + Clone) -> Ball {
        let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in points.clone() {
            for i in 0..3 {
                lo[i] = if p[i] < lo[i] { p[i] } else { lo[i] };
                hi[i] = if hi[i] < p[i] { p[i] } else { hi[i] };
            }
        }
        let mut o = [0.0; 3];
        let mut largest = 0.0;
        for i in 0..3 {
            let magnitude = if -lo[i] < hi[i] { hi[i] } else { -lo[i] };
            largest = if largest < magnitude { magnitude } else { largest };
            o[i] = (0.5 * (lo[i] + hi[i])) as f32;
        }
        if !(largest < LARGEST) {
            return Ball::EVERYTHING;
        }
        let mut most = 0.0;
        for p in points {
            let [x, y, z] = [p[0] - f64::from(o[0]), p[1] - f64::from(o[1]), p[2] - f64::from(o[2])];
            let squared = x * x + y * y + z * z;
            most = if most < squared { squared } else { most };
        }
        let radius = most.sqrt() as f32 + largest as f32 * (2.0 * f32::EPSILON);
        Ball([o[0], o[1], o[2], radius * WIDER + SMALLEST])
    }

    #[inline(always)]
    fn around(bounds: impl Iterator<Item = Ball>, balls: &mut Gathered) -> Ball {
        balls.len = 0;
        let mut is_in_range = true;
        for ball in bounds {
            is_in_range &= ball.0[3] < LARGEST as f32;
            balls.push(ball.0);
        }
        if !is_in_range {
            return Ball::EVERYTHING;
        }
        let [x, y, z, r] = balls.around();
        Ball([x, y, z, r])
    }

    #[inline(always)]
    fn overlaps(a: &[Ball; 2], b: &[Ball; 2], span: &Span) -> bool {
        if span.is_instant {
            let sum = a[0].0[3] + b[0].0[3] + span.margin;
            !(sum * sum < squared_distance(center(a[0].0), center(b[0].0)))
        } else {
            moving_overlap(a, b, span)
        }
    }

    #[inline(always)]
    fn size(ends: &[Ball; 2]) -> f32 {
        let (r, s) = (ends[0].0[3], ends[1].0[3]);
        if r < s { s } else { r }
    }

    fn depth(a: &[Ball; 2], b: &[Ball; 2]) -> f32 {
        let at = |k: usize| a[k].0[3] + b[k].0[3] - squared_distance(center(a[k].0), center(b[k].0)).sqrt();
        at(0).max(at(1))
    }

    fn slabs(ends: &[Ball; 2]) -> Slabs<6> {
        let mut slabs = Slabs::EMPTY;
        for (k, Ball(ball)) in ends.iter().enumerate() {
            for i in 0..3 {
                slabs.lo[3 * k + i] = (ball[i] - ball[3]).next_down();
                slabs.hi[3 * k + i] = (ball[i] + ball[3]).next_up();
            }
        }
        slabs
    }

    fn ball(&self) -> ([f32; 3], f32) {
        (center(self.0), self.0[3])
    }
}

/// The lanes that overlap another ball at the start, one bit each.
#[inline(always)]
fn lanes_at_start<S: Simd>(simd: S, four: &FourBalls, other: &[Ball; 2], span: &Span) -> u32 {
    let [x, y, z, r] = &four.0[0];
    let [ox, oy, oz, or] = other[0].0;
    let dx = f32x4::from_slice(simd, x) - ox;
    let dy = f32x4::from_slice(simd, y) - oy;
    let dz = f32x4::from_slice(simd, z) - oz;
    let sum = f32x4::from_slice(simd, r) + (or + span.margin);
    let apart = (sum * sum).simd_lt(dx * dx + dy * dy + dz * dz);
    !(apart.to_bitmask() as u32) & 15
}

/// The lanes that overlap another ball at a time in the span, one bit each. Lanes are rejected
/// first by static balls that contain both ends of the relative motion, centered at its midpoint.
#[inline(always)]
fn moving_lanes<S: Simd>(simd: S, four: &FourBalls, other: &[Ball; 2], span: &Span) -> u32 {
    let lane = |end: usize, i: usize| f32x4::from_slice(simd, &four.0[end][i]) - other[end].0[i];
    let (mut middle, mut way) = (f32x4::splat(simd, 0.0), f32x4::splat(simd, 0.0));
    for i in 0..3 {
        let (start, end) = (lane(0, i), lane(1, i));
        let (twice, along) = (start + end, end - start);
        middle += twice * twice;
        way += along * along;
    }
    let radii = |end: usize| f32x4::from_slice(simd, &four.0[end][3]) + (other[end].0[3] + span.margin);
    // Twice the sum of the radii plus the length of the motion; the factor covers all rounding
    // errors.
    let (r, s) = (radii(0), radii(1));
    let reach = (r.max(s) * 2.0 + way.sqrt()) * (1.0 + 8.0 * f32::EPSILON);
    let apart = (reach * reach).simd_lt(middle);
    let mut lanes = !(apart.to_bitmask() as u32) & 15;
    let mut left = lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        if !moving_overlap(&Ball::get(four, lane), other, span) {
            lanes &= !(1 << lane);
        }
        left &= left - 1;
    }
    lanes
}

/// Whether two moving balls touch at a time in the span: whether
/// `g(t) = |c(t)|^2 - s(t)^2 = a t^2 + 2 b t + k` is not positive at one of its ends or in between,
/// where c is the vector between the centers, and s the sum of the radii and the margin.
///
/// In f64, from exactly converted f32. The discriminant is a difference of products, so a bound of
/// its rounding error is added.
#[inline(always)]
fn moving_overlap(a: &[Ball; 2], b: &[Ball; 2], span: &Span) -> bool {
    let (mut c, mut s) = ([[0.0; 3]; 2], [0.0; 2]);
    for k in 0..2 {
        for i in 0..3 {
            c[k][i] = f64::from(a[k].0[i]) - f64::from(b[k].0[i]);
        }
        s[k] = f64::from(a[k].0[3]) + f64::from(b[k].0[3]) + f64::from(span.margin);
    }
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let dc = [c[1][0] - c[0][0], c[1][1] - c[0][1], c[1][2] - c[0][2]];
    let ds = s[1] - s[0];
    let (cc, dcdc) = (dot(&c[0], &c[0]), dot(&dc, &dc));
    let k = cc - s[0] * s[0];
    if !(0.0 < k) {
        return true;
    }
    let a = dcdc - ds * ds;
    let b = dot(&c[0], &dc) - s[0] * ds;
    let until = span.until;
    let slack = 1e-14 * (cc + s[0] * s[0] + dcdc + ds * ds);
    if !(slack < (a * until + 2.0 * b) * until + k) {
        return true;
    }
    0.0 < a && b < 0.0 && -b < a * until && !(b * b + 1e-14 * (cc + s[0] * s[0]) * (dcdc + ds * ds) < a * k)
}
