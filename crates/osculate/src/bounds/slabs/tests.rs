//! Values that are not monotone and so are widened: sets that share a point, or are within the
//! margin, overlap.

use super::*;
use crate::random::random;

type Point = [f64; 3];

/// The bounds of a segment, or of a point, whose ends move.
fn bounds<const N: usize>(reach: Reach, ends: [[Point; 2]; 2]) -> Slabs<N> {
    Projection::new(reach).of_triangle([ends[0], ends[1], ends[1]])
}

/// A point in the middle of a segment. The sum of three coordinates is 1 at all of its points; in
/// f64 it is 1 and 2 at the ends, and 0 at the point.
#[test]
fn sums_of_three_terms() {
    let big = 2f64.powi(52);
    let [a, p, b] = [-1.0, 0.0, 1.0].map(|s| [big + 1.0 + s, big + s, -(2.0 * big + 2.0 * s)]);
    assert_eq!([a, p, b].map(|[x, y, z]| (x + y) + z), [1.0, 0.0, 2.0]);
    // The axes x + y - z, x - y + z, y - x + z.
    let places: [fn(Point) -> Point; 3] =
        [|[x, y, z]| [x, y, -z], |[x, y, z]| [x, -y, z], |[x, y, z]| [-y, x, z]];
    for place in places {
        let [a, p, b] = [a, p, b].map(place);
        let reach = Reach { sweep: Sweep::Start, margin: 0.0, largest: 3.0 * big };
        let (segment, point): (Slabs<12>, Slabs<12>) =
            (bounds(reach, [[a; 2], [b; 2]]), bounds(reach, [[p; 2]; 2]));
        assert!(segment.overlaps(&point) && point.overlaps(&segment));
    }
}

/// Two points that come toward each other on an axis, and meet at the end of a part of the step:
/// there, `(1 - t) a + t b` is the same number for both, and near zero, but not in f64.
#[test]
fn positions_at_an_inner_time() {
    let mut next = random(41);
    let mut whole = |size: f64| (next() * size).floor();
    let mut n_apart = 0;
    for round in 0..2000 {
        let (k, m) = (1024.0, 2f64.powi(41) + whole(2f64.powi(24)) * 65_537.0);
        let (j, gap) = (1.0 + whole(k - 1.0), 1.0 + whole(1e6));
        let b = [j * m + whole(100.0), -(k - j) * m + whole(100.0)];
        // Exactly: (k - j) a0 + j a1 = (k - j) b0 + j b1.
        let a = [b[0] - j * gap, b[1] + (k - j) * gap];
        let t = j / k;
        let at = |[p, q]: [f64; 2]| (1.0 - t) * p + t * q;
        n_apart += usize::from(at(a) < at(b));
        let largest = a.into_iter().chain(b).fold(0.0, |m: f64, x| m.max(x.abs()));
        let reach = Reach { sweep: Sweep::Until(t), margin: 0.0, largest };
        let on_axis =
            |ends: [f64; 2]| [ends.map(|x| [0, 1, 2].map(|i| if i == round % 3 { x } else { 0.0 })); 2];
        assert!(bounds::<3>(reach, on_axis(a)).overlaps(&bounds(reach, on_axis(b))));
        assert!(bounds::<6>(reach, on_axis(a)).overlaps(&bounds(reach, on_axis(b))));
        assert!(bounds::<12>(reach, on_axis(a)).overlaps(&bounds(reach, on_axis(b))));
    }
    assert!(200 < n_apart, "{n_apart}");
}

/// Two points within the margin of each other that f32 rounding separates by much more.
#[test]
fn margins_that_f32_does_not_tell() {
    let margin = 2f64.powi(-40);
    let x = 1.0 + 2f64.powi(-24);
    assert!((x as f32) + (margin as f32) < ((x + margin) as f32) - (margin as f32));
    let reach = Reach { sweep: Sweep::Until(1.0), margin, largest: 2.0 };
    let at = |x: f64| [[[x, 0.0, 0.0]; 2]; 2];
    assert!(bounds::<3>(reach, at(x)).overlaps(&bounds(reach, at(x + margin))));
    assert!(bounds::<6>(reach, at(x)).overlaps(&bounds(reach, at(x + margin))));
    assert!(bounds::<12>(reach, at(x)).overlaps(&bounds(reach, at(x + margin))));
}

/// Beyond f32, bounds are clamped, which brings points closer to each other.
#[test]
fn coordinates_beyond_f32() {
    for (x, margin) in [(8e37, 1e30), (3e38, 2e38), (1e39, 4e38), (1e39, 1.0), (1e300, 1e299)] {
        for d in [0.0, 0.5 * margin, margin] {
            let reach = Reach { sweep: Sweep::Until(1.0), margin, largest: x + d };
            let at = |x: f64| [[[x, -x, x]; 2]; 2];
            assert!(bounds::<3>(reach, at(x)).overlaps(&bounds(reach, at(x + d))));
            assert!(bounds::<6>(reach, at(x)).overlaps(&bounds(reach, at(x + d))));
            assert!(bounds::<12>(reach, at(x)).overlaps(&bounds(reach, at(x + d))));
        }
    }
}
