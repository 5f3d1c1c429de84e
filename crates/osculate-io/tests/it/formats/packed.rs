//! Compressed meshes from real encoders, compared with the uncompressed mesh; see the README of the
//! fixtures.

use osculate_io::{Clip, Options, read_bytes};

use super::support::{clip, pose};

macro_rules! fixtures {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../fixtures/", $name)).as_slice())),*]
    };
}

/// All files of encoders.
pub(crate) const FIXTURES: [(&str, &[u8]); 10] = fixtures![
    "rod.glb",
    "rod-morph.glb",
    "draco-edgebreaker.glb",
    "draco-sequential.glb",
    "meshopt-ext.glb",
    "meshopt-khr.glb",
    "meshopt-float.glb",
    "meshopt-transform.glb",
    "quantized-normalized.glb",
    "instances.glb",
];

fn fixture(name: &str) -> Clip {
    let (_, bytes) = FIXTURES.iter().find(|(other, _)| *other == name).unwrap();
    clip(bytes, name)
}

/// Returns the distance of two points along the axis where it is greatest.
fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Checks that a compressed file has the vertices, triangles, bones, weights and frames of its
/// original. Encoders change the order of vertices and triangles, so vertices are matched by their
/// positions at rest. Positions may differ by `step` at rest and by `moved` in frames, weights by
/// `weight`.
fn check(packed: &str, plain: &str, step: f64, moved: f64, weight: f64) {
    let (packed, plain) = (fixture(packed), fixture(plain));
    assert_eq!(packed.surface.notes, [""; 0]);
    assert_eq!(packed.n_frames(), plain.n_frames());
    assert_eq!(packed.surface.n_vertices, 36);
    let (rest, wanted) = (pose(&packed, 0), pose(&plain, 0));
    let nearest =
        |p: [f64; 3]| (0..36).min_by(|&a, &b| distance(wanted[a], p).total_cmp(&distance(wanted[b], p)));
    let of: Vec<usize> = rest.iter().map(|&p| nearest(p).unwrap()).collect();
    let mut used = of.clone();
    used.sort_unstable();
    assert_eq!(used, (0..36).collect::<Vec<_>>(), "each vertex has its own");

    // The smallest corner first, so that triangles are equal up to a rotation, not up to a flip.
    let turned = |face: [u32; 3]| {
        let least = (0..3).min_by_key(|&i| face[i]).unwrap();
        [face[least], face[(least + 1) % 3], face[(least + 2) % 3]]
    };
    let mut faces: Vec<_> =
        packed.surface.faces.iter().map(|face| turned(face.map(|v| of[v as usize] as u32))).collect();
    let mut expected: Vec<_> = plain.surface.faces.iter().map(|&face| turned(face)).collect();
    faces.sort_unstable();
    expected.sort_unstable();
    assert_eq!(faces, expected);

    let (skin, plain_skin) = (packed.surface.skin.as_ref().unwrap(), plain.surface.skin.as_ref().unwrap());
    let names =
        |skin: &osculate_io::Skin| skin.bones.iter().map(|b| (b.name.clone(), b.parent)).collect::<Vec<_>>();
    assert_eq!(names(skin), names(plain_skin));
    let weights = |skin: &osculate_io::Skin, vertex: usize| {
        let mut weights = [0.0; 2];
        skin.influences(vertex).iter().for_each(|i| weights[i.bone as usize] = i.weight);
        weights
    };
    for (vertex, &of) in of.iter().enumerate() {
        for (a, b) in weights(skin, vertex).into_iter().zip(weights(plain_skin, of)) {
            assert!((a - b).abs() <= weight, "weights of vertex {of}: {a} instead of {b}");
        }
    }
    let (mut at_rest, mut in_motion) = (0.0f64, 0.0f64);
    for frame in 0..plain.n_frames() {
        let (found, wanted) = (pose(&packed, frame), pose(&plain, frame));
        for (&found, &of) in found.iter().zip(&of) {
            let worst = if frame == 0 { &mut at_rest } else { &mut in_motion };
            *worst = worst.max(distance(found, wanted[of]));
        }
    }
    assert!(at_rest <= step, "positions at rest differ by {at_rest:e}");
    assert!(in_motion <= moved, "positions in motion differ by {in_motion:e}");
}

/// The longest side of the rod at rest.
const SIZE: f64 = 2.0;

#[test]
fn draco_in_both_connectivities() {
    // Half a step of 14 bits; weights have 12 bits.
    let step = SIZE / 2f64.powi(15) * 1.01;
    check("draco-edgebreaker.glb", "rod.glb", step, 1e-3, 2f64.powi(-12));
    check("draco-sequential.glb", "rod-morph.glb", step, 1e-3, 2f64.powi(-12));
}

#[test]
fn meshopt_of_both_extensions() {
    // 14 bits of positions and 8 bits of weights; rotations have 16 bits.
    let step = SIZE / 2f64.powi(14) * 1.01;
    for name in ["meshopt-ext.glb", "meshopt-khr.glb", "meshopt-float.glb", "meshopt-transform.glb"] {
        check(name, "rod-morph.glb", step, 8e-3, 1.0 / 255.0);
    }
}

#[test]
fn quantized_positions_are_fractions_or_integers() {
    check("quantized-normalized.glb", "rod-morph.glb", SIZE / 2f64.powi(14) * 1.01, 8e-3, 1.0 / 255.0);
}

#[test]
fn instances_are_copies_at_their_places() {
    let clip = fixture("instances.glb");
    assert_eq!(clip.surface.objects, ["field 0", "field 1", "field 2"]);
    assert_eq!(clip.surface.faces.len(), 12);
    let pose = pose(&clip, 0);
    let expected = [
        [[0.0, 0.0, 10.0], [1.0, 0.0, 10.0], [0.0, 1.0, 10.0], [0.0, 0.0, 11.0]],
        [[5.0, 0.0, 10.0], [3.0, 0.0, 10.0], [5.0, -2.0, 10.0], [5.0, 0.0, 12.0]],
        [[0.0, 5.0, 10.0], [1.0, 5.0, 10.0], [0.0, 8.0, 10.0], [0.0, 5.0, 11.0]],
    ];
    for (found, expected) in pose.iter().zip(expected.as_flattened()) {
        assert!(distance(*found, *expected) < 1e-12, "{found:?} is not {expected:?}");
    }
}

/// Where a limit is exceeded, the error names the option that raises it.
#[test]
fn every_limit_is_either_enough_or_an_error() {
    for (name, bytes) in FIXTURES {
        let mut is_enough = false;
        for shift in 4..29 {
            let options = Options { memory: Some(1 << shift), ..Options::default() };
            match read_bytes(bytes, name, &options) {
                Ok(_) => is_enough = true,
                Err(error) => {
                    assert!(
                        !is_enough,
                        "{name} is read within 2^{} bytes, but not within 2^{shift}",
                        shift - 1
                    );
                    assert!(error.to_string().contains("--memory"), "{error}");
                }
            }
        }
        assert!(is_enough, "{name}");
    }
}
