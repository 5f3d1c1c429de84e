//! Bounded normal trees, on bodies posed by bones: thousands of random steps in worlds that are
//! used repeatedly give what all pairs of triangles give; patches that curl up in their plane are
//! found; and only vertices of contours are moved where nothing touches.

use crate::common::{Rng, vector};
use crate::skins::tube;
use osculate::method::{BnTree, Guarantee, Shape, SphereTree};
use osculate::{Affine, BodyId, Contact, Mesh, Method, Model, Query, Skin, World};
use std::f64::consts::TAU;
use std::sync::Arc;

const BN_TREE: Method = Method::BnTree(BnTree::new());
const NO_CONTOUR: Method = Method::BnTree(BnTree::new().contour(false));

/// The methods that use bounded normals.
fn methods() -> [Method; 4] {
    let spheres = SphereTree::new().bounded_from(0);
    [
        BN_TREE,
        Method::BnTree(BnTree::new().always_parallel(true)),
        Method::SphereTree(spheres),
        Method::SphereTree(spheres.shape(Shape::Box).always_parallel(true)),
    ]
}

/// A curved sheet of n times n squares with a bone for each of a few random points, and smooth
/// weights; in some, rounded to f32.
fn sheet(rng: &mut Rng, n: u32) -> (Arc<Model>, usize) {
    let side = |i: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let bend = rng.pick(&[0.0, 0.2, 0.6]);
    let rest: Vec<[f64; 3]> = (0..(n + 1) * (n + 1))
        .map(|i| {
            let (x, y) = (side(i / (n + 1)), side(i % (n + 1)));
            [x, y, bend * (2.0 * x).sin() * (1.5 * y).cos()]
        })
        .collect();
    let quads = (0..n * n).map(|i| (i / n) * (n + 1) + i % n);
    let faces = quads.flat_map(|v| [[v, v + n + 1, v + 1], [v + 1, v + n + 1, v + n + 2]]).collect();
    let n_bones = 2 + rng.below(5) as usize;
    let centers: Vec<[f64; 3]> = (0..n_bones).map(|_| vector(|| rng.signed())).collect();
    let (sharp, is_rounded) = (rng.pick(&[1.0, 4.0, 16.0]), rng.one_in(2));
    let influences: Vec<Vec<(u32, f64)>> = rest
        .iter()
        .map(|p| {
            let away = |c: &[f64; 3]| (0..2).map(|i| (p[i] - c[i]).powi(2)).sum::<f64>();
            let near: Vec<f64> = centers.iter().map(|c| (-sharp * away(c)).exp() + 1e-9).collect();
            let sum: f64 = near.iter().sum();
            let round = |w: f64| if is_rounded { f64::from(w as f32) } else { w };
            (0..).zip(near).map(|(bone, w)| (bone, round(w / sum))).collect()
        })
        .collect();
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let skin = Skin::new(n_bones, &rest, influences).unwrap();
    (Arc::new(Model::new(mesh, &rest).unwrap().with_skin(skin).unwrap()), n_bones)
}

/// Bones near the identity: shaken a little, or so much that the sheet folds.
fn bones(rng: &mut Rng, n: usize, shift: f64, place: &[f64; 3]) -> Vec<Affine> {
    let bend = rng.pick(&[0.02, 0.1, 0.3, 1.0]);
    let mut bone = || {
        let mut map = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, shift]];
        map.as_flattened_mut().iter_mut().for_each(|x| *x += bend * rng.signed());
        (0..3).for_each(|i| map[i][3] += place[i]);
        map
    };
    (0..n).map(|_| bone()).collect()
}

/// The next poses of two bodies, or of one.
type Next = Vec<(BodyId, Vec<Affine>)>;

fn contacts(world: &mut World, next: &Next, method: Method) -> Vec<Contact> {
    let next: Vec<(BodyId, &[Affine])> = next.iter().map(|(id, bones)| (*id, bones.as_slice())).collect();
    world.contacts(&next, &Query::all().method(method)).unwrap().found
}

/// More than a thousand worlds, each with a few steps, most of which start where the last one
/// ended: what failed or was cleared in one step has no effect on the answer of the next.
#[test]
fn consecutive_steps_give_what_all_pairs_give() {
    let [mut n_found, mut n_empty, mut n_cleared] = [0; 3];
    for index in 0..1100 {
        let rng = &mut Rng::for_item(61, index);
        let place = if rng.one_in(8) { vector(|| 1e5 * rng.signed()) } else { [0.0; 3] };
        let n_bodies = 1 + usize::from(rng.one_in(4));
        let n = 2 + rng.below(6) as u32;
        let (model, n_bones) = sheet(rng, n);
        let mut worlds: Vec<World> = (0..=methods().len()).map(|_| World::new()).collect();
        let poses: Vec<Vec<Affine>> =
            (0..n_bodies).map(|k| bones(rng, n_bones, 0.5 * k as f64, &place)).collect();
        let mut ids = Vec::new();
        for world in &mut worlds {
            ids = poses.iter().map(|pose| world.add(model.clone(), pose).unwrap()).collect();
        }
        for step in 0..4 {
            let next: Next = ids
                .iter()
                .enumerate()
                .map(|(k, &id)| (id, bones(rng, n_bones, 0.5 * k as f64, &place)))
                .collect();
            let expected = contacts(&mut worlds[0], &next, Method::Brute);
            let crossings = worlds[0].crossings(&Query::all().method(Method::Brute)).unwrap().found;
            n_found += u32::from(!expected.is_empty());
            n_empty += u32::from(expected.is_empty());
            for (world, method) in worlds[1..].iter_mut().zip(methods()) {
                assert_eq!(contacts(world, &next, method), expected, "world {index}, step {step}, {method}");
                // Every other world only: a query about an instant ends a series of steps.
                if index % 2 == 0 {
                    let report = world.crossings(&Query::all().method(method)).unwrap();
                    assert_eq!(report.found, crossings, "world {index}, step {step}, {method}");
                    n_cleared += u32::from(0 < report.stats.certificates.patches_cleared);
                }
            }
            let mut start = next;
            if rng.one_in(3) {
                start.iter_mut().for_each(|(_, pose)| *pose = bones(rng, n_bones, 0.0, &place));
            }
            for world in &mut worlds {
                start.iter().for_each(|(id, bones)| world.set_pose(*id, bones).unwrap());
            }
        }
    }
    assert!(1000 < n_found && 300 < n_empty && 2000 < n_cleared, "{n_found} {n_empty} {n_cleared}");
}

/// A ramp along a spiral that two bones bend until it crosses itself, with all normals near the
/// axis: bounds of its normals say nothing about that.
#[test]
fn a_spiral_strip_is_found_by_its_contour_only() {
    let n = 120;
    let angle = |i: u32| 2.0 * TAU * f64::from(i) / f64::from(n - 1) - TAU;
    let rib = |i: u32| [1.0, 2.0].map(|r| [r * angle(i).cos(), r * angle(i).sin(), 0.01 * angle(i)]);
    let rest: Vec<[f64; 3]> = (0..n).flat_map(rib).collect();
    let faces = (0..n - 1).map(|i| 2 * i).flat_map(|a| [[a, a + 1, a + 3], [a, a + 3, a + 2]]).collect();
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let weight = |i: u32| (angle(i) / TAU) * (angle(i) / TAU);
    let weights = (0..2 * n).map(|v| [(0, 1.0 - weight(v / 2)), (1, weight(v / 2))]);
    let skin = Skin::new(2, &rest, weights).unwrap();
    let model = Arc::new(Model::new(mesh, &rest).unwrap().with_skin(skin).unwrap());
    // From heights of 0.01 times the angle to heights of 0.002 times its square.
    let map = |steep: f64, z: f64| [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, steep, z]];
    let start = [map(1.0, 0.0), map(1.0, 0.0)];
    let end = [map(0.0, 0.0), map(0.0, 0.002 * TAU * TAU)];
    let mut world = World::new();
    let body = world.add(model.clone(), &start).unwrap();
    let next: Next = vec![(body, end.to_vec())];
    let expected = contacts(&mut world, &next, Method::Brute);
    assert!(20 < expected.len(), "{}", expected.len());
    for method in methods() {
        assert_eq!(contacts(&mut world, &next, method), expected, "{method}");
    }
    assert_eq!(NO_CONTOUR.guarantee(), Guarantee::Nothing);
    // In a world of its own, where the strip has not failed a test before.
    let mut other = World::new();
    other.add(model, &start).unwrap();
    assert_eq!(contacts(&mut other, &next, NO_CONTOUR), []);
    world.set_pose(body, &end).unwrap();
    let crossings = world.crossings(&Query::all().method(Method::Brute)).unwrap().found;
    assert!(!crossings.is_empty());
    for method in methods() {
        assert_eq!(world.crossings(&Query::all().method(method)).unwrap().found, crossings, "{method}");
    }
    other.set_pose(body, &end).unwrap();
    assert_eq!(other.crossings(&Query::all().method(NO_CONTOUR)).unwrap().count, 0);
}

/// A tube that bends a little, tested against itself: a part of its vertices suffices.
#[test]
fn vertices_inside_of_patches_are_not_moved() {
    let (model, skin) = tube(400, 10);
    let bent = |by: f64| -> Vec<Affine> {
        let bone = |k: usize| {
            let z = by * (k * k) as f64;
            [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, z]]
        };
        (0..skin.n_bones()).map(bone).collect()
    };
    let n_vertices = model.mesh().n_vertices() as u64;
    for method in methods() {
        let mut world = World::new();
        let body = world.add(model.clone(), &bent(0.0)).unwrap();
        let report = world.contacts(&[(body, &bent(0.002))], &Query::all().method(method)).unwrap();
        let moved = report.stats.skinning.vertices;
        assert!(report.count == 0 && 0 < moved && moved < n_vertices, "{method}: {moved} of {n_vertices}");
        assert!(0 < report.stats.certificates.patches_cleared, "{method}");
    }
}
