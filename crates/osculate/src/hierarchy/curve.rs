//! A tree that is quick to build: triangles are sorted along a space-filling curve, and the list is
//! cut (Lauterbach et al., "Fast BVH Construction on GPUs", 2009).
//!
//! Bounds are looser than those of the surface-area split, so a traversal takes more tests.

use super::{Hierarchy, build};
use crate::{Mesh, radix};

/// Bits of a coordinate: places along the curve have three times as many.
const BITS: u32 = 10;

/// Sets of at most this many triangles are cut into nodes that are full.
const FEW: usize = 16;

/// A triangle and its place along the curve.
struct Item {
    place: u32,
    triangle: u32,
}

impl build::Item for Item {
    fn triangle(&self) -> u32 {
        self.triangle
    }
}

/// Returns a tree over the triangles of `mesh` at a pose, with at most `arity` children per node,
/// clamped as in [`Build`](super::Build).
///
/// The tree does not depend on the number of threads.
pub(crate) fn build_quickly(mesh: &Mesh, positions: &[[f64; 3]], arity: usize) -> Hierarchy {
    build::tree_of(mesh, items(mesh, positions), arity, &|items, ()| cut(items))
}

/// The triangles in the order of the curve.
fn items(mesh: &Mesh, positions: &[[f64; 3]]) -> Vec<Item> {
    let (mut lo, mut hi) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    // The sums of the corners, which are in the order of the centers.
    let mut sums = Vec::with_capacity(mesh.triangles().len());
    for corners in mesh.triangles() {
        let [a, b, c] = corners.map(|v| positions[v as usize].map(|x| x as f32));
        let sum = [0, 1, 2].map(|k| (a[k] + b[k]) + c[k]);
        for k in 0..3 {
            lo[k] = if sum[k] < lo[k] { sum[k] } else { lo[k] };
            hi[k] = if hi[k] < sum[k] { sum[k] } else { hi[k] };
        }
        sums.push(sum);
    }
    // One scale for all axes, so that cells are cubes.
    let extent = (0..3).fold(0.0, |extent, k| f32::max(extent, hi[k] - lo[k]));
    let scale = ((1 << BITS) - 1) as f32 / extent;
    let numbers = sums.iter().zip(0u64..).map(|(sum, triangle)| {
        // A cast saturates, and takes NaN for 0, so every triangle has a cell.
        let cell = [0, 1, 2].map(|k| (((sum[k] - lo[k]) * scale) as u32).min((1 << BITS) - 1));
        u64::from(spread(cell[0]) << 2 | spread(cell[1]) << 1 | spread(cell[2])) << u32::BITS | triangle
    });
    let sorted = radix::sort(numbers.collect(), u32::BITS, u32::BITS + 3 * BITS);
    let item = |number: u64| Item { place: (number >> u32::BITS) as u32, triangle: number as u32 };
    sorted.into_iter().map(item).collect()
}

/// The lowest ten bits, with two zeros before each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

/// Where to cut a part of the curve: where it leaves half of a cell; for a few triangles, near the
/// middle, such that nodes are full.
fn cut(items: &mut [Item]) -> usize {
    let n = items.len();
    let (first, last) = (items[0].place, items[n - 1].place);
    if n <= FEW || first == last {
        let middle = (n / 2).next_multiple_of(super::WIDTH);
        return if middle < n { middle } else { n.div_ceil(2) };
    }
    let half = 1 << (first ^ last).ilog2();
    items.partition_point(|item| item.place & half == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    #[test]
    fn bits_are_spread() {
        let expected = |x: u32| (0..BITS).fold(0, |all, bit| all | (x >> bit & 1) << (3 * bit));
        (0..1 << BITS).for_each(|x| assert_eq!(spread(x), expected(x)));
    }

    /// Points on a coarse grid, beyond f32, and all in one place.
    #[test]
    fn trees_are_well_formed_whatever_the_pose() {
        let mut next = random(47);
        for (n, grid, factor) in
            [(0, 1.0, 1.0), (1, 1.0, 1.0), (7, 8.0, 1.0), (900, 0.0, 1.0), (900, 2.0, 1.0), (900, 1e4, 1e300)]
        {
            let mut coordinate = || (next() * grid).round() * factor;
            let positions: Vec<[f64; 3]> = (0..3 * n).map(|_| [(); 3].map(|()| coordinate())).collect();
            let triangles = (0..n as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            let mesh = Mesh::new(triangles, positions.len()).unwrap();
            for arity in [2, 4, 9] {
                build_quickly(&mesh, &positions, arity).assert_well_formed(n);
            }
        }
    }
}
