//! NPZ, read back by the reader of this crate.

use osculate_io::write::{Animation, Motion, npz, save};

use super::animation::{Model, chain, matrices, of_scene, pose, poses, read};
use super::support::{Folder, Random};

#[test]
fn frames_read_back_bit_for_bit() {
    let model = Model::new(12, 1, chain(1));
    let mut random = Random(3);
    let frames: Vec<Vec<[f64; 3]>> = (0..5).map(|_| (0..12).map(|_| random.numbers()).collect()).collect();
    let single = |frames: &[Vec<[f64; 3]>]| -> Vec<Vec<[f64; 3]>> {
        frames.iter().map(|f| f.iter().map(|p| p.map(|x| f64::from((x % 1.0) as f32))).collect()).collect()
    };
    let mut sizes = Vec::new();
    for frames in [single(&frames), frames.clone()] {
        let animation = model.moving(Motion::Frames(frames.clone().into()));
        let bytes = npz(&animation).unwrap();
        let clip = read(&bytes, "fans.npz", &animation);
        assert_eq!((clip.fps, clip.n_frames()), (24.0, 5));
        assert_eq!(clip.surface.faces, model.faces);
        assert_eq!(clip.surface.vertex_object, model.vertex_object);
        for (i, frame) in frames.iter().enumerate() {
            let bits =
                |pose: &[[f64; 3]]| pose.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&pose(&clip, i)), bits(frame));
        }
        sizes.push(bytes.len());
    }
    assert_eq!(sizes[1] - sizes[0], 5 * 12 * 3 * 4, "what fits in f32 takes half of the bytes");
}

#[test]
fn a_skin_reads_back_bit_for_bit() {
    let model = Model::new(30, 6, chain(7));
    let animation = model.skinned(matrices(4, 7, [1.0, 2.0, -0.5]));
    let clip = read(&npz(&animation).unwrap(), "fans.npz", &animation);
    let skin = clip.surface.skin.as_ref().unwrap();
    assert_eq!(skin.bones, model.bones);
    assert_eq!(skin.rest, model.rest);
    let Motion::Bones(rig) = &animation.motion else { unreachable!() };
    for (frame, matrices) in rig.matrices.iter().enumerate() {
        assert_eq!(&clip.bone_matrices(frame).unwrap().unwrap(), matrices);
    }
    for (vertex, influences) in model.influences.iter().enumerate() {
        assert_eq!(skin.influences(vertex), influences);
    }
    let again = Animation::of_clip(&clip).unwrap();
    assert_eq!(poses(&again), poses(&animation));
    assert_eq!(npz(&again).unwrap(), npz(&animation).unwrap());
}

#[test]
fn a_scene_reads_back_bit_for_bit() {
    let scene = osculate_scenes::build("figure").unwrap();
    let animation = of_scene(&scene);
    let folder = Folder::new("npz");
    let path = folder.path().join("figure.npz");
    save(&animation, &path).unwrap();
    assert_eq!(folder.names(), ["figure.npz"]);
    let clip = read(&std::fs::read(&path).unwrap(), "figure.npz", &animation);
    let again = Animation::of_clip(&clip).unwrap();
    assert_eq!(poses(&again), poses(&animation));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let check = |change: fn(&mut Model), part: &str| {
        let mut model = Model::new(12, 2, chain(3));
        change(&mut model);
        let message = npz(&model.skinned(matrices(2, 3, [1.0; 3]))).unwrap_err().to_string();
        assert!(message.starts_with("two fans: ") && message.contains(part), "{message}");
    };
    check(|model| model.faces[2] = [0, 2, 99], "triangle 2");
    check(|model| model.faces[3] = [0, 1, 2], "triangle 3");
    check(|model| model.faces.clear(), "no triangles");
    check(|model| model.vertex_object[5] = 3, "vertex 5");
    check(|model| model.rest[1][1] = f64::NAN, "rest");
    check(|model| model.influences[4].clear(), "vertex 4");
    check(|model| model.influences[4][0].bone = 3, "influences");
    check(|model| model.bones[0].parent = Some(9), "bones");
    check(|model| model.bones[2].parent = Some(0), "bones");
    check(|model| drop(model.bones.pop()), "influences");
    let model = Model::new(12, 2, chain(3));
    let fault = npz(&Animation { fps: 0.0, ..model.skinned(matrices(2, 3, [1.0; 3])) });
    assert!(fault.unwrap_err().to_string().contains("fps"));
    assert!(npz(&model.moving(Motion::Frames(vec![model.rest.clone(), Vec::new()].into()))).is_err());
    assert!(npz(&model.skinned(Vec::new())).is_err());
    let path = std::path::Path::new("fans.fbx");
    assert!(save(&model.skinned(matrices(2, 3, [1.0; 3])), path).unwrap_err().to_string().contains(".glb"));
}
