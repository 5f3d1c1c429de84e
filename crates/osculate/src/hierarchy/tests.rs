use super::*;
use crate::Mesh;
use crate::mesh::patch::{Patch, Workspace};
use crate::random::random;
use std::collections::HashMap;

const SPLITS: [Split; 3] = [Split::Median, Split::SurfaceArea, Split::ConnectedPatches];

struct Shape {
    name: &'static str,
    mesh: Mesh,
    positions: Vec<[f64; 3]>,
}

impl Shape {
    fn new(name: &'static str, triangles: Vec<[u32; 3]>, positions: Vec<[f64; 3]>) -> Shape {
        Shape { name, mesh: Mesh::new(triangles, positions.len()).unwrap(), positions }
    }

    /// The same surface with shuffled triangles.
    fn shuffled(self, seed: u64) -> Shape {
        let mut next = random(seed);
        let mut triangles: Vec<_> = self.mesh.triangles().iter().map(|&t| (next(), t)).collect();
        triangles.sort_by(|a, b| a.0.total_cmp(&b.0));
        Shape::new(self.name, triangles.into_iter().map(|(_, t)| t).collect(), self.positions)
    }

    /// This one and another, side by side.
    fn and(self, other: Shape) -> Shape {
        let n = self.positions.len() as u32;
        let moved = other.mesh.triangles().iter().map(|t| t.map(|v| v + n));
        let triangles = self.mesh.triangles().iter().copied().chain(moved).collect();
        let positions =
            self.positions.into_iter().chain(other.positions.iter().map(|&[x, y, z]| [x + 3.0, y, z]));
        Shape::new("pieces", triangles, positions.collect())
    }
}

/// A grid of `w` by `h` cells, whose first and last column or row may be identified; `place` maps
/// (u, v) in [0, 1] to space.
fn sheet(
    name: &'static str,
    [w, h]: [usize; 2],
    [wraps_u, wraps_v]: [bool; 2],
    place: impl Fn(f64, f64) -> [f64; 3],
) -> Shape {
    let [columns, rows] = [if wraps_u { w } else { w + 1 }, if wraps_v { h } else { h + 1 }];
    let vertex = |i: usize, j: usize| (i % columns + j % rows * columns) as u32;
    let mut triangles = Vec::new();
    for j in 0..h {
        for i in 0..w {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let at = |k: usize| place((k % columns) as f64 / w as f64, (k / columns) as f64 / h as f64);
    Shape::new(name, triangles, (0..columns * rows).map(at).collect())
}

fn grid(w: usize, h: usize) -> Shape {
    sheet("grid", [w, h], [false; 2], |u, v| [u * w as f64 / h as f64, v, 0.1 * (9.0 * u).sin()])
}

const TURN: f64 = std::f64::consts::TAU;

fn tube(w: usize, h: usize) -> Shape {
    sheet("tube", [w, h], [true, false], |u, v| [(TURN * u).cos(), (TURN * u).sin(), 6.0 * v])
}

fn torus(w: usize, h: usize) -> Shape {
    sheet("torus", [w, h], [true; 2], |u, v| {
        let r = 2.0 + (TURN * v).cos();
        [r * (TURN * u).cos(), r * (TURN * u).sin(), (TURN * v).sin()]
    })
}

/// An octahedron, each triangle split into four `n` times, on the unit sphere.
fn sphere(n: usize) -> Shape {
    let mut positions = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0f64],
    ];
    let mut triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5u32]];
    for _ in 0..n {
        let mut middles = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let p = [0, 1, 2].map(|i| positions[a as usize][i] + positions[b as usize][i]);
                let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
                positions.push(p.map(|x| x / length));
                positions.len() as u32 - 1
            })
        };
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Shape::new("sphere", triangles, positions)
}

/// `n` triangles around one edge.
fn book(n: u32) -> Shape {
    let pages = (0..n).map(|i| {
        let angle = f64::from(i) / f64::from(n) * TURN;
        [angle.cos(), angle.sin(), 0.5]
    });
    let positions = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]].into_iter().chain(pages).collect();
    Shape::new("book", (2..n + 2).map(|i| [0, 1, i]).collect(), positions)
}

/// Random triangles over few vertices: shared edges of many triangles, duplicates, both
/// orientations.
fn soup(n: usize, n_vertices: usize, seed: u64) -> Shape {
    let mut next = random(seed);
    let positions = (0..n_vertices).map(|_| [next(), next(), next()]).collect();
    let mut triangles = Vec::new();
    while triangles.len() < n {
        let [a, b, c] = [0; 3].map(|_| (next() * n_vertices as f64) as u32);
        if a != b && b != c && c != a {
            triangles.push([a, b, c]);
        }
    }
    Shape::new("soup", triangles, positions)
}

fn shapes() -> Vec<Shape> {
    let mut at_one_point = grid(20, 20).shuffled(5);
    at_one_point.positions.iter_mut().for_each(|p| *p = [1.0, 2.0, 3.0]);
    let mut huge = soup(300, 100, 9);
    huge.positions.iter_mut().for_each(|p| *p = p.map(|x| if x < 0.5 { -1.7e308 } else { 1.7e308 }));
    let mut tiny = torus(12, 9);
    tiny.positions.iter_mut().for_each(|p| *p = p.map(|x| x * 1e-320));
    let twice = grid(7, 5).mesh.triangles().repeat(2);
    let strip = (0..999).map(|i| [i, i + 1, i + 2]).collect();
    let mut next = random(3);
    vec![
        Shape::new("empty", vec![], vec![]),
        Shape::new("only vertices", vec![], vec![[0.0; 3]; 4]),
        Shape::new("single", vec![[2, 0, 1]], vec![[0.0; 3]; 4]),
        Shape::new("duplicates", twice, grid(7, 5).positions),
        Shape::new("misoriented strip", strip, (0..1001).map(|_| [next(), next(), next()]).collect()),
        grid(1, 1),
        grid(2, 1),
        grid(31, 17),
        grid(500, 1),
        grid(40, 40).shuffled(1),
        tube(8, 60),
        tube(60, 8).shuffled(2),
        torus(24, 12),
        torus(9, 7).and(grid(5, 8)).and(sphere(2)).and(tube(5, 5)).and(grid(1, 1)).shuffled(3),
        sphere(0),
        sphere(3).shuffled(4),
        book(3),
        book(3000),
        book(40).and(grid(6, 6)),
        soup(500, 12, 1),
        soup(700, 60, 2),
        soup(700, 400, 3),
        soup(400, 100_000, 4),
        at_one_point,
        huge,
        tiny,
    ]
}

/// The pieces of triangles connected across shared edges, by flooding.
fn edge_pieces(mesh: &Mesh, triangles: &[u32]) -> Vec<Vec<u32>> {
    let mut of_edge: HashMap<u32, Vec<u32>> = HashMap::new();
    for &t in triangles {
        for e in mesh.triangle_edges()[t as usize] {
            of_edge.entry(e).or_default().push(t);
        }
    }
    let mut left: std::collections::BTreeSet<u32> = triangles.iter().copied().collect();
    let mut pieces = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut piece = vec![first];
        let mut done = 0;
        while let Some(&t) = piece.get(done) {
            done += 1;
            for e in mesh.triangle_edges()[t as usize] {
                // An edge is emptied when it is first met.
                let others = std::mem::take(of_edge.get_mut(&e).unwrap());
                piece.extend(others.into_iter().filter(|other| left.remove(other)));
            }
        }
        piece.sort_unstable();
        pieces.push(piece);
    }
    pieces
}

/// The sides of triangles whose edge has no other side, in their direction; sorted. `None` if two
/// sides of an edge have the same direction.
fn boundary(mesh: &Mesh, triangles: &[u32]) -> Option<Vec<[u32; 2]>> {
    let mut sides = HashMap::new();
    for &t in triangles {
        let [a, b, c] = mesh.triangles()[t as usize];
        for side in [[a, b], [b, c], [c, a]] {
            if sides.insert(side, ()).is_some() {
                return None;
            }
        }
    }
    let mut alone: Vec<[u32; 2]> =
        sides.keys().copied().filter(|&[a, b]| !sides.contains_key(&[b, a])).collect();
    alone.sort_unstable();
    Some(alone)
}

fn loop_edges(contour: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..contour.len()).map(|i| [contour[i], contour[(i + 1) % contour.len()]])
}

#[test]
fn every_triangle_once() {
    for shape in shapes() {
        for split in SPLITS {
            for arity in 2..=WIDTH {
                let tree = build(&shape.mesh, &shape.positions, Build { split, arity });
                tree.assert_well_formed(shape.mesh.triangles().len());
                for node in 0..tree.n_nodes() as u32 {
                    let n_children = (0..WIDTH).filter(|&lane| tree.child(node, lane) != Child::None).count();
                    assert!(n_children <= arity, "{} {split:?}", shape.name);
                }
            }
        }
    }
}

#[test]
fn a_strange_arity_is_brought_into_range() {
    let Shape { mesh, positions, .. } = grid(5, 5);
    let tree = |arity| build(&mesh, &positions, Build { split: Split::Median, arity });
    assert_eq!(tree(0), tree(2));
    assert_eq!(tree(usize::MAX), tree(WIDTH));
    assert_ne!(tree(2), tree(WIDTH));
}

#[test]
fn a_patch_is_connected_or_made_of_whole_pieces() {
    for shape in shapes() {
        let all: Vec<u32> = (0..shape.mesh.triangles().len() as u32).collect();
        let whole = edge_pieces(&shape.mesh, &all);
        for arity in [2, WIDTH] {
            let tree = build(&shape.mesh, &shape.positions, Build { split: Split::ConnectedPatches, arity });
            for node in 0..tree.n_nodes() as u32 {
                let pieces = edge_pieces(&shape.mesh, tree.triangles_below(node));
                assert!(pieces.len() == 1 || pieces.iter().all(|p| whole.contains(p)), "{}", shape.name);
            }
        }
    }
}

#[test]
fn connected_patches_are_not_deep() {
    for shape in shapes() {
        let how = Build { split: Split::ConnectedPatches, arity: 2 };
        let tree = build(&shape.mesh, &shape.positions, how);
        let mut depths = vec![0u32; tree.n_nodes()];
        for node in 0..tree.n_nodes() as u32 {
            for lane in 0..WIDTH {
                if let Child::Node(child) = tree.child(node, lane) {
                    depths[child as usize] = depths[node as usize] + 1;
                }
            }
        }
        let depth = depths.into_iter().max().unwrap_or(0);
        // A half has at most 7/8 of the whole: log(8) / log(8/7) = 16 at the very worst for each
        // factor of 8.
        let bound = 16.0 / 3.0 * (shape.mesh.triangles().len() as f64 + 1.0).log2();
        assert!(f64::from(depth) <= bound, "{}: {depth} over {bound}", shape.name);
    }
}

#[test]
fn contours_are_the_edges_with_one_triangle() {
    for shape in shapes() {
        for split in SPLITS {
            let tree = build(&shape.mesh, &shape.positions, split);
            let patches = Patches::of(&shape.mesh, &tree);
            for node in 0..tree.n_nodes() as u32 {
                let triangles = tree.triangles_below(node);
                let is_connected = edge_pieces(&shape.mesh, triangles).len() == 1;
                let expected = boundary(&shape.mesh, triangles).filter(|b| is_connected && !b.is_empty());
                assert_eq!(patches.is_eligible(node), expected.is_some(), "{} {split:?}", shape.name);
                let mut found: Vec<[u32; 2]> = patches.loops(node).flat_map(loop_edges).collect();
                found.sort_unstable();
                assert_eq!(found, expected.unwrap_or_default(), "{} {split:?}", shape.name);
            }
        }
    }
}

#[test]
fn same_tree_at_any_number_of_threads() {
    // Enough triangles for several tasks, also of the contours.
    let shape = grid(70, 70).and(torus(60, 40)).shuffled(6);
    for split in SPLITS {
        let built = [1, 3].map(|n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            pool.install(|| {
                let tree = build(&shape.mesh, &shape.positions, split);
                let patches = Patches::of(&shape.mesh, &tree);
                (tree, patches)
            })
        });
        built[0].0.assert_well_formed(shape.mesh.triangles().len());
        assert!(built[0] == built[1], "{split:?}");
    }
}

fn is_disk(mesh: &Mesh, tree: &Hierarchy, node: u32) -> bool {
    Patch::of(mesh, tree.triangles_below(node), &mut Workspace::default()).is_disk()
}

/// If a disk or a sphere is cut into two connected halves, both are disks, unless one encloses the
/// other. A straight cut never does, so all nodes except the root of the sphere should be disks;
/// one in a thousand may be lost to an accident of the field.
#[test]
fn nearly_all_connected_patches_are_disks_with_short_contours() {
    for shape in [grid(64, 64), grid(64, 64).shuffled(7), sphere(5), sphere(5).shuffled(8)] {
        for arity in [2, WIDTH] {
            let tree = build(&shape.mesh, &shape.positions, Build { split: Split::ConnectedPatches, arity });
            let patches = Patches::of(&shape.mesh, &tree);
            let below_root = 1..tree.n_nodes() as u32;
            let n_disks = below_root.clone().filter(|&node| is_disk(&shape.mesh, &tree, node)).count();
            assert!(0.999 * below_root.len() as f64 <= n_disks as f64, "{}: {n_disks}", shape.name);

            // A square of m triangles in a grid has 4 sqrt(m / 2) = 2.83 sqrt(m) edges, and an
            // oblong of two squares 3 sqrt(m).
            let large = below_root.filter(|&node| 16 <= tree.triangles_below(node).len());
            let lengths: Vec<f64> = large
                .map(|node| {
                    let n_edges: usize = patches.loops(node).map(<[u32]>::len).sum();
                    n_edges as f64 / (tree.triangles_below(node).len() as f64).sqrt()
                })
                .collect();
            let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
            assert!(mean < 3.1, "{}: {mean}", shape.name);
        }
    }
}

/// A tube is cut across while it is long, which leaves tubes, then lengthwise: most of its nodes
/// are disks too.
#[test]
fn tubes_and_tori_come_apart_into_disks() {
    for shape in [tube(16, 100), tube(100, 16), torus(60, 30)] {
        let tree = build(&shape.mesh, &shape.positions, Split::ConnectedPatches);
        let n_disks = (0..tree.n_nodes() as u32).filter(|&node| is_disk(&shape.mesh, &tree, node)).count();
        assert!(0.97 * tree.n_nodes() as f64 <= n_disks as f64, "{}: {n_disks}", shape.name);
    }
}
