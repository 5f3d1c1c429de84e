//! Buffer views that are packed by `EXT_meshopt_compression` or `KHR_meshopt_compression`.
//!
//! A decoder of our own, written after the bitstream of the extensions: every read is checked, the size of the
//! result is known and paid for beforehand, and the time is in proportion to it.

mod attributes;
mod filters;
mod indices;

use super::schema::Meshopt;

/// What is wrong with a packed view.
type Fault = String;

/// Returns how many bytes the view has when it is unpacked.
pub(super) fn unpacked_size(view: &Meshopt) -> Option<usize> {
    view.count.checked_mul(view.byte_stride)
}

/// Returns the unpacked bytes of a view, `count` times `byte_stride` many.
pub(super) fn unpack(view: &Meshopt, packed: &[u8]) -> Result<Vec<u8>, Fault> {
    let Meshopt { count, byte_stride: stride, .. } = *view;
    let filter = match view.filter.as_deref() {
        None | Some("NONE") => None,
        Some(name) => Some(name),
    };
    match view.mode.as_str() {
        "ATTRIBUTES" => {
            if stride == 0 || 256 < stride || !stride.is_multiple_of(4) {
                return Err(format!("elements of {stride} bytes; 4, 8, … 256 are allowed"));
            }
            let mut bytes = attributes::decode(packed, count, stride)?;
            if let Some(filter) = filter {
                filters::apply(filter, &mut bytes, stride)?;
            }
            Ok(bytes)
        }
        mode @ ("TRIANGLES" | "INDICES") => {
            if stride != 2 && stride != 4 {
                return Err(format!("indices of {stride} bytes; 2 and 4 are allowed"));
            }
            if filter.is_some() {
                return Err("indices with a filter".into());
            }
            if mode == "INDICES" {
                return indices::decode_sequence(packed, count, stride);
            }
            if !count.is_multiple_of(3) {
                return Err(format!("{count} corners of triangles"));
            }
            indices::decode_triangles(packed, count, stride)
        }
        other => Err(format!("unknown mode '{}'", other.chars().take(20).collect::<String>())),
    }
}

/// Takes `n` bytes from the start of `bytes`.
fn take<'a>(bytes: &mut &'a [u8], n: usize) -> Result<&'a [u8], Fault> {
    let (first, rest) =
        bytes.split_at_checked(n).ok_or_else(|| Fault::from("its packed bytes end too early"))?;
    *bytes = rest;
    Ok(first)
}

/// Returns an error unless all bytes have been taken.
fn finish(bytes: &[u8]) -> Result<(), Fault> {
    if bytes.is_empty() { Ok(()) } else { Err(format!("{} packed bytes are left over", bytes.len())) }
}
