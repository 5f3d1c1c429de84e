//! The part of the glTF 2.0 JSON that concerns geometry. All else is skipped while parsing.
//!
//! Only types are checked here: an index may point anywhere.

use std::collections::BTreeMap;

use serde::Deserialize;

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
    pub(super) extensions: Option<BufferExtensions>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    ext_meshopt: Option<Fallback>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr_meshopt: Option<Fallback>,
}

#[derive(Debug, Deserialize)]
struct Fallback {
    #[serde(default)]
    fallback: bool,
}

impl Buffer {
    /// Returns whether the buffer is only a placeholder for decompressed views.
    pub(super) fn is_fallback(&self) -> bool {
        let tags =
            self.extensions.as_ref().map(|extensions| [&extensions.ext_meshopt, &extensions.khr_meshopt]);
        tags.into_iter().flatten().flatten().any(|tag| tag.fallback)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    pub(super) extensions: Option<Box<ViewExtensions>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    ext_meshopt: Option<Meshopt>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr_meshopt: Option<Meshopt>,
}

/// The compressed bytes of a view, and their format.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    pub(super) count: usize,
    pub(super) mode: String,
    pub(super) filter: Option<String>,
}

impl View {
    /// Returns the compression of the view, if any.
    pub(super) fn packed(&self) -> Option<&Meshopt> {
        let extensions = self.extensions.as_deref()?;
        extensions.khr_meshopt.as_ref().or(extensions.ext_meshopt.as_ref())
    }
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
    /// Type of the indices only; the values have the type of the accessor.
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
    pub(super) extensions: Option<Box<PrimitiveExtensions>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<Draco>,
}

/// The compressed bytes of a primitive, and the attributes in them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Draco {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, u32>,
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
    /// Column-major.
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    /// Imaginary parts first.
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
    pub(super) extensions: Option<Box<NodeExtensions>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Instancing {
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Visibility {
    pub(super) visible: Option<bool>,
}

impl Node {
    /// Returns whether the node itself is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|extensions| extensions.visibility.as_ref());
        visibility.is_some_and(|visibility| visibility.visible == Some(false))
    }

    /// Returns the attributes of the instances of the node's mesh.
    pub(super) fn instancing(&self) -> Option<&Instancing> {
        self.extensions.as_ref()?.instancing.as_ref()
    }
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
    extensions: Option<Box<TargetExtensions>>,
}

#[derive(Debug, Deserialize)]
struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pointer: Option<Pointer>,
}

#[derive(Debug, Deserialize)]
struct Pointer {
    pointer: String,
}

impl Target {
    /// Returns the path of the property in the document, if the target is given as one.
    pub(super) fn pointer(&self) -> Option<&str> {
        Some(&self.extensions.as_ref()?.pointer.as_ref()?.pointer)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}
