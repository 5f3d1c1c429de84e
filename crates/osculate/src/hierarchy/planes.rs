//! Splits triangles by planes: at the median of their centers, or by the surface-area heuristic.

use super::build;
use crate::Mesh;

/// Bins on each axis; the planes between them are tried.
const BINS: usize = 16;

/// A triangle with its bounding box.
#[derive(Clone, Copy)]
pub(super) struct Item {
    bounds: Bounds,
    pub(super) triangle: u32,
}

impl build::Item for Item {
    fn triangle(&self) -> u32 {
        self.triangle
    }
}

impl Item {
    /// The center of the bounding box.
    #[inline(always)]
    pub(super) fn center(&self) -> [f32; 3] {
        [0, 1, 2].map(|i| 0.5 * self.bounds.lo[i] + 0.5 * self.bounds.hi[i])
    }
}

/// The triangles of a mesh at a pose, in ascending order.
pub(super) fn items(mesh: &Mesh, positions: &[[f64; 3]]) -> Vec<Item> {
    let item = |(triangle, corners): (u32, &[u32; 3])| {
        let point = |v: u32| Bounds::of(positions[v as usize].map(|x| x as f32));
        let bounds = corners.iter().fold(Bounds::NOTHING, |bounds, &v| bounds.join(&point(v)));
        Item { triangle, bounds }
    };
    (0..).zip(mesh.triangles()).map(item).collect()
}

/// A box.
#[derive(Clone, Copy)]
struct Bounds {
    lo: [f32; 3],
    hi: [f32; 3],
}

impl Bounds {
    const NOTHING: Bounds = Bounds { lo: [f32::INFINITY; 3], hi: [f32::NEG_INFINITY; 3] };

    fn of(point: [f32; 3]) -> Bounds {
        Bounds { lo: point, hi: point }
    }

    /// The box around both. NaN in `other` is ignored.
    #[inline(always)]
    fn join(&self, other: &Bounds) -> Bounds {
        let least = |i: usize| if other.lo[i] < self.lo[i] { other.lo[i] } else { self.lo[i] };
        let greatest = |i: usize| if self.hi[i] < other.hi[i] { other.hi[i] } else { self.hi[i] };
        Bounds { lo: [0, 1, 2].map(least), hi: [0, 1, 2].map(greatest) }
    }

    fn extent(&self, axis: usize) -> f32 {
        self.hi[axis] - self.lo[axis]
    }

    #[inline(always)]
    fn half_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|i| self.extent(i));
        x * y + y * z + z * x
    }
}

/// The box around the centers of items.
fn bounds_of_centers(items: &[Item]) -> Bounds {
    items.iter().fold(Bounds::NOTHING, |bounds, item| bounds.join(&Bounds::of(item.center())))
}

/// The median split along the longest extent of the centers: two halves of equal number.
pub(super) fn by_median(items: &mut [Item]) -> usize {
    let centers = bounds_of_centers(items);
    let axis = (1..3).fold(0, |best, i| if centers.extent(best) < centers.extent(i) { i } else { best });
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.center()[axis].total_cmp(&b.center()[axis]).then(a.triangle.cmp(&b.triangle))
    });
    middle
}

/// Scratch memory of [`by_surface_area`].
#[derive(Default)]
pub(super) struct Scratch {
    bins: [Bins; 3],
    /// The items of the second part while they are moved.
    second: Vec<Item>,
}

/// The items of a set by their centers on one axis.
struct Bins {
    /// Bit i is set if there are items in bin i; the other bins have no meaning.
    occupied: u16,
    /// The number of items of each bin, and the box around them.
    bins: [(u32, Bounds); BINS],
}

impl Default for Bins {
    fn default() -> Bins {
        Bins { occupied: 0, bins: [(0, Bounds::NOTHING); BINS] }
    }
}

impl Bins {
    #[inline(always)]
    fn add(&mut self, bin: usize, bounds: &Bounds) {
        let (n, all) = &mut self.bins[bin];
        let is_first = self.occupied >> bin & 1 == 0;
        (*n, *all) = if is_first { (1, *bounds) } else { (*n + 1, all.join(bounds)) };
        self.occupied |= 1 << bin;
    }

    /// The least cost of a plane between two occupied bins, and the bin above it; the lowest of
    /// equal ones. `None` if fewer than two bins are occupied.
    fn best(&self) -> Option<(f32, usize)> {
        // The number and the area of the items in each occupied bin and above it.
        let mut above = [(0, 0f32); BINS];
        let mut all = (0, Bounds::NOTHING);
        let mut rest = self.occupied;
        while rest & rest.wrapping_sub(1) != 0 {
            let i = rest.ilog2() as usize;
            rest &= !(1 << i);
            all = (all.0 + self.bins[i].0, all.1.join(&self.bins[i].1));
            above[i] = (all.0, all.1.half_area());
        }
        let mut best: Option<(f32, usize)> = None;
        let mut below = (0, Bounds::NOTHING);
        let mut rest = self.occupied;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if below.0 != 0 {
                let cost = below.1.half_area() * below.0 as f32 + above[i].1 * above[i].0 as f32;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, i));
                }
            }
            below = (below.0 + self.bins[i].0, below.1.join(&self.bins[i].1));
        }
        best
    }
}

/// The binned surface-area split of items in ascending order: the plane with the least
/// `area(left) n_left + area(right) n_right`. The median split if all centers coincide. Both parts
/// are in ascending order.
pub(super) fn by_surface_area(items: &mut [Item], scratch: &mut Scratch) -> usize {
    let centers = bounds_of_centers(items);
    let scales = [0, 1, 2].map(|axis| BINS as f32 / centers.extent(axis));
    let bin = |center: [f32; 3], axis: usize| {
        // A cast saturates, so every center has a bin whatever the rounding.
        (((center[axis] - centers.lo[axis]) * scales[axis]) as i32).clamp(0, BINS as i32 - 1) as usize
    };
    let Scratch { bins, second } = scratch;
    bins.iter_mut().for_each(|bins| bins.occupied = 0);
    for item in items.iter() {
        let center = item.center();
        for (axis, bins) in bins.iter_mut().enumerate() {
            bins.add(bin(center, axis), &item.bounds);
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in (0..3).filter(|&axis| scales[axis].is_finite()) {
        if let Some((cost, cut)) = bins[axis].best()
            && best.is_none_or(|(least, ..)| cost < least)
        {
            best = Some((cost, axis, cut));
        }
    }
    let Some((_, axis, cut)) = best else {
        let middle = by_median(items);
        let (first, second) = items.split_at_mut(middle);
        [first, second].into_iter().for_each(|part| part.sort_unstable_by_key(|item| item.triangle));
        return middle;
    };
    let mut middle = 0;
    second.clear();
    for i in 0..items.len() {
        let item = items[i];
        if bin(item.center(), axis) < cut {
            items[middle] = item;
            middle += 1;
        } else {
            second.push(item);
        }
    }
    items[middle..].copy_from_slice(second);
    middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;

    /// The split by trying every plane between bins, with boxes computed anew for each.
    fn by_trying_all_planes(items: &[Item]) -> Option<[Vec<u32>; 2]> {
        let centers = bounds_of_centers(items);
        let mut best: Option<(f32, [Vec<u32>; 2])> = None;
        for axis in 0..3 {
            let scale = BINS as f32 / centers.extent(axis);
            if !scale.is_finite() {
                continue;
            }
            for plane in 1..BINS {
                let bin = |item: &Item| ((item.center()[axis] - centers.lo[axis]) * scale) as usize;
                let parts: [Vec<&Item>; 2] =
                    [false, true].map(|side| items.iter().filter(|i| (plane <= bin(i)) == side).collect());
                if parts.iter().any(Vec::is_empty) {
                    continue;
                }
                let [a, b] = parts.each_ref().map(|part| {
                    let all = part.iter().fold(Bounds::NOTHING, |all, item| all.join(&item.bounds));
                    all.half_area() * part.len() as f32
                });
                if best.as_ref().is_none_or(|(least, _)| a + b < *least) {
                    best = Some((a + b, parts.map(|part| part.iter().map(|item| item.triangle).collect())));
                }
            }
        }
        best.map(|(_, parts)| parts)
    }

    #[test]
    fn the_surface_area_split_is_the_best_of_all_planes() {
        let mut next = random(11);
        let mut scratch = Scratch::default();
        let mut n_split = 0;
        for round in 0..3000usize {
            let n = 2 + round % 40;
            // Coordinates on a coarse grid make equal centers, equal costs and empty extents.
            let grid = [1.0, 4.0, 1e6][round % 3];
            let mut coordinate = || (next() * grid).round() as f32;
            let mut items: Vec<Item> = (0..n as u32)
                .map(|triangle| {
                    let point = |c: &mut dyn FnMut() -> f32| Bounds::of([c(), c(), c()]);
                    let bounds = point(&mut coordinate).join(&point(&mut coordinate));
                    Item { bounds, triangle }
                })
                .collect();
            let expected = by_trying_all_planes(&items);
            let middle = by_surface_area(&mut items, &mut scratch);
            let names: Vec<u32> = items.iter().map(|item| item.triangle).collect();
            let found = [names[..middle].to_vec(), names[middle..].to_vec()];
            assert!(found.iter().all(|part| !part.is_empty() && part.is_sorted()), "{found:?}");
            if let Some(expected) = expected {
                assert_eq!(found, expected);
                n_split += 1;
            }
        }
        assert!(2000 < n_split);
    }
}
