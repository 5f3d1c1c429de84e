//! Splits triangles by planes: at the median of their centers, or by the surface-area heuristic.

use super::build;
use crate::Mesh;

/// Bins on each axis; the planes between them are tried.
const BINS: usize = 16;

type Bounds = [[f32; 3]; 2];

const NOTHING: Bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

/// A triangle with its bounding box.
pub(super) struct Item {
    pub(super) triangle: u32,
    pub(super) center: [f32; 3],
    bounds: Bounds,
}

impl build::Item for Item {
    fn triangle(&self) -> u32 {
        self.triangle
    }
}

/// The triangles of a mesh at a pose.
pub(super) fn items(mesh: &Mesh, positions: &[[f64; 3]]) -> Vec<Item> {
    let item = |(triangle, corners): (u32, &[u32; 3])| {
        let bounds = corners.iter().fold(NOTHING, |b, &v| join(b, point(positions[v as usize])));
        let center = [0, 1, 2].map(|i| 0.5 * bounds[0][i] + 0.5 * bounds[1][i]);
        Item { triangle, center, bounds }
    };
    (0..).zip(mesh.triangles()).map(item).collect()
}

fn point(p: [f64; 3]) -> Bounds {
    let p = p.map(|x| x as f32);
    [p, p]
}

fn join(a: Bounds, b: Bounds) -> Bounds {
    [[0, 1, 2].map(|i| a[0][i].min(b[0][i])), [0, 1, 2].map(|i| a[1][i].max(b[1][i]))]
}

fn half_area(b: Bounds) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|i| b[1][i] - b[0][i]);
    x * y + y * z + z * x
}

/// The median split along the longest extent of the centers: two halves of equal number.
pub(super) fn by_median(items: &mut [Item]) -> usize {
    let centers = items.iter().fold(NOTHING, |b, item| join(b, [item.center; 2]));
    let extent = |i: usize| centers[1][i] - centers[0][i];
    let axis = (1..3).fold(0, |best, i| if extent(best) < extent(i) { i } else { best });
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.center[axis].total_cmp(&b.center[axis]).then(a.triangle.cmp(&b.triangle))
    });
    middle
}

/// The binned surface-area split: the plane with the least
/// `area(left) n_left + area(right) n_right`. The median split if all centers coincide.
pub(super) fn by_surface_area(items: &mut [Item]) -> usize {
    let centers = items.iter().fold(NOTHING, |b, item| join(b, [item.center; 2]));
    let mut best: Option<(f32, usize, usize)> = None;
    let scale = |axis: usize| BINS as f32 / (centers[1][axis] - centers[0][axis]);
    let bin = |item: &Item, axis: usize, scale: f32| {
        // A cast saturates, so every center has a bin whatever the rounding.
        (((item.center[axis] - centers[0][axis]) * scale) as usize).min(BINS - 1)
    };
    for axis in 0..3 {
        let scale = scale(axis);
        if !scale.is_finite() {
            continue;
        }
        let mut bins = [(0usize, NOTHING); BINS];
        for item in items.iter() {
            let (n, bounds) = &mut bins[bin(item, axis, scale)];
            *n += 1;
            *bounds = join(*bounds, item.bounds);
        }
        let mut right = [(0usize, 0f32); BINS];
        let mut above = (0, NOTHING);
        for i in (1..BINS).rev() {
            above = (above.0 + bins[i].0, join(above.1, bins[i].1));
            right[i] = (above.0, half_area(above.1));
        }
        let mut below = (0, NOTHING);
        for i in 1..BINS {
            below = (below.0 + bins[i - 1].0, join(below.1, bins[i - 1].1));
            if below.0 == 0 || right[i].0 == 0 {
                continue;
            }
            let cost = half_area(below.1) * below.0 as f32 + right[i].1 * right[i].0 as f32;
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, axis, i));
            }
        }
    }
    let Some((_, axis, cut)) = best else { return by_median(items) };
    let scale = scale(axis);
    // A fixed order within each part, so that the tree does not depend on earlier cuts.
    items.sort_by_key(|item| (cut <= bin(item, axis, scale), item.triangle));
    items.partition_point(|item| bin(item, axis, scale) < cut)
}
