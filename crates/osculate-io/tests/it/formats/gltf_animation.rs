//! glTF: interpolation, morph targets, and which clips and frames there are.

use osculate_io::{Options, read_bytes};
use serde_json::{Value, json};

use super::support::{Gltf, assert_near, check_error, clip, clips, pose};

/// A triangle at a node whose `path` has the given keys.
fn animated(path: &str, interpolation: &str, kind: &str, times: &[f32], values: &[f32]) -> (Gltf, Value) {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let delta = gltf.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let input = gltf.floats("SCALAR", times);
    let output = gltf.floats(kind, values);
    let root = json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"weights": [0.5, 0.25], "primitives": [{"attributes": {"POSITION": position},
            "targets": [{"POSITION": delta}, {"NORMAL": delta}]}]}],
        "animations": [{"name": "move",
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
            "samplers": [{"input": input, "output": output, "interpolation": interpolation}]}],
    });
    (gltf, root)
}

/// Checks where the node takes the point (1, 0, 0), at four frames per second.
fn check(path: &str, interpolation: &str, kind: &str, times: &[f32], values: &[f32], expected: &[[f64; 3]]) {
    let (gltf, root) = animated(path, interpolation, kind, times, values);
    let options = Options { fps: 4.0, clip: Some("move".into()), memory: None };
    let clips = read_bytes(&gltf.glb(root), "a.glb", &options).unwrap();
    let found: Vec<[f64; 3]> = (0..clips[0].n_frames()).map(|frame| pose(&clips[0], frame)[1]).collect();
    assert_near(&found, expected, 1e-12);
}

const MOVE: [f32; 6] = [0.0, 0.0, 0.0, 4.0, 0.0, 8.0];

#[test]
fn steps_hold_and_lines_connect() {
    let [a, b, c] = [[1.0, 0.0, 0.0], [3.0, 0.0, 4.0], [5.0, 0.0, 8.0]];
    check("translation", "STEP", "VEC3", &[0.25, 0.75], &MOVE, &[a, a, a, c]);
    check("translation", "LINEAR", "VEC3", &[0.25, 0.75], &MOVE, &[a, a, b, c]);
    check(
        "scale",
        "LINEAR",
        "VEC3",
        &[0.0, 0.5],
        &[1.0, 1.0, 1.0, 3.0, 1.0, 1.0],
        &[a, [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]],
    );
    // One key alone.
    check("translation", "LINEAR", "VEC3", &[0.0], &MOVE[3..], &[c]);
}

#[test]
fn rotations_take_the_shorter_way_at_constant_speed() {
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let quarter = [0.0, 0.0, h, h];
    let r = 0.5f64.sqrt();
    let expected = [[1.0, 0.0, 0.0], [r, r, 0.0], [0.0, 1.0, 0.0]];
    for sign in [1.0, -1.0] {
        let values = [[0.0, 0.0, 0.0, 1.0], quarter.map(|x| sign * x)].concat();
        let (gltf, root) = animated("rotation", "LINEAR", "VEC4", &[0.0, 0.5], &values);
        let clips =
            read_bytes(&gltf.glb(root), "a.glb", &Options { fps: 4.0, clip: None, memory: None }).unwrap();
        for (frame, expected) in expected.iter().enumerate() {
            assert_near(&pose(&clips[0], frame)[1..2], &[*expected], 1e-7);
        }
    }
    // Equal rotations divide by no sine.
    check("rotation", "LINEAR", "VEC4", &[0.0, 0.5], &[0.0, 0.0, 0.0, 1.0].repeat(2), &[[1.0, 0.0, 0.0]; 3]);
    // Keys as normalized bytes: a third of the way to a half turn.
    let (mut gltf, root) = animated("rotation", "LINEAR", "VEC4", &[0.0, 0.75], &[0.0; 8]);
    let view = gltf.view(&[0, 0, 0, 127, 0, 0, 127, 0]);
    gltf.accessors[3] =
        json!({"bufferView": view, "componentType": 5120, "type": "VEC4", "count": 2, "normalized": true});
    let clips =
        read_bytes(&gltf.glb(root), "a.glb", &Options { fps: 4.0, clip: None, memory: None }).unwrap();
    assert_near(&pose(&clips[0], 1)[1..2], &[[0.5, 0.75f64.sqrt(), 0.0]], 1e-12);
}

#[test]
fn splines_have_the_slopes_of_their_keys() {
    // Key by key: slope before, value, slope after. From 0 with slope 2 to 1 with slope -2 in one
    // second.
    let values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 9.0, 9.0, 9.0];
    let p = |s: f64| {
        3.0 * s * s - 2.0 * s * s * s + 2.0 * (s * s * s - 2.0 * s * s + s) - 2.0 * (s * s * s - s * s)
    };
    let expected: Vec<[f64; 3]> = (0..5).map(|i| [1.0 + p(f64::from(i) / 4.0), 0.0, 0.0]).collect();
    check("translation", "CUBICSPLINE", "VEC3", &[0.0, 1.0], &values, &expected);
    // Two seconds: slopes count per second.
    let (gltf, root) = animated("translation", "CUBICSPLINE", "VEC3", &[0.0, 2.0], &values);
    let clip = &clips(&gltf.glb(root), "a.glb")[0];
    assert_eq!(clip.n_frames(), 61);
    assert_near(&pose(clip, 30)[..1], &[[0.5 + 2.0 * (2.0 + 2.0) / 8.0, 0.0, 0.5]], 1e-12);
    // Rotations on a spline are normalized.
    let mut values = [0.0; 24];
    (values[7], values[4 + 12 + 2]) = (1.0, 1.0);
    let (gltf, root) = animated("rotation", "CUBICSPLINE", "VEC4", &[0.0, 1.0], &values);
    assert_near(&pose(&clips(&gltf.glb(root), "a.glb")[0], 15)[1..2], &[[0.0, 1.0, 0.0]], 1e-12);
}

#[test]
fn morph_targets_move_the_rest() {
    let (gltf, mut root) = animated("weights", "LINEAR", "SCALAR", &[0.0, 1.0], &[0.0, 7.0, 1.0, 7.0]);
    let clip_ = &clips(&gltf.glb(root.clone()), "a.glb")[0];
    assert!(clip_.has_morphs());
    assert_eq!(pose(clip_, 15), [[0.0, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(pose(clip_, 30)[0][2], 1.0);
    // Without the animation the weights of the mesh hold, and those of the node before them.
    root.as_object_mut().unwrap().remove("animations");
    assert_eq!(pose(&clip(&gltf.glb(root.clone()), "a.glb"), 0)[0][2], 0.5);
    root["nodes"][0]["weights"] = json!([2.0, 0.0]);
    assert_eq!(pose(&clip(&gltf.glb(root), "a.glb"), 0)[0][2], 2.0);
}

#[test]
fn clips_by_name_and_their_frames() {
    let (gltf, mut root) = animated("translation", "LINEAR", "VEC3", &[0.5, 1.02], &MOVE);
    let mut other = root["animations"][0].clone();
    other.as_object_mut().unwrap().remove("name");
    root["animations"].as_array_mut().unwrap().push(other);
    let bytes = gltf.glb(root);
    let all = clips(&bytes, "a.glb");
    assert_eq!(all.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["move", "animation 1"]);
    // From 0 to the last key: 30 whole steps and a short one.
    assert_eq!((all[0].n_frames(), all[0].time(0), all[0].time(30)), (32, 0.0, 1.0));
    assert_eq!(all[0].time(31), f64::from(1.02f32));
    assert_near(&pose(&all[0], 31)[..1], &[[4.0, 0.0, 8.5]], 1e-12);
    assert!(std::sync::Arc::ptr_eq(&all[0].surface, &all[1].surface));
    let options = Options { clip: Some("animation 1".into()), ..Default::default() };
    assert_eq!(read_bytes(&bytes, "a.glb", &options).unwrap().len(), 1);
    let options = Options { clip: Some("walk".into()), ..Default::default() };
    let message = read_bytes(&bytes, "a.glb", &options).unwrap_err().to_string();
    assert_eq!(message, "a.glb: there is no clip named 'walk'; there are move, animation 1");
}

#[test]
fn faults_of_animations_are_named() {
    let fails = |times: &[f32], values: &[f32], change: &dyn Fn(&mut Value), part: &str| {
        let (gltf, mut root) = animated("translation", "LINEAR", "VEC3", times, values);
        change(&mut root);
        check_error(&gltf.glb(root), "a.glb", part);
    };
    let keep = |_: &mut Value| {};
    fails(&[1.0, 0.0], &MOVE, &keep, "accessor 2: the times of keys must be finite and increase");
    fails(&[0.0, f32::NAN], &MOVE, &keep, "accessor 2");
    fails(&[0.0, 1e30], &MOVE, &keep, "too many frames");
    fails(&[0.0], &MOVE, &keep, "channel 0 of animation 0: 1 keys need 3 numbers each, but there are 6");
    fails(&[], &[], &keep, "it has no keys");
    fails(
        &[0.0, 1.0],
        &MOVE,
        &|root| root["animations"][0]["samplers"][0]["interpolation"] = json!("MAGIC"),
        "'MAGIC'",
    );
    fails(
        &[0.0, 1.0],
        &MOVE,
        &|root| root["animations"][0]["channels"][0]["sampler"] = json!(3),
        "sampler 3",
    );
    fails(
        &[0.0, 1.0],
        &MOVE,
        &|root| root["animations"][0]["channels"][0]["target"]["node"] = json!(3),
        "node 3",
    );
    let matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    fails(
        &[0.0, 1.0],
        &MOVE,
        &|root| root["nodes"][0]["matrix"] = json!(matrix),
        "node 0 is animated, but has a matrix",
    );
}

/// A file with two channels of different interpolation, a morph target and a sparse accessor.
pub(crate) fn everything() -> Vec<u8> {
    let (mut gltf, mut root) = animated("weights", "LINEAR", "SCALAR", &[0.0, 0.1], &[0.0, 7.0, 1.0, 7.0]);
    let output = gltf.floats("VEC4", &[0.5; 24]);
    root["animations"][0]["samplers"]
        .as_array_mut()
        .unwrap()
        .push(json!({"input": 2, "output": output, "interpolation": "CUBICSPLINE"}));
    root["animations"][0]["channels"]
        .as_array_mut()
        .unwrap()
        .push(json!({"sampler": 1, "target": {"node": 0, "path": "rotation"}}));
    let indices = gltf.view(&[2, 0]);
    gltf.accessors[0]["sparse"] = json!({"count": 1, "indices": {"bufferView": indices, "componentType": 5123},
        "values": {"bufferView": 1}});
    gltf.glb(root)
}
