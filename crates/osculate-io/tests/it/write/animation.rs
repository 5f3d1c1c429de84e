//! Animations to write: a scene made by code, and small ones with all that a format has to express.

use std::borrow::Cow;

use osculate::deformer::AnyDeformer;
use osculate_io::write::{Animation, Motion, Rig};
use osculate_io::{Bone, Clip, Influence, Options, read_bytes};
use osculate_scenes::Scene;

use super::support::Random;

/// What an [`Animation`] borrows from.
pub(crate) struct Model {
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) objects: Vec<String>,
    pub(crate) vertex_object: Vec<u32>,
    pub(crate) rest: Vec<[f64; 3]>,
    pub(crate) bones: Vec<Bone>,
    pub(crate) influences: Vec<Vec<Influence>>,
}

pub(crate) type Affine = [[f64; 4]; 3];

impl Model {
    /// A fan of triangles around the first vertex of each of two objects, whose vertices alternate.
    /// Vertex i follows `n_influences` of the bones, from bone i on.
    pub(crate) fn new(n: u32, n_influences: u32, bones: Vec<Bone>) -> Self {
        let mut random = Random(7);
        let weights = |i: u32| {
            let influence =
                |k: u32| Influence { bone: (i + k) % bones.len() as u32, weight: f64::from(k + 1) };
            let sum = f64::from(n_influences * (n_influences + 1) / 2);
            let all = (0..n_influences).map(influence);
            all.map(|influence| Influence { weight: influence.weight / sum, ..influence }).collect()
        };
        Self {
            faces: (0..n - 4).map(|i| [i % 2, i + 2, i + 4]).collect(),
            objects: vec!["left".into(), "nothing".into(), "right".into()],
            vertex_object: (0..n).map(|i| 2 * (i % 2)).collect(),
            rest: (0..n).map(|_| std::array::from_fn(|_| random.small())).collect(),
            influences: (0..n).map(weights).collect(),
            bones,
        }
    }

    pub(crate) fn skinned(&self, matrices: Vec<Vec<Affine>>) -> Animation<'_> {
        let mut starts = vec![0];
        for influences in &self.influences {
            starts.push(starts[starts.len() - 1] + influences.len() as u32);
        }
        self.moving(Motion::Bones(Rig {
            bones: Cow::Borrowed(&self.bones),
            rest: &self.rest,
            starts: starts.into(),
            influences: self.influences.concat().into(),
            matrices: matrices.into(),
        }))
    }

    pub(crate) fn moving<'a>(&'a self, motion: Motion<'a>) -> Animation<'a> {
        Animation {
            name: "two fans",
            fps: 24.0,
            faces: &self.faces,
            objects: &self.objects,
            vertex_object: &self.vertex_object,
            motion,
        }
    }
}

/// A chain of bones whose children stand before their parents.
pub(crate) fn chain(n: u32) -> Vec<Bone> {
    let bone = |i: u32| Bone {
        name: format!("bone {i}"),
        parent: Some(i + 1).filter(|&parent| parent < n),
        head: [f64::from(n - i), 0.1, 0.0],
        tail: None,
    };
    (0..n).map(bone).collect()
}

/// Returns frames of matrices, each a seeded rotation, scale and translation. The first is the
/// identity.
pub(crate) fn matrices(n_frames: usize, n_bones: u32, scale: [f64; 3]) -> Vec<Vec<Affine>> {
    let mut random = Random(9);
    let mut matrix = |is_moving: bool| -> Affine {
        let q: [f64; 4] =
            if is_moving { std::array::from_fn(|_| random.small()) } else { [0.0, 0.0, 0.0, 1.0] };
        let s = if is_moving { scale } else { [1.0; 3] };
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z, w] = q.map(|x| x / length);
        let shift: [f64; 3] = std::array::from_fn(|_| if is_moving { random.small() } else { 0.0 });
        [
            [
                (1.0 - 2.0 * (y * y + z * z)) * s[0],
                2.0 * (x * y - z * w) * s[1],
                2.0 * (x * z + y * w) * s[2],
                shift[0],
            ],
            [
                2.0 * (x * y + z * w) * s[0],
                (1.0 - 2.0 * (x * x + z * z)) * s[1],
                2.0 * (y * z - x * w) * s[2],
                shift[1],
            ],
            [
                2.0 * (x * z - y * w) * s[0],
                2.0 * (y * z + x * w) * s[1],
                (1.0 - 2.0 * (x * x + y * y)) * s[2],
                shift[2],
            ],
        ]
    };
    (0..n_frames).map(|frame| (0..n_bones).map(|_| matrix(0 < frame)).collect()).collect()
}

/// Returns the positions in each frame.
pub(crate) fn poses(animation: &Animation) -> Vec<Vec<[f64; 3]>> {
    match &animation.motion {
        Motion::Frames(frames) => frames.to_vec(),
        Motion::Bones(rig) => {
            let pose = |matrices: &Vec<Affine>| {
                let point = |(vertex, &[x, y, z]): (usize, &[f64; 3])| {
                    let mut sum = [0.0; 3];
                    for influence in
                        &rig.influences[rig.starts[vertex] as usize..rig.starts[vertex + 1] as usize]
                    {
                        for (sum, row) in sum.iter_mut().zip(&matrices[influence.bone as usize]) {
                            *sum += influence.weight * (row[0] * x + row[1] * y + row[2] * z + row[3]);
                        }
                    }
                    sum
                };
                rig.rest.iter().enumerate().map(point).collect()
            };
            rig.matrices.iter().map(pose).collect()
        }
        Motion::Governed(governed) => {
            let deformer = AnyDeformer::from(governed.deformer);
            governed.frames.iter().map(|parameters| deformer.vertices(parameters).unwrap()).collect()
        }
    }
}

/// Returns the animation of a scene.
pub(crate) fn of_scene(scene: &Scene) -> Animation<'_> {
    let motion = match (&scene.motion, &scene.skin) {
        (osculate_scenes::Motion::Bones(matrices), Some(skin)) => {
            let bone = |bone: &osculate_scenes::Bone| Bone {
                name: bone.name.clone(),
                parent: bone.parent.map(|parent| parent as u32),
                head: bone.head,
                tail: Some(bone.tail),
            };
            let influence = |&(bone, weight): &(u32, f64)| Influence { bone, weight };
            Motion::Bones(Rig {
                bones: skin.bones.iter().map(bone).collect(),
                rest: &scene.rest,
                starts: Cow::Borrowed(&skin.offsets),
                influences: skin.influences.iter().map(influence).collect(),
                matrices: Cow::Borrowed(matrices),
            })
        }
        (osculate_scenes::Motion::Frames(frames), _) => Motion::Frames(Cow::Borrowed(frames)),
        _ => panic!("bones without a skin"),
    };
    Animation {
        name: &scene.name,
        fps: scene.fps,
        faces: &scene.faces,
        objects: &scene.objects,
        vertex_object: &scene.vertex_object,
        motion,
    }
}

/// Reads a file with one clip at the rate of an animation.
pub(crate) fn read(bytes: &[u8], name: &str, animation: &Animation) -> Clip {
    let options = Options { fps: animation.fps, ..Options::default() };
    let mut clips = read_bytes(bytes, name, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(clips.len(), 1);
    clips.remove(0)
}

pub(crate) fn pose(clip: &Clip, frame: usize) -> Vec<[f64; 3]> {
    let mut pose = Vec::new();
    clip.pose(frame, &mut pose).unwrap();
    pose
}
