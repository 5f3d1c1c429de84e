//! Buffer views compressed with `EXT_meshopt_compression` or `KHR_meshopt_compression`.
//!
//! Our own decoder, written from the specification of the bitstream: every read is checked, the
//! size of the result is known and charged beforehand, and the time is proportional to it.

mod attributes;
mod filters;
mod indices;

use super::schema::Meshopt;

/// A fault of a compressed view.
type Fault = String;

/// Returns the decompressed size of a view in bytes.
pub(super) fn unpacked_size(view: &Meshopt) -> Option<usize> {
    view.count.checked_mul(view.byte_stride)
}

/// Returns the decompressed bytes of a view, `count` times `byte_stride`.
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

/// Fails unless all bytes have been taken.
fn finish(bytes: &[u8]) -> Result<(), Fault> {
    if bytes.is_empty() { Ok(()) } else { Err(format!("{} packed bytes are left over", bytes.len())) }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Streams of another encoder, and the results of its decoder.
    #[derive(Deserialize)]
    struct Stream {
        #[serde(flatten)]
        view: Meshopt,
        packed: String,
        hash: Option<String>,
        unpacked: Option<String>,
    }

    fn from_hex(text: &str) -> Vec<u8> {
        text.as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    fn streams() -> Vec<(Stream, Vec<u8>)> {
        let text = include_str!("../../../tests/fixtures/streams.json");
        let streams: Vec<Stream> = serde_json::from_str(text).unwrap();
        streams.into_iter().map(|stream| (from_hex(&stream.packed), stream)).map(|(a, b)| (b, a)).collect()
    }

    #[test]
    fn streams_of_another_encoder() {
        for (i, (stream, packed)) in streams().into_iter().enumerate() {
            let bytes = unpack(&stream.view, &packed).unwrap_or_else(|fault| panic!("stream {i}: {fault}"));
            assert_eq!(Some(bytes.len()), unpacked_size(&stream.view));
            if let Some(expected) = &stream.hash {
                let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
                let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, fnv);
                assert_eq!(format!("{hash:x}"), *expected, "stream {i}");
            }
            if let Some(expected) = &stream.unpacked {
                // Four components per element, of one or two bytes; equal up to one unit in the
                // last place.
                let size = stream.view.byte_stride / 4;
                let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, byte| n << 8 | i32::from(*byte));
                for (a, b) in bytes.chunks(size).zip(from_hex(expected).chunks(size)) {
                    let difference = (number(a) - number(b)).rem_euclid(1 << (8 * size));
                    let is_near = difference <= 1 || difference == (1 << (8 * size)) - 1;
                    assert!(is_near, "stream {i}: {a:?} is not {b:?}");
                }
            }
        }
    }

    #[test]
    fn damaged_streams_are_refused_or_unpacked() {
        let mut state = 1u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for (stream, packed) in streams() {
            for length in 0..packed.len() {
                assert!(unpack(&stream.view, &packed[..length]).is_err(), "a tail is missing");
            }
            for _ in 0..1000 {
                let mut damaged = packed.clone();
                for _ in 0..=random(3) {
                    let at = random(damaged.len());
                    damaged[at] = [random(256) as u8, damaged[at] ^ (1 << random(8)), 0xff][random(3)];
                }
                if let Ok(bytes) = unpack(&stream.view, &damaged) {
                    assert_eq!(Some(bytes.len()), unpacked_size(&stream.view));
                }
            }
        }
    }
}
