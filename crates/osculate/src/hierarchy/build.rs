//! Top-down construction: split a set of triangles in two, and each part again, until single triangles are left.

use super::{EMPTY, Hierarchy, LEAF, WIDTH};

/// How a set of triangles is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// In two halves of equal number, along the longest extent of the centers (the papers' tree).
    Median,
    /// Where the surface-area heuristic expects the least work, among 16 planes on each axis.
    #[default]
    SurfaceArea,
}

/// Triangles below this number are not worth a task of their own.
const PARALLEL: usize = 4096;

/// Planes tried on each axis, less one.
const BINS: usize = 16;

type Bounds = [[f32; 3]; 2];

const NOTHING: Bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

struct Item {
    triangle: u32,
    center: [f32; 3],
    bounds: Bounds,
}

/// Returns the tree over `triangles` at the positions of a pose. Only its quality depends on the pose: bounds are kept elsewhere.
///
/// The same tree comes out at any number of threads.
pub(crate) fn build(triangles: &[[u32; 3]], positions: &[[f64; 3]], split: Split) -> Hierarchy {
    let item = |(triangle, corners): (usize, &[u32; 3])| {
        let bounds = corners.iter().fold(NOTHING, |b, &v| join(b, point(positions[v as usize])));
        let center = [0, 1, 2].map(|i| 0.5 * bounds[0][i] + 0.5 * bounds[1][i]);
        Item { triangle: triangle as u32, center, bounds }
    };
    let mut items: Vec<Item> = triangles.iter().enumerate().map(item).collect();
    if items.is_empty() {
        return Hierarchy::default();
    }
    subtree(&mut items, split)
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

/// The tree over `items`, with nodes numbered from 0.
fn subtree(items: &mut [Item], split: Split) -> Hierarchy {
    // Cut the largest part in two until there are as many as a node has slots.
    let mut parts: Vec<&mut [Item]> = vec![items];
    while parts.len() < WIDTH {
        let Some(largest) = (0..parts.len()).filter(|&i| 1 < parts[i].len()).max_by_key(|&i| parts[i].len())
        else {
            break;
        };
        let part = parts.remove(largest);
        let middle = partition(part, split);
        let (left, right) = part.split_at_mut(middle);
        parts.insert(largest, right);
        parts.insert(largest, left);
    }
    let n_items: usize = parts.iter().map(|p| p.len()).sum();
    let grow = |part: &mut [Item]| match part {
        [leaf] => Grown::Leaf(leaf.triangle),
        part => Grown::Tree(subtree(part, split)),
    };
    let grown: Vec<Grown> = if n_items < PARALLEL {
        parts.into_iter().map(grow).collect()
    } else {
        use rayon::prelude::*;
        parts.into_par_iter().map(grow).collect()
    };
    graft(grown)
}

enum Grown {
    Leaf(u32),
    Tree(Hierarchy),
}

/// A node above the given subtrees.
fn graft(children: Vec<Grown>) -> Hierarchy {
    let n_nodes =
        1 + children.iter().map(|c| if let Grown::Tree(t) = c { t.n_nodes() } else { 0 }).sum::<usize>();
    let mut tree = Hierarchy { slots: Vec::with_capacity(n_nodes), ends: Vec::with_capacity(n_nodes) };
    tree.slots.push([EMPTY; WIDTH]);
    tree.ends.push(n_nodes as u32);
    for (lane, child) in children.into_iter().enumerate() {
        match child {
            Grown::Leaf(triangle) => tree.slots[0][lane] = LEAF | triangle,
            Grown::Tree(child) => {
                let base = tree.n_nodes() as u32;
                tree.slots[0][lane] = base;
                let shift = |slot: u32| if slot & LEAF == 0 { slot + base } else { slot };
                tree.slots.extend(child.slots.into_iter().map(|slots| slots.map(shift)));
                tree.ends.extend(child.ends.into_iter().map(|end| end + base));
            }
        }
    }
    tree
}

/// Reorders the items and returns where the second part starts; both parts have items.
fn partition(items: &mut [Item], split: Split) -> usize {
    let planned = match split {
        Split::Median => None,
        Split::SurfaceArea => by_surface_area(items),
    };
    planned.unwrap_or_else(|| by_median(items))
}

fn by_median(items: &mut [Item]) -> usize {
    let centers = items.iter().fold(NOTHING, |b, item| join(b, [item.center; 2]));
    let extent = |i: usize| centers[1][i] - centers[0][i];
    let axis = (1..3).fold(0, |best, i| if extent(best) < extent(i) { i } else { best });
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.center[axis].total_cmp(&b.center[axis]).then(a.triangle.cmp(&b.triangle))
    });
    middle
}

/// The binned surface-area split: the plane with the least `area(left) n_left + area(right) n_right`. None if all centers coincide.
fn by_surface_area(items: &mut [Item]) -> Option<usize> {
    let centers = items.iter().fold(NOTHING, |b, item| join(b, [item.center; 2]));
    let mut best: Option<(f32, usize, usize)> = None;
    let scale = |axis: usize| BINS as f32 / (centers[1][axis] - centers[0][axis]);
    let bin = |item: &Item, axis: usize, scale: f32| {
        // A cast saturates, so every center has a bin, whatever the rounding.
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
    let (_, axis, cut) = best?;
    let scale = scale(axis);
    // A stable order of each part, so that the tree does not depend on how the parts were cut before.
    items.sort_by_key(|item| (cut <= bin(item, axis, scale), item.triangle));
    Some(items.partition_point(|item| bin(item, axis, scale) < cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triangle_once() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 40) as f64
        };
        for n in [0usize, 1, 2, 3, 4, 5, 6, 17, 1000, 9000] {
            let positions: Vec<[f64; 3]> =
                (0..n + 2).map(|_| [next(), next(), (next() * 1e-6).floor()]).collect();
            let same = vec![[1.0, 2.0, 3.0]; n + 2];
            let huge = vec![[1e300, -1e300, 0.0]; n + 2];
            let triangles: Vec<[u32; 3]> = (0..n as u32).map(|i| [i, i + 1, i + 2]).collect();
            for split in [Split::Median, Split::SurfaceArea] {
                for pose in [&positions, &same, &huge] {
                    build(&triangles, pose, split).assert_well_formed(n);
                }
            }
        }
    }
}
