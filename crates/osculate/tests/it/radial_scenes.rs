//! Radial view culling in scenes that isolate one clause of its proof: without it, a contact of two
//! triangles that face away from the observer is missed.

use osculate::method::{Clusters, Observer, Radial};
use osculate::narrow::Kind;
use osculate::{BodyId, Contact, ContactKey, Mesh, Method, Model, Query, Results, World};
use std::collections::HashSet;
use std::f64::consts::TAU;
use std::sync::Arc;

type Point = [f64; 3];

/// A surface whose triangles are in cluster 0, seen from a point, or in cluster 1.
#[derive(Default)]
struct Scene {
    faces: Vec<[u32; 3]>,
    clusters: Vec<u32>,
    /// Where vertices are at the start and at the end of the motion.
    ends: Vec<[Point; 2]>,
    observer: Point,
}

impl Scene {
    fn vertex(&mut self, start: Point, end: Point) -> u32 {
        self.ends.push([start, end]);
        self.ends.len() as u32 - 1
    }

    fn face(&mut self, corners: [u32; 3], cluster: u32) {
        self.faces.push(corners);
        self.clusters.push(cluster);
    }

    /// A tetrahedron with normals outward at the start; its faces are those opposite to each
    /// corner, with their clusters.
    fn tetrahedron(&mut self, corners: [u32; 4], clusters: [u32; 4]) {
        let [a, b, c, d] = corners.map(|v| self.ends[v as usize][0]);
        let from_d = |p: Point| [p[0] - d[0], p[1] - d[1], p[2] - d[2]];
        let [p, q, r] = [a, b, c].map(from_d);
        let volume = p[0] * (q[1] * r[2] - q[2] * r[1])
            + p[1] * (q[2] * r[0] - q[0] * r[2])
            + p[2] * (q[0] * r[1] - q[1] * r[0]);
        let [a, b, c, d] = corners;
        for (cluster, [i, j, k]) in clusters.into_iter().zip([[b, d, c], [a, c, d], [a, d, b], [a, b, c]]) {
            self.face(if 0.0 < volume { [i, j, k] } else { [i, k, j] }, cluster);
        }
    }

    /// The pose at a time of the motion.
    fn at(&self, t: f64) -> Vec<Point> {
        self.ends.iter().map(|[p, q]| [0, 1, 2].map(|i| p[i] + t * (q[i] - p[i]))).collect()
    }

    /// A world with this body at the start of its motion.
    fn world(&self) -> (World, BodyId) {
        let mesh = Mesh::new(self.faces.clone(), self.ends.len()).unwrap();
        assert_eq!(mesh.n_components(), 1);
        let model = Model::new(mesh, &self.at(0.0)).unwrap();
        let observers = vec![Observer::Joint(0), Observer::Joint(0)];
        let clusters = Clusters::new(self.clusters.clone(), observers, vec![self.observer]).unwrap();
        let mut world = World::new();
        let model = Arc::new(model.with_clusters(clusters).unwrap());
        let body = world.add(model, &self.at(0.0)).unwrap();
        let joints = [[self.observer]; 2];
        world.set_joints(body, Some([&joints[0], &joints[1]])).unwrap();
        (world, body)
    }

    /// The contacts of a part of the motion, by all pairs of triangles.
    fn all(&self, part: [f64; 2]) -> Vec<Contact> {
        self.step(&mut self.world(), part, &Query::all().method(Method::Brute))
    }

    /// The contacts of a part of the motion.
    fn step(&self, (world, body): &mut (World, BodyId), part: [f64; 2], query: &Query) -> Vec<Contact> {
        let [start, end] = part.map(|t| self.at(t));
        world.set_pose(*body, &start).unwrap();
        world.contacts(&[(*body, end.as_slice())], query).unwrap().found
    }
}

/// A query for radial view culling.
fn radial<'a>() -> Query<'a> {
    Query::all().method(Method::Radial(Radial::new()))
}

/// The vertex of the spike of a [`pocket`], and the triangle that it touches.
const SPIKE: u32 = 19;
const MIDDLE: u32 = 0;

/// A tetrahedron with a pocket in it, an inner surface that hangs at one of its corners and faces
/// inward, that is, up from its floor. Below, a spike.
///
/// In the first half of the motion the lid of the tetrahedron goes down through the pocket, out of
/// its floor. Then it is drawn away sideways, with the whole tetrahedron. So the pocket is left in
/// the open, inverted: its winding number is -1, not 0. At the end the spike touches the middle of
/// its floor from below. The lid, the floor and the spike face away from an observer far below, and
/// are of one cluster. So nothing of another kind ever comes between the spike and the floor, and
/// only the history of the lid and the floor implies that they must be compared:
///
/// - the lid touches the walls of the pocket, which are of another cluster (found at once);
/// - the lid touches the middle of the floor (found in the wake of these contacts);
/// - the spike touches it (found in the wake of those).
fn pocket() -> Scene {
    let mut scene = Scene { observer: [0.0, 0.0, -2000.0], ..Scene::default() };
    // The floor: a triangle cut into 16. The one in the middle has no corner at a wall, and is a
    // little deeper.
    let place = |i: u32, j: u32| {
        let [i, j] = [i, j].map(f64::from);
        let is_inner = 0.0 < i && 0.0 < j && i + j < 4.0;
        [-2.0 + 0.75 * (i + j), 0.4375 * (j - i), if is_inner { -0.05 } else { 0.0 }]
    };
    let grid: Vec<[u32; 2]> = (0..5).flat_map(|i| (0..5 - i).map(move |j| [i, j])).collect();
    grid.iter().for_each(|&[i, j]| {
        scene.vertex(place(i, j), place(i, j));
    });
    let at = |i: u32, j: u32| grid.iter().position(|&p| p == [i, j]).unwrap() as u32;
    scene.face([at(1, 1), at(2, 1), at(1, 2)], 0);
    for &[i, j] in &grid {
        if i + j < 4 && [i, j] != [1, 1] {
            scene.face([at(i, j), at(i + 1, j), at(i, j + 1)], 0);
        }
        if i + j < 3 {
            scene.face([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], 0);
        }
    }
    // The tetrahedron, whose first corner stays where it is, and its lid.
    let corner = scene.vertex([-10.0, -3.0, 1.0], [-10.0, -3.0, 1.0]);
    let others = [
        ([10.0, -30.0, 2.0], [-5.0, -30.0, -20.0]),
        ([10.0, 30.0, 2.0], [-5.0, 30.0, -20.0]),
        ([10.0, 0.0, -30.0], [-5.0, 0.0, -30.0]),
    ];
    let [b, c, d] = others.map(|(start, end)| scene.vertex(start, end));
    scene.tetrahedron([corner, b, c, d], [1, 1, 1, 0]);
    // The spike, and what connects it to the corner.
    let spike = scene.vertex([0.0, 0.0, -1000.0], [0.0, 0.0, -0.02]);
    assert_eq!(spike, SPIKE);
    let low = [[-0.2, 0.0], [0.1, 0.17], [0.1, -0.17], [-40.0, 5.0], [-40.0, -5.0]];
    let [e, f, g, h, k] = low.map(|[x, y]| scene.vertex([x, y, -3000.0], [x, y, -3000.0]));
    scene.tetrahedron([e, f, g, spike], [0, 0, 0, 1]);
    scene.tetrahedron([corner, e, h, k], [1; 4]);
    // The walls of the pocket, from the rim of the floor up to the corner; the last one is above
    // the middle.
    let mut rim: Vec<u32> = (0..4).map(|i| at(i, 0)).collect();
    rim.extend((0..4).map(|j| at(4 - j, j)));
    rim.extend((1..5).rev().map(|j| at(0, j)));
    rim.rotate_left(7);
    for k in 0..12 {
        scene.face([rim[(k + 1) % 12], rim[k], corner], 1);
    }
    scene
}

/// The contact of the spike with the middle of the floor.
fn is_wanted(contact: &Contact) -> bool {
    contact.key.kind == Kind::VertexFace && contact.key.features == [SPIKE, MIDDLE]
}

#[test]
fn the_wake_of_contacts_in_the_wake_is_searched() {
    let scene = pocket();
    let expected = scene.all([0.0, 1.0]);
    assert!(expected.iter().any(is_wanted));
    assert_eq!(scene.step(&mut scene.world(), [0.0, 1.0], &radial()), expected);
}

#[test]
fn known_contacts_have_a_wake() {
    let scene = pocket();
    let (wanted, others): (Vec<Contact>, Vec<Contact>) =
        scene.all([0.0, 1.0]).into_iter().partition(is_wanted);
    let known: HashSet<ContactKey> = others.iter().map(|contact| contact.key).collect();
    let query = radial().known(&known);
    assert_eq!(scene.step(&mut scene.world(), [0.0, 1.0], &query), wanted);
}

/// The start of a step in the middle of the motion, when nothing crosses anything.
#[test]
fn suspects_have_another_winding_number() {
    let scene = pocket();
    let wanted = scene.all([0.5, 1.0]);
    assert!(wanted.len() == 1 && is_wanted(&wanted[0]));
    assert_eq!(scene.step(&mut scene.world(), [0.5, 1.0], &radial()), wanted);
}

#[test]
fn suspects_are_those_of_the_pose() {
    let scene = pocket();
    let world = &mut scene.world();
    assert_eq!(scene.step(world, [0.0, 0.0], &radial()), []);
    assert!(scene.step(world, [0.5, 1.0], &radial()).iter().any(is_wanted));
}

#[test]
fn suspects_are_not_known_after_a_search_that_was_cut_short() {
    let scene = pocket();
    for want in [Results::All, Results::Count, Results::Any, Results::Earliest] {
        let world = &mut scene.world();
        scene.step(world, [0.0, 0.5], &radial().results(want));
        assert!(scene.step(world, [0.5, 1.0], &radial()).iter().any(is_wanted), "{want:?}");
    }
}

/// Without the wall above it, the middle of the floor has the winding number of the spike.
#[test]
fn open_surfaces_have_no_winding_number() {
    let mut scene = pocket();
    scene.faces.pop();
    scene.clusters.pop();
    assert!(scene.step(&mut scene.world(), [0.5, 1.0], &radial()).iter().any(is_wanted));
}

/// A bottle whose bottom is pushed in, out of its mouth, and down over its neck like a mushroom:
/// nothing crosses anything but the cap of the mouth, where the winding number changes. In the
/// motion, a vertex of the wall goes out through the skirt of the mushroom; both face away from an
/// observer in the middle.
fn bottle() -> Scene {
    // Radius and height, from the mouth on; from the flare on, vertices are half a sector further
    // around.
    const PROFILE: [[f64; 2]; 14] = [
        [0.8, 1.0],
        [1.0, 0.6],
        [1.5, 0.4],
        [1.5, -0.2],
        [1.5, -0.8],
        [1.2, -1.0],
        [0.5, -1.0],
        [0.5, 0.5],
        [0.5, 1.5],
        [2.0, 1.5],
        [2.0, 0.3],
        [2.0, -0.9],
        [2.4, -0.9],
        [2.4, 1.9],
    ];
    const FLARE: usize = 9;
    const SECTORS: u32 = 8;
    let mut scene = Scene::default();
    for (i, [r, z]) in PROFILE.into_iter().enumerate() {
        for j in 0..SECTORS {
            let angle = TAU * (f64::from(j) + if i < FLARE { 0.0 } else { 0.5 }) / f64::from(SECTORS);
            let p = [r * angle.cos(), r * angle.sin(), z];
            scene.vertex(p, if i == 3 && j == 0 { p.map(|x| 1.4 * x) } else { p });
        }
    }
    let at = |i: usize, j: u32| i as u32 * SECTORS + j % SECTORS;
    let top = scene.vertex([0.0, 0.0, 1.9], [0.0, 0.0, 1.9]);
    for j in 0..SECTORS {
        for i in 0..PROFILE.len() - 1 {
            scene.face([at(i, j), at(i + 1, j), at(i, j + 1)], 0);
            scene.face([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], 0);
        }
        scene.face([at(PROFILE.len() - 1, j), top, at(PROFILE.len() - 1, j + 1)], 0);
    }
    scene
}

#[test]
fn caps_cover_holes() {
    let scene = bottle();
    let expected = scene.all([0.0, 1.0]);
    assert!(!expected.is_empty());
    assert_eq!(scene.step(&mut scene.world(), [0.0, 1.0], &radial()), expected);
}

#[test]
fn suspects_do_not_become_clean_across_a_cap() {
    let scene = bottle();
    let world = &mut scene.world();
    for _ in 0..2 {
        assert_eq!(scene.step(world, [0.0, 0.0], &radial()), []);
    }
    assert_eq!(scene.step(world, [0.0, 1.0], &radial()), scene.all([0.0, 1.0]));
}
