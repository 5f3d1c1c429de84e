//! Every scene is what it says: counts, a closed surface, weights, and where in its clip it touches itself.

use osculate::{Mesh, Model, Query, World};
use osculate_scenes::{Motion, Scene, build, names};
use std::ops::Range;
use std::sync::Arc;

/// What must hold for a scene.
struct Expected {
    name: &'static str,
    n_faces: usize,
    n_bones: usize,
    /// Steps without a contact.
    free: &'static [Range<usize>],
    /// Steps with a contact each.
    touching: &'static [Range<usize>],
    /// Every how many steps of these are looked at.
    stride: usize,
}

fn check(expected: &Expected) {
    let name = expected.name;
    let scene = build(name).unwrap();
    assert_eq!(scene.name, name);
    assert_eq!(scene.faces.len(), expected.n_faces, "{name}");
    check_surface(&scene);
    check_skin(&scene, expected.n_bones);
    check_clip(&scene, expected);
    assert!(scene == build(name).unwrap(), "{name} is the same each time");
}

fn check_surface(scene: &Scene) {
    let mesh = Mesh::new(scene.faces.clone(), scene.rest.len()).unwrap();
    let found = mesh.describe();
    assert!(found.is_closed() && found.is_manifold() && found.is_oriented(), "{}: {found:?}", scene.name);
    assert_eq!((found.components, found.isolated_vertices), (1, 0), "{}", scene.name);
    assert_eq!(scene.rest.len(), scene.faces.len() / 2 + 2, "{} is a deformed ball", scene.name);
    let volume: f64 =
        scene.faces.iter().map(|face| signed_volume(face.map(|v| scene.rest[v as usize]))).sum();
    assert!(0.0 < volume, "{} faces outward", scene.name);
}

/// Six times the volume between a triangle and the origin.
fn signed_volume([a, b, c]: [[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

fn check_skin(scene: &Scene, n_bones: usize) {
    let skin = scene.skin.as_ref().unwrap();
    assert_eq!(skin.bones.len(), n_bones, "{}", scene.name);
    assert!(skin.bones.iter().enumerate().all(|(i, bone)| bone.parent.is_none_or(|parent| parent < i)));
    assert_eq!(skin.offsets.len(), scene.rest.len() + 1);
    assert_eq!(scene.vertex_object, vec![0; scene.rest.len()]);
    let mut held = vec![false; n_bones];
    for vertex in 0..scene.rest.len() {
        let influences = skin.of_vertex(vertex);
        assert!((1..=4).contains(&influences.len()));
        assert!(influences.iter().all(|&(_, weight)| 0.0 < weight));
        assert!((influences.iter().map(|entry| entry.1).sum::<f64>() - 1.0).abs() < 1e-12);
        influences.iter().for_each(|&(bone, _)| held[bone as usize] = true);
    }
    let idle: Vec<_> = (0..n_bones).filter(|&bone| !held[bone]).map(|bone| &skin.bones[bone].name).collect();
    assert!(idle.is_empty(), "{}: {idle:?} hold nothing", scene.name);
    let Motion::Bones(frames) = &scene.motion else { panic!("{} is moved by bones", scene.name) };
    assert!(frames.iter().all(|maps| maps.len() == n_bones));
}

fn check_clip(scene: &Scene, expected: &Expected) {
    let name = expected.name;
    let mesh = Mesh::new(scene.faces.clone(), scene.rest.len()).unwrap();
    let model = Arc::new(Model::new(mesh, &scene.rest).unwrap());
    let mut world = World::new();
    let (mut now, mut next) = (Vec::new(), Vec::new());
    scene.pose(0, &mut now);
    let body = world.add(model, &now).unwrap();
    assert_eq!(world.crossings(&Query::any()).unwrap().count, 0, "{name} crosses itself at first");
    let mut touches = |frame: usize| {
        scene.pose(frame, &mut now);
        scene.pose(frame + 1, &mut next);
        world.set_pose(body, &now).unwrap();
        0 < world.contacts(&[(body, &next)], &Query::any()).unwrap().count
    };
    for (steps, wanted) in [(expected.free, false), (expected.touching, true)] {
        for frame in steps.iter().flat_map(|range| range.clone().step_by(expected.stride)) {
            assert_eq!(touches(frame), wanted, "{name}, step {frame}");
        }
    }
}

#[test]
fn figure() {
    check(&Expected {
        name: "figure",
        n_faces: 8000,
        n_bones: 21,
        free: &[0..40, 60..89],
        touching: &[42..58],
        stride: 1,
    });
}

#[test]
fn unknown_scenes_are_none() {
    assert!(build("nothing").is_none());
    assert!(names().contains(&"figure"));
}
