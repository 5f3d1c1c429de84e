use super::*;
use crate::hierarchy::{Hierarchy, Patches, Split, build};
use crate::motion::Line;
use crate::random::random;
use crate::{Mesh, Method, Model, Query, World};
use std::collections::HashMap;
use std::sync::Arc;

type Point = [f64; 3];

/// A surface at both ends of a step.
struct Patch {
    faces: Vec<[u32; 3]>,
    poses: [Vec<Point>; 2],
}

impl Patch {
    fn still(faces: Vec<[u32; 3]>, pose: Vec<Point>) -> Patch {
        Patch { faces, poses: [pose.clone(), pose] }
    }

    /// Calls `f` with a surface whose root is the patch, and the normals.
    fn with_surface<T>(&self, f: impl FnOnce(Surface, &Normals, &Hierarchy) -> T) -> T {
        let mesh = Mesh::new(self.faces.clone(), self.poses[0].len()).unwrap();
        let hierarchy = build(&mesh, &self.poses[0], Split::ConnectedPatches);
        let patches = Patches::of(&mesh, &hierarchy);
        let lines: Vec<Line> =
            self.poses[0].iter().zip(&self.poses[1]).map(|(p, q)| Line::new(p, q)).collect();
        let mut normals = Normals::default();
        normals.refit(&hierarchy, &lines, false);
        f(Surface { hierarchy: &hierarchy, patches: &patches, lines: &lines }, &normals, &hierarchy)
    }

    /// The number of loops, and whether the patch is proven not to self-collide: from the computed
    /// observer, and from the origin.
    fn proven(&self) -> (usize, [bool; 2]) {
        self.with_surface(|surface, normals, hierarchy| {
            let mut radial = RadialContour::default();
            surface.patches.loops(0).for_each(|vertices| radial.push(vertices));
            let triangles = [hierarchy.range(0)];
            let origin = [[0.0; 3]; 2];
            let from_origin = [Side::Inside, Side::Outside]
                .map(|side| radial.proves_from(&origin, side, surface, &triangles))
                .contains(&true);
            (radial.ends.len(), [radial.proves(normals, surface, &triangles), from_origin])
        })
    }

    /// Contacts in the step, and crossings at its start, by comparing all pairs.
    fn touches(&self) -> [u64; 2] {
        let mesh = Mesh::new(self.faces.clone(), self.poses[0].len()).unwrap();
        let mut world = World::new();
        let body = world.add(Arc::new(Model::new(mesh, &self.poses[0]).unwrap()), &self.poses[0]).unwrap();
        let query = Query { method: Method::Brute, ..Query::count() };
        let contacts = world.contacts(&[(body, &self.poses[1])], &query).unwrap().count;
        [contacts, world.crossings(&query).unwrap().count]
    }

    /// Flips all triangles.
    fn turned(mut self) -> Patch {
        self.faces.iter_mut().for_each(|face| face.swap(0, 1));
        self
    }
}

/// Rings of m vertices around the z axis, from the first polar angle to the last, as directions;
/// with the pole at the first, if it is zero.
fn bands(angles: [f64; 2], n: u32, m: u32) -> (Vec<[u32; 3]>, Vec<Point>) {
    let mut faces = Vec::new();
    let mut directions = Vec::new();
    for i in 0..=n {
        let theta = angles[0] + (angles[1] - angles[0]) * f64::from(i) / f64::from(n);
        for j in 0..m {
            let phi = std::f64::consts::TAU * (f64::from(j) + 0.5 * f64::from(i)) / f64::from(m);
            directions.push([theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()]);
        }
        for j in 0..m {
            let (a, b) = (i * m + j, i * m + (j + 1) % m);
            if i < n {
                faces.extend([[a, a + m, b], [b, a + m, b + m]]);
            }
        }
    }
    if angles[0] == 0.0 {
        // The first ring becomes one vertex.
        faces.iter_mut().flatten().filter(|v| **v < m).for_each(|v| *v = 0);
        faces.retain(|[a, b, c]| a != b && b != c && c != a);
    }
    (faces, directions)
}

/// Caps and tubes, up to nearly all of a sphere, smooth and crumpled, that move: proven patches
/// have neither contacts nor crossings.
#[test]
fn what_is_proven_does_not_touch() {
    let mut next = random(7);
    let mut n = [0; 4];
    for round in 0..400 {
        let is_tube = round % 4 == 3;
        let last = 0.5 + 2.5 * next();
        let first = if is_tube { 0.2 + 0.5 * (last - 0.2) * next() } else { 0.0 };
        let (faces, directions) = bands([first, last], 5, 10);
        let (rough, shift, bend) = (0.6 * next() * next(), 0.25 * next() * next(), 3.0 * next() * next());
        let away = [3.0 * next(), 3.0 * next(), 3.0 * next()];
        let pose: Vec<Point> = directions
            .iter()
            .map(|d| {
                let r = 1.0 + rough * (2.0 * next() - 1.0);
                let [x, y, z] = d.map(|x| r * x);
                [x, y * (bend * x).cos() - z * (bend * x).sin(), y * (bend * x).sin() + z * (bend * x).cos()]
            })
            .collect();
        let place = |p: &Point| [0, 1, 2].map(|i: usize| 5.0 + p[i]);
        let end: Vec<Point> = pose
            .iter()
            .map(|p| {
                let p = place(p);
                [0, 1, 2].map(|i: usize| p[i] + away[i] + shift * (2.0 * next() - 1.0))
            })
            .collect();
        let patch = Patch { faces, poses: [pose.iter().map(place).collect(), end] };
        let patch = if round % 2 == 0 { patch } else { patch.turned() };
        let (n_loops, [is_proven, _]) = patch.proven();
        assert_eq!(n_loops, if is_tube { 2 } else { 1 });
        let touches = patch.touches();
        assert!(!is_proven || touches == [0, 0], "round {round}: {touches:?}");
        n[0] += usize::from(is_proven && !is_tube);
        n[1] += usize::from(is_proven && is_tube);
        n[2] += usize::from(touches != [0, 0]);
        n[3] += usize::from(!is_proven && touches == [0, 0]);
    }
    println!("{} caps and {} tubes proven, {} touch, {} not proven", n[0], n[1], n[2], n[3]);
    assert!(30 < n[0] && 10 < n[1] && 50 < n[2], "{n:?}");
}

/// Spheres without a small cap, and seen from the outside as well as from the inside.
#[test]
fn most_of_a_sphere() {
    for last in [0.6, 1.5, std::f64::consts::FRAC_PI_2, 1.7, 2.5, 3.0] {
        let (faces, directions) = bands([0.0, last], 12, 16);
        assert_eq!(Patch::still(faces.clone(), directions.clone()).proven(), (1, [true; 2]), "{last}");
        assert_eq!(Patch::still(faces, directions).turned().proven(), (1, [true; 2]), "{last}");
    }
    // A tube, and one that shrinks to a hundredth and wanders off.
    let (faces, directions) = bands([0.4, 2.8], 12, 16);
    let end = directions.iter().map(|p| p.map(|x| 7.0 + 0.01 * x)).collect();
    assert_eq!(Patch::still(faces.clone(), directions.clone()).proven(), (2, [true; 2]));
    assert!(Patch { faces, poses: [directions, end] }.proven().1[0]);
}

/// Condition 2: a disk that winds twice around its center is seen from one side everywhere, and its
/// loop keeps turning; but it crosses itself.
#[test]
fn a_disk_that_goes_around_twice() {
    let m = 32;
    let mut pose = vec![[0.0, 0.0, 1.0]];
    for j in 0..m {
        let (sin, cos) = (2.0 * std::f64::consts::TAU * f64::from(j) / f64::from(m)).sin_cos();
        // Not the same height after one turn.
        let r = 1.0 + 0.2 * (std::f64::consts::TAU * f64::from(j) / f64::from(m)).cos();
        pose.push([0.5 * r * cos, 0.5 * r * sin, r]);
    }
    let faces = (0..m).map(|j| [0, 1 + j, 1 + (j + 1) % m]).collect();
    let patch = Patch::still(faces, pose);
    assert!(0 < patch.touches()[1]);
    assert_eq!(patch.proven(), (1, [false; 2]));
    assert_eq!(patch.turned().proven(), (1, [false; 2]));
}

/// Condition 3: a sphere and a cap in front of it, connected across a slit. It is a disk, seen from
/// one side everywhere, and its loop turns around the axis once; but it crosses itself. It covers
/// each direction once more than it should, including the one behind.
#[test]
fn a_sphere_and_a_cap_in_one_piece() {
    let (n, m, n_cap) = (12, 12, 5);
    let slit = [2, 4];
    let (mut numbers, mut pose, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    // Sheet 0 is the sphere, sheet 1 the cap.
    let mut vertex = |sheet: u32, i: u32, j: u32, is_right: bool| {
        let j = if i == 0 || i == n { 0 } else { j % m };
        let is_on = j == 0 && (slit[0]..=slit[1]).contains(&i);
        let is_end = is_on && slit.contains(&i);
        // The left side of the slit in one sheet is the right side in the other.
        let key = if is_end {
            2
        } else if is_on {
            3 + u32::from((sheet == 0) == is_right)
        } else {
            sheet
        };
        *numbers.entry((i, j, key)).or_insert_with(|| {
            let r = [1.0, 0.9, 0.95, 0.93, 0.97][key as usize];
            let theta = std::f64::consts::PI * f64::from(i) / f64::from(n);
            let phi = std::f64::consts::TAU * f64::from(j) / f64::from(m);
            let place = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()];
            pose.push(place.map(|x| r * x));
            pose.len() as u32 - 1
        })
    };
    for (sheet, end) in [(0, n), (1, n_cap)] {
        for i in 0..end {
            for j in 0..m {
                let [a, d] = [i, i + 1].map(|i| vertex(sheet, i, j, true));
                let [b, c] = [i, i + 1].map(|i| vertex(sheet, i, j + 1, false));
                faces.extend([[a, d, b], [b, d, c]]);
            }
        }
    }
    faces.retain(|[a, b, c]| a != b && b != c && c != a);
    let description = Mesh::new(faces.clone(), pose.len()).unwrap().describe();
    assert!(description.is_manifold(), "{description:?}");
    let patch = Patch::still(faces, pose);
    assert!(0 < patch.touches()[1]);
    assert_eq!(patch.proven(), (1, [false; 2]));
    assert_eq!(patch.turned().proven(), (1, [false; 2]));
}

/// Condition 1: a square with two claws that pass through each other. It winds around its axis
/// once, and no part of it is behind.
#[test]
fn a_square_with_two_claws() {
    // Squares of a plane, in three parts that overlap; parts are glued at the square.
    let parts: [&[[[i32; 2]; 2]]; 3] =
        [&[[[-4, 4], [-4, 4]]], &[[[4, 10], [-3, -1]], [[8, 10], [-1, 3]]], &[[[4, 12], [1, 3]]]];
    let angle = 2.2_f64;
    let (mut numbers, mut pose, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    for (part, boxes) in parts.iter().enumerate() {
        for [xs, ys] in *boxes {
            for x in xs[0]..xs[1] {
                for y in ys[0]..ys[1] {
                    let [a, b, c, d] = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]].map(|[x, y]| {
                        let part = if x <= 4 { 0 } else { part };
                        *numbers.entry((part, x, y)).or_insert_with(|| {
                            let away = 0.05 * f64::from((x - 4).max(0));
                            let r = [1.0, 1.05, 0.83 + away][part];
                            let (x, y) = (0.05 * f64::from(x), 0.05 * f64::from(y));
                            let (sin, cos) = angle.sin_cos();
                            pose.push([r * (cos * x - sin * y), r * (sin * x + cos * y), r]);
                            pose.len() as u32 - 1
                        })
                    });
                    faces.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    let patch = Patch::still(faces, pose);
    assert!(0 < patch.touches()[1]);
    assert_eq!(patch.proven(), (1, [false; 2]));
    assert_eq!(patch.turned().proven(), (1, [false; 2]));
}

/// Points, lines and planes, far away, and huge: no panic, and nothing is proven.
#[test]
fn degenerate_patches() {
    let (faces, directions) = bands([0.0, 2.0], 4, 8);
    let maps: [fn(Point) -> Point; 6] = [
        |_| [1.0; 3],
        |[x, _, _]| [x, 0.0, 0.0],
        |[x, y, _]| [x, y, 0.0],
        |p| p.map(|x| x * 1e-160),
        |p| p.map(|x| x + 1e20),
        |p| p.map(|x| x * 5e-324),
    ];
    for (i, map) in maps.into_iter().enumerate() {
        let patch = Patch::still(faces.clone(), directions.iter().map(|&p| map(p)).collect());
        assert_eq!(patch.proven().1, [false; 2], "{i}");
    }
    let huge = Patch::still(faces, directions.iter().map(|p| p.map(|x| x * 1e29)).collect());
    assert_eq!(huge.proven().1, [true; 2]);
}
