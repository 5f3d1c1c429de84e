//! NPZ, read back by the reader of this crate.

use osculate::deformer::{LoopSurface, Modes, Particle, Particles};
use osculate_io::write::{Animation, Motion, npz, save};
use osculate_io::{Clip, Deformer, Surface};

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

/// What few parameters move reads back bit for bit: the deformer, its parameters and the positions.
#[test]
fn deformers_read_back_bit_for_bit() {
    let mut random = Random(21);
    let mut points =
        |n: usize| -> Vec<[f64; 3]> { (0..n).map(|_| [(); 3].map(|()| random.small())).collect() };
    let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    let rest = points(5);
    let control = LoopSurface::new(&faces, &rest, 2).unwrap();
    let near: Vec<Particle> = points(3).iter().map(|&center| Particle { center, radius: 7.0 }).collect();
    let particles = Particles::new(&near, &rest).unwrap();
    let modes = Modes::new(&rest, &[points(5), points(5)]).unwrap();
    let cases = [
        (control.triangles().to_vec(), Deformer::Control(control.clone())),
        (faces.clone(), Deformer::Particles(particles)),
        (faces.clone(), Deformer::Modes(modes)),
        (faces.clone(), Deformer::Modes(Modes::new(&rest, &[] as &[Vec<[f64; 3]>]).unwrap())),
    ];
    for (faces, deformer) in cases {
        let n = deformer.n_parameters();
        let frames: Vec<Vec<f64>> = (0..4).map(|_| points(n).iter().map(|p| p[0]).collect()).collect();
        let frames = match &deformer {
            // The first frame is at rest.
            Deformer::Control(surface) => [vec![surface.control().as_flattened().to_vec()], frames].concat(),
            _ => frames,
        };
        let surface = surface(faces, deformer.n_vertices());
        let clip = Clip::from_deformer("moved", 24.0, surface, deformer.clone(), frames.clone()).unwrap();
        let animation = Animation::of_clip(&clip).unwrap();
        let bytes = npz(&animation).unwrap();
        let again = read(&bytes, "moved.npz", &animation);
        assert_eq!(again.deformer(), Some(&deformer));
        assert_eq!(again.surface.faces, clip.surface.faces);
        for (frame, parameters) in frames.iter().enumerate() {
            assert_eq!(again.parameters(frame), Some(parameters.as_slice()));
            assert_eq!(pose(&again, frame), pose(&clip, frame), "{deformer:?}");
        }
        assert_eq!(npz(&Animation::of_clip(&again).unwrap()).unwrap(), bytes);
        // As GLB it has the same positions, in f32.
        let glb = osculate_io::write::glb(&animation).unwrap();
        assert_eq!(read(&glb, "moved.glb", &animation).n_frames(), frames.len());
    }
}

#[test]
fn modes_under_a_skin_read_back_bit_for_bit() {
    let model = Model::new(30, 6, chain(7));
    let skinned = model.skinned(matrices(4, 7, [1.0, 2.0, -0.5]));
    let clip = read(&npz(&skinned).unwrap(), "fans.npz", &skinned);
    let skin = clip.surface.skin.clone().unwrap();
    let mut random = Random(4);
    let shapes: Vec<Vec<[f64; 3]>> =
        (0..3).map(|_| skin.rest.iter().map(|_| [(); 3].map(|()| random.small())).collect()).collect();
    let modes = Modes::under(skin.to_deformer().unwrap(), &shapes).unwrap();
    let frames: Vec<Vec<f64>> = (0..4)
        .map(|frame| {
            let bones = clip.bone_matrices(frame).unwrap().unwrap();
            [bones.as_flattened().as_flattened(), &[random.small(), random.small(), 0.5]].concat()
        })
        .collect();
    let surface = (*clip.surface).clone();
    let moved = Clip::from_deformer("fans", 24.0, surface, Deformer::Modes(modes), frames.clone()).unwrap();
    assert!(moved.has_morphs());
    let animation = Animation::of_clip(&moved).unwrap();
    let bytes = npz(&animation).unwrap();
    let again = read(&bytes, "fans.npz", &animation);
    assert_eq!((again.deformer(), &again.surface.skin), (moved.deformer(), &Some(skin)));
    for (frame, parameters) in frames.iter().enumerate() {
        assert_eq!(again.parameters(frame), Some(parameters.as_slice()));
        assert_eq!(again.bone_matrices(frame).unwrap(), clip.bone_matrices(frame).unwrap());
        assert_eq!(pose(&again, frame), pose(&moved, frame));
        assert_ne!(pose(&again, frame), pose(&clip, frame));
    }
    assert_eq!(npz(&Animation::of_clip(&again).unwrap()).unwrap(), bytes);
}

fn surface(faces: Vec<[u32; 3]>, n_vertices: usize) -> Surface {
    Surface {
        faces,
        n_vertices,
        objects: vec!["moved".to_owned()],
        static_objects: Vec::new(),
        vertex_object: vec![0; n_vertices],
        skin: None,
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    }
}

#[test]
fn clips_of_deformers_that_do_not_fit_are_refused() {
    let rest = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let modes = Modes::new(&rest, std::slice::from_ref(&rest)).unwrap();
    let fails = |n_vertices: usize, frames: Vec<Vec<f64>>, words: &str| {
        let surface = surface(vec![[0, 1, 2]], n_vertices);
        let deformer = Deformer::Modes(modes.clone());
        let error = Clip::from_deformer("m", 30.0, surface, deformer, frames).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    fails(3, Vec::new(), "frames: there are none");
    fails(3, vec![vec![0.5], vec![]], "frame 1: 0 parameters");
    fails(4, vec![vec![0.5]], "3 vertices, but the surface has 4");
    let skin = osculate::Skin::new(1, &rest, rest.iter().map(|_| [(0, 1.0)])).unwrap();
    let under = Deformer::Modes(Modes::under(skin, std::slice::from_ref(&rest)).unwrap());
    let frames = vec![vec![0.0; 13]];
    let error = Clip::from_deformer("m", 30.0, surface(vec![[0, 1, 2]], 3), under, frames).unwrap_err();
    assert!(error.to_string().contains("bones"), "{error}");
}
