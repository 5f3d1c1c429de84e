//! Blocks of data in the page: compressed, as base64, in `<template>` elements.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Returns bytes as a `<template>` element that `page/src/data.js` reads. Its text has no character
/// that means anything in HTML.
pub(super) fn template(name: &str, bytes: &[u8]) -> String {
    let packed = base64(&zlib(bytes));
    format!("<template id=\"{name}\">{packed}</template>\n")
}

/// Compresses bytes with zlib.
pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(7));
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Encodes bytes as base64 with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|i| u32::from(chunk.get(i).copied().unwrap_or(0)));
        let all = a << 16 | b << 8 | c;
        for i in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Little-endian numbers of four bytes.
#[derive(Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Bytes {
    pub(super) fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn f32(&mut self, value: f64) {
        self.0.extend_from_slice(&(value as f32).to_le_bytes());
    }

    pub(super) fn point(&mut self, point: [f64; 3]) {
        point.into_iter().for_each(|x| self.f32(x));
    }

    /// Fills up to a multiple of four bytes.
    pub(super) fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }
}

/// A signed number as an unsigned one that is small if it is near zero.
pub(super) fn zigzag(value: i32) -> u32 {
    (value << 1 ^ value >> 31) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[255, 254, 253]), "//79");
    }

    #[test]
    fn small_differences_become_small_numbers() {
        assert_eq!([0, -1, 1, -2, 2, i32::MIN].map(zigzag), [0, 1, 2, 3, 4, u32::MAX]);
    }
}
