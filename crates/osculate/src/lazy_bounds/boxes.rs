//! Axis-aligned bounding boxes of patches, in f32: refitted from bones, points, or other boxes.
//!
//! The upper side of a part along an axis is the greatest `Σ w_j x_j` over its weights, where x_j
//! is the upper side of its rest box moved by joint j; the lower side likewise. For parts in the
//! form of a spread, it is at most `Σ m_j x_j + P (max x_j - min x_j)`, see `parts.rs`. The
//! interpolation of the boxes at both ends of a step contains whatever moves on straight lines
//! between them.

use super::anchored::Anchored;
use super::balls::Gathered;
use super::bound::{Bound, Span};
use super::bounded_mean::greatest;
use super::maps::{LARGEST, Maps, SMALLEST};
use super::parts::{Form, Parts};
use crate::bounds::{Slabs, Wide};

/// A box: its lower and upper sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoxBound {
    /// The fourth entries are unused; they allow vectors of four.
    lo: [f32; 4],
    hi: [f32; 4],
}

/// Maximum number of joints of a part in the form of corners.
const MOST_JOINTS: usize = 16;

/// Bounds are widened by this fraction of the largest coordinate: more than the rounding error of
/// sums over that many joints.
const WIDER: f32 = 16.0 * f32::EPSILON;

impl BoxBound {
    const NOTHING: BoxBound = BoxBound { lo: [f32::INFINITY; 4], hi: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    fn join(&mut self, other: &BoxBound) {
        for i in 0..4 {
            self.lo[i] = if other.lo[i] < self.lo[i] { other.lo[i] } else { self.lo[i] };
            self.hi[i] = if self.hi[i] < other.hi[i] { other.hi[i] } else { self.hi[i] };
        }
    }

    /// The moving box of both ends, widened by a margin.
    #[inline(always)]
    fn moving(ends: &[BoxBound; 2], margin: f32) -> Slabs<6> {
        let mut slabs = Slabs::EMPTY;
        for (k, end) in ends.iter().enumerate() {
            for i in 0..3 {
                slabs.lo[3 * k + i] = end.lo[i] - margin;
                slabs.hi[3 * k + i] = end.hi[i] + margin;
            }
        }
        slabs
    }
}

/// A margin that is not lost when it is added to a side and rounded. This is more than needed:
/// rounding is monotone, so a sum that reaches the side of another box, which is an f32, still does
/// after rounding.
#[inline(always)]
fn rounded_up(margin: f32, ends: &[BoxBound; 2]) -> f32 {
    if margin == 0.0 {
        return 0.0;
    }
    let largest = ends
        .iter()
        .flat_map(|end| end.lo[..3].iter().chain(&end.hi[..3]))
        .fold(0.0_f32, |m, x| m.max(x.abs()));
    margin + (margin + largest) * f32::EPSILON
}

impl Bound for BoxBound {
    type Four = Wide<6>;

    const EVERYTHING: BoxBound = BoxBound { lo: [f32::NEG_INFINITY; 4], hi: [f32::INFINITY; 4] };

    const FOUR: Wide<6> = Wide { lo: [[f32::NEG_INFINITY; 4]; 6], hi: [[f32::INFINITY; 4]; 6] };

    #[inline(always)]
    fn on_demand(parts: &Parts, node: u32, maps: &Maps, _scratch: &mut Gathered) -> BoxBound {
        if !maps.is_in_range {
            return BoxBound::EVERYTHING;
        }
        let mut bound = BoxBound::NOTHING;
        for at in parts.of(node) {
            let part = parts.part(at);
            let at_rest = &parts.box_of(at, maps);
            if part.form == Form::One {
                bound.join(&moved(maps, part.joint, at_rest));
                continue;
            }
            if part.form == Form::Anchored {
                bound.join(&anchored(&parts.anchored(at, maps), at_rest[1]));
                continue;
            }
            let joints = parts.joints(part);
            if part.form == Form::Spread {
                bound.join(&spread(maps, joints, parts.weights(part), at_rest));
                continue;
            }
            let mut boxes = [BoxBound::NOTHING; MOST_JOINTS];
            for (moved_box, &joint) in boxes.iter_mut().zip(joints) {
                *moved_box = moved(maps, joint, at_rest);
            }
            bound.join(&combined(&boxes[..joints.len()], parts.intervals(part)));
        }
        for i in 0..4 {
            let (lo, hi) = (bound.lo[i].abs(), bound.hi[i].abs());
            let wider = WIDER * if lo < hi { hi } else { lo } + maps.widen;
            bound.lo[i] -= wider;
            bound.hi[i] += wider;
        }
        bound
    }

    fn around_points(points: impl Iterator<Item = [f64; 3]> + Clone) -> BoxBound {
        let mut bound = BoxBound::NOTHING;
        for point in points {
            if point.iter().any(|x| LARGEST < x.abs()) {
                return BoxBound::EVERYTHING;
            }
            for i in 0..3 {
                let x = point[i] as f32;
                bound.lo[i] = bound.lo[i].min(x);
                bound.hi[i] = bound.hi[i].max(x);
            }
        }
        bound.lo.iter_mut().for_each(|lo| *lo = lo.next_down());
        bound.hi.iter_mut().for_each(|hi| *hi = hi.next_up());
        bound
    }

    #[inline(always)]
    fn around(bounds: impl Iterator<Item = BoxBound>, _scratch: &mut Gathered) -> BoxBound {
        let mut all = BoxBound::NOTHING;
        bounds.for_each(|bound| all.join(&bound));
        all
    }

    #[inline(always)]
    fn set(four: &mut Wide<6>, lane: usize, ends: &[BoxBound; 2]) {
        four.set_lane(lane, &BoxBound::moving(ends, 0.0));
    }

    #[inline(always)]
    fn get(four: &Wide<6>, lane: usize) -> [BoxBound; 2] {
        let Slabs { lo, hi } = four.lane(lane);
        let end = |k: usize| BoxBound {
            lo: [lo[k], lo[k + 1], lo[k + 2], 0.0],
            hi: [hi[k], hi[k + 1], hi[k + 2], 0.0],
        };
        [end(0), end(3)]
    }

    #[inline(always)]
    fn overlaps(a: &[BoxBound; 2], b: &[BoxBound; 2], span: &Span) -> bool {
        BoxBound::moving(a, rounded_up(span.margin, a)).overlaps(&BoxBound::moving(b, 0.0))
    }

    #[inline(always)]
    fn four_overlap(four: &Wide<6>, other: &[BoxBound; 2], span: &Span) -> u32 {
        let other = BoxBound::moving(other, rounded_up(span.margin, other));
        if span.is_instant { four.overlaps_at_start(&other) } else { four.overlaps(&other) }
    }

    #[inline(always)]
    fn fours_overlap(a: &Wide<6>, b: &Wide<6>, span: &Span) -> u32 {
        if span.margin == 0.0 {
            return if span.is_instant { a.overlaps_each_at_start(b) } else { a.overlaps_each(b) };
        }
        (0..4)
            .fold(0, |all, lane| all | BoxBound::four_overlap(b, &BoxBound::get(a, lane), span) << (4 * lane))
    }

    #[inline(always)]
    fn size(ends: &[BoxBound; 2]) -> f32 {
        let of = |end: &BoxBound| (end.hi[0] - end.lo[0]) + (end.hi[1] - end.lo[1]) + (end.hi[2] - end.lo[2]);
        of(&ends[0]).max(of(&ends[1]))
    }

    fn depth(a: &[BoxBound; 2], b: &[BoxBound; 2]) -> f32 {
        // The least overlap on any axis, at the end of the step where it is greater.
        let at = |k: usize| {
            let on = |i: usize| a[k].hi[i].min(b[k].hi[i]) - a[k].lo[i].max(b[k].lo[i]);
            on(0).min(on(1)).min(on(2))
        };
        at(0).max(at(1))
    }

    fn slabs(ends: &[BoxBound; 2]) -> Slabs<6> {
        BoxBound::moving(ends, 0.0)
    }

    fn ball(&self) -> ([f32; 3], f32) {
        let (mut center, mut squares) = ([0.0; 3], 0.0);
        for i in 0..3 {
            center[i] = 0.5 * self.lo[i] + 0.5 * self.hi[i];
            let half = (self.hi[i] - center[i]).max(center[i] - self.lo[i]);
            squares += half * half;
        }
        if squares.is_finite() {
            (center, squares.sqrt() * (1.0 + 8.0 * f32::EPSILON) + SMALLEST)
        } else {
            ([0.0; 3], f32::INFINITY)
        }
    }
}

/// The lower and upper sides of a rest box, given by center and half extents, moved by a joint. The
/// fourth entries are unused.
#[inline(always)]
fn sides(maps: &Maps, joint: u32, [center, half]: &[[f32; 3]; 2]) -> [[f32; 4]; 2] {
    let map = maps.of(joint);
    let mut sides = [[0.0; 4]; 2];
    for i in 0..4 {
        let middle = map.x[i] * center[0] + map.y[i] * center[1] + map.z[i] * center[2] + map.offset[i];
        let reach =
            map.x[i].abs() * half[0] + map.y[i].abs() * half[1] + map.z[i].abs() * half[2] + map.offset[3];
        sides[0][i] = middle - reach;
        sides[1][i] = middle + reach;
    }
    sides
}

/// The box with these sides.
#[inline(always)]
fn moved(maps: &Maps, joint: u32, at_rest: &[[f32; 3]; 2]) -> BoxBound {
    let [lo, hi] = sides(maps, joint, at_rest);
    BoxBound { lo, hi }
}

/// The box of a part in the form of a spread.
#[inline(always)]
fn spread(maps: &Maps, joints: &[u32], weights: &[f32], at_rest: &[[f32; 3]; 2]) -> BoxBound {
    let (middle, share) = weights.split_at(joints.len());
    let share = share[0] * (1.0 + WIDER);
    let (mut mean, mut least, mut most) =
        ([[0.0; 4]; 2], [[f32::INFINITY; 4]; 2], [[f32::NEG_INFINITY; 4]; 2]);
    for (&joint, weight) in joints.iter().zip(middle) {
        let sides = sides(maps, joint, at_rest);
        for k in 0..2 {
            for i in 0..4 {
                let x = sides[k][i];
                mean[k][i] += weight * x;
                least[k][i] = if x < least[k][i] { x } else { least[k][i] };
                most[k][i] = if most[k][i] < x { x } else { most[k][i] };
            }
        }
    }
    let mut bound = BoxBound::NOTHING;
    for i in 0..4 {
        // No combination is beyond the least and the greatest.
        bound.lo[i] = (mean[0][i] - share * (most[0][i] - least[0][i])).max(least[0][i]);
        bound.hi[i] = (mean[1][i] + share * (most[1][i] - least[1][i])).min(most[1][i]);
    }
    bound
}

/// The box of an anchored part with these half extents at rest.
#[inline(always)]
fn anchored(part: &Anchored, half: [f32; 3]) -> BoxBound {
    let mut bound = BoxBound { lo: [0.0; 4], hi: [0.0; 4] };
    for i in 0..3 {
        let [x, y, z] = part.linear[i];
        let reach = x.abs() * half[0] + y.abs() * half[1] + z.abs() * half[2];
        bound.lo[i] = (part.residual[0][i] - reach).max(part.hull[0][i]);
        bound.hi[i] = (part.residual[1][i] + reach).min(part.hull[1][i]);
    }
    bound
}

/// The box of all combinations of boxes with weights in their intervals.
#[inline(always)]
fn combined(boxes: &[BoxBound], intervals: &[[f32; 2]]) -> BoxBound {
    let mut bound = BoxBound::NOTHING;
    let mut values = [0.0; MOST_JOINTS];
    let values = &mut values[..boxes.len()];
    for i in 0..3 {
        for (value, of_joint) in values.iter_mut().zip(boxes) {
            *value = of_joint.hi[i];
        }
        bound.hi[i] = greatest(intervals, values) as f32;
        for (value, of_joint) in values.iter_mut().zip(boxes) {
            *value = -of_joint.lo[i];
        }
        bound.lo[i] = -greatest(intervals, values) as f32;
    }
    bound
}
