//! Colorings of random meshes: both constraints, lower bounds, aligned rows, and what remains after
//! a cut.

use crate::common::{Rng, closed};
use crate::rasters::worlds::{sheet, soup};
use osculate::Mesh;
use osculate::chromatic::{Coloring, NONE, Size};
use std::collections::BTreeSet;

/// For each primitive, its neighbors: those that share a vertex, by comparing all pairs.
fn neighbors(mesh: &Mesh, coloring: &Coloring) -> Vec<BTreeSet<u32>> {
    let n = coloring.n_primitives() as u32;
    let corners = |p: u32| -> BTreeSet<u32> {
        coloring.triangles(p).iter().flat_map(|&t| mesh.triangles()[t as usize]).collect()
    };
    let all: Vec<BTreeSet<u32>> = (0..n).map(corners).collect();
    let meet = |p: u32, q: u32| p != q && !all[p as usize].is_disjoint(&all[q as usize]);
    (0..n).map(|p| (0..n).filter(|&q| meet(p, q)).collect()).collect()
}

/// Checks a coloring; returns the number of colors and the lower bound.
fn check(mesh: &Mesh, coloring: &Coloring) -> [usize; 2] {
    // A partition of the triangles.
    let mut triangles: Vec<u32> =
        (0..coloring.n_primitives() as u32).flat_map(|p| coloring.triangles(p).to_vec()).collect();
    triangles.sort_unstable();
    assert!(triangles.into_iter().eq(0..mesh.triangles().len() as u32));
    for (t, &p) in (0..).zip(coloring.primitives()) {
        assert!(coloring.triangles(p).contains(&t));
    }
    let (colors, neighbors) = (coloring.colors(), neighbors(mesh, coloring));
    for (p, around) in neighbors.iter().enumerate() {
        assert!(around.iter().all(|&q| colors[q as usize] != colors[p]), "constraint 1");
        let different: BTreeSet<u32> = around.iter().map(|&q| colors[q as usize]).collect();
        assert_eq!(different.len(), around.len(), "constraint 2");
    }
    let bound = neighbors.iter().map(|around| around.len() + 1).max().unwrap_or(0);
    assert_eq!(coloring.lower_bound(), bound);
    let n_colors = coloring.n_colors();
    assert!(bound <= n_colors);
    for color in 0..=n_colors as u32 {
        let set: Vec<u32> = (0..colors.len() as u32).filter(|&p| colors[p as usize] == color).collect();
        assert_eq!(coloring.set(color), set);
    }
    check_rows(coloring, &neighbors);
    [n_colors, bound]
}

/// Rows have each primitive once, neighbors beside each other, and in the same order for (i, j) and
/// (j, i); the table of neighbors has the same.
fn check_rows(coloring: &Coloring, neighbors: &[BTreeSet<u32>]) {
    let n = coloring.n_colors();
    let table = coloring.neighbors_by_color(n);
    for i in 0..n as u32 {
        for j in 0..n as u32 {
            let rows = coloring.aligned(i, j);
            let mirrored: Vec<[u32; 2]> = coloring.aligned(j, i).iter().map(|&[p, q]| [q, p]).collect();
            assert_eq!(rows, mirrored, "the same order for ({i}, {j}) and ({j}, {i})");
            for (side, color) in [(0, i), (1, j)] {
                let mut set: Vec<u32> = rows.iter().map(|row| row[side]).filter(|&p| p != NONE).collect();
                set.sort_unstable();
                assert_eq!(set, coloring.set(color));
            }
            for [p, q] in rows {
                assert!([p, q] != [NONE; 2]);
                if p == NONE {
                    continue;
                }
                let around = &neighbors[p as usize];
                let neighbor = around.iter().find(|&&q| coloring.colors()[q as usize] == j);
                let expected = if i == j { p } else { neighbor.copied().unwrap_or(NONE) };
                assert_eq!((q, table[p as usize * n + j as usize]), (expected, expected));
            }
        }
    }
}

const SIZES: [Size; 3] = [Size::One, Size::Two, Size::Four];

fn random_mesh(rng: &mut Rng) -> (Mesh, Vec<[f64; 3]>) {
    let (faces, rest) = match rng.below(4) {
        0 => closed(rng),
        1 => soup(rng),
        _ => sheet(rng),
    };
    (Mesh::new(faces, rest.len()).unwrap(), rest)
}

#[test]
fn random_meshes() {
    let mut n_pairs = [0; 3];
    for seed in 0..150 {
        let mut rng = Rng::for_item(0xc0105, seed);
        let (mesh, rest) = random_mesh(&mut rng);
        for (k, size) in SIZES.into_iter().enumerate() {
            let coloring = Coloring::of(&mesh, &rest, size);
            check(&mesh, &coloring);
            let largest = (0..coloring.n_primitives() as u32).map(|p| coloring.triangles(p).len()).max();
            assert!(largest.unwrap_or(1) <= [1, 2, 4][k]);
            n_pairs[k] += usize::from(largest == Some([1, 2, 4][k]));
            assert_eq!(Coloring::of(&mesh, &rest, size).colors(), coloring.colors(), "the same each time");
        }
    }
    assert!(n_pairs.iter().all(|&n| 100 < n), "{n_pairs:?}");
}

/// The coordinates of a grid agree around a vertex of six triangles, and of twelve or of an open
/// fan of any number as well, where its colors would repeat.
#[test]
fn fans_are_no_grids() {
    for n in 1..=24u32 {
        for is_closed in [false, true] {
            let n_rim = n + u32::from(!is_closed);
            let faces: Vec<[u32; 3]> = (0..n).map(|k| [0, 1 + k, 1 + (k + 1) % n_rim]).collect();
            if is_closed && n < 3 {
                continue;
            }
            let mesh = Mesh::new(faces, n_rim as usize + 1).unwrap();
            for size in SIZES {
                check(&mesh, &Coloring::of(&mesh, &[], size));
            }
        }
    }
}

/// A grid of quads, each split along one of its diagonals; wrapped around in both directions if it
/// is closed.
fn grid([n, m]: [u32; 2], is_closed: bool, is_flipped: impl Fn(u32, u32) -> bool) -> (Mesh, Vec<[f64; 3]>) {
    let [rows, columns] = if is_closed { [n, m] } else { [n + 1, m + 1] };
    let at = |i: u32, j: u32| i % rows * columns + j % columns;
    let mut faces = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
        faces.extend(if is_flipped(i, j) { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] });
    }
    let rest = (0..rows * columns).map(|v| [f64::from(v / columns), f64::from(v % columns), 0.0]).collect();
    (Mesh::new(faces, (rows * columns) as usize).unwrap(), rest)
}

#[test]
fn grids_have_periodic_colors() {
    // All diagonals one way: six triangles around each vertex.
    let (mesh, rest) = grid([12, 9], false, |_, _| false);
    assert_eq!(check(&mesh, &Coloring::of(&mesh, &rest, Size::One)), [14, 13]);
    assert_eq!(check(&mesh, &Coloring::of(&mesh, &rest, Size::Two)), [9, 9]);
    // Alternating diagonals, as of cloth: eight or four triangles around a vertex.
    let (mesh, rest) = grid([12, 9], false, |i, j| (i + j) % 2 == 0);
    assert_eq!(check(&mesh, &Coloring::of(&mesh, &rest, Size::One)), [18, 15]);
    assert_eq!(check(&mesh, &Coloring::of(&mesh, &rest, Size::Two)), [9, 9]);
    // A circumference that fits the period, and some that do not.
    let (mesh, rest) = grid([14, 14], true, |_, _| false);
    assert_eq!(check(&mesh, &Coloring::of(&mesh, &rest, Size::One)), [14, 13]);
    for [n, m] in [[7, 9], [8, 8], [5, 11], [3, 3]] {
        let (mesh, rest) = grid([n, m], true, |_, _| false);
        check(&mesh, &Coloring::of(&mesh, &rest, Size::One));
    }
    let empty = Mesh::new(Vec::new(), 0).unwrap();
    assert_eq!(check(&empty, &Coloring::of(&empty, &[], Size::Two)), [0, 0]);
}

/// Triangles are removed, and vertices split, along a random line.
fn cut(rng: &mut Rng, mesh: &Mesh) -> (Mesh, Vec<u32>) {
    let (mut faces, mut from) = (Vec::new(), Vec::new());
    let mut n_vertices = mesh.n_vertices() as u32;
    let split = rng.below(u64::from(n_vertices).max(1)) as u32;
    let is_split = rng.one_in(2);
    for (t, face) in (0..).zip(mesh.triangles()) {
        let is_removed = !is_split && face.contains(&split) && rng.one_in(2);
        if is_removed {
            continue;
        }
        let mut face = *face;
        if is_split && rng.one_in(2) {
            // This triangle gets a vertex of its own.
            for v in face.iter_mut().filter(|v| **v == split) {
                *v = n_vertices;
                n_vertices += 1;
            }
        }
        faces.push(face);
        from.push(t);
    }
    if rng.one_in(3) {
        // A triangle that comes from none, and shares a vertex with others.
        faces.push([split, n_vertices, n_vertices + 1]);
        n_vertices += 2;
        from.push(NONE);
    }
    (Mesh::new(faces, n_vertices as usize).unwrap(), from)
}

#[test]
fn after_cuts() {
    let [mut n_kept, mut n_new] = [0; 2];
    for seed in 0..400 {
        let mut rng = Rng::for_item(0xc07, seed);
        let (mut mesh, rest) = random_mesh(&mut rng);
        let size = rng.pick(&SIZES);
        let mut coloring = Coloring::of(&mesh, &rest, size);
        for _ in 0..3 {
            let (next, mut from) = cut(&mut rng, &mesh);
            if rng.one_in(8) {
                // Anything may be given.
                from.iter_mut().for_each(|t| *t = rng.below(300) as u32);
                from.truncate(rng.below(300) as usize);
            }
            let (after, n_recolored) = coloring.after_cut(&next, &rest, &from);
            check(&next, &after);
            n_kept += after.n_primitives() - n_recolored;
            n_new += n_recolored;
            (mesh, coloring) = (next, after);
        }
    }
    assert!(10_000 < n_kept && 1_000 < n_new, "{n_kept} {n_new}");
}

/// Only what is near the cut gets a new color.
#[test]
fn a_cut_is_local() {
    let (mesh, rest) = grid([30, 30], false, |i, j| (i + j) % 2 == 0);
    let coloring = Coloring::of(&mesh, &rest, Size::One);
    // A slit between triangles only splits vertices.
    let n = mesh.n_vertices() as u32;
    let middle = |v: u32| v / 31 == 15 && v % 31 < 15;
    let faces = mesh.triangles().iter().map(|&face| {
        let is_below = face.iter().any(|&v| v / 31 < 15);
        face.map(|v| if is_below && middle(v) { n + v % 31 } else { v })
    });
    let slit = Mesh::new(faces.collect(), n as usize + 31).unwrap();
    let from: Vec<u32> = (0..1800).collect();
    let (after, n_recolored) = coloring.after_cut(&slit, &rest, &from);
    assert_eq!((after.colors(), n_recolored), (coloring.colors(), 0));
    // A new triangle in place of an old one: its neighborhood.
    let mut replaced = from.clone();
    replaced[900] = NONE;
    let (after, n_recolored) = coloring.after_cut(&mesh, &rest, &replaced);
    check(&mesh, &after);
    assert!(0 < n_recolored && n_recolored < 100, "{n_recolored}");
    let n_changed = after.colors().iter().zip(coloring.colors()).filter(|(a, b)| a != b).count();
    assert!(n_changed <= n_recolored);
}
