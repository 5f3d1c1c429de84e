//! Painted surfaces as glTF 2.0 binaries: a mesh with a color for each vertex.
//!
//! Neighboring triangles have different colors, so each has three vertices of its own; the reader
//! of this crate merges them again. glTF has no numbers for triangles: those of the surface are
//! left out.

use serde_json::json;

use super::buffer::Buffer;
use super::container;
use crate::error::{Result, malformed};
use crate::write::Painted;

/// Returns a painted surface as the bytes of a GLB file.
pub fn painted_glb(painted: &Painted) -> Result<Vec<u8>> {
    painted.check()?;
    let mut buffer = Buffer::default();
    let corners = painted.faces.as_flattened();
    let positions: Vec<[f32; 3]> =
        corners.iter().map(|&corner| painted.positions[corner as usize].map(|x| x as f32)).collect();
    let colors: Vec<[f32; 3]> = painted.colors.iter().flat_map(|color| [color.map(linear); 3]).collect();
    let indices: Vec<u32> = (0..positions.len() as u32).collect();
    let mut document = json!({
        "asset": {"version": "2.0", "generator": "Osculate"},
        "scene": 0,
        "scenes": [{}],
    });
    // The format does not allow empty lists.
    if !indices.is_empty() {
        let attributes = json!({
            "POSITION": buffer.positions(&positions),
            "COLOR_0": buffer.colors(&colors),
        });
        let primitive = json!({"attributes": attributes, "indices": buffer.corners(&indices), "material": 0});
        document["scenes"] = json!([{"nodes": [0]}]);
        document["nodes"] = json!([{"name": painted.name, "mesh": 0}]);
        document["meshes"] = json!([{"name": painted.name, "primitives": [primitive]}]);
        document["materials"] = json!([{
            "doubleSided": true,
            "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.9},
        }]);
        document["buffers"] = json!([{"byteLength": buffer.bytes.len()}]);
        document["bufferViews"] = buffer.views.into();
        document["accessors"] = buffer.accessors.into();
    }
    if buffer.is_out_of_range {
        return Err(malformed(painted.name, "positions", "some are too large for the f32 of a GLB file"));
    }
    container(&document.to_string(), &buffer.bytes)
        .ok_or_else(|| malformed(painted.name, "file", "GLB files of 4 GB or more are not written"))
}

/// The share of light of a color value of sRGB, which is what glTF wants for vertices.
fn linear(value: u8) -> f32 {
    let share = f32::from(value) / 255.0;
    if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}
