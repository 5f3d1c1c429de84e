//! The crowd: its bodies, and their bones in each measured frame.

use std::error::Error;
use std::fs;
use std::path::Path;

use osculate::{Affine, Skin};
use osculate_scenes::{Scene, build, crowd};

/// Frames in which the crowd comes together; the measured ones are spread over them.
const FRAMES: usize = 192;

const SEED: u64 = 1;

/// Bodies that share a skinned model.
pub(crate) struct Cast {
    pub(crate) scene: Scene,
    pub(crate) skin: Skin,
    /// For each frame and each body, the maps of its bones.
    pub(crate) frames: Vec<Vec<Vec<Affine>>>,
}

impl Cast {
    /// A crowd of `n_bodies` creatures, in `n_frames` frames.
    pub(crate) fn new(n_bodies: usize, n_frames: usize) -> Result<Cast, Box<dyn Error>> {
        let scene = build("creature").ok_or("there is no creature")?;
        let of_scene = scene.skin.as_ref().ok_or("the creature has no skin")?;
        let influences = (0..scene.rest.len()).map(|vertex| of_scene.of_vertex(vertex));
        let skin = Skin::new(of_scene.bones.len(), &scene.rest, influences)?;
        let places = crowd(&scene, n_bodies, SEED);
        let bones = |frame| places.iter().map(|place| place.bones(&scene, frame)).collect();
        let frames = (0..n_frames).map(|i| bones(i * FRAMES / n_frames)).collect();
        Ok(Cast { skin, frames, scene })
    }

    /// Writes the input for another tool, in little-endian order: `crowd-rest.f64` (rows of x y z),
    /// `crowd-faces.u32` (rows of three vertices), `crowd-weights.f64` (for each vertex, the
    /// weights of all bones), and `crowd-bones.f64` (for each frame, body and bone, the rows of a 3
    /// × 4 matrix).
    #[allow(dead_code, reason = "one of those who share this file writes")]
    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let Cast { scene, skin, frames } = self;
        let mut weights = vec![0.0; scene.rest.len() * skin.n_bones()];
        for (vertex, row) in weights.chunks_exact_mut(skin.n_bones()).enumerate() {
            for &(bone, weight) in skin.influences(vertex) {
                row[bone as usize] += weight;
            }
        }
        let bones: Vec<f64> =
            frames.iter().flatten().flatten().flat_map(|map| map.as_flattened()).copied().collect();
        let faces: Vec<u8> = scene.faces.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        fs::write(folder.join("crowd-faces.u32"), faces)?;
        fs::write(folder.join("crowd-rest.f64"), bytes(scene.rest.as_flattened()))?;
        fs::write(folder.join("crowd-weights.f64"), bytes(&weights))?;
        fs::write(folder.join("crowd-bones.f64"), bytes(&bones))
    }
}

fn bytes(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}
