//! Every scene has its documented properties: counts, a closed surface, weights, and the steps with
//! contacts.

use osculate::{Mesh, Model, Query, World};
use osculate_scenes::{Motion, Scene, build, names, subdivided};
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
    touching: Range<usize>,
    /// Stride of the tested steps.
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
    assert!(0.0 < volume(scene), "{} faces outward", scene.name);
}

/// Six times the volume at rest.
fn volume(scene: &Scene) -> f64 {
    scene.faces.iter().map(|face| signed_volume(face.map(|vertex| scene.rest[vertex as usize]))).sum()
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
    for frame in expected.free.iter().flat_map(|range| range.clone().step_by(expected.stride)) {
        assert!(!touches(frame), "{name} touches itself in step {frame}");
    }
    for frame in expected.touching.clone().step_by(expected.stride) {
        assert!(touches(frame), "{name} does not touch itself in step {frame}");
    }
}

#[test]
fn figure() {
    check(&Expected {
        name: "figure",
        n_faces: 8000,
        n_bones: 21,
        free: &[0..40, 60..89],
        touching: 42..58,
        stride: 2,
    });
}

#[test]
fn rope() {
    check(&Expected {
        name: "rope",
        n_faces: 48_440,
        n_bones: 199,
        free: &[0..40, 40..74],
        touching: 78..119,
        stride: 8,
    });
}

#[test]
fn octopus() {
    check(&Expected {
        name: "octopus",
        n_faces: 47_976,
        n_bones: 71,
        free: &[0..56, 92..119],
        touching: 60..88,
        stride: 7,
    });
}

#[test]
fn urchin() {
    check(&Expected {
        name: "urchin",
        n_faces: 2840,
        n_bones: 4,
        free: &[0..30, 66..89],
        touching: 38..42,
        stride: 1,
    });
}

#[test]
fn walker() {
    check(&Expected {
        name: "walker",
        n_faces: 20_000,
        n_bones: 21,
        free: &[0..58, 106..159],
        touching: 62..67,
        stride: 4,
    });
}

#[test]
fn twisted_box() {
    check(&Expected {
        name: "box",
        n_faces: 25_088,
        n_bones: 33,
        free: &[0..42, 68..89],
        touching: 46..64,
        stride: 3,
    });
}

#[test]
fn hand() {
    check(&Expected {
        name: "hand",
        n_faces: 11_208,
        n_bones: 20,
        free: &[0..28, 78..89],
        touching: 32..46,
        stride: 2,
    });
}

#[test]
fn dwarf() {
    check(&Expected {
        name: "dwarf",
        n_faces: 1664,
        n_bones: 45,
        free: &[0..18, 40..55],
        touching: 21..25,
        stride: 1,
    });
}

#[test]
fn man() {
    check(&Expected {
        name: "man",
        n_faces: 8270,
        n_bones: 27,
        free: &[0..20, 46..63],
        touching: 22..26,
        stride: 1,
    });
}

#[test]
fn creature() {
    check(&Expected {
        name: "creature",
        n_faces: 13_590,
        n_bones: 56,
        free: &[0..28, 42..63],
        touching: 30..39,
        stride: 2,
    });
}

#[test]
fn names_are_those_of_the_scenes() {
    let all = ["figure", "rope", "octopus", "urchin", "walker", "box", "hand", "dwarf", "man", "creature"];
    assert_eq!(names(), all);
    assert!(build("nothing").is_none());
}

#[test]
fn subdivision_keeps_the_surface_closed_and_the_shape_at_rest() {
    let scene = &build("dwarf").unwrap();
    for (levels, n_faces) in [(0, 1664), (1, 6656), (2, 26_624), (3, 106_496)] {
        let fine = subdivided(scene, levels);
        assert_eq!(fine.faces.len(), n_faces);
        check_surface(&fine);
        assert_eq!(fine.vertex_object.len(), fine.rest.len());
        let skin = fine.skin.as_ref().unwrap();
        for vertex in 0..fine.rest.len() {
            let total: f64 = skin.of_vertex(vertex).iter().map(|entry| entry.1).sum();
            assert!((total - 1.0).abs() < 1e-12);
        }
        assert!((volume(&fine) - volume(scene)).abs() < 1e-9 * volume(scene));
        let (mut coarse_pose, mut fine_pose) = (Vec::new(), Vec::new());
        scene.pose(20, &mut coarse_pose);
        fine.pose(20, &mut fine_pose);
        assert_eq!(fine_pose[..coarse_pose.len()], coarse_pose);
    }
}
