//! Handmade meshes, and random triangles against definitions over all pairs.

use osculate::{Description, Mesh, MeshFault};
use std::collections::BTreeSet;

const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

fn describe(triangles: &[[u32; 3]], n_vertices: usize) -> Description {
    let mesh = Mesh::new(triangles.to_vec(), n_vertices).unwrap();
    check_against_definitions(&mesh);
    mesh.describe()
}

/// (closed, oriented, manifold).
fn kind(d: &Description) -> (bool, bool, bool) {
    (d.is_closed(), d.is_oriented(), d.is_manifold())
}

#[test]
fn empty_meshes() {
    let none = describe(&[], 0);
    assert_eq!(none, Description::default());
    assert_eq!(kind(&none), (true, true, true));
    assert_eq!(none.to_string(), "0 vertices and no triangles.");

    let only_vertices = describe(&[], 5);
    assert_eq!(only_vertices, Description { vertices: 5, isolated_vertices: 5, ..Description::default() });
    assert_eq!(only_vertices.to_string(), "5 vertices and no triangles.");
}

#[test]
fn one_triangle() {
    let mesh = Mesh::new(vec![[2, 0, 1]], 3).unwrap();
    assert_eq!(mesh.edges(), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(mesh.triangle_edges(), [[1, 0, 2]]);
    assert!(mesh.are_adjacent(0, 0));
    let d = describe(&[[2, 0, 1]], 3);
    let expected = Description { vertices: 3, triangles: 1, edges: 3, components: 1, boundary_edges: 3, ..d };
    assert_eq!((d, kind(&d)), (expected, (false, true, true)));
    assert_eq!(
        d.to_string(),
        "3 vertices, 1 triangle and 3 edges in 1 component. Open (3 boundary edges), oriented, manifold."
    );
}

#[test]
fn two_triangles() {
    let oriented = describe(&[[0, 1, 2], [2, 1, 3]], 4);
    assert_eq!((oriented.boundary_edges, oriented.misoriented_edges), (4, 0));
    assert_eq!(kind(&oriented), (false, true, true));

    let misoriented = describe(&[[0, 1, 2], [1, 2, 3]], 4);
    assert_eq!((misoriented.boundary_edges, misoriented.misoriented_edges), (4, 1));
    assert_eq!(kind(&misoriented), (false, false, true));
    assert_eq!(
        misoriented.to_string(),
        "4 vertices, 2 triangles and 5 edges in 1 component. Open (4 boundary edges), not oriented \
         (1 misoriented edge), manifold."
    );

    // A bow tie: one component, pinched in vertex 2.
    let bow_tie = describe(&[[0, 1, 2], [2, 3, 4]], 5);
    assert_eq!((bow_tie.components, bow_tie.non_manifold_vertices), (1, 1));
    assert_eq!(kind(&bow_tie), (false, true, false));

    let apart = describe(&[[0, 1, 2], [5, 3, 4]], 6);
    assert_eq!((apart.components, apart.edges), (2, 6));
    assert_eq!(kind(&apart), (false, true, true));
}

#[test]
fn duplicates_and_three_triangles_on_an_edge() {
    let pages = describe(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]], 6);
    assert_eq!((pages.non_manifold_edges, pages.non_manifold_vertices), (1, 2));
    assert_eq!((pages.misoriented_edges, pages.isolated_vertices), (0, 1));
    assert_eq!(kind(&pages), (false, false, false));
    assert_eq!(
        pages.to_string(),
        "6 vertices, 3 triangles and 7 edges in 1 component. Open (6 boundary edges), not oriented, \
         not manifold (1 non-manifold edge, 2 non-manifold vertices). 1 isolated vertex."
    );

    let pillow = describe(&[[0, 1, 2], [1, 0, 2]], 3);
    assert_eq!((pillow.duplicate_triangles, kind(&pillow)), (1, (true, true, true)));
    let twice = describe(&[[0, 1, 2], [1, 2, 0]], 3);
    assert_eq!((twice.duplicate_triangles, twice.misoriented_edges), (1, 3));
    let thrice = describe(&[[0, 1, 2], [1, 2, 0], [2, 1, 0]], 3);
    assert_eq!((thrice.duplicate_triangles, thrice.non_manifold_edges), (2, 3));
    assert_eq!(kind(&thrice), (false, false, false));
    assert_eq!(
        thrice.to_string(),
        "3 vertices, 3 triangles and 3 edges in 1 component. Not closed, not oriented, not manifold \
         (3 non-manifold edges, 3 non-manifold vertices). 2 duplicate triangles."
    );
}

#[test]
fn known_surfaces() {
    let tetrahedron = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]];
    let d = describe(&tetrahedron, 4);
    assert_eq!((d.edges, kind(&d)), (6, (true, true, true)));
    assert_eq!(
        d.to_string(),
        "4 vertices, 4 triangles and 6 edges in 1 component. Closed, oriented, manifold."
    );

    // Two tetrahedra that share vertex 3: closed, but not manifold there.
    let second = tetrahedron.map(|corners| corners.map(|v| v + 3));
    let d = describe(&[tetrahedron, second].concat(), 7);
    assert_eq!((d.components, d.non_manifold_vertices, kind(&d)), (1, 1, (true, true, false)));

    let annulus = [[0, 1, 3], [3, 1, 4], [1, 2, 4], [4, 2, 5], [2, 0, 5], [5, 0, 3]];
    let d = describe(&annulus, 6);
    assert_eq!((d.boundary_edges, kind(&d)), (6, (false, true, true)));

    let moebius = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 0, 4], [4, 0, 1]];
    let d = describe(&moebius, 5);
    assert_eq!((d.boundary_edges, kind(&d)), (5, (false, false, true)));
    assert!(0 < d.misoriented_edges);
}

#[test]
fn components_are_numbered_in_order_of_appearance() {
    let mesh = Mesh::new(vec![[7, 8, 9], [0, 1, 2], [9, 6, 5], [3, 4, 2]], 10).unwrap();
    assert_eq!(mesh.components(), [0, 1, 0, 1]);
    assert_eq!(mesh.n_components(), 2);
}

#[test]
fn all_faults_of_triangles_are_listed() {
    let triangles = vec![[0, 1, 2], [0, 3, 1], [1, 1, 2], [0, 2, 0], [7, 7, 7], [1, 2, 2], [9, 0, u32::MAX]];
    let out =
        |triangle, corner, vertex| MeshFault::VertexOutOfRange { triangle, corner, vertex, n_vertices: 3 };
    let repeated = |triangle, vertex| MeshFault::RepeatedCorner { triangle, vertex };
    let faults = Mesh::new(triangles, 3).unwrap_err();
    assert_eq!(
        faults.faults(),
        [
            out(1, 1, 3),
            repeated(2, 1),
            repeated(3, 0),
            out(4, 0, 7),
            out(4, 1, 7),
            out(4, 2, 7),
            repeated(4, 7),
            repeated(5, 2),
            out(6, 0, 9),
            out(6, 2, u32::MAX),
        ]
    );
    assert!(
        faults.to_string().starts_with("10 faults: triangle 1 names vertex 3 at corner 1, but there are 3 ")
    );
    assert!(!faults.to_string().contains(" more;"));

    let one = Mesh::new(vec![[4, 4, 5]], 6).unwrap_err();
    assert_eq!(one.to_string(), "triangle 0 names vertex 4 more than once");
    let many = Mesh::new(vec![[0, 1, 2]; 1000], 2).unwrap_err();
    assert_eq!(many.faults().len(), 1000);
    assert!(
        many.to_string()
            .ends_with("triangle 9 names vertex 2 at corner 2, but there are 2 vertices; and 990 more")
    );
}

#[test]
fn too_many_vertices_is_a_fault_among_others() {
    let found = u32::MAX as usize + 1;
    let faults = Mesh::new(vec![[0, 0, 1]], found).unwrap_err();
    let too_many = MeshFault::TooManyVertices { found, allowed: i32::MAX as usize };
    assert_eq!(faults.faults(), [too_many, MeshFault::RepeatedCorner { triangle: 0, vertex: 0 }]);
}

#[test]
fn all_faults_of_a_pose_are_listed() {
    let mesh = Mesh::new(vec![[0, 1, 2]], 3).unwrap();
    // Coincident vertices and a triangle without area are legal.
    assert_eq!(mesh.check_pose(&[[0.0; 3]; 3]), Ok(()));
    assert_eq!(mesh.check_pose(&[[f64::MAX, f64::MIN, 5e-324], [-0.0; 3], [1.0; 3]]), Ok(()));

    let infinite = [[f64::INFINITY, 0.0, f64::NEG_INFINITY], [0.0; 3]];
    let faults = mesh.check_pose(&infinite).unwrap_err();
    assert_eq!(
        faults.faults(),
        [
            MeshFault::PoseLength { found: 2, expected: 3 },
            MeshFault::NonFinite { vertex: 0, axis: 0, value: f64::INFINITY },
            MeshFault::NonFinite { vertex: 0, axis: 2, value: f64::NEG_INFINITY },
        ]
    );
    assert_eq!(
        faults.to_string(),
        "3 faults: the pose has 2 positions, but the mesh has 3 vertices; vertex 0 has a \
         non-finite x coordinate (inf); vertex 0 has a non-finite z coordinate (-inf)"
    );
    let nan = mesh.check_pose(&[[0.0; 3], [0.0, f64::NAN, 0.0], [0.0; 3]]).unwrap_err();
    assert_eq!(nan.to_string(), "vertex 1 has a non-finite y coordinate (NaN)");
    assert!(mesh.check_pose(&[[0.0; 3]; 4]).is_err());
}

#[test]
fn random_triangles_match_the_definitions() {
    for seed in 0..10_000 {
        let mut random = Random(seed);
        let n_vertices = 3 + random.below(10);
        let n_triangles = random.below(24);
        let triangles: Vec<[u32; 3]> = (0..n_triangles).map(|_| random.triangle(n_vertices)).collect();
        check_against_definitions(&Mesh::new(triangles, n_vertices as usize).unwrap());
    }
}

#[test]
fn random_faults_are_all_found() {
    for seed in 0..5_000 {
        let mut random = Random(seed);
        let triangles: Vec<[u32; 3]> =
            (0..random.below(8)).map(|_| [0; 3].map(|_| random.below(6) as u32)).collect();
        let n_vertices = random.below(8) as usize;
        let out_of_range = triangles.as_flattened().iter().filter(|&&v| n_vertices <= v as usize).count();
        let repeated = triangles.iter().filter(|corners| BTreeSet::from(**corners).len() < 3).count();
        let found = Mesh::new(triangles, n_vertices).err().map_or(0, |faults| faults.faults().len());
        assert_eq!(found, out_of_range + repeated);
    }
}

#[test]
fn large_meshes_take_linear_time() {
    // A torus of a million triangles; a book of a hundred thousand pages; an umbrella of as many
    // panels.
    let n = 707u32;
    let vertex = |i: u32, j: u32| (i % n) * n + j % n;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let torus: Vec<[u32; 3]> = cells
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)];
            [[a, b, c], [c, b, d]]
        })
        .collect();
    let d = Mesh::new(torus, (n * n) as usize).unwrap().describe();
    assert_eq!((d.vertices + d.triangles - d.edges, d.components, kind(&d)), (0, 1, (true, true, true)));

    let book: Vec<[u32; 3]> = (2..100_002).map(|v| [0, 1, v]).collect();
    let d = Mesh::new(book, 100_002).unwrap().describe();
    assert_eq!((d.boundary_edges, d.non_manifold_edges, d.non_manifold_vertices), (200_000, 1, 2));

    let umbrella: Vec<[u32; 3]> = (1..=100_000).map(|v| [0, v, v % 100_000 + 1]).collect();
    let d = Mesh::new(umbrella, 100_001).unwrap().describe();
    assert_eq!((d.boundary_edges, kind(&d)), (100_000, (false, true, true)));
}

/// Checks all connectivity of a mesh against the definitions, over all pairs.
fn check_against_definitions(mesh: &Mesh) {
    let triangles = mesh.triangles();
    let has = |t: u32, v: u32| triangles[t as usize].contains(&v);
    let all_triangles = 0..triangles.len() as u32;

    let edges: BTreeSet<[u32; 2]> = triangles
        .iter()
        .flat_map(|corners| SIDES.map(|[i, j]| [corners[i].min(corners[j]), corners[i].max(corners[j])]))
        .collect();
    assert!(mesh.edges().iter().eq(&edges), "{triangles:?}");
    for (corners, edges) in triangles.iter().zip(mesh.triangle_edges()) {
        for ([i, j], &e) in SIDES.into_iter().zip(edges) {
            let [v, w] = mesh.edges()[e as usize];
            assert!([v, w] == [corners[i], corners[j]] || [w, v] == [corners[i], corners[j]]);
        }
    }
    for v in 0..mesh.n_vertices() as u32 {
        let expected: Vec<u32> = all_triangles.clone().filter(|&t| has(t, v)).collect();
        assert_eq!(mesh.triangles_of_vertex(v), expected);
    }
    for (&[v, w], e) in mesh.edges().iter().zip(0..) {
        let expected: Vec<u32> = all_triangles.clone().filter(|&t| has(t, v) && has(t, w)).collect();
        assert_eq!(mesh.triangles_of_edge(e), expected);
    }
    for a in all_triangles.clone() {
        for b in all_triangles.clone() {
            assert_eq!(mesh.are_adjacent(a, b), triangles[a as usize].iter().any(|&v| has(b, v)));
        }
    }

    let names = classes(triangles.len(), |a, b| mesh.are_adjacent(a as u32, b as u32));
    // The smallest member of a component is its first appearance, so that names are in order of
    // first appearance.
    let in_order: BTreeSet<usize> = names.iter().copied().collect();
    let expected: Vec<u32> =
        names.iter().map(|name| in_order.iter().position(|other| other == name).unwrap() as u32).collect();
    assert_eq!((mesh.components(), mesh.n_components()), (&expected[..], in_order.len()), "{triangles:?}");

    assert_eq!(mesh.describe(), description_by_definition(mesh), "{triangles:?}");
}

fn description_by_definition(mesh: &Mesh) -> Description {
    let triangles = mesh.triangles();
    let vertices = 0..mesh.n_vertices() as u32;
    let runs = |v: u32, w: u32| {
        let sides = triangles.iter().flat_map(|corners| SIDES.map(|[i, j]| [corners[i], corners[j]]));
        sides.filter(|&side| side == [v, w]).count()
    };
    let edges_where = |is: &dyn Fn(usize, usize) -> bool| {
        mesh.edges().iter().filter(|&&[v, w]| is(runs(v, w), runs(w, v))).count()
    };
    let same = |a: usize, b: usize| BTreeSet::from(triangles[a]) == BTreeSet::from(triangles[b]);
    Description {
        vertices: mesh.n_vertices(),
        triangles: triangles.len(),
        edges: mesh.edges().len(),
        components: mesh.n_components(),
        boundary_edges: edges_where(&|a, b| a + b == 1),
        non_manifold_edges: edges_where(&|a, b| 2 < a + b),
        misoriented_edges: edges_where(&|a, b| a + b == 2 && a != 1),
        non_manifold_vertices: vertices.clone().filter(|&v| !has_simple_link(triangles, v)).count(),
        isolated_vertices: vertices.filter(|v| !triangles.as_flattened().contains(v)).count(),
        duplicate_triangles: (0..triangles.len()).filter(|&b| (0..b).any(|a| same(a, b))).count(),
    }
}

/// Whether the edges opposite to a vertex form nothing, one open path, or one closed cycle.
fn has_simple_link(triangles: &[[u32; 3]], vertex: u32) -> bool {
    let opposite = |corners: &[u32; 3]| {
        let i = corners.iter().position(|&v| v == vertex)?;
        Some([corners[(i + 1) % 3], corners[(i + 2) % 3]])
    };
    let link: Vec<[u32; 2]> = triangles.iter().filter_map(opposite).collect();
    let degree = |v: u32| link.as_flattened().iter().filter(|&&w| w == v).count();
    let pieces = classes(link.len(), |a, b| link[a].iter().any(|v| link[b].contains(v)));
    pieces.iter().all(|&name| name == 0) && link.as_flattened().iter().all(|&v| degree(v) <= 2)
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

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// Three different vertices, of at least three.
    fn triangle(&mut self, n_vertices: u64) -> [u32; 3] {
        loop {
            let corners = [0; 3].map(|_| self.below(n_vertices) as u32);
            if BTreeSet::from(corners).len() == 3 {
                return corners;
            }
        }
    }
}
