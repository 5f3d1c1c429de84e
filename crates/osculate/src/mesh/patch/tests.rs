//! Handmade patches, and random ones against definitions over all pairs of triangles.

use super::*;
use std::collections::BTreeSet;

fn mesh(triangles: &[[u32; 3]]) -> Mesh {
    let n_vertices = triangles.as_flattened().iter().max().map_or(0, |&v| v + 1);
    Mesh::new(triangles.to_vec(), n_vertices as usize).unwrap()
}

/// The patch of all these triangles.
fn whole(triangles: &[[u32; 3]]) -> Patch {
    let all: Vec<u32> = (0..triangles.len() as u32).collect();
    let patch = Patch::of(&mesh(triangles), &all, &mut Workspace::default());
    check_against_definitions(triangles, &patch);
    patch
}

/// A patch that is connected, oriented and therefore manifold.
fn surface(loops: &[&[u32]], euler: i64) -> Patch {
    let loops = loops.iter().map(|l| l.to_vec()).collect();
    Patch { loops, is_connected: true, is_manifold: true, is_oriented: true, euler }
}

#[test]
fn no_triangle() {
    let patch = whole(&[]);
    assert_eq!(patch, surface(&[], 0));
    assert!(!patch.is_disk() && !patch.is_eligible());
}

#[test]
fn one_triangle_is_a_disk() {
    for corners in [[0, 1, 2], [1, 2, 0], [2, 1, 0]] {
        let patch = whole(&[corners]);
        assert_eq!(patch, surface(&[&corners], 1));
        assert!(patch.is_disk() && patch.is_eligible());
    }
}

#[test]
fn two_triangles_that_share_an_edge() {
    let patch = whole(&[[0, 1, 2], [2, 1, 3]]);
    assert_eq!(patch, surface(&[&[0, 1, 3, 2]], 1));
    assert!(patch.is_disk());

    let misoriented = whole(&[[0, 1, 2], [1, 2, 3]]);
    assert_eq!(misoriented, Patch { is_oriented: false, ..surface(&[], 1) });
    assert!(!misoriented.is_disk() && !misoriented.is_eligible());
}

#[test]
fn two_triangles_that_share_a_vertex_are_split() {
    // A bow tie: vertex 2 appears in both loops.
    let bow_tie = whole(&[[0, 1, 2], [2, 3, 4]]);
    assert_eq!(bow_tie, Patch { is_connected: false, ..surface(&[&[0, 1, 2], &[2, 3, 4]], 2) });
    assert!(!bow_tie.is_disk() && !bow_tie.is_eligible());
    let apart = whole(&[[0, 1, 2], [3, 4, 5]]);
    assert_eq!(apart, Patch { is_connected: false, ..surface(&[&[0, 1, 2], &[3, 4, 5]], 2) });
}

#[test]
fn a_strip_whose_ends_meet_in_a_vertex_is_a_disk_after_splitting() {
    // Vertex 0 is at both ends of the strip: one loop that passes it twice.
    let patch = whole(&[[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5], [4, 5, 0]]);
    assert_eq!(patch, surface(&[&[0, 1, 3, 5, 0, 4, 2]], 1));
    assert!(patch.is_disk());
}

#[test]
fn three_triangles_on_an_edge() {
    let patch = whole(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
    assert_eq!(patch, Patch { is_manifold: false, is_oriented: false, ..surface(&[], 1) });
    assert!(!patch.is_disk() && !patch.is_eligible());
}

#[test]
fn duplicates() {
    // Both sides of one triangle: a sphere. The same side twice: misoriented. Three times:
    // branching.
    assert_eq!(whole(&[[0, 1, 2], [1, 0, 2]]), surface(&[], 2));
    assert_eq!(whole(&[[0, 1, 2], [1, 2, 0]]), Patch { is_oriented: false, ..surface(&[], 2) });
    let thrice = whole(&[[0, 1, 2], [1, 0, 2], [0, 1, 2]]);
    assert_eq!(thrice, Patch { is_manifold: false, is_oriented: false, ..surface(&[], 3) });
}

#[test]
fn tetrahedron_and_its_parts() {
    let tetrahedron = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]];
    let closed = whole(&tetrahedron);
    assert_eq!(closed, surface(&[], 2));
    assert!(!closed.is_disk() && !closed.is_eligible());

    let mesh = mesh(&tetrahedron);
    let mut workspace = Workspace::default();
    for subset in 1u32..15 {
        let triangles: Vec<u32> = (0..4).filter(|t| subset >> t & 1 == 1).collect();
        let patch = Patch::of(&mesh, &triangles, &mut workspace);
        assert!(patch.is_disk(), "{triangles:?}: {patch:?}");
        assert_eq!(patch.loops[0].len(), if triangles.len() == 2 { 4 } else { 3 });
    }
}

#[test]
fn annulus() {
    // Outside 0, 1, 2 and inside 3, 4, 5; the inner loop runs the other way.
    let patch = whole(&[[0, 1, 3], [3, 1, 4], [1, 2, 4], [4, 2, 5], [2, 0, 5], [5, 0, 3]]);
    assert_eq!(patch, surface(&[&[0, 1, 2], &[4, 3, 5]], 0));
    assert!(patch.is_eligible() && !patch.is_disk());
}

#[test]
fn moebius_strip() {
    let patch = whole(&[[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 0, 4], [4, 0, 1]]);
    assert_eq!(patch, Patch { is_oriented: false, ..surface(&[], 0) });
    assert!(!patch.is_eligible());
}

#[test]
fn torus_without_a_triangle_is_no_disk() {
    let mut torus = Family::Torus.triangles(&mut Random(0));
    assert_eq!(whole(&torus), surface(&[], 0));
    let removed = torus.pop().unwrap();
    let patch = whole(&torus);
    assert_eq!((patch.loops.len(), patch.loops[0].len(), patch.euler), (1, 3, -1));
    assert!(patch.loops[0].iter().all(|v| removed.contains(v)));
    assert!(patch.is_eligible() && !patch.is_disk());
}

#[test]
fn random_patches_match_the_definitions() {
    let mut workspace = Workspace::default();
    let mut seen = [0; 6];
    for seed in 0..20_000 {
        let mut random = Random(seed);
        let family = Family::ALL[random.below(Family::ALL.len())];
        let mut triangles = family.triangles(&mut random);
        random.spoil(&mut triangles);
        let mesh = mesh(&triangles);

        let mut chosen: Vec<u32> = (0..triangles.len() as u32).collect();
        random.shuffle(&mut chosen);
        chosen.truncate(random.below(chosen.len() + 1));
        let patch = Patch::of(&mesh, &chosen, &mut workspace);
        let corners: Vec<[u32; 3]> = chosen.iter().map(|&t| triangles[t as usize]).collect();
        check_against_definitions(&corners, &patch);

        let kinds = [
            patch.is_disk(),
            patch.is_eligible() && !patch.is_disk(),
            patch.is_oriented && !patch.is_connected,
            patch.is_manifold && !patch.is_oriented,
            !patch.is_manifold,
            patch.loops.iter().any(|l| l.iter().collect::<BTreeSet<_>>().len() < l.len()),
        ];
        seen.iter_mut().zip(kinds).for_each(|(n, is_kind)| *n += i32::from(is_kind));
    }
    assert!(seen.iter().all(|&n| 200 <= n), "too few patches of a kind: {seen:?}");
}

#[test]
fn patches_of_a_hierarchy_take_time_in_proportion_to_their_size() {
    // 2^16 triangles, halved down to single ones: 17 levels. Quadratic work anywhere would take
    // minutes.
    let n = 1 << 16;
    let strip: Vec<[u32; 3]> =
        (0..n).map(|v| if v % 2 == 0 { [v, v + 1, v + 2] } else { [v + 1, v, v + 2] }).collect();
    let mesh = mesh(&strip);
    let all: Vec<u32> = (0..n).collect();
    let mut workspace = Workspace::default();
    for level in 0..=16 {
        for node in all.chunks(1 << level) {
            let patch = Patch::of(&mesh, node, &mut workspace);
            assert!(patch.is_disk());
            assert_eq!(patch.loops[0].len(), node.len() + 2);
        }
    }
}

/// Checks a patch against the definitions, over all pairs of triangles.
fn check_against_definitions(triangles: &[[u32; 3]], patch: &Patch) {
    let share = |a: &[u32; 3], b: &[u32; 3]| a.iter().filter(|v| b.contains(v)).count();
    let pieces = n_classes(triangles.len(), |i, j| 2 <= share(&triangles[i], &triangles[j]));
    assert_eq!(patch.is_connected, pieces <= 1, "{triangles:?}");

    let sides: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let times = |side: [u32; 2]| sides.iter().filter(|&&s| s == side).count();
    let reverse = |[v, w]: [u32; 2]| [w, v];
    let is_manifold = sides.iter().all(|&s| times(s) + times(reverse(s)) <= 2);
    assert_eq!(patch.is_manifold, is_manifold, "{triangles:?}");
    let is_oriented = sides.iter().all(|&s| times(s) == 1);
    assert_eq!(patch.is_oriented, is_oriented, "{triangles:?}");

    // Two corners at a vertex are in one fan if a chain of triangles across edges at the vertex
    // connects them.
    let corners: Vec<(usize, u32)> =
        (0..triangles.len()).flat_map(|i| triangles[i].map(|v| (i, v))).collect();
    let meet =
        |&(i, v): &(usize, u32), &(j, w): &(usize, u32)| v == w && 2 <= share(&triangles[i], &triangles[j]);
    // Sharing two vertices, one of which is v, is sharing an edge at v.
    let fans = classes(corners.len(), |a, b| meet(&corners[a], &corners[b]));
    let n_vertices = fans.iter().collect::<BTreeSet<_>>().len();
    let edges: BTreeSet<[u32; 2]> = sides.iter().map(|&[v, w]| [v.min(w), v.max(w)]).collect();
    assert_eq!(patch.euler, n_vertices as i64 - edges.len() as i64 + triangles.len() as i64, "{triangles:?}");

    if !is_oriented {
        assert!(patch.loops.is_empty());
        return;
    }
    // Every boundary side is in the loops once, in its direction, and followed by one that leaves
    // the same fan.
    let boundary: BTreeSet<[u32; 2]> = sides.iter().copied().filter(|&s| times(reverse(s)) == 0).collect();
    let fan = |side: [u32; 2], v: u32| {
        let triangle = sides.iter().position(|&s| s == side).unwrap() / 3;
        fans[corners.iter().position(|&c| c == (triangle, v)).unwrap()]
    };
    let mut passed = Vec::new();
    for contour in &patch.loops {
        assert!(3 <= contour.len(), "{triangles:?} {contour:?}");
        let n = contour.len();
        let sides_of_loop: Vec<[u32; 2]> = (0..n).map(|i| [contour[i], contour[(i + 1) % n]]).collect();
        for i in 0..n {
            let (side, next) = (sides_of_loop[i], sides_of_loop[(i + 1) % n]);
            assert!(boundary.contains(&side), "{triangles:?} {contour:?}");
            assert_eq!(fan(side, side[1]), fan(next, next[0]), "{triangles:?} {contour:?}");
        }
        passed.extend(sides_of_loop);
    }
    passed.sort_unstable();
    assert!(passed.iter().eq(&boundary), "{triangles:?} {:?}", patch.loops);
}

/// The smallest member of the class of each of `0..n`, under the closure of a relation.
fn classes(n: usize, related: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut names: Vec<usize> = (0..n).collect();
    for i in 0..n {
        for j in 0..i {
            if names[i] != names[j] && related(i, j) {
                let (low, high) = (names[i].min(names[j]), names[i].max(names[j]));
                names.iter_mut().filter(|name| **name == high).for_each(|name| *name = low);
            }
        }
    }
    names
}

fn n_classes(n: usize, related: impl Fn(usize, usize) -> bool) -> usize {
    classes(n, related).into_iter().collect::<BTreeSet<_>>().len()
}

#[derive(Clone, Copy)]
enum Family {
    Soup,
    Grid,
    Cylinder,
    Torus,
    Moebius,
}

impl Family {
    const ALL: [Family; 5] = [Family::Soup, Family::Grid, Family::Cylinder, Family::Torus, Family::Moebius];

    fn triangles(self, random: &mut Random) -> Vec<[u32; 3]> {
        let (rows, columns) = (3, 4);
        let vertex = |i: u32, j: u32| match self {
            Family::Soup => unreachable!("has no rows and columns"),
            Family::Grid => i * (columns + 1) + j,
            Family::Cylinder => i * columns + j % columns,
            Family::Torus => (i % rows) * columns + j % columns,
            Family::Moebius if j == columns => (rows - i) * columns,
            Family::Moebius => i * columns + j,
        };
        if let Family::Soup = self {
            let (n_vertices, n_triangles) = (random.below(8) + 3, random.below(13));
            return (0..n_triangles).map(|_| random.triangle(n_vertices)).collect();
        }
        let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        cells
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)];
                [[a, b, c], [c, b, d]]
            })
            .collect()
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).for_each(|i| items.swap(i, self.below(i + 1)));
    }

    fn triangle(&mut self, n_vertices: usize) -> [u32; 3] {
        let mut vertices: Vec<u32> = (0..n_vertices as u32).collect();
        self.shuffle(&mut vertices);
        [vertices[0], vertices[1], vertices[2]]
    }

    /// In half of the cases: merges a few vertices (pinches), then flips, copies or drops a few
    /// triangles.
    fn spoil(&mut self, triangles: &mut Vec<[u32; 3]>) {
        if triangles.is_empty() || self.below(2) == 0 {
            return;
        }
        let vertices: Vec<u32> = triangles.as_flattened().to_vec();
        for _ in 0..self.below(3) {
            let [from, to] = [0; 2].map(|_| vertices[self.below(vertices.len())]);
            triangles.as_flattened_mut().iter_mut().filter(|v| **v == from).for_each(|v| *v = to);
        }
        triangles.retain(|&[a, b, c]| a != b && b != c && c != a);
        for _ in 0..self.below(3) {
            if !triangles.is_empty() {
                let t = self.below(triangles.len());
                match self.below(3) {
                    0 => triangles[t].swap(0, 1),
                    1 => triangles.push(triangles[t]),
                    _ => drop(triangles.swap_remove(t)),
                }
            }
        }
    }
}
