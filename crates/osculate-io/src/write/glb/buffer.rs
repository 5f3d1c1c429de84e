//! The binary part of a glTF file, one view and one accessor for each array.

use serde_json::{Value, json};

const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

#[derive(Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
    /// Whether a position is too large for f32.
    pub(super) is_out_of_range: bool,
}

impl Buffer {
    /// Adds positions of vertices, or displacements of a morph target; returns the accessor.
    pub(super) fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        self.is_out_of_range |= positions.as_flattened().iter().any(|x| !x.is_finite());
        let bound = |better: fn(f32, f32) -> f32| {
            let all = positions.iter().copied();
            let best = all.reduce(|a, b| std::array::from_fn(|i| better(a[i], b[i])));
            best.unwrap_or([0.0; 3]).map(f64::from)
        };
        let (min, max) = (bound(f32::min), bound(f32::max));
        let accessor = json!({"componentType": F32, "type": "VEC3", "count": positions.len(),
            "min": min, "max": max});
        self.array(positions.as_flattened().iter().map(|x| x.to_le_bytes()), Some(ARRAY_BUFFER), accessor)
    }

    /// Adds four weights for each vertex.
    pub(super) fn weights(&mut self, weights: &[f32]) -> usize {
        let accessor = json!({"componentType": F32, "type": "VEC4", "count": weights.len() / 4});
        self.array(weights.iter().map(|x| x.to_le_bytes()), Some(ARRAY_BUFFER), accessor)
    }

    /// Adds four joints for each vertex.
    pub(super) fn joints(&mut self, joints: &[u16]) -> usize {
        let accessor = json!({"componentType": U16, "type": "VEC4", "count": joints.len() / 4});
        self.array(joints.iter().map(|x| x.to_le_bytes()), Some(ARRAY_BUFFER), accessor)
    }

    /// Adds a color for each vertex: the shares of red, green and blue light.
    pub(super) fn colors(&mut self, colors: &[[f32; 3]]) -> usize {
        let accessor = json!({"componentType": F32, "type": "VEC3", "count": colors.len()});
        self.array(colors.as_flattened().iter().map(|x| x.to_le_bytes()), Some(ARRAY_BUFFER), accessor)
    }

    /// Adds the corners of triangles.
    pub(super) fn corners(&mut self, corners: &[u32]) -> usize {
        let accessor = json!({"componentType": U32, "type": "SCALAR", "count": corners.len()});
        self.array(corners.iter().map(|x| x.to_le_bytes()), Some(ELEMENT_ARRAY_BUFFER), accessor)
    }

    /// Adds the times of keys, in ascending order.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let bound = |time: Option<&f32>| [f64::from(time.copied().unwrap_or(0.0))];
        let accessor = json!({"componentType": F32, "type": "SCALAR", "count": times.len(),
            "min": bound(times.first()), "max": bound(times.last())});
        self.array(times.iter().map(|x| x.to_le_bytes()), None, accessor)
    }

    /// Adds values of keys, or matrices.
    pub(super) fn values(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let accessor = json!({"componentType": F32, "type": kind, "count": values.len() / width});
        self.array(values.iter().map(|x| x.to_le_bytes()), None, accessor)
    }

    fn array<const N: usize>(
        &mut self,
        values: impl Iterator<Item = [u8; N]>,
        target: Option<u32>,
        mut accessor: Value,
    ) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        values.for_each(|value| self.bytes.extend(value));
        let mut view = json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        accessor["bufferView"] = self.views.len().into();
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
