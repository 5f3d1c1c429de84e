//! glTF 2.0: skins, morph targets and animated nodes, as .glb or .gltf.
//!
//! All meshes of the default scene form one surface, with an object for each node with a mesh, or
//! for each of its instances. Every vertex is skinned: without a skin, the node of the mesh is its
//! only bone. The node of a skinned mesh does not move it, as the specification says; its joints
//! do.

mod schema;
mod meshopt;
mod document;
mod accessor;
mod scene;
mod animation;
mod draco;
mod attributes;
mod bones;
mod primitive;
mod weld;
mod mesh;
mod instances;
mod model;

use std::path::Path;
use std::sync::Arc;

use crate::bytes::Budget;
use crate::clip::{Clip, Motion, Surface};
use crate::error::{Error, Result, malformed};
use crate::mirrored;
use crate::note::{counted, note};
use crate::{Affine, Options};
use animation::{Animation, Cache};
use document::Document;
use scene::Scene;

pub(crate) use document::external_buffers;

/// Maximum number of frames of a clip: 92 hours at 30 frames per second. A wrong key time may
/// exceed it.
const MAX_FRAMES: f64 = 1e7;

/// An animation of a scene, evaluated on demand.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    scene: Arc<Scene>,
    animation: Option<Arc<Animation>>,
    fps: f64,
    n_frames: usize,
}

/// Returns the clips of a file: one for each animation, or only the requested one, or the pose of
/// the nodes if there is none. External buffers are searched in `folder`.
pub(crate) fn read(
    bytes: &[u8],
    file: &str,
    stem: &str,
    folder: Option<&Path>,
    options: &Options,
) -> Result<Vec<Clip>> {
    let mut budget = Budget::new(file, bytes.len(), options.memory);
    let document = Document::read(bytes, file, folder, &mut budget)?;
    let mut scene = Scene::read(&document, &mut budget)?;
    let mut surface = model::read(&document, &mut scene, &mut budget)?;
    turn_mirrored(&mut surface, &document, &scene);
    let names: Vec<String> = document.root.animations.iter().enumerate().map(name_of).collect();
    let mut cache = Cache::new();
    let mut animations = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if options.clip.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        budget.charge(1, 512 + 2 * name.len(), || format!("animation {i}"))?;
        let animation = animation::read(&document, i, &scene, &mut cache, &mut budget)?;
        // The last frame is at the end, however short the step before it; rounding adds no extra
        // step. Key times are f32, whose errors grow with them.
        let steps = (animation.end - animation.start) * options.fps;
        let steps = (steps - 1e-6 * steps.max(1.0)).ceil().max(0.0);
        if MAX_FRAMES < steps {
            let problem = format!("it lasts until {} s; that is too many frames", animation.end);
            return Err(malformed(file, format!("animation {i}"), problem));
        }
        animations.push((name.clone(), Some(animation), steps as usize + 1));
    }
    if names.is_empty() && options.clip.is_none() {
        animations.push((stem.to_owned(), None, 1));
    }
    let mut ignored = animations.iter().flat_map(|(_, a, _)| a.iter().flat_map(|a| &a.ignored));
    if let Some(first) = ignored.next() {
        let n = counted(1 + ignored.count(), "animated property is", "animated properties are");
        note(&mut surface.notes, &format!("{n} ignored ({first})"));
    }
    let (scene, surface) = (Arc::new(scene), Arc::new(surface));
    let clip = |(name, animation, n_frames): (String, Option<Animation>, usize)| {
        let animation = animation.map(Arc::new);
        let motion = Motion::Scene(Playback { scene: scene.clone(), animation, fps: options.fps, n_frames });
        Clip { name, fps: options.fps, surface: surface.clone(), motion }
    };
    let clips: Vec<Clip> = animations.into_iter().map(clip).collect();
    match &options.clip {
        Some(wanted) if clips.is_empty() => {
            let available = match names.len() {
                0 => "there are no animations".to_owned(),
                n => {
                    let first = names.iter().take(20).map(|name| name.chars().take(60).collect::<String>());
                    let among = if n <= 20 { "there are" } else { "among them are" };
                    format!("{among} {}", first.collect::<Vec<_>>().join(", "))
                }
            };
            Err(Error::NoSuchClip { file: file.to_owned(), clip: wanted.clone(), available })
        }
        _ => Ok(clips),
    }
}

/// Turns the triangles of meshes that are mirrored at rest: by their nodes, also where a skin moves
/// them and their nodes do not, as the specification says.
fn turn_mirrored(surface: &mut Surface, document: &Document, scene: &Scene) {
    let (Some(skin), Some(welding)) = (surface.skin.take(), surface.welding.take()) else { return };
    let (nodes, bones) = (scene.globals(None, 0.0), scene.matrices(None, 0.0));
    mirrored::turn(surface, |vertex| {
        let node = welding.source[vertex].node as usize;
        let map = match document.root.nodes[node].skin {
            Some(_) => nodes.get(node),
            None => skin.dominant_bone(vertex).and_then(|bone| bones.get(bone as usize)),
        };
        map.is_some_and(mirrored::is_mirror)
    });
    (surface.skin, surface.welding) = (Some(skin), Some(welding));
}

fn name_of((index, animation): (usize, &schema::Animation)) -> String {
    let name = animation.name.clone().filter(|name| !name.is_empty());
    name.unwrap_or_else(|| format!("animation {index}"))
}

impl Playback {
    /// The same scene without its animation.
    pub(crate) fn still(&self) -> Playback {
        Playback { scene: self.scene.clone(), animation: None, fps: self.fps, n_frames: 1 }
    }

    pub(crate) fn n_frames(&self) -> usize {
        self.n_frames
    }

    pub(crate) fn time(&self, frame: usize) -> f64 {
        let (start, end) = self.animation.as_ref().map_or((0.0, 0.0), |a| (a.start, a.end));
        (start + frame as f64 / self.fps).min(end)
    }

    /// Returns the matrix of each bone in a frame.
    pub(crate) fn matrices(&self, frame: usize) -> Vec<Affine> {
        self.scene.matrices(self.animation.as_deref(), self.time(frame))
    }

    /// Moves rest positions by the morph targets in a frame.
    pub(crate) fn morph(&self, frame: usize, positions: &mut [[f64; 3]]) {
        self.scene.morph(self.animation.as_deref(), self.time(frame), positions);
    }

    pub(crate) fn has_morphs(&self) -> bool {
        !self.scene.morphs.is_empty()
    }
}
