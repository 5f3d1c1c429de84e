//! Scenes of cloth and other large scenes. What is quick is always looked at; simulations and a
//! million triangles only when asked for:
//! `cargo test --release -p osculate-scenes --test it cloth:: -- --ignored`.

use osculate::{BodyId, BodySettings, Mesh, Model, Query, World};
use osculate_scenes::{Motion, Part, Scene, build, large_names, names};
use std::ops::Range;
use std::sync::Arc;

/// What must hold for a scene.
struct Expected {
    name: &'static str,
    /// Triangles of each object.
    n_faces: &'static [usize],
    n_vertices: usize,
    /// Bones, control points, particles or modes.
    n_governors: usize,
    is_closed: bool,
    /// Steps without a contact.
    free: &'static [Range<usize>],
    /// Steps with a contact each.
    touching: &'static [Range<usize>],
    /// Stride of the tested steps.
    stride: usize,
}

/// The objects of a scene in a world.
struct Stage {
    world: World,
    bodies: Vec<(BodyId, Part)>,
}

fn stage(scene: &Scene, expected: &Expected) -> Stage {
    let mut stage = Stage { world: World::new(), bodies: Vec::new() };
    let parts = scene.parts();
    let n_faces: Vec<usize> = parts.iter().map(|part| part.faces.len()).collect();
    assert_eq!(n_faces, expected.n_faces, "{}", expected.name);
    for part in parts {
        let mesh = Mesh::new(part.faces.clone(), part.vertices.len()).unwrap();
        let found = mesh.describe();
        assert!(found.is_manifold() && found.is_oriented(), "{}: {found:?}", expected.name);
        assert_eq!((found.components, found.isolated_vertices), (1, 0), "{}", expected.name);
        assert!(!expected.is_closed || found.is_closed(), "{}", expected.name);
        let rest = part.pose(&scene.rest);
        let model = Arc::new(Model::new(mesh, &rest).unwrap());
        let settings = BodySettings::default().is_static(part.is_static);
        stage.bodies.push((stage.world.add_with(model, &rest, settings).unwrap(), part));
    }
    stage
}

impl Stage {
    fn set_pose(&mut self, pose: &[[f64; 3]]) {
        for (body, part) in &self.bodies {
            self.world.set_pose(*body, &part.pose(pose)).unwrap();
        }
    }

    fn touches(&mut self, now: &[[f64; 3]], next: &[[f64; 3]]) -> bool {
        self.set_pose(now);
        let ends: Vec<_> = self.bodies.iter().map(|(body, part)| (*body, part.pose(next))).collect();
        let ends: Vec<_> = ends.iter().map(|(body, end)| (*body, end.as_slice())).collect();
        0 < self.world.contacts(&ends, &Query::any()).unwrap().count
    }
}

fn check(expected: &Expected) {
    let name = expected.name;
    let scene = build(name).unwrap();
    assert_eq!(scene.name, name);
    assert_eq!(scene.rest.len(), expected.n_vertices, "{name}");
    check_governors(&scene, expected);
    let mut stage = stage(&scene, expected);
    let (mut now, mut next) = (Vec::new(), Vec::new());
    scene.pose(0, &mut now);
    stage.set_pose(&now);
    assert_eq!(stage.world.crossings(&Query::any()).unwrap().count, 0, "{name} crosses itself at first");
    let mut touches = |frame: usize| {
        scene.pose(frame, &mut now);
        scene.pose(frame + 1, &mut next);
        stage.touches(&now, &next)
    };
    for frame in expected.free.iter().flat_map(|range| range.clone().step_by(expected.stride)) {
        assert!(!touches(frame), "{name} touches itself in step {frame}");
    }
    for frame in expected.touching.iter().flat_map(|range| range.clone().step_by(expected.stride)) {
        assert!(touches(frame), "{name} does not touch itself in step {frame}");
    }
    assert!(scene == build(name).unwrap(), "{name} is the same each time");
}

/// There are as many bones, control points, particles or modes as expected, and each frame has
/// parameters for them. The positions of all vertices by the deformer are those of the scene.
fn check_governors(scene: &Scene, expected: &Expected) {
    let name = &scene.name;
    let n = expected.n_governors;
    match &scene.motion {
        Motion::Frames(_) => return assert_eq!(n, 0, "{name}"),
        Motion::Bones(frames) => {
            assert!(frames.iter().all(|maps| maps.len() == n), "{name}");
            check_skin(scene, n);
        }
        Motion::Control(surface, frames) => {
            assert_eq!((surface.control().len(), surface.triangles()), (n, scene.faces.as_slice()), "{name}");
            assert!(frames.iter().all(|points| points.len() == n), "{name}");
        }
        Motion::Particles(particles, frames) => {
            assert_eq!(particles.n_particles(), n, "{name}");
            assert!(frames.iter().all(|maps| maps.len() == n), "{name}");
        }
        Motion::Modes(modes, frames) => {
            assert_eq!((modes.n_modes(), modes.n_bones()), (n, 0), "{name}");
            assert!(frames.iter().all(|amplitudes| amplitudes.len() == n), "{name}");
        }
    }
    let mut world = World::new();
    let body = world.add(Arc::new(scene.model().unwrap()), scene.model_pose(0)).unwrap();
    let mut positions = Vec::new();
    for frame in [0, scene.n_frames() / 3, scene.n_frames() - 1] {
        scene.pose(frame, &mut positions);
        world.set_pose(body, scene.model_pose(frame)).unwrap();
        let bits = |p: &[f64; 3]| p.map(f64::to_bits);
        let found = world.vertices(body).unwrap();
        assert!(found.iter().map(bits).eq(positions.iter().map(bits)), "{name} frame {frame}");
    }
}

fn check_skin(scene: &Scene, n_bones: usize) {
    let skin = scene.skin.as_ref().unwrap();
    assert_eq!(skin.bones.len(), n_bones, "{}", scene.name);
    for vertex in 0..scene.rest.len() {
        let influences = skin.of_vertex(vertex);
        assert!((1..=6).contains(&influences.len()), "{}: {} bones", scene.name, influences.len());
        assert!(influences.iter().all(|entry| 0.0 < entry.1));
        assert!(influences.windows(2).all(|pair| pair[1].1 <= pair[0].1));
        assert!((influences.iter().map(|entry| entry.1).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// A scene of one object, with steps to fill in.
const ONE: Expected = Expected {
    name: "",
    n_faces: &[],
    n_vertices: 0,
    n_governors: 0,
    is_closed: false,
    free: &[],
    touching: &[],
    stride: 1,
};

#[test]
fn large_scenes_are_known_by_name() {
    let all = "drape curtains twist jelly spikes reduced-cloth-2 reduced-cloth-3 reduced-cloth-4 particles modal beast-walk beast-jump catheter";
    assert_eq!(large_names().join(" "), all);
    assert!(names().iter().all(|name| !large_names().contains(name)));
}

#[test]
fn reduced_cloth() {
    let steps =
        Expected { n_governors: 231, free: &[0..38, 51..59, 69..89], touching: &[43..48, 61..66], ..ONE };
    check(&Expected { name: "reduced-cloth-2", n_faces: &[6400], n_vertices: 3321, stride: 2, ..steps });
    check(&Expected { name: "reduced-cloth-3", n_faces: &[25_600], n_vertices: 13_041, stride: 5, ..steps });
    check(&Expected {
        name: "reduced-cloth-4",
        n_faces: &[102_400],
        n_vertices: 51_681,
        stride: 15,
        ..steps
    });
}

#[test]
fn particles() {
    check(&Expected {
        name: "particles",
        n_faces: &[52_800],
        n_vertices: 26_402,
        n_governors: 24,
        is_closed: true,
        free: &[0..26, 46..89],
        touching: &[28..31, 35..38],
        stride: 6,
    });
}

#[test]
fn modal() {
    check(&Expected {
        name: "modal",
        n_faces: &[40_000],
        n_vertices: 20_002,
        n_governors: 10,
        is_closed: true,
        free: &[0..26, 31..49, 55..89],
        touching: &[26..31, 49..55],
        stride: 4,
    });
}

#[test]
fn catheter() {
    check(&Expected {
        name: "catheter",
        n_faces: &[10_000, 83_000],
        n_vertices: 5_002 + 41_526,
        n_governors: 111,
        free: &[0..80, 80..89],
        touching: &[89..93, 93..99],
        stride: 4,
        ..ONE
    });
}

#[test]
#[ignore = "a quarter of a million triangles take a minute without optimisation"]
fn beasts() {
    let beast =
        Expected { n_faces: &[244_736], n_vertices: 122_370, n_governors: 40, is_closed: true, ..ONE };
    let walk = Expected { name: "beast-walk", free: &[0..24, 45..63], touching: &[25..33, 40..43], ..beast };
    check(&Expected { stride: 3, ..walk });
    let touching = &[11..14, 18..20, 47..50, 54..56];
    let jump = Expected { name: "beast-jump", free: &[0..9, 22..45, 58..63], touching, ..beast };
    check(&Expected { stride: 3, ..jump });
}

#[test]
#[ignore = "a million triangles take gigabytes and minutes"]
fn spikes() {
    check(&Expected {
        name: "spikes",
        n_faces: &[1_000_000],
        n_vertices: 500_002,
        is_closed: true,
        free: &[0..4, 16..19],
        touching: &[6..10, 11..15],
        stride: 3,
        ..ONE
    });
}

#[test]
#[ignore = "simulations take minutes unless they are in the cache"]
fn drape() {
    check(&Expected {
        name: "drape",
        n_faces: &[64_000, 6_912],
        n_vertices: 32_361 + 3_458,
        free: &[0..24, 24..49],
        touching: &[50..60, 60..70],
        stride: 4,
        ..ONE
    });
}

#[test]
#[ignore = "simulations take minutes unless they are in the cache"]
fn curtains() {
    check(&Expected {
        name: "curtains",
        n_faces: &[32_500, 32_500],
        n_vertices: 2 * 16_506,
        free: &[0..34, 34..69],
        touching: &[72..86, 86..99],
        stride: 4,
        ..ONE
    });
}

#[test]
#[ignore = "simulations take minutes unless they are in the cache"]
fn twist() {
    check(&Expected {
        name: "twist",
        n_faces: &[64_000],
        n_vertices: 32_361,
        free: &[0..36, 36..74],
        touching: &[74..86, 86..99],
        stride: 4,
        ..ONE
    });
}

#[test]
fn jelly() {
    check(&Expected {
        name: "jelly",
        n_faces: &[4800, 4800, 4800, 4800, 3888],
        n_vertices: 4 * 2402 + 1946,
        is_closed: true,
        free: &[0..32, 32..64],
        touching: &[64..72, 72..79],
        ..ONE
    });
}
