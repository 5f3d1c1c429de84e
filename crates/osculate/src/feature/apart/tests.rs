//! Every feature pair is tested once: by two triangles that are not adjacent, or as an orphan.

use super::{Apart, ApartOwner, HUB, transposed};
use crate::Mesh;
use crate::feature::unfold::feature_pair;
use crate::feature::{Owner, Representatives};
use crate::narrow::Kind;
use crate::random::random;
use std::collections::HashMap;

type Key = (bool, [u32; 2]);

fn key(kind: Kind, ids: [u32; 2]) -> Key {
    (kind == Kind::EdgeEdge, ids)
}

/// All feature pairs that share no vertex, and whether all pairs of triangles around them are
/// adjacent.
fn expected(mesh: &Mesh) -> HashMap<Key, bool> {
    let valence = |v: u32| mesh.triangles().iter().filter(|t| t.contains(&v)).count();
    let adjacent = |a: &[u32; 3], b: &[u32; 3]| a.iter().any(|v| b.contains(v) && valence(*v) <= HUB);
    let around = |corners: &[u32]| {
        let corners = corners.to_vec();
        mesh.triangles().iter().filter(move |t| corners.iter().all(|v| t.contains(v)))
    };
    let mut pairs = HashMap::new();
    for (t, face) in mesh.triangles().iter().enumerate() {
        for v in (0..mesh.n_vertices() as u32).filter(|v| !face.contains(v) && 0 < valence(*v)) {
            let is_orphan = around(&[v]).all(|a| adjacent(a, face));
            pairs.insert(key(Kind::VertexFace, [v, t as u32]), is_orphan);
        }
    }
    for (e, p) in mesh.edges().iter().enumerate() {
        for (f, q) in mesh.edges().iter().enumerate().skip(e + 1) {
            if !p.iter().any(|v| q.contains(v)) {
                let is_orphan = around(p).all(|a| around(q).all(|b| adjacent(a, b)));
                pairs.insert(key(Kind::EdgeEdge, [e as u32, f as u32]), is_orphan);
            }
        }
    }
    pairs
}

/// Checks the owner of a mesh; returns the number of feature pairs, and of orphans among them.
fn check(faces: Vec<[u32; 3]>, rest: &[[f64; 3]]) -> [usize; 2] {
    let mesh = &Mesh::new(faces, rest.len()).unwrap();
    let representatives = &Representatives::new(mesh);
    let apart = &Apart::new(mesh, rest, representatives);
    let owner = ApartOwner { apart, mesh, representatives };
    let expected = expected(mesh);
    let mut found: HashMap<Key, bool> = HashMap::new();
    let n = mesh.triangles().len() as u32;
    for a in 0..n {
        for b in a + 1..n {
            let mut owned = Vec::new();
            owner.owned(&[[a, b], [b, a]], &mut owned);
            assert_eq!(owned[1], transposed(owned[0]));
            assert!(owned[0] == 0 || !owner.are_adjacent(a, b), "{a} and {b} are adjacent");
            for (pair, owned) in [([a, b], owned[0]), ([b, a], owned[1])] {
                for k in (0..15).filter(|k| owned >> k & 1 != 0) {
                    let [first, second] = pair.map(|t| (t, representatives.of(t)));
                    let (kind, pair) = feature_pair(k, first, second);
                    let is_new = found.insert(key(kind, pair.ids), false).is_none();
                    assert_eq!(is_new, [a, b] == [first.0, second.0], "{kind:?} {:?}", pair.ids);
                }
            }
        }
    }
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        for pair in apart.orphans.pairs(kind) {
            assert!(found.insert(key(kind, pair.ids), true).is_none(), "{kind:?} {:?}", pair.ids);
        }
    }
    assert_eq!(found, expected);
    [expected.len(), expected.values().filter(|&&is_orphan| is_orphan).count()]
}

fn grid(n: u32, m: u32, is_closed: bool) -> Vec<[u32; 3]> {
    let (n_rows, n_columns) = if is_closed { (n, m) } else { (n - 1, m - 1) };
    let at = |i: u32, j: u32| i % n * m + j % m;
    let quads = (0..n_rows).flat_map(|i| (0..n_columns).map(move |j| (i, j)));
    quads
        .flat_map(|(i, j)| {
            [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]]
        })
        .collect()
}

fn points(n: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut unit = random(seed);
    (0..n).map(|_| [unit(), unit(), unit()]).collect()
}

#[test]
fn of_grids_and_closed_surfaces() {
    let [n, n_orphans] = check(grid(7, 8, false), &points(56, 1));
    assert!(0 < n_orphans && 10 * n_orphans < n, "{n_orphans} of {n}");
    // No boundary.
    let [_, n_orphans] = check(grid(6, 7, true), &points(42, 2));
    assert_eq!(n_orphans, 0);
    // Any two triangles are adjacent.
    let tetrahedron = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let [n, n_orphans] = check(tetrahedron, &points(4, 3));
    assert_eq!([n, n_orphans], [7, 7]);
    let octahedron =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    check(octahedron, &points(6, 4));
    check(Vec::new(), &[]);
    check(vec![[0, 1, 2]], &points(5, 5));
}

/// The choice depends on the rest pose, but never that there is one.
#[test]
fn of_any_rest_pose() {
    for scale in [0.0, 1e200, f64::MAX] {
        check(
            grid(5, 5, false),
            &points(25, 6).into_iter().map(|p| p.map(|x| scale * x)).collect::<Vec<_>>(),
        );
    }
}

#[test]
fn of_fans_and_duplicates() {
    let around_edge = |n: u32| (2..n + 2).map(|v| [0, 1, v]).collect::<Vec<_>>();
    let around_vertex = |n: u32| (1..n).map(|v| [0, v, v + 1]).collect::<Vec<_>>();
    check(around_edge(6), &points(8, 7));
    let [n, n_orphans] = check(around_vertex(HUB as u32 + 1), &points(HUB + 2, 8));
    assert_eq!(n, n_orphans);
    // Around a hub nothing is an orphan but what only neighbors along the rim have.
    let [n, n_orphans] = check(around_vertex(HUB as u32 + 2), &points(HUB + 3, 9));
    assert!(10 * n_orphans < n, "{n_orphans} of {n}");
    check(around_edge(HUB as u32 + 1), &points(HUB + 3, 10));
    let mut twice = grid(3, 4, false);
    twice.extend_from_within(..5);
    check(twice, &points(12, 11));
}

#[test]
fn of_soups() {
    for seed in 0..200 {
        let mut unit = random(100 + seed);
        let n_vertices = 4 + (unit() * 16.0) as u32;
        let n_faces = 1 + (unit() * 30.0) as usize;
        let mut corner = || (unit() * f64::from(n_vertices)) as u32;
        let mut faces = Vec::new();
        while faces.len() < n_faces {
            let [a, b, c] = [corner(), corner(), corner()];
            if a != b && b != c && c != a {
                faces.push([a, b, c]);
            }
        }
        check(faces, &points(n_vertices as usize, seed));
    }
}

#[test]
fn transposing_twice_changes_nothing() {
    for k in 0..15 {
        let to = match k {
            0..6 => (k + 3) % 6,
            _ => 6 + 3 * ((k - 6) % 3) + (k - 6) / 3,
        };
        assert_eq!(transposed(1 << k), 1 << to);
    }
}
