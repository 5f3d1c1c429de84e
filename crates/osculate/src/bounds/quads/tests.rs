use super::*;
use crate::math::dispatch::dispatch;
use crate::random::random;
use fearless_simd::Level;
use std::array::from_fn;

/// Bounds of random triangles, computed axis by axis.
fn bounds<const N: usize>(corners: &[Row<N>; 3], widen: &Row<N>) -> Slabs<N> {
    let mut slabs = Slabs::EMPTY;
    for i in 0..N {
        let values = corners.iter().map(|corner| corner.0[i]);
        slabs.lo[i] = values.clone().fold(f32::INFINITY, f32::min) - widen.0[i];
        slabs.hi[i] = values.fold(f32::NEG_INFINITY, f32::max) + widen.0[i];
    }
    slabs
}

fn quads<const N: usize>(row: &Row<N>) -> [Quad; MOST] {
    let mut quads = [Quad::ZERO; MOST];
    pack(row, &mut quads);
    quads
}

fn vectors_give_the_bounds_of_each_axis<const N: usize>() {
    let mut next = random(61 + N as u64);
    for round in 0..300 {
        let n_children = 1 + round % WIDTH;
        let mut row = || Row::<N>(from_fn(|_| (2.0 * next() - 1.0) as f32));
        let triangles: [[Row<N>; 3]; WIDTH] = from_fn(|_| from_fn(|_| row()));
        let widen = Row(if round % 3 == 0 { [0.0; N] } else { row().0.map(f32::abs) });
        let (mut expected, mut all) = (Wide::EMPTY, Slabs::EMPTY);
        let of_triangles = triangles.map(|corners| bounds(&corners, &widen));
        for (lane, slabs) in of_triangles[..n_children].iter().enumerate() {
            expected.set_lane(lane, slabs);
            for i in 0..N {
                all.lo[i] = all.lo[i].min(slabs.lo[i]);
                all.hi[i] = all.hi[i].max(slabs.hi[i]);
            }
        }
        let (mut wide, mut lo, mut hi) = (Wide::<N>::EMPTY, [Quad::ZERO; MOST], [Quad::ZERO; MOST]);
        let areas = dispatch!(Level::new(), simd => {
            let mut children = [Sides::empty(simd); WIDTH];
            let mut joined = Sides::empty(simd);
            for (child, corners) in children.iter_mut().zip(&triangles[..n_children]) {
                let [a, b, c] = from_fn(|k| {
                    let quads = quads(&corners[k]);
                    Sides::load::<N>(simd, &quads, &quads)
                });
                *child = a.join::<N>(&b).join::<N>(&c).widen::<N>(simd, &quads(&widen));
                joined = joined.join::<N>(child);
            }
            joined.store::<N>(&mut lo, &mut hi);
            set_lanes(simd, &children, &mut wide)
        });
        assert_eq!((wide.lo, wide.hi), (expected.lo, expected.hi), "{N} axes, {n_children} children");
        assert_eq!(unpack::<N>(&lo, &hi), all, "{N} axes, {n_children} children");
        for (slabs, area) in of_triangles[..n_children].iter().zip(areas) {
            let [x, y, z] = from_fn(|i| slabs.hi[i] - slabs.lo[i]);
            assert_eq!(area, x * y + y * z + z * x, "{N} axes");
        }
    }
}

#[test]
fn vectors_give_the_bounds_of_each_axis_for_all_volumes() {
    vectors_give_the_bounds_of_each_axis::<3>();
    vectors_give_the_bounds_of_each_axis::<6>();
    vectors_give_the_bounds_of_each_axis::<8>();
    vectors_give_the_bounds_of_each_axis::<9>();
    vectors_give_the_bounds_of_each_axis::<12>();
}
