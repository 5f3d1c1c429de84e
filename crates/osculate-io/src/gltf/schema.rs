//! The part of the glTF 2.0 JSON that says something about geometry. All else is skipped while parsing.
//!
//! Nothing is checked here but types: an index may point anywhere.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Extensions of an object: only which there are.
type Extensions = BTreeMap<String, IgnoredAny>;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(super) buffer_views: Vec<View>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    /// Of the indices only; the values have the type of the accessor.
    #[serde(default)]
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    pub(super) mode: Option<u32>,
    #[serde(default)]
    pub(super) targets: Vec<BTreeMap<String, usize>>,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<usize>,
    #[serde(default)]
    pub(super) joints: Vec<usize>,
}

/// Boxes keep it small: a file may have very many empty nodes.
#[derive(Debug, Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// Column by column.
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    /// Imaginary parts first.
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
    #[serde(default)]
    pub(super) extensions: Extensions,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) channels: Vec<Channel>,
    #[serde(default)]
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}
