//! Primitives compressed with `KHR_draco_mesh_compression`.
//!
//! The crate `draco-core` decodes the bitstream. It is given limits beforehand, and rejects a
//! header that exceeds them before it allocates.

use draco_core::{DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder};

use super::document::Document;
use super::schema::Draco;
use crate::bytes::Budget;
use crate::error::{Result, malformed};

/// Memory of the decoder for a triangle, its corners and its share of vertices, in bytes.
const FACE_BYTES: u64 = 128;
/// Memory of the decoder for each byte of attributes: the values before and after scaling, and the
/// value index of each vertex.
const VALUE_BYTES: u64 = 4;

/// A decompressed primitive.
pub(super) struct Unpacked<'a> {
    source: &'a Draco,
    mesh: Mesh,
}

/// Decompresses a primitive; `place` names it in errors.
pub(super) fn unpack<'a>(
    document: &Document,
    source: &'a Draco,
    place: &str,
    budget: &mut Budget,
) -> Result<Unpacked<'a>> {
    let (bytes, _) = document.view(source.buffer_view, 1, budget)?;
    // Each of the two alone is an upper bound; the sum of both is charged below.
    let limits = DecodeLimits::default()
        .with_max_points(budget.left() / FACE_BYTES)
        .with_max_faces(budget.left() / FACE_BYTES)
        .with_max_decoded_bytes(budget.left() / VALUE_BYTES / 2);
    let mut mesh = Mesh::new();
    let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
    if let Err(error) = MeshDecoder::new().decode(&mut buffer, &mut mesh) {
        return Err(match error.kind() {
            ErrorKind::LimitExceeded => {
                budget.exceeded(budget.left().saturating_add(1), format!("the unpacked {place}"))
            }
            _ => malformed(document.file, place, format!("its Draco data cannot be unpacked ({error})")),
        });
    }
    let what = || format!("the unpacked {place}");
    budget.charge(mesh.num_faces(), FACE_BYTES as usize, what)?;
    for attribute in 0..mesh.num_attributes() {
        budget.charge(mesh.attribute(attribute).buffer().data().len(), VALUE_BYTES as usize, what)?;
    }
    Ok(Unpacked { source, mesh })
}

impl Unpacked<'_> {
    /// Returns the values of an attribute, `width` numbers for each vertex, as they are stored;
    /// `None` if the attribute is not compressed. `fault` makes an error of the primitive.
    pub(super) fn numbers(
        &self,
        name: &str,
        width: usize,
        fault: impl Fn(String) -> crate::Error,
        budget: &mut Budget,
    ) -> Result<Option<Vec<f64>>> {
        let Some(&id) = self.source.attributes.get(name) else { return Ok(None) };
        let attribute = self.mesh.attribute_by_unique_id(id);
        let attribute = attribute.ok_or_else(|| fault(format!("{name} is not in its Draco data")))?;
        let found = usize::from(attribute.num_components());
        if found != width {
            return Err(fault(format!("{name} has {found} components in its Draco data instead of {width}")));
        }
        let n = self.mesh.num_points();
        budget.charge(n, 12 * width, || format!("{name} of a primitive"))?;
        Ok(Some(attribute.read_f32s(n, width).into_iter().map(f64::from).collect()))
    }

    /// Returns the corners of all triangles.
    pub(super) fn indices(&self) -> Vec<u32> {
        self.mesh.faces().iter().flatten().map(|corner| corner.0).collect()
    }
}
