//! Animations as glTF 2.0 binaries.
//!
//! Every object with triangles is a node with a mesh. Bones become the joints of one skin, with a
//! key for each frame. This requires bone matrices composed of a translation, a rotation and a
//! scale along the axes, and non-negative weights that sum to 1. Otherwise, and for animations of
//! frames, every frame but the first is a morph target.
//!
//! Values use step interpolation. Between frames vertices move on straight lines, which joints
//! cannot do; and as times are f32, an interpolated value would differ from its frame, increasingly
//! with time.
//!
//! Numbers are f32, as glTF requires. Vertices are numbered object by object, and in the order of
//! the animation within each. The reader of this crate merges those that coincide in all frames.

mod buffer;
mod transform;
mod skeleton;
mod skinned;
mod morphed;
mod painted;

pub use self::painted::painted_glb;

use serde_json::{Map, Value, json};

use self::buffer::Buffer;
use self::skeleton::Skeleton;
use super::animation::{Animation, Motion};
use crate::error::{Result, malformed};

/// Returns an animation as the bytes of a GLB file.
pub fn glb(animation: &Animation) -> Result<Vec<u8>> {
    animation.check()?;
    let mut document = Document::new(animation);
    let skeleton = match &animation.motion {
        Motion::Bones(rig) => Skeleton::of_rig(rig).map(|skeleton| (rig, skeleton)),
        Motion::Frames(_) | Motion::Governed(_) => None,
    };
    match skeleton {
        Some((rig, skeleton)) => skinned::add(&mut document, rig, &skeleton),
        None => morphed::add(&mut document, animation),
    }
    document.finish(animation)
}

/// An object with triangles.
struct Part<'a> {
    name: &'a str,
    /// Its vertices, by their numbers in the animation.
    vertices: Vec<u32>,
    /// Corners of its triangles, as indices into `vertices`.
    corners: Vec<u32>,
}

/// A glTF file under construction.
struct Document<'a> {
    parts: Vec<Part<'a>>,
    buffer: Buffer,
    /// Accessor of the times of keys, if there is more than one frame.
    times: Option<usize>,
    nodes: Vec<Value>,
    /// Nodes without a parent.
    roots: Vec<usize>,
    meshes: Vec<Value>,
    skins: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl<'a> Document<'a> {
    fn new(animation: &Animation<'a>) -> Self {
        let mut buffer = Buffer::default();
        let n_frames = animation.n_frames();
        let times: Vec<f32> = (0..n_frames).map(|frame| key_time(frame, animation.fps)).collect();
        Self {
            parts: parts(animation),
            times: (1 < n_frames).then(|| buffer.times(&times)),
            buffer,
            nodes: Vec::new(),
            roots: Vec::new(),
            meshes: Vec::new(),
            skins: Vec::new(),
            samplers: Vec::new(),
            channels: Vec::new(),
        }
    }

    /// Adds a node without a parent, and returns its number.
    fn root(&mut self, node: Value) -> usize {
        self.roots.push(self.nodes.len());
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Animates a property of a node; no effect with one frame.
    fn channel(&mut self, node: usize, path: &str, output: usize) {
        if let Some(times) = self.times {
            let target = json!({"node": node, "path": path});
            self.channels.push(json!({"sampler": self.samplers.len(), "target": target}));
            self.samplers.push(json!({"input": times, "output": output, "interpolation": "STEP"}));
        }
    }

    fn finish(mut self, animation: &Animation) -> Result<Vec<u8>> {
        if self.channels.is_empty() && self.times.is_some() {
            // Nothing moves, but the clip needs a duration. The first root carries a mesh or all
            // joints.
            let still = self.buffer.values("VEC3", &vec![0.0; 3 * animation.n_frames()]);
            self.channel(self.roots[0], "translation", still);
        }
        let Buffer { bytes, views, accessors, is_out_of_range } = self.buffer;
        if is_out_of_range {
            return Err(malformed(
                animation.name,
                "positions",
                "some are too large for the f32 of a GLB file",
            ));
        }
        let mut root = Map::new();
        root.insert("asset".into(), json!({"version": "2.0", "generator": "Osculate"}));
        root.insert("scene".into(), json!(0));
        root.insert("scenes".into(), json!([{"nodes": self.roots}]));
        root.insert("buffers".into(), json!([{"byteLength": bytes.len()}]));
        let animations = match self.channels.is_empty() {
            true => Vec::new(),
            false => {
                vec![json!({"name": animation.name, "channels": self.channels, "samplers": self.samplers})]
            }
        };
        let lists = [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("skins", self.skins),
            ("animations", animations),
            ("bufferViews", views),
            ("accessors", accessors),
        ];
        // The format does not allow empty lists.
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            root.insert(name.into(), list.into());
        }
        container(&Value::Object(root).to_string(), &bytes)
            .ok_or_else(|| malformed(animation.name, "file", "GLB files of 4 GB or more are not written"))
    }
}

/// Returns the GLB of a document and its buffer; `None` if it is too large for 32-bit lengths.
fn container(json: &str, buffer: &[u8]) -> Option<Vec<u8>> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let padding = buffer.len().next_multiple_of(4) - buffer.len();
    let length = u32::try_from(28 + json.len() + buffer.len() + padding).ok()?;
    let mut bytes = Vec::with_capacity(length as usize);
    bytes.extend(b"glTF\x02\0\0\0");
    bytes.extend(length.to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(((buffer.len() + padding) as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(buffer);
    bytes.resize(length as usize, 0);
    Some(bytes)
}

/// Returns the time of a frame, rounded down: then the value at the f64 time is that of its key,
/// and the last key does not add a frame.
fn key_time(frame: usize, fps: f64) -> f32 {
    let time = frame as f64 / fps;
    let rounded = time as f32;
    if time < f64::from(rounded) { rounded.next_down() } else { rounded }
}

fn parts<'a>(animation: &Animation<'a>) -> Vec<Part<'a>> {
    let mut parts: Vec<Part> = animation
        .objects
        .iter()
        .map(|name| Part { name, vertices: Vec::new(), corners: Vec::new() })
        .collect();
    let mut number_in_part = Vec::with_capacity(animation.vertex_object.len());
    for (vertex, &object) in animation.vertex_object.iter().enumerate() {
        let vertices = &mut parts[object as usize].vertices;
        number_in_part.push(vertices.len() as u32);
        vertices.push(vertex as u32);
    }
    for face in animation.faces {
        let object = animation.vertex_object[face[0] as usize];
        parts[object as usize].corners.extend(face.map(|corner| number_in_part[corner as usize]));
    }
    parts.retain(|part| !part.corners.is_empty());
    parts
}
