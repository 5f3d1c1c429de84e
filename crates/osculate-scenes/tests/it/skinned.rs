//! Figures with skeletons, posed by bones: a sphere tree finds exactly what bounding volumes around
//! deformed vertices find, for self-collision and between bodies, and vertices are deformed to the
//! same bits.

use osculate::method::{Refit, Shape, SphereTree};
use osculate::{Affine, BodyId, Contact, Crossing, Mesh, Method, Model, Pose, Query, Skin, World};
use osculate_scenes::{Motion, Scene, build};
use std::sync::Arc;

fn sphere_trees() -> impl Iterator<Item = Method> {
    (0..8).map(|i| {
        let shape = if i & 1 == 0 { Shape::Ball } else { Shape::Box };
        let refit = if i & 2 == 0 { Refit::OnDemand } else { Refit::BottomUp };
        Method::SphereTree(SphereTree::new().shape(shape).refit(refit).certificates(i & 4 == 0))
    })
}

fn skin_of(scene: &Scene) -> Skin {
    let skin = scene.skin.as_ref().unwrap();
    let influences = (0..scene.rest.len()).map(|vertex| skin.of_vertex(vertex));
    Skin::new(skin.bones.len(), &scene.rest, influences).unwrap()
}

fn frames_of(scene: &Scene) -> &[Vec<Affine>] {
    let Motion::Bones(frames) = &scene.motion else { panic!("{} is moved by bones", scene.name) };
    frames
}

/// The bones of a second body: mirrored ahead of the first, at a distance, so that the two
/// interpenetrate.
fn facing(bones: &[Affine], distance: f64) -> Vec<Affine> {
    let of_bone = |&[x, y, z]: &Affine| {
        let mut z = z.map(|entry| -entry);
        z[3] += distance;
        [x, y, z]
    };
    bones.iter().map(of_bone).collect()
}

/// Contacts of a step and crossings at its start.
fn answers(world: &mut World, next: &[(BodyId, Pose)], method: Method) -> (Vec<Contact>, Vec<Crossing>) {
    let query = Query::all().method(method);
    (world.contacts(next, &query).unwrap().found, world.crossings(&query).unwrap().found)
}

/// Compares answers in some steps of a scene, in one world throughout. In some of them a body must
/// touch itself, and in some the other.
fn check(name: &str, steps: &[usize]) {
    let scene = build(name).unwrap();
    let skin = skin_of(&scene);
    let frames = frames_of(&scene);
    let distance = 1.5 * scene.rest.iter().fold(0.0, |most: f64, p| most.max(p[2]));
    let mesh = Mesh::new(scene.faces.clone(), scene.rest.len()).unwrap();
    let model = Model::new(mesh, &scene.rest).unwrap().with_skin(skin.clone()).unwrap();
    let model = Arc::new(model);
    let [mut by_bones, mut by_vertices] = [World::new(), World::new()];
    let ids = [0, 1].map(|_| by_bones.add(model.clone(), &frames[0]).unwrap());
    let others = [0, 1].map(|_| by_vertices.add(model.clone(), &scene.rest).unwrap());
    assert_eq!(ids, others);
    let [mut n_self, mut n_pair] = [0, 0];
    for &step in steps {
        // The second is some steps behind.
        let behind = (step + 5) % (frames.len() - 1);
        let [start, end] = [0, 1].map(|k| [frames[step + k].clone(), facing(&frames[behind + k], distance)]);
        let [from, to] = [&start, &end].map(|bones| [skin.pose(&bones[0]), skin.pose(&bones[1])]);
        for k in [0, 1] {
            by_bones.set_pose(ids[k], &start[k]).unwrap();
            by_vertices.set_pose(ids[k], &from[k]).unwrap();
        }
        let next: [(BodyId, Pose); 2] = [0, 1].map(|k| (ids[k], (&to[k]).into()));
        let expected = answers(&mut by_vertices, &next, Method::default());
        let is_self = |contact: &&Contact| contact.key.bodies[0] == contact.key.bodies[1];
        let n = expected.0.iter().filter(is_self).count();
        (n_self, n_pair) = (n_self + n, n_pair + expected.0.len() - n);
        for method in sphere_trees() {
            let next: [(BodyId, Pose); 2] = [0, 1].map(|k| (ids[k], (&end[k]).into()));
            let found = answers(&mut by_bones, &next, method);
            assert!(found == expected, "{name} step {step} {method:?}");
            // The same method for bodies that are posed by vertices.
            let next: [(BodyId, Pose); 2] = [0, 1].map(|k| (ids[k], (&to[k]).into()));
            let found = answers(&mut by_vertices, &next, method);
            assert!(found == expected, "{name} step {step} {method:?} by vertices");
        }
    }
    assert!(
        0 < n_self && 0 < n_pair,
        "{name}: {n_self} contacts of a body with itself, {n_pair} with the other"
    );
}

#[test]
fn dwarf() {
    check("dwarf", &[0, 1, 28, 29]);
}

#[test]
fn man() {
    check("man", &[0, 23, 24]);
}

#[test]
fn hand() {
    check("hand", &[0, 35, 36]);
}

#[test]
fn positions_are_those_of_the_scene() {
    for name in ["dwarf", "man", "hand"] {
        let scene = build(name).unwrap();
        let skin = skin_of(&scene);
        let mut expected = Vec::new();
        for (frame, bones) in frames_of(&scene).iter().enumerate() {
            scene.pose(frame, &mut expected);
            let bits = |p: &[f64; 3]| p.map(f64::to_bits);
            let found = skin.pose(bones);
            assert!(found.iter().map(bits).eq(expected.iter().map(bits)), "{name} frame {frame}");
        }
    }
}
