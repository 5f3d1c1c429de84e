//! GLB, read back by the reader of this crate.

use osculate_io::Clip;
use osculate_io::write::{Animation, Motion, glb};
use serde_json::Value;

use super::animation::{Model, chain, matrices, of_scene, pose, poses, read};
use super::support::Random;

/// The largest difference of a coordinate, relative to the largest coordinate: some roundings of an
/// f32.
const TOLERANCE: f64 = 1e-6;

/// Returns the JSON of a GLB file.
fn document(bytes: &[u8]) -> Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

/// Writes an animation, reads it back, and checks that all frames are the same. Vertices of the
/// file are those of the animation, object by object.
fn check(animation: &Animation) -> (Value, Clip) {
    let bytes = glb(animation).unwrap();
    let clip = read(&bytes, "again.glb", animation);
    assert_eq!(clip.n_frames(), animation.n_frames());
    assert_eq!(clip.surface.faces.len(), animation.faces.len());
    let mut order: Vec<usize> = (0..animation.vertex_object.len()).collect();
    order.sort_by_key(|&vertex| animation.vertex_object[vertex]);
    assert_eq!(clip.surface.n_vertices, order.len(), "no vertices coincide");
    let poses = poses(animation);
    let size = poses.iter().flatten().flatten().fold(0.0f64, |size, x| size.max(x.abs()));
    let mut worst = 0.0f64;
    for (frame, wanted) in poses.iter().enumerate() {
        for (found, &vertex) in pose(&clip, frame).iter().zip(&order) {
            let differences = found.iter().zip(wanted[vertex]).map(|(a, b)| (a - b).abs() / size);
            worst = differences.fold(worst, f64::max);
        }
    }
    assert!(worst <= TOLERANCE, "positions differ by {worst:e} of the size");
    // A triangle is in the place where it was, and of the same corners.
    let mut sorted: Vec<[u32; 3]> = animation.faces.to_vec();
    sorted.sort_by_key(|face| animation.vertex_object[face[0] as usize]);
    for (found, wanted) in clip.surface.faces.iter().zip(sorted) {
        assert_eq!(found.map(|corner| order[corner as usize] as u32), wanted);
    }
    assert_eq!(glb(animation).unwrap(), bytes, "the same animation gives the same bytes");
    (document(&bytes), clip)
}

fn is_skinned(document: &Value) -> bool {
    let has_targets = document["meshes"][0]["primitives"][0].get("targets").is_some();
    assert_ne!(document.get("skins").is_some(), has_targets);
    !has_targets
}

#[test]
fn rigid_bones_make_a_skin() {
    let model = Model::new(40, 6, chain(5));
    let (document, clip) = check(&model.skinned(matrices(30, 5, [1.0; 3])));
    assert!(is_skinned(&document));
    let attributes = &document["meshes"][1]["primitives"][0]["attributes"];
    assert!(attributes["JOINTS_1"].is_u64() && attributes["WEIGHTS_1"].is_u64());
    assert_eq!(document["animations"][0]["name"], "two fans");
    assert_eq!(clip.surface.objects, ["left", "right"], "objects without triangles are left out");
    let skin = clip.surface.skin.as_ref().unwrap();
    for (found, bone) in skin.bones.iter().zip(&model.bones) {
        assert_eq!((&found.name, found.parent), (&bone.name, bone.parent));
        assert!(found.head.iter().zip(bone.head).all(|(a, b)| (a - b).abs() < 1e-6));
    }
    check(&Animation::of_clip(&clip).unwrap());
}

#[test]
fn scaled_and_mirrored_bones_make_a_skin() {
    let model = Model::new(40, 3, chain(4));
    for scale in [[2.0; 3], [-1.0; 3]] {
        let (_, clip) = check(&model.skinned(matrices(6, 4, scale)));
        assert_eq!(clip.surface.skin.as_ref().unwrap().bones[0].parent, Some(1));
    }
    // Below a bone that is scaled unevenly, or to nothing, a bone becomes a root.
    for scale in [[1.0, 3.0, -0.5], [0.0, 1.0, 1.0]] {
        let (document, clip) = check(&model.skinned(matrices(6, 4, scale)));
        assert!(is_skinned(&document));
        assert_eq!(clip.surface.skin.as_ref().unwrap().bones[0].parent, None);
    }
}

#[test]
fn what_a_skin_cannot_express_becomes_morph_targets() {
    let mut model = Model::new(40, 3, chain(4));
    let mut sheared = matrices(6, 4, [1.0; 3]);
    sheared[3][2][0] = [1.0, 0.25, 0.0, 0.0];
    sheared[3][2][1] = [0.0, 1.0, 0.0, 0.0];
    assert!(!is_skinned(&check(&model.skinned(sheared)).0));
    model.influences[5][0].weight += 0.25;
    assert!(!is_skinned(&check(&model.skinned(matrices(6, 4, [1.0; 3]))).0));
    model.influences[5][0].weight = 2.0;
    model.influences[5].truncate(2);
    model.influences[5][1].weight = -1.0;
    assert!(!is_skinned(&check(&model.skinned(matrices(6, 4, [1.0; 3]))).0));
}

/// Files of other tools have as much, since their inverse bind matrices are f32.
#[test]
fn a_little_shear_is_not_worth_morph_targets() {
    let model = Model::new(40, 3, chain(4));
    let mut sheared = matrices(6, 4, [1.0; 3]);
    sheared.iter_mut().flatten().for_each(|matrix| matrix[0][1] += 5e-7);
    assert!(is_skinned(&check(&model.skinned(sheared)).0));
}

#[test]
fn frames_become_morph_targets() {
    let model = Model::new(25, 1, chain(1));
    let mut random = Random(5);
    let mut frame =
        || -> Vec<[f64; 3]> { (0..25).map(|_| std::array::from_fn(|_| 100.0 + random.small())).collect() };
    let frames: Vec<_> = (0..50).map(|_| frame()).collect();
    let (document, _) = check(&model.moving(Motion::Frames(frames.into())));
    assert_eq!(document["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(), 49);
}

#[test]
fn the_number_of_frames_is_kept() {
    let model = Model::new(20, 2, chain(3));
    let still = matrices(1, 3, [1.0; 3]);
    for fps in [24.0, 30.0, 29.97, 60.0, 1000.0 / 3.0] {
        for n in [1, 2, 18, 700] {
            let skinned = model.skinned(vec![still[0].clone(); n]);
            assert!(is_skinned(&check(&Animation { fps, ..skinned }).0));
        }
        check(&Animation { fps, ..model.skinned(matrices(99, 3, [1.0; 3])) });
        check(&Animation { fps, ..model.moving(Motion::Frames(vec![model.rest.clone(); 3].into())) });
        check(&Animation { fps, ..model.moving(Motion::Frames(vec![model.rest.clone()].into())) });
    }
}

#[test]
fn scenes_are_skinned() {
    for name in osculate_scenes::names() {
        let scene = osculate_scenes::build(name).unwrap();
        let (document, clip) = check(&of_scene(&scene));
        assert_eq!(is_skinned(&document), scene.skin.is_some(), "{name}");
        if let Some(skin) = &scene.skin {
            let names: Vec<&str> = skin.bones.iter().map(|bone| bone.name.as_str()).collect();
            let found = &clip.surface.skin.as_ref().unwrap().bones;
            assert_eq!(found.iter().map(|bone| bone.name.as_str()).collect::<Vec<_>>(), names);
        }
    }
}

#[test]
fn what_is_too_large_for_f32_is_refused() {
    let mut model = Model::new(12, 1, chain(1));
    model.rest[3][0] = 1e39;
    let message = glb(&model.skinned(matrices(2, 1, [1.0; 3]))).unwrap_err().to_string();
    assert!(message.contains("f32"), "{message}");
}
